"""The houses of the plot: each keeps everything that is asked for but what its part in the story takes away."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import add_days, service_clock, service_minutes
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.diet_page import DietStatement, build_certificate
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.kitchen import LIMITS, cooked
from agentbench_tasks.reservations.domain.listing_text import need_tags
from agentbench_tasks.reservations.domain.openings import service_hours
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.party_table.plot import (
    LEAVES_TIME,
    Plot,
    Stop,
    dinners,
)
from agentbench_tasks.reservations.domain.registry import Certificate, CertificateScope, CertificateStatus
from agentbench_tasks.reservations.domain.surface import Route, RouteMode
from agentbench_tasks.reservations.domain.town import Cuisine, town

REACH = (0, 620)
"""Metres from the landmark in which the plot plays: near enough along the streets too."""
_CLOSURE_TRIES = 6
_STEPS = 60
"""In how many steps, at least, prices count up to the ceiling."""
_WELL_UNDER, _JUST_UNDER = 0.62, 0.97
"""Between which parts of the ceiling the price of a house lies that is not too dear."""
_DRY = ("alcohol_free_premises",)
"""Needs that places with a licence do not meet."""
_WITH_NOTICE, _TAGGED, _REQUESTS, _SMALLER_ON_THE_WEB = 0.35, 0.3, 0.25, 0.6


class Casting:
    """Draws houses near the landmark of the story and settles them.

    Args:
        town: the town that is being built.
        plot: the story.
        draw: the stream to draw from.
    """

    def __init__(self, town: TownBuilder, plot: Plot, draw: Draw) -> None:
        self._town, self._plot, self._draw = town, plot, draw
        self._market = town.setting.market
        self._cuisines = suitable(self._market.code, plot.theme.need)

    def house(self) -> House:
        """Draw a house that is open, affordable and free for the party, on the web and without further steps.

        It says nothing yet of the need.
        """
        house = self._drawn()
        self._open(house)
        self._price(house)
        self.book(house)
        self._furnish(house)
        house.diets, house.alike = [], []
        if self._draw.chance(_TAGGED):
            self._tag(house)
        return house

    def _drawn(self) -> House:
        for cuisine in self._draw.shuffled(self._cuisines):
            try:
                return self._town.house(cuisine=cuisine.code, metres=REACH)
            except NoFit:
                continue
        raise NoFit

    # --- what every house keeps

    def _open(self, house: House) -> None:
        draw, plot = self._draw, self._plot
        lunch = service_hours("lunch", draw.choice(house.rules.hours.options("lunch")))
        house.open_for([lunch, service_hours("dinner", draw.choice(dinners(self._market.code, plot.earliest)))])
        noticed = draw.chance(_WITH_NOTICE)
        tries = 0
        while not house.opening.is_open(plot.day):
            house.keep_closure()
            tries += 1
            if tries == _CLOSURE_TRIES:
                raise NoFit
        if noticed:
            self._announce_another_day(house)
        if not self._serves(house):
            raise NoFit

    def _announce_another_day(self, house: House) -> None:
        near = [add_days(self._plot.day, days) for days in (-2, -1, 1, 2, 4)]
        house.announce(self._posted(), self._draw.choice([day for day in near if house.opening.is_open(day)]))

    def _posted(self) -> str:
        return self._town.day(-self._draw.int(0, 9))

    def _serves(self, house: House) -> bool:
        plot = self._plot
        last = service_clock(service_minutes(plot.latest) + LEAVES_TIME)
        return any(
            hours.service == "dinner" and hours.open <= plot.earliest and last <= hours.last_order_food
            for hours in house.opening.services(plot.day)
        )

    def _price(self, house: House) -> None:
        ceiling = self._plot.ceiling
        if ceiling is None:
            return
        rows = [row for row in house.rules.charges if not (row.licensed and self._plot.theme.need in _DRY)]
        weights: dict[int, float] = {place: row.weight for place, row in enumerate(rows)}
        part = self._draw.uniform(_WELL_UNDER, _JUST_UNDER)
        charges = usual.charge_rule(rows[self._draw.weighted(weights)])
        self._ask(house, charges, int(ceiling.minor * part / float(charges.factor)), ceiling)

    def _ask(self, house: House, charges: ChargeRule, minor: int, ceiling: Money) -> None:
        house.charges = charges
        house.ask(in_steps(minor, ceiling))

    def book(self, house: House, stop: Stop | Literal[""] = "") -> None:
        """Let parties of this size book on the web, or be stopped; larger ones ring up."""
        draw, plot, rules = self._draw, self._plot, house.rules
        most = max(plot.party, draw.choice(rules.routes.online_max))
        larger = usual.off_the_web(draw, rules, house.place, "phone", PartyRange(most + 1))
        smaller = draw.int(2, plot.party - 1)
        first = [Route("instant", "", PartyRange(1, smaller))]
        if stop == "phone" or stop == "messenger":
            first = first if draw.chance(_SMALLER_ON_THE_WEB) else []
            party = PartyRange(smaller + 1) if first else PartyRange()
            rest = [usual.off_the_web(draw, rules, house.place, stop, party)]
        elif stop:
            asks: RouteMode = "request" if stop == "call_back" else "instant"
            rest = [Route(asks, "", PartyRange(smaller + 1, most), steps=(stop,)), larger]
        else:
            first = []
            mode: RouteMode = "request" if draw.chance(_REQUESTS) else "instant"
            rest = [Route(mode, "", PartyRange(1, most)), larger]
        house.take_bookings(*first, *rest)

    def _furnish(self, house: House) -> None:
        draw, plot, furnishing = self._draw, self._plot, house.furnishing
        least = max(2, plot.party - 2)
        furnishing.settle(plot.day)
        furnishing.add(least, plot.party)
        furnishing.add(least, plot.party + draw.int(0, 2))
        first = plot.after(draw.choice((0, 0, 30, 60)))
        opens = house.service("dinner").open
        if opens < first:
            furnishing.take(furnishing.seating_for(plot.party), plot.day, opens, first)

    def _tag(self, house: House) -> None:
        tags = need_tags(house.rules, self._plot.theme.need, house.language)
        house.site = msgspec.structs.replace(house.site, tags=(self._draw.choice(tags), *house.site.tags[:2]))

    # --- the need

    def prove(self, house: House) -> None:
        """Let a house prove the need for the evening in question."""
        if self._plot.theme.level == "certified":
            scope: CertificateScope = "whole_outlet" if self._draw.chance(0.6) else "kitchen"
            self.certify(house, self._later(30, 300), scope=scope)
        else:
            self.declare(house)

    def declare(self, house: House, **limits: object) -> None:
        """Let a house state the need in its own words; `limits`: fields of the statement."""
        need, page = self._plot.theme.need, house.page_id("diet")
        house.diets = [DietStatement(house.ids.id("dst"), house.place.id, page, need, **limits)]  # type: ignore[arg-type]

    def certify(
        self,
        house: House,
        valid_to: str,
        *,
        status: CertificateStatus = "valid",
        scope: CertificateScope = "whole_outlet",
        menu: str = "",
    ) -> Certificate:
        """Let a house have a certificate that its page prints."""
        since = date.fromisoformat(min(valid_to, house.published)) - timedelta(self._draw.int(30, 300))
        row = build_certificate(
            house.ids,
            house.place,
            next(one for one in house.rules.certifiers if not one.lax),
            house.language,
            valid_from=since.isoformat(),
            valid_to=valid_to,
            status=status,
            scope=scope,
            menu=menu,
        )
        house.certificates = [row]
        self.declare(house, certificate_id=row.id)
        return row

    def _later(self, least: int, most: int) -> str:
        return (date.fromisoformat(self._plot.day) + timedelta(self._draw.int(least, most))).isoformat()


def in_steps(minor: int, ceiling: Money) -> Money:
    """A price as round as prices about as high as the ceiling are."""
    step = 10 ** (len(str(ceiling.minor // _STEPS)) - 1)
    return Money(minor // step * step, ceiling.currency)


@cache
def suitable(code: str, need: str) -> tuple[Cuisine, ...]:
    """The cuisines of a town of which a house may say that it meets a need."""
    return tuple(cuisine for cuisine in town(code).cuisines if _suits(cuisine, need))


def _suits(cuisine: Cuisine, need: str) -> bool:
    limits = LIMITS.get(need)
    if limits is None:
        return True
    dishes = cooked(cuisine, (need,))
    if limits.must:
        return any(dish.course == "main" for dish in dishes)
    return 3 * len(dishes) >= 2 * len(cuisine.dishes)
