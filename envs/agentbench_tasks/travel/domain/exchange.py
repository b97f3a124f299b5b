"""Money across currencies: the wallet's table of the day, and prices of a level in any of its currencies."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import cache

from agentbench_env.draw import Draw
from agentbench_env.market import Market, market_table
from agentbench_env.money import Money, convert, digits
from agentbench_tasks.commons.wallet import Rate
from agentbench_tasks.travel.domain.geography import pegged, rate_levels


class Rates:
    """The wallet's table of the day: a drawn walk from the market's levels, printed with their digits."""

    def __init__(self, draw: Draw, market: str, home: str) -> None:
        self.market, self.home = market, home
        self.days: list[dict[str, tuple[str, int]]] = []
        drift = {base: draw.uniform(0.96, 1.04) for base in rate_levels(market)}
        for _ in range(3):
            row: dict[str, tuple[str, int]] = {}
            for base, (level, unit, places) in rate_levels(market).items():
                drift[base] = 1.0 if base in pegged(market) else drift[base] * draw.uniform(0.994, 1.006)
                value = (level * Decimal(repr(round(drift[base], 5)))).quantize(Decimal(1).scaleb(-places))
                row[base] = (str(value), unit)
            self.days.append(row)

    def to_home(self, money: Money, days_ago: int = 0) -> Money:
        """Convert by a day's table: multiply, round half up once."""
        if money.currency == self.home:
            return money
        rate, unit = self.days[-1 - days_ago][money.currency]
        return convert(money, Decimal(rate), unit, self.home)

    def from_usd(self, usd: float, currency: str, step: int) -> int:
        """Return about `usd` dollars in minor units of a currency, rounded to its step."""
        units = round(_per_pip(self.market, "" if currency == self.home else currency) * round(usd * 10_000))
        return max(step, round(units * 10 ** digits(currency) / step) * step)

    def home_per(self, currency: str) -> float:
        """Return about how many minor units of the home currency one minor unit of a currency is worth."""
        million = self.to_home(Money(1_000_000, currency))
        return million.minor / 1_000_000


@cache
def _per_pip(market: str, currency: str) -> Decimal:
    """Units of a currency ("": the market's own) for a ten-thousandth of a US dollar, by the start levels."""
    levels = rate_levels(market)
    pip = levels["USD"][0].scaleb(-4)
    if not currency:
        return pip
    level, unit, _ = levels[currency]
    return pip * unit / level


def rate_records(rates: Rates, market: Market, today: date, ids: Draw) -> Iterator[Rate]:
    """Yield the tables of today and the days before as the wallet shows them."""
    at = market_table(market.code, "money")["rates"]["at"]
    for back, table in enumerate(reversed(rates.days)):
        day = (today - timedelta(back)).isoformat()
        # The wallet converts by the last table that its publisher put out before the day began.
        published = f"{(today - timedelta(back + 1)).isoformat()}T{at}"
        for base, (value, unit) in table.items():
            yield Rate(ids.id("rate"), base, market.currency, unit, value, day, published)
