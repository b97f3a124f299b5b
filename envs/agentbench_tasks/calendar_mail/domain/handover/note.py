"""The handover note as it stands at the end: which matters it lists, and whom it names for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.text.items import listed
from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.handover.build import Built
from agentbench_tasks.calendar_mail.domain.people import Person, address_forms
from agentbench_tasks.commons.contacts import Relation
from agentbench_tasks.commons.written import Written, written

_RELATIONS: tuple[Relation, ...] = ("client", "superior", "peer")


class Note(msgspec.Struct, frozen=True):
    """A mail that lists at least one matter."""

    mail: Written
    lists: Mapping[str, frozenset[str]]
    """By reference of each listed matter, the ids of the people named for it."""


def note_of(built: Built, world: World) -> Note | None:
    """Return the note of an episode, the latest where there are several; None if there is none."""
    threads = {matter.code: (matter.code, matter.object) for matter in built.matters}
    owners = owner_forms(built.owners)
    # Names of others are known as well: a name of one person may be a part of another's.
    people = {matter.requester.id: _names(matter.requester) for matter in built.matters} | owners
    written_at = {change.id: place for place, change in enumerate(world.journal)}
    for mail in sorted(written(world), key=lambda mail: written_at[mail.id], reverse=True):
        found = listed(mail.body, threads, people)
        if found:
            return Note(mail, {code: frozenset(named & set(owners)) for code, named in found.items()})
    return None


def owner_forms(people: Sequence[Person]) -> dict[str, list[str]]:
    """Return by id how people may be named in a note; what two of them could be called names neither."""
    forms = {person.id: list(dict.fromkeys(form for form in _forms(person) if form)) for person in people}
    shared = Counter(form for rows in forms.values() for form in rows)
    return {id: [form for form in rows if shared[form] == 1] for id, rows in forms.items()}


def _forms(person: Person) -> Iterator[str]:
    card, name = person.contact, person.name
    endings: list[str] = shared_table("handover")["courtesy_endings"]
    languages = tuple(dict.fromkeys((*card.languages, "en")))
    accepted = [*card.address_forms]
    for relation in _RELATIONS:
        accepted += address_forms(name, relation, card.title, languages)
    for form in accepted:
        yield form
        for ending in endings:
            bare = form.removesuffix(ending).strip()
            # A family name of one character is no name by itself.
            if len(bare) > 1:
                yield bare
    yield from (*_names(person), name.native.replace(" ", ""), name.given)
    yield from (
        name.given_latin,
        name.family_latin,
        f"{name.family_latin} {name.given_latin}",
        f"{name.family_latin}-san",
    )
    yield f"{name.given_latin} {name.family_latin}"


def _names(person: Person) -> list[str]:
    card = person.contact
    return [card.display_name, card.native_name, card.latin_name]
