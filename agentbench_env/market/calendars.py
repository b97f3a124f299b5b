"""Working-day calendars: which days a sector of a market or of a region abroad is open, and counting in such days."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from functools import cache

from agentbench_env.errors import WrongArgument
from agentbench_env.market import Market, Region, load_country, market_table, shared_table

_DAY = timedelta(days=1)
_LONGEST_CLOSURE = 366


class Calendar:
    """The open days of one kind: `private`, `government`, `banks`, `statutory`, `exchange` or `transit`.

    Closed are the weekend, the confirmed holiday rows that apply to the kind's sector, and the organisation's own
    closures. Outside the years of the holiday table only weekend and own closures close.

    A region abroad has the first three kinds, for 2026.

    Args:
        market: the market whose `calendars.toml` defines the kind, or a region abroad.
        kind: a key of that table.
        closures: further closed days, for an organisation's own calendar.
        weekend: ISO weekdays that replace the kind's weekend, for an organisation's own week.
    """

    __slots__ = ("_closed", "_unsettled", "_weekend", "kind", "market")

    def __init__(
        self,
        market: Market | Region,
        kind: str,
        *,
        closures: Iterable[date] = (),
        weekend: Iterable[int] | None = None,
    ) -> None:
        usual_weekend, closed, unsettled = _days(market, kind)
        self.market, self.kind = market, kind
        self._weekend = usual_weekend if weekend is None else frozenset(weekend)
        own = frozenset(closures)
        self._closed = closed | own
        self._unsettled = unsettled - own

    def is_open(self, day: date) -> bool:
        """Whether the day is a working day of this calendar."""
        return day not in self._closed and day.isoweekday() not in self._weekend

    def is_settled(self, day: date) -> bool:
        """Whether it is certain that the day is open or closed; no right answer may turn on a day that is not."""
        return day not in self._unsettled or day.isoweekday() in self._weekend

    def add_open(self, day: date, n: int) -> date:
        """The n-th open day after `day`, before it if n is negative; `day` itself is not counted, and is n = 0."""
        return _nth(day, n, self.is_open)

    def shift(self, day: date, to: str) -> date:
        """The day itself if it is open or `to` is "none", else the "next" or the "previous" open day."""
        if to not in ("next", "previous", "none"):
            raise WrongArgument("shift", to, ("next", "previous", "none"))
        if to == "none" or self.is_open(day):
            return day
        return self.add_open(day, 1 if to == "next" else -1)


@cache
def working_days(country: str) -> Calendar:
    """The calendar of private firms in a market or a region abroad, "KR" or "GB-ENG"."""
    return Calendar(load_country(country), "private")


def common_open(first: Calendar, second: Calendar, day: date, n: int) -> date:
    """The n-th day after `day` (before it if n is negative) on which both calendars are open."""
    return _nth(day, n, lambda candidate: first.is_open(candidate) and second.is_open(candidate))


def _nth(day: date, n: int, is_open: Callable[[date], bool]) -> date:
    step = _DAY if n > 0 else -_DAY
    left, closed_run = abs(n), 0
    while left:
        day += step
        if is_open(day):
            left, closed_run = left - 1, 0
        elif (closed_run := closed_run + 1) > _LONGEST_CLOSURE:
            raise ValueError(f"no open day within {_LONGEST_CLOSURE} days of {day}")
    return day


@cache
def _days(market: Market | Region, kind: str) -> tuple[frozenset[int], frozenset[date], frozenset[date]]:
    """The weekend, the closed days and the unsettled days of a kind."""
    abroad = isinstance(market, Region)
    kinds = shared_table("holidays_abroad")["calendars"] if abroad else market_table(market.code, "calendars")
    if not isinstance(kinds.get(kind), dict):
        raise WrongArgument("calendar", kind, [key for key, value in kinds.items() if isinstance(value, dict)])
    table = kinds[kind]
    rows = [row for row in market.holidays(date.min, date.max) if table["sector"] in row.applies_to]
    closed = {row.date for row in rows if row.status == "confirmed"}
    estimates = {row.date for row in rows if row.status == "estimate"}
    return (
        frozenset(table.get("weekend", market.weekend)),
        frozenset(closed.union(table.get("closed", ()))),
        frozenset((estimates - closed).union(table.get("unsettled", ()))),
    )
