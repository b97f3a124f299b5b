"""Where near misses of a pre-order apply, and what they do otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from agentbench_env.money import Money
from agentbench_env.policies.expert import Do
from agentbench_tasks.commons.texts import DateSlot, Text, TimeSlot, body_of
from agentbench_tasks.reservations.domain.group_preorder.case import PreorderCase
from agentbench_tasks.reservations.domain.group_preorder.chat import FILE
from agentbench_tasks.reservations.domain.group_preorder.guests import Guest
from agentbench_tasks.reservations.domain.group_preorder.moves import Moves
from agentbench_tasks.reservations.domain.group_preorder.needs import Need, suits
from agentbench_tasks.reservations.domain.group_preorder.orders import Offered, Serving
from agentbench_tasks.reservations.domain.menus import Dish


class Slip(NamedTuple):
    """Another dish in a course of somebody's."""

    person_id: str
    place: int
    dish_id: str


Slips = Callable[[PreorderCase], Iterator[Slip]]


# --- what can go wrong for whom


def _slips(case: PreorderCase, wrong: Callable[[Guest, Dish], bool]) -> Iterator[Slip]:
    """Dishes that are wrong for somebody in courses in which they name none that they may eat.

    Where the table may have few mains only, these stay as they are.
    """
    card = case.built.card
    for guest in case.built.table.coming:
        for place in range(len(card.menu.courses)):
            if place in _named(case, guest) or (card.menu.most_different_mains and place == card.menu.main_course):
                continue
            for dish in card.plates(place):
                if wrong(guest, dish):
                    yield Slip(guest.person_id, place, dish.id)


def _named(case: PreorderCase, guest: Guest) -> dict[int, str]:
    """The dishes that somebody names and may eat, by course."""
    card = case.built.card
    return {card.course_of(dish_id): dish_id for dish_id in guest.named if suits(card.dishes[dish_id], guest.needs)}


def contained(case: PreorderCase) -> Iterator[Slip]:
    """Dishes that somebody may not eat."""
    return _slips(case, lambda guest, dish: not suits(dish, guest.needs))


def traces(case: PreorderCase) -> Iterator[Slip]:
    """Dishes that somebody may not eat only because of traces."""
    return _slips(
        case,
        lambda guest, dish: not suits(dish, guest.needs) and suits(dish, [Need(need.code) for need in guest.needs]),
    )


def harmless(case: PreorderCase) -> Iterator[Slip]:
    """Dishes that sound harmless to somebody who may not eat them."""
    names = case.built.card.harmless
    return _slips(case, lambda guest, dish: dish.name in names and not suits(dish, guest.needs))


def named_all_the_same(case: PreorderCase) -> Iterator[Slip]:
    """Dishes that somebody asked for and may not eat."""
    return _slips(case, lambda guest, dish: dish.id in guest.named and not suits(dish, guest.needs))


def unasked(case: PreorderCase) -> Iterator[Slip]:
    """Dishes that somebody may eat in place of those that they named."""
    card = case.built.card
    for guest in case.built.table.coming:
        for place, named in _named(case, guest).items():
            for dish in card.plates(place):
                kept = place != card.menu.main_course or not card.menu.most_different_mains
                if kept and dish.id != named and suits(dish, guest.needs):
                    yield Slip(guest.person_id, place, dish.id)


def first_words(case: PreorderCase) -> Iterator[Slip]:
    """Dishes that somebody named first and then no more."""
    card = case.built.card
    for guest in case.built.table.coming:
        if guest.changed == "choice" and not card.menu.most_different_mains:
            yield Slip(guest.person_id, card.menu.main_course, guest.before)


def one_main_more(case: PreorderCase) -> Iterator[Slip]:
    """Mains beyond those that the table has, for whoever names none."""
    card = case.built.card
    most, at = card.menu.most_different_mains, card.menu.main_course
    served = {_named(case, guest)[at] for guest in case.built.table.coming if at in _named(case, guest)}
    if not most or len(served) < most:
        return
    for guest in case.built.table.coming:
        if at not in _named(case, guest):
            for main in card.mains:
                if main not in served and suits(card.dishes[main], guest.needs):
                    yield Slip(guest.person_id, at, main)


def can_slip(slips: Slips) -> Callable[[PreorderCase], bool]:
    """Whether something of the kind can go wrong at all."""
    return lambda case: next(slips(case), None) is not None


def slipped(*kinds: Slips) -> Callable[[Moves, list[Serving]], list[Serving]]:
    """Change the order by the first thing that can go wrong, of the first kind of which something can."""

    def change(moves: Moves, servings: list[Serving]) -> list[Serving]:
        slip = next(slip for slips in kinds for slip in slips(moves.case))
        return [
            one.but(slip.place, slip.dish_id) if (one.person_id, one.child) == (slip.person_id, False) else one
            for one in servings
        ]

    return change


# --- who has a line


