"""The houses of the plot: each keeps everything that is asked for but what its part in the story takes away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock, service_instant, service_minutes
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.diet_page import CERTIFIED_NEEDS, DietStatement, build_certificate
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.kitchen import LIMITS, cooked
from agentbench_tasks.reservations.domain.listing_text import need_tags, price_symbol, tables_tonight
from agentbench_tasks.reservations.domain.market import PriceRule
from agentbench_tasks.reservations.domain.openings import service_hours
from agentbench_tasks.reservations.domain.outlets import NEAREST, address_of
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.party_table.plot import (
    LEAVES_TIME,
    OFF_THE_WEB,
    ON_THE_WEB,
    Plot,
    Stop,
    dinners,
)
from agentbench_tasks.reservations.domain.registry import Certificate, CertificateScope, CertificateStatus
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.tables import LastTable, Table
from agentbench_tasks.reservations.domain.town import Cuisine, TownMenu, town
from agentbench_tasks.reservations.domain.venue import ClosureRule, ServiceHours

REACH = (0, 620)
"""Metres from the landmark in which the plot plays: near enough along the streets too."""
TURN = 120
"""Minutes that a table is taken."""
_CLOSURE_TRIES = 6
_STEPS = 60
"""In how many steps, at least, prices count up to the ceiling."""
_WELL_UNDER, _JUST_UNDER = 0.62, 0.97
"""Between which parts of the ceiling the price of a house lies that is not too dear."""
_SLOT = 30
_DRY = ("alcohol_free_premises",)
"""Needs that places with a licence do not meet."""
_WITH_NOTICE, _TAGGED, _REQUESTS = 0.35, 0.3, 0.25
_MOST_POPULAR = 995


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
        if draw.chance(_WITH_NOTICE):
            self._announce_another_day(house)
        tries = 0
        while not house.opening.is_open(plot.day):
            house.keep_closure()
            tries += 1
            if tries == _CLOSURE_TRIES:
                raise NoFit
        if not self._serves(house):
            raise NoFit

    def _announce_another_day(self, house: House) -> None:
        day = date.fromisoformat(self._plot.day) + timedelta(self._draw.choice((-2, -1, 1, 2, 4)))
        house.announce(self._posted(), day.isoformat())

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
        step = 10 ** (len(str(ceiling.minor // _STEPS)) - 1)
        house.charges = charges
        house.dinner = Money(minor // step * step, ceiling.currency)
        symbol = price_symbol(house.rules.bands, house.dinner, house.language)
        house.site = msgspec.structs.replace(house.site, price_symbol=symbol)

    def book(self, house: House, stop: Stop | Literal[""] = "") -> None:
        """Let parties of this size book on the web, or be stopped; larger ones ring up."""
        draw, plot, rules = self._draw, self._plot, house.rules
        most = max(plot.party, draw.choice(rules.routes.online_max))
        larger = usual.off_the_web(draw, rules, house.place, "phone", PartyRange(most + 1))
        smaller = draw.int(2, plot.party - 1)
        first = [Route("instant", "", PartyRange(1, smaller))]
        on_the_web = [step for step in ON_THE_WEB if step == stop]
        off_the_web = [mode for mode in OFF_THE_WEB if mode == stop]
        if on_the_web:
            rest = [Route("instant", "", PartyRange(smaller + 1, most), steps=(on_the_web[0],)), larger]
        elif off_the_web:
            first = first if draw.chance(0.6) else []
            party = PartyRange(smaller + 1) if first else PartyRange()
            rest = [usual.off_the_web(draw, rules, house.place, off_the_web[0], party)]
        else:
            first = []
            mode = "request" if draw.chance(_REQUESTS) else "instant"
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
        since = date.fromisoformat(valid_to) - timedelta(self._draw.choice((365, 730)))
        row = build_certificate(
            house.ids,
            house.place,
            next(one for one in house.rules.certifiers if not one.lax),
            address_of(house.quarter, self._draw, self._market.code),
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

    # --- the traps

    def implied_label(self) -> House:
        """A house, first on the site, whose words only sound as if it met the need."""
        house = self.house()
        self._tag(house)
        self.put_first(house)
        house.alike = [self._plot.theme.need]
        return house

    def put_first(self, house: House) -> None:
        """Let a house be the nearest and the best known one."""
        east, north = house.quarter.landmark.point
        aside = self._draw.int(NEAREST // 2, NEAREST - 1)
        point = self._draw.choice(((east + aside, north), (east, north - aside), (east - aside, north)))
        house.place = msgspec.structs.replace(house.place, point=point)
        house.site = msgspec.structs.replace(house.site, popularity=_MOST_POPULAR)

    def stale_certificate(self) -> House:
        """A house whose certificate is not valid on the evening, or not valid any more."""
        house, today = self.house(), date.fromisoformat(self._plot.today)
        match self._draw.choice(("expired", "lapses", "struck_off")):
            case "expired":
                self.certify(house, (today - timedelta(self._draw.int(20, 200))).isoformat(), status="expired")
            case "lapses":
                self.certify(house, (today + timedelta(self._draw.int(1, self._plot.lead - 1))).isoformat())
            case _:
                status: CertificateStatus = "suspended" if self._draw.chance(0.5) else "withdrawn"
                self.certify(house, self._later(30, 300), status=status)
        return house

    def other_branch_certificate(self) -> House:
        """A house that boasts of the certificate of its sister in another quarter."""
        house = self.house()
        sister = self._town.sister(house)
        sister.alike = []
        house.foreign = [(sister.place, self.certify(sister, self._later(30, 300)))]
        return house

    def scope(self) -> House:
        """A house that meets the need, but not at this dinner or not with everything."""
        house, plot = self.house(), self._plot
        menu = TownMenu.read(self._draw.choice(house.brand.cuisine.menus)).name
        name = menu.latin if house.language == "en" else menu.local
        if plot.theme.level == "certified":
            self.certify(house, self._later(30, 300), scope="named_menu", menu=name)
            return house
        match self._draw.choice(("lunch", "lunch", "course", "from_date")):
            case "course" if plot.lead <= 7:
                self.declare(house, scope="course", course=name, days_ahead=plot.lead + self._draw.int(1, 3))
            case "from_date":
                self.declare(house, scope="from_date", from_date=self._later(3, 40))
            case _:
                self.declare(house, scope="lunch")
        return house

    def pairs_only(self) -> House:
        """A house with tables for two and none for the party, of which the site says that there are tables."""
        house, plot = self._proven(), self._plot
        site = tables_tonight("some", house.language, house.variant)
        house.site = msgspec.structs.replace(house.site, tables_tonight=site)
        furnishing = house.furnishing
        first, last = (
            plot.after(-TURN),
            plot.after(TURN + service_minutes(plot.latest) - service_minutes(plot.earliest)),
        )
        furnishing.take(furnishing.seating_for(plot.party), plot.day, first, last)
        return house

    def kitchen_closed(self) -> House:
        """A house that is shut on the evening, or whose kitchen takes its last order before the party would come."""
        house, plot = self._proven(), self._plot
        weekday = date.fromisoformat(plot.day).isoweekday()
        regular = any(weekday in row.weekdays for row in house.rules.closures)
        in_season = any(season.from_date <= plot.day <= season.to_date for season in house.seasons)
        match self._draw.choice(("notice", "early", "closing_day")):
            case "early" if not in_season:
                hours = house.service("dinner")
                last = plot.after(-LEAVES_TIME)
                early = ServiceHours("dinner", min(hours.open, plot.after(-3 * LEAVES_TIME)), last, plot.after(90))
                house.open_for([house.service("lunch"), early])
            case "closing_day" if regular and not in_season:
                page = house.page_id("hours")
                house.closures = [ClosureRule(house.ids.id("cls"), house.place.id, page, "weekly", (weekday,))]
            case _:
                house.announce(self._posted(), plot.day, scope="dinner" if self._draw.chance(0.6) else "all")
        if self._serves(house):
            # The weekly day off is a public holiday on which nobody closes.
            raise NoFit
        return house

    def plus_plus(self) -> House:
        """A house whose printed price lies under the ceiling, and what one pays above it."""
        house, ceiling = self._proven(), self._plot.ceiling
        assert ceiling is not None
        rows: Sequence[PriceRule] = [row for row in house.rules.charges if row.mode != "final"]
        charges = usual.charge_rule(self._draw.choice(rows))
        least = ceiling.minor * 1.015 / float(charges.factor)
        self._ask(house, charges, int(least + (ceiling.minor - least) * self._draw.uniform(0.45, 0.9)), ceiling)
        if house.dinner is None or charges.paid(house.dinner).minor * 100 < ceiling.minor * 101:
            raise NoFit
        house.keep_usual_terms()
        return house

    def card_from_n(self) -> House:
        """A house where everything fits and a party of this size has to leave a card or a deposit."""
        house = self._proven()
        self.book(house, self._draw.choice(("card_hold", "deposit")))
        return house

    def _proven(self) -> House:
        house = self.house()
        self.prove(house)
        return house

    # --- what else there is

    def bystander(self) -> None:
        """A house that proves another need."""
        house, certified = self.house(), CERTIFIED_NEEDS.values()
        others = [row.need for row in house.rules.diets if row.need not in (self._plot.theme.need, *certified)]
        house.diets = [
            DietStatement(house.ids.id("dst"), house.place.id, house.page_id("diet"), self._draw.choice(others))
        ]

    def add_counter(self, house: House) -> None:
        """Let a house have room for the party at its counter as well."""
        house.furnishing.add(2, self._plot.party, seating="counter")

    def vanishing(self, house: House) -> list[LastTable]:
        """Let somebody else take the table that the party would get, at the moment at which it is first held."""
        plot, zone = self._plot, house.place.zone
        first = _smallest(house.furnishing.tables, plot.party)
        starts = range(service_minutes(plot.earliest), service_minutes(plot.latest) + 1, _SLOT)
        return [
            LastTable(
                house.ids.id("lst"), house.place.id, (first.id,), service_instant(plot.day, service_clock(at), zone)
            )
            for at in starts
        ]


def _smallest(tables: Sequence[Table], party: int) -> Table:
    """The table that a party would get."""
    fitting = [one for one in tables if one.seating == "table" and one.seats_min <= party <= one.seats_max]
    return min(fitting, key=lambda one: (one.seats_max, one.id))


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
