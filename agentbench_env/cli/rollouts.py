"""`agentbench rollout` and `agentbench calibrate`."""

from __future__ import annotations

from collections import defaultdict
from contextlib import nullcontext
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import msgspec
import typer

from agentbench_env.calibration import Median, Medians, load_medians, read_medians, write_medians
from agentbench_env.cli.engines import Concurrency, EngineWorkers, OneEngine, RayAddress, engine_of
from agentbench_env.cli.output import (
    FAILED,
    INTERRUPTED,
    Json,
    Out,
    Plain,
    WrongUse,
    complain,
    dollars,
    progress,
    seconds,
    share,
)
from agentbench_env.cli.policies import BaseUrl, PolicyOptions, PolicySpec, load, policy_spec
from agentbench_env.cli.selection import (
    Domains,
    FaultShare,
    Ids,
    Markets,
    OneDifficulty,
    OneSplit,
    SaltFile,
    Seeds,
    Settings,
    WithInjections,
    hardening_text,
    make,
    parse_seeds,
    parse_settings,
    read_salt,
    user_medians,
)
from agentbench_env.errors import EndpointRefused
from agentbench_env.registry import split_env_id
from agentbench_env.rollout.episodes import read_episodes
from agentbench_env.rollout.faults import TooManyFaults, until_faults
from agentbench_env.rollout.stats import median_of
from agentbench_env.rollout.store import Run, Selection, describe_run
from agentbench_env.rollout.summary import Row, Tally
from agentbench_env.rollout.trajectory import Result
from agentbench_env.rollout.writer import RunWriter, stored
from agentbench_env.selection import select

MOST_FAULTS = 20
"""How many episodes outside the score are named at the end."""
ReferenceFile = Annotated[
    Path | None, typer.Option("--reference", help="File of reference medians.", show_default="the user's own")
]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("rollout", epilog="Example: agentbench rollout 'ta-*-SG' --policy expert --seeds 0:50 -o runs/expert")(
        rollout
    )
    app.command("calibrate", epilog="Example: agentbench calibrate runs/pilot --file calibration.toml")(calibrate)


