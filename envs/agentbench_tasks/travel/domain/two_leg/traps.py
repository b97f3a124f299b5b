"""The traps: each is a pair of options that meets every condition but one, and tempts by price.

A trap takes the build under way and returns its decoy, or None where the market, journey or draws do not allow it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

import msgspec

from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.travel.domain.geography import CarrierFacts, Route, carrier_facts, currency_at, zone_of
from agentbench_tasks.travel.domain.inventory import Option
from agentbench_tasks.travel.domain.two_leg.plot import GUARD_S, clock_shift
from agentbench_tasks.travel.domain.two_leg.rules import fits_alone, minimum_between

if TYPE_CHECKING:
    from agentbench_tasks.travel.domain.two_leg.build import Build

MIN_STEP = 300


class Decoy(msgspec.Struct, frozen=True):
    """A pair that fails exactly the condition `fails`. `stale` are fares whose search row shows an old, lower price."""

    trap: str
    fails: str
    one: Option
    two: Option
    stale: tuple[str, ...] = ()


def _pick_carrier(build: Build, leg: int, route: Route, *, listed: bool | None = None) -> CarrierFacts:
    facts = [carrier_facts()[code] for code in route.carriers if code in build.carriers[leg - 1]]
    if listed is not None:
        facts = [c for c in facts if c.sold_via_search(route.start, route.end) == listed] or facts
    return build.draw.choice(facts)


def _extra(build: Build, leg: int, carrier: CarrierFacts, route: Route, departs: int, cost: float) -> Option | None:
    """Add a departure of its own with one fare at about `cost`; None if no fare gets there."""
    brand = build.brand_for(leg, carrier)
    if not brand:
        return None
    service = build.inventory.service(carrier, route, departs)
    option = build.inventory.fare(leg, carrier, service, brand, build.inventory.base_fare(route, carrier, 0.3))
    if option.cost < 0:
        return None
    priced = build.inventory.priced_at(option, cost)
    return build.inventory.put(option, priced) if priced is not None else None


def short_connection(build: Build) -> Decoy | None:
    """The gap looks long enough but is below the minimum for separate tickets, or leads through another airport."""
    return _too_tight(build, build.plot.options[0], "short_connection")


def wrong_station(build: Build) -> Decoy | None:
    """The second leg leaves from another station than the first one's, and the way there takes longer than the gap."""
    if not build.plot.journey.ground_leg:
        return None
    other = [route for route in build.plot.options[0] if route.end != build.plot.target[0].route.end]
    return _too_tight(build, tuple(other), "wrong_station")


def _too_tight(build: Build, options: tuple[Route, ...], trap: str) -> Decoy | None:
    if build.plot.shape != "connect" or not options:
        return None
    draw, target = build.draw, build.target
    route = draw.choice(options)
    carriers = [code for code in route.carriers if code in build.carriers[0]]
    if not carriers:
        return None
    carrier = _pick_carrier(build, 1, route)
    probe = build.inventory.service(carrier, route, target[1].service.departs - 86400)
    build.inventory.services.pop()
    minimum = minimum_between(probe, target[1].service, build.points)
    if minimum is None:
        return None
    arrives = target[1].service.departs - (minimum[0] - draw.int(3, 11) * 5) * 60
    departs = (arrives - route.minutes * 60) // MIN_STEP * MIN_STEP
    option = _extra(build, 1, carrier, route, departs, target[0].cost * draw.uniform(0.82, 0.96))
    return option and Decoy(trap, "connection_min", option, target[1])


def date_line(build: Build) -> Decoy | None:
    """Both legs a day earlier: it arrives the calendar day before."""
    if build.plot.journey.feature != "date_line":
        return None
    draw, (one, two) = build.draw, build.target
    first = date.fromisoformat(one.service.dep_local[:10])
    if first - timedelta(1) < date.fromisoformat(build.wish.depart_from):
        return None
    # The earlier first leg must not go with the target's second one: too long a gap, other nights, or over budget.
    early = _extra(
        build,
        1,
        carrier_facts()[one.service.carrier],
        build.plot.target[0].route,
        one.service.departs - 86400,
        build.wish.budget.minor * 1.02 - two.cost,
    )
    if early is None:
        return None
    late = _extra(
        build,
        2,
        carrier_facts()[two.service.carrier],
        build.plot.target[1].route,
        two.service.departs - 86400,
        (one.cost + two.cost) * draw.uniform(0.88, 0.97) - early.cost,
    )
    return late and Decoy("date_line", "arrive_window", early, late)


