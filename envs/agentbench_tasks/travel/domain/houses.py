"""Drawing places to stay: cities and districts of a market, houses with their names and rooms, channels, shown prices.

What a market fixes stands in its table `houses`. A task draws the houses it needs and decides what is true of them;
it shuffles them before they become records, for searches list them in their order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from itertools import chain
from typing import Any, Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import Market, load_market, market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.travel.domain.geography import names_of, static_id
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_stays import Area, Channel, Hours, Night, Property, RoomType

DIRECT_QUOTE_HOURS = 2


class District(msgspec.Struct, frozen=True, gc=False):
    """A district of a city and its middle."""

    id: str
    names: Names
    lat: str
    lon: str


class City(msgspec.Struct, frozen=True, gc=False):
    """A city with its districts, each bordering the one before and the one after it.

    `area` names the table of lodging rules that hold there, `kinds` how often each kind of house is met.
    """

    id: str
    names: Names
    area: str
    kinds: dict[str, float]
    districts: tuple[District, ...]

    def district(self, id: str) -> District:
        """The district with this id."""
        return next(district for district in self.districts if district.id == id)


class Room(msgspec.Struct, frozen=True, gc=False):
    """A kind of room; `factor` is its price in terms of the simplest room's."""

    names: Names
    beds: str
    guests: int
    factor: float


class Kind(msgspec.Struct, frozen=True, gc=False):
    """A kind of house: patterns of names, classes with the price span of the simplest room for two, hours, rooms."""

    code: str
    patterns: tuple[tuple[str, str], ...]
    classes: dict[int, tuple[int, int]]
    """Official class (0: none) -> lowest and highest weekday price in minor units."""
    desk: tuple[Hours, ...]
    checkin: tuple[Hours, ...]
    rooms: tuple[Room, ...]


class Lodgings(msgspec.Struct, frozen=True, gc=False):
    """What a market fixes about places to stay."""

    cities: dict[str, City]
    kinds: dict[str, Kind]
    heads: tuple[tuple[str, str], ...]
    step: int
    """Shown prices are multiples of this many minor units."""
    weekend_nights: frozenset[int]
    agencies: tuple[str, ...]


class House(msgspec.Struct, frozen=True):
    """A drawn house: its record, its rooms from the simplest one on, their weekday prices, and itself as a channel."""

    record: Property
    rooms: tuple[RoomType, ...]
    prices: tuple[int, ...]
    """For each room, in minor units, for the room and night."""
    direct: Channel

    @property
    def records(self) -> tuple[Record, ...]:
        """The house, its rooms, and itself as a channel."""
        return self.record, *self.rooms, self.direct

    def with_pages(self, page_ids: tuple[str, ...]) -> House:
        """The same house, with these pages."""
        return msgspec.structs.replace(self, record=msgspec.structs.replace(self.record, page_ids=page_ids))


