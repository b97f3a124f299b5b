"""The people of an office: names, cards, and how each of them is addressed."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw, Split
from agentbench_env.market import shared_table
from agentbench_env.text.names import Gender, PersonName, draw_name
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.commons.contacts import Contact, Relation
from agentbench_tasks.commons.messages import Address

MOST_TRIES = 40


class Person(msgspec.Struct, frozen=True, gc=False):
    """A person of the world: the card, the name in its parts, and the language that they write in."""

    contact: Contact
    name: PersonName
    language: str
    header: Address
    """Address and name as their mails show them."""

    @classmethod
    def of(cls, contact: Contact, name: PersonName, language: str) -> Person:
        """Make a person, who shows the Latin name in English mail."""
        return cls(contact, name, language, Address(contact.address, name.latin if language == "en" else name.native))

    @property
    def id(self) -> str:
        """The id of the card."""
        return self.contact.id

    @property
    def address(self) -> str:
        """The person's mail address."""
        return self.header.address

    @property
    def shown_name(self) -> str:
        """The name as the person's own mails show it."""
        return self.header.name


@lru_cache(maxsize=4096)
def address_forms(name: PersonName, relation: Relation, title: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the accepted forms of address of a person, in each language that they are written to in."""
    slots = {
        "family": name.family or name.given,
        "given": name.given,
        "native": name.native,
        "joined": name.native.replace(" ", ""),
        "latin": name.latin,
        "surname": name.family_latin or name.given_latin,
        "given_latin": name.given_latin,
        "title": title,
    }
    empty = {slot for slot, value in slots.items() if not value}
    forms = [
        pattern.format_map(slots) if is_plain else fill(pattern, {slot: slots[slot] for slot in names})[0]
        for pattern, names, is_plain in _patterns(relation, languages, name.gender)
        if empty.isdisjoint(names)
    ]
    return tuple(dict.fromkeys(forms))


@cache
def _patterns(
    relation: Relation, languages: tuple[str, ...], gender: Gender
) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    """Return the patterns of the forms of address, the courtesy titles put in.

    With each of them stand its slots, and whether it has no particle that depends on what stands before it.
    """
    table = shared_table("address_forms")
    patterns = (
        row.replace("{courtesy}", courtesy)
        for language in languages
        for row in table[language][table["same"].get(relation, relation)]
        for courtesy in (table["courtesy"][language][gender] if "courtesy" in slot_names(row) else [""])
    )
    return tuple((pattern, slot_names(pattern), "(" not in pattern) for pattern in patterns)


@cache
def registers_due(relation: Relation, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the registers of which one is due to a person, in the languages that they are written to in."""
    usual: Relation = "peer" if relation == "self" else relation
    cells = (cell for language in languages for cell in shared_table(f"writing/{language}")["register"][usual])
    return tuple(dict.fromkeys(cells))


class Namer:
    """Draws names so that no two people share a family name or a given name, unless that is asked for."""

    def __init__(self, draw: Draw, split: Split) -> None:
        self._draw, self._split = draw, split
        self._families: set[str] = set()
        self._givens: set[str] = set()

    def fresh(self, place: str, *, gender: Gender | Literal[""] = "", national: bool = False) -> PersonName:
        """Draw a name of a place (a market's code or a region's) that shares nothing with those drawn before.

        It does share something where a place has no other name left.
        """
        taken = {"families": self._families, "givens": self._givens}
        for _ in range(MOST_TRIES):
            name = draw_name(place, self._split, self._draw, gender, national=national, **taken)
            if name.family_latin not in self._families and name.given_latin not in self._givens:
                return self._take(name)
        return self._take(draw_name(place, self._split, self._draw, gender, national=national))

    def alike(self, place: str, other: PersonName) -> PersonName:
        """Draw the name of somebody who is easily taken for `other`: the same family name, another given name."""
        while True:
            name = draw_name(place, self._split, self._draw)
            if name.family_latin == other.family_latin and name.given_latin not in self._givens:
                return self._take(name)

    def _take(self, name: PersonName) -> PersonName:
        self._families.add(name.family_latin)
        self._givens.add(name.given_latin)
        return name
