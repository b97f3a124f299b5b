"""What the user wants, drawn around a target pair: journey, shape, dates, party, constraints."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import offset_minutes, to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    Journey,
    Route,
    carrier_facts,
    journeys,
    points,
    routes,
    terminal_of,
    zone_of,
)
from agentbench_tasks.travel.domain.inventory import Party
from agentbench_tasks.travel.domain.sales import opening, sale_rules
from agentbench_tasks.travel.domain.two_leg.rules import Mode, Reaction, Shape

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
LATEST_TRIP = date(2026, 12, 28)
GUARD_S = 31 * 60
"""Instants that a right answer depends on lie further than this from the beginning (timeout + 1 minute)."""
FEATURES = {
    "easy": {"sale_rule": 0.7, "date_line": 0.15, "summer_time": 0.15},
    "standard": {"sale_rule": 0.35, "date_line": 0.4, "summer_time": 0.25},
    "hard": {"sale_rule": 0.3, "date_line": 0.4, "summer_time": 0.3},
}
SHAPES = {
    "easy": {"connect": 0.75, "out_and_back": 0.25},
    "standard": {"connect": 0.6, "stopover": 0.25, "out_and_back": 0.15},
    "hard": {"connect": 0.4, "stopover": 0.45, "out_and_back": 0.15},
}


class Leg(msgspec.Struct, frozen=True, gc=False):
    """One leg of the target: who goes where, departing when."""

    carrier: CarrierFacts
    route: Route
    departs: int

    @property
    def arrives(self) -> int:
        """Instant of arrival."""
        return self.departs + self.route.minutes * 60

    @property
    def dep_local(self) -> str:
        """Local time of departure."""
        return to_local(self.departs, zone_of(self.route.start))

    @property
    def arr_local(self) -> str:
        """Local time of arrival."""
        return to_local(self.arrives, zone_of(self.route.end))


class Plot(msgspec.Struct, frozen=True):
    """The drawn story: everything but prices."""

    journey: Journey
    shape: Shape
    mode: Mode
    reaction: Reaction
    benign: bool
    now: int
    party: Party
    options: tuple[tuple[Route, ...], tuple[Route, ...]]
    """The routes of each leg."""
    target: tuple[Leg, Leg]
    depart_from: date
    depart_to: date
    nights: int
    minimum: int
    """Minutes that the target's connection needs."""

    @property
    def ends(self) -> tuple[str, str, str]:
        """The cities of origin, transfer and destination."""
        last = self.journey.origin_city if self.shape == "out_and_back" else self.journey.dest_city
        return self.journey.origin_city, self.journey.via_city, last


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story; raise NoFit where the draws do not fit together."""
    market, difficulty = setting.market.code, setting.difficulty
    benign = draw.chance(0.1)
    feature = draw.weighted(FEATURES[difficulty])
    found = [journey for journey in journeys(market) if journey.feature == feature]
    if not found:
        raise NoFit
    journey = draw.choice(found)
    shape: Shape = draw.weighted(SHAPES[difficulty])  # type: ignore[assignment]
    if journey.ground_leg:
        shape = "connect"
    mode: Mode = "hold" if draw.chance(0.5) else "quote"
    legs = leg_routes(journey, shape)
    party = Party(2, (draw.int(2, 11),)) if difficulty == "hard" and draw.chance(0.6) else Party(draw.int(1, 2))
    home = setting.market.zone
    start = draw.day(FIRST_DAY, LAST_DAY)
    if journey.from_date:
        first, last = date.fromisoformat(journey.from_date), date.fromisoformat(journey.to_date)
        start = draw.day(max(FIRST_DAY, first - timedelta(45)), min(LAST_DAY, last - timedelta(6)))
    now = to_instant(f"{start.isoformat()}T{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}", home)
    one, two = draw.choice(legs[0]), draw.choice(legs[1])
    if shape == "connect" and not _linked(one.end, two.start):
        raise NoFit
    carriers = _target_carriers(draw, one, two, benign)
    day = _first_day(draw, journey, start, now, market, (one, two), carriers)
    span = 1 if difficulty == "easy" else draw.int(2, 5)
    # A trip a day earlier is only tempting where the window allows it.
    before = draw.int(min(1, span - 1) if feature == "date_line" else 0, span - 1)
    depart_from = max(day - timedelta(before), start + timedelta(1))
    depart_to = depart_from + timedelta(max(span - 1, (day - depart_from).days))
    leg_1 = Leg(carriers[0], one, _clock(draw, one, day, carriers[0]))
    nights = 0 if shape == "connect" else draw.int(1, 3) if shape == "stopover" else draw.int(2, 4)
    minimum = minimum_minutes(carriers, (one, two)) if shape == "connect" else 0
    leg_2 = Leg(carriers[1], two, _second_departure(draw, leg_1, two, nights, minimum, journey))
    return Plot(
        journey,
        shape,
        mode,
        draw.weighted({"yes": 0.45, "change": 0.2, "no": 0.2, "silence": 0.15}),  # type: ignore[arg-type]
        benign,
        now,
        party,
        legs,
        (leg_1, leg_2),
        depart_from,
        depart_to,
        nights,
        minimum,
    )


@cache
def leg_routes(journey: Journey, shape: Shape) -> tuple[tuple[Route, ...], tuple[Route, ...]]:
    """Return the routes that each leg may take."""
    firsts = [route for s in journey.starts[0] for e in journey.ends[0] for route in routes().get((s, e), ())]
    if shape == "out_and_back":
        seconds = [route for s in journey.ends[0] for e in journey.starts[0] for route in routes().get((s, e), ())]
    else:
        seconds = [route for s in journey.starts[1] for e in journey.ends[1] for route in routes().get((s, e), ())]
    if not firsts or not seconds:
        raise NoFit
    return tuple(firsts), tuple(seconds)


def _linked(one: str, other: str) -> bool:
    return one == other or any(link.to == other for link in points()[one].links)


def _target_carriers(draw: Draw, one: Route, two: Route, benign: bool) -> tuple[CarrierFacts, CarrierFacts]:
    pairs = [(carrier_facts()[a], carrier_facts()[b]) for a in one.carriers for b in two.carriers]
    outside = draw.chance(0.85) and not benign
    listed = [
        (a, b)
        for a, b in pairs
        if (_in_search(a, one) and _in_search(b, two)) != outside or (benign and _ground(b) and _in_search(a, one))
    ]
    return draw.choice(listed or pairs)


def _ground(carrier: CarrierFacts) -> bool:
    return carrier.kind not in ("full", "budget")


def _in_search(carrier: CarrierFacts, route: Route) -> bool:
    return carrier.sold_via_search(route.start, route.end)


def minimum_minutes(carriers: tuple[CarrierFacts, CarrierFacts], legs: tuple[Route, Route]) -> int:
    """Return the minutes that a connection needs on separate tickets; raise NoFit if none is published."""
    here = points()[legs[0].end]
    if legs[0].end == legs[1].start:
        arrives = terminal_of(carriers[0], legs[0].end, legs[0].start)
        leaves = terminal_of(carriers[1], legs[1].start, legs[1].end)
        found = [row.minutes for row in here.mct if not row.protected and row.same_terminal == (arrives == leaves)]
    else:
        found = [link.minutes for link in here.links if link.to == legs[1].start]
    if not found:
        raise NoFit
    return found[0]


def _first_day(
    draw: Draw,
    journey: Journey,
    start: date,
    now: int,
    market: str,
    legs: tuple[Route, Route],
    carriers: tuple[CarrierFacts, CarrierFacts],
) -> date:
    """Draw the day of the first leg: on sale where a sale rule applies, and inside the journey's own limits."""
    if journey.from_date:
        first, last = date.fromisoformat(journey.from_date), date.fromisoformat(journey.to_date)
        first = max(first, start + timedelta(4))
        if first > last:
            raise NoFit
        return first + timedelta(draw.int(0, (last - first).days))
    lead = min(draw.int(12, 70), (LATEST_TRIP - start).days)
    if journey.ground_leg:
        ground, carrier = legs[journey.ground_leg - 1], carriers[journey.ground_leg - 1]
        rule = sale_rules(market).get(carrier.code)
        zone = zone_of(ground.start)
        for days in range(lead, 3, -1):
            day = start + timedelta(days)
            if rule is None or to_instant(opening(rule, day, ground.share_of_run), zone) <= now - GUARD_S:
                return day
        raise NoFit
    return start + timedelta(lead)


