"""Who eats what: needs and named dishes of everybody in the conversation, as they stand when all is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.text.names import PersonName
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.group_preorder.card import Card
from agentbench_tasks.reservations.domain.group_preorder.needs import ALLERGENS, Need, suits
from agentbench_tasks.reservations.domain.group_preorder.plot import Child, Plot
from agentbench_tasks.reservations.domain.menu_page import allergens
from agentbench_tasks.reservations.domain.menus import Dish

Changed = Literal["", "choice", "withdrawn", "added"]
"""What somebody says again, otherwise: which dish, that a need is none, that there is one after all."""
_CHANGES: dict[Changed, float] = {"choice": 2, "withdrawn": 1, "added": 1}
_NAMES_A_MAIN = 0.8
_NAMES_A_MAIN_WITH_NEED = 0.5
_NAMES_ANOTHER = 0.25
"""How often somebody names a dish of another course as well."""
_FEWEST_HARD_COURSES = 2
"""In how many courses somebody can eat one thing only."""


class Guest(msgspec.Struct):
    """Somebody in the conversation, and what counts of what they say in the end."""

    person_id: str
    name: PersonName
    needs: tuple[Need, ...] = ()
    named: tuple[str, ...] = ()
    """The dishes that they name, one a course at most."""
    coming: bool = True
    child: Child | None = None
    """The child whom they bring."""
    private: bool = False
    """Whether they write to the user alone."""
    changed: Changed = ""
    before: str = ""
    """What they said before: the dish, or the code of the need that is none."""
    misled: bool = False
    """Whether they name a dish by the page that was replaced, on which what they are allergic to was not in it."""


class Table(msgspec.Struct, frozen=True):
    """Everybody, the user first."""

    guests: tuple[Guest, ...]
    severe_id: str
    """Whose allergy only the user knows to be severe or not, "" for nobody's."""

    @property
    def coming(self) -> tuple[Guest, ...]:
        """Those who come."""
        return tuple(guest for guest in self.guests if guest.coming)

    @property
    def changed_since(self) -> tuple[str, str]:
        """The dish that somebody names by the page that was replaced, and what was not in it then; "" for neither."""
        found = ((guest.named[0], guest.needs[0].code) for guest in self.guests if guest.misled)
        return next(found, ("", ""))


def seat(
    draw: Draw, plot: Plot, card: Card, diets: Sequence[str], people: Sequence[tuple[str, PersonName]], language: str
) -> Table:
    """Draw who eats what; raise NoFit if the menu does not suit the story.

    Args:
        draw: the stream to draw from.
        plot: what misleads.
        card: the menu.
        diets: needs besides allergies that there are in the market.
        people: id and name of everybody, the user first.
        language: that of the menu.
    """
    return Seating(draw, plot, card, diets, people, language).finish()


