"""`agentbench report` and `agentbench leaderboard`."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer

from agentbench_env.cli.output import FAILED, Json, Out, Plain, WrongUse, complain, dollars, progress, seconds, share
from agentbench_env.cli.selection import SaltFile, Workers
from agentbench_env.cli.verification import TrustUsers, trust_of
from agentbench_env.report.data import report_data
from agentbench_env.report.leaderboard import NotAccepted, build_site
from agentbench_env.report.page import REPORT, render
from agentbench_env.rollout.store import count_lines
from agentbench_env.rollout.verification import given_verifications, verify_run

MOST_NAMED = 5
Runs = Annotated[list[Path], typer.Argument(metavar="RUN", help="Directories of runs.")]
InFull = Annotated[
    int, typer.Option("--episodes", min=0, help="How many episodes a report shows in full; the rest are in its table.")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("report", epilog="Example: agentbench report runs/expert runs/first -o out")(report)
    app.command("leaderboard", epilog="Example: agentbench leaderboard runs/* -o site --workers 4")(leaderboard)


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Runs' directories or files of episodes.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Directory for index.html.")],
    episodes: InFull = 200,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Write what runs came to, and their episodes, as one HTML file that needs no network.

    Two runs are ordered only where their paired comparison separates them.
    """
    out = Out(json, plain)
    data = report_data(runs, episodes)
    output.mkdir(parents=True, exist_ok=True)
    page = output / "index.html"
    page.write_text(render(REPORT, data), encoding="utf-8")
    if json:
        kept = ("runs", "comparisons", "incomparable", "clauses", "left_out")
        out.data({"page": str(page), **{name: data[name] for name in kept}})
        return
    _print_runs(out, data["runs"])
    _print_comparisons(out, data)
    left_out = f" with {len(data['views'])} episodes in full, {data['left_out']} only in the table"
    out.line(f"\nWritten to {page}{left_out if data['left_out'] else ''}.")


def leaderboard(
    runs: Runs,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Directory for the site.")],
    episodes: InFull = 100,
    verification: Annotated[
        list[Path] | None,
        typer.Option(
            "--verification",
            metavar="FILE",
            help="What `agentbench verify RUN --json` printed for a run, which is then not verified again; repeatable.",
        ),
    ] = None,
    workers: Workers = 1,
    salt_file: SaltFile = None,
    trust_users: TrustUsers = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Verify runs by re-execution and write a static site that ranks them as far as they can be separated.

    All runs must be over the same instances. The exit status is 1, and nothing is written, if a record differs.
    --verification takes files that you made yourself: whoever made them is believed. A file that is not of the runs as
    they are now is refused.
    """
    out = Out(json, plain)
    trust, done, sound = trust_of(salt_file, trust_users), count(1), True
    numbers = {path: count_lines(path) for path in runs}
    for path in runs:
        if not path.is_dir():
            raise WrongUse(
                f"{path} is a file of episodes: it does not say which were to be played; name a run's directory"
            )
    given = given_verifications(runs, verification or ())
    total = sum(number for path, number in numbers.items() if path not in given)
    with progress("verify") as advance:
        for path in runs:
            run = given.get(path) or verify_run(path, trust, workers, lambda _: advance(next(done), total))
            if not run.verified:
                sound = False
                number = len(run.differences) + run.unlisted
                complain(f"{path} is not what it says it is: {number} differences; `agentbench verify {path}`")
                for difference in run.differences[:MOST_NAMED]:
                    complain(str(difference))
    if not sound:
        raise typer.Exit(FAILED)
    try:
        data = build_site(runs, output, episodes)
    except NotAccepted as error:
        raise WrongUse(str(error)) from error
    if json:
        out.data({"page": str(output / "index.html"), **data})
        return
    _print_runs(out, data["runs"])
    _print_comparisons(out, data)
    before = sum(numbers[path] for path in given)
    apart = f", {before} verified before" if before else ""
    out.line(f"\n{total} episodes verified{apart}. Written to {output / 'index.html'}.")


def _print_runs(out: Out, runs: list[dict[str, Any]]) -> None:
    ranked = "rank" in runs[0]
    columns = ["run", "policy", "success", "95 % interval", "violation", "infra", "time", "cost", "noise floor"]
    rows: list[list[str]] = []
    for run in sorted(runs, key=lambda one: one.get("rank", 0)):
        total = run["total"]
        scored = bool(total["scored"])
        rows.append(
            [
                *([str(run["rank"])] if ranked else []),
                run["name"],
                run["policy"],
                share(total["rate"]),
                f"{100 * total['low']:.1f} to {100 * total['high']:.1f}" if scored else "-",
                str(total["outcomes"]["violation"]),
                str(total["outcomes"]["infrastructure"]),
                seconds(total["median_time_s"]),
                dollars(total["median_cost_usd"]),
                share(total["noise_floor"]),
            ]
        )
    out.table((["rank"] if ranked else []) + columns, rows)
    for run in runs:
        for part in run["parts"]:
            succeed = f"{part['outcomes']['success']} of {part['scored']} succeed, {share(part['rate'])}"
            out.line(f"{run['name']}, episodes {part['name']}: {succeed}.")


def _print_comparisons(out: Out, data: dict[str, Any]) -> None:
    names = [run["name"] for run in data["runs"]]
    for one in data["comparisons"]:
        winner = one["winner"]
        verdict = "not separated" if winner is None else f"{names[winner]} is better"
        p = "< 0.0001" if one["adjusted"] < 0.0001 else f"= {one['adjusted']:.4f}"
        interval = f"{100 * one['low']:+.1f} to {100 * one['high']:+.1f}"
        out.line(
            f"\n{names[one['first']]} against {names[one['second']]}: {verdict}. Over {one['instances']} instances, "
            f"difference {100 * one['difference']:+.1f} points ({interval}), p {p}."
        )
    for first, second, why in data["incomparable"]:
        out.line(f"\n{names[first]} and {names[second]} are not compared: {why}.")
