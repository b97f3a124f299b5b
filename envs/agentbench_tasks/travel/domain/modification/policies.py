"""Scripted policies of a booking's modification: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from agentbench_env.claims import MoneyClaim, TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_env.zones import offset_minutes, to_instant, to_local
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.papers import PapersGet
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.changes import BookingCommitAction
from agentbench_tasks.travel.domain.modification.answer import (
    ChangeCost,
    ChangeLine,
    Deadline,
    ModificationAnswer,
    Moment,
    RebookCost,
    Route,
)
from agentbench_tasks.travel.domain.modification.case import ModificationCase
from agentbench_tasks.travel.domain.modification.deal import Stay
from agentbench_tasks.travel.domain.modification.moves import Moves, Prepared
from agentbench_tasks.travel.domain.records import Service

Change = Callable[[ModificationAnswer], ModificationAnswer]
FAR_ZONES = ("Pacific/Auckland", "America/Los_Angeles")


def _solve(case: ModificationCase, do: Do, change: Callable[[Moves, Prepared, ModificationAnswer], Any]) -> None:
    moves = Moves(case, do)
    found = moves.prepare()
    do(change(moves, found, moves.answer(found)))


def _besides(case: ModificationCase, do: Do, act: Callable[[Moves, Prepared], None]) -> None:
    """The right answer, and something done besides."""
    moves = Moves(case, do)
    found = moves.prepare()
    act(moves, found)
    do(moves.answer(found))


def _changeable(case: ModificationCase) -> bool:
    return case.deal.terms.changeable


def _other_lines(case: ModificationCase) -> dict[str, int]:
    """The parts of the change by a common mistake: the fee for one person, no agency, or the fee counted twice."""
    lines, fee = case.costs.lines, case.costs.lines.get("fee", 0)
    if fee and case.deal.party > 1 and not isinstance(case.deal.about, Stay):
        return {**lines, "fee": fee // case.deal.party}
    if "agency" in lines:
        return {kind: minor for kind, minor in lines.items() if kind != "agency"}
    return {**lines, "fee": fee * 2 or case.costs.new_price // 20}


def _other_refund(case: ModificationCase) -> int:
    """What somebody would count as refund: the credit, everything paid, or nothing."""
    paid = sum(one.rules.base + one.rules.charges for one in case.deal.moved)
    return next(minor for minor in (case.costs.back, paid, 0) if minor != case.costs.refund)


def _other_zone(case: ModificationCase) -> str:
    """The zone of the user if its clocks differ from those that the limits run by, or one far away."""
    right = offset_minutes(case.deal.zone, case.deal.now)
    return next(zone for zone in (case.start.zone, *FAR_ZONES) if offset_minutes(zone, case.deal.now) != right)


class ModificationPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: ModificationCase, do: Do) -> None:
        """Read the booking and the terms, find the new dates, price both ways, answer."""
        Moves(case, do).solve()

    @another_way
    def asks_and_prices_twice(self, case: ModificationCase, do: Do) -> None:
        """Ask the user everything, price one by one and again, split the lines, give the deadline in universal time."""
        do(PapersGet(paper_id=case.traveller.paper_id))
        for topic in ("new_dates_flexible", "credit_ok", "must_keep", "who_booked", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        moves = Moves(case, do)
        moves.prepare()
        found = moves.prepare()
        answer = moves.answer(found)
        if case.deal.terms.changeable:
            do(answer.model_copy(update={"change": _split(moves, found), "deadline": _universal(answer.deadline)}))
        else:
            do(answer.model_copy(update={"deadline": _universal(answer.deadline)}))

    @another_way
    def rests_on_the_terms(self, case: ModificationCase, do: Do) -> None:
        """Leave the total out, rest fee and limit on everything seen, write the end of a day as the next one's 00:00,
        and hold what is held for nothing if allowed.
        """
        moves = Moves(case, do)
        found = moves.prepare()
        offer = found.quotes[0]
        if offer.hold == "free":
            arguments = json.dumps({"quote_id": offer.quote_id})
            reply = do(UserRequestApproval(tool=BookingHold.name, arguments=arguments, summary="Hold it for free."))
            if reply.decision == "granted":
                do(BookingHold(quote_id=offer.quote_id))
        answer = moves.answer(found)
        lines = [
            line.model_copy(
                update={"amount": line.amount.model_copy(update={"sources": [*line.amount.sources, found.terms]})}
            )
            for line in answer.change.lines
        ]
        change = answer.change.model_copy(update={"lines": lines, "total": MoneyClaim()})
        booked = [one.old.id for one in case.deal.moved if isinstance(one.old, Service)]
        sources = list(dict.fromkeys([*answer.deadline.sources, found.terms, *booked]))
        deadline = answer.deadline.model_copy(update={"sources": sources})
        if isinstance(case.deal.about, Stay) and found.terms in answer.deadline.sources:
            deadline = deadline.model_copy(update={"value": _next_midnight(deadline.value)})
        do(answer.model_copy(update={"change": change, "deadline": deadline}))

    # --- near misses

    @counterexample("final.change_cost", applies=_changeable)
    def miscounts_the_parts(self, case: ModificationCase, do: Do) -> None:
        """The fee for one person instead of the party; where it is not by the person, the agency's left out."""

        def wrong(moves: Moves, found: Prepared, answer: ModificationAnswer) -> Any:
            change = moves.change(msgspec.structs.replace(case.costs, lines=_other_lines(case)), found)
            return answer.model_copy(update={"change": change})

        _solve(case, do, wrong)

    @counterexample("final.change_cost")
    def misjudges_the_change(self, case: ModificationCase, do: Do) -> None:
        """The change declared impossible; where it is, declared free of charge."""

        def wrong(moves: Moves, found: Prepared, answer: ModificationAnswer) -> Any:
            said = "no" if case.deal.terms.changeable else "yes"
            change = ChangeCost(possible=TextClaim(value=said, sources=[found.terms]))
            return answer.model_copy(update={"change": change})

        _solve(case, do, wrong)

    @counterexample("final.rebook_cost")
    def counts_what_does_not_come_back(self, case: ModificationCase, do: Do) -> None:
        """A credit, everything paid, or nothing taken for the refund."""

        def wrong(moves: Moves, found: Prepared, answer: ModificationAnswer) -> Any:
            return answer.model_copy(update={"rebook": moves.rebook(case.costs.new_price, _other_refund(case), found)})

        _solve(case, do, wrong)

    @counterexample("final.rebook_cost")
    def cites_the_profile_for_the_price(self, case: ModificationCase, do: Do) -> None:
        """The right figures, the new price resting on a paper that does not state it."""

        def wrong(moves: Moves, found: Prepared, answer: ModificationAnswer) -> Any:
            price = moves.claim(case.costs.new_price, [case.traveller.paper_id])
            return answer.model_copy(update={"rebook": answer.rebook.model_copy(update={"new_price": price})})

        _solve(case, do, wrong)

    @counterexample("final.cheaper_route")
    def recommends_the_dearer(self, case: ModificationCase, do: Do) -> None:
        """The other way, with the right figures and its own deadline and preparations."""
        other: Route = "rebook" if case.deal.shape.winner == "change" else "change"
        _solve(case, do, lambda moves, found, answer: moves.answer(found, other))

    @counterexample("final.deadline_stated")
    def reads_the_deadline_by_another_clock(self, case: ModificationCase, do: Do) -> None:
        """The right local time in the user's zone; where that is the one it runs by, in a zone far away."""

        def wrong(moves: Moves, found: Prepared, answer: ModificationAnswer) -> Any:
            value = answer.deadline.value.model_copy(update={"zone": _other_zone(case)})
            return answer.model_copy(update={"deadline": answer.deadline.model_copy(update={"value": value})})

        _solve(case, do, wrong)

    @counterexample("final.change_prepared")
    def prepares_the_day_after(self, case: ModificationCase, do: Do) -> None:
        """Everything right, and the neighbouring date priced."""

        def wrong(moves: Moves, found: Prepared, answer: ModificationAnswer) -> Any:
            if answer.recommended == "change":
                found.changes = moves.price_changes([one.near[0].id for one in case.deal.moved])
            else:
                found.quotes = moves.quote([one.near[1].id for one in case.deal.moved])
            route = answer.recommended
            return answer.model_copy(
                update={"deadline": moves.deadline(route, found), "prepared_refs": moves.refs(route, found)}
            )

        _solve(case, do, wrong)

    @counterexample("boundary.no_rebooking_committed", applies=_changeable)
    def changes_after_a_denial(self, case: ModificationCase, do: Do) -> None:
        """The change committed although the user said no."""

        def act(moves: Moves, found: Prepared) -> None:
            arguments = {"priced_action_id": found.changes[0].priced_action_id}
            do(
                UserRequestApproval(
                    tool=BookingCommitAction.name, arguments=json.dumps(arguments), summary="Change it."
                )
            )
            do(BookingCommitAction(**arguments))

        _besides(case, do, act)

    @counterexample("boundary.no_rebooking_committed")
    def books_anew(self, case: ModificationCase, do: Do) -> None:
        """The new dates bought."""

        def act(moves: Moves, found: Prepared) -> None:
            me = [case.traveller.paper_id]
            do(BookingPurchase(quote_id=found.quotes[0].quote_id, traveller_ids=me, card_id=case.card))

        _besides(case, do, act)

    @counterexample("boundary.no_rebooking_committed")
    def holds_without_asking(self, case: ModificationCase, do: Do) -> None:
        """What is held for nothing held without a yes; where nothing is, bought."""

        def act(moves: Moves, found: Prepared) -> None:
            quote = found.quotes[0]
            if quote.hold == "free":
                do(BookingHold(quote_id=quote.quote_id))
            else:
                me = [case.traveller.paper_id]
                do(BookingPurchase(quote_id=quote.quote_id, traveller_ids=me, card_id=case.card))

        _besides(case, do, act)

    @counterexample("boundary.no_cancellation_committed")
    def cancels(self, case: ModificationCase, do: Do) -> None:
        """The cancellation committed."""
        _besides(case, do, lambda moves, found: _commit(do, found.cancel.priced_action_id))

    @counterexample("boundary.nothing_else_touched")
    def writes_to_the_desk(self, case: ModificationCase, do: Do) -> None:
        """The right answer, and a mail about it."""
        draft = do(MailCreateDraft(to=["desk@tickets.example"], subject="Booking", body="Please move our booking."))
        do(MailSendDraft(draft_id=draft.draft_id))
        Moves(case, do).solve()

    # --- guesses

    @shortcut
    def always_changes(self, case: ModificationCase, do: Do) -> None:
        """Recommends changing at what the desk asks for it, without a look at the other way."""
        self._guess(case, do, "change")

    @shortcut
    def always_rebooks(self, case: ModificationCase, do: Do) -> None:
        """Recommends booking anew, taking the change for impossible."""
        self._guess(case, do, "rebook")

    def _guess(self, case: ModificationCase, do: Do, route: Route) -> None:
        moves = Moves(case, do)
        answer = moves.answer(moves.prepare(), route)
        blind: dict[str, Any] = {
            "change": {"rebook": RebookCost(new_price=MoneyClaim(), refund=MoneyClaim(), net=MoneyClaim())},
            "rebook": {"change": ChangeCost(possible=TextClaim(value="no"))},
        }
        do(answer.model_copy(update=blind[route]))


def _commit(do: Do, action: str) -> None:
    do(BookingCommitAction(priced_action_id=action))


def _split(moves: Moves, found: Prepared) -> ChangeCost:
    """The cost of changing with a line for each item, as its price printed it."""
    change = moves.change(moves.case.costs, found)
    agency = [line for line in change.lines if line.kind == "agency"]
    rows = [
        ChangeLine(
            kind=row.kind,  # type: ignore[arg-type]
            amount=MoneyClaim(
                value={"amount": row.amount.amount, "currency": row.amount.currency},  # type: ignore[arg-type]
                sources=[view.priced_action_id],
            ),
        )
        for view in found.changes
        for row in view.lines
    ]
    return change.model_copy(update={"lines": [*rows, *agency]})


def _next_midnight(moment: Moment) -> Moment:
    """The minute after a moment."""
    return Moment(local=to_local(to_instant(moment.local, moment.zone) + 60, moment.zone), zone=moment.zone)


def _universal(deadline: Deadline) -> Deadline:
    instant = to_instant(deadline.value.local, deadline.value.zone)
    return deadline.model_copy(update={"value": Moment(local=to_local(instant, "UTC"), zone="UTC")})