class Houses:
    """Draws the houses of one city, no two of one name.

    Args:
        draw: the stream for names, kinds, classes, rooms and prices.
        ids: the stream that ids come from.
        market: the market.
        city: id of one of its cities.
    """

    def __init__(self, draw: Draw, ids: Draw, market: Market, city: str) -> None:
        self._draw, self._ids, self._market = draw, ids, market
        self.lodgings = lodgings(market.code)
        self.city = self.lodgings.cities[city]
        heads = draw.pool(self.lodgings.heads)
        self._names = {
            code: draw.shuffled([(kind, head) for kind in self.lodgings.kinds[code].patterns for head in heads])
            for code in self.city.kinds
        }
        self._used: set[str] = set()

    @property
    def agencies(self) -> tuple[Channel, ...]:
        """The agencies of the market."""
        return tuple(agency(code) for code in self.lodgings.agencies)

    @property
    def areas(self) -> tuple[Area, ...]:
        """The city and its districts as the search knows them."""
        inside = (Area(district.id, district.names, self.city.id) for district in self.city.districts)
        return Area(self.city.id, self.city.names, ""), *inside

    def house(
        self,
        kind: str = "",
        district: str = "",
        official_class: int | None = None,
        rooms: int = 3,
        room: str = "",
        icons: tuple[str, ...] = (),
        page_ids: tuple[str, ...] = (),
    ) -> House:
        """Draw a house; what is not given is drawn.

        Args:
            kind: code of a kind that the city has.
            district: id of the district.
            official_class: a class that the kind has.
            rooms: how many kinds of room it has, at most.
            room: beds that one of its rooms must have, e.g. twin.
            icons: what channels show beside its name.
            page_ids: ids of its pages.
        """
        draw = self._draw
        facts = self.lodgings.kinds[kind or draw.weighted(self.city.kinds)]
        level = draw.choice(tuple(facts.classes)) if official_class is None else official_class
        place = self.city.district(district) if district else draw.choice(self.city.districts)
        names = self._name(facts, place)
        id = self._ids.id("prp")
        record = Property(
            id,
            names,
            self.city.id,
            place.id,
            self._market.zone,
            facts.code,
            level,
            draw.choice(facts.desk),
            draw.choice(facts.checkin),
            icons,
            page_ids,
            _near(draw, place.lat),
            _near(draw, place.lon),
        )
        low, high = facts.classes[level]
        base = low + (high - low) * draw.random()
        chosen = self._rooms(facts, rooms, room)
        return House(
            record,
            tuple(RoomType(self._ids.id("rmt"), id, one.names, one.guests, one.beds) for one in chosen),
            tuple(self.rounded(base * one.factor) for one in chosen),
            Channel(self._ids.id("chn"), names, "direct", "none", 0, DIRECT_QUOTE_HOURS),
        )

    def rounded(self, minor: float) -> int:
        """Round a price in minor units to the market's step."""
        return max(1, round(minor / self.lodgings.step)) * self.lodgings.step

    def nights(
        self,
        price: int,
        first: date,
        count: int,
        weekend: float = 1.0,
        basis: Literal["per_room", "per_person"] = "per_room",
    ) -> tuple[Night, ...]:
        """Price nights from `first` on: `price` minor units each, `weekend` times as much on weekend nights."""
        found: list[Night] = []
        for day in (first + timedelta(n) for n in range(count)):
            factor = weekend if day.isoweekday() in self.lodgings.weekend_nights else 1.0
            shown = Money(self.rounded(price * factor), self._market.currency)
            found.append(Night(day.isoformat(), shown, basis))
        return tuple(found)

    def _name(self, kind: Kind, place: District) -> Names:
        """A name that no house has yet; when all of a kind are taken, one with its district, as branches have."""
        language = self._market.languages[0]
        patterns, ending = self._names[kind.code], (dict(place.names)[language], dict(place.names)["en"])
        houses = (_named(*pattern) for pattern in patterns)
        branches = ((f"{one[0]} {ending[0]}", f"{one[1]} {ending[1]}") for one in (_named(*p) for p in patterns))
        native, latin = next(name for name in chain(houses, branches) if name[0] not in self._used)
        self._used.add(native)
        return ((language, native),) if language == "en" else ((language, native), ("en", latin))

    def _rooms(self, kind: Kind, count: int, beds: str) -> Sequence[Room]:
        simplest, *rest = kind.rooms
        chosen = self._draw.sample(rest, count - 1)
        wanted = [room for room in rest if room.beds == beds]
        if wanted and beds not in {room.beds for room in (simplest, *chosen)}:
            chosen = [*chosen[:-1], wanted[0]]
        return [room for room in kind.rooms if room is simplest or room in chosen]


@cache
def agency(code: str) -> Channel:
    """Return an agency: the same in every world."""
    row = shared_table("channels")["channels"][code]
    id = static_id("chn", code)
    return Channel(id, names_of(row["names"]), "agency", row["hold"], row["hold_hours"], row["quote_hours"])


@cache
def lodgings(market: str) -> Lodgings:
    """Return what a market fixes about places to stay."""
    table, facts = market_table(market, "houses"), load_market(market)
    language, currency = facts.languages[0], facts.currency
    return Lodgings(
        {row["id"]: _city(row) for row in table["cities"]},
        {code: _kind(code, row, language, currency) for code, row in table["kinds"].items()},
        tuple(_pair(text) for text in table["heads"]),
        Money.of(table["price_step"], currency).minor,
        frozenset(table["weekend_nights"]),
        tuple(table["agencies"]),
    )


def home_city(market: str) -> Names:
    """Return the name of the city where people of a market live."""
    return next(iter(lodgings(market).cities.values())).names


def _city(row: Mapping[str, Any]) -> City:
    districts = tuple(District(d["id"], names_of(d["names"]), d["lat"], d["lon"]) for d in row["districts"])
    return City(row["id"], names_of(row["names"]), row["area"], dict(row["kinds"]), districts)


def _kind(code: str, row: Mapping[str, Any], language: str, currency: str) -> Kind:
    return Kind(
        code,
        tuple(_pair(text) for text in row["names"]),
        {level: (Money.of(low, currency).minor, Money.of(high, currency).minor) for level, low, high in row["classes"]},
        tuple(_hours(text) for text in row["desk"]),
        tuple(_hours(text) for text in row["checkin"]),
        tuple(_room(text, language) for text in row["rooms"]),
    )


def _room(text: str, language: str) -> Room:
    native, latin, beds, guests, factor = text.split("/")
    names = ((language, native),) if language == "en" else ((language, native), ("en", latin))
    return Room(names, beds, int(guests), float(factor))


def _pair(text: str) -> tuple[str, str]:
    native, latin = text.split("/")
    return native, latin


def _hours(text: str) -> Hours:
    opens, closes = text.split("-")
    return Hours(opens, closes)


def _named(pattern: tuple[str, str], head: tuple[str, str]) -> tuple[str, str]:
    return pattern[0].replace("{head}", head[0]), pattern[1].replace("{head}", head[1])


def _near(draw: Draw, degrees: str) -> str:
    """A coordinate up to about a kilometre away."""
    return f"{float(degrees) + draw.uniform(-0.008, 0.008):.4f}"
