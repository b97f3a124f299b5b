"""What changing a table costs in a market: terms as its venues print them, read from `table_change`."""

from __future__ import annotations

from functools import cache

import msgspec

from agentbench_env.market import market_table
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.market import Row
from agentbench_tasks.reservations.domain.terms import ChangeRule, Charge, DepositRule, HeadcountStep


class Pattern(Row, frozen=True, kw_only=True):
    """Terms of a house: `until` when cancelling is free, what fewer guests and another time cost, and a no-show."""

    name: str
    weight: int
    deposit: DepositRule
    until: CutoffRule
    until_large: CutoffRule
    """The same for parties above the size at which the house draws its line, if it draws one."""
    steps: tuple[HeadcountStep, ...]
    missing: Charge
    no_show: Charge
    move: ChangeRule | None = None

    @property
    def by_the_hour(self) -> bool:
        """Whether cancelling is free until so many hours before the start, so that another time moves the cut-off."""
        return self.until.kind == "hours_before"


class Customs(Row, frozen=True, kw_only=True):
    """The table of a market."""

    patterns: tuple[Pattern, ...]


@cache
def patterns_of(code: str) -> tuple[Pattern, ...]:
    """Return the patterns of a market."""
    return msgspec.convert(market_table(code, "table_change"), Customs).patterns
