"""Entry rules: what each country asks of a nationality, read from the fixtures, and what is looked up of them."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any, Literal

import msgspec

from agentbench_env.market import market_table, shared_table

Requirement = Literal["visa_or_stay", "passport_validity", "prearrival", "transit_permission"]
Gap = Literal["silent", "conflict", "expires_before_travel", "discretion", "under_revision"]
Document = Literal["ordinary", "emergency"]
BORDER: tuple[Requirement, ...] = ("visa_or_stay", "passport_validity", "prearrival")
AIRSIDE: tuple[Requirement, ...] = ("transit_permission",)


class Value(msgspec.Struct, frozen=True, gc=False):
    """What an authority requires: a rule, a number of days or months ("" for none), and the code of a form."""

    rule: str
    number: str = ""
    form: str = ""

    def __str__(self) -> str:
        return "|".join((self.rule, self.number, self.form))


def parse_value(text: str) -> Value:
    """Read a value from its canonical text."""
    return Value(*text.split("|"))


class Item(msgspec.Struct, frozen=True, gc=False, order=True):
    """A requirement at one place, which is a country."""

    place: str
    requirement: Requirement

    def key(self, nationality: str) -> str:
        """The fact key of what is required of a nationality."""
        return f"{self.about}.{nationality}"

    @property
    def about(self) -> str:
        """What the fact keys of the requirement begin with."""
        return f"entry.{self.place}.{self.requirement}"


class Row(msgspec.Struct, frozen=True, gc=False):
    """A row of an authority's rules and whom it concerns; `joint` rows hold for all whom no other row names."""

    requirement: Requirement
    kind: str
    """Which sentence states it."""
    value: Value
    nationalities: tuple[str, ...]
    others: tuple[str, ...]
    until: str = ""


class Country(msgspec.Struct, frozen=True):
    """What is fixed about a country of the routes."""

    code: str
    zone: str
    airports: tuple[str, ...]
    authority: dict[str, str]
    rows: tuple[Row, ...]
    transit_hours: int
    form: str
    """A form of its portal, "" if it has none."""

    def row(self, item: Item, nationality: str) -> Row:
        """Return the row that concerns a nationality."""
        rows = [row for row in self.rows if row.requirement == item.requirement]
        named = [row for row in rows if nationality in row.nationalities]
        return (named or [row for row in rows if not row.nationalities])[0]

    def concerned(self, row: Row) -> tuple[str, ...]:
        """The nationalities of the suite whom a row concerns."""
        if row.nationalities:
            return row.nationalities
        named = {n for other in self.rows if other.requirement == row.requirement for n in other.nationalities}
        return tuple(n for n in nationalities() if n not in named and n != self.code)


@cache
def nationalities() -> tuple[str, ...]:
    """The countries of the routes, whose nationals are travellers."""
    return tuple(shared_table("entry")["nationalities"])


@cache
def country(code: str) -> Country:
    """Return a country's rules."""
    table = market_table(code, "entry")
    rows = [_row("visa_or_stay", _stay, row) for row in table["stay"]]
    rows += [_row("passport_validity", _validity, row) for row in table["validity"]]
    rows += [_row("prearrival", _arrival, row) for row in table["arrival"]]
    return Country(
        code,
        market_table(code, "market")["zone"],
        tuple(shared_table("entry")["airports"][code]),
        table["authority"]["names"],
        tuple(rows),
        table["transit"]["hours"],
        next((row["form"] for row in table["arrival"] if row.get("form")), ""),
    )


def _row(requirement: Requirement, read: Any, row: dict[str, Any]) -> Row:
    kind, value = read(row)
    until = row.get("until", "")
    return Row(requirement, kind, value, tuple(row["nationalities"]), tuple(row.get("others", ())), until)


def _stay(row: dict[str, Any]) -> tuple[str, Value]:
    if row["rule"] == "not_required":
        return "stay_exempt_until" if "until" in row else "stay_exempt", Value("not_required", str(row["days"]))
    if row["rule"] == "on_arrival":
        return "stay_arrival", Value("on_arrival", str(row["days"]))
    return ("stay_officer", Value("not_required")) if row["rule"] == "officer" else ("stay_visa", Value(row["rule"]))


def _validity(row: dict[str, Any]) -> tuple[str, Value]:
    if row["rule"] == "whole_stay":
        return "validity_stay", Value("whole_stay")
    return "validity_months", Value("months_after_arrival", str(row["months"]))


def _arrival(row: dict[str, Any]) -> tuple[str, Value]:
    if row["rule"] == "none":
        return "arrival_none", Value("not_needed")
    return f"arrival_{row['rule']}", Value("needed", str(row["days"]), row["form"])


TRANSIT_FREE = Value("not_needed")
"""What is asked of passengers who stay airside within the hours that the country allows."""


def plain_kind(value: Value, kind: str) -> str:
    """Which sentence states a value without any limit of time, given the kind of sentence that states the rule."""
    if value.rule == "not_required":
        return "stay_exempt" if value.number else "stay_officer"
    if value.rule in ("on_arrival", "visa_required"):
        return "stay_arrival" if value.rule == "on_arrival" else "stay_visa"
    if value.rule in ("months_after_arrival", "whole_stay"):
        return "validity_months" if value.number else "validity_stay"
    if value.rule == "needed":
        return kind if kind == "arrival_authorisation" else "arrival_card"
    return "transit_free" if kind == "transit_free" else "arrival_none"


def add_months(day: date, months: int) -> date:
    """Return the same day some months later, or the last one of that month if it has no such day."""
    year, month = divmod(day.month - 1 + months, 12)
    for last in (day.day, 30, 29, 28):
        try:
            return date(day.year + year, month + 1, last)
        except ValueError:
            continue
    raise AssertionError(f"no month has fewer than 28 days: {day}")
