"""Samples, their medians and percentiles, and rows of the report."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import thread_time_ns
from typing import Any, Literal, ParamSpec

P = ParamSpec("P")
Unit = Literal["us", "ms", "s", "kB", "MB", "x"]
_PER_NS = {"us": 1e-3, "ms": 1e-6, "s": 1e-9}


@dataclass(frozen=True)
class Row:
    """A figure, and the most that it may be."""

    group: str
    figure: str
    value: float
    unit: Unit
    goal: float | None = None

    @property
    def verdict(self) -> str:
        """ok, short, or nothing where there is no goal."""
        if self.goal is None:
            return ""
        return "ok" if self.value <= self.goal else "short"


@dataclass(frozen=True)
class Sizes:
    """How much is measured."""

    steps: int = 4_000
    seeds: int = 100
    """New seeds for each task and market."""
    long: int = 10_000
    """Steps of the long episode."""
    copies: int = 2_000
    envs: int = 1_000
    stored: int = 1_000
    """Episodes that are recorded and stored."""
    processes: int = 9
    tasks: tuple[str, ...] = ()
    """The tasks whose episodes and memory are measured; none: all that are built."""


QUICK = Sizes(steps=600, seeds=15, long=2_000, copies=400, envs=100, stored=100, processes=3)


def timed(work: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> int:
    """Return the nanoseconds of this thread's CPU time that a call took: what others run meanwhile does not count."""
    start = thread_time_ns()
    work(*args, **kwargs)
    return thread_time_ns() - start


def alternating(works: Sequence[Callable[[], Any]], times: int) -> list[list[int]]:
    """Time calls in turn, so that what disturbs one of them disturbs all; the first tenth is warm-up."""
    gc.collect()
    samples = [[timed(work) for work in works] for _ in range(times + times // 10)]
    return [list(column) for column in zip(*samples[times // 10 :], strict=True)]


def percentile(samples: Sequence[float], share: float) -> float:
    """Return the sample below which a share of them lies."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def time_rows(
    group: str,
    samples: Sequence[int],
    unit: Unit,
    goal: float | None = None,
    p99: float | None = None,
    floor: Sequence[int] = (),
    times_floor: float | None = None,
) -> list[Row]:
    """Return the rows of timed samples: median, 99th percentile, and the median over the floor's."""
    scale = _PER_NS[unit]
    rows = [
        Row(group, "median", median(samples) * scale, unit, goal),
        Row(group, "99th percentile", percentile(samples, 0.99) * scale, unit, p99),
    ]
    if floor:
        rows.append(Row(group, "median over the floor's", median(samples) / median(floor), "x", times_floor))
    return rows


def pin() -> None:
    """Keep to one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
