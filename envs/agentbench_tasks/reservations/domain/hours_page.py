"""What a house publishes of when it is open: pages of hours, notices of closure, and its home page.

Every function takes records and returns the parts of a page; a page whose hours no longer hold has the same parts of
other records, and only its dates tell. The facts of a part have keys by rule and not by day: which rule a day rests on
is known from the `rows` of its `Opening`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

from agentbench_env.market import shared_table
from agentbench_tasks.commons.texts import (
    DateSlot,
    LinesSlot,
    RangeSlot,
    ServiceSlot,
    SlotValue,
    Stated,
    Text,
)
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.venue import (
    ClosureKind,
    ClosureRule,
    HoursRule,
    Notice,
    Opening,
    SeasonHours,
    ServiceHours,
)

FILE = "hours_page"
DATES = "month_day"
"""The style of dates that lie near: a house leaves out the year, which its notice is dated with."""
RULE_DATES = "full"
"""The style of dates in rules, which stay on a page for years; `next_dates` is that of further days of a year."""
HoursFact = Literal["open", "close", "last_order_food", "last_order_drinks", "last_seating"]
_SLOTS: dict[HoursFact, str] = {
    "open": "open",
    "close": "close",
    "last_order_food": "orders.food",
    "last_order_drinks": "orders.drinks",
    "last_seating": "orders.seating",
}
_Lines = tuple[tuple[tuple[int, ...], ServiceHours], ...]
"""Services with the weekdays on which they have these hours."""


# --- keys


def hours_key(row: HoursRule | SeasonHours, fact: HoursFact) -> str:
    """Key of a time of a service on the weekdays of a rule, in a season or in general."""
    return f"{_row_key(row)}.{fact}"


def _row_key(row: HoursRule | SeasonHours) -> str:
    season = f".{row.from_date}..{row.to_date}" if isinstance(row, SeasonHours) else ""
    return f"hours.{row.venue_id}.{row.hours.service}.{_digits(row.weekdays)}{season}"


def closure_key(venue_id: str, kind: ClosureKind | Literal["none"]) -> str:
    """Key of a rule by which a house is closed; `none` says that it has no such rule."""
    return f"closed.{venue_id}.{kind}"


def closure_value(rule: ClosureRule) -> str:
    """A rule by which a house is closed, as claims compare it."""
    match rule.kind:
        case "on_holidays":
            return ",".join(rule.dates)
        case "period":
            return f"{rule.from_date}..{rule.to_date}"
        case "nth_weekday":
            return f"{_digits(rule.nth)}.{_digits(rule.weekdays)}"
        case "weekly" | "weekly_shifted":
            return f"{_digits(rule.weekdays)}{'.open_on_holidays' if rule.open_on_holidays else ''}"


def notice_key(venue_id: str, from_date: str, to_date: str) -> str:
    """Key of what is closed from one day to another; the value is the scope."""
    return f"notice.{venue_id}.{from_date}..{to_date}"


def address_key(venue_id: str) -> str:
    """Key of a house's address."""
    return f"address.{venue_id}"


def phone_key(venue_id: str) -> str:
    """Key of the number that a house prints on its home page."""
    return f"phone.{venue_id}"


