"""Runs the tests of training stacks, each with the stack's own packages in an environment of its own.

python tests/stacks/run.py --cache .stacks openenv verifiers

A stack is a table of `stacks.toml`, an extra of this distribution of the same name, and the file `test_<stack>.py`. Its
environment is made in the cache folder on first use, and anew when what it needs changes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
STACKS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "stacks.toml").read_text(encoding="utf-8"))
PYTEST = ("-m", "stacks", "-q", "-p", "no:cacheprovider", "-W", "default", "-W", "error:::agentbench_env")
"""A stack's own warnings are its own business; ours are errors."""


def extra(stack: str) -> str:
    """Return the name of a stack's extra: with hyphens, as package metadata has it and older pips ask for it."""
    return stack.replace("_", "-")


def requirements(stack: str) -> list[str]:
    """What pip installs for a stack: this distribution with its extra, and what only its tests need."""
    return ["--editable", f"{ROOT}[{extra(stack)}]", "pytest>=8.3", *STACKS[stack].get("also", ())]


def environment(stack: str, cache: Path) -> Path:
    """Return the stack's interpreter; make its environment if there is none or if it needs other packages by now."""
    folder = cache / stack
    python, stamp = folder / "bin" / "python", folder / "installed"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*requirements(stack), *project["dependencies"], *project["optional-dependencies"][extra(stack)]]
    digest = sha256("\n".join(needed).encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == digest:
        return python
    maker = STACKS[stack].get("python", sys.executable)
    subprocess.run([maker, "-m", "venv", "--clear", str(folder)], check=True)
    install = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet", *requirements(stack)]
    subprocess.run(install, check=True)
    stamp.write_text(digest)
    return python


def run(stack: str, cache: Path) -> bool:
    """Run a stack's tests; return whether all held."""
    begun = monotonic()
    python = environment(stack, cache)
    made = monotonic()
    command = [str(python), "-m", "pytest", *PYTEST, str(HERE / f"test_{stack}.py")]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    result = "held" if status == 0 else f"failed with status {status}"
    print(f"{stack}: {result}; environment {made - begun:.0f} s, tests {monotonic() - made:.0f} s", flush=True)
    return status == 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the tests of training stacks in environments of their own.")
    parser.add_argument("stacks", nargs="*", metavar="STACK", help=f"{', '.join(STACKS)}; those of CI if none is named")
    parser.add_argument("--cache", type=Path, required=True, help="folder of the environments, kept for the next time")
    options = parser.parse_args()
    if unknown := [name for name in options.stacks if name not in STACKS]:
        parser.error(f"there is no stack {unknown[0]!r}; there are {', '.join(STACKS)}")
    chosen = options.stacks or [name for name, stack in STACKS.items() if stack["ci"]]
    held = [run(name, options.cache.resolve()) for name in chosen]
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
