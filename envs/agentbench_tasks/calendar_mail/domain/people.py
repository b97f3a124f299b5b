"""The people of an office: names, cards, and how each of them is addressed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.text.names import Gender, PersonName
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.commons.contacts import Contact, Relation


class Person(msgspec.Struct, frozen=True, gc=False):
    """A person of the world: the card, the name in its parts, and the language that they write in."""

    contact: Contact
    name: PersonName
    language: str

    @property
    def id(self) -> str:
        """The id of the card."""
        return self.contact.id

    @property
    def address(self) -> str:
        """The person's mail address."""
        return self.contact.address

    @property
    def shown_name(self) -> str:
        """The name as the person's own mails show it."""
        return self.name.latin if self.language == "en" else self.name.native


@lru_cache(maxsize=4096)
def address_forms(name: PersonName, relation: Relation, title: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the accepted forms of address of a person, in each language that they are written to in."""
    forms = (form for language in languages for form in _forms(name, relation, title, language))
    return tuple(dict.fromkeys(forms))


def _forms(name: PersonName, relation: Relation, title: str, language: str) -> Iterable[str]:
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
    for pattern, names, is_plain in _patterns(relation, language, name.gender):
        if all(slots[slot] for slot in names):
            yield pattern.format_map(slots) if is_plain else fill(pattern, {slot: slots[slot] for slot in names})[0]


@cache
def _patterns(relation: Relation, language: str, gender: Gender) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    """Return the patterns of the forms of address, the courtesy titles put in.

    With each of them stand its slots, and whether it has no particle that depends on what stands before it.
    """
    table = shared_table("address_forms")
    rows: list[str] = table[language][table["same"].get(relation, relation)]
    courtesies: Mapping[str, list[str]] = table["courtesy"].get(language, {})
    patterns = (
        row.replace("{courtesy}", courtesy)
        for row in rows
        for courtesy in (courtesies[gender] if "courtesy" in slot_names(row) else [""])
    )
    return tuple((pattern, slot_names(pattern), "(" not in pattern) for pattern in patterns)


@cache
def registers_due(relation: Relation, languages: tuple[str, ...]) -> tuple[str, ...]:
    """Return the registers of which one is due to a person, in the languages that they are written to in."""
    usual: Relation = "peer" if relation == "self" else relation
    cells = (cell for language in languages for cell in shared_table(f"writing/{language}")["register"][usual])
    return tuple(dict.fromkeys(cells))
