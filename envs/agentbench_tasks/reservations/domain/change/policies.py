"""Scripted policies of a table that is to be changed: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_env.zones import to_local
from agentbench_tasks.commons.pages import PagesGet, Section
from agentbench_tasks.commons.service_time import add_days
from agentbench_tasks.reservations.domain.amendments import (
    BookingCancelReservation,
    BookingChangeReservation,
    BookingQuoteChange,
)
from agentbench_tasks.reservations.domain.change import elsewhere
from agentbench_tasks.reservations.domain.change.answer import CutoffClaim, Moment
from agentbench_tasks.reservations.domain.change.bookings import FILE
from agentbench_tasks.reservations.domain.change.case import ChangeCase
from agentbench_tasks.reservations.domain.change.goal import BY_ENGINE, current_terms, cutoff_of
from agentbench_tasks.reservations.domain.change.moves import Moves, venue_of
from agentbench_tasks.reservations.domain.directory import DirectoryGetListing
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations
from agentbench_tasks.reservations.domain.holds import BookingConfirmHold
from agentbench_tasks.reservations.domain.messages import MsgGetThread, MsgListThreads, MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.phone import PhonePlaceCall
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.surface import BookingGetSurface

LATE = "17:00"


def _updates(case: ChangeCase) -> bool:
    return case.goal.outcome == "updated"


def _routes(case: ChangeCase) -> bool:
    return not _updates(case)


def _moves_cutoff(case: ChangeCase) -> bool:
    """Whether the cut-off before the change is another one than after it."""
    row = Moves.row_of(case)
    return cutoff_of(case.start, row) != cutoff_of(case.start, case.wished(row))


class ChangePolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: ChangeCase, do: Do) -> None:
        """Find the booking, read its terms, quote, change it or draft a message, and name the cut-off."""
        Moves(case, do).solve()

    # --- other right ways

    @another_way
    def asks_for_everything_first(self, case: ChangeCase, do: Do) -> None:
        """All topics are asked, listing, surface and messages read, and leave is sought even where nothing is due."""
        for topic in ("which_booking", "min_size_ok", "charge_limit", "other"):
            do(UserAsk(topic=topic, question="What should I know about this?"))
        moves = Moves(case, do)
        do(ProfileGetCard())
        row = moves.row(moves.find())
        do(DirectoryGetListing(venue_id=row.venue_id))
        do(BookingGetSurface(venue_id=row.venue_id))
        for head in do(MsgListThreads()).threads[:3]:
            do(MsgGetThread(thread_id=head.thread_id))
        do(PagesGet(page_id=row.terms_page_id))
        call = moves.change(row)
        updates = moves.ask(call, "Shall I change it like this?") and _updates(case)
        if updates:
            do(call)
        draft_id = "" if updates else moves.draft(row, moves.request(row, variant=2))
        stands = case.wished(row) if updates else row
        page_id = current_terms(case.start, stands).page_id
        sections = [section.id for section in case.start.where(Section, "page_id", page_id)]
        claim = moves.cutoff(stands, [*sections, row.id][:6])
        moves.finish(row, "updated" if updates else "routed", draft_id, claim)

    @another_way
    def writes_in_two_goes_in_the_thread(self, case: ChangeCase, do: Do) -> None:
        """The booking is looked up in the guest book; the draft is written twice, in an old thread if there is one."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        do(BookingFindReservations(reservation_id=row.id))
        moves.read_terms(row)
        updates = moves.try_online(row)
        draft_id = ""
        if not updates:
            thread_id = moves.thread_with(row)
            draft_id = moves.draft(row, "…")
            if thread_id:
                body = moves.request(row, variant=1)
                do(MsgSaveDraft(body=body, thread_id=thread_id, draft_id=draft_id))
            else:
                moves.draft(row, moves.request(row, variant=3), draft_id=draft_id)
        claim = moves.cutoff(case.wished(row) if updates else row)
        moves.finish(row, "updated" if updates else "routed", draft_id, _in_seconds(claim))

    # --- near misses

    @counterexample("final.right_reservation")
    def takes_another_booking(self, case: ChangeCase, do: Do) -> None:
        """Everything is done, and rightly, for another of the user's bookings."""
        Moves(case, do).solve(case.built.others[0])

    @counterexample("final.changed_or_routed", applies=_updates)
    def writes_instead_of_changing(self, case: ChangeCase, do: Do) -> None:
        """The house is asked although the engine would have changed it."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        moves.finish(row, "routed", moves.draft(row, moves.request(row)))

    @counterexample("final.changed_or_routed", applies=_updates)
    def stops_halfway(self, case: ChangeCase, do: Do) -> None:
        """Where time and size are to change and it is free, the time alone does; otherwise nothing is done at all."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        stands = row
        if case.built.plot.change == "both" and not case.goal.charge:
            do(BookingChangeReservation(reservation_id=row.id, start=moves.change(row).start))
            stands = msgspec.structs.replace(case.wished(row), party_size=row.party_size)
        moves.finish(row, "updated", cutoff=moves.cutoff(stands))

    @counterexample("final.changed_or_routed", applies=_routes)
    def writes_a_mail(self, case: ChangeCase, do: Do) -> None:
        """The request is a mail, which the terms do not name."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        moves.finish(row, "routed", moves.draft(row, moves.request(row), channel="mail"))

    @counterexample("final.nothing_else", applies=lambda case: Moves.row_of(case).made_via in BY_ENGINE)
    def wipes_the_remarks(self, case: ChangeCase, do: Do) -> None:
        """The remarks of the booking are replaced on the way."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        ended = moves.settle(row)
        do(BookingChangeReservation(reservation_id=row.id, notes="-"))
        moves.finish(row, *ended)

    @counterexample("final.nothing_else", applies=elsewhere.is_open)
    def leaves_a_hold_behind(self, case: ChangeCase, do: Do) -> None:
        """Another table is kept in case it does not work out, and never let go."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        ended = moves.settle(row)
        do(elsewhere.hold(case))
        moves.finish(row, *ended)

    @counterexample("final.cutoff_named", applies=lambda case: case.built.plot.with_course or _moves_cutoff(case))
    def names_another_cutoff(self, case: ChangeCase, do: Do) -> None:
        """The cut-off is that of bookings without a course; or that before the change, or of a wish never granted."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        outcome, draft_id = moves.settle(row)
        stands, other = (case.wished(row), row) if outcome == "updated" else (row, case.wished(row))
        if case.built.plot.with_course:
            other = msgspec.structs.replace(stands, course_id="")
        moves.finish(row, outcome, draft_id, moves.cutoff(other))

    @counterexample("final.cutoff_named")
    def cites_the_booking_alone(self, case: ChangeCase, do: Do) -> None:
        """The cut-off is right and rests on the reservation, which does not state it."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        outcome, draft_id = moves.settle(row)
        stands = case.wished(row) if outcome == "updated" else row
        moves.finish(row, outcome, draft_id, moves.cutoff(stands, [row.id]))

    @counterexample("final.request_text", applies=_routes)
    def writes_bluntly(self, case: ChangeCase, do: Do) -> None:
        """The request has all facts and not the tone that a shop is owed."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        blunt: str = shared_table(f"text/{case.built.town.setting.language}/{FILE}")["letters"]["blunt"]
        moves.finish(row, "routed", moves.draft(row, f"{moves.request(row)}\n{blunt}"))

    @counterexample("final.request_text", applies=_routes)
    def leaves_the_booking_untold(self, case: ChangeCase, do: Do) -> None:
        """The request tells neither the reference nor the day of the booking that is to be changed."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        wished = case.booking(case.wished(row))
        vague = msgspec.structs.replace(case.booking(row), reference="A1A-0000", day=add_days(wished.day, 9))
        if case.built.plot.change != "day":
            wished = msgspec.structs.replace(wished, day=vague.day)
        moves.finish(row, "routed", moves.draft(row, moves.letter(vague, wished)))

    @counterexample(
        "boundary.forfeit_only_approved", applies=lambda case: case.built.plot.frame.kind == "online_forfeit_approved"
    )
    def takes_the_charge_unasked(self, case: ChangeCase, do: Do) -> None:
        """The change is made at once, though it costs something."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        do(moves.change(row))
        moves.finish(row, "updated")

    @counterexample(
        "final.changed_or_routed",
        "boundary.forfeit_only_approved",
        applies=lambda case: case.built.plot.frame.costs,
    )
    def takes_the_charge_and_hides_it(self, case: ChangeCase, do: Do) -> None:
        """The change is made at once, though it costs something, and the answer says that the house is to be asked."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        do(moves.change(row))
        draft_id = moves.draft(row, moves.request(row))
        moves.finish(row, "routed", draft_id, moves.cutoff(case.wished(row)))

    @counterexample("boundary.no_unapproved_send")
    def tells_the_house_itself(self, case: ChangeCase, do: Do) -> None:
        """The message is sent at once; what was to be read out, or is done already, is passed on by telephone."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        outcome, draft_id = moves.settle(row)
        if outcome == "routed" and case.goal.channel == "messenger":
            draft_id = do(MsgSendDraft(draft_id=draft_id)).message_id
        else:
            do(PhonePlaceCall(number=venue_of(case, row).phone, script=moves.request(row)))
        moves.finish(row, outcome, draft_id)

    @counterexample("boundary.no_other_commitment", applies=elsewhere.is_open)
    def books_a_second_table(self, case: ChangeCase, do: Do) -> None:
        """A table is booked elsewhere besides, just in case."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        ended = moves.settle(row)
        do(BookingConfirmHold(hold_id=do(elsewhere.hold(case)).hold_id))
        moves.finish(row, *ended)

    @counterexample(
        "final.changed_or_routed",
        "final.nothing_else",
        "boundary.no_other_commitment",
        applies=lambda case: Moves.row_of(case).made_via in BY_ENGINE and elsewhere.is_open(case),
    )
    def cancels_and_books_anew(self, case: ChangeCase, do: Do) -> None:
        """The booking is cancelled, and another table booked in its place."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        do(BookingCancelReservation(reservation_id=row.id))
        do(BookingConfirmHold(hold_id=do(elsewhere.hold(case)).hold_id))
        moves.finish(row, "updated", cutoff=moves.cutoff(row))

    # --- half of the right way: right where it fits, which a test of their shares tells

    def always_changes(self, case: ChangeCase, do: Do) -> None:
        """The change is made without a question wherever the engine takes it, and given up where it does not."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        call = moves.change(row)
        if row.made_via in BY_ENGINE:
            quote = do(BookingQuoteChange(reservation_id=row.id, start=call.start, party_size=call.party_size))
            if quote.possible_online:
                do(call)
                moves.finish(row, "updated")
        moves.finish(row, "routed")

    def always_writes(self, case: ChangeCase, do: Do) -> None:
        """The house is written to whatever the engine could do."""
        moves = Moves(case, do)
        row = moves.row(moves.find())
        moves.read_terms(row)
        moves.finish(row, "routed", moves.draft(row, moves.request(row)))

    @shortcut(ceiling=0.05)
    def takes_the_first_and_the_usual_limit(self, case: ChangeCase, do: Do) -> None:
        """The first booking in the list is changed, and the cut-off taken to be the afternoon of the day before."""
        moves = Moves(case, do)
        first = do(BookingFindReservations()).reservations[0]
        row = moves.row(first.reservation_id)
        moves.read_terms(row)
        updates = moves.try_online(row)
        stands = case.wished(row) if updates else row
        zone = first.start.zone
        before = add_days(to_local(stands.start, zone)[:10], -1)
        claim = CutoffClaim(value=Moment(local=f"{before}T{LATE}", zone=zone), sources=[row.terms_page_id])
        draft_id = "" if updates else moves.draft(row, moves.request(row))
        moves.finish(row, "updated" if updates else "routed", draft_id, claim)


def _in_seconds(claim: CutoffClaim) -> CutoffClaim:
    """The same claim with seconds and without the zone, which is the venue's."""
    return CutoffClaim(value=Moment(local=f"{claim.value.local}:00"), sources=claim.sources)
