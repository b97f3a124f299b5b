"""What a city has to visit: real places and invented ones, with their hours, closings and ways to get there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from math import cos, hypot, radians
from typing import Any, Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import Market, load_market, market_table, shared_table
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.geography import names_of
from agentbench_tasks.travel.domain.houses import City, lodgings
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_ground import TravelMode

Holiday = Literal["closed", "open", "next"]
MOST_KM = 14.0
KINDS = ("museum", "gallery", "garden", "studio", "house")


class Opening(msgspec.Struct, frozen=True, gc=False):
    """Hours of an open day in minutes; `rest` is the break in between, (0, 0) if there is none."""

    opens: int
    closes: int
    last: int
    rest: tuple[int, int] = (0, 0)


class Spot(msgspec.Struct, frozen=True, gc=False):
    """A place as it usually is: weekly closing, what holidays do to it, hours, the hour at which Fridays begin."""

    names: Names
    district: str
    kind: str
    closed: tuple[int, ...]
    holiday: Holiday
    hours: Opening
    dwell: int
    friday: int = 0
    slots: bool = False
    real: bool = False
    mode: TravelMode = "transit"
    extra: int = 0
    """Minutes of the ride that a bus or boat adds."""
    service: tuple[int, int, int] = (330, 1440, 0)
    """First and last departure, and the minutes between two."""

    def opening(self, day: date) -> Opening:
        """The hours of a day on which it is open."""
        if self.friday and day.isoweekday() == 5:
            return msgspec.structs.replace(self.hours, opens=max(self.friday, self.hours.opens))
        return self.hours


class Sights(msgspec.Struct, frozen=True, gc=False):
    """What a market's city has."""

    city: City
    km: dict[tuple[str, str], float]
    """How far the middles of two districts are apart, at most MOST_KM."""
    real: tuple[Mapping[str, Any], ...]
    heads: tuple[tuple[str, str], ...]
    names: dict[str, tuple[tuple[str, str], ...]]
    closings: tuple[tuple[int, ...], ...]
    holiday: Holiday
    transit: Money
    taxi: Money
    tickets: tuple[Money, Money]


@cache
def sights(market: str) -> Sights:
    """Return what a market's city has."""
    table, currency = market_table(market, "places_travel"), load_market(market).currency
    low, high = table["tickets"]
    city = lodgings(market).cities[table["city"]]
    ids = [district.id for district in city.districts]
    return Sights(
        city,
        {(a, b): min(MOST_KM, distance_km(city, a, b)) for a in ids for b in ids},
        tuple(table["places"]),
        tuple(_pair(text) for text in table["heads"]),
        {kind: tuple(_pair(text) for text in patterns) for kind, patterns in table["names"].items()},
        tuple(tuple(days) for days in table["closings"]),
        table["holiday"],
        Money.of(table["transit_fare"], currency),
        Money.of(table["taxi_fare"], currency),
        (Money.of(low, currency), Money.of(high, currency)),
    )


def _pair(text: str) -> tuple[str, str]:
    native, _, latin = text.partition("/")
    return native, latin or native


def minute(clock: str) -> int:
    """Read HH:MM as minutes."""
    return int(clock[:2]) * 60 + int(clock[3:5])