@cache
def _digits(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


# --- hours


def page_title(kind: Literal["hours", "notice", "home"], language: str, variant: int) -> str:
    """Return the title of a page."""
    return shared_table(f"text/{language}/{FILE}")["titles"][kind][variant]


def hours_parts(opening: Opening, language: str, variant: int, season: str = "") -> tuple[Part, ...]:
    """Return the parts of a page of hours: regular hours, closing days, the season's hours, which rule goes first.

    Args:
        opening: when the house is open; notices are no part of this page.
        language: the language of the page.
        variant: which wording.
        season: the name in the market's table of the season that has hours of its own.
    """
    parts = [_hours_part("regular", opening.hours, language, variant), _closing_part(opening, language, variant)]
    if opening.seasons:
        parts.append(_hours_part("season", opening.seasons, language, variant, season))
    return (*parts, _precedence(language, variant))


def _closing_part(opening: Opening, language: str, variant: int) -> Part:
    rules = opening.closures
    if not rules:
        stated = (Stated(closure_key(opening.hours[0].venue_id, "none"), True, "lines"),)
        return Part(_closing((), language, variant), stated)
    patterns = tuple(
        (rule.kind, rule.weekdays, rule.nth, rule.dates, rule.from_date, rule.to_date, rule.open_on_holidays)
        for rule in rules
    )
    stated = tuple(
        Stated(closure_key(rule.venue_id, rule.kind), closure_value(rule), f"lines.{number}")
        for number, rule in enumerate(rules)
    )
    return Part(_closing(patterns, language, variant), stated)


def _hours_part(
    section: Literal["regular", "season"],
    rows: Sequence[HoursRule] | Sequence[SeasonHours],
    language: str,
    variant: int,
    season: str = "",
) -> Part:
    lines = tuple((row.weekdays, row.hours) for row in rows)
    first = rows[0]
    dates = (first.from_date, first.to_date) if isinstance(first, SeasonHours) else None
    stated: list[Stated] = []
    for number, row in enumerate(rows):
        key = _row_key(row)
        stated += [Stated(f"{key}.{fact}", clock, slot) for fact, clock, slot in _clocks(row.hours, number)]
    return Part(_hours_text(section, lines, language, variant, season, dates), tuple(stated))


@cache
def _clocks(hours: ServiceHours, line: int) -> tuple[tuple[HoursFact, str, str], ...]:
    """The times of a service, each with the slot in which a line states it."""
    return tuple(
        (fact, clock, f"lines.{line}.{slot}") for fact, slot in _SLOTS.items() if (clock := getattr(hours, fact))
    )


@cache
def _hours_text(
    section: str, lines: _Lines, language: str, variant: int, season: str, dates: tuple[str, str] | None
) -> Text:
    rows = LinesSlot(tuple((_line(weekdays, hours, language, variant),) for weekdays, hours in lines))
    slots: dict[str, SlotValue] = {}
    if dates:
        slots = {
            "name": shared_table(f"text/{language}/{FILE}")["seasons"][season],
            "dates": RangeSlot(*dates, DATES),
        }
    return Text.of(FILE, f"section.{section}", language, variant, **slots, lines=rows)


def _line(weekdays: tuple[int, ...], hours: ServiceHours, language: str, variant: int) -> Text:
    label = Text.of(FILE, f"services.{hours.service}", language, variant)
    if len(weekdays) < 7:
        label = Text.of(
            FILE, "label_days", language, variant, service=label, days=_weekdays(weekdays, language, brief=True)
        )
    style: str = shared_table(f"text/{language}/{FILE}")["form"]["clocks"][variant]
    given = {"food": hours.last_order_food, "drinks": hours.last_order_drinks, "seating": hours.last_seating}
    last = {name: ServiceSlot(clock, style) for name, clock in given.items() if clock}
    return Text.of(
        FILE,
        "line",
        language,
        variant,
        label=label,
        open=ServiceSlot(hours.open, style),
        close=ServiceSlot(hours.close, style),
        orders=Text.of(FILE, f"orders.{'_'.join(last)}", language, variant, **last),
    )


@cache
def _closing(
    patterns: tuple[tuple[ClosureKind, tuple[int, ...], tuple[int, ...], tuple[str, ...], str, str, bool], ...],
    language: str,
    variant: int,
) -> Text:
    form: dict[str, str] = shared_table(f"text/{language}/{FILE}")["form"]
    lines: list[Text] = []
    for kind, weekdays, nth, dates, from_date, to_date, open_on_holidays in patterns:
        slots: dict[str, SlotValue] = {}
        wording = f"{kind}_open_holidays" if open_on_holidays else kind
        if weekdays:
            slots["days"] = _weekdays(weekdays, language)
        if nth:
            slots["nth"] = form["nth_join"].join(form["nth"][number - 1] for number in nth)
        if dates:
            days: list[SlotValue] = []
            for before, day in zip(("", *dates), dates, strict=False):
                style = form["next_dates"] if before[:4] == day[:4] else RULE_DATES
                days += (DateSlot(day, style), form["date_join"])
            slots["dates"] = LinesSlot((tuple(days[:-1]),))
        if from_date:
            slots["dates"] = RangeSlot(from_date, to_date, RULE_DATES)
        lines.append(Text.of(FILE, f"closed.{wording}", language, variant, **slots))
    if not lines:
        lines = [Text.of(FILE, "closed.none", language, variant)]
    return Text.of(FILE, "section.closing", language, variant, lines=LinesSlot(tuple((line,) for line in lines)))


@cache
def _precedence(language: str, variant: int) -> Part:
    return Part(Text.of(FILE, "section.precedence", language, variant))


@cache
def _weekdays(weekdays: tuple[int, ...], language: str, *, brief: bool = False) -> str:
    """Name weekdays; in brief, those that follow each other are a range."""
    form = shared_table(f"text/{language}/{FILE}")["form"]
    names = form["weekdays_short" if brief else "weekdays"]
    if not brief:
        return form["day_join"].join(names[day - 1] for day in weekdays)
    runs: list[list[int]] = []
    for day in weekdays:
        if runs and day == runs[-1][-1] + 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    pieces: list[str] = []
    for run in runs:
        if len(run) > 2:
            pieces.append(form["day_range"].format(a=names[run[0] - 1], b=names[run[-1] - 1]))
        else:
            pieces += [names[day - 1] for day in run]
    return form["short_join"].join(pieces)


# --- notices and the home page


def notice_parts(notice: Notice, language: str, variant: int) -> tuple[Part, ...]:
    """Return the part of a page that tells of a closure out of turn."""
    if notice.from_date == notice.to_date:
        dates: SlotValue = DateSlot(notice.from_date, DATES)
    else:
        dates = RangeSlot(notice.from_date, notice.to_date, DATES)
    reason = Text.of(FILE, f"reasons.{notice.reason}", language, variant)
    text = Text.of(FILE, f"notice.{notice.scope}", language, variant, dates=dates, reason=reason)
    key = notice_key(notice.venue_id, notice.from_date, notice.to_date)
    return (Part(text, (Stated(key, notice.scope),)),)


def home_parts(
    venue_id: str, name: str, address: str, landmark: str, phone: str, language: str, variant: int
) -> tuple[Part, ...]:
    """Return the part of a home page: a greeting with address, nearest landmark and telephone, as they are printed."""
    text = Text.of(FILE, "home", language, variant, name=name, address=address, landmark=landmark, phone=phone)
    stated = (Stated(address_key(venue_id), address, "address"), Stated(phone_key(venue_id), phone, "phone"))
    return (Part(text, stated),)
