"""`agentbench verify` and `agentbench replay`."""

from __future__ import annotations

import json as jsonlib
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from agentbench_env.cli.output import FAILED, Json, Out, Plain, WrongUse, dollars, progress, seconds
from agentbench_env.cli.selection import SaltFile, Workers
from agentbench_env.rollout.store import count_lines, read_lines
from agentbench_env.rollout.trajectory import Result, Trajectory
from agentbench_env.rollout.verify import Difference, Trust, verify_line, verify_lines, verify_selection

TrustUsers = Annotated[
    bool, typer.Option("--trust-users", help="Import the user (module:attribute) that a record names.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("verify", epilog="Example: agentbench verify runs/expert --workers 2")(verify)
    app.command("replay", epilog="Example: agentbench replay runs/expert --episode 3")(replay)


def verify(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH", help="Runs' directories or files of episodes.")],
    workers: Workers = 1,
    salt_file: SaltFile = None,
    trust_users: TrustUsers = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Re-execute recorded episodes and compare every observation, the lineage and the reward with the record.

    Names every difference: which episode, which step, what. The exit status is 1 if there is one.
    """
    out = Out(json, plain)
    trust = _trust(salt_file, trust_users)
    total = sum(map(count_lines, paths))
    found: list[Difference] = []
    episodes, sound, unscored = 0, 0, 0
    with progress("verify") as advance:
        for path in paths:
            read: list[Result] = []
            for checked in verify_lines(read_lines(path), trust, workers):
                episodes += 1
                sound += not checked.differences
                found += checked.differences
                if checked.trajectory is not None:
                    unscored += not checked.trajectory.scored
                    read.append(checked.trajectory.result)
                advance(episodes, total)
            if path.is_dir():
                found += verify_selection(path, read)
    if json:
        counts = {"episodes": episodes, "sound": sound, "infrastructure": unscored}
        out.data({**counts, "differences": msgspec.to_builtins(found)})
    else:
        for difference in found:
            out.line(str(difference))
        apart = f" ({unscored} outside the score: infrastructure)" if unscored else ""
        out.line(f"{sound} of {episodes} episodes are what they say they are{apart}.")
    if found:
        raise typer.Exit(FAILED)


def replay(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A run's directory or a file of episodes.")],
    episode: Annotated[int, typer.Option("--episode", min=0, help="Which episode, counted from 0.")] = 0,
    salt_file: SaltFile = None,
    trust_users: TrustUsers = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Re-execute one recorded episode and show it step by step."""
    out = Out(json, plain)
    number = count_lines(path)
    if episode >= number:
        raise WrongUse(f"--episode is {episode}; {path} holds {number}, counted from 0")
    checked = verify_line(next(islice(read_lines(path), episode, None)), _trust(salt_file, trust_users))
    one = checked.trajectory
    if json:
        body: Any = None if one is None else msgspec.to_builtins(one)
        out.data({"trajectory": body, "differences": msgspec.to_builtins(checked.differences)})
    elif one is not None:
        _print(out, one)
    if checked.differences:
        if not json:
            for difference in checked.differences:
                out.line(str(difference))
        raise typer.Exit(FAILED)
    if not json:
        out.line("Re-execution gives the same, step by step.")


def _trust(salt_file: Path | None, users: bool) -> Trust:
    return Trust(salt_file.read_text(encoding="utf-8").strip() if salt_file else "", users)


def _print(out: Out, one: Trajectory) -> None:
    out.head(f"{one.env_id} seed {one.seed} {jsonlib.dumps(one.kwargs)} policy {one.policy}")
    out.line(one.brief)
    for number, step in enumerate(one.steps):
        out.head(f"\n[{number}] {step.now} {step.tool}{' (error)' if step.is_error else ''}")
        out.line(jsonlib.dumps(step.action, ensure_ascii=False))
        out.line(step.content)
    reward = "none" if one.reward is None else f"{one.reward:g}"
    time, cost = seconds(one.time["elapsed_s"]), dollars(one.cost["total_usd"])
    out.head(f"\noutcome {one.outcome}, reward {reward}, time {time}, cost {cost}")
    if one.failure is not None:
        out.line(f"the {one.failure.whose} failed: {one.failure.message}")
    if one.verdict is not None:
        out.line(str(one.verdict))
    out.line()