def with_dropouts(moves: Moves, servings: list[Serving]) -> list[Serving]:
    """Serve those too who do not come, as they wished."""
    offered = moves.offered
    mains = list(offered.courses[offered.main])
    if moves.built.card.menu.most_different_mains:
        mains = [main for main in mains if _is_served(offered, main, servings)]
    more = [
        Serving(
            guest.person_id,
            False,
            offered.head.menu_id,
            tuple(
                offered.choices(guest, place, mains if place == offered.main else None)[0]
                for place in range(len(offered.courses))
            ),
        )
        for guest in moves.table.guests
        if not guest.coming
    ]
    return [*servings, *more]


def _is_served(offered: Offered, main: str, servings: Sequence[Serving]) -> bool:
    return any(form in one.dish_ids for form in offered.forms(main) for one in servings)


def without_private(moves: Moves, servings: list[Serving]) -> list[Serving]:
    """Leave out whoever wrote to the user alone."""
    private = {guest.person_id for guest in moves.table.guests if guest.private}
    return [one for one in servings if one.person_id not in private]


def with_the_wrong_people(moves: Moves, servings: list[Serving]) -> list[Serving]:
    """Serve those too who do not come; where everybody does, forget the child, or who wrote to the user alone."""
    if any(not guest.coming for guest in moves.table.guests):
        return with_dropouts(moves, servings)
    if any(one.child for one in servings):
        return [one for one in servings if not one.child]
    return without_private(moves, servings)


def without_a_course(moves: Moves, servings: list[Serving]) -> list[Serving]:
    """Leave out a course of somebody who has named no dish of it."""
    named = {guest.person_id: guest.named for guest in moves.table.guests}
    for number, one in enumerate(servings):
        for dish_id in one.dish_ids:
            if not one.child and dish_id not in named[one.person_id] and not moves.offered.supplement(dish_id):
                dish_ids = tuple(other for other in one.dish_ids if other != dish_id)
                short = Serving(one.person_id, False, one.menu_id, dish_ids)
                return [*servings[:number], short, *servings[number + 1 :]]
    raise AssertionError("everybody names every dish")


def child_is_too_old(case: PreorderCase) -> bool:
    """Whether a child comes along who cannot have the set for children."""
    kid = case.built.card.menu.kid
    assert kid is not None
    return any(guest.child and guest.child.age > kid.up_to_age for guest in case.built.table.coming)


def with_kid_set(moves: Moves, servings: list[Serving]) -> list[Serving]:
    """Give every child the set for children."""
    kid = moves.offered.kid
    assert kid is not None
    dishes = tuple(course.dish_ids[0] for course in kid.courses)
    return [Serving(one.person_id, True, kid.menus[0].menu_id, dishes) if one.child else one for one in servings]


# --- what it costs


def has_supplement(case: PreorderCase) -> bool:
    """Whether somebody who comes has asked for a dish that costs more, and may eat it."""
    card = case.built.card
    named = (dish_id for guest in case.built.table.coming for dish_id in _named(case, guest).values())
    return any(card.dishes[dish_id].supplement for dish_id in named)


class AtOlderPrice(Offered):
    """The set at the price of the page that was replaced."""

    older: int = 0
    """In minor units."""

    def price(self, serving: Serving) -> Money:
        """What a serving would have cost."""
        now = super().price(serving)
        less = Money.of(self.head.price_per_person.amount, now.currency).minor - self.older
        return Money(now.minor - less, now.currency) if serving.menu_id == self.head.menu_id else now


class WithoutSupplements(Offered):
    """The set as if no dish cost more than another."""

    def supplement(self, dish_id: str) -> int:
        """Nothing."""
        return 0


def mispriced(case: PreorderCase, do: Do) -> Moves:
    """Moves that leave supplements out or, where nobody has a dish with one, go by what the set once cost."""
    if has_supplement(case):
        return Moves(case, do, WithoutSupplements)
    older = case.built.card.older.price.minor
    return Moves(case, do, type("AtThatPrice", (AtOlderPrice,), {"older": older}))


def too_little(moves: Moves, servings: Sequence[Serving]) -> Money:
    """The bill with the tax on the printed price alone, with nothing on top, or with a line left out."""
    charges, offered = moves.offered.head.charges, moves.offered
    printed = sum(offered.price(one).minor for one in servings)
    currency = offered.total(servings).currency
    if charges.mode in ("on_service", "compounded") and charges.tax_pct:
        on_top = charges.service_pct + charges.fee_pct + charges.tax_pct
        return Money(printed * (100 + on_top) // 100, currency)
    return Money(printed, currency) if charges.mode != "final" else offered.total(servings[:-1])


# --- until when, and the message


def fallen_due(case: PreorderCase) -> int:
    """The deadline as the rule gives it, on a closing day if it falls on one."""
    built = case.built
    return built.card.menu.deadline.instant(built.evening.start, built.place.zone, lambda day: True)


def careless(moves: Moves) -> str:
    """The message in a tone in which nobody writes to a shop."""
    evening = moves.built.evening
    slots = {
        "name": moves.case.booking.names[0],
        "date": DateSlot(evening.day, "month_day"),
        "time": TimeSlot(evening.clock),
    }
    return body_of(Text.of(FILE, "careless", moves.setting.language, 0, **slots))


def settling(moves: Moves) -> str:
    """A message that orders for good."""
    return f"{moves.letter()}\n{body_of(Text.of(FILE, 'settling', moves.setting.language, 0))}"
