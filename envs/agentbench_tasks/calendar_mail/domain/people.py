"""The people of an office: names, cards, and how each of them is addressed."""

from __future__ import annotations

from functools import cache, lru_cache

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.text.names import Gender, PersonName
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.commons.contacts import Contact, Relation
from agentbench_tasks.commons.messages import Address


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
