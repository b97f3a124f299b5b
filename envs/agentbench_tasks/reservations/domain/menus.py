"""Set menus and their dishes, as a venue's kitchen offers them."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import Record, World
from agentbench_tasks.commons.service_time import service_time
from agentbench_tasks.commons.texts import Stated, Words
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule, moved_to_open_day
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.venue import open_days


class Course(msgspec.Struct, frozen=True, gc=False):
    """A course of a set menu, of whose dishes each guest has one."""

    course: Words
    dish_ids: tuple[str, ...]


class KidVariant(msgspec.Struct, frozen=True, gc=False):
    """The menu that stands in for a set menu for children up to an age."""

    menu_id: str
    up_to_age: int


class SetMenu(Record, frozen=True, gc=False):
    """A set menu; its price is printed per person."""

    venue_id: str
    page_id: str
    name: Words
    price: Money
    charges: ChargeRule
    party: PartyRange
    courses: tuple[Course, ...]
    deadline: CutoffRule
    deadline_text: Words
    rules_text: Words = ""
    closed_shift: Literal["none", "previous_open"] = "none"
    """Whether a deadline on a day on which the venue is closed moves to the open day before."""
    most_different_mains: int = 0
    """How many different dishes a table may have in `main_course`; 0: any."""
    main_course: int = -1
    """Place of the main course among the courses, -1 for none."""
    kid: KidVariant | None = None
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states, and its price."""
        facts: dict[str, object] = {fact.key: fact.value for fact in self.stated}
        return facts | {f"price.{self.id}": self.price.minor}


class DishVariant(msgspec.Struct, frozen=True, gc=False):
    """A way in which the kitchen changes a dish when told beforehand; each is a dish of its own to order."""

    dish_id: str
    text: Words


class Dish(Record, frozen=True, gc=False):
    """A dish with its allergens and diets; a `supplement` comes on top of the menu's price."""

    venue_id: str
    name: Words
    contains: tuple[str, ...] = ()
    may_contain: tuple[str, ...] = ()
    diets: tuple[str, ...] = ()
    """Flags: vegan, vegetarian_ovo_lacto, no_pungent, pork, alcohol, halal_meat."""
    supplement: int = 0
    """Minor units."""
    variants: tuple[DishVariant, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """Its allergens, traces and diets."""
        return {
            f"contains.{self.id}": ",".join(self.contains),
            f"may_contain.{self.id}": ",".join(self.may_contain),
            f"diets.{self.id}": ",".join(self.diets),
        }


def preorder_deadline(world: World, menu: SetMenu, start: int) -> int:
    """Return the last instant at which a menu may be ordered for a booking that starts at `start`."""
    zone = world.get(Place, menu.venue_id).zone
    is_open = open_days(world, menu.venue_id)
    instant = menu.deadline.instant(start, zone, is_open)
    if menu.closed_shift == "none":
        return instant
    when = service_time(instant, zone)
    moved = moved_to_open_day(when.service_date, is_open)
    return msgspec.structs.replace(when, service_date=moved).instant


def dishes_of(world: World, menu: SetMenu) -> list[Dish]:
    """Return the dishes that can be ordered with a menu, variants included, each once."""
    ids: dict[str, None] = {}
    for course in menu.courses:
        for dish_id in course.dish_ids:
            ids[dish_id] = None
            ids.update(dict.fromkeys(variant.dish_id for variant in world.get(Dish, dish_id).variants))
    return [world.get(Dish, id) for id in ids]
