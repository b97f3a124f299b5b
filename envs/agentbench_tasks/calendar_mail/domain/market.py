"""What a market fixes for its offices: hours, titles, departments, mail systems, limits; read from `calendar_mail`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec

from agentbench_env.market import market_codes, market_table
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.commons.contacts import DayHours, Week

Names = dict[str, str]
"""A name by language."""


class OfficeHours(NamedTuple):
    """The working hours of a house or place, and when its people can meet others."""

    working: Week
    meeting: Week


class Break(msgspec.Struct, frozen=True):
    """Time that is kept free of meetings on some weekdays."""

    kind: str
    weekdays: tuple[int, ...]
    start: str = msgspec.field(name="from")
    end: str = msgspec.field(name="to")


class Absence(msgspec.Struct, frozen=True):
    """When a half-day off in the afternoon begins, and what it is called."""

    pm_half_day: str
    names: Names


class RecallChances(msgspec.Struct, frozen=True):
    """How often a firm of the market uses each mail system, and what its administrator may have switched."""

    systems: dict[str, float]
    read_switch: tuple[bool, ...]


class Approval(msgspec.Struct, frozen=True):
    """Who may approve how much, in minor units, and how tax is spoken of."""

    staff: int
    head: int
    includes_tax: bool
    tax: str
    words: dict[str, Names]


class Title(msgspec.Struct, frozen=True):
    """A title by language, where it stands in the line, and the limit that goes with it."""

    line: Literal["colleague", "superior"]
    approves: Literal["none", "staff", "head"]
    names: Names
    female: Names = {}

    def name(self, language: str, gender: str) -> str:
        """The title of somebody in a language that the firm writes; English where it has no other."""
        forms = {**self.names, **(self.female if gender == "female" else {})}
        return forms.get(language, forms["en"])


class WriteLanguages(msgspec.Struct, frozen=True):
    """The languages in which some people of the market write and are written to, the first one their own."""

    write: tuple[str, ...]
    weight: int


class Contacts(msgspec.Struct, frozen=True):
    """How people of the market write."""

    languages: tuple[WriteLanguages, ...]


class Titles(msgspec.Struct, frozen=True):
    """The ladder of a firm, the lowest first."""

    rows: tuple[Title, ...]


class Towns(msgspec.Struct, frozen=True):
    """Where firms sit."""

    towns: tuple[Names, ...]


class OfficeMarket(msgspec.Struct, frozen=True):
    """The table `calendar_mail` of a market."""

    absence: Absence
    recall: RecallChances
    approval: Approval
    contacts: Contacts
    titles: Titles
    departments: dict[str, Names]
    offices: Towns
    breaks: tuple[Break, ...] = ()
    page_parts: dict[str, Names] = {}
    """By language, the parts of house pages that stand for others of the same page."""


@cache
def office_market(code: str) -> OfficeMarket:
    """Return what a market fixes for its offices."""
    return msgspec.convert(market_table(code, "calendar_mail"), OfficeMarket)


@cache
def breaks_of(code: str) -> Week:
    """Return the hours of each weekday that a market's offices keep free of meetings."""
    spans = {weekday: (one.start, one.end) for one in office_market(code).breaks for weekday in one.weekdays}
    return tuple(DayHours(weekday, (spans[weekday],)) for weekday in sorted(spans))


@cache
def office_hours(place: str) -> OfficeHours:
    """Return the hours of offices in a market or a place abroad."""
    if place in market_codes():
        hours = market_table(place, "calendar_mail")["hours"]
        return OfficeHours(_week(hours["working"]), _week(hours["meeting"]))
    abroad = place_of(place)
    return OfficeHours(_week(abroad.working), _week(abroad.meeting))


@cache
def official_hours(place: str) -> OfficeHours:
    """Return the hours of public bodies in a market."""
    week = _week(market_table(place, "calendar_mail")["official_hours"]["working"])
    return OfficeHours(week, week)


def _week(table: Mapping[str, Any]) -> Week:
    """Read a week from spans by weekday, "mon" to "sun"; weekdays left out are days off."""
    days = enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), 1)
    return tuple(
        DayHours(number, tuple((start, end) for start, end in table[day])) for number, day in days if table.get(day)
    )
