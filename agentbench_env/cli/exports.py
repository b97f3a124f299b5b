"""`agentbench export`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from agentbench_env.cli.output import Json, Out, Plain, WrongUse, progress
from agentbench_env.cli.selection import check
from agentbench_env.export import FORMATS, ExportFault, load_writer
from agentbench_env.registry import NAMESPACE
from agentbench_env.rollout.episodes import read_episodes
from agentbench_env.rollout.store import count_lines
from agentbench_env.rollout.trajectory import OUTCOMES, Trajectory


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export", epilog="Example: agentbench export runs/expert --to chat --outcome success -o sft.jsonl")(
        export
    )


def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs' directories or files of episodes.")],
    to: Annotated[str, typer.Option("--to", help="; ".join(f"{name}: {text}" for name, text in FORMATS.items()) + ".")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="PATH", help="New file or folder.")],
    outcome: Annotated[
        list[str] | None,
        typer.Option("--outcome", help="Only this outcome, e.g. success; may be repeated.", show_default="all scored"),
    ] = None,
    env: Annotated[
        list[str] | None,
        typer.Option("--env", metavar="ID", help="Only these environments, also with * and ?; may be repeated."),
    ] = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Write recorded episodes in the format of another program.

    Each record's digest is checked, nothing is re-executed: `agentbench verify` does that. Infrastructure outcomes
    are left out unless they are asked for.
    """
    out = Out(json, plain)
    check("--to", to, FORMATS)
    for one in outcome or ():
        check("--outcome", one, OUTCOMES)
    write = load_writer(to)
    total = sum(map(count_lines, runs))
    with progress("export") as advance:
        read = _read(runs, lambda done: advance(done, total))
        try:
            written = write(_chosen(read, outcome, [_name(one) for one in env or ()]), output)
        except (ExportFault, FileExistsError) as error:
            raise WrongUse(str(error)) from error
    if json:
        out.data({"format": to, "output": str(output), "episodes": written, "left_out": total - written})
        return
    out.line(f"{written} of {total} episodes written to {output}.")


def _read(runs: list[Path], advance: Callable[[int], None]) -> Iterator[Trajectory]:
    for done, one in enumerate(chain.from_iterable(map(read_episodes, runs)), 1):
        yield one
        advance(done)


def _chosen(episodes: Iterable[Trajectory], outcomes: list[str] | None, envs: list[str]) -> Iterator[Trajectory]:
    for one in episodes:
        wanted = one.outcome in outcomes if outcomes else one.scored
        if wanted and (not envs or any(fnmatchcase(_name(one.env_id), glob) for glob in envs)):
            yield one


def _name(env_id: str) -> str:
    return env_id.removeprefix(f"{NAMESPACE}/")