def summer_time(build: Build) -> Decoy | None:
    """The arrival falls into the window only by today's offset; the clocks change before the journey."""
    draw, (one, two) = build.draw, build.target
    shift = clock_shift(two.service.arr_zone, build.plot.now, two.service.arrives)
    if not shift:
        return None
    day, zone = build.wish.arrive_on, two.service.arr_zone
    edge = to_instant(f"{day}T{build.wish.arrive_to if shift > 0 else build.wish.arrive_from}", zone)
    arrives = edge + (draw.int(2, 10) * 300 if shift > 0 else -draw.int(2, 10) * 300)
    route = build.plot.target[1].route
    carrier = _pick_carrier(build, 2, route)
    option = _extra(build, 2, carrier, route, arrives - route.minutes * 60, two.cost * draw.uniform(0.82, 0.96))
    return option and Decoy("summer_time", "arrive_window", one, option)


def stale_price(build: Build) -> Decoy | None:
    """The search remembers a price that fits the budget; the live one does not."""
    draw, (one, two) = build.draw, build.target
    for leg in (1, 2):
        kept = two if leg == 1 else one
        for option in build.inventory.options:
            service = option.service
            listed = carrier_facts()[service.carrier].sold_via_search(service.origin, service.dest)
            if option.leg != leg or not listed or option.fare.id in build.protected or option.fare.cabin != "economy":
                continue
            pair = (option, kept) if leg == 1 else (kept, option)
            if not fits_alone(option, build.wish, build.plot.now) or build.failures(*pair) - {"budget"}:
                continue
            dearer = build.inventory.priced_at(option, build.wish.budget.minor * draw.uniform(1.03, 1.14) - kept.cost)
            if dearer is None or len(build.fares_of(option.service.id)) > 1:
                continue
            dearer = build.inventory.put(option, dearer)
            pair = (dearer, kept) if leg == 1 else (kept, dearer)
            build.shown[dearer.fare.id] = (draw.uniform(0.62, 0.8), draw.int(10, 40) * 3600)
            return Decoy("stale_price", "budget", *pair, (dearer.fare.id,))
    return None


def vanishing_fare(build: Build) -> Decoy | None:
    """A cheaper fare with its last seats: somebody else buys it the moment that it is to be held."""
    if build.wish.mode != "hold":
        return None
    draw, leg = build.draw, build.draw.int(1, 2)
    kept, mine = build.target[2 - leg], build.target[leg - 1]
    leg_plot = build.plot.target[leg - 1]
    carriers = [
        carrier_facts()[code]
        for code in leg_plot.route.carriers
        if code in build.carriers[leg - 1] and carrier_facts()[code].hold == "free"
    ]
    if not carriers:
        return None
    carrier = draw.choice(carriers)
    shift = draw.choice((-3, -2, -1, 1, 2, 3)) * MIN_STEP
    option = _extra(
        build, leg, carrier, leg_plot.route, mine.service.departs + shift, mine.cost * draw.uniform(0.86, 0.95)
    )
    if option is None:
        return None
    gone = msgspec.structs.replace(option.fare, closes="first_hold", seats=build.plot.party.size)
    option = build.inventory.put(option, msgspec.structs.replace(option, fare=gone))
    dearer = build.inventory.fare(
        leg,
        carrier,
        option.service,
        build.brand_for(leg, carrier),
        build.inventory.base_fare(leg_plot.route, carrier, 0.5),
    )
    price = build.wish.budget.minor * draw.uniform(1.03, 1.15) - kept.cost
    raised = build.inventory.priced_at(dearer, price) if dearer.cost >= 0 else None
    if raised is None:
        return None
    build.inventory.put(dearer, raised)
    pair = (option, kept) if leg == 1 else (kept, option)
    return Decoy("vanishing_fare", "vanishes" if build.wish.grants else "", *pair)


def bag_and_card(build: Build) -> Decoy | None:
    """The lowest headline: with the bag and the card fee it is over budget."""
    draw = build.draw
    for leg in draw.shuffled((1, 2)):
        kept, mine = build.target[2 - leg], build.target[leg - 1]
        route = build.plot.target[leg - 1].route
        extras = mine.local.minor - mine.fare.base.minor * build.plot.party.size
        for code in draw.shuffled([c for c in route.carriers if c in build.carriers[leg - 1]]):
            carrier = carrier_facts()[code]
            brand = build.brand_for(leg, carrier)
            if carrier.bag_included or code == mine.fare.carrier or not brand:
                continue
            shift = draw.choice((-8, -5, 5, 8)) * MIN_STEP
            service = build.inventory.service(carrier, route, mine.service.departs + shift)
            _, step = currency_at(route.start)
            base = round(mine.fare.base.minor * 0.97 / step) * step
            option = build.inventory.fare(leg, carrier, service, brand, base)
            added = option.local.minor - option.fare.base.minor * build.plot.party.size
            raised = build.inventory.priced_at(option, build.wish.budget.minor * draw.uniform(1.01, 1.03) - kept.cost)
            if raised is None or added <= extras or build.refused(raised):
                build.drop(option)
                continue
            raised = build.inventory.put(option, raised)
            pair = (raised, kept) if leg == 1 else (kept, raised)
            return Decoy("bag_and_card", "budget", *pair)
    return None


