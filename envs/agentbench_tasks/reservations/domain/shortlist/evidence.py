"""The user's rule of evidence: what a house's own words and its guests' reviews establish of each attribute."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Literal, NamedTuple

import msgspec

from agentbench_env.claims import Fact
from agentbench_tasks.reservations.domain.menu_page import band_key
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.rooms_page import (
    PrivateRoom,
    Seat,
    capacity_key,
    noise_key,
    room_key,
    seating_key,
    seating_value,
)

Attribute = Literal["price_band", "seating", "noise", "private_room"]
ATTRIBUTES: tuple[Attribute, ...] = ("price_band", "seating", "noise", "private_room")


class Room(NamedTuple):
    """A private room and for how many it is, 0 where nobody says."""

    kind: PrivateRoom
    capacity: int = 0


Seats = tuple[Seat, ...]
Value = str | Room | Seats
"""A band, a noise, a room, or the kinds of seats in the order of their names."""


class Own(msgspec.Struct, frozen=True):
    """What a house says of an attribute; `page_id` is "" where its listing alone says it."""

    value: Value
    page_id: str


class Visit(msgspec.Struct, frozen=True):
    """What a guest tells of an attribute after a visit; of seats, the one kind that the guest had."""

    review_id: str
    on: str
    attribute: Attribute
    value: Value


class Known(msgspec.Struct, frozen=True):
    """Everything that is written of a house where the user may look."""

    place: Place
    own: dict[Attribute, Own]
    visits: tuple[Visit, ...]


class Established(msgspec.Struct, frozen=True):
    """What the evidence establishes, and where it stands: on a page, in reviews or, without either, in the listing."""

    value: Value
    needs: tuple[Fact, ...]
    page_id: str = ""
    review_ids: tuple[str, ...] = ()


def year_before(today: str) -> str:
    """The first day of which a visit is not more than twelve months old."""
    day = date.fromisoformat(today)
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap else day.day).isoformat()


def in_age(visited_on: str, renovated_on: str, today: str) -> bool:
    """Whether a visit is recent enough to count, and not from before a refit."""
    return max(year_before(today), renovated_on) <= visited_on <= today


def overruled(visit: Visit, known: Known, today: str) -> bool:
    """Whether a visit says something that does not count: too old, or against the house or a later visit."""
    if not in_age(visit.on, known.place.renovated_on, today):
        return True
    own = known.own.get(visit.attribute)
    if visit.attribute == "seating":
        return own is not None and visit.value not in tuple(own.value)
    if own is not None:
        return visit.value != own.value
    later = (other for other in _counting(known, visit.attribute, today) if other.on > visit.on)
    return any(other.value != visit.value for other in later)


def established(known: Known, today: str) -> dict[Attribute, Established]:
    """What the evidence establishes of a house on a day."""
    found: dict[Attribute, Established] = {}
    for attribute in ATTRIBUTES:
        if one := _established(known, attribute, today):
            found[attribute] = one
    return found


def _established(known: Known, attribute: Attribute, today: str) -> Established | None:
    id = known.place.id
    own = known.own.get(attribute)
    if own:
        return Established(own.value, tuple(_needs(id, attribute, own.value)), own.page_id)
    visits = _counting(known, attribute, today)
    if not visits:
        return None
    if attribute == "seating":
        by_seat = {str(visit.value): visit for visit in visits}
        seats = sorted(by_seat)
        facts = tuple((f"{seating_key(id)}.{seat}", True) for seat in seats)
        return Established(tuple(seats), facts, "", tuple(by_seat[seat].review_id for seat in seats))  # type: ignore[arg-type]
    latest = visits[-1]
    return Established(latest.value, tuple(_needs(id, attribute, latest.value)), "", (latest.review_id,))


def _counting(known: Known, attribute: Attribute, today: str) -> list[Visit]:
    """The visits that may speak for an attribute, the latest one last."""
    renovated = known.place.renovated_on
    found = [v for v in known.visits if v.attribute == attribute and in_age(v.on, renovated, today)]
    return sorted(found, key=lambda visit: visit.on)


def _needs(venue_id: str, attribute: Attribute, value: Value) -> Iterator[Fact]:
    match attribute:
        case "price_band":
            yield band_key(venue_id), value
        case "noise":
            yield noise_key(venue_id), value
        case "seating":
            assert isinstance(value, tuple)
            yield seating_key(venue_id), seating_value(value)  # type: ignore[arg-type]
        case "private_room":
            assert isinstance(value, Room)
            yield room_key(venue_id), value.kind
            if value.capacity:
                yield capacity_key(venue_id), value.capacity
