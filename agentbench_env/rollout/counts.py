"""What a group of episodes came to, counted as they come: for a rollout's table and for reports alike."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Hashable
from math import isnan, nan

from agentbench_env.rollout.stats import Trials, effective_n, median_of, total_of, wilson


class Counts:
    """Counts episodes: of each it keeps its outcome's count, its time and its cost, and successes by instance.

    Infrastructure outcomes are counted in `outcomes` and enter nothing else. Times are in seconds, costs in USD.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.trials: dict[Hashable, Trials] = {}
        """(successes, scored trials) of every instance that has a scored one."""
        self._times, self._costs = array("d"), array("d")

    def add(self, instance: Hashable, outcome: str, time_s: float | None, cost_usd: float | None) -> None:
        """Count one episode; None: unknown."""
        self.outcomes[outcome] += 1
        if outcome != "infrastructure":
            successes, trials = self.trials.get(instance, (0, 0))
            self.trials[instance] = successes + (outcome == "success"), trials + 1
            self._times.append(_known(time_s))
            self._costs.append(_known(cost_usd))

    def merge(self, other: Counts) -> None:
        """Count what another one counted of other instances."""
        self.outcomes += other.outcomes
        self.trials |= other.trials
        self._times += other._times
        self._costs += other._costs

    @property
    def episodes(self) -> int:
        """How many episodes there are."""
        return self.outcomes.total()

    @property
    def scored(self) -> int:
        """How many of them count."""
        return len(self._times)

    @property
    def rate(self) -> float | None:
        """The share of the scored episodes that succeeded, None if none is scored."""
        return self.outcomes["success"] / self.scored if self.scored else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the rate, with trials of one instance counted for what they are worth."""
        n = effective_n([*self.trials.values()])
        return wilson(min(n, (self.rate or 0.0) * n), n)

    @property
    def median_time_s(self) -> float | None:
        """The median time."""
        return median_of(map(_or_none, self._times))

    @property
    def median_cost_usd(self) -> float | None:
        """The median of the known costs."""
        return median_of(map(_or_none, self._costs))

    @property
    def total_cost_usd(self) -> float | None:
        """What all cost, None if one cost is unknown."""
        return total_of(map(_or_none, self._costs))


def _known(value: float | None) -> float:
    """Return a number for an array, which holds no None."""
    return nan if value is None else value


def _or_none(value: float) -> float | None:
    return None if isnan(value) else value
