"""Jobs shared among workers that may be killed: what a killed one had in hand is run again by another in its place."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice, takewhile
from typing import Generic, Protocol, TypeVar

J = TypeVar("J")
J_contra = TypeVar("J_contra", contravariant=True)
R = TypeVar("R")

MOST_DEATHS = 3
"""How many workers a job may cost; the last of them had nothing else in hand."""


class Worker(Protocol[J_contra, R]):
    """Whoever runs jobs, and may be killed."""

    @property
    def room(self) -> int:
        """How many jobs it has in hand at most."""
        ...

    @property
    def deaths(self) -> tuple[type[BaseException], ...]:
        """What the futures of jobs raise when the worker was killed."""
        ...

    def start(self, job: J_contra) -> Future[R]:
        """Take a job in hand."""
        ...

    def close(self) -> None:
        """End, and drop what is in hand."""
        ...


def share_out(
    jobs: Iterable[J],
    hire: Callable[[], Worker[J, R]],
    workers: int,
    give_up: Callable[[J, BaseException], R],
    in_order: bool,
) -> Iterator[R]:
    """Have jobs run by workers and yield their results.

    Jobs are taken as results are: as many as the workers have room for. When a worker is killed, what it had in hand is
    run again by its successor, one job at a time, so that a further death tells whose it is.

    Args:
        jobs: what is run.
        hire: makes a worker.
        workers: how many there are at a time.
        give_up: returns the result of a job that cost `MOST_DEATHS` workers, from what its future raised.
        in_order: whether results come in the order of `jobs`, or else as they are there.
    """
    rest = iter(jobs)
    taken = deque[_Task[J, R]]()
    posts = [_Post(hire, give_up) for _ in range(workers)]
    most = sum(post.room for post in posts)
    try:
        while True:
            while len(taken) < most and (post := max(posts, key=lambda one: one.room)).room:
                if (task := next(map(_Task[J, R], islice(rest, 1)), None)) is None:
                    break
                taken.append(task)
                post.start(task)
            if not taken:
                return
            wait([future for post in posts for future in post.running], return_when=FIRST_COMPLETED)
            for post in posts:
                post.settle()
            there = takewhile(_Task.ended, taken) if in_order else filter(_Task.ended, taken)
            for task in list(there):
                taken.remove(task)
                yield from task.results
    finally:
        for post in posts:
            post.close()


class _Task(Generic[J, R]):
    """A job, its result once there is one, and how many workers were killed that had it in hand."""

    def __init__(self, job: J) -> None:
        self.job = job
        self.results: list[R] = []
        self.deaths = 0

    def ended(self) -> bool:
        return bool(self.results)


class _Post(Generic[J, R]):
    """The place of a worker, who is replaced when it is killed."""

    def __init__(self, hire: Callable[[], Worker[J, R]], give_up: Callable[[J, BaseException], R]) -> None:
        self._hire, self._give_up = hire, give_up
        self._worker = hire()
        self._suspects = deque[_Task[J, R]]()
        self.running: dict[Future[R], _Task[J, R]] = {}

    @property
    def room(self) -> int:
        """How many more jobs the worker takes: none while it is watched at those that its predecessor died of."""
        watched = self._suspects or any(task.deaths for task in self.running.values())
        return 0 if watched else self._worker.room - len(self.running)

    def start(self, task: _Task[J, R]) -> None:
        """Give the worker a job."""
        self.running[self._worker.start(task.job)] = task

    def settle(self) -> None:
        """Take what has ended; replace the worker if it was killed."""
        death: BaseException | None = None
        for future in [future for future in self.running if future.done()]:
            error = future.exception()
            if isinstance(error, self._worker.deaths):
                death = error
            else:
                self.running.pop(future).results.append(future.result())
        if death is not None:
            self._bury(death)
        if self._suspects and not self.running:
            self.start(self._suspects.popleft())

    def close(self) -> None:
        """Let the worker go."""
        self._worker.close()

    def _bury(self, death: BaseException) -> None:
        lost = list(self.running.values())
        self.running.clear()
        for task in lost:
            task.deaths += 1
        if len(lost) == 1 and lost[0].deaths >= MOST_DEATHS:
            lost[0].results.append(self._give_up(lost[0].job, death))
        else:
            self._suspects.extendleft(reversed(lost))
        self._worker.close()
        self._worker = self._hire()
