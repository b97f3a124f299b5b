"""The story of a repeating slot: what is asked for, which of its dates are holidays, and what is in the way.

Dates are counted here by plain arithmetic over the list of days, apart from the engine that expands rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from itertools import combinations
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import HolidayRow, Market, market_table
from agentbench_env.market.calendars import Calendar
from agentbench_env.task import Difficulty, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit, first_fit

Form = Literal["span", "count", "sessions", "choose_day", "fortnightly", "monthly"]
Trap = Literal[
    "old_circular",
    "substitute_only",
    "lookalike_rows",
    "start_is_holiday",
    "company_day",
    "guest_tempts",
]
FORMS: dict[Difficulty, dict[Form, float]] = {
    "easy": {"span": 1},
    "standard": {"span": 4, "count": 3, "sessions": 3},
    "hard": {"span": 2, "count": 2, "sessions": 3, "choose_day": 3, "fortnightly": 2, "monthly": 2},
}
HITS: dict[Difficulty, tuple[int, int]] = {"easy": (1, 1), "standard": (2, 4), "hard": (2, 5)}
TRAPS: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
INVITES = 0.3
"""Share of users who want two colleagues invited."""
CHANGING_KINDS = ("substitute", "bridge", "transferred", "special", "election")
"""Kinds of days that nobody finds in last winter's list."""
_SPARE: tuple[Trap, ...] = ("company_day", "guest_tempts")
"""Traps that can be laid beside any dates."""
_CLOCKS = ("08:30", "09:00", "09:30", "10:00", "10:30", "11:00", "14:00", "15:00", "16:00")
_FIRST_NOW, _FIRST_DATE = date(2026, 1, 5), date(2026, 2, 9)
"""Every split has days between the two."""
_LEAST_SESSIONS = 3


class Request(msgspec.Struct, frozen=True, gc=False):
    """What the user asks for."""

    form: Form
    weekdays: tuple[int, ...]
    """ISO weekdays; for `choose_day` the two to choose from."""
    first: date
    last: date
    """The last day of the span; for forms that count, the last date that they reach."""
    count: int
    """How many dates or sessions are asked for, 0 where a span is."""
    clock: str
    minutes: int


class Series(msgspec.Struct, frozen=True, gc=False):
    """The dates of a request, and which of them are holidays."""

    asked: tuple[date, ...]
    excluded: tuple[date, ...]

    @property
    def kept(self) -> tuple[date, ...]:
        """The dates on which the slot takes place."""
        return tuple(day for day in self.asked if day not in self.excluded)


class Plot(msgspec.Struct, frozen=True):
    """An instance: the request, its one right outcome, and the traps that bite."""

    now: int
    request: Request
    series: Series
    traps: tuple[Trap, ...]
    circular: tuple[HolidayRow, ...]
    """The days that last winter's list has."""
    company_day: date
    invites: bool
    """Whether the user wants two colleagues invited."""


