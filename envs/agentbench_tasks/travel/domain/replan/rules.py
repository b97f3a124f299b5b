"""What a way to go on is, when a change costs nothing, and which lines of the brief a way breaks.

The generator's proof, the checks and the user's wishes all judge by these functions; the expert uses none of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from agentbench_env.money import Money
from agentbench_env.zones import to_local
from agentbench_tasks.travel.domain.ground import DAY_ENDS, band_at
from agentbench_tasks.travel.domain.records import Fare, Service
from agentbench_tasks.travel.domain.records_ground import RouteTime, TravelMode
from agentbench_tasks.travel.domain.replan.plot import Kind

MODES: tuple[TravelMode, ...] = ("transit", "taxi")
_BAND_OF = tuple(band_at(minute if minute >= DAY_ENDS else minute + 1440) for minute in range(1440))


@cache
def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:])


class Line(msgspec.Struct, frozen=True, gc=False):
    """A constraint of the brief: its id there, and its limit (an instant, minor units, kilograms, a cabin, a date)."""

    id: str
    kind: Kind
    limit: int | str = 0


class Waiver(msgspec.Struct, frozen=True, gc=False):
    """A clause under which a change costs nothing."""

    carrier: str
    points: tuple[str, ...]
    brands: tuple[str, ...]
    from_date: str
    to_date: str

    def admits(self, service: Service, fare: Fare) -> bool:
        """Whether a departure and fare may be changed to under it."""
        return (
            service.carrier == self.carrier
            and {service.origin, service.dest} <= set(self.points)
            and fare.brand in self.brands
            and self.from_date <= service.dep_local[:10] <= self.to_date
        )


class Ground(msgspec.Struct, frozen=True):
    """What lies behind the flight: rides by (from, to, mode, band), places, and the train's departures if any."""

    rides: dict[tuple[str, str, str, str], RouteTime]
    zone: str
    midnight: int
    """The instant at which the day of arrival begins there."""
    house: str
    venue: str
    airports: dict[str, str]
    """Ids of the airports by code."""
    links: dict[str, int]
    """Minutes from each airport to the train."""
    station: str
    trains: tuple[tuple[Service, Fare], ...]
    booked_train: str
    buffer_min: int
    event_day: int
    party: int

    def ride(self, start: str, end: str, instant: int, mode: str) -> tuple[RouteTime, int] | None:
        """Return the ride that leaves then, or first on that day, and when it arrives; None if none leaves any more."""
        # Clocks do not change where the trips go, so that minutes can be counted from a midnight.
        minute = (instant - self.midnight) // 60 % 1440
        row = self.rides[start, end, mode, _BAND_OF[minute]]
        if minute < DAY_ENDS:
            minute += 1440
        first, last = _minutes(row.first), _minutes(row.last)
        if minute > last:
            return None
        return row, instant + (max(0, first - minute) + row.minutes) * 60

    def trains_after(self, lands: int, airport: str) -> list[Service | None]:
        """Return the trains that can still be kept or had after a landing; one None where no train follows."""
        if not self.trains:
            return [None]
        ready = lands + self.links[airport] * 60
        return [train for train, fare in self.trains if train.departs >= ready and self.has_seats(train, fare)]

    def has_seats(self, train: Service, fare: Fare) -> bool:
        """Whether the party has or can get seats on a train."""
        return train.id == self.booked_train or (fare.open and fare.seats >= self.party)


class Way(msgspec.Struct, frozen=True, gc=False):
    """A way to go on: flight, fare, the train after it, the rides, and when one is at the house and at the event."""

    service: Service
    fare: Fare
    train: Service | None
    house_ride: RouteTime
    event_ride: RouteTime
    house_at: int
    event_at: int
    first_ride: RouteTime
    """The ride on arrival, whose cost is counted."""

    @property
    def cost(self) -> Money:
        """What the ride on arrival costs each person."""
        return self.first_ride.fare


def ways(service: Service, fare: Fare, ground: Ground, most: int | None = None) -> Iterator[Way]:
    """Yield every way to go on after a flight, by the first `most` trains if given."""
    for train in ground.trains_after(service.arrives, service.dest)[:most]:
        if train is None:
            start, leaves = ground.airports[service.dest], service.arrives + ground.buffer_min * 60
        else:
            start, leaves = ground.station, train.arrives
        for mode in MODES:
            house = ground.ride(start, ground.house, leaves, mode)
            event = ground.ride(start, ground.venue, leaves, mode)
            if house and event:
                first = house[0] if ground.event_day else event[0]
                yield Way(service, fare, train, house[0], event[0], house[1], event[1], first)


def broken(way: Way, lines: Sequence[Line], latest: int) -> frozenset[str]:
    """Return the ids of the lines that a way breaks; `latest` is the last instant at which the house lets one in."""
    return frozenset(line.id for line in lines if not _keeps(way, line, latest))


def _keeps(way: Way, line: Line, latest: int) -> bool:
    limit = line.limit
    match line.kind:
        case "be_at_event_by":
            return way.event_at <= limit  # type: ignore[operator]
        case "checkin_by":
            return way.house_at <= limit  # type: ignore[operator]
        case "transfer_cost_max":
            return way.cost.minor <= limit  # type: ignore[operator]
        case "bag_kg":
            return way.fare.bag_kg >= limit  # type: ignore[operator]
        case "keep_stay":
            return way.house_at <= latest
        case "same_cabin":
            return way.fare.cabin == limit
        case "same_day":
            return way.service.dep_local[:10] == limit
        case "no_overnight_airport":
            return way.train is None or way.train.dep_local[:10] == way.service.arr_local[:10]
        case "travel_together":
            return True  # Whoever finds seats for all on one departure travels together.


def reached(way: Way, line: Line, zone: str) -> tuple[int, tuple[str, ...]]:
    """Return what a way reaches of a line's limit, the less the better, and how the value may be written."""
    if line.kind == "bag_kg":
        return -way.fare.bag_kg, (str(way.fare.bag_kg),)
    if line.kind == "transfer_cost_max":
        return way.cost.minor, (way.cost.wire().amount,)
    if line.kind == "same_cabin":
        return 0, (way.fare.cabin,)
    instant = way.house_at if line.kind == "checkin_by" else way.event_at
    local = to_local(instant, zone)
    return instant, (local[11:], local)
