"""Conformance: the proofs that a task is fair, for the suite's tasks and for those of others.

from agentbench_env.conformance import check_task

report = check_task("ta-two-leg-itinerary", "SG", seeds=range(50), difficulty="hard")
assert report.ok, report.problems
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from agentbench_env.conformance import hardening, sameness, solving, surface
from agentbench_env.conformance.report import Checked, Problem, Proof, Report
from agentbench_env.conformance.subject import Subject
from agentbench_env.draw import Split
from agentbench_env.errors import WrongArgument
from agentbench_env.registry import contract, load_task
from agentbench_env.task import DIFFICULTIES, Difficulty

__all__ = ["PROOFS", "Problem", "Proof", "Report", "check_task", "validate"]

_ALL = (
    surface.metadata,
    surface.schemas,
    surface.boundary,
    solving.expert,
    solving.other_ways,
    solving.reads,
    solving.omissions,
    solving.counterexamples,
    solving.clauses,
    solving.shortcuts,
    hardening.faults,
    hardening.injections,
    surface.leaks,
    sameness.same_bytes,
    sameness.snapshots,
    sameness.forks,
    sameness.pickling,
    sameness.gymnasium,
)
PROOFS: dict[str, Proof] = {proof.name: proof for proof in _ALL}
"""The proofs by name, the quick ones first."""


def validate(
    task_ids: Sequence[str],
    markets: Sequence[str] | None = None,
    difficulties: Sequence[Difficulty] = DIFFICULTIES,
    seeds: Sequence[int] = range(24),
    proofs: Sequence[str] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    workers: int = 1,
    split: Split = "train",
) -> Report:
    """Check tasks in markets and difficulties.

    Args:
        task_ids: contract ids.
        markets: market codes; None for all of each task.
        difficulties: difficulties.
        seeds: seeds, at least one.
        proofs: names of `PROOFS`; None for all.
        on_progress: called with the number of finished parts and the number of all.
        workers: processes.
        split: the split that instances are drawn from.

    Raises:
        WrongArgument: an id, market or proof that does not exist.
        TaskNotBuilt: a task does not exist in this release.
    """
    if not seeds:
        raise WrongArgument("seeds", seeds, ["at least one seed"])
    names = tuple(PROOFS if proofs is None else proofs)
    for name in names:
        if name not in PROOFS:
            raise WrongArgument("proof", name, PROOFS)
    subjects = [
        Subject(id, market, difficulty, split)
        for id in task_ids
        for market in _markets(id, markets)
        for difficulty in difficulties
    ]
    parts = [(subject, name, tuple(seeds)) for subject in subjects for name in names]
    checked = list[Checked]()
    for one in _run(parts, workers):
        checked.append(one)
        if on_progress:
            on_progress(len(checked), len(parts))
    problems = tuple(problem for one in checked for problem in one.problems)
    counts = {
        "tasks": len(task_ids),
        "environments": len({subject.env_id for subject in subjects}),
        "proofs": len(names),
        "checks": sum(one.checks for one in checked),
        "problems": len(problems),
    }
    return Report(problems, counts)


def check_task(
    task_id: str,
    market: str,
    seeds: Sequence[int] = range(24),
    difficulty: Difficulty = "standard",
    proofs: Sequence[str] | None = None,
    split: Split = "train",
) -> Report:
    """Check one task in one market and difficulty, see `validate`."""
    return validate([task_id], [market], [difficulty], seeds, proofs, split=split)


Part = tuple[Subject, str, tuple[int, ...]]


def _run(parts: Sequence[Part], workers: int) -> Iterator[Checked]:
    if workers <= 1:
        yield from map(_check, parts)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_check, parts)


def _check(part: Part) -> Checked:
    subject, name, seeds = part
    return PROOFS[name](subject, seeds)


def _markets(task_id: str, markets: Sequence[str] | None) -> Sequence[str]:
    load_task(task_id)
    known = contract(task_id).markets
    for market in markets or ():
        if market not in known:
            raise WrongArgument("market", market, known)
    return known if markets is None else markets