class Option(msgspec.Struct, frozen=True, gc=False):
    """A request without its time of day, its dates, and the traps that lie in them."""

    form: Form
    weekdays: tuple[int, ...]
    first: date
    last: date
    count: int
    series: Series
    traps: tuple[Trap, ...]


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw an instance."""
    return first_fit(draw, lambda attempt: _attempt(attempt, setting))


def _attempt(draw: Draw, setting: Setting) -> Plot:
    market, difficulty = setting.market, setting.difficulty
    benign = draw.chance(BENIGN[difficulty])
    # Wherever anything is in the way, last winter's list is, and counts as one of the traps.
    wanted = 0 if benign else TRAPS[difficulty] - 1
    forms: dict[Form, list[Option]] = {}
    for one in FORMS[difficulty]:
        forms[one] = [option for option in options(market, one, difficulty) if _can_have(option, wanted)]
    weights: dict[Form, float] = {one: weight for one, weight in FORMS[difficulty].items() if forms[one]}
    form = draw.weighted(weights)
    option = draw.choice(forms[form])
    old: tuple[Trap, ...] = () if benign else ("old_circular",)
    traps = (*old, *option.traps, *draw.sample(_SPARE, wanted - len(option.traps)))
    clocks = [
        clock
        for clock in _CLOCKS
        if _in_hours(clock, option.weekdays, market)
        and _starts_after_midnight_utc(clock, option.series.asked[-1], market)
    ]
    request = Request(
        form, option.weekdays, option.first, option.last, option.count, draw.choice(clocks), draw.choice((30, 45, 60))
    )
    closed, series = Calendar(market, "private"), option.series
    return Plot(
        _draw_now(draw, setting, series.asked[0], closed),
        request,
        series,
        traps,
        _circular(draw, market, series, not benign),
        _company_day(draw, series, closed, "company_day" in traps),
        draw.chance(INVITES),
    )


def _can_have(option: Option, wanted: int) -> bool:
    """Whether so many traps can be laid around the dates."""
    return len(option.traps) <= wanted <= len(option.traps) + len(_SPARE)


# --- what can be asked for


@cache
def options(market: Market, form: Form, difficulty: Difficulty) -> tuple[Option, ...]:
    """Return every request of a form in a market with as many holidays among its dates as the difficulty has."""
    closed = Calendar(market, "private")
    low, high = HITS[difficulty]
    if form == "monthly":
        low = 1  # A month has one date: more than one holiday among them is rare.
    found: list[Option] = []
    for weekdays, first, last, count in _requests(market, form):
        try:
            series = series_of(form, weekdays, first, last, count, closed)
        except NoFit:
            continue
        reach = _dates(first, last, weekdays) if form == "choose_day" else series.asked
        if (
            low <= len(series.excluded) <= high
            and len(series.kept) >= _LEAST_SESSIONS
            and series.asked[-1] not in series.excluded
            and series.asked[-1].year == first.year
            and all(map(closed.is_settled, reach))
        ):
            found.append(Option(form, weekdays, first, last, count, series, _natural_traps(series, market)))
    return tuple(found)


def _requests(market: Market, form: Form) -> Iterator[tuple[tuple[int, ...], date, date, int]]:
    """Every request of a form: weekdays, first and last day, number of dates."""
    for row in market_table(market.code, "calendar_mail")["series"]["rows"]:
        low, high = max(row["from"], _FIRST_DATE), row["to"]
        for weekdays in _weekdays(form, tuple(row["weekdays"])):
            firsts = list(_dates(low, high, weekdays))[:: len(weekdays)]
            if form in ("count", "sessions"):
                yield from ((weekdays, first, high, n * len(weekdays)) for first in firsts for n in range(8, 15))
            elif form == "monthly":
                yield from ((weekdays, first, high, 0) for first in firsts if first.day <= 7)
            else:
                weeks = range(6, 27, 2)
                ends = ((first, first + timedelta(7 * n - 1)) for first in firsts for n in weeks)
                yield from ((weekdays, first, last, 0) for first, last in ends if last <= high)


def _weekdays(form: Form, usual: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    if form == "choose_day":
        return tuple(combinations((1, 2, 3, 4, 5), 2))
    if form in ("fortnightly", "monthly"):
        return tuple((day,) for day in (1, 2, 3, 4, 5))
    return (usual,)


def _in_hours(clock: str, weekdays: tuple[int, ...], market: Market) -> bool:
    """Whether an hour from the clock on lies in the working hours of every weekday."""
    week = market_table(market.code, "calendar_mail")["hours"]["working"]
    names = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
    end = f"{int(clock[:2]) + 1:02}{clock[2:]}"
    return all(any(start <= clock and end <= close for start, close in week[names[day - 1]]) for day in weekdays)


def _starts_after_midnight_utc(clock: str, day: date, market: Market) -> bool:
    """Whether a rule that runs until midnight UTC of the day would lose its session: the tempting way to write it."""
    return to_instant(f"{day}T{clock}", market.zone) > to_instant(f"{day}T00:00", "UTC")


def _dates(first: date, last: date, weekdays: tuple[int, ...]) -> Iterator[date]:
    days = (first + timedelta(n) for n in range((last - first).days + 1))
    return (day for day in days if day.isoweekday() in weekdays)


# --- its dates


def series_of(form: Form, weekdays: tuple[int, ...], first: date, last: date, count: int, closed: Calendar) -> Series:
    """Return the dates of a request, by counting days.

    Raises:
        NoFit: the two weekdays to choose from lose equally many dates.
    """
    if form == "choose_day":
        spans = [_series(list(_dates(first, last, (day,))), closed) for day in weekdays]
        if len(spans[0].excluded) == len(spans[1].excluded):
            raise NoFit
        return min(spans, key=lambda series: len(series.excluded))
    if form in ("count", "sessions"):
        return _counted(form, weekdays, first, count, closed)
    asked = list(_dates(first, last, weekdays))
    if form == "fortnightly":
        asked = asked[::2]
    elif form == "monthly":
        asked = [day for day in asked if day.day <= 7]
    return _series(asked, closed)


def _series(asked: list[date], closed: Calendar) -> Series:
    return Series(tuple(asked), tuple(day for day in asked if not closed.is_open(day)))


def _counted(form: Form, weekdays: tuple[int, ...], first: date, count: int, closed: Calendar) -> Series:
    asked: list[date] = []
    held = 0
    for day in _dates(first, first + timedelta(365), weekdays):
        if count == (len(asked) if form == "count" else held):
            break
        asked.append(day)
        held += closed.is_open(day)
    return _series(asked, closed)


# --- traps


def _days_off(market: Market) -> dict[date, HolidayRow]:
    rows = market.holidays(date(2026, 1, 1), date(2026, 12, 31))
    return {row.date: row for row in rows if row.status == "confirmed" and "private" in row.applies_to}


def _natural_traps(series: Series, market: Market) -> tuple[Trap, ...]:
    traps: list[Trap] = []
    rows = _days_off(market)
    if any(rows[day].kind in CHANGING_KINDS for day in series.excluded):
        traps.append("substitute_only")
    if any(row.date in series.kept for row in market.holidays(series.asked[0], series.asked[-1])):
        traps.append("lookalike_rows")
    if series.asked[0] in series.excluded:
        traps.append("start_is_holiday")
    return tuple(traps)


def _circular(draw: Draw, market: Market, series: Series, misses: bool) -> tuple[HolidayRow, ...]:
    """Last winter's list: the fixed days, of which it misses one that matters, or all days that matter as well."""
    rows = _days_off(market)
    fixed = {day for day, row in rows.items() if row.kind not in CHANGING_KINDS}
    if not misses:
        listed = fixed | set(series.excluded)
    elif fixed.issuperset(series.excluded):
        listed = fixed - {draw.choice(series.excluded)}
    else:
        listed = fixed
    return tuple(row for day, row in rows.items() if day in listed)


def _company_day(draw: Draw, series: Series, closed: Calendar, bites: bool) -> date:
    """The day on which the company was founded: a day of the series, or an open day that is none."""
    if bites:
        return draw.choice(series.kept[1:])
    days = (date(2026, 3, 2) + timedelta(n) for n in range(280))
    return draw.choice([day for day in days if closed.is_open(day) and day not in series.asked])


def _draw_now(draw: Draw, setting: Setting, first: date, closed: Calendar) -> int:
    """A working morning or afternoon a few days to some weeks before the first date."""
    for _ in range(40):
        day = draw.day(max(_FIRST_NOW, first - timedelta(56)), first - timedelta(3))
        if closed.is_open(day):
            clock = f"{draw.choice((9, 10, 11, 14, 15)):02}:{draw.choice((5, 10, 20, 35, 50)):02}"
            return to_instant(f"{day}T{clock}", setting.market.zone)
    raise NoFit
