"""The case of a table to be called off, and what the assistant has done about it."""

from __future__ import annotations

import json
from datetime import date

from agentbench_env.episode import Episode
from agentbench_env.lineage import Entry
from agentbench_env.zones import to_local
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.service_time import service_time
from agentbench_tasks.reservations.domain.amendments import (
    BookingCancelReservation,
    occasion_of,
    terms_of,
)
from agentbench_tasks.reservations.domain.booking_records import CancellationStage, Reservation
from agentbench_tasks.reservations.domain.cancellation.answer import CancellationAnswer
from agentbench_tasks.reservations.domain.cancellation.build import Built
from agentbench_tasks.reservations.domain.cancellation.plot import IN_WRITING, ONLINE
from agentbench_tasks.reservations.domain.cancellation.words import Words
from agentbench_tasks.reservations.domain.letters import Booking, Letter, named_letter
from agentbench_tasks.reservations.domain.messages import MessageDraft
from agentbench_tasks.reservations.domain.person import letter_names
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.terms import Terms, free_until
from agentbench_tasks.reservations.domain.venue import open_days


class CancellationCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the cancellation fixes."""

    @property
    def solvable(self) -> bool:
        """Whether nothing stops the assistant."""
        return self.built.goal.stop == "none"

    def thread_of(self, row: Reservation) -> str:
        """The id of the conversation in which a table was booked, "" if in none of the user's."""
        own = self.built.own
        return self.built.thread_id if own and row.id == own.id else ""

    def names_of(self, row: Reservation) -> tuple[str, ...]:
        """The forms of the name on a booking that a message may give, the usual one first."""
        if row.id not in self.built.own_ids:
            return (row.guest_name,)
        setting = self.built.town.setting
        forms = letter_names(self.built.user.name, setting.market.code, setting.language)
        return (*forms, row.guest_name)

    def booking_of(self, row: Reservation) -> Booking:
        """A reservation as messages speak of it."""
        when = service_time(row.start, self.built.place.zone)
        return Booking(self.names_of(row), when.service_date, when.time, row.party_size, row.reference)

    def cutoff_of(self, row: Reservation) -> int:
        """The last instant at which calling a table off costs nothing."""
        terms = terms_of(self.start, row)
        if terms is None:
            return row.start
        until = free_until(terms, occasion_of(self.start, row), open_days(self.start, row.venue_id))
        return 0 if until is None else until


class Done:
    """What the answer names, as it stands at the end: the table that was prepared for, its stage, its message."""

    def __init__(self, case: CancellationCase, ep: Episode) -> None:
        self.case, self.ep, self.world = case, ep, ep.world
        answer = ep.answer
        assert isinstance(answer, CancellationAnswer)
        self.answer = answer
        self.begun = case.start.now

    @property
    def row(self) -> Reservation | None:
        """The table that was prepared for; None where there is nothing to judge."""
        disowned = self.answer.handback.step == "ownership_unconfirmed"
        if self.case.built.goal.stop == "ownership_unconfirmed" or disowned:
            return None
        found = self.world.find(self.answer.reservation)
        return found if isinstance(found, Reservation) else None

    @property
    def has_passed(self) -> bool:
        """Whether the free time of the table that is meant has passed."""
        return self.case.built.goal.stop == "cutoff_passed"

    def place(self, row: Reservation) -> Place:
        """The house of a table."""
        return self.world.get(Place, row.venue_id)

    def terms(self, row: Reservation) -> Terms | None:
        """The terms of a table."""
        return terms_of(self.world, row)

    def stage(self, row: Reservation) -> CancellationStage | None:
        """The stage that the answer names, if it is one for the table."""
        found = self.world.find(self.answer.stage_id)
        return found if isinstance(found, CancellationStage) and found.reservation_id == row.id else None

    @property
    def letter(self) -> Letter | None:
        """The message that the answer names, by the id of its draft or, once it was sent, of either."""
        return named_letter(self.ep, self.answer.message_draft_id)

    @property
    def letter_day(self) -> date:
        """The day on which messages are written."""
        return date.fromisoformat(to_local(self.world.now, self.case.built.place.zone)[:10])

    def called_off_at(self, row: Reservation) -> int:
        """The instant at which a table was really called off, 0 if it was not."""
        if row.made_via in ONLINE:
            calls = self.ep.calls(BookingCancelReservation)
            return next((entry.at for entry in calls if cancelled_in(entry) == row.id), 0)
        letter = self.letter
        in_writing = row.made_via in IN_WRITING and letter and letter.thread_id == self.case.thread_of(row)
        return letter.sent_at if letter and in_writing else 0


def cancelled_in(entry: Entry) -> str:
    """The id of the reservation that a call for cancelling names."""
    return json.loads(entry.arguments)["reservation_id"]


def sent_from(entry: Entry) -> str:
    """The id of the conversation to which the draft of a sending call belonged."""
    drafts = [change.before for change in entry.changes if isinstance(change.before, MessageDraft)]
    return drafts[0].thread_id if drafts else ""
