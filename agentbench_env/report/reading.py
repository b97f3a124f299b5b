"""Runs read for a report: nothing is kept of an episode but what the statistics need."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from agentbench_env.report.tally import RunResult, episode_of
from agentbench_env.rollout.episodes import read_episodes, read_sealed
from agentbench_env.rollout.store import read_lines, read_run
from agentbench_env.rollout.trajectory import Trajectory


def read_result(directory: Path) -> RunResult:
    """Return what the statistics need of a run.

    Raises:
        StoreFault: the directory holds no run, or a record that was changed or cannot be read.
    """
    run = read_run(directory)
    result = RunResult(directory.resolve().name, run.policy, run.release, run.selection.kwargs)
    for one in read_episodes(directory):
        result.episodes.append(episode_of(one))
        if one.verdict is not None:
            task = result.episodes[-1].task
            result.sentences.update({(task, clause.id): clause.sentence for clause in one.verdict.clauses})
    return result


def read_chosen(directory: Path, wanted: Container[int]) -> Iterator[tuple[int, Trajectory]]:
    """Yield the episodes of a run whose numbers, counted from 0, are wanted."""
    for number, line in enumerate(read_lines(directory)):
        if number in wanted:
            yield number, read_sealed(line)
