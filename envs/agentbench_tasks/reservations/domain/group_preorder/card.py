"""The sets of the house: the one that is wanted, another with the same dishes, and the page that theirs replaced."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import add_days
from agentbench_tasks.commons.texts import Stated, Words
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.group_preorder.market import CardRow
from agentbench_tasks.reservations.domain.group_preorder.plot import Plot
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.kitchen import Offer
from agentbench_tasks.reservations.domain.menu_page import (
    charge_rule_key,
    charge_value,
    deadline_key,
    deadline_text,
    deadline_value,
    menu_parts,
    menu_title,
    rules_text,
)
from agentbench_tasks.reservations.domain.menus import Dish, SetMenu
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.publishing import Publication

LEAST_GUESTS = (2, 4)
OLDER_DAYS = (150, 400)
"""How many days the page that was replaced is older."""
OLDER_PRICE = (82, 94)
"""What a set cost then, in hundredths of what it costs now."""
DEARER = (115, 135)
"""What the other set costs, in hundredths of the one that is wanted."""
AVERAGE = (80, 110)
"""What dinner costs on average at the house, likewise."""


class Card(msgspec.Struct, frozen=True):
    """What a house offers to parties that order ahead."""

    menu: SetMenu
    """The set that is wanted."""
    kid: SetMenu
    """The one for children."""
    older: SetMenu
    """The wanted set as it once was."""
    dishes: dict[str, Dish]
    """All dishes by their ids."""
    harmless: frozenset[str]
    """Names of the dishes that sound free of what is in them."""

    @property
    def mains(self) -> tuple[str, ...]:
        """The mains of the set, without their variants."""
        return self.menu.courses[self.menu.main_course].dish_ids

    def plates(self, place: int) -> list[Dish]:
        """Everything that can be had in a course of the set, variants too."""
        return [plate for dish_id in self.menu.courses[place].dish_ids for plate in self.forms(dish_id)]

    def forms(self, dish_id: str) -> list[Dish]:
        """A dish and its variants."""
        dish = self.dishes[dish_id]
        return [dish, *(self.dishes[variant.dish_id] for variant in dish.variants)]

    def course_of(self, dish_id: str) -> int:
        """The place of the course that a dish belongs to."""
        return next(place for place, course in enumerate(self.menu.courses) if dish_id in course.dish_ids)


def lay_card(draw: Draw, house: House, row: CardRow, plot: Plot, deadline: CutoffRule, shifted: bool) -> Card:
    """Let a house offer its sets, on pages and to order; raise NoFit if none suits the story."""
    house.brand = msgspec.structs.replace(house.brand, cuisine=row.whole(house.place.country, plot.soup))
    offer = house.add_menu(
        deadline,
        closed_shift=_shift(shifted),
        party=PartyRange(draw.choice(LEAST_GUESTS)),
        most_different_mains=plot.most_mains,
        kid_age=plot.kid_up_to,
    )
    if offer.kid is None or plot.most_mains >= len(offer.menu.courses[offer.menu.main_course].dish_ids):
        raise NoFit
    house.offers.append(Offer(_other(draw, house, offer), None, ()))
    if draw.chance(0.5):
        house.offers.reverse()
    house.ask(_scaled(offer.menu.price, draw.int(*AVERAGE)))
    older = _older(draw, house, offer)
    return Card(offer.menu, offer.kid, older, {dish.id: dish for dish in offer.dishes}, row.harmless_names)


def _shift(shifted: bool) -> Literal["none", "previous_open"]:
    return "previous_open" if shifted else "none"


def _other(draw: Draw, house: House, offer: Offer) -> SetMenu:
    """Another set of the same dishes, at another price and not for children."""
    menu = offer.menu
    names = [row.name.latin if house.language == "en" else row.name.local for row in house.brand.cuisine.all_menus]
    name = next(name for name in names if name != menu.name)
    made = _renamed(menu, house.ids.id("mnu"), name, _scaled(menu.price, draw.int(*DEARER)))
    return msgspec.structs.replace(made, kid=None, rules_text=rules_text(made, None, house.language, house.variant))


def _renamed(menu: SetMenu, id: str, name: Words, price: Money) -> SetMenu:
    facts = (
        Stated(charge_rule_key(id), charge_value(menu.charges)),
        Stated(deadline_key(id), deadline_value(menu)),
    )
    return msgspec.structs.replace(menu, id=id, name=name, price=price, stated=facts)


def _scaled(price: Money, percent: int) -> Money:
    """A price at so many hundredths, as round as such prices are; never the same."""
    step = 10 ** (len(str(price.minor // 20)) - 1)
    minor = price.minor * percent // (100 * step) * step
    return Money(minor if minor != price.minor else minor + (step if percent > 100 else -step), price.currency)


def _older(draw: Draw, house: House, offer: Offer) -> SetMenu:
    """The wanted set as the page said that was replaced: cheaper, and to be ordered a day later."""
    menu = offer.menu
    rule = menu.deadline
    before = msgspec.structs.replace(rule, n=rule.n - (24 if rule.kind == "hours_before" else 1))
    return msgspec.structs.replace(
        menu,
        price=_scaled(menu.price, draw.int(*OLDER_PRICE)),
        deadline=before,
        closed_shift="none",
        deadline_text=deadline_text(before, False, house.language, house.variant),
    )


def leave_older_page(draw: Draw, house: House, card: Card, changed: str, allergen: str) -> None:
    """Let the page of the menu replace the one with the set as it was.

    Args:
        draw: the stream to draw from.
        house: whose page it is.
        card: what the house offers now.
        changed: id of a dish that had not everything in it then that it has now, "" for none.
        allergen: what was not in it.
    """
    once = dict(card.dishes)
    if changed:
        dish, *variants = card.forms(changed)
        contains = tuple(code for code in dish.contains if code != allergen)
        once[dish.id] = msgspec.structs.replace(dish, contains=contains)
        for variant in variants:
            del once[variant.id]
    parts = menu_parts(house.language, house.variant, house.rules.bands, menus=[card.older], dishes=[*once.values()])
    title = menu_title(house.language, house.variant)
    page_id = house.ids.id("pg")
    published = add_days(house.published, -draw.int(*OLDER_DAYS))
    house.more_pages.append((page_id, Publication("menu", house.language, title, parts, published)))
    house.supersedes["menu"] = page_id
