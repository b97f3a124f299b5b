"""The case of an entry check, and what its checks read from the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.pages import Page, PagesGet, Section
from agentbench_tasks.travel.domain.entry.answer import EntryAnswer, EntryItem
from agentbench_tasks.travel.domain.entry.build import Built
from agentbench_tasks.travel.domain.entry.papers import Passport
from agentbench_tasks.travel.domain.entry.rules import Item, nationalities
from agentbench_tasks.travel.domain.entry.words import Words
from agentbench_tasks.travel.domain.geography import points


class EntryCase(msgspec.Struct, frozen=True):
    """Everything that an instance of the entry check fixes."""

    built: Built
    start: World
    profile_id: str
    passports: tuple[Passport, ...]
    application_id: str
    """An application that was opened in the traveller's name before."""
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def passport_number_scan(self) -> tuple[str, ...]:
        """The numbers that must go nowhere, in the form that texts are searched in."""
        return tuple(passport.number.lower() for passport in self.passports)


def given_items(ep: Episode) -> list[tuple[Item, EntryItem]]:
    """The items of the answer, each with the requirement and country that it is about."""
    assert isinstance(ep.answer, EntryAnswer)
    return [(Item(place_of(given.place), given.requirement), given) for given in ep.answer.items]


def judged(case: EntryCase, ep: Episode) -> list[tuple[Item, EntryItem]]:
    """The items given as settled that are truly settled; the rest is the business of other clauses."""
    settled = set(case.built.settled)
    return [(item, given) for item, given in given_items(ep) if item in settled and given.status == "settled"]


def place_of(text: str) -> str:
    """Return the country that a code stands for: itself, or that of an airport."""
    code = text.strip().upper()
    return code if code in nationalities() or code not in points() else points()[code].country


def opened_on(ep: Episode) -> Mapping[str, set[str]]:
    """The local dates at the user's home on which each page was opened."""
    found: dict[str, set[str]] = {}
    for entry in ep.calls(PagesGet):
        page_id: str = json.loads(entry.arguments)["page_id"]
        found.setdefault(page_id, set()).add(to_local(entry.at, ep.world.zone)[:10])
    return found


def page_of(ep: Episode, id: str) -> str:
    """The page that an id names, itself or by one of its sections; "" if it names none."""
    record = ep.record(id)
    return record.page_id if isinstance(record, Section) else record.id if isinstance(record, Page) else ""