def rollout(
    ids: Ids = None,
    policy: PolicySpec = "expert",
    base_url: BaseUrl = None,
    policy_option: PolicyOptions = None,
    domain: Domains = None,
    market: Markets = None,
    difficulty: OneDifficulty = "standard",
    split: OneSplit = "train",
    seeds: Seeds = "0:10",
    trials: Annotated[
        int, typer.Option("--trials", "-k", min=1, help="How often each environment and seed is played.")
    ] = 1,
    faults: FaultShare = 0.0,
    injections: WithInjections = False,
    settings: Settings = None,
    salt_file: SaltFile = None,
    engine: OneEngine = "local",
    workers: EngineWorkers = None,
    concurrency: Concurrency = None,
    ray_address: RayAddress = None,
    retries: Annotated[
        int, typer.Option("--retries", min=0, help="How often an episode is run again that code or an endpoint failed.")
    ] = 2,
    give_up_after: Annotated[
        int, typer.Option("--give-up-after", min=0, help="So many such episodes in a row end the run; 0: none do.")
    ] = 20,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="New directory for run.json and the episodes.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the same run in --output, or begin it where there is none.")
    ] = False,
    reference: ReferenceFile = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be run.")] = False,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Run a policy over environments and seeds, and report the results by task and market.

    With --output every episode is on the disk when it has ended; what is stopped in whatever way goes on with --resume.
    The exit status is 1 if an episode ended by a fault of code or of an endpoint; such episodes are outside the score.
    An endpoint that refuses the key or the model ends the run at once.
    """
    from agentbench_env.rollout.engine import jobs_of

    out = Out(json, plain)
    if resume and output is None:
        raise WrongUse("--resume needs --output, the directory of the run to go on with")
    kwargs = parse_settings(split, difficulty, settings, faults, injections)
    selection = Selection(tuple(select(ids, domain, market)), parse_seeds(seeds), kwargs, trials)
    secret = read_salt(salt_file, split)
    policy = policy_spec(policy, base_url, policy_option)
    run_jobs = engine_of(load(policy), engine, ray_address, workers, concurrency, retries)
    make(selection.env_ids[0], kwargs | secret).close()
    run = describe_run(policy, selection)
    if dry_run:
        _print_plan(out, run, len(stored(output, run)) if output else 0)
        return
    results = _Results(len(selection))
    writer = RunWriter(output, run, resume, results.add) if output else nullcontext()
    try:
        with writer as store, progress(policy.partition("?")[0]) as advance:
            jobs = jobs_of(selection, policy, secret, store.done if store else ())
            results.begin()
            advance(results.done, results.total)
            for trajectory in until_faults(run_jobs(jobs), give_up_after):
                if store is not None:
                    store.write(trajectory)
                results.add(trajectory.result)
                advance(results.done, results.total, str(results))
    except (KeyboardInterrupt, EndpointRefused, TooManyFaults) as error:
        why = str(error) or "interrupted"
        how = "go on with the same command and --resume" if output else "nothing was kept for want of --output"
        complain(f"stopped after {results.done} of {results.total} episodes: {why}; {how}")
        raise typer.Exit(INTERRUPTED if isinstance(error, KeyboardInterrupt) else FAILED) from error
    rows, total = results.tally.rows(load_medians(reference or user_medians()))
    if json:
        about = {"policy": policy, "output": str(output) if output else None, "hardening": hardening_text(kwargs)}
        parts = msgspec.to_builtins(results.tally.parts())
        out.data({"run": about, **_as_data(rows, total), "parts": parts})
    else:
        _print_rows(out, rows, total)
        if hardened := hardening_text(kwargs):
            out.line(f"Under {hardened}: not to be set beside results without.")
        for part in results.tally.parts():
            out.line(f"Episodes {part.task}: {part.success} of {part.scored} succeed, {share(part.rate)}.")
        if output:
            out.line(f"\nWritten to {output}; `agentbench verify {output}` re-executes it.")
    if total.infrastructure:
        results.complain_of_faults()
        raise typer.Exit(FAILED)


def calibrate(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN", help="Directories or files of recorded pilot episodes.")],
    file: Annotated[
        Path | None, typer.Option("--file", help="The reference file to write to.", show_default="the user's own")
    ] = None,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Register the median time and cost of pilot runs by task and market.

    Medians are over successful episodes. Entries of other tasks and markets in the file stay.
    """
    out = Out(json, plain)
    target = file or user_medians()
    episodes = chain.from_iterable(map(read_episodes, runs))
    found = _medians([one.result for one in episodes])
    try:
        kept = read_medians(target) if target.is_file() else {}
    except ValueError as error:
        raise WrongUse(str(error)) from error
    merged = {task: kept.get(task, {}) | found.get(task, {}) for task in {**kept, **found}}
    write_medians(target, merged)
    if json:
        out.data({"file": str(target), "registered": msgspec.to_builtins(found)})
        return
    rows = [
        (task, market, str(one.n), str(one.episodes), seconds(one.time_s), dollars(one.cost_usd), one.policy)
        for task, markets in found.items()
        for market, one in markets.items()
    ]
    out.table(("task", "market", "n", "episodes", "median time", "median cost", "policy"), rows)
    out.line(f"\nRegistered in {target}.")


def _medians(episodes: list[Result]) -> Medians:
    groups: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for one in episodes:
        groups[split_env_id(one.env_id)].append(one)
    found: Medians = {}
    for (task, market), group in groups.items():
        for field, values in (
            ("difficulty", {str(one.kwargs.get("difficulty")) for one in group}),
            ("policy", {one.policy for one in group}),
            ("release", {one.release for one in group}),
            ("hardening", {hardening_text(one.kwargs) or "none" for one in group}),
        ):
            if len(values) > 1:
                raise WrongUse(
                    f"{task} {market}: the pilot mixes {field} {', '.join(sorted(values))}; calibrate one of them"
                )
        best = [one for one in group if one.outcome == "success"]
        time_s = median_of(one.time["elapsed_s"] for one in best)
        if time_s is None:
            complain(f"{task} {market}: no successful episode, nothing registered")
            continue
        scored = sum(one.scored for one in group)
        date = datetime.now(UTC).date().isoformat()
        first = group[0]
        cost = median_of(one.cost["total_usd"] for one in best)
        found.setdefault(task, {})[market] = Median(
            time_s, len(best), scored, first.release, date, first.policy, str(first.kwargs["difficulty"]), cost
        )
    if not found:
        raise WrongUse("these runs hold no successful episode: there is nothing to register")
    return found


