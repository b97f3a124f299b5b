"""The case of a table that is to be changed, and what the assistant has done about it."""

from __future__ import annotations

from functools import cached_property

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.change.answer import ChangeAnswer
from agentbench_tasks.reservations.domain.change.build import Built
from agentbench_tasks.reservations.domain.change.goal import Goal, Outcome, outcome_of, zone_of
from agentbench_tasks.reservations.domain.change.words import Words
from agentbench_tasks.reservations.domain.letters import Booking, Letter, letters
from agentbench_tasks.reservations.domain.person import User, letter_names
from agentbench_tasks.reservations.domain.places import Place


class ChangeCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    built: Built
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def start(self) -> World:
        """The world at the beginning."""
        return self.built.world

    @property
    def goal(self) -> Goal:
        """The right end."""
        return self.built.goal

    @property
    def user(self) -> User:
        """Who asks."""
        return self.built.town.user

    @property
    def approves(self) -> bool:
        """Whether the user agrees to what the change costs."""
        return self.built.plot.frame.kind == "online_forfeit_approved"

    def outcome(self, row: Reservation) -> Outcome:
        """What is to become of a reservation; the user agrees to charges for the one that they mean alone."""
        return outcome_of(self.start, row, self.built.wish, self.approves and row.id == self.goal.reservation_id)

    def booking(self, row: Reservation, language: str = "") -> Booking:
        """A reservation as letters tell of it, with the name as a letter of a language gives it."""
        day, clock = to_local(row.start, zone_of(self.start, row)).split("T")
        code = self.built.town.setting.market.code
        names = letter_names(self.user.name, code, language or self.built.town.setting.language)
        return Booking((*names, row.guest_name), day, clock, row.party_size, row.reference)

    def wished(self, row: Reservation) -> Reservation:
        """A reservation as the user wants it."""
        start, party = self.built.wish.of(row, zone_of(self.start, row))
        return msgspec.structs.replace(row, start=start, party_size=party)


class Done:
    """What was done in an episode, and to which reservation.

    That is the one that was moved, cancelled or given another size; if none or several were, the one that the answer
    names.
    """

    def __init__(self, case: ChangeCase, ep: Episode) -> None:
        self._case, self._ep = case, ep
        assert isinstance(ep.answer, ChangeAnswer)
        self.answer = ep.answer

    @cached_property
    def before(self) -> list[Reservation]:
        """Every reservation at the beginning."""
        return self._case.start.all(Reservation)

    def now(self, row: Reservation) -> Reservation:
        """A reservation as it stands at the end."""
        return self._ep.world.get(Reservation, row.id)

    @cached_property
    def acted_on(self) -> Reservation | None:
        """The reservation that was acted on, as it was at the beginning."""
        moved = [row for row in self.before if _shape(row) != _shape(self.now(row))]
        if len(moved) == 1:
            return moved[0]
        return next((row for row in self.before if row.id == self.answer.reservation.strip()), None)

    @cached_property
    def letters(self) -> list[Letter]:
        """What was written to the venue of that reservation, sent or not."""
        row = self.acted_on
        return [one for one in letters(self._ep.world) if row is not None and one.recipient_id == row.venue_id]

    @property
    def place(self) -> Place:
        """The venue of that reservation."""
        assert self.acted_on is not None
        return self._case.start.get(Place, self.acted_on.venue_id)


def _shape(row: Reservation) -> tuple[int, int, str]:
    return row.start, row.party_size, row.status
