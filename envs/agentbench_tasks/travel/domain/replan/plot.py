"""The story of a disrupted trip: where it goes, who travels, what was booked, and what could give."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any, Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.geography import CarrierFacts, Route, carrier_facts, names_of, routes, zone_of
from agentbench_tasks.travel.domain.inventory import Party
from agentbench_tasks.travel.domain.records import Names

Kind = Literal[
    "be_at_event_by",
    "checkin_by",
    "keep_stay",
    "same_cabin",
    "travel_together",
    "no_overnight_airport",
    "same_day",
    "transfer_cost_max",
    "bag_kg",
]
FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
GIVERS: dict[Kind, float] = {
    "checkin_by": 0.32,
    "be_at_event_by": 0.26,
    "transfer_cost_max": 0.18,
    "bag_kg": 0.14,
    "same_cabin": 0.1,
}
Giver = Kind | Literal[""]
"""The constraint that must give, "" where all can be kept."""
BLOCKED = 0.4
"""The share of seeds in which one constraint must give."""
LINES = {"easy": (4, 4), "standard": (5, 6), "hard": (7, 7)}


class Rail(msgspec.Struct, frozen=True, gc=False):
    """The train or coach that goes on from the airport's city."""

    carrier: str
    start: str
    end: str


class Trip(msgspec.Struct, frozen=True, gc=False):
    """A trip of a market: airports, the train after it, where the house stands, and the ride to it."""

    id: str
    origin_city: str
    dest_city: str
    starts: tuple[str, ...]
    ends: tuple[str, ...]
    rail: Rail | None
    house_market: str
    house_city: str
    minutes: tuple[int, int]
    """By public transport and by taxi, from the first airport or the station to the house."""
    usd: tuple[float, float]
    venues: tuple[Names, ...]


class Plot(msgspec.Struct, frozen=True):
    """Everything of the story that needs no inventory."""

    trip: Trip
    carrier: CarrierFacts
    partner: CarrierFacts
    route: Route
    party: Party
    giver: Giver
    event_day: int
    """Days from the arrival to the event."""
    buffer_min: int
    cabin: str
    now: int
    departs: int
    """When the cancelled flight would have left."""
    nights: int
    kinds: tuple[Kind, ...]
    """The constraints, in the order of the brief's lines."""

    @property
    def arrive_day(self) -> str:
        """The local date on which the cancelled flight would have arrived."""
        return to_local(self.departs + self.route.minutes * 60, self.zone)[:10]

    @property
    def zone(self) -> str:
        """The zone of the destination."""
        return zone_of(self.route.end)


@cache
def trips(market: str) -> tuple[Trip, ...]:
    """Return the trips of a market."""
    return tuple(_trip(row) for row in market_table(market, "replan")["trips"])


def _trip(row: Mapping[str, Any]) -> Trip:
    rail = row.get("rail")
    return Trip(
        row["id"],
        row["origin_city"],
        row["dest_city"],
        tuple(row["from"]),
        tuple(row["to"]),
        Rail(rail["carrier"], rail["from"], rail["to"]) if rail else None,
        row["house"]["market"],
        row["house"]["city"],
        (row["minutes"][0], row["minutes"][1]),
        (row["usd"][0], row["usd"][1]),
        tuple(names_of(names) for names in row["venues"]),
    )


def draw_giver(draw: Draw) -> Giver:
    """Draw whether a constraint must give, and which."""
    return draw.weighted(GIVERS) if draw.chance(BLOCKED) else ""


def draw_plot(draw: Draw, setting: Setting, giver: Giver) -> Plot:
    """Draw a story; raise NoFit where the draws do not fit together."""
    difficulty = setting.difficulty
    with_rail = difficulty == "hard" or (difficulty == "standard" and draw.chance(0.6))
    trip = draw.choice([one for one in trips(setting.market.code) if (one.rail is not None) == with_rail])
    event_day = 0 if giver == "be_at_event_by" else 1
    if not giver and draw.chance(0.3):
        event_day = 0
    route = draw.choice(_main_routes(trip))
    wanted = [c for c in (carrier_facts()[code] for code in route.carriers) if len(c.brands) > 1]
    if len(wanted) < 2:
        raise NoFit
    carrier, partner = draw.sample(wanted, 2)
    party = Party(draw.int(1, 3) if difficulty == "hard" else draw.int(1, 2))
    nights = draw.int(2, 4)
    start = draw.day(FIRST_DAY, LAST_DAY)
    home = setting.market.zone
    now = to_instant(f"{start.isoformat()}T{draw.int(17, 21):02}:{draw.int(0, 11) * 5:02}", home)
    # The flight lands late enough in the day that others could have left before it.
    first, last = (9 * 12, 12 * 12) if trip.rail else (12 * 12 + 9, 17 * 12)
    slot = draw.int(first, last)
    zone = zone_of(route.end)
    day = start + timedelta(1 if route.minutes < 500 else 2)
    lands = to_instant(f"{day.isoformat()}T{slot // 12:02}:{slot % 12 * 5:02}", zone)
    cabin = "business" if giver == "same_cabin" else "economy"
    kinds = _kinds(draw, setting, giver, event_day, party, trip)
    return Plot(
        trip,
        carrier,
        partner,
        route,
        party,
        giver,
        event_day,
        draw.choice((40, 45, 50, 60)),
        cabin,
        now,
        lands - route.minutes * 60,
        nights,
        kinds,
    )


def _main_routes(trip: Trip) -> list[Route]:
    return [route for start in trip.starts for end in trip.ends for route in routes().get((start, end), ())]


def _kinds(draw: Draw, setting: Setting, giver: Giver, event_day: int, party: Party, trip: Trip) -> tuple[Kind, ...]:
    kinds: list[Kind] = ["be_at_event_by", "keep_stay"]
    if event_day:
        kinds.append("checkin_by")
    if giver and giver not in kinds:
        kinds.append(giver)
    if not giver:
        # What an earlier flight without the bag would break.
        kinds.append("bag_kg")
    rest: list[Kind] = ["same_day", "same_cabin", "transfer_cost_max", "bag_kg"]
    if party.size > 1:
        rest.append("travel_together")
    if trip.rail:
        rest.append("no_overnight_airport")
    low, high = LINES[setting.difficulty]
    wanted = draw.int(low, high)
    left: list[Kind] = draw.shuffled([kind for kind in rest if kind not in kinds])
    kinds += left[: max(0, wanted - len(kinds))]
    return tuple(draw.shuffled(kinds))
