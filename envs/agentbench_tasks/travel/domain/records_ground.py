"""Records of what there is to see and how to get there: places, their days, journeys by hour, tickets.

Clock times are local, HH:MM; an hour from 24 on is one of the day after.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import Record, World
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_stays import Hours

TravelMode = Literal["walk", "transit", "train", "bus", "boat", "taxi"]
Band = Literal["early", "peak", "day", "evening", "late"]


class MapDistance(msgspec.Struct, frozen=True, gc=False):
    """Minutes that a map gives for a straight drive, without traffic or waiting."""

    from_id: str
    minutes: int


class Place(Record, frozen=True, gc=False):
    """A place to visit. Without a ticket price it is free."""

    names: Names
    city_id: str
    district_id: str
    zone: str
    kind: str
    dwell_min: int
    sells_slots: bool
    adult: Money
    child: Money
    map_minutes: tuple[MapDistance, ...] = ()
    notice_ids: tuple[str, ...] = ()
    """The sections of published pages that are its notices."""


class Slot(msgspec.Struct, frozen=True, gc=False):
    """A time of admission and how many may still come."""

    at: str
    left: int


class PlaceDay(Record, frozen=True, gc=False):
    """A day of a place; `opens` is "" where it is closed. `key` indexes it: place and date."""

    key: tuple[str, str]
    opens: str
    closes: str
    last_entry: str
    breaks: tuple[Hours, ...] = ()
    reason: str = ""
    slots: tuple[Slot, ...] = ()

    def facts(self, world: World) -> Mapping[str, object]:
        """Its hours, last admission, breaks, and the slots that are left."""
        about = ".".join(self.key)
        return {
            f"{about}.opens": self.opens or "closed",
            f"{about}.closes": self.closes,
            f"{about}.last_entry": self.last_entry,
            f"{about}.breaks": ",".join(f"{rest.opens}-{rest.closes}" for rest in self.breaks),
            f"{about}.slots_left": ",".join(slot.at for slot in self.slots if slot.left),
        }


class RouteTime(Record, frozen=True, gc=False):
    """A way between two places in one band of the day. `pair` indexes it: from and to.

    `minutes` is door to door without the wait, `walk_min` of it on foot. With a headway, departures follow each other
    from `first` to `last`; with 0 one leaves at once.
    """

    pair: tuple[str, str]
    mode: TravelMode
    band: Band
    minutes: int
    walk_min: int
    first: str
    last: str
    headway: int
    fare: Money

    def facts(self, world: World) -> Mapping[str, object]:
        """How long it takes, its first and last departure, and what it costs each person."""
        return {
            f"{self.id}.minutes": self.minutes,
            f"{self.id}.first": self.first,
            f"{self.id}.last": self.last,
            f"{self.id}.fare": str(self.fare),
        }


class Ticket(Record, frozen=True, gc=False):
    """An admission or a ride that was bought."""

    object_id: str
    slot_at: str
    persons: int
    paid: Money
    booked_at: int
