"""For which parties, days, services and bookings a rule of a page holds: in words, and as part of a fact's key."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache, reduce
from typing import Any, Literal

from agentbench_env.market import shared_table
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Text, TimeSlot
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.venue import Service

FILE = "town_conditions"
_SHORTEST_SPAN = 3
"""Weekdays in a row from which on they are written as a span."""


@lru_cache(maxsize=4096)
def scope_of(
    party: PartyRange = ANY_PARTY,
    weekdays: tuple[int, ...] = (),
    services: tuple[str, ...] = (),
    dates: tuple[str, ...] = (),
    *more: str,
) -> str:
    """Return what a rule holds for, as keys name it, e.g. "7-0/67/dinner"."""
    days = "".join(map(str, weekdays))
    return "/".join(filter(None, (f"{party.min}-{party.max}", days, *services, *dates, *more)))


@lru_cache(maxsize=4096)
def conditions(
    language: str,
    party: PartyRange = ANY_PARTY,
    weekdays: tuple[int, ...] = (),
    services: tuple[Service, ...] = (),
    dates: tuple[str, ...] = (),
    *more: SlotValue,
) -> SlotValue:
    """Say for whom a rule holds, as it stands before the word for bookings; `more` are further conditions."""
    words: list[SlotValue] = []
    if dates:
        said = joined([DateSlot(day, "month_day") for day in dates], language)
        words += [phrase("on_dates", language, dates=said)]
    words += [phrase("on_days", language, days=days_in_words(weekdays, language))] if weekdays else []
    words += [phrase(f"services.{service}", language) for service in services]
    words += [_party(party, language)] if party != ANY_PARTY else []
    if not words and not more:
        return phrase("all", language)
    return phrase("some", language, a=joined((*words, *more), language, "pair"))


def _party(party: PartyRange, language: str) -> Text:
    least, most = party.min, party.max
    if not most:
        return phrase("party.from", language, least=least)
    if least == most:
        return phrase("party.exactly", language, least=least)
    if least <= 1:
        return phrase("party.upto", language, most=most)
    return phrase("party.span", language, least=least, most=most)


def phrase(kind: str, language: str, **slots: SlotValue) -> Text:
    """Make a phrase of this file, of which each language has one wording."""
    return Text.of(FILE, kind, language, 0, **slots)


def joined(values: Sequence[SlotValue], language: str, kind: Literal["pair", "list"] = "list") -> SlotValue:
    """Join values to one: a pair of conditions as one phrase, a list as the language lists things."""
    *first, last = values
    if not first:
        return last
    rest = reduce(lambda a, b: phrase(kind, language, a=a, b=b), first)
    return phrase("last" if kind == "list" else kind, language, a=rest, b=last)


@cache
def days_in_words(weekdays: tuple[int, ...], language: str) -> str:
    """Write ISO weekdays, those in a row as a span."""
    form: dict[str, Any] = shared_table(f"text/{language}/{FILE}")["days"]
    if len(set(weekdays)) == 7:
        return form["daily"]
    names: list[str] = []
    for run in _runs(sorted(set(weekdays))):
        if len(run) >= _SHORTEST_SPAN:
            first, last = form["names"][run[0] - 1], form["ends"][run[-1] - 1]
            names.append(form["span"].replace("{first}", first).replace("{last}", last))
        else:
            names += [form["names"][day - 1] for day in run]
    return form["join"].join(names)


def _runs(days: list[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for day in days:
        if runs and runs[-1][-1] == day - 1:
            runs[-1].append(day)
        else:
            runs.append([day])
    return runs


def time_of(clock: str, language: str) -> TimeSlot:
    """Return a time of day as pages of shops write it."""
    return TimeSlot(clock, _time_style(language))


@cache
def _time_style(language: str) -> str:
    return shared_table(f"text/{language}/{FILE}")["form"]["time_style"]