class Seating:
    """One attempt."""

    def __init__(
        self,
        draw: Draw,
        plot: Plot,
        card: Card,
        diets: Sequence[str],
        people: Sequence[tuple[str, PersonName]],
        language: str,
    ) -> None:
        self._draw, self._plot, self._card, self._language = draw, plot, card, language
        self._guests = [Guest(person_id, name) for person_id, name in people]
        self._free = draw.shuffled(self._guests[1:])
        """Who has no part in the story yet."""
        self._courses = [card.plates(place) for place in range(len(card.menu.courses))]
        self._bases = [card.dishes[dish_id] for course in card.menu.courses for dish_id in course.dish_ids]
        self._possible = self._known(diets)
        """Needs that the menu can meet, with what they leave of it."""
        self._severe_id = ""

    def finish(self) -> Table:
        """Give everybody a part, then let them choose."""
        plot = self._plot
        self._give_needs()
        for _ in range(plot.dropouts):
            self._next().coming = False
        if plot.child:
            self._next().child = plot.child
        changed = [self._next() for _ in range(plot.corrections)]
        for guest in changed:
            guest.changed = self._draw.weighted(_CHANGES)
            if guest.changed == "added":
                self._add_late(guest)
        writers = [guest for guest in self._guests[1:] if guest.coming and not self._is_heard(guest)]
        self._draw.choice(writers).private = True
        self._choose()
        return Table(tuple(self._guests), self._severe_id)

    def _is_heard(self, guest: Guest) -> bool:
        """Whether what somebody says is for everybody to read, or for the others to tell of."""
        return bool(guest.changed or guest.child or guest.misled or guest.person_id == self._severe_id)

    def _next(self) -> Guest:
        if not self._free:
            raise NoFit
        return self._free.pop()

    # --- needs

    def _known(self, diets: Sequence[str]) -> dict[Need, tuple[int, ...]]:
        """Needs that some dish is against, each with the plates of every course that are left, as bits."""
        needs = (*map(Need, (*diets, *ALLERGENS)), *(Need(code, severe=True) for code in ALLERGENS))
        known = {need: self._left(need) for need in needs if any(map(need.forbids, self._bases))}
        return {need: left for need, left in known.items() if all(left)}

    def _left(self, need: Need) -> tuple[int, ...]:
        return tuple(
            sum(1 << number for number, plate in enumerate(plates) if not need.forbids(plate))
            for plates in self._courses
        )

    def _hard(self) -> list[tuple[Need, ...]]:
        """Needs, one or two of different codes, that leave one plate in some courses and none in no course."""
        known = self._possible
        found: list[tuple[Need, ...]] = [(need,) for need in known if _is_hard(known[need])]
        for one, two in combinations(known, 2):
            both = tuple(left & also for left, also in zip(known[one], known[two], strict=True))
            if one.code != two.code and (one.is_allergy or two.is_allergy) and _is_hard(both):
                found.append((one, two))
        return found

    def _give_needs(self) -> None:
        plot = self._plot
        stated = [need for need in self._possible if not need.severe]
        self._give(self._hard())
        if "may_contain" in plot.traps:
            traced = [need for need in self._possible if need.severe and self._only_traces(need)]
            guest = self._give([(need,) for need in traced])
            if not plot.severity_told:
                guest.needs = (msgspec.structs.replace(guest.needs[0], severe=plot.severe),)
                self._severe_id = guest.person_id
        if "hidden_allergen" in plot.traps:
            self._give([(need,) for need in stated if any(map(need.forbids, self._harmless()))])
        if "named_dish_conflict" in plot.traps:
            self._name_in_vain(self._next(), self._against(self._bases))
        if "older_menu" in plot.traps:
            misled = self._next()
            misled.misled = True
            self._name_in_vain(misled, self._once_without())
        while sum(bool(guest.needs) for guest in self._guests) < plot.needs:
            self._give([(need,) for need in stated])

    def _give(self, options: Sequence[tuple[Need, ...]]) -> Guest:
        if not options:
            raise NoFit
        guest = self._next()
        guest.needs = self._draw.choice(options)
        return guest

    def _name_in_vain(self, guest: Guest, options: Sequence[tuple[Need, str]]) -> None:
        """Somebody names a dish that is against their own allergy."""
        if not options:
            raise NoFit
        need, dish_id = self._draw.choice(options)
        guest.needs, guest.named = (need,), (dish_id,)

    def _against(self, dishes: Sequence[Dish]) -> list[tuple[Need, str]]:
        """Allergies, and dishes with what they are to."""
        allergies = [need for need in self._possible if need.is_allergy and not need.severe]
        return [(need, dish.id) for need in allergies for dish in dishes if need.forbids(dish)]

    def _once_without(self) -> list[tuple[Need, str]]:
        """The same, with dishes that may well have been made without it: neither named after it nor mainly of it."""
        return [
            (need, id) for need, id in self._against(self._bases) if self._sounds_free(self._card.dishes[id], need.code)
        ]

    def _sounds_free(self, dish: Dish, code: str) -> bool:
        named_after = allergens((code,), self._language).lower() in body_of(dish.name).lower()
        return dish.name in self._card.harmless or (dish.contains[0] != code and not named_after)

    def _only_traces(self, need: Need) -> bool:
        return any(need.code in dish.may_contain for dish in self._bases)

    def _harmless(self) -> Iterator[Dish]:
        return (dish for dish in self._bases if dish.name in self._card.harmless)

    def _add_late(self, guest: Guest) -> None:
        """Somebody remembers an allergy to something in the main that they have named."""
        self._name_in_vain(guest, self._against([self._card.dishes[dish_id] for dish_id in self._card.mains]))

    # --- choices

    def _choose(self) -> None:
        """Let people name dishes, so that the table keeps the rule of the menu whatever the others have."""
        draw, plot, card = self._draw, self._plot, self._card
        served = self._served()
        dear = [dish_id for dish_id in card.mains if card.dishes[dish_id].supplement]
        wanted = dear if "supplement" in plot.traps else []
        if "supplement" in plot.traps and not wanted:
            raise NoFit
        others = [dish_id for dish_id in served if dish_id not in dear]
        nameable = [*wanted, *others]
        # These are named in any case: all that the table may have or, without a rule, two.
        first = [*wanted, *(others if plot.most_mains else draw.sample(others, 2 - len(wanted)))]
        for guest in draw.shuffled(self._guests):
            if guest.named:
                continue
            if guest.changed == "withdrawn":
                self._withdraw(guest, nameable)
                continue
            eaten = [dish_id for dish_id in nameable if suits(card.dishes[dish_id], _with_care(guest.needs))]
            chance = _NAMES_A_MAIN_WITH_NEED if guest.needs else _NAMES_A_MAIN
            if first and guest.coming and not guest.needs:
                guest.named = (first.pop(0),)
            elif eaten and (guest.changed or draw.chance(chance)):
                guest.named = (draw.choice(eaten),)
            if guest.changed == "choice":
                once = [dish_id for dish_id in card.mains if dish_id not in (*guest.named, *dear)]
                guest.before = draw.choice(once)
            guest.named += tuple(self._besides(guest))
        if first:
            raise NoFit

    def _served(self) -> tuple[str, ...]:
        """The mains that the table can have: all, or as many as it may, so that there is one for everybody."""
        card, most = self._card, self._plot.most_mains
        if not most:
            return card.mains
        needs = [guest.needs for guest in self._guests if guest.coming and guest.needs]
        options = [
            mains
            for mains in combinations(card.mains, most)
            if all(any(suits(form, each) for main in mains for form in card.forms(main)) for each in needs)
        ]
        # All of them are named, the dear one too if it is among them.
        dear = "supplement" in self._plot.traps
        options = [mains for mains in options if any(card.dishes[main].supplement for main in mains) == dear]
        if not options:
            raise NoFit
        return self._draw.choice(options)

    def _withdraw(self, guest: Guest, nameable: Sequence[str]) -> None:
        """Somebody can eat after all what they named as an allergy before, and has a main with it."""
        dishes = [self._card.dishes[dish_id] for dish_id in nameable]
        options = [(code, dish.id) for dish in dishes for code in dish.contains if code in ALLERGENS]
        if not options:
            raise NoFit
        guest.before, main = self._draw.choice(options)
        guest.named = (main,)

    def _besides(self, guest: Guest) -> Iterator[str]:
        """What somebody names besides a main."""
        for place, course in enumerate(self._card.menu.courses):
            if place != self._card.menu.main_course and self._draw.chance(_NAMES_ANOTHER):
                dishes = [self._card.dishes[dish_id] for dish_id in course.dish_ids]
                eaten = [dish.id for dish in dishes if suits(dish, _with_care(guest.needs))]
                if eaten:
                    yield self._draw.choice(eaten)


def _is_hard(left: Sequence[int]) -> bool:
    return all(left) and sum(plates.bit_count() == 1 for plates in left) >= _FEWEST_HARD_COURSES


def _with_care(needs: Sequence[Need]) -> list[Need]:
    """Needs as people name dishes by them: nothing that may contain what they are allergic to, severely or not."""
    return [msgspec.structs.replace(need, severe=need.is_allergy) for need in needs]
