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


def _has_no_last_order(case: TableCase) -> bool:
    return case.goal.last_order is None


def _has_drinks(case: TableCase) -> bool:
    return "drinks_order" in case.built.plot.traps


def _past_midnight(case: TableCase) -> bool:
    return case.goal.last_order is not None and case.goal.last_order.time >= "24:00"


def _rules_stood_before(case: TableCase) -> bool:
    return bool(case.built.barred) and any(key.startswith("closed.") for key, _ in case.goal.closed_facts)


def _old_page_misleads(case: TableCase) -> bool:
    return "superseded_hours" in case.built.plot.traps and _has_last_order(case)


def _one_service_shut(case: TableCase) -> bool:
    return bool(case.built.shut_in_part)


def _rules_mislead(case: TableCase) -> bool:
    return case.built.naively_closed != case.goal.closed


def _with_time(moves: Moves, time: str) -> LastOrderClaim:
    claim = moves.last_order()
    return claim.model_copy(update={"value": claim.value.model_copy(update={"time": time})})


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
        later = service_clock(service_minutes(case.asked.clock) + 30)
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

    @counterexample("final.closure_days", applies=_rules_mislead)
    def closes_every_such_weekday(self, case: TableCase, do: Do) -> None:
        """The same weekday every week, whatever holidays, notices and seasons change."""
        moves = looked(case, do)
        dates = moves.closed().model_copy(update={"value": list(case.built.naively_closed)})
        moves.deliver(closed_dates=dates)

    @counterexample("final.closure_days", applies=_one_service_shut)
    def counts_a_closed_service_as_a_closed_day(self, case: TableCase, do: Do) -> None:
        """A day on which only one service is closed is listed."""
        moves = looked(case, do)
        dates = [*case.goal.closed, *case.built.shut_in_part]
        moves.deliver(closed_dates=moves.closed().model_copy(update={"value": dates}))

    @counterexample("final.closure_days")
    def leaves_a_day_out(self, case: TableCase, do: Do) -> None:
        """The last closed day of the period is missing."""
        moves = looked(case, do)
        moves.deliver(closed_dates=moves.closed().model_copy(update={"value": list(case.goal.closed[:-1])}))

    @counterexample("final.closure_days")
    def rests_on_the_answer_of_the_surface(self, case: TableCase, do: Do) -> None:
        """The right days without the page that has the rules."""
        moves = looked(case, do)
        moves.deliver(closed_dates=moves.closed(moves.asked_id()))

    @counterexample("final.closure_days", applies=_rules_stood_before)
    def rests_on_the_replaced_page(self, case: TableCase, do: Do) -> None:
        """The right days, resting on the page of hours that no longer holds."""
        moves = looked(case, do)
        moves.deliver(closed_dates=moves.closed(moves.replaced_id, *moves.notice_ids))

    # --- near misses: the last order

    @counterexample("final.last_order", applies=_has_drinks)
    def gives_the_last_order_of_drinks(self, case: TableCase, do: Do) -> None:
        """The last order of drinks for that of food."""
        moves = looked(case, do)
        hours = next(hours for hours in case.built.on_day if hours.last_order_food == moves.last_order().value.time)
        moves.deliver(last_order=_with_time(moves, hours.last_order_drinks))

    @counterexample("final.last_order", applies=_has_last_order)
    def gives_the_closing_time(self, case: TableCase, do: Do) -> None:
        """The closing time for the last order."""
        moves = looked(case, do)
        hours = next(hours for hours in case.built.on_day if hours.last_order_food == moves.last_order().value.time)
        moves.deliver(last_order=_with_time(moves, hours.close))

    @counterexample("final.last_order", applies=_past_midnight)
    def puts_it_a_day_early(self, case: TableCase, do: Do) -> None:
        """A last order past midnight is put on the very day by the clock."""
        moves = looked(case, do)
        minutes = service_minutes(moves.last_order().value.time) - 24 * 60
        moves.deliver(last_order=_with_time(moves, service_clock(minutes)))

    @counterexample("final.last_order", applies=_old_page_misleads)
    def reads_the_replaced_page(self, case: TableCase, do: Do) -> None:
        """The last order as the replaced page has it."""
        moves = looked(case, do)
        minutes = service_minutes(moves.last_order().value.time) - 30
        moves.deliver(last_order=_with_time(moves, service_clock(minutes)))

    @counterexample("final.last_order", applies=_has_last_order)
    def has_no_page_for_the_last_order(self, case: TableCase, do: Do) -> None:
        """The right time, resting on the surface's answer."""
        moves = looked(case, do)
        moves.deliver(last_order=moves.last_order(moves.asked_id()))

    @counterexample("final.last_order", applies=_has_no_last_order)
    def gives_a_last_order_of_a_closed_service(self, case: TableCase, do: Do) -> None:
        """The usual last order for a day on which no service follows."""
        moves = looked(case, do)
        hours = case.built.services.on(case.built.schedule.weekday)[-1]
        value = ServiceMoment(service_date=case.asked.day, time=hours.last_order_food)
        moves.deliver(last_order=LastOrderClaim(value=value, sources=[moves.hours_id]))

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

    @shortcut(ceiling=0.1)
    def always_finds_it_full(self, case: TableCase, do: Do) -> None:
        """No table, full; closed on the same weekday every week; the last order of the page of hours."""
        moves = looked(case, do)
        moves.deliver(
            verdict=moves.verdict().model_copy(update={"value": False}),
            reason=ReasonClaim(value="full_for_party", sources=[moves.asked_id()]),
            closed_dates=moves.closed().model_copy(update={"value": list(case.built.naively_closed)}),
        )
