"""Who keeps shop in a town: brands with one to three outlets each, their names, places and telephone numbers."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from unicodedata import normalize

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import landline
from agentbench_env.market import Market
from agentbench_env.text.fold import fold
from agentbench_tasks.reservations.domain.market import Both, in_language
from agentbench_tasks.reservations.domain.places import Mark, Names, Place, Reach
from agentbench_tasks.reservations.domain.town import Cuisine, District, house_name, town

WALKABLE = 900
"""Metres as the crow flies around the landmark in which the venues lie among which one chooses."""
NEAREST = 60


class Brand(msgspec.Struct, frozen=True, gc=False):
    """A name above one or several doors."""

    id: str
    name: Both
    cuisine: Cuisine


class Quarter(msgspec.Struct, frozen=True):
    """A district of the town with the marks from which one searches it."""

    district: District
    area: Mark
    landmark: Mark


class Outlets:
    """Draws the brands of a town and where they have their doors.

    Args:
        draw: the stream to draw from.
        ids: the stream of which ids are drawn.
        market: the market.
        languages: the languages that houses work in.
        district: id of the district that the story plays in.
        quarters: how many districts the town has, if the split has as many.
    """

    def __init__(
        self, draw: Draw, ids: Draw, market: Market, languages: tuple[str, ...], district: str, quarters: int
    ) -> None:
        self._draw, self._ids, self._market, self._languages = draw, ids, market, languages
        city = town(market.code)
        others = [row for row in draw.shuffled(draw.pool(city.districts)) if row.id != district]
        rows = [row for row in city.districts if row.id == district] + others[: quarters - 1]
        self.quarters = tuple(map(self._quarter, rows))
        """The districts, that of the story first."""
        self._heads = draw.shuffled(draw.pool(city.heads))
        self._named: dict[str, Brand] = {}
        self._phones: set[str] = set()

    def _quarter(self, district: District) -> Quarter:
        names, landmark = _names(district.names, self._market), district.landmark
        return Quarter(
            district,
            Mark(self._ids.id("plc"), "district", names, district.point),
            Mark(self._ids.id("plc"), landmark.kind, _names(landmark.names, self._market), landmark.point),
        )

    def brand(self, cuisine: str = "") -> Brand:
        """Draw a brand, of any cuisine if none is named.

        Heads of names are used once as long as there are some left; then again, by houses of another cuisine.
        """
        city, draw = town(self._market.code), self._draw
        number = len(self._named)
        head = self._heads[number % len(self._heads)]
        options = [city.cuisine(cuisine)] if cuisine else city.cuisines
        free = [(kind, pattern) for kind in options for pattern in kind.houses if self._is_free(pattern, head)]
        kind, pattern = draw.choice(free)
        name = house_name(pattern, head)
        brand = Brand(self._ids.id("grp"), name, kind)
        self._named[fold(name.local)] = brand
        return brand

    def _is_free(self, pattern: str, head: str) -> bool:
        return fold(house_name(pattern, head).local) not in self._named

    def outlet(self, brand: Brand, quarter: Quarter) -> Place:
        """Draw an outlet of a brand within walking distance of the landmark of a quarter."""
        draw = self._draw
        branch = _branches(self._market.code, quarter.district.id)
        east, north = quarter.landmark.point
        turn, far = draw.uniform(0, 2 * pi), draw.int(NEAREST, WALKABLE - 1)
        id = self._ids.id("ven")
        handle = handle_of(brand.name.latin)
        return Place(
            id,
            "restaurant",
            Names(brand.name.local, brand.name.latin),
            draw.choice(branch),
            brand.id,
            quarter.area.id,
            quarter.landmark.id,
            (east + int(far * cos(turn)), north + int(far * sin(turn))),
            self._market.zone,
            self._market.code,
            self._market.currency,
            cuisine=in_language(brand.cuisine.names, self._languages[0]),
            working_languages=self._languages,
            phone=self._phone(),
            reaches=(Reach("mail", f"{quarter.district.id}@{handle}.example"), Reach("messenger", f"@{handle}")),
            address=address_of(quarter, draw, self._market.code, self._languages[0]),
        )

    def _phone(self) -> str:
        """Draw a telephone number that no other outlet has."""
        number = landline(self._market.code, self._draw)
        while number in self._phones:
            number = landline(self._market.code, self._draw)
        self._phones.add(number)
        return number


def address_of(quarter: Quarter, draw: Draw, market_code: str, language: str = "", floor: int = 0) -> str:
    """Draw an address in a quarter as the city writes it, in a language in which it has a form of its own; on any floor
    where none is named.
    """
    city, area = town(market_code), quarter.district.area
    local = next(iter(area.values()))
    form, name = city.address, local
    if language in city.addresses:
        form, name = city.addresses[language], in_language(area, language)
    return form.format(area=name, street=quarter.district.street, number=draw.int(1, 9), floor=floor or draw.int(1, 5))


def handle_of(name: str) -> str:
    """Return a name as addresses have it: lower-case letters without accents, and digits."""
    return "".join(sign for sign in normalize("NFKD", fold(name)) if sign.isascii() and sign.isalnum())


@cache
def _branches(market: str, district_id: str) -> tuple[Names, ...]:
    city = town(market)
    district = next(row for row in city.districts if row.id == district_id)
    language, local = next(iter(district.names.items()))
    local, latin = district.short.get(language, local), district.names["en"]
    mark, mark_latin = next(iter(district.landmark.names.values())), district.landmark.names["en"]
    return tuple(
        Names(
            both.local.format(district=local, landmark=mark),
            both.latin.format(district=latin, landmark=mark_latin),
        )
        for both in map(Both.read, city.branches)
    )


def _names(names: dict[str, str], market: Market) -> Names:
    return Names(names.get(market.languages[0], names["en"]), names["en"])
