"""Markets as data: `load_market`, the tables of a market or of all markets, and the days of regions abroad.

Everything a market fixes stands in the TOML files of `agentbench_markets`; no program text knows a market by its code.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from datetime import date
from difflib import get_close_matches
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import msgspec

from agentbench_env.errors import AgentbenchError

SECTORS = ("private", "government", "banks", "schools")
"""The sectors that a holiday row may apply to."""


class UnknownMarket(AgentbenchError, ValueError):
    """A market code that is none of the six."""


class UnknownTable(AgentbenchError, LookupError):
    """A market table that has no file."""


class HolidayRow(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One line of a country's list of days, the noise of real lists included."""

    date: date
    name_local: str
    name_en: str
    kind: str
    """statutory, substitute, bridge, transferred, election, special, observance, bank_only or government_only."""
    source_label: str
    applies_to: tuple[str, ...] = SECTORS
    status: str = "confirmed"
    """confirmed, estimate or superseded."""
    replaces: str = ""
    """The date of the superseded row whose place this row takes, "" if none."""


class Market(msgspec.Struct, frozen=True):
    """What one market fixes for every domain. Weekdays are ISO numbers, Monday = 1."""

    code: str
    name: str
    zone: str
    currency: str
    digits: int
    """Decimal digits of the currency's minor unit."""
    languages: tuple[str, ...]
    """The main local language first."""
    prompt_languages: tuple[str, ...]
    """Local languages that a user of this market may write in, the usual one first."""
    weekend: tuple[int, ...]
    short_days: tuple[int, ...]
    """Weekdays that are shorter than the others and still count as working days."""
    year_systems: tuple[str, ...]

    @property
    def prompt_language(self) -> str:
        """The local language of prompts, unless the instance chooses another of `prompt_languages`."""
        return self.prompt_languages[0]

    def holidays(self, start: date, end: date) -> tuple[HolidayRow, ...]:
        """The rows from `start` to `end`, both included, by date; estimates and superseded rows too."""
        return _holidays(self.code, start, end)


class Region(msgspec.Struct, frozen=True):
    """A country or a part of one that is no market, known by its days only: contacts of a user may live there."""

    code: str
    """ISO 3166 code of the country, with that of its part where parts differ, "GB-ENG"."""
    name: str
    weekend: tuple[int, ...]

    def holidays(self, start: date, end: date) -> tuple[HolidayRow, ...]:
        """The rows of 2026 from `start` to `end`, both included, by date; those of no day off too."""
        return _holidays(self.code, start, end)


@lru_cache(maxsize=1)
def market_codes() -> tuple[str, ...]:
    """The codes of the six markets, in the order of the contracts."""
    return tuple(tomllib.loads(files("agentbench_env").joinpath("contracts.toml").read_text("utf-8"))["markets"])


@cache
def load_market(code: str) -> Market:
    """The market with this code; raises `UnknownMarket` for any other."""
    return msgspec.convert(market_table(code, "market"), Market)


@lru_cache(maxsize=1)
def country_codes() -> tuple[str, ...]:
    """The codes of all countries and regions whose holidays are known, the six markets first."""
    return (*market_codes(), *shared_table("holidays_abroad")["regions"])


@cache
def load_country(code: str) -> Market | Region:
    """The market or the region abroad with this code; raises `UnknownMarket` for any other."""
    region = shared_table("holidays_abroad")["regions"].get(code)
    if region is None:
        return load_market(code)
    return Region(code, region["name"], tuple(region["weekend"]))


@cache
def market_table(code: str, name: str) -> Mapping[str, Any]:
    """The table `name` ("travel", "text/ko/travel") of a market, parsed once and shared: read it, never change it."""
    codes = market_codes()
    if code not in codes:
        near = get_close_matches(str(code).upper(), codes, n=1, cutoff=0.4)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UnknownMarket(f"market is {code!r}; it must be one of: {', '.join(codes)}.{hint}")
    return _parsed(code.lower(), name)


@cache
def shared_table(name: str) -> Mapping[str, Any]:
    """The table `name` that belongs to no single market, parsed once and shared: read it, never change it."""
    return _parsed("shared", name)


def _parsed(folder: str, name: str) -> Mapping[str, Any]:
    file = files("agentbench_markets").joinpath(folder, *f"{name}.toml".split("/"))
    if not file.is_file():
        raise UnknownTable(f"there is no table {name!r}: agentbench_markets/{folder}/{name}.toml is missing")
    return tomllib.loads(file.read_text("utf-8"))


def _holidays(code: str, start: date, end: date) -> tuple[HolidayRow, ...]:
    rows, dates = _holiday_rows(code)
    return rows[bisect_left(dates, start) : bisect_right(dates, end)]


@cache
def _holiday_rows(code: str) -> tuple[tuple[HolidayRow, ...], list[date]]:
    if code in market_codes():
        table = market_table(code, "holidays")
        listed = table["curated"]["rows"] + table["library"]["rows"]
    else:
        listed = shared_table("holidays_abroad")["regions"][code]["rows"]
    found = msgspec.convert(listed, list[HolidayRow])
    rows = tuple(sorted(found, key=lambda row: row.date))
    return rows, [row.date for row in rows]
