"""The story of a comparison: route, days, party, which fares are in scope, and what is asked about them."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.fare_rules.terms import Ask
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    Route,
    carrier_facts,
    country_of,
    currency_at,
    points,
    rate_levels,
    routes,
)
from agentbench_tasks.travel.domain.inventory import Party

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
LATEST_TRIP = date(2026, 12, 28)
ASK_DAYS = (3, 10, 20, 45)
CARRIERS = {"easy": (3, 3), "standard": (3, 4), "hard": (4, 4)}
FARES = {"easy": 4, "standard": 5, "hard": 7}
TRAP_COUNT = {"easy": (2, 2), "standard": (3, 4), "hard": (5, 6)}
AIR = ("full", "budget")
TRAPS = (
    "stale_offer",
    "fee_per_sector",
    "round_trip_half",
    "footnote_exception",
    "seasonal_exception",
    "service_fee",
    "taxes_only_back",
    "credit_not_cash",
    "pieces_not_kg",
    "old_version",
    "one_fare_sold_out",
)
EASY_TRAPS = frozenset({"stale_offer", "fee_per_sector", "taxes_only_back", "pieces_not_kg", "one_fare_sold_out"})


class Plot(msgspec.Struct, frozen=True):
    """The drawn story: everything but prices and rules."""

    route: Route
    carriers: tuple[CarrierFacts, ...]
    """Those in scope, the first one of which sells the cheapest fare."""
    others: tuple[CarrierFacts, ...]
    fares: tuple[tuple[int, str], ...]
    """The fares in scope as (which carrier, brand kind), the cheapest first."""
    now: int
    party: Party
    depart_on: str
    back_on: str
    """Day of the way back, "" for one way."""
    scope: Literal["shortlist", "rule"]
    before_noon: bool
    days: int
    change: Literal["whole", "back"]
    traps: tuple[str, ...]
    currency: str
    step: int
    """Base fares are multiples of it, so that shares of a fare come out even."""

    @property
    def ask(self) -> Ask:
        """What is asked of each fare's rules."""
        sectors = 2 if self.back_on else 1
        changed = 1 if self.change == "back" else sectors
        dest = points()[self.route.end].city
        return Ask(self.days, self.party.size, sectors, changed, self.depart_on, dest)


@cache
def market_routes(market: str) -> tuple[Route, ...]:
    """Return the routes by air out of a market on which a search lists some carriers and leaves out a budget one."""
    return tuple(
        route
        for (start, end), group in routes().items()
        for route in group
        if country_of(start) == market and _comparable(market, start, end, route)
    )


def _comparable(market: str, start: str, end: str, route: Route) -> bool:
    facts = [carrier_facts()[code] for code in route.carriers]
    listed = [carrier for carrier in facts if carrier.sold_via_search(start, end)]
    known = currency_at(end)[0] in (currency_at(start)[0], *rate_levels(market))
    return known and 2 <= len(listed) < len(facts) and len(facts) >= 4 and all(c.kind in AIR for c in facts)


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story; raise NoFit where the draws do not fit together."""
    difficulty = setting.difficulty
    route = draw.choice(market_routes(setting.market.code))
    days = draw.choice(ASK_DAYS)
    start = draw.day(FIRST_DAY, LAST_DAY)
    depart = start + timedelta(days + draw.int(8, 36))
    if depart > LATEST_TRIP:
        raise NoFit
    returns = draw.chance(0.7)
    clock = f"{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}"
    party = Party(draw.int(1, 2))
    if difficulty == "hard" and draw.chance(0.6):
        party = Party(draw.int(1, 2), (draw.int(2, 11),))
    low, high = CARRIERS[difficulty]
    carriers, others = _carriers(draw, route, draw.int(low, high))
    traps: list[str] = []
    if not draw.chance(0.1):
        low, high = TRAP_COUNT[difficulty]
        kinds = [name for name in TRAPS if difficulty != "easy" or name in EASY_TRAPS]
        traps = draw.sample(kinds, draw.int(low, high))
    change: Literal["whole", "back"] = "back" if returns and draw.chance(0.35) else "whole"
    # Some readings can only go wrong on a way back.
    if "fee_per_sector" in traps:
        returns, change = True, "whole"
        traps = [name for name in traps if name != "round_trip_half"]
    elif "round_trip_half" in traps:
        returns, change = True, "back"
    currency, step = currency_at(route.start)
    return Plot(
        route,
        carriers,
        others,
        _fares(draw, carriers, FARES[difficulty]),
        to_instant(f"{start.isoformat()}T{clock}", setting.market.zone),
        party,
        depart.isoformat(),
        (depart + timedelta(draw.int(3, 12))).isoformat() if returns else "",
        "shortlist" if draw.chance(0.5) else "rule",
        draw.chance(0.6),
        days,
        change,
        tuple(traps),
        currency,
        _even(step),
    )


def _carriers(draw: Draw, route: Route, count: int) -> tuple[tuple[CarrierFacts, ...], tuple[CarrierFacts, ...]]:
    """Draw the carriers in scope, at least one of which the search leaves out, and the rest."""
    facts = draw.shuffled([carrier_facts()[code] for code in route.carriers])
    listed = [carrier for carrier in facts if carrier.sold_via_search(route.start, route.end)]
    outside = [carrier for carrier in facts if carrier not in listed]
    cheapest = outside[0] if draw.chance(0.85) else listed[0]
    kept = [cheapest, listed[1], outside[0] if cheapest in listed else listed[0]]
    rest = [carrier for carrier in facts if carrier not in kept]
    chosen = [*kept, *rest][:count]
    return tuple(chosen), tuple(carrier for carrier in facts if carrier not in chosen)


def _fares(draw: Draw, carriers: tuple[CarrierFacts, ...], count: int) -> tuple[tuple[int, str], ...]:
    """Draw fares of each carrier: the cheapest, then one of each other, then any, at least one of them flexible."""
    kinds = [[name for name, _ in carrier.brands] for carrier in carriers]
    if any("basic" not in names for names in kinds):
        raise NoFit
    chosen = [(0, "basic"), *((place, draw.choice(names)) for place, names in enumerate(kinds) if place)]
    rest = [(place, kind) for place, names in enumerate(kinds) for kind in names]
    left = [fare for fare in draw.shuffled(rest) if fare not in chosen]
    chosen += left[: count - len(chosen)]
    if len(chosen) < count or all(kind == "basic" for _, kind in chosen):
        raise NoFit
    return tuple(chosen)


def _even(step: int) -> int:
    """Return the least multiple of a step of which three quarters of any tenth is whole: child fares, then bands."""
    return next(step * times for times in range(1, 41) if step * times % 40 == 0)
