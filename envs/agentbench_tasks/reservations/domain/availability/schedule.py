"""The days of an instance: when the user asks, for which day and period, and by which rules the venue is closed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import HolidayRow, Market
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.availability.plot import Plot
from agentbench_tasks.reservations.domain.market import ClosurePattern, ReservationMarket, Season, reservation_market
from agentbench_tasks.reservations.domain.openings import EVERY_DAY
from agentbench_tasks.reservations.domain.venue import ClosureRule, HoursRule, Opening, SeasonHours, ServiceHours

FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 11, 20)
LAST_IN_WORLD = "2026-12-11"
PERIOD = 14
AHEAD = (1, 9)
AHEAD_OF_WINDOW = (7, 14)
"""How many days ahead the period begins where bookings for the day are not taken yet."""
INNER = (2, 11)
"""Where in the period the day lies that is asked for."""
MOST_CLOSED = 5
MOST_TRIES = 1_500
_EARLY_WEEK = (1, 2, 3)
"""The weekdays on which venues rest."""
_ANY_HOURS = ServiceHours("all_day", "11:00", "20:00", "21:00")


class Schedule(msgspec.Struct, frozen=True):
    """The days of an instance; dates are ISO."""

    now: int
    today: str
    day: str
    """The day for which a table is asked for."""
    first: str
    last: str
    """The period of which the closed days are asked for, both ends included."""
    rules: tuple[ClosureRule, ...]
    """The closing rules, yet without ids."""
    closed: tuple[str, ...]
    """The days of the period that are closed by these rules."""

    @property
    def weekday(self) -> int:
        """The weekday that is asked for."""
        return date.fromisoformat(self.day).isoweekday()

    def days(self) -> list[str]:
        """The days of the period."""
        return _span(date.fromisoformat(self.first))


def draw_schedule(draw: Draw, setting: Setting, plot: Plot) -> Schedule:
    """Draw days on which a plot can happen; raise NoFit if many draws give none."""
    for _ in range(MOST_TRIES):
        schedule = _attempt(draw, setting, plot)
        if schedule is not None:
            return schedule
    raise NoFit


def _attempt(draw: Draw, setting: Setting, plot: Plot) -> Schedule | None:
    market, table = setting.market, reservation_market(setting.market.code)
    today = draw.day(FIRST_DAY, LAST_DAY)
    ahead = AHEAD_OF_WINDOW if plot.reason == "outside_booking_window" else AHEAD
    first = today + timedelta(draw.int(*ahead))
    days = _span(first)
    if days[-1] > LAST_IN_WORLD:
        return None
    rows = market.holidays(first - timedelta(1), date.fromisoformat(days[-1]))
    holidays = {row.date.isoformat() for row in rows if _is_settled(row)}
    in_season = [day for day in days if any(_holds(season, day) for season in table.seasons)]
    if bool(in_season) != (plot.closure_trap == "season_hours"):
        return None
    if not in_season and bool(holidays & {*days}) != plot.holiday:
        return None
    rules = _rules(draw, plot, table, days, holidays, _unsettled(rows, holidays))
    if not rules:
        return None
    opening = Opening(market.code, (HoursRule("", "", "", EVERY_DAY, _ANY_HOURS),), rules, (), _seasons(table))
    closed = [day for day in days if not opening.is_open(day)]
    if not 1 <= len(closed) <= MOST_CLOSED:
        return None
    day = _asked_day(draw, plot, market, days, closed, in_season)
    if not day:
        return None
    clock = f"{draw.int(9, 19):02}:{draw.int(0, 59):02}"
    now = to_instant(f"{today.isoformat()}T{clock}", market.zone)
    return Schedule(now, today.isoformat(), day, days[0], days[-1], rules, tuple(closed))


def _asked_day(
    draw: Draw, plot: Plot, market: Market, days: Sequence[str], closed: Collection[str], in_season: Sequence[str]
) -> str:
    """Draw the day that is asked for, "" if none does."""
    is_closed = plot.reason == "closed_weekly_or_holiday"
    options = [day for day in days[INNER[0] : INNER[1] + 1] if (day in closed) == is_closed]
    if "weekday_hours" in plot.traps:
        apart = days_apart(market)
        options = [day for day in options if date.fromisoformat(day).isoweekday() in apart]
    if in_season:
        # The season misleads where it changes both the hours of the day and the closing days.
        if not any(date.fromisoformat(day).isoweekday() in _weekdays_of(closed) for day in in_season):
            return ""
        options = [day for day in options if day in in_season]
    return draw.choice(options) if options else ""


def days_apart(market: Market) -> tuple[int, ...]:
    """Return the weekdays on which venues of a market may keep hours of their own."""
    return market.short_days or market.weekend


def _weekdays_of(days: Collection[str]) -> set[int]:
    return {date.fromisoformat(day).isoweekday() for day in days}


# --- closing rules


def _rules(
    draw: Draw,
    plot: Plot,
    table: ReservationMarket,
    days: Sequence[str],
    holidays: Collection[str],
    unsettled: Collection[str],
) -> tuple[ClosureRule, ...]:
    """Draw the closing rules of a plot, none if it has none on these days."""
    inside = [day for day in days if day in holidays]
    weekly = draw.choice([row for row in table.closures if row.kind == "weekly" and not row.open_on_holidays])
    match plot.closure_trap:
        case "shifted_closure" | "holiday_opening":
            shifts = plot.closure_trap == "shifted_closure"
            row = next(row for row in table.closures if _minds_holidays(row) and (row.kind != "weekly") == shifts)
            # A closing day that moves out of the period would mislead nobody.
            moving = _weekdays_of([day for day in inside if not shifts or day != days[-1]])
            options = [day for day in _EARLY_WEEK if day in moving and day not in _weekdays_of(unsettled)]
            return (_rule(row, (draw.choice(options),)),) if options else ()
        case "nth_weekday":
            row = next(row for row in table.closures if row.kind == "nth_weekday")
            numbers = [(date.fromisoformat(day).day + 6) // 7 in row.nth for day in days if _is_on(row, day)]
            return (_rule(row),) if len({*numbers}) == 2 else ()
        case "holiday_closing":
            row = next(row for row in table.closures if row.kind == "on_holidays")
            free = [day for day in inside if not _is_on(weekly, day)]
            if not free:
                return ()
            dates = sorted(draw.sample(free, draw.int(1, min(2, len(free)))))
            return _rule(weekly), msgspec.structs.replace(_rule(row), dates=tuple(dates))
        case "season_hours":
            return (_rule(weekly),)
        case None:
            return (_plain(draw, table, weekly, _weekdays_of({*holidays, *unsettled})),)


def _plain(draw: Draw, table: ReservationMarket, weekly: ClosurePattern, special: Collection[int]) -> ClosureRule:
    """Draw a rule by which the same weekday is closed all through the period, whatever it says of holidays."""
    free = [day for day in _EARLY_WEEK if day not in special]
    rows = [row for row in table.closures if _minds_holidays(row)]
    if rows and free and draw.chance(0.5):
        return _rule(draw.choice(rows), (draw.choice(free),))
    return _rule(weekly)


def _rule(row: ClosurePattern, weekdays: tuple[int, ...] = ()) -> ClosureRule:
    return ClosureRule(
        "", "", "", row.kind, weekdays or row.weekdays, row.nth, row.dates, open_on_holidays=row.open_on_holidays
    )


def _minds_holidays(row: ClosurePattern) -> bool:
    return row.kind == "weekly_shifted" or row.open_on_holidays


def _is_on(row: ClosurePattern, day: str) -> bool:
    return date.fromisoformat(day).isoweekday() in row.weekdays


# --- holidays and seasons


def _is_settled(row: HolidayRow) -> bool:
    return row.status == "confirmed" and "private" in row.applies_to


def _unsettled(rows: Sequence[HolidayRow], settled: Collection[str]) -> list[str]:
    """The days of which one may doubt whether they are public holidays; no rule may depend on them."""
    days = (row.date.isoformat() for row in rows if row.kind != "observance")
    return [day for day in days if day not in settled]


def _holds(season: Season, day: str) -> bool:
    return season.from_date <= day <= season.to_date


def _seasons(table: ReservationMarket) -> tuple[SeasonHours, ...]:
    return tuple(
        SeasonHours("", "", "", season.from_date, season.to_date, EVERY_DAY, _ANY_HOURS) for season in table.seasons
    )


def _span(first: date) -> list[str]:
    return [(first + timedelta(number)).isoformat() for number in range(PERIOD)]