def _as_data(rows: list[Row], total: Row) -> dict[str, Any]:
    return {"results": msgspec.to_builtins(rows), "total": msgspec.to_builtins(total)}


class _Results:
    """What came of a rollout so far; `done` counts also the episodes that were there before."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.tally = total, 0, Tally()
        self._before, self._faulty, self._successes, self._started = 0, 0, 0, monotonic()
        self._faults: list[Result] = []

    def begin(self) -> None:
        """Say that what was counted so far was there before."""
        self._before, self._started = self.done, monotonic()

    def add(self, result: Result) -> None:
        """Count one episode."""
        self.tally.add(result)
        self.done += 1
        self._faulty += not result.scored
        self._successes += result.outcome == "success"
        if not result.scored and len(self._faults) < MOST_FAULTS:
            self._faults.append(result)

    def __str__(self) -> str:
        rate = (self.done - self._before) / max(monotonic() - self._started, 1e-6)
        scored = self.done - self._faulty
        faults = f", infra {self._faulty}" if self._faulty else ""
        pace = f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"
        return f"success {share(self._successes / scored if scored else None)}{faults}, {pace}"

    def complain_of_faults(self) -> None:
        """Say whose code failed in the first episodes outside the score."""
        for one in self._faults:
            assert one.failure is not None
            whose = "endpoint" if one.failure.whose == "endpoint" else f"{one.failure.whose}'s code"
            trial = f" trial {one.trial}" if one.trial else ""
            place = f"{one.env_id} seed {one.seed}{trial}"
            complain(f"{place}: outside the score, the {whose} failed: {one.failure.message}")


def _print_plan(out: Out, run: Run, there: int) -> None:
    selection, episodes = run.selection, len(run.selection)
    if out.json:
        plan = {"policy": run.policy, "episodes": episodes, "there": there, "to_run": episodes - there}
        out.data({**plan, "selection": msgspec.to_builtins(selection)})
        return
    for env_id in selection.env_ids:
        out.line(env_id)
    settings = ", ".join(f"{key}={value}" for key, value in selection.kwargs.items())
    repeated = f", {selection.trials} trials of each" if selection.trials > 1 else ""
    sizes = f"{len(selection.env_ids)} environments, {len(selection.seeds)} seeds each{repeated}"
    out.line(f"\n{sizes}, {settings}, policy {run.policy}:")
    out.line(f"{episodes - there} episodes would be run{f'; {there} are there already' if there else ''}.")


def _print_rows(out: Out, rows: list[Row], total: Row) -> None:
    columns = ["task", "market", "success", "rate", "95 % interval", "violation", "timeout", "infra", "time", "cost"]
    normalized = any(row.normalized_time is not None for row in rows)
    columns += ["norm. time", "norm. cost"] if normalized else []
    cells = [
        [
            row.task,
            row.market,
            f"{row.success}/{row.scored}",
            share(row.rate),
            f"{100 * row.low:.1f} to {100 * row.high:.1f}" if row.scored else "-",
            str(row.violation),
            str(row.timeout),
            str(row.infrastructure),
            seconds(row.median_time_s),
            dollars(row.median_cost_usd),
            *((_ratio(row.normalized_time), _ratio(row.normalized_cost)) if normalized else ()),
        ]
        for row in ([*rows, total] if len(rows) > 1 else rows)
    ]
    out.table(columns, cells)
    out.line("\nTime and cost are medians; success is of the episodes that are scored, infrastructure outcomes apart.")


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
