"""When faults end a run: the twentieth in a row says that the next thousand episodes would fail as well."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbench_env.errors import AgentbenchError
from agentbench_env.rollout.trajectory import Trajectory


class TooManyFaults(AgentbenchError, RuntimeError):
    """Too many episodes in a row ended outside the score."""


def until_faults(episodes: Iterable[Trajectory], most: int) -> Iterator[Trajectory]:
    """Yield episodes until too many in a row have infrastructure outcomes; the last of those is yielded, too.

    Args:
        episodes: as they end.
        most: infrastructure outcomes in a row that end the run; 0: none do.

    Raises:
        TooManyFaults: so many were yielded.
    """
    row = 0
    for one in episodes:
        yield one
        row = 0 if one.scored else row + 1
        if most and row >= most:
            assert one.failure is not None
            raise TooManyFaults(f"{row} episodes in a row ended outside the score, the last by: {one.failure.message}")
