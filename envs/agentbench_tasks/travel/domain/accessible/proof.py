"""The proof that one room is right: reads the records alone, as anybody could who opened every page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.accessible.plot import Wish
from agentbench_tasks.travel.domain.records_stays import ListingSection, Property, Rate, RoomType


def prove(
    wish: Wish, records: Sequence[Record], answer: ListingSection | None, right: tuple[str, str]
) -> dict[str, str]:
    """Return for each need the section that states it for the right room; raise NoFit unless it is the only one.

    An `answer` is what a house adds once it is asked: without it no room may be right.
    """
    found = evidenced(wish, records)
    if answer is not None:
        if found:
            raise NoFit
        found = evidenced(wish, [*records, answer])
    if set(found) != {right}:
        raise NoFit
    return found[right]


def evidenced(wish: Wish, records: Iterable[Record]) -> dict[tuple[str, str], dict[str, str]]:
    """Return every house and room that can be had and that states each need, with the sections that do."""
    houses, sold = set[str](), set[str]()
    rooms: list[RoomType] = []
    stated: dict[str, list[tuple[str, str, str]]] = {}
    kinds = {need.kind: need for need in wish.needs}
    for record in records:
        if isinstance(record, Property) and _in_district(record, wish):
            houses.add(record.id)
        elif isinstance(record, RoomType) and record.max_guests >= wish.party.size:
            rooms.append(record)
        elif isinstance(record, Rate) and _can_be_had(record, wish):
            sold.add(record.room_type_id)
        elif isinstance(record, ListingSection) and _counts(record):
            for fact in record.stated:
                subject, _, kind = fact.key.partition(".")
                if kind in kinds:
                    stated.setdefault(subject, []).append((kind, str(fact.value), record.id))
    found: dict[tuple[str, str], dict[str, str]] = {}
    for room in rooms:
        if room.id not in sold or room.property_id not in houses:
            continue
        stating: dict[str, str] = {}
        for kind, value, section in (*stated.get(room.id, ()), *stated.get(room.property_id, ())):
            # What is stated twice has to meet the need both times.
            stating[kind] = stating.get(kind, section) if kinds[kind].met_by(value) else ""
        if len(stating) == len(kinds) and all(stating.values()):
            found[room.property_id, room.id] = stating
    return found


def _in_district(house: Property, wish: Wish) -> bool:
    return (house.city_id, house.district_id) == (wish.city_id, wish.district_id)


def _can_be_had(rate: Rate, wish: Wish) -> bool:
    asked = rate.stay[1:] == wish.stay and rate.rooms_left > 0
    return asked and all(night.shown.minor <= wish.ceiling.minor for night in rate.nights)


def _counts(section: ListingSection) -> bool:
    return section.author != "guest" and not section.superseded_by
