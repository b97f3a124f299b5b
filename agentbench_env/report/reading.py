"""Runs read for a report: nothing is kept of an episode but what the statistics need."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any

from agentbench_env.report.tally import RunResult, episode_of
from agentbench_env.rollout.episodes import read_episodes, read_sealed
from agentbench_env.rollout.store import StoreFault, read_lines, read_run
from agentbench_env.rollout.trajectory import Trajectory


def read_result(path: Path) -> RunResult:
    """Return what the statistics need of a run's directory, or of a file of episodes of one run.

    Raises:
        StoreFault: the directory holds no run, the file holds episodes of several, or a record was changed or cannot be
            read.
    """
    policy, release, kwargs = _run_of(path)
    result = RunResult(path.resolve().name, policy, release, kwargs)
    for one in read_episodes(path):
        if not path.is_dir() and (one.policy, one.release, one.kwargs) != (policy, release, kwargs):
            raise StoreFault(
                f"{path} holds episodes of several policies, releases or arguments; report those of one run at a time"
            )
        result.episodes.append(episode_of(one))
        if one.verdict is not None:
            task = result.episodes[-1].task
            result.sentences.update({(task, clause.id): clause.sentence for clause in one.verdict.clauses})
    return result


def _run_of(path: Path) -> tuple[str, str, dict[str, Any]]:
    """Policy, release and arguments: of a file, those of its first episode."""
    if path.is_dir():
        run = read_run(path)
        return run.policy, run.release, run.selection.kwargs
    first = next(read_episodes(path))
    return first.policy, first.release, first.kwargs


def read_chosen(path: Path, wanted: Container[int]) -> Iterator[tuple[int, Trajectory]]:
    """Yield the episodes of a run's directory or file whose numbers, counted from 0, are wanted."""
    for number, line in enumerate(read_lines(path)):
        if number in wanted:
            yield number, read_sealed(line)
