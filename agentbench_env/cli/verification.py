"""`agentbench verify` and `agentbench replay`."""

from __future__ import annotations

import json as jsonlib
from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from agentbench_env.cli.output import FAILED, Json, Out, Plain, WrongUse, dollars, progress, seconds
from agentbench_env.cli.selection import SaltFile, Workers
from agentbench_env.rollout.redact import write_redacted
from agentbench_env.rollout.store import count_lines, read_lines
from agentbench_env.rollout.trajectory import Trajectory
from agentbench_env.rollout.verification import Verification, verify_run
from agentbench_env.rollout.verify import Trust, verify_line

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
    redact: Annotated[
        Path | None,
        typer.Option("--redact", metavar="DIR", help="Write the run without private texts of its policy, if verified."),
    ] = None,
    salt_file: SaltFile = None,
    trust_users: TrustUsers = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Re-execute recorded episodes and compare every observation, the lineage and the reward with the record.

    Names every difference: which episode, which step, what. The exit status is 1 if there is one. With --json it says
    of each run what a leaderboard needs. --redact takes out system messages and what the assistant said beside its
    calls; the result is verified like any other run.
    """
    out = Out(json, plain)
    if redact is not None and (len(paths) != 1 or not paths[0].is_dir()):
        raise WrongUse("--redact needs one run's directory")
    if redact is not None and redact.exists():
        raise WrongUse(f"{redact} exists already; name another place")
    trust, total, done = trust_of(salt_file, trust_users), sum(map(count_lines, paths)), count(1)
    with progress("verify") as advance:
        runs = [verify_run(path, trust, workers, lambda _: advance(next(done), total)) for path in paths]
    verified = all(run.verified for run in runs)
    if json:
        out.data({"verified": verified, "runs": msgspec.to_builtins(runs)})
    else:
        _print_runs(out, runs)
    if not verified:
        raise typer.Exit(FAILED)
    if redact is not None:
        number = write_redacted(paths[0], redact)
        if not json:
            out.line(f"{number} redacted episodes written to {redact}.")


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
    checked = verify_line(next(islice(read_lines(path), episode, None)), trust_of(salt_file, trust_users))
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


def trust_of(salt_file: Path | None, users: bool) -> Trust:
    """Return what verification is told besides the records."""
    return Trust(salt_file.read_text(encoding="utf-8").strip() if salt_file else "", users)


def _print_runs(out: Out, runs: list[Verification]) -> None:
    for run in runs:
        for difference in run.differences:
            out.line(str(difference))
        if run.unlisted:
            out.line(f"{run.name}: {run.unlisted} more differences")
    unscored = sum(run.infrastructure for run in runs)
    apart = f" ({unscored} outside the score: infrastructure)" if unscored else ""
    sound, episodes = sum(run.sound for run in runs), sum(run.episodes for run in runs)
    out.line(f"{sound} of {episodes} episodes are what they say they are{apart}.")
    for run in runs:
        if run.model_s:
            processes = "1 process" if run.workers == 1 else f"{run.workers} processes"
            thought, took = f"{run.model_s:.1f} s", f"{run.seconds:.1f} s in {processes}"
            out.line(f"{run.name}: the policy thought for {thought}, re-execution took {took}.")


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
    if one.stopped:
        out.line(f"the policy stopped: {one.stopped}")
    if one.verdict is not None:
        out.line(str(one.verdict))
    out.line()
