"""Statistics of runs."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from statistics import median

Z95 = 1.959963984540054


def wilson(successes: int, n: int, z: float = Z95) -> tuple[float, float]:
    """Return the Wilson score interval of a success rate, 95 % unless told; (0, 1) without observations."""
    if not 0 <= successes <= n:
        raise ValueError(f"successes is {successes!r}; it must be from 0 to n = {n!r}")
    if n == 0:
        return 0.0, 1.0
    rate, square = successes / n, z * z
    middle = (rate + square / (2 * n)) / (1 + square / n)
    half = z * sqrt(rate * (1 - rate) / n + square / (4 * n * n)) / (1 + square / n)
    # At the ends the interval's bound is exact; rounding must not cross it.
    low = 0.0 if successes == 0 else middle - half
    return low, 1.0 if successes == n else middle + half


def median_of(values: Iterable[float | None]) -> float | None:
    """Return the median of the known values, None if there are none."""
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


def total_of(values: Iterable[float | None]) -> float | None:
    """Return the sum, None if there are no values or one is unknown."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return sum(known) if listed and len(known) == len(listed) else None
