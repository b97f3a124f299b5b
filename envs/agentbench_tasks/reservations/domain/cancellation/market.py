"""How tables are called off in a market: limits and losses as its venues print them, read from `table_cancellation`."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.market import Row

Counted = Literal["hours", "days"]
LossForm = Literal["per_head", "average_spend", "deposit", "hold"]


class Limit(Row, frozen=True, kw_only=True):
    """Until when a table is called off for nothing and, in some places, for half of what is lost after that."""

    counted: Counted
    weight: int
    until: CutoffRule
    half: CutoffRule | None = None


class LossPattern(Row, frozen=True, kw_only=True):
    """What is lost at most, one of `amounts`: minor units, of the average spend whole percents."""

    form: LossForm
    weight: int
    amounts: tuple[int, ...]


class Loss(msgspec.Struct, frozen=True):
    """What is lost at most by whoever calls a table off too late."""

    form: LossForm
    amount: int


class Habits(Row, frozen=True, kw_only=True):
    """The table of a market."""

    limits: tuple[Limit, ...]
    losses: tuple[LossPattern, ...]

    def limit(self, draw: Draw, *counted: Counted) -> Limit:
        """Draw a limit, of these ways of counting if any are named."""
        rows = [row for row in self.limits if not counted or row.counted in counted]
        return rows[draw.weighted({place: row.weight for place, row in enumerate(rows)})]

    def other(self, draw: Draw, than: Limit) -> Limit:
        """Draw a limit that ends at another moment."""
        return draw.choice([row for row in self.limits if row.until != than.until])

    def loss(self, draw: Draw, beforehand: bool) -> Loss:
        """Draw what is lost; only if it may be left `beforehand` a deposit or a hold."""
        rows = [row for row in self.losses if beforehand or row.form in ("per_head", "average_spend")]
        row = rows[draw.weighted({place: row.weight for place, row in enumerate(rows)})]
        return Loss(row.form, draw.choice(row.amounts))


@cache
def habits_of(code: str) -> Habits:
    """Return how tables are called off in a market."""
    return msgspec.convert(market_table(code, "table_cancellation"), Habits)
