"""A venue that is being built: what it keeps and what it says, drawn as usual here until a task settles otherwise."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import Market
from agentbench_env.task import Difficulty
from agentbench_env.world import Record
from agentbench_tasks.reservations.domain.furnishing import Furnishing
from agentbench_tasks.reservations.domain.market import ReservationMarket, reservation_market
from agentbench_tasks.reservations.domain.openings import EVERY_DAY, draw_closure, draw_reason, draw_services
from agentbench_tasks.reservations.domain.outlets import Brand
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.publishing import PageKind
from agentbench_tasks.reservations.domain.venue import (
    ClosureRule,
    HoursRule,
    Notice,
    NoticeReason,
    NoticeScope,
    Opening,
    SeasonHours,
    Service,
    ServiceHours,
)

WORDINGS = (0, 1, 2, 3)
"""The wordings of each text; a split has some of them."""


class Habits(msgspec.Struct, frozen=True):
    """What all houses of a town have in common."""

    market: Market
    language: str
    difficulty: Difficulty


class House:
    """A venue that is being built.

    Args:
        draw: the stream to draw from.
        ids: the stream of which ids are drawn.
        place: where it is.
        brand: whose outlet it is.
        habits: what all houses of the town have in common.
    """

    def __init__(self, draw: Draw, ids: Draw, place: Place, brand: Brand, habits: Habits) -> None:
        self.draw, self.ids, self.place, self.brand, self.habits = draw, ids, place, brand, habits
        self.variant = draw.variant(WORDINGS)
        self.rules: ReservationMarket = reservation_market(habits.market.code)
        self._page_ids: dict[PageKind, str] = {}
        self.hours: list[HoursRule] = []
        self.closures: list[ClosureRule] = []
        self.notices: list[Notice] = []
        self.seasons: list[SeasonHours] = []
        self.furnishing = Furnishing(draw, self.ids, place)
        self.open_for(draw_services(draw, self.rules.hours))
        self.closures.append(draw_closure(draw, self.rules, place.id, self.page_id("hours"), self.ids.id("cls")))

    def page_id(self, kind: PageKind) -> str:
        """Return the id of its page of a kind; of notices there may be several, each with an id of its own."""
        if kind not in self._page_ids:
            self._page_ids[kind] = self.ids.id("pg")
        return self._page_ids[kind]

    # --- opening

    def open_for(self, services: Sequence[ServiceHours], weekdays: tuple[int, ...] = EVERY_DAY) -> None:
        """Keep these services on these weekdays, and no others."""
        page = self.page_id("hours")
        self.hours = [HoursRule(self.ids.id("hrs"), self.place.id, page, weekdays, hours) for hours in services]

    def service(self, kind: Service) -> ServiceHours:
        """Return the regular hours of a service."""
        return next(rule.hours for rule in self.hours if rule.hours.service == kind)

    def keep_closure(self, *kinds: str) -> None:
        """Keep one closing rule, of one of these kinds."""
        rule = draw_closure(self.draw, self.rules, self.place.id, self.page_id("hours"), self.ids.id("cls"), kinds)
        self.closures = [rule]

    def never_close(self) -> None:
        """Keep no closing rule."""
        self.closures = []

    def announce(
        self, first: str, last: str = "", scope: NoticeScope = "all", reasons: Sequence[NoticeReason] = ()
    ) -> Notice:
        """Put up a notice on a page of its own: closed from one day to another."""
        reason = draw_reason(self.draw, self.rules.notices, reasons)
        notice = Notice(self.ids.id("ntc"), self.place.id, self.ids.id("pg"), first, last or first, scope, reason)
        self.notices.append(notice)
        return notice

    @property
    def opening(self) -> Opening:
        """Everything that decides when it is open, as it stands."""
        return Opening(self.place.country, self.hours, self.closures, self.notices, self.seasons)

    def records(self) -> list[Record]:
        """Return everything that the world keeps of it."""
        return [self.place, *self.hours, *self.closures, *self.notices, *self.seasons, *self.furnishing.records()]
