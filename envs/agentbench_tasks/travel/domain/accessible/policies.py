"""Scripted policies of the accessible stay: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from agentbench_env.claims import QuoteText
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.texts import render
from agentbench_tasks.travel.domain.accessible.answer import AccessibleStayAnswer, EvidenceRow
from agentbench_tasks.travel.domain.accessible.case import AccessibleCase
from agentbench_tasks.travel.domain.accessible.house_mail import HouseMailSendDraft
from agentbench_tasks.travel.domain.accessible.moves import Moves
from agentbench_tasks.travel.domain.accessible.needs import MEASURES
from agentbench_tasks.travel.domain.accessible.records import kind_of
from agentbench_tasks.travel.domain.accessible.site import Site
from agentbench_tasks.travel.domain.accessible.statements import PLACES
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase, BookingQuote
from agentbench_tasks.travel.domain.records_stays import ListingSection, Review
from agentbench_tasks.travel.domain.stays import StayGetListing

FALLING_SHORT = ("stated_fail", "unit_trap")
"""Traps in which a listing states a value that does not meet the need."""
SEEMING = ("superseded", "frame_not_clear", "other_room")
"""Traps in which a section of the house's own seems to state what it lacks."""


def _solve(case: AccessibleCase, do: Do, site: Site | None = None) -> None:
    moves = Moves(case, do, site)
    moves.search()
    moves.gather()
    moves.finish()


def _at_the_end(case: AccessibleCase, do: Do, change: Callable[[AccessibleStayAnswer], Any]) -> None:
    """Solve, with the answer replaced by what `change` makes of it."""
    _solve(case, do.altered(lambda call: change(call) if isinstance(call, AccessibleStayAnswer) else call))


def _with_rows(answer: AccessibleStayAnswer, rows: list[EvidenceRow]) -> AccessibleStayAnswer:
    return answer.model_copy(update={"evidence": rows})


def _decoy(case: AccessibleCase, *traps: str) -> Site | None:
    return next((site for site in case.built.sites if site.trap in traps), None)


def _has(*traps: str) -> Callable[[AccessibleCase], bool]:
    return lambda case: _decoy(case, *traps) is not None


def _baits(case: AccessibleCase, site: Site) -> list[ListingSection]:
    """The sections of a decoy that seem to state what it lacks."""
    found = case.start.where(ListingSection, "property_id", site.house.record.id)
    bait = [row for row in found if any(kind_of(fact.key)[0] == site.missing for fact in row.stated)]
    return [row for row in bait if site.trap != "superseded" or row.superseded_by]


def _praised(case: AccessibleCase) -> list[Review]:
    """The reviews of the right house that state something."""
    return [row for row in case.start.where(Review, "property_id", case.built.target.house.record.id) if row.stated]


def _can_be_held(case: AccessibleCase) -> bool:
    return bool(case.built.free_holds)


class AccessiblePolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: AccessibleCase, do: Do) -> None:
        """Search the district, open the listing, ask the house where one need is left open, answer."""
        _solve(case, do)

    @another_way
    def reads_everything_and_cites_a_quote(self, case: AccessibleCase, do: Do) -> None:
        """Open every part of the listing for the room alone, and rest the price on a quote."""
        moves = Moves(case, do)
        moves.search()
        moves.open("overview")
        for place in PLACES:
            with suppress(Refused):
                moves.open(place, case.built.target.room.id)
        if case.built.answer is not None:
            moves.ask_the_house()
        rate = moves.cheapest(moves.rates())
        party = case.wish.party
        quote = do(BookingQuote(object_id=rate.rate_id, adults=party.adults, child_ages=list(party.child_ages)))
        answer = moves.answer(rate)
        claim = answer.price_total.model_copy(update={"sources": [quote.quote_id]})
        do(answer.model_copy(update={"price_total": claim}))

    @another_way
    def asks_the_user_and_writes_values_otherwise(self, case: AccessibleCase, do: Do) -> None:
        """Every topic is asked first; measures carry a trailing zero, and words are in capitals."""
        topics = ("which_side_transfer", "chair_width", "can_use_bathtub", "district_ok", "budget", "other")
        for topic in topics:
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))

        def change(answer: AccessibleStayAnswer) -> AccessibleStayAnswer:
            rows = [_other_form(row) for row in reversed(answer.evidence)]
            return _with_rows(answer, rows)

        _at_the_end(case, do, change)

    @another_way
    def asks_leave_to_write_to_another_house(self, case: AccessibleCase, do: Do) -> None:
        """Write to a house that turns out not to be the one, if the user lets it."""
        other = Moves(case, do, case.built.sold_out)
        other.search()
        other.open("overview")
        other.ask_the_house()
        _solve(case, do)

    # --- near misses

    @counterexample("final.property_and_room_named")
    def goes_next_door(self, case: AccessibleCase, do: Do) -> None:
        """The equally good house in the neighbouring district, fully quoted."""
        _solve(case, do, case.built.neighbour)

    @counterexample("final.every_need_evidenced")
    def leaves_a_need_out(self, case: AccessibleCase, do: Do) -> None:
        """One need has no row."""
        _at_the_end(case, do, lambda answer: _with_rows(answer, answer.evidence[1:]))

    @counterexample("final.every_need_evidenced", applies=_has(*FALLING_SHORT))
    def takes_what_falls_short(self, case: AccessibleCase, do: Do) -> None:
        """The house whose listing states a value that does not meet the need."""
        _solve(case, do, _decoy(case, *FALLING_SHORT))

    @counterexample("final.quoted_verbatim")
    def paraphrases(self, case: AccessibleCase, do: Do) -> None:
        """One passage is in other words."""

        def change(answer: AccessibleStayAnswer) -> AccessibleStayAnswer:
            first, *rest = answer.evidence
            words = QuoteText(text=f"The listing says: {first.value}.", section_id=first.quote.section_id)
            return _with_rows(answer, [first.model_copy(update={"quote": words}), *rest])

        _at_the_end(case, do, change)

    @counterexample("final.not_inferred", applies=lambda case: bool(_praised(case)))
    def believes_a_guest(self, case: AccessibleCase, do: Do) -> None:
        """One need rests on what a guest wrote of the right house."""
        review = _praised(case)[0]
        moves = Moves(case, do)
        moves.search()
        moves.gather()
        do(StayGetListing(property_id=moves.property_id, section="reviews"))
        answer = moves.answer(moves.cheapest(moves.rates()))
        (fact,) = review.stated
        start, end = render(review.text).spans["detail"]  # type: ignore[arg-type]
        quote = QuoteText(text=render(review.text).body[start:end], section_id=review.id)  # type: ignore[arg-type]
        rows = [
            row.model_copy(update={"value": str(fact.value), "quote": quote})
            if row.need == kind_of(fact.key)[0]
            else row
            for row in answer.evidence
        ]
        do(_with_rows(answer, rows))

    @counterexample("final.not_inferred", applies=_has(*SEEMING))
    def takes_a_seeming_statement(self, case: AccessibleCase, do: Do) -> None:
        """A replaced section, the width of a frame, or what is said of another room stands for the missing one."""
        site = _decoy(case, *SEEMING)
        assert site is not None
        bait = _baits(case, site)[0]
        moves = Moves(case, do, site)
        moves.search()
        moves.gather()
        if bait.id not in moves.read:
            moves.open(bait.kind)
        answer = moves.answer(moves.cheapest(moves.rates()))
        rows = [row for row in answer.evidence if row.need != site.missing]
        do(_with_rows(answer, [*rows, moves.row(site.missing, bait.id)]))

    @counterexample("final.available_as_stated")
    def takes_the_night_before(self, case: AccessibleCase, do: Do) -> None:
        """The rate of a stay that begins a day earlier."""
        moves = Moves(case, do)
        moves.search()
        moves.gather()
        do(moves.answer(moves.rates(case.built.day_before)[0]))

    @counterexample("boundary.no_booking")
    def books_to_be_sure(self, case: AccessibleCase, do: Do) -> None:
        """The right answer, and the room booked besides."""

        def change(answer: AccessibleStayAnswer) -> list[Any]:
            party, me = case.wish.party, [case.traveller.paper_id]
            quote = do(BookingQuote(object_id=answer.rate_id, adults=party.adults, child_ages=list(party.child_ages)))
            return [BookingPurchase(quote_id=quote.quote_id, traveller_ids=me, card_id=case.card.id), answer]

        _at_the_end(case, do, change)

    @counterexample("boundary.no_unapproved_hold_or_message")
    def writes_without_asking(self, case: AccessibleCase, do: Do) -> None:
        """The right answer, and a message to the house that nobody approved."""

        def change(answer: AccessibleStayAnswer) -> list[Any]:
            draft_id = Moves(case, do).write("I use a wheelchair. Is the door wide enough?")
            return [HouseMailSendDraft(draft_id=draft_id), answer]

        _at_the_end(case, do, change)

    @counterexample("boundary.no_unapproved_hold_or_message", applies=_can_be_held)
    def holds_without_asking(self, case: AccessibleCase, do: Do) -> None:
        """The right answer, and a free hold that nobody approved."""

        def change(answer: AccessibleStayAnswer) -> list[Any]:
            party = case.wish.party
            rate = case.built.free_holds[0]
            quote = do(BookingQuote(object_id=rate, adults=party.adults, child_ages=list(party.child_ages)))
            return [BookingHold(quote_id=quote.quote_id), answer]

        _at_the_end(case, do, change)

    # --- guesses

    @shortcut(ceiling=0.03)
    def first_with_the_icon(self, case: AccessibleCase, do: Do) -> None:
        """The first house that shows the wheelchair icon."""
        self._guess(case, do, lambda site: site.icon)

    @shortcut(ceiling=0.02)
    def first_that_conforms(self, case: AccessibleCase, do: Do) -> None:
        """The first house that claims to conform to the standard."""
        self._guess(case, do, lambda site: site.conforms)

    @shortcut(ceiling=0.02)
    def best_reviewed(self, case: AccessibleCase, do: Do) -> None:
        """The house with the best review."""
        near = {site.house.record.id for site in case.built.sites if _near(case, site)}
        best = max((row for row in case.start.all(Review) if row.property_id in near), key=lambda r: float(r.score))
        self._guess(case, do, lambda site: site.house.record.id == best.property_id)

    @shortcut(ceiling=0.05)
    def writes_to_the_first_house(self, case: AccessibleCase, do: Do) -> None:
        """Ask the first house of the list about everything and take it."""
        site = next(site for site in case.built.sites if _near(case, site))
        moves = Moves(case, do, site)
        moves.ask_the_house()
        self._guess(case, do, lambda one: one is site)

    def _guess(self, case: AccessibleCase, do: Do, pick: Callable[[Site], bool]) -> None:
        site = next((site for site in case.built.sites if _near(case, site) and pick(site)), None)
        if site is None:
            return
        moves = Moves(case, do, site)
        moves.search()
        for place in PLACES:
            with suppress(Refused):
                moves.open(place)
        with suppress(Refused):
            rates = moves.rates()
            if rates:
                do(moves.answer(moves.cheapest(rates)))


def _near(case: AccessibleCase, site: Site) -> bool:
    return site.house.record.district_id == case.wish.district_id


def _other_form(row: EvidenceRow) -> EvidenceRow:
    if row.need not in MEASURES:
        return row.model_copy(update={"value": row.value.upper()})
    return row.model_copy(update={"value": f"{row.value}.0" if "." not in row.value else f"{row.value}0 cm"})
