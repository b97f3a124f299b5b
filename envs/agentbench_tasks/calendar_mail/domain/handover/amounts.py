"""Amounts that matters ask for, and who may approve them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_tasks.calendar_mail.domain.market import office_market
from agentbench_tasks.calendar_mail.domain.people import Person

STEPS = 200
"""Amounts are multiples of this part of the lowest limit."""
EDGE = 0.01
"""How near an amount comes to a limit at least, tax included, as a share of the limit."""


class Price(msgspec.Struct, frozen=True, gc=False):
    """An amount as a mail states it."""

    amount: Money
    includes_tax: bool

    def total(self, tax: Decimal) -> Decimal:
        """What counts against a limit, in minor units."""
        return Decimal(self.amount.minor) * (1 if self.includes_tax else 1 + tax)


class Band(NamedTuple):
    """A row of the page "Approval limits"."""

    person: Person
    limit: Money


def tax_rate(market: str) -> Decimal:
    """Return the rate of the tax that limits include."""
    kind = office_market(market).approval.tax
    rows = market_table(market, "money")["consumption_tax"]
    return Decimal(next(row["pct"] for row in rows if row["kind"] == kind)) / 100


def decider(bands: Sequence[Band], price: Price, tax: Decimal) -> Person:
    """Return whom the page names for an amount."""
    return next(band.person for band in bands if price.total(tax) <= band.limit.minor)


class Prices:
    """Draws amounts around the limits of a market."""

    def __init__(self, draw: Draw, setting: Setting) -> None:
        self._draw, self._currency = draw, setting.market.currency
        approval = office_market(setting.market.code).approval
        self.limits = (approval.staff, approval.head, 4 * approval.head)
        """Of the colleague, of the head of the department, and of whoever stands above."""
        self._step, self._tax = approval.staff // STEPS, float(tax_rate(setting.market.code))

    def within(self) -> Price:
        """An amount that the colleague may approve, now and then one that is nearly too high."""
        includes_tax = self._draw.chance(0.7)
        low, high = (0.93, 0.985) if self._draw.chance(0.2) else (0.06, 0.9)
        return self._price(low, high, includes_tax=includes_tax)

    def above(self, *, by_tax: bool, band: int = 1) -> Price:
        """An amount above the colleague's limit, only once the tax is added or anyway, in a band of the page."""
        if by_tax:
            return self._price(1 + 2 * EDGE, 0.985 * (1 + self._tax), includes_tax=False)
        low, high = (limit / self.limits[0] for limit in self.limits[band - 1 : band + 1])
        return self._price(low * 1.05, min(high * 0.95, low * 4), includes_tax=self._draw.chance(0.7))

    def any(self) -> Price:
        """Some amount."""
        return self.within() if self._draw.chance(0.6) else self.above(by_tax=False)

    def before(self, price: Price) -> Price:
        """What was asked for before an amount was revised."""
        share = price.amount.minor / self.limits[0] * self._draw.uniform(0.6, 0.85)
        return Price(Money(max(1, round(share * STEPS)) * self._step, self._currency), price.includes_tax)

    def _price(self, low: float, high: float, *, includes_tax: bool) -> Price:
        """Draw an amount whose total lies between two multiples of the colleague's limit."""
        share = self._draw.uniform(low, high) / (1 if includes_tax else 1 + self._tax)
        return Price(Money(round(share * STEPS) * self._step, self._currency), includes_tax)
