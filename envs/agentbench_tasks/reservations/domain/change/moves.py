"""How a careful assistant changes a table: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from typing import Any

from agentbench_env.policies.expert import Do
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.reservations.domain.amendments import BookingChangeReservation, BookingQuoteChange
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.change.answer import ChangeAnswer, CutoffClaim, Moment
from agentbench_tasks.reservations.domain.change.case import ChangeCase
from agentbench_tasks.reservations.domain.change.goal import (
    BY_ENGINE,
    Outcome,
    channel_of,
    current_terms,
    cutoff_of,
    zone_of,
)
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations, ReservationRow
from agentbench_tasks.reservations.domain.guides import guide_title
from agentbench_tasks.reservations.domain.letters import Booking
from agentbench_tasks.reservations.domain.messages import MsgListThreads, MsgSaveDraft
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.shop_letters import change_request
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots
from agentbench_tasks.reservations.domain.venue import VenueGetPage

EVENING = "16:00"


class Moves:
    """Finds the booking, reads its terms, has it changed or writes to its house, and names the cut-off."""

    def __init__(self, case: ChangeCase, do: Do) -> None:
        self.case, self.do = case, do

    # --- reading

    def find(self) -> str:
        """Look the user's bookings up; return the id of the one that is meant."""
        rows = self.do(BookingFindReservations()).reservations
        return next(row.reservation_id for row in rows if self._is_meant(row))

    def _is_meant(self, row: ReservationRow) -> bool:
        plot, when = self.case.built.plot, self.case.built.when
        day, clock = row.start.local.split("T")
        if row.status != "confirmed" or row.start.local <= to_local(when.now, when.zone):
            return False
        if plot.pointer == "venue":
            return row.venue == self.case.built.place.full_name
        return day == when.day and (clock < EVENING) == (plot.meal == "lunch")

    def row(self, reservation_id: str) -> Reservation:
        """A reservation as it was found."""
        return self.case.start.get(Reservation, reservation_id)

    @staticmethod
    def row_of(case: ChangeCase) -> Reservation:
        """The reservation that is meant."""
        return case.start.get(Reservation, case.goal.reservation_id)

    def thread_with(self, row: Reservation) -> str:
        """The thread with the house of a reservation in the channel of its terms, "" if there is none."""
        channel = channel_of(current_terms(self.case.start, row))
        heads = self.do(MsgListThreads(query=venue_of(self.case, row).full_name)).threads
        found = [head.thread_id for head in heads if (head.channel, head.counterpart_id) == (channel, row.venue_id)]
        return found[0] if found else ""

    def read_terms(self, row: Reservation) -> None:
        """Read the terms under which a reservation stands."""
        self.do(VenueGetPage(page_id=row.terms_page_id))

    @property
    def _guide(self) -> str:
        """What the guide on writing to shops is called."""
        return guide_title("writing", self.case.built.town.setting.language)

    def read_guide(self) -> None:
        """Read how one writes to shops here."""
        heads = self.do(PagesSearch(query=self._guide, kind="writing_guide")).pages
        self.do(PagesGet(page_id=heads[0].page_id))

    # --- changing

    def change(self, row: Reservation) -> BookingChangeReservation:
        """The call that changes a reservation as wished."""
        wished = self.case.wished(row)
        moved = wished.start != row.start
        return BookingChangeReservation(
            reservation_id=row.id,
            start=to_local(wished.start, zone_of(self.case.start, row)) if moved else "",
            party_size=wished.party_size if wished.party_size != row.party_size else 0,
        )

    def ask(self, call: Any, summary: str) -> bool:
        """Ask for leave for a call; return whether it was granted."""
        arguments = json.dumps(call.model_dump(mode="json"))
        return self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary=summary)).decision == "granted"

    def try_online(self, row: Reservation) -> bool:
        """Change a reservation if the engine takes it for nothing or the user agrees; return whether it is changed."""
        if row.made_via not in BY_ENGINE:
            return False
        call = self.change(row)
        quote = self.do(BookingQuoteChange(reservation_id=row.id, start=call.start, party_size=call.party_size))
        wished = self.case.wished(row)
        day = to_local(wished.start, zone_of(self.case.start, row))[:10]
        self.do(BookingSearchSlots(venue_id=row.venue_id, on_date=day, party_size=wished.party_size))
        if not quote.possible_online:
            return False
        if float(quote.charge.amount) and not self.ask(call, f"The change costs {quote.charge.amount}."):
            return False
        self.do(call)
        return True

    # --- writing

    def letter(self, booking: Booking, wished: Booking, variant: int = 0) -> str:
        """A request to change a booking."""
        language, name = self.case.built.town.setting.language, self.case.user.name
        sender = name.latin if language == "en" else name.native
        return change_request(booking, wished, language=language, variant=variant, gender=name.gender, sender=sender)

    def request(self, row: Reservation, variant: int = 0) -> str:
        """The request for a reservation."""
        return self.letter(self.case.booking(row), self.case.booking(self.case.wished(row)), variant)

    def draft(self, row: Reservation, body: str, *, channel: Channel | None = None, draft_id: str = "") -> str:
        """Keep a message to the house of a reservation, in the channel of its terms; return the draft's id."""
        channel = channel or channel_of(current_terms(self.case.start, row))
        call = MsgSaveDraft(body=body, channel=channel, recipient_id=row.venue_id, draft_id=draft_id)
        return self.do(call).draft_id

    # --- answering

    def cutoff(self, row: Reservation, sources: list[str] | None = None) -> CutoffClaim:
        """The cut-off of a reservation as it stands, with its terms."""
        found, zone = cutoff_of(self.case.start, row), zone_of(self.case.start, row)
        assert found is not None
        terms = current_terms(self.case.start, row)
        moment = Moment(local=to_local(found, zone), zone=zone)
        return CutoffClaim(value=moment, sources=[terms.page_id] if sources is None else sources)

    def finish(self, row: Reservation, outcome: Outcome, draft_id: str = "", cutoff: CutoffClaim | None = None) -> None:
        """Deliver the answer for a reservation that ended so."""
        stands = self.case.wished(row) if outcome == "updated" else row
        claim = cutoff or self.cutoff(stands)
        self.do(ChangeAnswer(reservation=row.id, outcome=outcome, cutoff=claim, draft_id=draft_id))

    def settle(self, row: Reservation) -> tuple[Outcome, str]:
        """Change a reservation or write about it; return what became of it, and the draft."""
        self.read_terms(row)
        if self.try_online(row):
            return "updated", ""
        self.read_guide()
        return "routed", self.draft(row, self.request(row))

    def solve(self, reservation_id: str = "") -> None:
        """Do everything, for the reservation that is meant or another one."""
        found = self.find()
        row = self.row(reservation_id or found)
        self.finish(row, *self.settle(row))


def venue_of(case: ChangeCase, row: Reservation) -> Place:
    """Return the venue of a reservation."""
    return case.start.get(Place, row.venue_id)
