"""The departures of a disrupted trip: the train's timetable, the rides on the ground, and the flights that remain."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    Route,
    carrier_facts,
    currency_at,
    points,
    routes,
    zone_of,
)
from agentbench_tasks.travel.domain.inventory import BRANDS, Inventory
from agentbench_tasks.travel.domain.records import Fare, Service
from agentbench_tasks.travel.domain.records_ground import Band, RouteTime
from agentbench_tasks.travel.domain.replan.plot import Plot, Rail
from agentbench_tasks.travel.domain.replan.rules import MODES

BAG_KG = 23
RUSH: dict[Band, float] = {"early": 1.0, "peak": 1.2, "day": 1.0, "evening": 1.0, "late": 0.95}


class Sky:
    """Makes flights and their fares for the trip's party."""

    def __init__(self, inventory: Inventory, plot: Plot, draw: Draw) -> None:
        self.inventory, self.plot, self._draw = inventory, plot, draw

    def route(self, start: str, end: str, carrier: str) -> Route | None:
        """The route between two airports if the carrier flies it."""
        return next((route for route in routes().get((start, end), ()) if carrier in route.carriers), None)

    def flight(self, carrier: CarrierFacts, route: Route, departs: int, number: str = "") -> Service:
        """Add a departure."""
        return self.inventory.service(carrier, route, departs, number)

    def fare(
        self, carrier: CarrierFacts, route: Route, service: Service, cabin: str, kg: int, seats: int, brand: str = ""
    ) -> Fare:
        """Add a fare of a departure in a cabin with a bag of `kg`; "" is the carrier's middle brand."""
        names = [name for name, _ in carrier.brands]
        chosen = brand or ("standard" if "standard" in names else names[-1])
        _, step = currency_at(route.start)
        factor = BRANDS[chosen][0] * (2.6 if cabin == "business" else 1.0)
        base = self.inventory.base_fare(route, carrier, self._draw.uniform(0.2, 0.8))
        option = self.inventory.fare(1, carrier, service, chosen, round(base * factor / step) * step, cabin)
        fare = msgspec.structs.replace(option.fare, bag_pieces=1 if kg else 0, bag_kg=kg, seats=seats)
        self.inventory.put(option, msgspec.structs.replace(option, fare=fare))
        return fare


def timetable(sky: Sky, rail: Rail, day: str, draw: Draw, extra: int = 0) -> list[tuple[Service, Fare]]:
    """Return a day's trains from the airport's city, first to last, each with one fare."""
    carrier = carrier_facts()[rail.carrier]
    route = routes()[rail.start, rail.end][0]
    if rail.carrier not in route.carriers:
        raise NoFit
    zone, found = zone_of(rail.start), list[tuple[Service, Fare]]()
    clock = draw.int(7 * 12, 8 * 12) * 5
    last = draw.int(21 * 12, 22 * 12 + 6) * 5
    while clock <= last:
        departs = to_instant(f"{day}T{clock // 60:02}:{clock % 60:02}", zone) + extra * 86400
        service = sky.flight(carrier, route, departs)
        full = draw.chance(0.2)
        found.append((service, sky.fare(carrier, route, service, "economy", 30, 0 if full else draw.int(4, 9))))
        clock += draw.int(10, 16) * 5
    return found


def ride_rows(
    draw: Draw, rates: Rates, plot: Plot, start: str, end: str, minutes: tuple[int, int], last: str
) -> dict[tuple[str, str, str, str], RouteTime]:
    """Return the rides between two places by every means and in every band of the day."""
    rows: dict[tuple[str, str, str, str], RouteTime] = {}
    currency, step = currency_at(plot.route.end)
    for place, mode in enumerate(MODES):
        share = minutes[place] / plot.trip.minutes[place]
        minor = rates.from_usd(plot.trip.usd[place] * share * draw.uniform(0.9, 1.15), currency, step)
        for band, rush in RUSH.items():
            taken = round(minutes[place] * (rush if mode == "taxi" else 1 + (rush - 1) / 3) / 5) * 5
            first, end_at, walk = ("04:00", "28:00", 0) if mode == "taxi" else ("05:30", last, 8)
            fare = Money(minor, currency)
            id = draw.id("rte")
            ride = RouteTime(id, (start, end), mode, band, taken, walk, first, end_at, 0, fare)
            rows[start, end, mode, band] = ride
    return rows


def day_after(day: str, days: int = 1) -> str:
    """Return the ISO date some days later."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


def on_day(day: str, clock: str, zone: str) -> int:
    """Return the instant of a clock time on a day; hours from 24 on are of the day after."""
    hours, minutes = (int(part) for part in clock.split(":"))
    return to_instant(f"{day_after(day, hours // 24)}T{hours % 24:02}:{minutes:02}", zone)


def clock_of(instant: int, zone: str) -> str:
    """Return the local clock time of an instant."""
    return to_local(instant, zone)[11:]


def link_minutes(start: str, end: str) -> int:
    """Return the published minutes from an airport to a station; raise NoFit if there are none."""
    found = [link.minutes for link in points()[start].links if link.to == end]
    if not found:
        raise NoFit
    return found[0]
