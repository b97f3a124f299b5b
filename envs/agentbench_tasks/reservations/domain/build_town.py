"""The town that the ten tasks share: a neighbourhood with its houses, to which a task adds those of its plot."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.naming import Namer
from agentbench_tasks.reservations.domain.guide_pages import guide_pages
from agentbench_tasks.reservations.domain.house import WORDINGS, House
from agentbench_tasks.reservations.domain.mailbag import Mailbag
from agentbench_tasks.reservations.domain.market import in_language, reservation_market
from agentbench_tasks.reservations.domain.neighbourhood import Lot, neighbourhood
from agentbench_tasks.reservations.domain.outlets import WALKABLE, Quarter, address_of
from agentbench_tasks.reservations.domain.person import User, draw_user
from agentbench_tasks.reservations.domain.publishing import PageKind
from agentbench_tasks.reservations.domain.town import town
from agentbench_tasks.reservations.domain.usual import site_name

IN_REACH = {"easy": (8, 12), "standard": (18, 26), "hard": (30, 42)}
"""How many venues lie within walking distance of the landmark of the story."""
FRIENDS = 2
"""How many friends the user chats with on any day."""
_SISTERS = 0.25
"""The share of background houses whose brand has its second door in the world."""


class Town(msgspec.Struct, frozen=True):
    """A town as an instance has it."""

    setting: Setting
    now: int
    user: User
    quarters: tuple[Quarter, ...]
    """The districts, that of the story first."""
    records: tuple[Record, ...]

    @property
    def today(self) -> date:
        """The day on which it begins."""
        return date.fromisoformat(to_local(self.now, self.setting.market.zone)[:10])

    def city(self, language: str) -> str:
        """The name of the city in a language."""
        return in_language(town(self.setting.market.code).city, language)


class TownBuilder:
    """Builds a town around a plot: a task draws its houses here, settles what it needs of them, then closes the town.

    Args:
        draw: the stream to draw from; each part has one of its own.
        setting: what the instance is drawn for.
        now: the in-world instant.
        pages: kinds of pages that every house has, besides hours, booking, terms and menu.
        away: the zone in which the user is, "" for that of the market.
        floor: the floor on which the user lives, in the quarter of the story; 0 for anywhere in town.
    """

    def __init__(
        self,
        draw: Draw,
        setting: Setting,
        now: int,
        pages: tuple[PageKind, ...] = (),
        away: str = "",
        floor: int = 0,
    ) -> None:
        self.draw, self.setting, self.now = draw, setting, now
        self.ids = draw.stream("ids")
        self.today = date.fromisoformat(to_local(now, setting.market.zone)[:10])
        self._houses = houses = draw.stream("houses")
        market = setting.market
        self.district = houses.choice(houses.pool(town(market.code).districts)).id
        self._around = neighbourhood(
            market.code,
            draw.split,
            setting.language,
            setting.difficulty,
            pages,
            self.district,
        )
        self._free = houses.shuffled(self._around.lots)
        self.houses: list[House] = []
        self.records: list[Record] = []
        """What a task adds to the world beside its houses."""
        people = draw.stream("people")
        self.variant = people.variant(WORDINGS)
        self.namer = Namer(people, draw.split)
        quarter = self.quarter if floor else houses.choice(self._around.quarters)
        home = address_of(quarter, people, market.code, setting.language, floor)
        self.user = draw_user(people, self.ids, setting, self.today, self.variant, home, namer=self.namer, away=away)
        self.mailbag = Mailbag(self.ids, setting, self.user, self.variant)

    @property
    def quarter(self) -> Quarter:
        """The quarter that the story plays in."""
        return self._around.quarters[0]

    @property
    def quarters(self) -> tuple[Quarter, ...]:
        """All quarters, that of the story first."""
        return self._around.quarters

    @property
    def phones(self) -> frozenset[str]:
        """The telephone numbers of all houses that the town may have."""
        return frozenset(place.phone for place in self._around.places)

    def house(self, *, cuisine: str = "", metres: tuple[int, int] = (0, WALKABLE)) -> House:
        """Draw a house near the landmark of the story; raise NoFit if the neighbourhood has none left that fits.

        Args:
            cuisine: code of its cuisine, "" for any.
            metres: the least and the greatest distance from the landmark as the crow flies.
        """
        for number, lot in enumerate(self._free):
            if metres[0] <= lot.metres <= metres[1] and cuisine in ("", lot.house.brand.cuisine.code):
                return self._built(self._free.pop(number))
        raise NoFit

    def sister(self, house: House) -> House:
        """Draw another outlet of a house's brand, in another quarter."""
        return self._built(self._around.sister(house.brand.id))

    def _built(self, lot: Lot) -> House:
        house = lot.house.taken(self._houses, self.ids)
        self.houses.append(house)
        return house

    def day(self, days: int) -> str:
        """Return the ISO date so many days from today."""
        return (self.today + timedelta(days)).isoformat()

    def close(self) -> Town:
        """Fill the town up around the plot and return it."""
        draw = self.draw.stream("fill")
        near = sum(house.place.district == self.quarter.area.id for house in self.houses)
        background = self._free[: draw.int(*IN_REACH[self.setting.difficulty]) - near]
        sisters = [self._around.sister(lot.house.brand.id) for lot in background if draw.chance(_SISTERS)]
        records = [record for house in self.houses for record in house.records()]
        for lot in (*background, *sisters):
            records += lot.records
        publisher = site_name(reservation_market(self.setting.market.code).site.discovery, self.setting.language)
        records += guide_pages(self.ids, self.setting, publisher, self.today)
        friends = [self.namer.fresh(self.setting.market.code) for _ in range(FRIENDS)]
        records += self.mailbag.everyday(draw, friends, self.now)
        marks = [mark for quarter in self._around.quarters for mark in (quarter.area, quarter.landmark)]
        return Town(
            self.setting,
            self.now,
            self.user,
            self._around.quarters,
            (*marks, *self.user.records, *records, *self.records),
        )
