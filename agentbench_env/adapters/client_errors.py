"""What a client over the network is told when something fails: its own mistake, that the suite failed, or nothing."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from logging import getLogger

from agentbench_env.adapters.session import FAULT
from agentbench_env.errors import TaskNotBuilt
from agentbench_env.rollout.trajectory import Trajectory

CONFLICT, UNPROCESSABLE, FAILED = 409, 422, 500
"""Statuses of a request out of turn, of one that asks for what does not exist, and of a failure of the suite."""
MISTAKES = (ValueError, IndexError, TaskNotBuilt)
"""What is raised where a client asks for an episode that there is not."""
_log = getLogger(__name__)


@contextmanager
def answered(answer: Callable[[int, str], Exception], *mistakes: type[Exception]) -> Generator[None]:
    """Raise what goes wrong inside as the answer that the client gets.

    Args:
        answer: makes the exception that a server answers by, from a status and a text, e.g. FastAPI's `HTTPException`.
        mistakes: errors that say what the client asked wrongly, told as they are. Everything else is a failure of the
            suite: it is logged, and the client is told `FAULT`.
    """
    try:
        yield
    except mistakes as error:
        raise answer(UNPROCESSABLE, str(error)) from error
    except Exception as error:
        _log.exception("a request failed")
        raise answer(FAILED, FAULT) from error


def logged(sink: Callable[[Trajectory], object]) -> Callable[[Trajectory], None]:
    """Return a sink that logs what `sink` raises: a record that is lost is the operator's trouble, and no client's."""

    def keep(episode: Trajectory) -> None:
        try:
            sink(episode)
        except Exception:
            _log.exception("the record of %s, seed %s, could not be kept", episode.env_id, episode.seed)

    return keep
