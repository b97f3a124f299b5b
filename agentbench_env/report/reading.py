"""Runs read for a report: nothing is kept of an episode but what the statistics need."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

from agentbench_env.report.tally import RunResult, episode_of
from agentbench_env.rollout.store import Line, StoreFault, count_lines, read_lines, read_run
from agentbench_env.rollout.trajectory import Trajectory, read_line


def read_result(directory: Path) -> RunResult:
    """Return what the statistics need of a run.

    Raises:
        StoreFault: the directory holds no run, or a record that was changed or cannot be read.
    """
    run = read_run(directory)
    count_lines(directory)
    result = RunResult(directory.resolve().name, run.policy, run.release, run.selection.kwargs)
    for line in read_lines(directory):
        one = read_sealed(line)
        result.episodes.append(episode_of(one))
        if one.verdict is not None:
            task = result.episodes[-1].task
            result.sentences.update({(task, clause.id): clause.sentence for clause in one.verdict.clauses})
    return result


def read_episodes(directory: Path, wanted: Container[int]) -> Iterator[tuple[int, Trajectory]]:
    """Yield the episodes of a run whose numbers, counted from 0, are wanted."""
    for number, line in enumerate(read_lines(directory)):
        if number in wanted:
            yield number, read_sealed(line)


def read_sealed(line: Line) -> Trajectory:
    """Return a stored record; raise StoreFault if it cannot be read or was changed after it was recorded."""
    try:
        one = read_line(line.raw)
    except ValueError as error:
        raise StoreFault(f"{line.place} is no record of an episode: {error}") from error
    if one.seal() != one.digest:
        raise StoreFault(f"{line.place} was changed after it was recorded; `agentbench verify` says where")
    return one