def _clock(draw: Draw, route: Route, day: date, carrier: CarrierFacts) -> int:
    first, last = (6 * 12, 21 * 12) if _ground(carrier) else (5 * 12 + 6, 23 * 12 + 10)
    slot = draw.int(first, last)
    return to_instant(f"{day.isoformat()}T{slot // 12:02}:{slot % 12 * 5:02}", zone_of(route.start))


def _second_departure(draw: Draw, one: Leg, route: Route, nights: int, minimum: int, journey: Journey) -> int:
    zone = zone_of(route.start)
    if nights:
        arrival = date.fromisoformat(to_local(one.arrives, zone_of(one.route.end))[:10])
        slot = draw.int(6 * 12 + 6, 22 * 12)
        return to_instant(f"{(arrival + timedelta(nights)).isoformat()}T{slot // 12:02}:{slot % 12 * 5:02}", zone)
    earliest = one.arrives + (minimum + 20) * 60
    departs = -(-earliest // 300) * 300 + draw.int(0, 108) * 300
    clock = to_local(departs, zone)[11:]
    if not "05:30" <= clock <= "23:50":
        raise NoFit
    if one.route.end != route.start:
        link = next(link for link in points()[one.route.end].links if link.to == route.start)
        arrival = to_local(one.arrives, zone_of(one.route.end))[11:]
        same_day = to_local(one.arrives, zone)[:10] == to_local(departs, zone)[:10]
        if not (link.first <= arrival <= link.last and same_day):
            raise NoFit
    return departs


def clock_shift(zone: str, now: int, then: int) -> int:
    """Return by how many minutes a zone's offset differs between two instants."""
    return offset_minutes(zone, then) - offset_minutes(zone, now)
