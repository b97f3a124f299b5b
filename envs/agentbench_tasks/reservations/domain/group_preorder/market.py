"""What sets of a market are ordered ahead, and until when: read from `group_preorder`."""

from __future__ import annotations

from functools import cache

import msgspec

from agentbench_env.market import market_table
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.market import Both, Row
from agentbench_tasks.reservations.domain.town import Cuisine, town


class CardRow(Row, frozen=True, kw_only=True):
    """Dishes that a house of a cuisine cooks for sets besides those of every house of it."""

    cuisine: str
    dishes: tuple[str, ...]
    harmless: tuple[str, ...]
    """Dishes that sound free of what is in them, each "local/Latin"."""

    def whole(self, code: str, soup: bool) -> Cuisine:
        """Return the cuisine of a market with these dishes; soups are left out if not wanted."""
        cuisine = town(code).cuisine(self.cuisine)
        more = tuple(text for text in self.dishes if soup or "/soup/" not in text)
        return msgspec.structs.replace(cuisine, dishes=(*cuisine.dishes, *more))

    @property
    def harmless_names(self) -> frozenset[str]:
        """The names of the dishes that sound harmless, in both scripts."""
        return frozenset(name for text in self.harmless for name in Both.read(text))


class Habits(Row, frozen=True, kw_only=True):
    """The table of a market."""

    diets: tuple[str, ...]
    """Needs besides allergies."""
    deadlines: tuple[CutoffRule, ...]
    cards: tuple[CardRow, ...]


@cache
def habits_of(code: str) -> Habits:
    """Return what is ordered ahead in a market."""
    return msgspec.convert(market_table(code, "group_preorder"), Habits)
