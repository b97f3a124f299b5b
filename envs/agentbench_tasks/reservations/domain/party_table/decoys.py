"""The houses that lay the traps, each without one thing that is asked for, and what else stands around the plot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.money import Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock, service_instant, service_minutes
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.diet_page import CERTIFIED_NEEDS, DietStatement
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.listing_text import tables_tonight
from agentbench_tasks.reservations.domain.market import PriceRule
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice, menu_parts, menu_title
from agentbench_tasks.reservations.domain.outlets import NEAREST
from agentbench_tasks.reservations.domain.party_table.houses import Casting, in_steps
from agentbench_tasks.reservations.domain.party_table.plot import LEAVES_TIME, WINDOW
from agentbench_tasks.reservations.domain.publishing import Publication
from agentbench_tasks.reservations.domain.registry import CertificateStatus
from agentbench_tasks.reservations.domain.tables import LastTable, Table
from agentbench_tasks.reservations.domain.town import TownMenu
from agentbench_tasks.reservations.domain.venue import ClosureRule, ServiceHours

TURN = 120
"""Minutes that a table is taken."""
_SLOT = 30
_OLDER_MENU = 0.3
_MOST_POPULAR = 995


class Decoys(Casting):
    """Draws the houses of the traps: a method for each, by its name."""

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
            plot.after(TURN + WINDOW),
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

    def keep_older_menus(self) -> None:
        """Let some houses leave the page of prices that they had before where it was."""
        for house in self._town.houses:
            if self._plot.ceiling and house.dinner and self._draw.chance(_OLDER_MENU):
                self._keep_older_menu(house, house.dinner)

    def _keep_older_menu(self, house: House, dinner: Money) -> None:
        page_id, language, variant = house.ids.id("pg"), house.language, house.variant
        printed = date.fromisoformat(house.published) - timedelta(self._draw.int(120, 400))
        was = in_steps(dinner.minor * 9 // 10, dinner)
        older = DinnerPrice("", house.place.id, page_id, was, house.charges)
        parts = menu_parts(language, variant, house.rules.bands, dinner=older)
        page = Publication("menu", language, menu_title(language, variant), parts, printed.isoformat())
        house.more_pages.append((page_id, page))
        house.supersedes["menu"] = page_id

    def add_counter(self, house: House) -> None:
        """Let a house have room for the party at its counter as well."""
        house.furnishing.add(2, self._plot.party, seating="counter")
        seats = dict.fromkeys((*house.rooms.seating, *house.furnishing.seats))
        house.rooms = msgspec.structs.replace(house.rooms, seating=tuple(seats))

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
