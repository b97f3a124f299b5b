"""The city of a market: districts and landmarks, names of houses and firms, dishes and set menus; read from `town`."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_table
from agentbench_tasks.reservations.domain.market import Band, Both, Names

Point = tuple[int, int]
"""Metres east and north of the city's centre."""


class Landmark(msgspec.Struct, frozen=True):
    """A real station or sight of a district."""

    kind: Literal["station", "landmark"]
    names: Names
    point: Point


class District(msgspec.Struct, frozen=True):
    """A real district: the area that addresses name, a street of it, and a landmark."""

    id: str
    names: Names
    area: Names
    street: str
    point: Point
    landmark: Landmark
    short: Names = {}
    """The name as branches have it, in languages in which they shorten it."""


class TownDish(NamedTuple):
    """A dish of a cuisine; the price is in minor units."""

    name: Both
    course: str
    contains: tuple[str, ...]
    may_contain: tuple[str, ...]
    diets: tuple[str, ...]
    price: int

    @classmethod
    def read(cls, text: str) -> TownDish:
        """Read "local/Latin/course/contains/may contain/diets/price"."""
        local, latin, course, contains, may_contain, diets, price = text.split("/")
        return cls(Both(local, latin), course, _codes(contains), _codes(may_contain), _codes(diets), int(price))


class TownMenu(NamedTuple):
    """A set menu of a cuisine, with the least and the highest price a head in minor units."""

    name: Both
    least: int
    most: int

    @classmethod
    def read(cls, text: str) -> TownMenu:
        """Read "local/Latin/price from/price to"."""
        local, latin, least, most = text.split("/")
        return cls(Both(local, latin), int(least), int(most))


class Cuisine(msgspec.Struct, frozen=True):
    """What houses of a cuisine are called and serve, and in which price bands they stand."""

    code: str
    names: Names
    houses: tuple[str, ...]
    """Names with the slot {head}, each "local/Latin"."""
    bands: tuple[Band, ...]
    menus: tuple[str, ...]
    dishes: tuple[str, ...]

    @property
    def all_menus(self) -> list[TownMenu]:
        """The set menus."""
        return [TownMenu.read(text) for text in self.menus]

    @property
    def all_dishes(self) -> list[TownDish]:
        """The dishes."""
        return [TownDish.read(text) for text in self.dishes]


class Town(msgspec.Struct, frozen=True):
    """The table `town` of a market."""

    city: Names
    address: str
    """A form with the slots street, area, number and floor, as far as the city writes them."""
    branches: tuple[str, ...]
    """Names of branches with the slots district and landmark, each "local/Latin"."""
    heads: tuple[str, ...]
    """Heads of the names of houses, each "local/Latin"."""
    firm_heads: tuple[str, ...]
    """Heads of the names of firms, each "local/Latin"."""
    firms: dict[str, tuple[str, ...]]
    """By trade, names of firms with the slot {head}, each "local/Latin"."""
    districts: tuple[District, ...]
    cuisines: tuple[Cuisine, ...]
    addresses: Names = {}
    """The form of addresses in further languages that pages are written in."""

    def cuisine(self, code: str) -> Cuisine:
        """Return the cuisine of this code."""
        found = {row.code: row for row in self.cuisines}
        if code not in found:
            raise WrongArgument("cuisine", code, list(found))
        return found[code]


@cache
def town(code: str) -> Town:
    """Return the city of a market."""
    return msgspec.convert(market_table(code, "town"), Town)


def house_name(pattern: str, head: str) -> Both:
    """Put a head into a name, in both scripts."""
    name, own = Both.read(pattern), Both.read(head)
    return Both(name.local.replace("{head}", own.local), name.latin.replace("{head}", own.latin))


def _codes(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
