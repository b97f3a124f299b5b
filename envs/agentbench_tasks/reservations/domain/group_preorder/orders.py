"""How a careful assistant puts the order together from the menu that was shown: the cheapest that is right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import msgspec

from agentbench_env.money import Amount, Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.group_preorder.guests import Guest, Table
from agentbench_tasks.reservations.domain.group_preorder.needs import suits
from agentbench_tasks.reservations.domain.preorder import DishText, LineEntry, MenuHead, Menus


class Serving(msgspec.Struct, frozen=True):
    """What somebody has: a set and a dish of each of its courses."""

    person_id: str
    child: bool
    menu_id: str
    dish_ids: tuple[str, ...]

    def but(self, place: int, dish_id: str) -> Serving:
        """The same with another dish in a course."""
        dish_ids = (*self.dish_ids[:place], dish_id, *self.dish_ids[place + 1 :])
        return msgspec.structs.replace(self, dish_ids=dish_ids)


class Offered:
    """A set with its courses and dishes as tools show it, and the one for children.

    Args:
        menu: the set as it is read by its id.
        kid: the one for children, read likewise; None where nobody needs it.
        main: where the mains are among its courses.
    """

    def __init__(self, menu: Menus, kid: Menus | None, main: int) -> None:
        self.head: MenuHead = menu.menus[0]
        self.courses = [course.dish_ids for course in menu.courses]
        self.dishes: dict[str, DishText] = {dish.dish_id: dish for dish in menu.dishes}
        self.kid, self.main = kid, main

    def forms(self, dish_id: str) -> list[str]:
        """A dish and its variants."""
        return [dish_id, *(variant.dish_id for variant in self.dishes[dish_id].variants)]

    def plates(self, place: int) -> list[str]:
        """Everything that can be had in a course."""
        return [form for dish_id in self.courses[place] for form in self.forms(dish_id)]

    def supplement(self, dish_id: str) -> int:
        """What a dish costs on top, in minor units."""
        return _minor(self.dishes[dish_id].supplement) if dish_id in self.dishes else 0

    def price(self, serving: Serving) -> Money:
        """What a serving costs as it is printed."""
        head = self.kid.menus[0] if self.kid and serving.menu_id == self.kid.menus[0].menu_id else self.head
        amount = head.price_per_person
        return Money(_minor(amount) + sum(map(self.supplement, serving.dish_ids)), amount.currency)

    def total(self, servings: Sequence[Serving]) -> Money:
        """What the party pays."""
        currency = self.head.price_per_person.currency
        return self.head.charges.paid(Money(sum(self.price(one).minor for one in servings), currency))

    def lines(self, servings: Sequence[Serving]) -> list[LineEntry]:
        """The lines of the sheet."""
        return [
            LineEntry(
                person_id=one.person_id,
                child=one.child,
                menu_id=one.menu_id,
                dish_ids=[*one.dish_ids],
                price=self.price(one).wire().amount,
            )
            for one in servings
        ]

    # --- choosing

    def choices(self, guest: Guest, place: int, mains: Sequence[str] | None = None) -> list[str]:
        """What somebody can have in a course: what they named, or what they may eat of these mains."""
        offered = self.plates(place) if mains is None else [form for main in mains for form in self.forms(main)]
        eaten = [dish_id for dish_id in offered if suits(self.dishes[dish_id], guest.needs)]
        named = [dish_id for dish_id in eaten if dish_id in guest.named]
        return named or eaten

    def servings(self, table: Table, most_mains: int, up_to_age: int) -> list[Serving]:
        """The cheapest order for everybody who comes."""
        kept = most_mains or len(self.courses[self.main])
        orders = [
            order for mains in combinations(self.courses[self.main], kept) if (order := self._order(table, mains))
        ]
        if not orders:
            raise NoFit
        best = min(orders, key=lambda order: sum(self.price(one).minor for one in order))
        return [*best, *self._children(table, best, up_to_age)]

    def _order(self, table: Table, mains: Sequence[str]) -> list[Serving]:
        """An order with these mains alone, none if somebody is left without."""
        order: list[Serving] = []
        for guest in table.coming:
            dishes: list[str] = []
            for place in range(len(self.courses)):
                if place == self.main:
                    every = self.choices(guest, place)
                    choices = [one for one in self.choices(guest, place, mains) if one in every]
                else:
                    choices = self.choices(guest, place)
                if not choices:
                    return []
                dishes.append(min(choices, key=self.supplement))
            order.append(Serving(guest.person_id, False, self.head.menu_id, tuple(dishes)))
        return order

    def _children(self, table: Table, order: Sequence[Serving], up_to_age: int) -> Iterator[Serving]:
        """What children have: their own set up to an age; past it what others have too."""
        for guest in table.coming:
            if guest.child is None:
                continue
            if self.kid and guest.child.age <= up_to_age:
                dishes = tuple(course.dish_ids[0] for course in self.kid.courses)
                yield Serving(guest.person_id, True, self.kid.menus[0].menu_id, dishes)
            else:
                cheapest = min(order, key=lambda one: self.price(one).minor)
                yield Serving(guest.person_id, True, self.head.menu_id, cheapest.dish_ids)


def _minor(amount: Amount) -> int:
    return Money.of(amount.amount, amount.currency).minor
