"""Runs the benchmarks and prints the report."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agentbench_env.registry import contract
from benchmarks.measures import copies, episodes, steps
from benchmarks.processes import imports, memory, peers
from benchmarks.rollouts import store
from benchmarks.serving import serving
from benchmarks.timing import QUICK, Row, Sizes, pin

GROUPS: dict[str, Callable[[Sizes], list[Row]]] = {
    "steps": steps,
    "episodes": episodes,
    "copies": copies,
    "store": store,
    "serving": serving,
    "memory": memory,
    "imports": imports,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="group", help=f"of {', '.join(GROUPS)}; all where none is named")
    parser.add_argument(
        "--task",
        action="append",
        default=[],
        metavar="ID",
        help="measure the episodes and memory of this task alone; may be repeated",
    )
    parser.add_argument("--quick", action="store_true", help="small samples: a first look in a quarter of the time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to a file")
    parser.add_argument("--strict", action="store_true", help="end with status 1 if a figure falls short of its goal")
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.groups if name not in GROUPS]
    if unknown:
        parser.error(f"there is no group {unknown[0]!r}; the groups are {', '.join(GROUPS)}")
    for task in asked.task:
        contract(task)
    pin()
    sizes = replace(QUICK if asked.quick else Sizes(), tasks=tuple(asked.task))
    report = measure(sizes, asked.groups or list(GROUPS))
    show(report, Console())
    if asked.json:
        asked.json.write_text(json.dumps(as_json(report), indent=1) + "\n", encoding="utf-8")
    if asked.strict and any(row.verdict == "short" for row in report):
        raise SystemExit(1)


def measure(sizes: Sizes, groups: Sequence[str]) -> list[Row]:
    """Return the figures of the groups."""
    return [row for name in groups for row in GROUPS[name](sizes)]


def machine() -> dict[str, Any]:
    """Say where the figures come from."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": load,
        "gymnasium": version("gymnasium"),
        "pydantic": version("pydantic"),
        "msgspec": version("msgspec"),
    }


def as_json(report: Sequence[Row]) -> dict[str, Any]:
    """Return the report as JSON values."""
    return {"machine": machine(), "peers": peers(), "rows": [{**asdict(row), "verdict": row.verdict} for row in report]}


def show(report: Sequence[Row], console: Console) -> None:
    """Print the report as a table."""
    table = Table(title="CPU time on one core; the floor is the same work with nothing around it")
    for heading in ("measure", "figure", "value", "goal", ""):
        table.add_column(heading, justify="right" if heading in ("value", "goal") else "left")
    last = ""
    for row in report:
        goal = "" if row.goal is None else f"<= {_number(row.goal)} {row.unit}"
        colour = {"ok": "green", "short": "red"}.get(row.verdict, "")
        verdict = f"[{colour}]{row.verdict}[/]" if colour else ""
        table.add_row(
            row.group if row.group != last else "", row.figure, f"{_number(row.value)} {row.unit}", goal, verdict
        )
        last = row.group
    console.print(table)
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()), highlight=False)
    console.print("; ".join(peers()), highlight=False)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
