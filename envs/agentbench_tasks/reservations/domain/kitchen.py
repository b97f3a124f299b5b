"""What a kitchen offers: set menus and dishes of a venue, drawn from its cuisine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.errors import WrongArgument
from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.commons.texts import Stated, Text, Words
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.market import PriceBands
from agentbench_tasks.reservations.domain.menu_page import (
    FILE,
    allergens,
    band_key,
    charge_rule_key,
    charge_value,
    course_name,
    deadline_key,
    deadline_text,
    deadline_value,
    price_band,
    rules_text,
)
from agentbench_tasks.reservations.domain.menus import Course, Dish, DishVariant, KidVariant, SetMenu
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.town import Cuisine, TownDish, TownMenu

COURSES = ("starter", "soup", "main", "dessert")
MOST_OPTIONS = 4
KID_MAINS = 2
LEFT_OUT = ("egg", "milk", "sesame", "peanut", "tree_nut")
"""Allergens that a kitchen can leave out of a dish that is made of something else."""


class Limits(NamedTuple):
    """What a kitchen that meets a need never cooks: allergens, and flags that dishes must or may not have."""

    allergens: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    may_not: tuple[str, ...] = ()

    def admit(self, dish: TownDish) -> bool:
        """Whether the kitchen cooks a dish."""
        return (
            not {*self.allergens} & {*dish.contains}
            and {*self.must} <= {*dish.diets}
            and not {*self.may_not} & {*dish.diets}
        )


LIMITS: dict[str, Limits] = {
    "halal_certified": Limits(may_not=("pork", "alcohol")),
    "alcohol_free_premises": Limits(may_not=("alcohol",)),
    "pure_veg": Limits(must=("vegan", "no_pungent")),
    "jay": Limits(must=("vegan", "no_pungent")),
    "nut_free_kitchen": Limits(allergens=("peanut", "tree_nut")),
    "buckwheat_free_kitchen": Limits(allergens=("buckwheat",)),
    "crustacean_free": Limits(allergens=("crustacean",)),
}
"""By need, what a house that meets it never cooks; needs that a single course meets limit nothing."""


def cooked(cuisine: Cuisine, needs: Sequence[str] = ()) -> tuple[TownDish, ...]:
    """Return the dishes of a cuisine that a house which meets some needs can cook, without traces that it rules out."""
    return _cooked(cuisine.dishes, tuple(needs))


@cache
def _cooked(dishes: tuple[str, ...], needs: tuple[str, ...]) -> tuple[TownDish, ...]:
    limits = [LIMITS[need] for need in needs if need in LIMITS]
    never = {code for limit in limits for code in limit.allergens}
    return tuple(
        dish._replace(may_contain=tuple(code for code in dish.may_contain if code not in never))
        for dish in map(TownDish.read, dishes)
        if all(limit.admit(dish) for limit in limits)
    )


class Offer(NamedTuple):
    """A set menu with the one for children, and all dishes with their variants."""

    menu: SetMenu
    kid: SetMenu | None
    dishes: tuple[Dish, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """Everything that goes into the world."""
        return (self.menu, *((self.kid,) if self.kid else ()), *self.dishes)


class Writer(NamedTuple):
    """In which words a venue writes: the language of its pages, and which of the four wordings."""

    language: str
    variant: int


def build_menu(
    draw: Draw,
    place: Place,
    page_id: str,
    cuisine: Cuisine,
    writer: Writer,
    *,
    charges: ChargeRule,
    deadline: CutoffRule,
    closed_shift: Literal["none", "previous_open"] = "none",
    party: PartyRange = ANY_PARTY,
    most_different_mains: int = 0,
    kid_age: int = 0,
    price: Money | None = None,
    needs: Sequence[str] = (),
    bands: PriceBands | None = None,
) -> Offer:
    """Draw a set menu of a venue; some dishes have a supplement, some a variant without an allergen.

    Args:
        draw: the stream of choices and ids.
        place: the venue.
        page_id: the page that prints the menu.
        cuisine: what it serves.
        writer: how its pages are written.
        charges: what comes on top of the price.
        deadline: until when the dishes are ordered.
        closed_shift: whether a deadline on a closing day moves to the open day before.
        party: for how many guests it is served.
        most_different_mains: how many different mains a table may have; 0 for any.
        kid_age: up to which age children have a menu of their own; 0 for none.
        price: printed price a head; drawn where it is None.
        needs: needs that the house meets; the cuisine must have a main that fits, see `cooked`.
        bands: the market's, where the menu is what dinner costs at the venue.
    """
    language, variant = writer
    template = TownMenu.read(draw.choice(cuisine.menus))
    step = _step(template.least)
    cost = price or Money(draw.int(template.least // step, template.most // step) * step, place.currency)
    dishes, by_course = _courses(draw, place, cuisine, writer, step, cooked(cuisine, needs))
    if "main" not in by_course:
        raise WrongArgument("cuisine with a main for these needs", cuisine.code, needs)
    courses, main = tuple(by_course.values()), list(by_course).index("main")
    shifted = closed_shift == "previous_open"

    def menu(name: Words, minor: int, of: tuple[Course, ...], guests: PartyRange) -> SetMenu:
        made = SetMenu(
            draw.id("mnu"),
            place.id,
            page_id,
            name,
            Money(minor, place.currency),
            charges,
            guests,
            of,
            deadline,
            deadline_text(deadline, shifted, language, variant),
            closed_shift=closed_shift,
        )
        facts = (
            Stated(charge_rule_key(made.id), charge_value(charges)),
            Stated(deadline_key(made.id), deadline_value(made)),
        )
        return msgspec.structs.replace(made, stated=facts)

    name = template.name.local if _is_native(cuisine, language) else template.name.latin
    adult = menu(name, cost.minor, courses, party)
    band = (Stated(band_key(place.id), price_band(bands, cost, charges)),) if bands else ()
    kid: SetMenu | None = None
    if kid_age:
        half = -(-cost.minor // (2 * step)) * step
        mains = msgspec.structs.replace(courses[main], dish_ids=courses[main].dish_ids[-KID_MAINS:])
        kid_name = Text.of(FILE, "kid_name", language, variant, menu=name)
        kid = menu(kid_name, half, (mains, *courses[main + 1 :]), ANY_PARTY)
    adult = msgspec.structs.replace(
        adult,
        stated=(*adult.stated, *band),
        most_different_mains=most_different_mains,
        main_course=main,
        kid=KidVariant(kid.id, kid_age) if kid else None,
    )
    adult = msgspec.structs.replace(adult, rules_text=rules_text(adult, kid, language, variant))
    return Offer(adult, kid, tuple(dishes))


def _courses(
    draw: Draw, place: Place, cuisine: Cuisine, writer: Writer, step: int, known: Sequence[TownDish]
) -> tuple[list[Dish], dict[str, Course]]:
    """Choose the dishes of each course that has some; the dearest main may have a supplement."""
    dishes: list[Dish] = []
    courses: dict[str, Course] = {}
    for code in COURSES:
        options = [dish for dish in known if dish.course == code]
        if not options:
            continue
        if len(options) > MOST_OPTIONS:
            left = draw.int(0, len(options) - 1)
            del options[left]
        dearest = max(options, key=lambda option: option.price)
        usual = sorted(option.price for option in options)[len(options) // 2]
        ids: list[str] = []
        for option in options:
            extra = (option.price - usual) // (2 * step) * step
            supplement = extra if code == "main" and option is dearest and draw.chance(0.6) else 0
            made = _dish(draw, place, cuisine, option, writer, supplement)
            dishes += made
            ids.append(made[0].id)
        courses[code] = Course(course_name(code, writer.language), tuple(ids))
    return dishes, courses


def _dish(
    draw: Draw, place: Place, cuisine: Cuisine, option: TownDish, writer: Writer, supplement: int
) -> tuple[Dish, ...]:
    """Make a dish, followed by its variant if the kitchen changes it."""
    language, variant = writer
    name = option.name.local if _is_native(cuisine, language) else option.name.latin
    dish = Dish(
        draw.id("dsh"), place.id, name, option.contains, option.may_contain, option.diets, supplement=supplement
    )
    spare = [code for code in option.contains[1:] if code in LEFT_OUT]
    if option.course == "dessert" or not spare or not draw.chance(0.6):
        return (dish,)
    left_out = spare[-1]
    words = allergens((left_out,), language)
    changed = Dish(
        draw.id("dsh"),
        place.id,
        _without(name, words, language),
        tuple(code for code in option.contains if code != left_out),
        option.may_contain,
        option.diets,
        supplement=supplement,
    )
    notice = _notice(words, language, variant)
    return msgspec.structs.replace(dish, variants=(DishVariant(changed.id, notice),)), changed


@cache
def _without(dish: str, allergen: str, language: str) -> Text:
    return Text.of(FILE, "without_name", language, 0, dish=dish, allergen=allergen)


@cache
def _notice(allergen: str, language: str, variant: int) -> Text:
    return Text.of(FILE, "without", language, variant, allergen=allergen)


def _is_native(cuisine: Cuisine, language: str) -> bool:
    return language == next(iter(cuisine.names))


def _step(least: int) -> int:
    """The power of ten in which a kitchen with such prices counts."""
    return 10 ** (len(str(least // 20)) - 1)
