"""Records of lodging: channels, houses, their rooms, listings and reviews, and the rates at which rooms are sold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import Record, World
from agentbench_tasks.commons.texts import Stated, Words
from agentbench_tasks.travel.domain.records import Names

SectionKind = Literal[
    "overview", "access", "photo_captions", "house_rules", "fees", "floor_plan", "qa", "factsheet", "reviews"
]
Author = Literal["property", "channel", "guest"]


class Hours(msgspec.Struct, frozen=True, gc=False):
    """Local times of a day, HH:MM; an hour from 24 on is one of the day after."""

    opens: str
    closes: str


class Area(Record, frozen=True, gc=False):
    """A city, or a district of the city `city_id`, where there are places to stay."""

    names: Names
    city_id: str


class Channel(Record, frozen=True, gc=False):
    """Who sells rooms: an agency, or a property itself."""

    names: Names
    kind: Literal["direct", "agency"]
    hold: Literal["free", "none"]
    hold_hours: int
    quote_hours: int
    page_ids: tuple[str, ...] = ()


class Property(Record, frozen=True, gc=False):
    """A house where one can stay. An official class of 0 is none; `icons` are what channels show beside its name."""

    names: Names
    city_id: str
    district_id: str
    zone: str
    kind: str
    official_class: int
    desk: Hours
    checkin: Hours
    icons: tuple[str, ...] = ()
    page_ids: tuple[str, ...] = ()
    lat: str = ""
    lon: str = ""

    def facts(self, world: World) -> Mapping[str, object]:
        """Its kind, class, district, and the hours of its desk and of check-in."""
        return {
            f"{self.id}.kind": self.kind,
            f"{self.id}.class": self.official_class,
            f"{self.id}.district": self.district_id,
            f"{self.id}.desk_closes": self.desk.closes,
            f"{self.id}.checkin_until": self.checkin.closes,
        }


class RoomType(Record, frozen=True, gc=False):
    """A kind of room of a property."""

    property_id: str
    names: Names
    max_guests: int
    beds: str

    def facts(self, world: World) -> Mapping[str, object]:
        """How many guests it takes, and its beds."""
        return {f"{self.id}.max_guests": self.max_guests, f"{self.id}.beds": self.beds}


class ListingSection(Record, frozen=True, gc=False):
    """A text of a property's listing. One without a room type is about the whole house."""

    property_id: str
    room_type_id: str
    kind: SectionKind
    language: str
    text: Words
    published: str
    author: Author = "property"
    stated: tuple[Stated, ...] = ()
    superseded_by: str = ""

    def facts(self, world: World) -> Mapping[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}

    def replaces(self, world: World) -> tuple[str, ...]:
        """The sections that it supersedes."""
        older = world.where(ListingSection, "superseded_by", self.id)
        return tuple(id for row in older for id in (row.id, *row.replaces(world)))


class Review(Record, frozen=True, gc=False):
    """What a guest wrote; the score is out of ten."""

    property_id: str
    score: str
    text: Words
    language: str
    written_on: str
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> Mapping[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


class Night(msgspec.Struct, frozen=True, gc=False):
    """The price of a night as the channel shows it, for the room or for each guest."""

    day: str
    shown: Money
    basis: Literal["per_room", "per_person"]


class Rate(Record, frozen=True, gc=False):
    """A price at which a channel sells one room for exactly these nights. `stay` indexes it: house, first and last day.

    `included` and `outside` name charges that the shown price holds and that come on top of it. `closes` is
    "first_quote" or "first_hold" for a room that somebody else is about to take.
    """

    property_id: str
    room_type_id: str
    channel_id: str
    board: str
    nights: tuple[Night, ...]
    stay: tuple[str, str, str]
    included: tuple[str, ...]
    outside: tuple[str, ...]
    rooms_left: int
    outside_section_id: str = ""
    cancellation_section_id: str = ""
    sells_from: int = 0
    closes: Literal["", "first_quote", "first_hold"] = ""

    def facts(self, world: World) -> Mapping[str, object]:
        """Its board, the shown price of each night, and what stands outside it."""
        stated: dict[str, object] = {f"{self.id}.board": self.board, f"{self.id}.outside": ",".join(self.outside)}
        for night in self.nights:
            stated[f"{self.id}.{night.day}.shown"] = str(night.shown)
            stated[f"{self.id}.{night.day}.basis"] = night.basis
        return stated
