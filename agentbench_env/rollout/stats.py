"""Statistics of runs: rates with their intervals, k trials of an instance, and paired comparison of two policies.

An *instance* is an environment with a seed; its trials are repeated tries at the same thing and no independent
observations. So whatever says how sure a figure is counts instances, and trials only as far as they really differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import comb, sqrt
from statistics import fmean, median

import numpy as np

Z95 = 1.959963984540054
RESAMPLES = 10_000
Trials = tuple[int, int]
"""(successes, scored trials) of one instance."""


def wilson(successes: float, n: float, z: float = Z95) -> tuple[float, float]:
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


def effective_n(instances: Sequence[Trials]) -> float:
    """Return how many independent episodes the trials of these instances are worth, for `wilson`.

    It is the number of episodes over the design effect of their clusters. It lies between the number of instances
    (trials that always agree) and that of episodes (trials that differ as chance has it).
    """
    scored = [one for one in instances if one[1]]
    n = sum(trials for _, trials in scored)
    if n in (0, len(scored)):
        return float(n)
    rate, m = sum(successes for successes, _ in scored) / n, len(scored)
    chance = rate * (1 - rate) / n
    if not chance or m == 1:
        return float(m)
    between = m / (m - 1) * sum((successes - trials * rate) ** 2 for successes, trials in scored) / n**2
    return min(float(n), max(float(m), n * chance / between)) if between else float(n)


def pass_at(k: int, instances: Iterable[Trials]) -> float | None:
    """Return pass@k, the chance that at least one of k trials succeeds: the mean of the instances' unbiased estimates.

    Instances with fewer than k scored trials cannot tell and are left out; None if that leaves none.
    """
    _check_k(k)
    found = [1 - comb(n - c, k) / comb(n, k) for c, n in instances if n >= k]
    return fmean(found) if found else None


def pass_hat(k: int, instances: Iterable[Trials]) -> float | None:
    """Return pass^k, the chance that all of k trials succeed; estimated and left out as for `pass_at`."""
    _check_k(k)
    found = [comb(c, k) / comb(n, k) for c, n in instances if n >= k]
    return fmean(found) if found else None


def noise_floor(instances: Iterable[Trials], z: float = Z95) -> float | None:
    """Return by how much the success rate of a second run of the same policy over the same instances may differ.

    It is the half-width of the 95 % range of that difference, from how much trials of one instance differ. None if no
    instance has two scored trials: one trial cannot tell.
    """
    repeated = [(c / n, n) for c, n in instances if n > 1]
    if not repeated:
        return None
    # The variance of an instance's mean over n trials is p(1 - p)/n; with the estimated p, n - 1 makes it unbiased.
    variance = sum(p * (1 - p) / (n - 1) for p, n in repeated) / len(repeated) ** 2
    return z * sqrt(2 * variance)


def mcnemar(better: int, worse: int) -> float:
    """Return the two-sided p-value of McNemar's exact test, given how many pairs differ in either direction."""
    if better < 0 or worse < 0:
        raise ValueError(f"better is {better!r} and worse is {worse!r}; both must be from 0")
    n, few = better + worse, min(better, worse)
    term = tail = 1
    for i in range(few):
        term = term * (n - i) // (i + 1)
        tail += term
    # Whole numbers until the end: 2**n is past what a float holds.
    return min(1.0, 2 * tail / 2**n)


def paired_bootstrap(
    differences: Sequence[float], level: float = 0.95, seed: int = 0, resamples: int = RESAMPLES
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of the mean of paired differences, one an instance.

    The same seed gives the same interval. Raises ValueError without differences.
    """
    if not differences:
        raise ValueError("there are no differences; two runs are compared over the instances that both have")
    # Few values occur, so the counts of a resample are drawn, not its members.
    counts = Counter(differences)
    values = np.array(sorted(counts))
    shares = np.array([counts[value] for value in sorted(counts)]) / len(differences)
    drawn = np.random.default_rng(seed).multinomial(len(differences), shares, size=resamples)
    low, high = np.quantile(drawn @ values / len(differences), ((1 - level) / 2, (1 + level) / 2))
    return float(low), float(high)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values of several comparisons adjusted by Holm's method, in their order."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted


def median_of(values: Iterable[float | None]) -> float | None:
    """Return the median of the known values, None if there are none."""
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


def total_of(values: Iterable[float | None]) -> float | None:
    """Return the sum, None if there are no values or one is unknown."""
    listed = list(values)
    known = [value for value in listed if value is not None]
    return sum(known) if listed and len(known) == len(listed) else None


def _check_k(k: int) -> None:
    if k < 1:
        raise ValueError(f"k is {k!r}; it must be from 1")
