"""Results of a run by task and market: counts, success rate with its interval, time and cost."""

from __future__ import annotations

import msgspec

from agentbench_env.calibration import Medians
from agentbench_env.registry import split_env_id
from agentbench_env.rollout.counts import Counts
from agentbench_env.rollout.hostile import PARTS, had_hostile_text
from agentbench_env.rollout.trajectory import Result


class Row(msgspec.Struct, frozen=True):
    """What one group of episodes came to. Infrastructure outcomes are counted apart and enter nothing else.

    `low` and `high` bound the success rate's interval, see `Counts.interval`. Times are in seconds, costs in USD; None:
    unknown. The normalised values are reference / median, None until a reference is registered.
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
    """Sums up results as they come; nothing of an episode is kept but what `Counts` keeps."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], Counts] = {}
        self._parts: dict[bool, Counts] = {}

    def add(self, one: Result) -> None:
        """Count one episode."""
        counted = [self._groups.setdefault(split_env_id(one.env_id), Counts())]
        hostile = had_hostile_text(one)
        if hostile is not None:
            counted.append(self._parts.setdefault(hostile, Counts()))
        for counts in counted:
            counts.add((one.env_id, one.seed), one.outcome, one.time["elapsed_s"], one.cost["total_usd"])

    def rows(self, medians: Medians) -> tuple[list[Row], Row]:
        """Return a row for each task and market, in the order in which they first came, and the row of all episodes."""
        rows: list[Row] = []
        everything = Counts()
        for (task, market), counts in self._groups.items():
            everything.merge(counts)
            row, median = _row(task, market, counts), medians.get(task, {}).get(market)
            if median is not None:
                row = msgspec.structs.replace(
                    row,
                    normalized_time=_ratio(median.time_s, row.median_time_s),
                    normalized_cost=_ratio(median.cost_usd, row.median_cost_usd),
                )
            rows.append(row)
        return rows, _row("all", "", everything)

    def parts(self) -> list[Row]:
        """Return a row of the episodes with hostile text and one of those without, where injections were asked for.

        Their `task` says which; a part without episodes has no row.
        """
        return [_row(name, "", self._parts[hostile]) for hostile, name in PARTS.items() if hostile in self._parts]


def _row(task: str, market: str, counts: Counts) -> Row:
    outcomes, (low, high) = counts.outcomes, counts.interval
    return Row(
        task,
        market,
        counts.episodes,
        counts.scored,
        outcomes["success"],
        outcomes["failure"],
        outcomes["violation"],
        outcomes["timeout"],
        outcomes["max_steps"],
        outcomes["abandoned"],
        outcomes["infrastructure"],
        counts.rate,
        low,
        high,
        counts.median_time_s,
        counts.median_cost_usd,
        counts.total_cost_usd,
    )


def _ratio(reference: float | None, measured: float | None) -> float | None:
    return reference / measured if reference is not None and measured else None
