"""What may not stand in program text: markets, and sources of chance that differ from machine to machine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentbench_env.registry import contracts

ROOT = Path(__file__).parent.parent
FILES = sorted(file for folder in ("agentbench_env", "envs") for file in (ROOT / folder).rglob("*.py"))
MARKETS = frozenset(next(iter(contracts().values())).markets)
FORBIDDEN_MODULES = frozenset({"faker", "holidays", "random", "_random", "uuid", "locale", "secrets"})
FORBIDDEN_READS = frozenset(
    {
        "os.environ",
        "os.getenv",
        "os.urandom",
        "time.time",
        "time.time_ns",
        "time.localtime",
        "datetime.now",
        "datetime.today",
        "datetime.utcnow",
        "date.today",
        "np.random.seed",
        "np.random.rand",
        "np.random.randint",
        "np.random.default_rng",
    }
)
ALLOWED = {
    "agentbench_env/draw.py": {"_random"},
    # When a run was made and medians were registered is kept for people; nothing depends on it.
    "agentbench_env/rollout/store.py": {"datetime.now"},
    "agentbench_env/cli/rollouts.py": {"datetime.now"},
    # Keys are read from the surroundings, and pauses between requests are spread; no instance depends on either.
    "agentbench_env/policies/chat_options.py": {"os.environ"},
    "agentbench_env/policies/endpoint.py": {"random"},
    # A cluster is named and told to be quiet by the surroundings, and only who has its token joins it.
    "agentbench_env/rollout/ray.py": {"os.environ", "secrets"},
    # The bootstrap of a comparison has a fixed seed, and no instance depends on it.
    "agentbench_env/rollout/stats.py": {"np.random.default_rng"},
    # It starts a process in other surroundings, to prove that they make no difference.
    "agentbench_env/conformance/sameness.py": {"os.environ"},
}


def name(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def docstrings(tree: ast.AST) -> set[int]:
    """The nodes of strings that stand alone: docstrings of whatever they follow."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def markets_in(source: str) -> Iterator[str]:
    """Yield the string constants that name markets and nothing else."""
    tree = ast.parse(source)
    spoken = docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
            words = re.findall(r"\w+", node.value)
            if words and MARKETS.issuperset(words):
                yield f"line {node.lineno}: {node.value}"


def chance_in(source: str) -> Iterator[str]:
    """Yield the imports and reads that make two runs differ."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] in FORBIDDEN_MODULES)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            whole = [f"{module}.{alias.name}" for alias in node.names]
            yield from ([module] if module.partition(".")[0] in FORBIDDEN_MODULES else ())
            yield from (one for one in whole if one in FORBIDDEN_READS)
        elif isinstance(node, ast.Attribute):
            text = ast.unparse(node)
            yield from (one for one in FORBIDDEN_READS if text == one or text.endswith(f".{one}"))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hash":
            yield "hash()"


@pytest.mark.parametrize("file", FILES, ids=name)
def test_no_market_stands_in_program_text(file):
    assert list(markets_in(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("file", FILES, ids=name)
def test_nothing_is_left_to_the_machine(file):
    assert set(chance_in(file.read_text(encoding="utf-8"))) <= ALLOWED.get(name(file), set())


def test_the_scan_sees_everything():
    assert len(FILES) > 100
    assert {"agentbench_env/env.py", "envs/agentbench_tasks/travel/two_leg_itinerary.py"} <= set(map(name, FILES))
    code = next(iter(sorted(MARKETS)))
    for text in (
        f'x == "{code}"',
        f'f"{{a}}-{code}"',
        f'"{code}, {code}".split()',
        f'{{"{code}": 1}}',
        f'g("/{code}")',
    ):
        assert len(list(markets_in(text))) == 1
    assert list(markets_in(f'def f():\n    """{code}"""\n')) == []
    assert list(markets_in(f"x = 'th', 'Sg', 'e.g. {code}'")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "import faker.providers",
        "from holidays import country_holidays",
        "import os\nx = os.environ['A']",
        "from os import environ",
        "import time\nt = time.time()",
        "import datetime\nt = datetime.datetime.now()",
        "from datetime import date\nt = date.today()",
        "x = hash('a')",
        "import numpy as np\nnp.random.seed(1)",
    ],
)
def test_the_scan_finds(text):
    assert list(chance_in(text))


def test_allowances_are_needed():
    for place, allowed in ALLOWED.items():
        assert set(chance_in((ROOT / place).read_text(encoding="utf-8"))) == allowed
