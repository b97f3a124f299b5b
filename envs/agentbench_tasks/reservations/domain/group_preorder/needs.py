"""What guests may not eat, and which dishes are against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

ALLERGENS = (
    *("egg", "milk", "wheat", "buckwheat", "peanut", "tree_nut", "sesame", "soy", "fish", "crustacean", "mollusc"),
)
"""What guests are allergic to, as the tables of dishes name it."""
MEATS = frozenset(("beef", "chicken", "pork"))


class Ingredients(Protocol):
    """What the table of a menu tells of a dish."""

    @property
    def contains(self) -> Sequence[str]:
        """What is in it."""
        ...

    @property
    def may_contain(self) -> Sequence[str]:
        """What may get into it."""
        ...

    @property
    def diets(self) -> Sequence[str]:
        """Its marks."""
        ...


class Need(msgspec.Struct, frozen=True):
    """What somebody may not eat.

    The code is an allergen or a meat that is not eaten, `alcohol`, or a mark that dishes must have: `vegan`,
    `vegetarian_ovo_lacto`, `no_pungent` (of those without anything of animals), `halal_meat` (of meat).
    """

    code: str
    severe: bool = False
    """Whether traces are too much as well."""

    @property
    def is_allergy(self) -> bool:
        """Whether it is one of an ingredient, of which traces may matter."""
        return self.code in ALLERGENS

    def forbids(self, dish: Ingredients) -> bool:
        """Whether a dish is against it."""
        match self.code:
            case "vegan":
                return "vegan" not in dish.diets
            case "vegetarian_ovo_lacto":
                return not {"vegan", "vegetarian_ovo_lacto"} & {*dish.diets}
            case "no_pungent":
                return not {"vegan", "no_pungent"} <= {*dish.diets}
            case "halal_meat":
                meat = MEATS & {*dish.contains}
                return "alcohol" in dish.diets or "pork" in meat or bool(meat and "halal_meat" not in dish.diets)
            case "alcohol":
                return "alcohol" in dish.diets
            case code:
                return code in dish.contains or (self.severe and code in dish.may_contain)


def suits(dish: Ingredients, needs: Sequence[Need]) -> bool:
    """Whether a dish is against none of some needs."""
    return not any(need.forbids(dish) for need in needs)
