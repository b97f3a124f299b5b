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
from agentbench_tasks.reservations.domain.places import Place, metres_between
from agentbench_tasks.reservations.domain.publishing import PageKind

LOTS = {"easy": 24, "standard": 38, "hard": 54}
"""How many houses lie around the landmark: more than any instance shows, so that the plot finds doors of its own."""
QUARTERS = (4, 6)
_REPLACED = 0.3
"""Share of houses, from standard on, on whose site a page that was replaced is still found."""


class Lot(msgspec.Struct, frozen=True, gc=False):
    """A house of the neighbourhood, and what the world keeps of it as it usually is."""

    house: House
    records: tuple[Record, ...]
    metres: int
    """How far it is from the landmark of the quarter as the crow flies."""


class Neighbourhood:
    """A quarter with its houses, whose brands each have another outlet in another quarter.

    Args:
        draw: a stream of its own.
        habits: what all houses keep to.
        district: the id of the district.

    Attributes:
        quarters: the quarter itself, then the others of the town.
        lots: the houses of the quarter.
        places: where all outlets are, those in other quarters too.
    """

    def __init__(self, draw: Draw, habits: Habits, district: str) -> None:
        self._draw, self._habits = draw, habits
        houses, self._ids = draw.stream("houses"), draw.stream("ids")
        outlets = Outlets(houses, self._ids, habits.market, (habits.language,), district, houses.int(*QUARTERS))
        self.quarters = outlets.quarters
        first, *others = self.quarters
        brands = [outlets.brand() for _ in range(LOTS[habits.difficulty])]
        here = {brand.id: outlets.outlet(brand, first) for brand in brands}
        away = {brand.id: (brand, quarter) for brand in brands for quarter in [houses.choice(others or [first])]}
        self._away = {id: (brand, quarter, outlets.outlet(brand, quarter)) for id, (brand, quarter) in away.items()}
        self.lots = tuple(self._lot("lots", brand, first, here[brand.id]) for brand in brands)
        self.places = (*here.values(), *(place for _, _, place in self._away.values()))
        self._sisters: dict[str, Lot] = {}

    def sister(self, brand: str) -> Lot:
        """The outlet of a brand, by its id, in another quarter; few are asked for, so that each is built when it is."""
        if brand not in self._sisters:
            self._sisters[brand] = self._lot("sisters", *self._away[brand])
        return self._sisters[brand]

    def _lot(self, purpose: str, brand: Brand, quarter: Quarter, place: Place) -> Lot:
        draw = self._draw.stream(f"{purpose} {brand.id}")
        ids, replaced = draw.stream("ids"), draw.stream("replaced")
        house = House(draw.stream("house"), ids, place, brand, quarter, self._habits)
        kept = house.records()
        house.keep_still()
        if self._habits.difficulty != "easy" and replaced.chance(_REPLACED):
            kept = _once_open_longer(house.taken(replaced, ids), replaced).records()
        return Lot(house, tuple(kept), metres_between(place.point, self.quarters[0].landmark.point))


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


@lru_cache(maxsize=256)
def neighbourhood(
    market_code: str, split: Split, language: str, difficulty: Difficulty, pages: tuple[PageKind, ...], district: str
) -> Neighbourhood:
    """Return the neighbourhood of a district, whose houses all have these pages besides the usual ones."""
    draw = Draw("neighbourhood", market_code, language, difficulty, pages, district, split=split)
    return Neighbourhood(draw, Habits(load_market(market_code), language, difficulty, pages), district)
