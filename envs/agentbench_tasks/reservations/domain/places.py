"""Places of the town: venues and firms, the marks one searches from, listings and reviews."""

from __future__ import annotations

from math import isqrt
from typing import Literal

import msgspec

from agentbench_env.text.fold import fold
from agentbench_env.world import Record, World
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.commons.texts import Stated, Words

PlaceKind = Literal["restaurant", "home_service"]
Point = tuple[int, int]
"""Metres east and north on the city grid."""


class Names(msgspec.Struct, frozen=True, gc=False):
    """A name in local and in Latin script."""

    local: str
    latin: str

    def folded(self) -> tuple[str, str]:
        """Both forms as they are compared."""
        return fold(self.local), fold(self.latin)

    def written(self, language: str) -> str:
        """The form that texts in a language have: English ones are in Latin script."""
        return self.latin if language == "en" else self.local


class Reach(msgspec.Struct, frozen=True, gc=False):
    """A channel on which a place can be written to, and its address there."""

    channel: Channel
    address: str


class Place(Record, frozen=True, gc=False):
    """A venue or a firm; its pages are those that it publishes under its own id."""

    kind: PlaceKind
    name: Names
    branch: Names
    group_id: str
    """The brand whose outlets share the name."""
    district: str
    """Id of the district."""
    landmark_id: str
    point: Point
    zone: str
    country: str
    currency: str
    cuisine: str = ""
    trades: tuple[str, ...] = ()
    working_languages: tuple[str, ...] = ()
    renovated_on: str = ""
    phone: str = ""
    reaches: tuple[Reach, ...] = ()
    address: str = ""
    covers: tuple[str, ...] = ()
    """Ids of the districts that a firm serves."""

    @property
    def full_name(self) -> str:
        """The name with the branch, in local script."""
        return f"{self.name.local} {self.branch.local}".strip()

    def called(self, language: str) -> str:
        """The name with the branch as texts in a language have it."""
        return f"{self.name.written(language)} {self.branch.written(language)}".strip()


class Mark(Record, frozen=True, gc=False):
    """A district, station or landmark from which places are looked for."""

    kind: Literal["district", "station", "landmark"]
    name: Names
    point: Point


class OwnerSection(msgspec.Struct, frozen=True, gc=False):
    """The part of a listing that the venue supplies."""

    text: Words
    updated: str
    fields: tuple[tuple[str, str], ...] = ()


class SiteSection(msgspec.Struct, frozen=True, gc=False):
    """The part of a listing that the site makes up; it carries no fact."""

    tags: tuple[str, ...] = ()
    tables_tonight: str = ""
    """What the site says of tables tonight."""
    open_till: str = ""
    """What the site says of the usual closing time."""
    popularity: int = 0
    price_symbol: str = ""


class Listing(Record, frozen=True, gc=False):
    """A place as the discovery site lists it."""

    venue_id: str
    from_venue: OwnerSection
    from_site: SiteSection
    stated: tuple[Stated, ...] = ()
    """What the venue's own part states."""

    def facts(self, world: World) -> dict[str, object]:
        """What the venue's own part states."""
        return {fact.key: fact.value for fact in self.stated}


class Review(Record, frozen=True, gc=False):
    """A guest's words on one visit."""

    venue_id: str
    nickname: str
    visited_on: str
    posted_on: str
    party_size: int
    stars: int
    text: Words
    language: str
    helpful: int = 0
    """How many readers found it helpful."""
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states of the visit."""
        return {fact.key: fact.value for fact in self.stated}


def metres_between(one: Point, other: Point) -> int:
    """The distance as the crow flies, in whole metres."""
    return isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def listing_of(world: World, venue_id: str) -> Listing:
    """Return the listing of a place; every place has one."""
    return world.where(Listing, "venue_id", venue_id)[0]


def mark_named(world: World, near: str) -> Mark | None:
    """Return the mark with this name in either script, or this id."""
    wanted = fold(near)
    return next((mark for mark in world.all(Mark) if near == mark.id or wanted in mark.name.folded()), None)
