"""Places abroad where people write English to the user, and the invented firms of every place and market."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_codes, market_table, shared_table

FirmKind = Literal["clients", "vendors", "officials", "partners", "employers"]


class Place(msgspec.Struct, frozen=True):
    """A city abroad. `code` names its public days and its people, as `load_country` and `draw_name` take it."""

    code: str
    country: str
    """ISO 3166 code of two letters."""
    city: str
    zone: str
    language: str
    titles: Mapping[str, Sequence[str]]
    """By gender, the usual one first."""
    working: Mapping[str, Any]
    """Usual working hours: spans by weekday, "mon" to "sun"."""
    meeting: Mapping[str, Any]
    """Hours at which meetings are accepted, of the same form."""


class Firm(msgspec.Struct, frozen=True, gc=False):
    """An invented organisation."""

    native: str
    """The name in the language of its place; the English name where that is the same."""
    english: str
    domain: str
    place: str
    """The code of its market or place abroad."""
    kind: str


@cache
def places() -> tuple[Place, ...]:
    """The places abroad."""
    rows: Mapping[str, Any] = shared_table("foreign")["places"]
    return tuple(msgspec.convert({**row, **row["hours"], "code": code}, Place) for code, row in rows.items())


def place_of(code: str) -> Place:
    """The place abroad with this code."""
    found = {place.code: place for place in places()}
    if code not in found:
        raise WrongArgument("place", code, found)
    return found[code]


@cache
def firms(place: str, kind: FirmKind) -> tuple[Firm, ...]:
    """The firms of one kind in a market or a place abroad; `Draw.pool` cuts them by split.

    Every market has all kinds; places abroad have clients, vendors and partners.
    """
    if place in market_codes():
        rows = market_table(place, "orgs_office")[kind]
    else:
        rows = shared_table("foreign")["places"][place_of(place).code]["firms"].get(kind, ())
    return tuple(_firm(row, place, kind) for row in rows)


def _firm(row: str, place: str, kind: FirmKind) -> Firm:
    """Read a row of the form native/English/domain, or name/domain where one name serves for both."""
    *names, domain = row.split("/")
    return Firm(names[0], names[-1], f"{domain}.example", place, kind)
