"""Making a house say, and its guests tell, what its part demands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.guests import write_review
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.listing_text import SiteTag, all_in_part, site_tag
from agentbench_tasks.reservations.domain.market import BANDS, Band, PriceBands
from agentbench_tasks.reservations.domain.menu_page import price_band
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.reviews import Impression
from agentbench_tasks.reservations.domain.rooms_page import Rooms, rooms_parts
from agentbench_tasks.reservations.domain.shortlist.casting import Cells, Told, When
from agentbench_tasks.reservations.domain.shortlist.evidence import (
    Attribute,
    Known,
    Own,
    Room,
    Value,
    Visit,
    overruled,
    year_before,
)

EDGE = timedelta(10)
"""No visit lies so near the end of the twelve months that counting decides."""
_NEUTRAL = 3
_OTHER_TAGS: Sequence[SiteTag] = ("groups", "late_night", "good_value", "celebrations")
_LEAST_SPEND = 0.3
_SEEN = 8
"""How many days ago the latest visits were."""


def known_of(house: House, today: date) -> Known:
    """Leave a house as it is, and return what is written of it; visits on which counting decides are left away."""
    edge = date.fromisoformat(year_before(today.isoformat()))
    house.reviews = [row for row in house.reviews if abs(date.fromisoformat(row.visited_on) - edge) > EDGE]
    own: dict[Attribute, Own] = {}
    if house.dinner:
        band = price_band(house.rules.bands, house.dinner, house.charges)
        own["price_band"] = Own(band, house.page_id("menu"))
    if "rooms" in house.pages:
        page, rooms = house.page_id("rooms"), house.rooms
        own["seating"] = Own(tuple(sorted(set(rooms.seating))), page)
        own["private_room"] = Own(_room(rooms.room, rooms.capacity), page)
        if rooms.noise:
            own["noise"] = Own(rooms.noise, page)
    visits: list[Visit] = []
    for row in house.reviews:
        told = {fact.key.split(".")[0]: fact for fact in row.stated}
        if row.posted_on > today.isoformat():
            continue
        if "noise" in told:
            visits.append(Visit(row.id, row.visited_on, "noise", str(told["noise"].value)))
        if "private_room" in told:
            visits.append(Visit(row.id, row.visited_on, "private_room", _room(told["private_room"].value, 0)))
        if "seating" in told:
            visits.append(Visit(row.id, row.visited_on, "seating", told["seating"].key.split(".")[-1]))
    return Known(house.place, own, tuple(visits))


def _room(kind: object, capacity: int) -> Room:
    return Room(kind, capacity if kind != "none" else 0)  # type: ignore[arg-type]


def lay(draw: Draw, house: House, cells: Cells, today: date) -> Known:
    """Let a house and its guests say what the cells hold, and nothing else of these attributes."""
    return _Layer(draw, house, cells, today).lay()


class _Layer:
    def __init__(self, draw: Draw, house: House, cells: Cells, today: date) -> None:
        self._draw, self._house, self._cells, self._today = draw, house, cells, today
        told = [one.when for cell in cells.values() for one in cell.told]
        self._refit = draw.int(45, 200) if "before_refit" in told else 0
        """How many days ago it was refitted, 0 if it was not."""
        self._visits: list[tuple[Visit, When, tuple[Impression, ...]]] = []

    def lay(self) -> Known:
        house = self._house
        self._renovate()
        own = self._price()
        for attribute in ("seating", "noise", "private_room"):
            cell = self._cells[attribute]
            if cell.own:
                page = house.page_id("rooms") if cell.own != "listing" else ""
                own[attribute] = Own(cell.value, page)
            for told in cell.told:
                self._visits += self._told(attribute, told)
        self._rooms()
        self._tag()
        known = Known(house.place, own, tuple(visit for visit, _, _ in self._visits))
        self._review(known)
        return known

    def _renovate(self) -> None:
        draw, house = self._draw, self._house
        if self._refit:
            renovated = self._today - timedelta(self._refit)
            # What the house says of itself, it says of the house as it now is.
            house.published = (renovated + timedelta(draw.int(1, self._refit - 8))).isoformat()
        elif draw.chance(0.25):
            renovated = date.fromisoformat(house.published) - timedelta(draw.int(400, 1500))
        else:
            return
        house.place = msgspec.structs.replace(house.place, renovated_on=renovated.isoformat())

    # --- the house's own words

    def _price(self) -> dict[Attribute, Own]:
        draw, house, cell = self._draw, self._house, self._cells["price_band"]
        bands, before = house.rules.bands, (house.dinner, house.charges)
        dinner = before[0] or usual.draw_dinner(draw, house.rules, house.brand.cuisine.bands, house.place.currency)
        wanted = cell.value or cell.tag
        if cell.printed:
            house.charges = _adding(draw, house)
            dinner = _across(bands, str(cell.value), house.charges, dinner.currency)
        elif wanted and price_band(bands, dinner, house.charges) != wanted:
            dinner = _within(draw, bands, str(wanted), house.charges, dinner.currency)
        band: Band = price_band(bands, dinner, house.charges)
        house.ask(dinner)
        house.owner_parts = []
        if cell.own in ("listing", "both"):
            house.owner_parts.append(
                all_in_part(house.place.id, bands, dinner, house.charges, house.language, house.variant)
            )
        if (dinner, house.charges) != before or not cell.own:
            # Terms may name what guests spend; where nobody states a price they must not.
            spend = dinner.minor if cell.own else 0
            house.terms = [
                msgspec.structs.replace(terms, average_spend=spend, charges=house.charges) for terms in house.terms
            ]
        if cell.own not in ("page", "both"):
            house.dinner = None
            house.pages.remove("menu")
        if not cell.own:
            return {}
        return {"price_band": Own(band, house.page_id("menu") if cell.own != "listing" else "")}

    def _rooms(self) -> None:
        house = self._house
        if self._cells["private_room"].works:
            # Works of which no guest has seen anything have only just been told of.
            house.published = (self._today - timedelta(self._draw.int(1, _SEEN - 1))).isoformat()
        house.rooms = self._stated("page")
        speaks = bool(house.rooms.noise or house.rooms.seating or house.rooms.room)
        if speaks and "rooms" not in house.pages:
            house.pages.append("rooms")
        elif not speaks and "rooms" in house.pages:
            house.pages.remove("rooms")
        house.owner_parts += self._listed()

    def _listed(self) -> tuple[Part, ...]:
        house = self._house
        return rooms_parts(self._stated("listing"), house.language, house.variant)

    def _stated(self, where: str) -> Rooms:
        """What the house states in one place."""
        draw, house = self._draw, self._house
        said = {one: cell.value for one, cell in self._cells.items() if cell.own in (where, "both")}
        rooms = Rooms(house.rooms.id, house.place.id, house.page_id("rooms"))
        if "noise" in said:
            rooms = msgspec.structs.replace(rooms, noise=said["noise"])
        if "seating" in said:
            rooms = msgspec.structs.replace(rooms, seating=said["seating"])
        room = said.get("private_room")
        if not isinstance(room, Room):
            return rooms
        if self._cells["private_room"].works:
            until = (self._today + timedelta(draw.int(25, 90))).isoformat()
            return msgspec.structs.replace(rooms, room="closed_room", works_until=until)
        rooms = msgspec.structs.replace(rooms, room=room.kind, capacity=room.capacity)
        if where == "page" and room.kind == "closed_room" and house.dinner and draw.chance(_LEAST_SPEND):
            spend = Money(house.dinner.minor * (room.capacity - 1), house.dinner.currency)
            rooms = msgspec.structs.replace(rooms, least_spend=spend)
        return rooms

    # --- the site and the guests

    def _tag(self) -> None:
        draw, house = self._draw, self._house
        tags = draw.sample(_OTHER_TAGS, draw.int(1, 2))
        for cell in self._cells.values():
            holds = cell.value if cell.own else next((t.value for t in cell.told if t.when == "fresh"), "")
            tags += [tag for tag in _tags(holds) if draw.chance(0.5)]
            tags += _tags(cell.tag)
        shown = tuple(site_tag(tag, house.language) for tag in draw.shuffled(list(dict.fromkeys(tags))))
        house.site = msgspec.structs.replace(house.site, tags=shown)

    def _told(self, attribute: Attribute, told: Told) -> Iterator[tuple[Visit, When, tuple[Impression, ...]]]:
        values: tuple[Value, ...] = told.value if attribute == "seating" else (told.value,)  # type: ignore[assignment]
        for value in values:
            on = (self._today - timedelta(self._days(told.when))).isoformat()
            visit = Visit(self._house.ids.id("rev"), on, attribute, value)
            yield visit, told.when, _impressions(attribute, value)

    def _days(self, when: When) -> int:
        """How many days ago a visit was."""
        draw, refit = self._draw, self._refit
        match when:
            case "fresh":
                return draw.int(_SEEN, 18 if refit else 150)
            case "earlier":
                return draw.int(24, refit - 6) if refit else draw.int(170, 345)
            case "stale":
                return draw.int(385, 700)
            case "before_refit":
                return draw.int(refit + 10, min(refit + 140, 345))

    def _review(self, known: Known) -> None:
        draw, house, today = self._draw, self._house, self._today.isoformat()
        rows = [row for row in house.reviews if not row.stated][:_NEUTRAL]
        for visit, when, impressions in self._visits:
            row = write_review(
                draw,
                visit.review_id,
                house.place,
                date.fromisoformat(visit.on),
                impressions,
                house.language,
                house.variant,
                "before_refit" if when == "before_refit" else None,
                counts=not overruled(visit, known, today),
            )
            if when == "before_refit":
                # Who tells that the house has changed since writes after it has.
                posted = self._today - timedelta(draw.int(2, self._refit - 5))
                row = msgspec.structs.replace(row, posted_on=posted.isoformat())
            rows.append(row)
        house.reviews = rows


def _impressions(attribute: Attribute, value: Value) -> tuple[Impression, ...]:
    match value:
        case Room(kind, capacity):
            first = Impression("private_room", kind)
            return (first, Impression("room_capacity", capacity)) if capacity else (first,)
        case str() if attribute == "noise" or attribute == "seating":
            return (Impression(attribute, value),)
        case _:
            raise ValueError(f"no guest tells {value!r} of {attribute}")


def _tags(value: Value) -> list[SiteTag]:
    """The tags that a value deserves."""
    match value:
        case Room("closed_room", _):
            return ["private_room"]
        case "quiet":
            return ["quiet"]
        case "loud":
            return ["lively"]
        case tuple():
            return [seat for seat in ("counter", "terrace") if seat in value]
        case _:
            return []


# --- prices


def _adding(draw: Draw, house: House) -> ChargeRule:
    """Charges that come on top: the house's own, or others of the market."""
    rules = [usual.charge_rule(row) for row in house.rules.charges]
    return house.charges if house.charges.factor > 1 else draw.choice([rule for rule in rules if rule.factor > 1])


def _across(bands: PriceBands, band: str, charges: ChargeRule, currency: str) -> Money:
    """A printed price below a band that is paid within it."""
    edge = bands.edges[BANDS.index(band) - 1]  # type: ignore[arg-type]
    step = _step(edge)
    price = Money(round(edge * 0.96 / step) * step, currency)
    assert bands.of(price.minor) != band == price_band(bands, price, charges)
    return price


def _within(draw: Draw, bands: PriceBands, band: str, charges: ChargeRule, currency: str) -> Money:
    """A printed price that is paid within a band."""
    number, edges = BANDS.index(band), bands.edges  # type: ignore[arg-type]
    low = edges[number - 1] if number else edges[0] // 2
    high = edges[number] if number < len(edges) else edges[-1] * 3 // 2
    step, paid = _step(low), low * 1.06 + (high - low) * 0.8 * draw.random()
    price = Money(round(paid / float(charges.factor) / step) * step, currency)
    assert price_band(bands, price, charges) == band
    return price


def _step(amount: int) -> int:
    return max(1, 10 ** (len(str(amount)) - 2))
