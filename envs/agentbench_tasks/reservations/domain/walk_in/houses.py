"""The houses of an evening: each taken from the neighbourhood and settled so that at most one thing is wrong."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.diet_page import (
    CERTIFIED_NEEDS,
    DietStatement,
    alike_part,
    build_certificate,
    certificate_part,
    declared_part,
)
from agentbench_tasks.reservations.domain.geo import METRES_PER_MINUTE, Walk
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.kitchen import LIMITS, cooked
from agentbench_tasks.reservations.domain.listing_text import all_in_part, detour_part, need_tags, tables_tonight
from agentbench_tasks.reservations.domain.market import BANDS, Band, PriceRule
from agentbench_tasks.reservations.domain.menu_page import all_in
from agentbench_tasks.reservations.domain.openings import moved
from agentbench_tasks.reservations.domain.outlets import WALKABLE
from agentbench_tasks.reservations.domain.places import metres_between
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.town import town
from agentbench_tasks.reservations.domain.walk_in.plot import Plot

OPENS = 18 * 60
"""By this minute of the day every house of the plot has opened for the evening."""
_EDGE = 0.04
"""How far from the ends of a band a price stays, as a share."""
_SISTERS = 0.25
_MOVED = (-45, -30, 30, 45)
"""By how many minutes a last order was another one on an older page."""
_QUARTER = 15
_LATER = 5
"""How many quarters of an hour a last order lies after the least that will do, at most."""


class Cast:
    """Takes houses from the neighbourhood and settles what they charge, cook, and when they stop.

    Args:
        build: the town that is being built.
        draw: the stream to draw from.
        plot: the evening.
    """

    def __init__(self, build: TownBuilder, draw: Draw, plot: Plot) -> None:
        self.build, self.draw, self.plot = build, draw, plot

    def house(self, metres: tuple[int, int] = (0, WALKABLE)) -> House:
        """Take a house so far from the landmark that may well keep the diet and charge what is wanted.

        As long as there are any, its cuisine knows main dishes for the diet, and the price is usual for it.
        """
        draw, plot = self.draw, self.plot
        first, rest = _cuisines(self.build.setting.market.code, plot.need, plot.band)
        for code in (*draw.shuffled(first), *draw.shuffled(rest)):
            try:
                house = self.build.house(cuisine=code, metres=metres)
            except NoFit:
                continue
            if draw.chance(_SISTERS):
                self.build.sister(house)
            self._stay_open(house)
            return house
        raise NoFit

    def _stay_open(self, house: House) -> None:
        """Keep no rule by which the house would be closed today."""
        if not house.opening.is_open(self.plot.today):
            house.closures = []

    # --- the walk

    def walk(self, house: House) -> int:
        """The minutes from the landmark along the streets."""
        (east, north), (to_east, to_north) = self.build.quarter.landmark.point, house.place.point
        return -(-(abs(east - to_east) + abs(north - to_north)) // METRES_PER_MINUTE)

    def detour(self, house: House, minutes: int) -> int:
        """Let the way to a house go round, as its listing says, and take so many minutes, or as many as it must;
        return them.
        """
        straight = metres_between(house.place.point, self.build.quarter.landmark.point)
        metres = max(minutes * METRES_PER_MINUTE - self.draw.int(0, METRES_PER_MINUTE - 1), straight + straight // 10)
        walk = Walk(self.build.ids.id("wlk"), self.build.quarter.landmark.id, house.place.id, metres)
        self.build.records.append(walk)
        house.owner_parts.append(detour_part(house.language, house.variant))
        return walk.minutes

    # --- the last order

    def take_orders_from(self, house: House, least: int) -> None:
        """Keep the usual last order of food if it is not before a minute of the day, else one some time after that."""
        usual_clock = service_minutes(house.last_order)
        if usual_clock < least or self.draw.chance(0.4):
            first = -(-least // _QUARTER)
            usual_clock = self.draw.int(first, first + _LATER) * _QUARTER
        self.stop_orders_at(house, usual_clock)

    def stop_orders_at(self, house: House, last_order: int) -> None:
        """Take the last order of food of the evening at a minute of the day, and have opened by then."""
        services = [rule.hours for rule in house.hours]
        evening = max(services, key=lambda hours: service_minutes(hours.close))
        opens = service_clock(min(OPENS, service_minutes(evening.open)))
        if evening.last_order_food == service_clock(last_order) and evening.open == opens:
            return
        least, most = house.rules.hours.food_gap_minutes
        gap = self.draw.int(-(-least // _QUARTER), most // _QUARTER) * _QUARTER
        drinks = service_clock(last_order + gap - _QUARTER) if evening.last_order_drinks else ""
        changed = moved(
            evening,
            open=opens,
            last_order_food=service_clock(last_order),
            last_order_drinks=drinks,
            close=service_clock(last_order + gap),
        )
        house.open_for([changed if hours is evening else hours for hours in services])

    def replace_hours(self, house: House) -> None:
        """Let an older page of hours still be there, on which the evening's last order was another one."""
        evening = max((rule.hours for rule in house.hours), key=lambda hours: service_minutes(hours.close))
        moved_by = self.draw.choice(_MOVED)
        clocks = (evening.last_order_food, evening.last_order_drinks, evening.close)
        food, drinks, close = (clock and service_clock(service_minutes(clock) + moved_by) for clock in clocks)
        older = moved(evening, last_order_food=food, last_order_drinks=drinks, close=close)
        rules = [
            msgspec.structs.replace(rule, hours=older if rule.hours is evening else rule.hours) for rule in house.hours
        ]
        house.leave_hours(rules, house.closures, self.draw.int(90, 400))

    # --- the price

    def charge(self, house: House, band: Band) -> None:
        """Charge what comes to this band in the end, whatever is printed: the usual price if it does."""
        rows = house.rules.charges
        row = self.draw.weighted({place: row.weight for place, row in enumerate(rows)})
        low, high = _inside(house, band)
        if house.dinner and low <= all_in(house.dinner, house.charges).minor <= high:
            return
        self._print(house, rows[row], low, high)

    def charge_on_top(self, house: House) -> None:
        """Print a price of the wanted band that, with what comes on top, belongs to the next one."""
        band = self.plot.band
        rows = [row for row in house.rules.charges if row.mode != "final"]
        row = rows[self.draw.weighted({place: row.weight for place, row in enumerate(rows)})]
        edge = house.rules.bands.edges[BANDS.index(band)]
        factor = float(usual.charge_rule(row).factor)
        # Printed below the edge, paid above it.
        low, high = int(edge * (1 + (factor - 1) / 4)), int(edge * (1 + (factor - 1) * 3 / 4))
        self._print(house, row, low, high)

    def _print(self, house: House, row: PriceRule, low: int, high: int) -> None:
        """Charge between two sums a head in the end."""
        house.charges = usual.charge_rule(row)
        factor = float(house.charges.factor)
        least, most = int(low / factor), int(high / factor)
        step = max(1, 10 ** (len(str(least)) - 2))
        while step > 1 and -(-least // step) > most // step:
            step //= 10
        first, last = -(-least // step), most // step
        if first > last:
            raise NoFit
        house.dinner = Money(self.draw.int(first, last) * step, house.place.currency)
        house.keep_usual_terms()

    def tell_price(self, house: House) -> None:
        """Let the owner put the price with everything in it into the listing."""
        assert house.dinner is not None
        part = all_in_part(
            house.place.id, house.rules.bands, house.dinner, house.charges, house.language, house.variant
        )
        house.owner_parts.append(part)

    # --- the diet

    def keep_diet(self, house: House) -> None:
        """State that the house meets the need: on its page, in its listing, or in both."""
        where = self.draw.weighted({"page": 5, "listing": 3, "both": 2})
        build, need = self.build, self.plot.need
        page = house.page_id("diet") if where != "listing" or "diet" in house.pages else ""
        statement = DietStatement(build.ids.id("dst"), house.place.id, page, need)
        part: Part
        if need in CERTIFIED_NEEDS.values():
            statement, part = self._certify(house, statement)
        else:
            part = declared_part(statement, house.language, house.variant)
        house.diets.append(statement)
        if where != "listing":
            self._open_diet_page(house)
        if where != "page":
            house.owner_parts.append(part)

    def _certify(self, house: House, statement: DietStatement) -> tuple[DietStatement, Part]:
        build, today = self.build, date.fromisoformat(self.plot.today)
        scheme = next(scheme for scheme, need in CERTIFIED_NEEDS.items() if need == statement.need)
        certifier = next(row for row in house.rules.certifiers if row.scheme == scheme and not row.lax)
        certificate = build_certificate(
            build.ids,
            house.place,
            certifier,
            house.language,
            valid_from=(date.fromisoformat(house.published) - timedelta(self.draw.int(30, 300))).isoformat(),
            valid_to=(today + timedelta(self.draw.int(60, 400))).isoformat(),
        )
        house.certificates.append(certificate)
        outlet = house.place.called(house.language)
        part = certificate_part(certificate, house.place.id, statement.need, outlet, house.language, house.variant)
        return msgspec.structs.replace(statement, certificate_id=certificate.id), part

    def sound_alike(self, house: House) -> None:
        """Say on the page or in the listing what only sounds as if the need were met, as the site's tags do."""
        need = self.plot.need
        if self.draw.chance(0.5):
            house.alike = [need]
            self._open_diet_page(house)
        else:
            house.owner_parts.append(alike_part(need, house.language, house.variant))
        self.tag(house)

    def tag(self, house: House) -> None:
        """Let the site tag the house as if it met the need."""
        tag = self.draw.choice(need_tags(house.rules, self.plot.need, house.language))
        house.site = msgspec.structs.replace(house.site, tags=(tag, *house.site.tags[:2]))

    def _open_diet_page(self, house: House) -> None:
        if "diet" not in house.pages:
            house.pages.append("diet")

    # --- the site

    def promise_tables(self, house: House) -> None:
        """Let the site say that there are tables tonight."""
        said = tables_tonight("some", house.language, house.variant)
        house.site = msgspec.structs.replace(house.site, tables_tonight=said)


@cache
def _cuisines(market: str, need: str, band: Band) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cuisines of a city that know main dishes for a need and are priced so, and the others that may do."""
    usual_ones: list[str] = []
    others: list[str] = []
    for cuisine in town(market).cuisines:
        mains = sum(dish.course == "main" for dish in cuisine.all_dishes)
        left = sum(dish.course == "main" for dish in cooked(cuisine, (need,)))
        if need in LIMITS and LIMITS[need].allergens and 2 * left <= mains:
            # Most of what it cooks is made of what the kitchen must be free of.
            continue
        (usual_ones if left and band in cuisine.bands else others).append(cuisine.code)
    return tuple(usual_ones), tuple(others)


def _inside(house: House, band: Band) -> tuple[int, int]:
    """The least and the greatest sum a head that lie well inside a band."""
    edges, number = house.rules.bands.edges, BANDS.index(band)
    low = edges[number - 1] if number else edges[0] // 2
    high = edges[number] if number < len(edges) else edges[-1] * 3 // 2
    return int(low * (1 + _EDGE)), int(high * (1 - _EDGE))
