"""Conformance of every built contract, on a sample of the seeds that `agentbench validate` takes."""

from __future__ import annotations

import pytest

from agentbench_env.conformance import PROOFS, check_task
from agentbench_env.draw import Split
from agentbench_env.instance import build_instance
from agentbench_env.registry import contracts, is_built
from agentbench_env.task import DIFFICULTIES, Difficulty

BUILT = [one for one in contracts().values() if is_built(one)]
HARDENING = ["faults", "injections"]
SAMPLED = [
    name for name in PROOFS if name not in ("clauses", "same_bytes", *HARDENING)
]  # One wants 24 seeds, another is tested across all tasks at once, and two are sampled more thinly.


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", BUILT[0].markets)
@pytest.mark.parametrize("task_id", [one.id for one in BUILT])
def test_a_built_contract_holds_its_proofs(task_id: str, market: str, difficulty: Difficulty) -> None:
    # Another seed for each market, so that the sample is wider than one instance a contract.
    first = 1000 + 10 * BUILT[0].markets.index(market)
    report = check_task(task_id, market, seeds=range(first, first + 2), difficulty=difficulty, proofs=SAMPLED)
    assert not report.problems, "\n".join(f"{problem.message}\n  {problem.repeat}" for problem in report.problems)


@pytest.mark.parametrize("number", range(len(BUILT)), ids=[one.id for one in BUILT])
def test_a_built_contract_holds_under_faults_and_injections(number: int) -> None:
    one = BUILT[number]
    market, difficulty = one.markets[number % len(one.markets)], DIFFICULTIES[number % len(DIFFICULTIES)]
    report = check_task(one.id, market, seeds=range(1000, 1003), difficulty=difficulty, proofs=HARDENING)
    assert not report.problems, "\n".join(f"{problem.message}\n  {problem.repeat}" for problem in report.problems)


@pytest.mark.exhaustive
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", BUILT[0].markets)
@pytest.mark.parametrize("task_id", [one.id for one in BUILT])
def test_every_environment_holds_under_faults_and_injections(task_id: str, market: str, difficulty: Difficulty) -> None:
    report = check_task(task_id, market, seeds=range(24), difficulty=difficulty, proofs=HARDENING)
    assert not report.problems, "\n".join(f"{problem.message}\n  {problem.repeat}" for problem in report.problems)


@pytest.mark.parametrize("split", ["dev", "test"])
@pytest.mark.parametrize("market", BUILT[0].markets)
@pytest.mark.parametrize("task_id", [one.id for one in BUILT])
def test_splits_kept_for_measuring_have_instances_and_they_are_solved(task_id: str, market: str, split: Split) -> None:
    # They draw from fewer weeks, names and wordings, so that something can be missing in them alone.
    for difficulty in DIFFICULTIES:
        for seed in range(8):
            build_instance(task_id, market, split, difficulty, seed)
    report = check_task(task_id, market, seeds=[7], difficulty="standard", proofs=["expert"], split=split)
    assert not report.problems, "\n".join(f"{problem.message}\n  {problem.repeat}" for problem in report.problems)


@pytest.mark.exhaustive
@pytest.mark.parametrize("market", BUILT[0].markets)
@pytest.mark.parametrize("task_id", [one.id for one in BUILT])
def test_every_clause_is_broken_by_something(task_id: str, market: str) -> None:
    report = check_task(task_id, market, seeds=range(24), difficulty="standard", proofs=["clauses"])
    assert not report.problems, "\n".join(problem.message for problem in report.problems)