def not_on_sale(build: Build) -> Decoy | None:
    """The natural departure goes on sale only next week by the operator's rule."""
    leg = build.plot.journey.ground_leg
    if not leg:
        return None
    draw, mine, kept = build.draw, build.target[leg - 1], build.target[2 - leg]
    for route in draw.shuffled(build.plot.options[leg - 1]):
        for code in draw.shuffled([c for c in route.carriers if c in build.carriers[leg - 1]]):
            for days in (0, 1, -1, 2):
                departs = mine.service.departs + days * 86400
                service = build.inventory.service(carrier_facts()[code], route, departs)
                build.inventory.services.pop()
                if service.on_sale_from <= build.plot.now + GUARD_S:
                    continue
                option = _extra(build, leg, carrier_facts()[code], route, departs, mine.cost * draw.uniform(0.82, 0.95))
                if option is None:
                    continue
                pair = (option, kept) if leg == 1 else (kept, option)
                if build.failures(*pair) == {"on_sale"}:
                    return Decoy("not_on_sale", "on_sale", *pair)
                build.drop(option)
    return None


def unspoken_airport(build: Build) -> Decoy | None:
    """A pair through the airport that the user does not want but has not spoken of."""
    if not build.wish.excluded_point:
        return None
    for leg in (1, 2):
        mine, kept = build.target[leg - 1], build.target[2 - leg]
        other = [r for r in build.plot.options[leg - 1] if build.wish.excluded_point in (r.start, r.end)]
        for route in other:
            for code in (
                c for c in route.carriers if c in build.carriers[leg - 1] and carrier_facts()[c].hold == "free"
            ):
                shift = 0 if build.plot.shape != "connect" else (-240 if leg == 1 else 240) * 60
                option = _extra(
                    build,
                    leg,
                    carrier_facts()[code],
                    route,
                    mine.service.departs + shift,
                    mine.cost * build.draw.uniform(0.84, 0.95),
                )
                if option is None:
                    continue
                pair = (option, kept) if leg == 1 else (kept, option)
                if build.failures(*pair) == {"airport_excluded"}:
                    return Decoy("unspoken_airport", "airport_excluded", *pair)
                build.drop(option)
    return None


def unspoken_hour(build: Build) -> Decoy | None:
    """A pair that leaves earlier in the day than the user is willing to, which they have not spoken of."""
    if not build.wish.not_before:
        return None
    draw, (one, two) = build.draw, build.target
    route = build.plot.target[0].route
    for code in draw.shuffled(
        [c for c in route.carriers if c in build.carriers[0] and carrier_facts()[c].hold == "free"]
    ):
        day = to_local(one.service.departs, zone_of(route.start))[:10]
        departs = to_instant(f"{day}T{draw.choice(('05:30', '05:45', '06:10', '06:25'))}", zone_of(route.start))
        option = _extra(build, 1, carrier_facts()[code], route, departs, one.cost * draw.uniform(0.84, 0.95))
        if option is None:
            continue
        if build.failures(option, two) == {"no_departure_before"}:
            return Decoy("unspoken_hour", "no_departure_before", option, two)
        build.drop(option)
    return None


def wrong_hours(build: Build, below: int) -> Option | None:
    """Add a second leg cheaper than `below` that arrives on the right day outside the hours asked for."""
    draw, wish = build.draw, build.wish
    zone, route = build.target[1].service.arr_zone, build.plot.target[1].route
    before = to_instant(f"{wish.arrive_on}T{wish.arrive_from}", zone) - draw.int(6, 24) * MIN_STEP
    after = to_instant(f"{wish.arrive_on}T{wish.arrive_to}", zone) + draw.int(6, 24) * MIN_STEP
    for arrives in draw.shuffled((before, after)):
        if to_local(arrives, zone)[:10] != wish.arrive_on:
            continue
        for code in draw.shuffled([code for code in route.carriers if code in build.carriers[1]]):
            departs = arrives - route.minutes * 60
            option = _extra(build, 2, carrier_facts()[code], route, departs, below * draw.uniform(0.8, 0.95))
            if option is None:
                continue
            if 0 <= option.cost < below and option.service.on_sale_from <= build.plot.now:
                return option
            build.drop(option)
    return None


TRAPS: dict[str, Callable[[Build], Decoy | None]] = {
    "short_connection": short_connection,
    "wrong_station": wrong_station,
    "date_line": date_line,
    "summer_time": summer_time,
    "stale_price": stale_price,
    "vanishing_fare": vanishing_fare,
    "bag_and_card": bag_and_card,
    "not_on_sale": not_on_sale,
}
