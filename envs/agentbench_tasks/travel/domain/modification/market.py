"""What a market fixes about bookings that are moved: trips, places, the agency, and what houses keep on cancelling."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Any

import msgspec

from agentbench_env.market import load_market, market_table
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.geography import names_of, static_id
from agentbench_tasks.travel.domain.houses import lodgings
from agentbench_tasks.travel.domain.records_stays import Channel

TABLE = "modification"
Trip = tuple[str, str]


class Row(msgspec.Struct, frozen=True, gc=False):
    """What is kept of a stay that is cancelled: (days before arrival, percent), earliest limit first.

    `season` is peak, off or "" for all year, `days` weekday, weekend or "" for any night of arrival.
    """

    season: str
    days: str
    bands: tuple[tuple[int, int], ...]

    @property
    def scope(self) -> str:
        """A name for the arrivals that it is about."""
        return "_".join(filter(None, (self.season, self.days))) or "any"


class Schedule(msgspec.Struct, frozen=True, gc=False):
    """The rows of a house's terms, and between which days of the year the peak season lies."""

    rows: tuple[Row, ...]
    peak: tuple[tuple[str, str], ...]
    weekend_nights: frozenset[int]

    def row_of(self, arrival: date) -> Row:
        """Return the row that is about an arrival."""
        season = "peak" if any(_within(arrival, *span) for span in self.peak) else "off"
        days = "weekend" if arrival.isoweekday() in self.weekend_nights else "weekday"
        return next(row for row in self.rows if row.season in ("", season) and row.days in ("", days))


def _within(day: date, first: str, last: str) -> bool:
    """Whether a day lies in a span of the year, which may run over its end."""
    text = day.isoformat()[5:]
    return first <= text <= last if first <= last else text >= first or text <= last


@cache
def trips(market: str, kind: str) -> tuple[Trip, ...]:
    """Return the pairs of points of a market's bookings by air or ground."""
    return tuple((start, end) for start, end in market_table(market, TABLE)[kind])


@cache
def places(market: str) -> tuple[tuple[str, str], ...]:
    """Return where the users of a market stay: market and city."""
    return tuple((row["market"], row["city"]) for row in market_table(market, TABLE)["places"])


@cache
def travel_agency(market: str) -> Channel:
    """Return the agency that sells flights and trains in a market."""
    names: Mapping[str, str] = market_table(market, TABLE)["agency"]["names"]
    return Channel(static_id("chn", TABLE, market), names_of(names), "agency", "none", 0, 0)


@cache
def agency_usd(market: str) -> tuple[float, float]:
    """Return the span of an agency's own fee for a change."""
    low, high = market_table(market, TABLE)["agency_usd"]
    return low, high


@cache
def fee_step(market: str) -> int:
    """Return the step, in minor units of a market's currency, to which fees are rounded there."""
    return Money.of(market_table(market, "travel")["fares"]["fee_step"], load_market(market).currency).minor


@cache
def schedules(market: str) -> tuple[Schedule, ...]:
    """Return the schedules that a market's houses use."""
    table: Mapping[str, Any] = market_table(market, TABLE)
    peak = tuple((first, last) for first, last in table["peak"])
    weekend = lodgings(market).weekend_nights
    return tuple(
        Schedule(
            tuple(Row(row["season"], row["days"], tuple((d, kept) for d, kept in row["bands"])) for row in one["rows"]),
            peak,
            weekend,
        )
        for one in table["schedules"]
    )
