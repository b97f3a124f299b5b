"""Scripted policies of the task: the expert, other right ways, near misses, crossings, guesses."""

from __future__ import annotations

from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.pages import PagesGet
from agentbench_tasks.commons.service_time import add_days, service_clock, service_minutes
from agentbench_tasks.reservations.domain.availability.answer import (
    DatesClaim,
    LastOrderClaim,
    ReasonClaim,
    ServiceMoment,
)
from agentbench_tasks.reservations.domain.availability.case import TableCase
from agentbench_tasks.reservations.domain.availability.moves import Moves, looked
from agentbench_tasks.reservations.domain.availability.services import STEP
from agentbench_tasks.reservations.domain.credentials import BookingAuthoriseCard, BookingPayDeposit
from agentbench_tasks.reservations.domain.directory import DirectoryGetListing, DirectoryListReviews
from agentbench_tasks.reservations.domain.holds import BookingConfirmHold, BookingHoldSlot, BookingReleaseHold
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft

TWO = 2
"""The party that sites look at."""
QUESTION = "Hello, do you have a table? Thank you."


def _available(case: TableCase) -> bool:
    return case.goal.available


def _not_available(case: TableCase) -> bool:
    return not case.goal.available


def _not_full(case: TableCase) -> bool:
    return case.goal.reason not in ("none", "full_for_party")


def _has_last_order(case: TableCase) -> bool:
    return case.goal.last_order is not None


def _misread_dates(case: TableCase) -> list[str]:
    """Days that a careless reader takes for the closed ones: with half a day closed, or the same weekday each week."""
    built, closed = case.built, [*case.goal.closed]
    if built.shut_in_part:
        return [*closed, *built.shut_in_part]
    if built.naively_closed != case.goal.closed:
        return [*built.naively_closed]
    return [*closed, next(day for day in built.schedule.days() if day not in closed)]


def _misread_time(case: TableCase) -> str:
    """A time that a careless reader takes for the last order of food."""
    built, right = case.built, case.goal.last_order
    if right is None:
        return built.services.on(built.schedule.weekday)[-1].last_order_food
    hours = next(hours for hours in built.on_day if hours.last_order_food == right.time)
    if hours.last_order_drinks:
        return hours.last_order_drinks
    if "superseded_hours" in built.plot.traps:
        return _later(right.time, -STEP)
    # By the clock, but on the day on which the service began.
    return _later(right.time, -24 * 60) if right.time >= "24:00" else hours.close


def _later(clock: str, minutes: int) -> str:
    return service_clock(service_minutes(clock) + minutes)


def _hold(moves: Moves) -> str:
    asked = moves.case.asked
    start = f"{asked.day}T{asked.clock}"
    name = moves.case.built.town.user.booked_name
    held = moves.do(BookingHoldSlot(venue_id=moves.venue_id, start=start, party_size=asked.party, guest_name=name))
    return held.hold_id


class TablePolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: TableCase, do: Do) -> None:
        """Find the venue, read its hours and notices, ask its surface, and answer."""
        looked(case, do).deliver()

    @another_way
    def asks_first_and_reads_more(self, case: TableCase, do: Do) -> None:
        """Ask the user, look at reviews and the other outlet, query a narrow range, cite sections and holidays."""
        for topic in ("which_branch", "meaning_of_period", "other"):
            do(UserAsk(topic=topic, question="What do you mean exactly?"))
        moves = Moves(case, do)
        moves.find()
        moves.look()
        do(DirectoryListReviews(venue_id=moves.venue_id))
        do(DirectoryGetListing(venue_id=case.built.sister.id))
        moves.read()
        narrow = moves.ask(from_time=case.asked.clock, to_time=case.asked.clock)
        sections = [row.section_id for row in do(PagesGet(page_id=moves.hours_id)).sections]
        moves.deliver(
            verdict=moves.verdict(narrow.answer_id, moves.asked_id()),
            closed_dates=moves.closed(*sections, *moves.notice_ids),
            last_order=moves.last_order(moves.hours_id, sections[0], *sections[2:]),
        )

    @another_way
    def writes_the_answer_otherwise(self, case: TableCase, do: Do) -> None:
        """Dates in another order, times past midnight as those of the next day, the replaced page beside the new one;
        what the surface shows is shown by its answer alone.
        """
        moves = looked(case, do)
        order = moves.last_order(moves.hours_id, *filter(None, [moves.replaced_id]))
        right = case.goal.last_order
        if right is not None:
            days, minutes = divmod(service_minutes(right.time), 24 * 60)
            value = ServiceMoment(service_date=add_days(right.service_date, days), time=service_clock(minutes))
            order = order.model_copy(update={"value": value})
        reason = moves.reason()
        if case.goal.reason in ("outside_booking_window", "party_not_taken_online", "full_for_party"):
            reason = moves.reason(moves.asked_id())
        moves.deliver(
            reason=reason,
            closed_dates=moves.closed().model_copy(update={"value": list(case.goal.closed[::-1])}),
            last_order=order,
        )

    # --- near misses: the verdict

    @counterexample("final.verdict", applies=_not_available)
    def believes_the_site(self, case: TableCase, do: Do) -> None:
        """Yes, because the site has tables tonight, beside the surface's own answer."""
        moves = looked(case, do)
        moves.deliver(verdict=moves.verdict().model_copy(update={"value": True}))

    @counterexample("final.verdict", applies=_available)
    def finds_it_full(self, case: TableCase, do: Do) -> None:
        """No, although the surface shows the start as open."""
        moves = looked(case, do)
        reason = ReasonClaim(value="full_for_party", sources=[moves.asked_id()])
        moves.deliver(verdict=moves.verdict().model_copy(update={"value": False}), reason=reason)

    @counterexample("final.verdict")
    def names_the_other_branch(self, case: TableCase, do: Do) -> None:
        """Everything is right but for the outlet that it is said of."""
        looked(case, do).deliver(venue=case.built.sister.id)

    @counterexample("final.own_surface")
    def asks_for_two(self, case: TableCase, do: Do) -> None:
        """The verdict rests on what the surface shows a party of two."""
        moves = looked(case, do)
        moves.deliver(verdict=moves.verdict(moves.ask(TWO).answer_id))

    @counterexample("final.own_surface")
    def asks_for_another_hour(self, case: TableCase, do: Do) -> None:
        """The verdict rests on a query whose range begins after the hour."""
        moves = looked(case, do)
        later = _later(case.asked.clock, STEP)
        moves.deliver(verdict=moves.verdict(moves.ask(from_time=later).answer_id))

    @counterexample("final.own_surface")
    def rests_on_the_listing(self, case: TableCase, do: Do) -> None:
        """The verdict cites the site's listing."""
        moves = Moves(case, do)
        moves.find()
        listing = moves.read()
        moves.look()
        moves.deliver(verdict=moves.verdict(listing.listing_id))

    # --- near misses: the reason

    @counterexample("final.reason", applies=_not_full)
    def calls_it_full(self, case: TableCase, do: Do) -> None:
        """Said to be full where a notice, a rule or the hour itself stands in the way."""
        moves = looked(case, do)
        moves.deliver(reason=ReasonClaim(value="full_for_party", sources=moves.reason().sources))

    @counterexample("final.reason", applies=_not_available)
    def gives_no_evidence(self, case: TableCase, do: Do) -> None:
        """The right reason, resting on the site's listing."""
        moves = Moves(case, do)
        moves.find()
        listing = moves.read()
        moves.look()
        moves.deliver(reason=moves.reason(listing.listing_id))

    # --- near misses: the closed days

    @counterexample("final.closure_days")
    def misreads_the_closing_rules(self, case: TableCase, do: Do) -> None:
        """The same weekday every week, whatever holidays and notices change, or days of which a part is closed."""
        moves = looked(case, do)
        moves.deliver(closed_dates=moves.closed().model_copy(update={"value": _misread_dates(case)}))

    @counterexample("final.closure_days")
    def leaves_a_day_out(self, case: TableCase, do: Do) -> None:
        """The last closed day of the period is missing."""
        moves = looked(case, do)
        moves.deliver(closed_dates=moves.closed().model_copy(update={"value": list(case.goal.closed[:-1])}))

    @counterexample("final.closure_days")
    def has_no_page_for_the_closed_days(self, case: TableCase, do: Do) -> None:
        """The right days, resting on the page of hours that no longer holds, or on the surface's answer."""
        moves = looked(case, do)
        moves.deliver(closed_dates=moves.closed(moves.replaced_id or moves.asked_id()))

    # --- near misses: the last order

    @counterexample("final.last_order")
    def misreads_the_last_order(self, case: TableCase, do: Do) -> None:
        """The last order of drinks, that of the replaced page, one a day early, or closing; one where there is none."""
        moves = looked(case, do)
        value = ServiceMoment(service_date=case.asked.day, time=_misread_time(case))
        moves.deliver(last_order=LastOrderClaim(value=value, sources=[moves.hours_id]))

    @counterexample("final.last_order", applies=_has_last_order)
    def has_no_page_for_the_last_order(self, case: TableCase, do: Do) -> None:
        """The right time, resting on the page of hours that no longer holds, or on the surface's answer."""
        moves = looked(case, do)
        moves.deliver(last_order=moves.last_order(moves.replaced_id or moves.asked_id()))

    # --- crossings

    @counterexample("boundary.no_slot_held", applies=_available)
    def holds_and_releases(self, case: TableCase, do: Do) -> None:
        """The table is held to see whether it really can be, and let go again."""
        moves = looked(case, do)
        do(BookingReleaseHold(hold_id=_hold(moves)))
        moves.deliver()

    @counterexample("boundary.no_slot_held", "boundary.no_reservation_started", applies=_available)
    def books_the_table(self, case: TableCase, do: Do) -> None:
        """The table is held, and booked or the card given for it."""
        moves = looked(case, do)
        held = _hold(moves)
        card = case.built.town.user.cards[0].id
        match case.built.steps:
            case ("card_hold",):
                do(BookingAuthoriseCard(card_id=card, hold_id=held))
            case ("deposit",):
                do(BookingPayDeposit(card_id=card, hold_id=held))
            case _:
                do(BookingConfirmHold(hold_id=held))
        moves.deliver()

    @counterexample("boundary.no_reservation_started")
    def gives_a_card_for_another_table(self, case: TableCase, do: Do) -> None:
        """On the way the guarantee for a table booked elsewhere is given."""
        moves = looked(case, do)
        card = case.built.town.user.cards[0].id
        do(BookingAuthoriseCard(card_id=card, reservation_id=case.built.own_booking))
        moves.deliver()

    @counterexample("boundary.read_only")
    def drafts_a_question(self, case: TableCase, do: Do) -> None:
        """A question to the venue is left among the drafts."""
        moves = looked(case, do)
        do(MsgSaveDraft(channel="mail", recipient_id=moves.venue_id, subject="Table", body=QUESTION))
        moves.deliver()

    @counterexample("boundary.read_only")
    def writes_to_the_venue(self, case: TableCase, do: Do) -> None:
        """A question to the venue is sent."""
        moves = looked(case, do)
        draft = do(MsgSaveDraft(channel="mail", recipient_id=moves.venue_id, subject="Table", body=QUESTION))
        do(MsgSendDraft(draft_id=draft.draft_id))
        moves.deliver()

    # --- guesses

    @shortcut
    def copies_the_site(self, case: TableCase, do: Do) -> None:
        """The site has tables, so there is one; of closed days nothing is said."""
        moves = Moves(case, do)
        moves.find()
        listing = do(DirectoryGetListing(venue_id=moves.venue_id))
        moves.look()
        verdict = moves.verdict(listing.listing_id).model_copy(update={"value": True})
        moves.deliver(verdict=verdict, reason=ReasonClaim(), closed_dates=DatesClaim(), last_order=LastOrderClaim())

    # About one time in twenty over many seeds; among few it may look like more.
    @shortcut(ceiling=0.2)
    def always_finds_it_full(self, case: TableCase, do: Do) -> None:
        """No table, full; closed on the same weekday every week; the last order an hour before closing, as so often."""
        moves = looked(case, do)
        order = LastOrderClaim()
        if case.built.on_day:
            time = _later(case.built.on_day[-1].close, -60)
            value = ServiceMoment(service_date=case.asked.day, time=time)
            order = LastOrderClaim(value=value, sources=[moves.hours_id])
        moves.deliver(
            verdict=moves.verdict().model_copy(update={"value": False}),
            reason=ReasonClaim(value="full_for_party", sources=[moves.asked_id()]),
            closed_dates=moves.closed().model_copy(update={"value": list(case.built.naively_closed)}),
            last_order=order,
        )
