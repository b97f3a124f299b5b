"""Paired comparison of runs over the instances that both have, and the order that it allows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

import msgspec

from agentbench_env.report.tally import RunResult, counts_of
from agentbench_env.rollout.stats import holm, mcnemar, paired_bootstrap

LEVEL = 0.05


class Comparison(msgspec.Struct, frozen=True):
    """Two runs, by their places in the list that was compared.

    `better` and `worse` count the instances of which the first run solved the larger or smaller share, over the
    `instances` that both have; `difference` is the mean of the shares' differences, `low` and `high` bound its 95 %
    bootstrap interval, `p` is McNemar's exact value, `adjusted` the same by Holm's method over all comparisons made.
    `winner` is the better run, None where the two cannot be separated: both methods must do so.
    """

    first: int
    second: int
    instances: int
    better: int
    worse: int
    difference: float
    low: float
    high: float
    p: float
    adjusted: float
    winner: int | None


class Refused(msgspec.Struct, frozen=True):
    """Two runs that no comparison can be made of."""

    first: int
    second: int
    why: str


def compare(runs: Sequence[RunResult]) -> tuple[list[Comparison], list[Refused]]:
    """Compare every two runs; return what was found, and the pairs that cannot be compared."""
    found: list[Comparison] = []
    refused: list[Refused] = []
    for first, second in combinations(range(len(runs)), 2):
        one, other = runs[first], runs[second]
        if why := why_not(one, other):
            refused.append(Refused(first, second, why))
        else:
            found.append(_compared(first, second, one, other))
    adjusted = holm([one.p for one in found])
    return [_judged(one, p) for one, p in zip(found, adjusted, strict=True)], refused


def why_not(one: RunResult, other: RunResult) -> str:
    """Say why two runs cannot be compared, "" if they can."""
    if one.release != other.release:
        return f"they are of releases {one.release} and {other.release}, whose instances differ"
    if one.settings != other.settings:
        return f"their environments differ: {one.settings_text} and {other.settings_text}"
    if not counts_of(one.episodes).trials.keys() & counts_of(other.episodes).trials.keys():
        return "they share no instance that is scored in both"
    return ""


def ranks(number: int, comparisons: Sequence[Comparison]) -> list[int]:
    """Return the ranks of runs over the same instances: each below all that are better, by at least their number.

    So no two runs of one rank are separated, and a run that nothing beats is first.
    """
    better: list[set[int]] = [set() for _ in range(number)]
    for one in comparisons:
        if one.winner is not None:
            better[one.second if one.winner == one.first else one.first].add(one.winner)
    found = [1] * number
    # Over the same instances what is better has the higher rate, so a chain has no more than all the runs.
    for _ in range(number):
        found = [1 + max([len(runs), *(found[run] for run in runs)]) if runs else 1 for runs in better]
    return found


def _compared(first: int, second: int, one: RunResult, other: RunResult) -> Comparison:
    ours, theirs = counts_of(one.episodes).trials, counts_of(other.episodes).trials
    shared = [(ours[instance], theirs[instance]) for instance in ours if instance in theirs]
    # Signs are of whole numbers: shares such as 1/3 and 2/6 must not differ by rounding.
    signs = [a * m - b * n for (a, n), (b, m) in shared]
    differences = [sign / (n * m) for sign, ((_, n), (_, m)) in zip(signs, shared, strict=True)]
    better, worse = sum(sign > 0 for sign in signs), sum(sign < 0 for sign in signs)
    low, high = paired_bootstrap(differences)
    p = mcnemar(better, worse)
    return Comparison(first, second, len(shared), better, worse, fmean(differences), low, high, p, p, None)


def _judged(one: Comparison, adjusted: float) -> Comparison:
    separated = adjusted < LEVEL and not one.low <= 0 <= one.high
    winner = (one.first if one.difference > 0 else one.second) if separated else None
    return msgspec.structs.replace(one, adjusted=adjusted, winner=winner)
