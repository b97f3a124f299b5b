"""Reading recorded episodes back, for whoever works on what was recorded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from agentbench_env.action import NOT_JSON
from agentbench_env.rollout.store import Line, StoreFault, count_lines, read_lines
from agentbench_env.rollout.trajectory import Trajectory, read_line


def read_episodes(path: Path) -> Iterator[Trajectory]:
    """Yield the episodes of a run's directory, or of one file of episodes, one in memory at a time.

    Raises:
        StoreFault: there is no episode, a line is no record, or a record was changed after it was made.
    """
    count_lines(path)
    yield from map(read_sealed, read_lines(path))


def read_sealed(line: Line) -> Trajectory:
    """Return a stored record; raise StoreFault if it cannot be read or was changed after it was made."""
    try:
        one = read_line(line.raw)
    except NOT_JSON as error:
        raise StoreFault(f"{line.place} is no record of an episode: {error}") from error
    if one.seal() != one.digest:
        raise StoreFault(f"{line.place} was changed after it was recorded; `agentbench verify` says where")
    return one
