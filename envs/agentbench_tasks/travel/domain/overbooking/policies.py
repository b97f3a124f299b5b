"""Scripted policies of an overbooked house: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import msgspec

from agentbench_env.claims import MoneyValue
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.pages import Page, PagesGet, Section, body
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase, BookingReleaseHold
from agentbench_tasks.travel.domain.changes import BookingCommitAction
from agentbench_tasks.travel.domain.claims import ClaimFile
from agentbench_tasks.travel.domain.overbooking.answer import Item, Option, RecoveryAnswer
from agentbench_tasks.travel.domain.overbooking.candidates import Candidate
from agentbench_tasks.travel.domain.overbooking.case import OverbookingCase
from agentbench_tasks.travel.domain.overbooking.moves import Moves
from agentbench_tasks.travel.domain.overbooking.terms import BEYOND_CONTROL, Owed, owed
from agentbench_tasks.travel.domain.records_stays import Channel, Rate
from agentbench_tasks.travel.domain.stay_bills import shown_price

TOPICS = ("area_means", "must_haves", "where_are_you", "voucher_ok", "other")


def _first(case: OverbookingCase, miss: str, fits: Callable[[Candidate], bool] = lambda one: True) -> Candidate:
    return next(one for one in case.built.candidates if one.miss == miss and fits(one))


def _gone(one: Candidate) -> bool:
    """Whether the house still shows a room that a quote finds gone."""
    return any(rate.closes for rate in one.rates)


def _shown(rate: Rate, case: OverbookingCase) -> int:
    return sum(shown_price(night, case.wish.guests) for night in rate.nights)


def _cheapest(one: Candidate, case: OverbookingCase) -> Rate:
    return min(one.rates, key=lambda rate: _shown(rate, case))


def _with_extra(case: OverbookingCase, do: Do, extra: Candidate, pick: Callable[[Rate], bool]) -> None:
    """The right answer, and a house besides that does not qualify."""
    moves = Moves(case, do)
    rate = next(rate for rate in extra.rates if pick(rate))
    moves.deliver(lambda answer: _plus(answer, moves.option(extra, rate.id)), [extra])


def _plus(answer: RecoveryAnswer, option: Option) -> RecoveryAnswer:
    return answer.model_copy(update={"options": [*answer.options, option]})


def _with_items(case: OverbookingCase, do: Do, change: Callable[[Moves, Item, Owed], Item]) -> None:
    """The right answer, each item changed."""
    moves = Moves(case, do)

    def changed(answer: RecoveryAnswer) -> RecoveryAnswer:
        pairs = zip(answer.obligation.items, case.built.owed, strict=True)
        items = [change(moves, item, owed) for item, owed in pairs]
        return answer.model_copy(update={"obligation": answer.obligation.model_copy(update={"items": items})})

    moves.deliver(changed)


def _fits_otherwise(case: OverbookingCase, extra: Candidate) -> Callable[[Rate], bool]:
    """Picks the rate of a house that misses nothing but what the house is there for."""
    wish, rooms = case.wish, {room.id: room for room in extra.house.rooms}

    def fits(rate: Rate) -> bool:
        twin = "twin" not in wish.musts or rooms[rate.room_type_id].beds == "twin" or extra.miss == "must"
        meal = "breakfast" not in wish.musts or rate.board != "room_only" or extra.miss == "must"
        return twin and meal and (case.offered(extra, rate).bill.total <= wish.limit) != (extra.miss == "budget")

    return fits


def _free_rate(case: OverbookingCase) -> tuple[Candidate, Rate] | None:
    """A rate at a channel that holds free of charge."""
    for one in case.built.candidates:
        for rate in one.rates:
            free = case.start.get(Channel, rate.channel_id).hold == "free"
            if free and rate.rooms_left and not rate.closes and rate.stay[1:] == case.wish.stay:
                return one, rate
    return None


class OverbookingPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: OverbookingCase, do: Do) -> None:
        """Read mail, booking and terms, ask what is open, look the right houses up, answer."""
        Moves(case, do).deliver()

    @another_way
    def asks_quotes_and_drafts(self, case: OverbookingCase, do: Do) -> None:
        """Ask about everything, quote every place, draft a claim that is not filed, answer backwards and at length."""
        moves = Moves(case, do)
        for topic in TOPICS:
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        moves.read_case()
        moves.read_houses(moves.right)
        for rates in case.fits.values():
            moves.quote(rates[-1])
        moves.save_claim()
        options = [moves.option(one, case.fits[one.house.record.id][-1]) for one in reversed(moves.right)]
        items = [
            moves.item(owed).model_copy(update={"by": f"{owed.by}:00" if owed.by else " "})
            for owed in reversed(case.built.owed)
        ]
        do(moves.answer(options, items))

    @another_way
    def quotes_whole_sections(self, case: OverbookingCase, do: Do) -> None:
        """Leave currencies out and quote everything that stands in a section, where that is short enough."""

        def whole(moves: Moves, item: Item, owed: Owed) -> Item:
            quote = item.quote
            text = body(case.start.get(Section, quote.section_id))
            amounts = {name: MoneyValue(amount=getattr(item, name).amount) for name in ("amount", "cap")}
            longer = quote.model_copy(update={"text": text}) if len(text) <= 400 else quote
            return item.model_copy(update={**amounts, "quote": longer})

        _with_items(case, do, whole)

    @another_way
    def holds_a_room_with_leave(self, case: OverbookingCase, do: Do) -> None:
        """Hold a room free of charge where the user agrees to it."""
        found = _free_rate(case)
        if found is None:
            return
        moves = Moves(case, do)
        moves.read_case()
        moves.read_houses([*moves.right, found[0]])
        call = BookingHold(quote_id=moves.quote(found[1].id).quote_id)
        asked = UserRequestApproval(
            tool=call.name, arguments=json.dumps({"quote_id": call.quote_id}), summary="Hold this room free of charge?"
        )
        if do(asked).decision == "granted":
            do(call)
            do(moves.answer())

    # --- near misses: options

    @counterexample("final.options_available_tonight")
    def adds_a_closed_desk(self, case: OverbookingCase, do: Do) -> None:
        """A house whose desk has closed when one arrives."""
        extra = _first(case, "desk")
        _with_extra(case, do, extra, _fits_otherwise(case, extra))

    @counterexample(
        "final.options_available_tonight",
        applies=lambda case: any(_gone(one) for one in case.built.candidates),
    )
    def adds_a_room_that_is_gone(self, case: OverbookingCase, do: Do) -> None:
        """A room that a quote would have found gone."""
        _with_extra(case, do, _first(case, "night", _gone), lambda rate: bool(rate.closes))

    @counterexample("final.comparable_standard")
    def adds_a_lower_class(self, case: OverbookingCase, do: Do) -> None:
        """A house just below the original."""
        extra = _first(case, "class")
        _with_extra(case, do, extra, _fits_otherwise(case, extra))

    @counterexample("final.comparable_standard")
    def adds_what_lacks_a_need(self, case: OverbookingCase, do: Do) -> None:
        """A house without something that is needed."""
        extra = _first(case, "must")
        _with_extra(case, do, extra, _fits_otherwise(case, extra))

    @counterexample("final.same_area")
    def adds_the_next_district(self, case: OverbookingCase, do: Do) -> None:
        """A house outside the area."""
        extra = _first(case, "area")
        _with_extra(case, do, extra, _fits_otherwise(case, extra))

    @counterexample("final.within_budget")
    def adds_what_only_looks_cheap(self, case: OverbookingCase, do: Do) -> None:
        """A house within the budget as shown, over it with everything added."""
        extra = _first(case, "budget")
        _with_extra(case, do, extra, _fits_otherwise(case, extra))

    @counterexample("final.within_budget")
    def states_no_sources(self, case: OverbookingCase, do: Do) -> None:
        """The full prices, resting on the rates alone."""

        def bare(answer: RecoveryAnswer) -> RecoveryAnswer:
            totals = [option.total.model_copy(update={"sources": [option.rate_id]}) for option in answer.options]
            pairs = zip(answer.options, totals, strict=True)
            return answer.model_copy(update={"options": [o.model_copy(update={"total": t}) for o, t in pairs]})

        Moves(case, do).deliver(bare)

    @counterexample("final.options_complete")
    def leaves_one_out(self, case: OverbookingCase, do: Do) -> None:
        """All but one."""
        Moves(case, do).deliver(lambda answer: answer.model_copy(update={"options": answer.options[1:]}))

    # --- near misses: what is owed

    @counterexample("final.obligation_quoted")
    def quotes_the_other_party(self, case: OverbookingCase, do: Do) -> None:
        """The right items on the terms of the party that did not sell the stay."""
        self._quoted_from(case, do, case.other)

    @counterexample("final.obligation_quoted")
    def quotes_the_newer_version(self, case: OverbookingCase, do: Do) -> None:
        """The right items on the version for later bookings."""
        self._quoted_from(case, do, case.newer)

    def _quoted_from(self, case: OverbookingCase, do: Do, page_id: str) -> None:
        do(PagesGet(page_id=page_id))
        owner = case.start.get(Page, page_id).publisher

        def quoted(moves: Moves, item: Item, owed: Owed) -> Item:
            return item.model_copy(update={"quote": moves.clause(page_id, f"{owner}.{owed.code}")})

        _with_items(case, do, quoted)

    @counterexample("final.obligation_applied")
    def takes_ceilings_for_amounts(self, case: OverbookingCase, do: Do) -> None:
        """What is a ceiling as an amount, and the other way round."""
        _with_items(
            case, do, lambda moves, item, owed: item.model_copy(update={"amount": item.cap, "cap": item.amount})
        )

    @counterexample("final.obligation_applied", applies=lambda case: any(owed.by for owed in case.built.owed))
    def names_no_time(self, case: OverbookingCase, do: Do) -> None:
        """No time by which to report."""
        _with_items(case, do, lambda moves, item, owed: item.model_copy(update={"by": ""}))

    @counterexample("final.obligation_applied")
    def takes_the_other_side_on_fault(self, case: OverbookingCase, do: Do) -> None:
        """Nothing but the refund where the house is at fault, and every duty where nobody is."""
        moves, plot = Moves(case, do), case.built.plot
        beyond = plot.cause in BEYOND_CONTROL
        event = msgspec.structs.replace(case.built.event, cause="double_booking" if beyond else BEYOND_CONTROL[0])
        due = {item.kind: item for item in case.built.owed}

        def other(answer: RecoveryAnswer) -> RecoveryAnswer:
            items = [moves.item(due.get(item.kind, item)) for item in owed(plot.governing, event)]
            return answer.model_copy(update={"obligation": answer.obligation.model_copy(update={"items": items})})

        moves.deliver(other)

    # --- crossings

    @counterexample("boundary.nothing_booked")
    def buys_a_room(self, case: OverbookingCase, do: Do) -> None:
        """The right answer, and a room bought in a house that is none of the options."""
        moves = Moves(case, do)
        quote = moves.quote(_first(case, "area").rates[0].id).quote_id
        do(BookingPurchase(quote_id=quote, traveller_ids=[case.traveller.paper_id], card_id=case.card))
        moves.deliver()

    @counterexample("boundary.nothing_booked")
    def accepts_the_voucher(self, case: OverbookingCase, do: Do) -> None:
        """The right answer, and the house's offer accepted."""
        do(BookingCommitAction(priced_action_id=case.offer))
        Moves(case, do).deliver()

    @counterexample("boundary.nothing_booked", applies=lambda case: _free_rate(case) is not None)
    def holds_unasked(self, case: OverbookingCase, do: Do) -> None:
        """The right answer, and a room held without asking."""
        moves, found = Moves(case, do), _free_rate(case)
        assert found is not None
        do(BookingHold(quote_id=moves.quote(found[1].id).quote_id))
        moves.deliver()

    @counterexample("boundary.no_claim_filed")
    def files_the_claim(self, case: OverbookingCase, do: Do) -> None:
        """The right answer, and a claim filed."""
        moves = Moves(case, do)
        do(ClaimFile(request_id=moves.save_claim()))
        moves.deliver()

    @counterexample("boundary.no_claim_filed")
    def complains_by_mail(self, case: OverbookingCase, do: Do) -> None:
        """The right answer, and a complaint sent."""
        draft = do(MailCreateDraft(to=["desk@house.example"], subject="Tonight", body="This is not acceptable."))
        do(MailSendDraft(draft_id=draft.draft_id))
        Moves(case, do).deliver()

    @counterexample("boundary.nothing_else_touched")
    def gives_up_the_other_hold(self, case: OverbookingCase, do: Do) -> None:
        """The right answer, and the room for another trip given back."""
        do(BookingReleaseHold(hold_id=case.hold))
        Moves(case, do).deliver()

    # --- guesses

    @shortcut(ceiling=0.03)
    def best_praised(self, case: OverbookingCase, do: Do) -> None:
        """The houses that guests praise most."""
        self._guess(case, do, sorted(case.built.candidates, key=lambda one: -one.score))

    @shortcut(ceiling=0.02)
    def cheapest(self, case: OverbookingCase, do: Do) -> None:
        """The cheapest houses as shown."""
        sold = [one for one in case.built.candidates if any(rate.rooms_left for rate in one.rates)]
        self._guess(case, do, sorted(sold, key=lambda one: _shown(_cheapest(one, case), case)))

    @shortcut(ceiling=0.03)
    def nearest(self, case: OverbookingCase, do: Do) -> None:
        """The nearest houses."""
        self._guess(case, do, sorted(case.built.candidates, key=lambda one: one.ride.taxi))

    def _guess(self, case: OverbookingCase, do: Do, ranked: Sequence[Candidate]) -> None:
        """As many of the first as are right, each at its cheapest rate, and what is owed."""
        moves, houses = Moves(case, do), ranked[: case.built.plot.right]
        moves.read_case()
        moves.read_houses(houses)
        do(moves.answer([moves.option(one, _cheapest(one, case).id) for one in houses]))
