"""What a house states of noise, seating and its private room, on its page of rooms or in its listing."""

from __future__ import annotations

from functools import cache
from typing import Literal

from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.commons.texts import CountSlot, DateSlot, SlotValue, Stated, Text
from agentbench_tasks.reservations.domain.publishing import Part

FILE = "rooms_page"
Noise = Literal["quiet", "moderate", "loud"]
Seat = Literal["table", "counter", "sofa", "floor", "sunken_floor", "terrace"]
PrivateRoom = Literal["none", "partial", "closed_room"]


class Rooms(Record, frozen=True, gc=False):
    """What a house states of its rooms; empty where it says nothing."""

    venue_id: str
    page_id: str
    noise: Noise | Literal[""] = ""
    seating: tuple[Seat, ...] = ()
    room: PrivateRoom | Literal[""] = ""
    capacity: int = 0
    """Seats of the private room, 0 where none are stated."""
    fee: Money | None = None
    least_spend: Money | None = None
    works_until: str = ""
    """The last day on which works keep the private room shut."""

    @property
    def room_to_be_had(self) -> PrivateRoom | Literal[""]:
        """The private room that guests can have: none while there are works."""
        return "none" if self.works_until else self.room


def noise_key(venue_id: str) -> str:
    """Key of how loud a house is."""
    return f"noise.{venue_id}"


def seating_key(venue_id: str) -> str:
    """Key of how guests sit; the value is `seating_value`."""
    return f"seating.{venue_id}"


def room_key(venue_id: str) -> str:
    """Key of which private room guests can have."""
    return f"private_room.{venue_id}"


def capacity_key(venue_id: str) -> str:
    """Key of how many guests the private room holds."""
    return f"room_capacity.{venue_id}"


def room_fee_key(venue_id: str) -> str:
    """Key of what the private room costs, in minor units."""
    return f"room_fee.{venue_id}"


def least_spend_key(venue_id: str) -> str:
    """Key of what a party must spend at least in the private room, in minor units."""
    return f"room_least_spend.{venue_id}"


def works_key(venue_id: str) -> str:
    """Key of the last day of works in the private room."""
    return f"room_works.{venue_id}"


def seating_value(seating: tuple[Seat, ...]) -> str:
    """A set of seats as claims compare it."""
    return ",".join(sorted(set(seating)))


@cache
def rooms_title(language: str, variant: int) -> Text:
    """The title of the page, and what it begins with."""
    return Text.of(FILE, "intro", language, variant)


@cache
def noise_text(noise: Noise, language: str, variant: int) -> Text:
    """How loud it is, in the house's words."""
    return Text.of(FILE, f"noise.{noise}", language, variant)


@cache
def seating_text(seating: tuple[Seat, ...], language: str, variant: int) -> Text:
    """How guests sit."""
    table = shared_table(f"text/{language}/{FILE}")
    names = table["form"]["list"].join(table["seats"][seat] for seat in seating)
    return Text.of(FILE, "seating", language, variant, seats=names)


def room_part(rooms: Rooms, language: str, variant: int) -> Part:
    """The private room: whether there is one, for how many, and until when works keep it shut."""
    venue_id = rooms.venue_id
    stated = [Stated(room_key(venue_id), rooms.room_to_be_had)]
    slots: dict[str, SlotValue] = {}
    kind = str(rooms.room)
    if rooms.works_until:
        kind = "works"
        slots["date"] = DateSlot(rooms.works_until, "plain")
        stated.append(Stated(works_key(venue_id), rooms.works_until, "date"))
    elif rooms.room != "none" and rooms.capacity:
        slots["capacity"] = CountSlot(rooms.capacity, "person")
        stated.append(Stated(capacity_key(venue_id), rooms.capacity, "capacity"))
    elif rooms.room != "none":
        kind += "_any"
    return Part(Text.of(FILE, f"room.{kind}", language, variant, **slots), tuple(stated))


def _money_part(kind: str, key: str, amount: Money, language: str, variant: int) -> Part:
    return Part(Text.of(FILE, kind, language, variant, amount=amount), (Stated(key, amount.minor, "amount"),))


def rooms_parts(rooms: Rooms, language: str, variant: int) -> tuple[Part, ...]:
    """Return what a house states of its rooms, one part a matter; a page puts `rooms_title` before them."""
    venue_id = rooms.venue_id
    parts: list[Part] = []
    if rooms.seating:
        fact = Stated(seating_key(venue_id), seating_value(rooms.seating), "seats")
        parts.append(Part(seating_text(rooms.seating, language, variant), (fact,)))
    if rooms.noise:
        parts.append(Part(noise_text(rooms.noise, language, variant), (Stated(noise_key(venue_id), rooms.noise),)))
    if rooms.room:
        parts.append(room_part(rooms, language, variant))
    if rooms.fee:
        parts.append(_money_part("fee", room_fee_key(venue_id), rooms.fee, language, variant))
    if rooms.least_spend:
        parts.append(_money_part("spend", least_spend_key(venue_id), rooms.least_spend, language, variant))
    return tuple(parts)
