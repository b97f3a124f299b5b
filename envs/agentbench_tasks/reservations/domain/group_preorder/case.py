"""The case of a pre-order, and what the assistant has prepared for it."""

from __future__ import annotations

from datetime import date
from functools import cached_property

from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.zones import to_local
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.reservations.domain.group_preorder.answer import PreorderAnswer
from agentbench_tasks.reservations.domain.group_preorder.build import Built
from agentbench_tasks.reservations.domain.group_preorder.guests import Guest
from agentbench_tasks.reservations.domain.group_preorder.words import Words
from agentbench_tasks.reservations.domain.letters import Booking, Letter, named_letter
from agentbench_tasks.reservations.domain.menus import Dish, SetMenu
from agentbench_tasks.reservations.domain.person import letter_names
from agentbench_tasks.reservations.domain.preorder_records import Sheet, SheetLine


class PreorderCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the pre-order fixes."""

    @property
    def eaters(self) -> tuple[tuple[str, bool], ...]:
        """Who is to have a line: the id of everybody who comes, and again for a child whom they bring."""
        coming = self.built.table.coming
        return tuple((guest.person_id, False) for guest in coming) + tuple(
            (guest.person_id, True) for guest in coming if guest.child
        )

    @property
    def booking(self) -> Booking:
        """The reservation as messages speak of it; the usual form of the name is the first."""
        built, setting = self.built, self.built.town.setting
        names = letter_names(built.user.name, setting.market.code, setting.language)
        evening = built.evening
        return Booking(
            (*names, built.own.guest_name), evening.day, evening.clock, built.own.party_size, built.own.reference
        )

    def guest(self, person_id: str) -> Guest | None:
        """Somebody in the conversation."""
        return next((guest for guest in self.built.table.guests if guest.person_id == person_id), None)


class Done:
    """What the answer names, as it stands at the end: the sheet and the message."""

    def __init__(self, case: PreorderCase, ep: Episode) -> None:
        self.case, self.ep, self.world = case, ep, ep.world
        answer = ep.answer
        assert isinstance(answer, PreorderAnswer)
        self.answer = answer

    @cached_property
    def sheet(self) -> Sheet | None:
        """The sheet that the answer names."""
        found = self.world.find(self.answer.sheet_id.strip())
        return found if isinstance(found, Sheet) else None

    @property
    def lines(self) -> tuple[SheetLine, ...]:
        """The lines of the sheet."""
        return self.sheet.lines if self.sheet else ()

    @cached_property
    def letter(self) -> Letter | None:
        """The message that the answer names, by the id of its draft; sending it is the boundary's business."""
        return named_letter(self.ep, self.answer.draft_id)

    @property
    def letter_day(self) -> date:
        """The day on which messages are written."""
        return date.fromisoformat(to_local(self.world.now, self.case.built.place.zone)[:10])

    def dishes(self, line: SheetLine) -> list[Dish]:
        """The dishes of a line."""
        return [self.world.get(Dish, dish_id) for dish_id in line.dish_ids]

    def printed(self, line: SheetLine) -> int:
        """What a line costs as it is printed: the price of its menu and the supplements of its dishes."""
        menu = self.world.get(SetMenu, line.menu_id)
        return menu.price.minor + sum(dish.supplement for dish in self.dishes(line))

    @property
    def bill(self) -> Money:
        """What the party on the sheet pays: everything that comes on top is reckoned and rounded once."""
        menu = self.case.built.card.menu
        return menu.charges.paid(Money(sum(map(self.printed, self.lines)), menu.price.currency))
