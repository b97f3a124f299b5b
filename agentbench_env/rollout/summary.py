"""Results of a run by task and market: counts, success rate with its interval, time and cost."""

from __future__ import annotations

from array import array
from collections import Counter
from math import isnan, nan

import msgspec

from agentbench_env.calibration import Medians
from agentbench_env.registry import split_env_id
from agentbench_env.rollout.stats import median_of, total_of, wilson
from agentbench_env.rollout.trajectory import Result


class Row(msgspec.Struct, frozen=True):
    """What one group of episodes came to. Infrastructure outcomes are counted apart and enter nothing else.

    `low` and `high` bound the success rate's 95 % Wilson interval. Times are in seconds, costs in USD; None: unknown.
    The normalised values are reference / median, None until a reference is registered.
    """

    task: str
    market: str
    episodes: int
    scored: int
    success: int
    failure: int
    violation: int
    timeout: int
    max_steps: int
    abandoned: int
    infrastructure: int
    rate: float | None
    low: float
    high: float
    median_time_s: float | None
    median_cost_usd: float | None
    total_cost_usd: float | None
    normalized_time: float | None = None
    normalized_cost: float | None = None


class Tally:
    """Sums up results as they come: of each episode it keeps its outcome's count, its time and its cost."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], _Group] = {}

    def add(self, one: Result) -> None:
        """Count one episode."""
        self._groups.setdefault(split_env_id(one.env_id), _Group()).add(one)

    def rows(self, medians: Medians) -> tuple[list[Row], Row]:
        """Return a row for each task and market, in the order in which they first came, and the row of all episodes."""
        rows: list[Row] = []
        everything = _Group()
        for (task, market), group in self._groups.items():
            everything.merge(group)
            row, median = group.row(task, market), medians.get(task, {}).get(market)
            if median is not None:
                row = msgspec.structs.replace(
                    row,
                    normalized_time=_ratio(median.time_s, row.median_time_s),
                    normalized_cost=_ratio(median.cost_usd, row.median_cost_usd),
                )
            rows.append(row)
        return rows, everything.row("all", "")


class _Group:
    def __init__(self) -> None:
        self._outcomes: Counter[str] = Counter()
        self._times, self._costs = array("d"), array("d")

    def add(self, one: Result) -> None:
        self._outcomes[one.outcome] += 1
        if one.scored:
            self._times.append(_known(one.time["elapsed_s"]))
            self._costs.append(_known(one.cost["total_usd"]))

    def merge(self, other: _Group) -> None:
        self._outcomes += other._outcomes
        self._times += other._times
        self._costs += other._costs

    def row(self, task: str, market: str) -> Row:
        outcomes, scored = self._outcomes, len(self._times)
        low, high = wilson(outcomes["success"], scored)
        return Row(
            task,
            market,
            outcomes.total(),
            scored,
            outcomes["success"],
            outcomes["failure"],
            outcomes["violation"],
            outcomes["timeout"],
            outcomes["max_steps"],
            outcomes["abandoned"],
            outcomes["infrastructure"],
            outcomes["success"] / scored if scored else None,
            low,
            high,
            median_of(map(_or_none, self._times)),
            median_of(map(_or_none, self._costs)),
            total_of(map(_or_none, self._costs)),
        )


def _known(value: float | None) -> float:
    """Return a number for an array, which holds no None."""
    return nan if value is None else value


def _or_none(value: float) -> float | None:
    return None if isnan(value) else value


def _ratio(reference: float | None, measured: float | None) -> float | None:
    return reference / measured if reference is not None and measured else None
