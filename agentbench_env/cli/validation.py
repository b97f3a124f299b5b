"""`agentbench validate`."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Annotated, Any, cast

import msgspec
import typer

from agentbench_env.cli.output import FAILED, Json, Out, Plain, WrongUse, progress
from agentbench_env.cli.selection import Domains, Ids, Markets, OneSplit, Workers, check, parse_seeds
from agentbench_env.draw import SPLITS
from agentbench_env.registry import split_env_id
from agentbench_env.selection import select
from agentbench_env.task import DIFFICULTIES


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("validate", epilog="Example: agentbench validate ta-two-leg-itinerary --market SG --seeds 0:50")(
        validate
    )


def validate(
    ids: Ids = None,
    domain: Domains = None,
    market: Markets = None,
    difficulty: Annotated[
        list[str] | None,
        typer.Option("--difficulty", help="easy, standard or hard; may be repeated.", show_default="all"),
    ] = None,
    split: OneSplit = "train",
    seeds: Annotated[str, typer.Option("--seeds", help="0:50 (0 to 49), 1,2,5 or both: 0:3,17.")] = "0:24",
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="This seed alone.")] = None,
    proof: Annotated[
        list[str] | None, typer.Option("--proof", help="This proof alone; may be repeated.", show_default="all")
    ] = None,
    list_proofs: Annotated[bool, typer.Option("--list-proofs", help="Say what the proofs show.")] = False,
    workers: Workers = 1,
    json: Json = False,
    plain: Plain = False,
) -> None:
    """Prove that tasks are fair: the conformance suite over tasks, markets, difficulties and seeds.

    Without ids, all that is built. Prints what failed and the one command that repeats it; the exit status is then 1.
    """
    from agentbench_env import conformance

    out = Out(json, plain)
    if list_proofs:
        _print_proofs(out, {name: one.sentence for name, one in conformance.PROOFS.items()})
        return
    for name in proof or ():
        check("proof", name, conformance.PROOFS)
    for name in difficulty or ():
        check("difficulty", name, DIFFICULTIES)
    check("split", split, SPLITS)
    if split == "private":
        raise WrongUse("--split private cannot be validated: its instances depend on a secret")
    groups = _groups(select(ids or ["*"], domain, market))
    chosen = parse_seeds(seeds) if seed is None else (seed,)
    problems: list[Any] = []
    counts: Counter[str] = Counter()
    for markets, task_ids in groups.items():
        with progress(" ".join(task_ids[:2]) + (" ..." if len(task_ids) > 2 else "")) as advance:
            report = conformance.validate(
                task_ids,
                markets,
                cast(Any, difficulty or DIFFICULTIES),
                chosen,
                proof,
                advance,
                workers,
                cast(Any, split),
            )
        problems += report.problems
        counts.update(report.counts)
    if json:
        out.data({"ok": not problems, "counts": dict(counts), "problems": msgspec.to_builtins(problems)})
    else:
        for problem in problems:
            out.line(f"{problem}\n")
        out.line(", ".join(f"{number} {name}" for name, number in counts.items()))
        out.line(
            "All that was proved holds." if not problems else "Not all holds: see above what, and how to repeat it."
        )
    if problems:
        raise typer.Exit(FAILED)


def _groups(env_ids: list[str]) -> dict[tuple[str, ...], list[str]]:
    """Put together the tasks that are wanted in the same markets."""
    markets: dict[str, list[str]] = defaultdict(list)
    for env_id in env_ids:
        task, market = split_env_id(env_id)
        markets[task].append(market)
    groups: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for task, codes in markets.items():
        groups[tuple(codes)].append(task)
    return groups


def _print_proofs(out: Out, sentences: dict[str, str]) -> None:
    if out.json:
        out.data(sentences)
    else:
        out.table(("proof", "what it shows"), list(sentences.items()))
