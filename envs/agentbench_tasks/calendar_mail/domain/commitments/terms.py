"""By when something is promised: the day, and how a mail says it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import Calendar

Form = Literal["none", "date", "tomorrow", "day_after", "weekday", "next_monday", "month_end", "working"]
RELATIVE: tuple[Form, ...] = ("tomorrow", "day_after", "weekday", "next_monday", "month_end", "working")
NEAR: tuple[Form, ...] = ("tomorrow", "day_after", "weekday", "next_monday")
"""Forms that come out a day later, or mean nothing, on the calendar of somebody for whom it is already tomorrow."""
LAST_DAY = date(2026, 12, 31)
STYLES = 3


class Term(msgspec.Struct, frozen=True, gc=False):
    """A day as it is said: in which words, and which day that is ("" if none was named)."""

    form: Form
    iso: str = ""
    number: int = 0
    """The ISO weekday of `weekday`, the number of days of `working`."""
    style: int = 0
    """Which of the language's ways to write a date is used."""


NO_TERM = Term("none")


def meant(form: Form, number: int, written_on: date, calendar: Calendar) -> date:
    """Return the day that words mean when they are written on a day of the writer's own calendar."""
    match form:
        case "tomorrow":
            return written_on + timedelta(1)
        case "day_after":
            return written_on + timedelta(2)
        case "weekday":
            return written_on + timedelta(number - written_on.isoweekday())
        case "next_monday":
            return written_on + timedelta(8 - written_on.isoweekday())
        case "month_end":
            return (written_on.replace(day=1) + timedelta(32)).replace(day=1) - timedelta(1)
        case "working":
            return calendar.add_open(written_on, number)
        case _:
            raise ValueError(f"{form} says no day by itself")


def dated(draw: Draw, day: date) -> Term:
    """Say a day by its date."""
    return Term("date", day.isoformat(), style=draw.int(0, STYLES - 1))


def relative(draw: Draw, forms: tuple[Form, ...], written_on: date, calendar: Calendar) -> Term | None:
    """Say a day in words that count from the day of writing; None if the drawn words do not fit that day."""
    form = draw.choice(forms)
    number = 0
    if form == "weekday":
        number = draw.int(written_on.isoweekday() + 1, 5)
        if written_on.isoweekday() > 3:
            return None
    if form == "working":
        number = draw.int(3, 7)
    if form == "month_end" and written_on.day > 26:
        return None
    day = meant(form, number, written_on, calendar)
    if day > LAST_DAY or (form == "working" and not _settled(written_on, day, calendar)):
        return None
    return Term(form, day.isoformat(), number)


def _settled(first: date, last: date, calendar: Calendar) -> bool:
    days = ((first + timedelta(n)) for n in range((last - first).days + 1))
    return all(calendar.is_settled(day) for day in days)
