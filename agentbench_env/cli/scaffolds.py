"""`agentbench new`: files to be filled in, for a task, a domain or a market."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from agentbench_env.cli.output import Json, Out, Plain, WrongUse
from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_codes
from agentbench_env.registry import ENTRY_POINTS, Contract, contracts

TASKS = Path("envs/agentbench_tasks")
MARKETS = Path("fixtures/agentbench_markets")
SUFFIX = ".tmpl"

Root = Annotated[Path, typer.Option("--root", help="The suite's source tree.", file_okay=False)]
To = Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Write here, as a package of your own would.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(no_args_is_help=True, help="Write the files of a new task, domain or market, to be filled in.")
    group.command("task", epilog="Example: agentbench new task ta-multi-city-rail")(new_task)
    group.command("domain", epilog="Example: agentbench new domain shopping")(new_domain)
    group.command("market", epilog="Example: agentbench new market VN")(new_market)
    app.add_typer(group, name="new")


def new_task(
    id: Annotated[str, typer.Argument(metavar="TASK", help="The contract's id, or with --to an id of your own.")],
    root: Root = Path(),
    to: To = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Write a task's file. It can be imported at once and fails `agentbench validate` until it is filled in."""
    out = Out(json, plain)
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", id):
        raise WrongUse(f"the task's id is {id!r}; it must be lower-case words parted by hyphens, e.g. my-shop-errand")
    module = id.partition("-")[2].replace("-", "_")
    name = "".join(word.capitalize() for word in module.split("_"))
    if to is None:
        one = _contract(id)
        target = _tree(root, TASKS) / one.package / f"{module}.py"
        own, steps = "", [f"agentbench validate {id}"]
    else:
        target = to / f"{module}.py"
        markets = ", ".join(f'"{code}"' for code in market_codes())
        own = f"    timeout_s = 900\n    markets = ({markets})\n"
        steps = [
            f'name it in pyproject.toml: [project.entry-points."{ENTRY_POINTS}"] {id} = "PACKAGE.{module}:{name}"',
            f"agentbench validate {id}",
        ]
    fields = {"id": id, "task": name, "file": target.name, "own": own}
    _write(out, {target: _fill(files("agentbench_env") / "scaffold" / f"task.py{SUFFIX}", fields)}, steps)


def new_domain(
    name: Annotated[str, typer.Argument(metavar="DOMAIN", help="The domain's prefix or package: sd or shopping.")],
    root: Root = Path(),
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Write the package of one of the suite's domains."""
    out = Out(json, plain)
    found = next((one for one in contracts().values() if name in (one.domain, one.package)), None)
    if found is None:
        raise WrongArgument("domain", name, dict.fromkeys(one.package for one in contracts().values()))
    folder = _tree(root, TASKS) / found.package
    _write(
        out,
        _filled("domain", folder, {"title": found.domain_title}),
        [f"agentbench new task {found.id}"],
    )


def new_market(
    code: Annotated[str, typer.Argument(metavar="CODE", help="ISO 3166 code of two letters.")],
    root: Root = Path(),
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Write the tables of a market that the suite does not have yet."""
    out = Out(json, plain)
    if not re.fullmatch(r"[A-Z]{2}", code):
        raise WrongUse(f"the market's code is {code!r}; it must be two capital letters")
    if code in market_codes():
        raise WrongUse(f"the suite has the market {code} already")
    folder = _tree(root, MARKETS) / code.lower()
    steps = ["add the code to `markets` in agentbench_env/contracts.toml", f"agentbench validate --market {code}"]
    _write(out, _filled("market", folder, {"code": code}), steps)


def _contract(id: str) -> Contract:
    if id not in contracts():
        raise WrongUse(f"{WrongArgument('task', id, contracts())} For a task of your own give --to DIR.")
    return contracts()[id]


def _tree(root: Path, part: Path) -> Path:
    if not (root / part).is_dir():
        raise WrongUse(f"{root.resolve()} is no source tree of the suite: it has no {part}; name one with --root")
    return root / part


def _filled(scaffold: str, folder: Path, fields: dict[str, str]) -> dict[Path, str]:
    source = files("agentbench_env") / "scaffold" / scaffold
    return {folder / place: _fill(file, fields) for place, file in _templates(source, Path())}


def _templates(folder: Traversable, place: Path) -> Iterator[tuple[Path, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir():
            yield from _templates(entry, place / entry.name)
        elif entry.name.endswith(SUFFIX):
            yield place / entry.name.removesuffix(SUFFIX), entry


def _fill(file: Traversable, fields: dict[str, str]) -> str:
    return Template(file.read_text(encoding="utf-8")).substitute(fields)


def _write(out: Out, texts: dict[Path, str], steps: list[str]) -> None:
    present = [path for path in texts if path.exists()]
    if present:
        raise WrongUse(f"{present[0]} exists already; nothing was written")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if out.json:
        out.data({"written": [str(path) for path in texts], "next": steps})
        return
    for path in texts:
        out.line(f"wrote {path}")
    for step in steps:
        out.line(f"next: {step}")