def clock(minutes: int) -> str:
    """Write minutes as HH:MM."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _hours(text: str, rest: str = "") -> Opening:
    span, last = text.split("/")
    opens, closes = span.split("-")
    pause = tuple(minute(part) for part in rest.split("-")) if rest else (0, 0)
    return Opening(minute(opens), minute(closes), minute(last), (pause[0], pause[1]))


class Guide:
    """Draws places of a market's city, no two of one name."""

    def __init__(self, draw: Draw, market: Market) -> None:
        self._draw, self._market = draw, market
        self.sights = sights(market.code)
        self._heads = draw.shuffled(draw.pool(self.sights.heads)) * 4
        self._names: set[str] = set()

    def real(self, count: int) -> list[Spot]:
        """Draw real places."""
        return [self._real(row) for row in self._draw.sample(self.sights.real, count)]

    def _real(self, row: Mapping[str, Any]) -> Spot:
        draw = self._draw
        return Spot(
            names_of(row["names"]),
            row["district"],
            row["kind"],
            tuple(row["closed"]),
            row["holiday"],
            _hours(draw.choice(row["hours"])),
            draw.choice(row["dwell"]),
            minute(row["friday"]) if "friday" in row else 0,
            real=True,
        )

    def invented(self, kind: str = "") -> Spot:
        """Draw an invented place of one of the usual kinds."""
        draw = self._draw
        kind = kind or draw.choice(KINDS)
        facts = shared_table("ground_plan")["kinds"][kind]
        rest = draw.choice(facts["rest"]) if facts["rest"] and draw.chance(0.6) else ""
        return Spot(
            self.name(kind),
            self.district(),
            kind,
            draw.choice(self.sights.closings),
            self.sights.holiday,
            _hours(draw.choice(facts["hours"]), rest),
            draw.choice(facts["dwell"]),
        )

    def special(self, kind: str, opening: Opening, dwell: int, mode: TravelMode = "transit") -> Spot:
        """Draw an invented place that is open daily at given hours."""
        return Spot(self.name(kind), self.district(), kind, (), "closed", opening, dwell, mode=mode)

    def district(self) -> str:
        """Draw a district."""
        return self._draw.choice(self.sights.city.districts).id

    def name(self, kind: str) -> Names:
        """Draw the name of a place of a kind."""
        native, latin = self._draw.choice(self.sights.names[kind])
        while True:
            head = self._heads.pop()
            name = native.replace("{head}", head[0])
            if name not in self._names:
                break
        self._names.add(name)
        return self._named(name, latin.replace("{head}", head[1]))

    def annex(self, spot: Spot) -> Spot:
        """A branch of a place elsewhere, whose name is the place's with a word more."""
        native, latin = self.sights.names["annex"][0]
        names = self._named(native.replace("{name}", spot.names[0][1]), latin.replace("{name}", spot.names[-1][1]))
        return msgspec.structs.replace(spot, names=names, district=self.district(), closed=(), friday=0, slots=False)

    def _named(self, native: str, latin: str) -> Names:
        language = self._market.languages[0]
        return (("en", latin),) if language == "en" else ((language, native), ("en", latin))


def distance_km(city: City, one: str, other: str) -> float:
    """How far the middles of two districts are apart."""
    a, b = city.district(one), city.district(other)
    north = (float(a.lat) - float(b.lat)) * 111
    east = (float(a.lon) - float(b.lon)) * 111 * cos(radians(float(a.lat)))
    return hypot(north, east)


class Closings:
    """On which days places of a market are closed by their weekly rule."""

    def __init__(self, market: Market, first: date, last: date) -> None:
        rows = market.holidays(first - timedelta(21), last + timedelta(1))
        private = [row for row in rows if "private" in row.applies_to]
        self.holidays = {row.date for row in private if row.status == "confirmed"}
        self.unsettled = {row.date for row in private if row.status == "estimate"}

    def is_closed(self, spot: Spot, day: date) -> bool:
        """Whether the weekly rule closes a place on a day."""
        usual = day.isoweekday() in spot.closed
        if spot.holiday == "closed":
            return usual
        return (usual and day not in self.holidays) or self.is_shifted(spot, day)

    def is_shifted(self, spot: Spot, day: date) -> bool:
        """Whether a place is closed because it was open on its closing day shortly before, a holiday."""
        if spot.holiday != "next" or day in self.holidays or day.isoweekday() in spot.closed:
            return False
        before = day - timedelta(1)
        # Back over the holidays and closing days between: one of them that was both has its closing made up here.
        while before in self.holidays or before.isoweekday() in spot.closed:
            if before in self.holidays and before.isoweekday() in spot.closed:
                return True
            before -= timedelta(1)
        return False
