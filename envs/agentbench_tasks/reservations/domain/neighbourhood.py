"""The houses of a quarter that any instance may have: fixtures of market and split, built once and shared.

An instance takes some of them as they are for its background. The houses of its plot take the names and doors of others
and keep and say what the plot demands, so that who a house is tells nothing of the part it plays.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from agentbench_env.draw import Draw, Split
from agentbench_env.market import load_market
from agentbench_env.task import Difficulty
from agentbench_env.world import Record
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain.house import Habits, House
from agentbench_tasks.reservations.domain.outlets import Brand, Outlets, Quarter
from agentbench_tasks.reservations.domain.places import metres_between
from agentbench_tasks.reservations.domain.publishing import PageKind

NUMBERS = 2
"""How many neighbourhoods each quarter has, of which an instance has one."""
LOTS = {"easy": 24, "standard": 38, "hard": 54}
"""How many houses lie around the landmark: more than any instance shows, so that the plot finds doors of its own."""
QUARTERS = (4, 6)
_REPLACED = 0.3
"""Share of houses, from standard on, on whose site a page that was replaced is still found."""


class Lot(msgspec.Struct, frozen=True):
    """A house of the neighbourhood, and what the world keeps of it as it usually is."""

    house: House
    records: tuple[Record, ...]
    metres: int
    """How far it is from the landmark of the quarter as the crow flies."""


class Neighbourhood(msgspec.Struct, frozen=True):
    """A quarter with its houses, and for each another outlet of its brand in another quarter."""

    quarters: tuple[Quarter, ...]
    """The quarter itself, then the others of the town."""
    lots: tuple[Lot, ...]
    sisters: dict[str, Lot]
    """By the brand's id."""


def _once_open_longer(house: House, draw: Draw) -> House:
    """Leave up a page of hours on which a house closed later."""
    later = [
        msgspec.structs.replace(
            row, hours=msgspec.structs.replace(row.hours, close=service_clock(service_minutes(row.hours.close) + 30))
        )
        for row in house.hours
    ]
    house.leave_hours(later, house.closures, draw.int(90, 400))
    return house


@lru_cache(maxsize=96)
def neighbourhood(
    market_code: str,
    split: Split,
    language: str,
    difficulty: Difficulty,
    pages: tuple[PageKind, ...],
    district: str,
    number: int,
) -> Neighbourhood:
    """Return one of the neighbourhoods of a district, whose houses all have these pages besides the usual ones."""
    draw = Draw("neighbourhood", market_code, language, difficulty, pages, district, number, split=split)
    market = load_market(market_code)
    ids, houses, replaced = draw.stream("ids"), draw.stream("houses"), draw.stream("replaced")
    outlets = Outlets(houses, ids, market, (language,), district, houses.int(*QUARTERS))
    habits = Habits(market, language, difficulty, pages)

    def lot(brand: Brand, quarter: Quarter) -> Lot:
        place = outlets.outlet(brand, quarter)
        house = House(houses, ids, place, brand, quarter, habits)
        kept = house.records()
        if difficulty != "easy" and replaced.chance(_REPLACED):
            kept = _once_open_longer(house.taken(replaced, ids), replaced).records()
        return Lot(house, tuple(kept), metres_between(place.point, outlets.quarters[0].landmark.point))

    first, *others = outlets.quarters
    brands = [outlets.brand() for _ in range(LOTS[difficulty])]
    lots = tuple(lot(brand, first) for brand in brands)
    return Neighbourhood(
        outlets.quarters, lots, {brand.id: lot(brand, houses.choice(others or [first])) for brand in brands}
    )
