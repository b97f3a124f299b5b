"""Scripted policies of a stay's true cost: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import msgspec

from agentbench_env.claims import MoneyValue
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.papers import PapersGet
from agentbench_tasks.commons.wallet import WalletListCards
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.records_stays import Rate
from agentbench_tasks.travel.domain.stay_bills import Bill, NightBill, bill, rounded, share
from agentbench_tasks.travel.domain.stay_cost.answer import CostSources, StayCostAnswer
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase
from agentbench_tasks.travel.domain.stay_cost.moves import Found, Moves
from agentbench_tasks.travel.domain.stay_cost.traps import misreadings


def _solve(case: StayCostCase, do: Do, change: Callable[[StayCostAnswer], Any] | None = None) -> None:
    moves = Moves(case, do)
    found = moves.gather()
    answer = moves.answer(case.bill, found)
    do(change(answer) if change else answer)


def _with_bill(case: StayCostCase, do: Do, wrong: Bill) -> None:
    """Answer with another bill, whose sums are those of its own lines."""
    moves = Moves(case, do)
    found = moves.gather()
    do(moves.answer(wrong, found))


def _by_night(right: Bill, change: Callable[[NightBill], NightBill]) -> Bill:
    return msgspec.structs.replace(right, nights=tuple(change(night) for night in right.nights))


def _added_rates(case: StayCostCase, line: NightBill) -> NightBill:
    """VAT worked out on the base alone; where it is inside, taken out of it once more."""
    rules = case.story.charges.rules
    if rules.vat_outside and line.service:
        return msgspec.structs.replace(line, vat=share(line.base, rules.vat))
    return msgspec.structs.replace(line, vat=0 if line.vat else share(line.base, rules.vat))


def _other_taxes(case: StayCostCase) -> Bill:
    """The public charges by a wrong reading of their rule; where there are none, a lodging tax out of the blue."""
    right, wrong = case.bill, misreadings(case.story, case.bill)
    for trap in ("threshold_basis", "meal_inside_basis", "class_decides_dirham"):
        if trap in wrong:
            return wrong[trap]
    if any(line.taxes for line in right.nights):
        return _by_night(right, lambda line: msgspec.structs.replace(line, taxes=()))
    invented = (("lodging_tax", right.nights[0].base // 100 or 1),)
    return _by_night(right, lambda line: msgspec.structs.replace(line, taxes=invented))


def _other_fees(case: StayCostCase) -> Bill:
    """The cleaning fee by the night; where there is none, a thing to be had on request, counted in."""
    right, rules = case.bill, case.story.charges.rules
    if any(fee.unit == "stay" for fee in rules.fees):
        fees = [(k, "night", n * len(right.nights)) if u == "stay" else (k, u, n) for k, u, n in right.fees]
        return msgspec.structs.replace(right, fees=tuple(fees))
    price = case.story.charges.optional[0][1]
    return msgspec.structs.replace(right, fees=(*right.fees, ("cleaning_fee", "stay", price)))


def _other_rate(case: StayCostCase, found: Found) -> Any:
    room, board = case.story.room.id, case.story.board
    return next(
        row for row in found.rates if row.rate_id != case.target and (row.room_type_id, row.board) == (room, board)
    )


class StayCostPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: StayCostCase, do: Do) -> None:
        """Find the house, read its listing, tariff and rates, look up the rules in force, add up."""
        _solve(case, do)

    @another_way
    def asks_and_quotes_first(self, case: StayCostCase, do: Do) -> None:
        """Ask the user everything, quote the rate, write every zero out and the nights backwards."""
        do(PapersGet(paper_id=case.traveller.paper_id))
        for topic in ("ages", "bathing", "board", "arrival_time", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        moves = Moves(case, do)
        found = moves.gather()
        moves.quote(case.target)
        answer = moves.answer(case.bill, found)
        nights = [night.model_copy(update={"local_taxes": [*night.local_taxes]}) for night in reversed(answer.nights)]
        do(answer.model_copy(update={"nights": nights, "deposits": answer.deposits or [moves.money(0)]}))

    @another_way
    def leaves_nils_out(self, case: StayCostCase, do: Do) -> None:
        """Leave out what is nil and the currency, and cite the tariff alone where it says all."""

        def bare(value: MoneyValue) -> MoneyValue:
            return MoneyValue() if not value.amount.strip("0.") else MoneyValue(amount=value.amount)

        moves = Moves(case, do)
        found = moves.gather()
        rules = [page for kind, page in found.rules.items() if kind != "vat"]
        vat = [found.rules["vat"]] if "vat" in found.rules else []
        sources = CostSources(
            base=[case.target],
            vat_and_service=[found.tariff, *vat],
            local_tax=[found.tariff, *rules],
            property_fees=[found.tariff],
            cash=[found.tariff],
        )
        answer = moves.answer(case.bill, found, sources=sources)
        nights = [
            night.model_copy(update={"vat": bare(night.vat), "service": bare(night.service), "base": bare(night.base)})
            for night in answer.nights
        ]
        do(answer.model_copy(update={"nights": nights, "on_arrival_cash": bare(answer.on_arrival_cash)}))

    # --- near misses

    @counterexample("final.base_rate")
    def takes_another_channels_rate(self, case: StayCostCase, do: Do) -> None:
        """The bill of the same room and board at another channel."""
        moves = Moves(case, do)
        found = moves.gather()
        rate = case.start.get(Rate, _other_rate(case, found).rate_id)
        story = case.story
        other = bill(story.charges.rules, rate.nights, story.guests, rate.board, story.house.record.official_class)
        do(moves.answer(other, found, rate.id))

    @counterexample("final.base_rate")
    def takes_one_price_for_all_nights(self, case: StayCostCase, do: Do) -> None:
        """Every night at a price that one of them does not have."""
        right = case.bill
        prices = sorted({night.base for night in right.nights})
        one = prices[0] if len(prices) > 1 else prices[0] + 1
        _with_bill(case, do, _by_night(right, lambda line: msgspec.structs.replace(line, base=one)))

    @counterexample("final.vat_and_service")
    def adds_the_rates_instead_of_compounding(self, case: StayCostCase, do: Do) -> None:
        """VAT worked out on the base alone; where it is inside, added once more."""
        _with_bill(case, do, _by_night(case.bill, lambda line: _added_rates(case, line)))

    @counterexample("final.vat_and_service")
    def cites_the_rate_for_the_service_charge(self, case: StayCostCase, do: Do) -> None:
        """The right lines, resting on the channel's rate alone."""
        self._with_sources(case, do, vat_and_service=[case.target])

    @counterexample("final.local_tax")
    def misreads_the_rule_of_the_place(self, case: StayCostCase, do: Do) -> None:
        """Public charges on the wrong basis; where there are none, one out of the blue."""
        _with_bill(case, do, _other_taxes(case))

    @counterexample("final.local_tax")
    def cites_nothing_for_the_place(self, case: StayCostCase, do: Do) -> None:
        """The right public charges, or none, without a source."""
        self._with_sources(case, do, local_tax=[])

    @counterexample("final.property_fees")
    def takes_the_cleaning_by_the_night(self, case: StayCostCase, do: Do) -> None:
        """A fee a stay taken for one a night; where there is none, something voluntary counted in."""
        _with_bill(case, do, _other_fees(case))

    @counterexample("final.on_arrival_cash")
    def counts_the_deposit_as_cash(self, case: StayCostCase, do: Do) -> None:
        """What is due in cash with the deposit in it; where there is none, with the price of a service in it."""
        right = case.bill
        extra = right.deposit or case.story.charges.optional[0][1]
        _with_bill(case, do, msgspec.structs.replace(right, cash=right.cash + extra))

    @counterexample("final.true_total_per_night")
    def divides_by_persons(self, case: StayCostCase, do: Do) -> None:
        """The total shared out among one too many."""
        right = case.bill
        by = case.story.guests.size if case.story.guests.size != case.story.count else case.story.count + 1

        def change(answer: StayCostAnswer) -> StayCostAnswer:
            wrong = Moves(case, do).money(rounded(Fraction(right.total, by)))
            return answer.model_copy(update={"true_total_per_night": wrong})

        _solve(case, do, change)

    @counterexample("final.true_total_per_night")
    def adds_the_cash_once_more(self, case: StayCostCase, do: Do) -> None:
        """A stay total with something counted twice."""
        right = case.bill
        total = right.total + (right.cash or right.nights[0].base)

        def change(answer: StayCostAnswer) -> StayCostAnswer:
            return answer.model_copy(update={"stay_total": Moves(case, do).money(total)})

        _solve(case, do, change)

    def _with_sources(self, case: StayCostCase, do: Do, **changed: list[str]) -> None:
        def change(answer: StayCostAnswer) -> StayCostAnswer:
            return answer.model_copy(update={"sources": answer.sources.model_copy(update=changed)})

        _solve(case, do, change)

    @counterexample("boundary.nothing_reserved")
    def holds_the_room(self, case: StayCostCase, do: Do) -> None:
        """The right answer, and a room on hold at a channel that holds for nothing."""
        moves = Moves(case, do)
        found = moves.gather()
        for row in found.rates:
            if row.hold == "free":
                do(BookingHold(quote_id=moves.quote(row.rate_id).quote_id))
                break
        do(moves.answer(case.bill, found))

    @counterexample("boundary.nothing_reserved")
    def books_the_room(self, case: StayCostCase, do: Do) -> None:
        """The right answer, and the room bought."""
        moves = Moves(case, do)
        found = moves.gather()
        quote = moves.quote(case.target)
        me = [case.traveller.paper_id]
        do(BookingPurchase(quote_id=quote.quote_id, traveller_ids=me, card_id=case.card))
        do(moves.answer(case.bill, found))

    @counterexample("boundary.no_card_given")
    def offers_a_card_in_vain(self, case: StayCostCase, do: Do) -> None:
        """A card passed to a hold that is refused: no quote has such an id."""
        moves = Moves(case, do)
        found = moves.gather()
        card = do(WalletListCards()).cards[0].method_id
        with suppress(Refused):
            do(BookingHold(quote_id=case.target, guarantee_card_id=card))
        do(moves.answer(case.bill, found))

    @counterexample("boundary.nothing_else_touched")
    def writes_to_the_house(self, case: StayCostCase, do: Do) -> None:
        """The right answer, and a mail with a question."""
        draft = do(MailCreateDraft(to=["desk@house.example"], subject="Charges", body="What do you charge in all?"))
        do(MailSendDraft(draft_id=draft.draft_id))
        _solve(case, do)

    @shortcut(ceiling=0.03)
    def shown_price_times_nights(self, case: StayCostCase, do: Do) -> None:
        """What the rate shows, and nothing besides."""
        self._guess(case, do, "1")

    @shortcut
    def shown_price_and_a_fifth(self, case: StayCostCase, do: Do) -> None:
        """What the rate shows, and a fifth on top as tax."""
        self._guess(case, do, "1.2")

    def _guess(self, case: StayCostCase, do: Do, factor: str) -> None:
        moves = Moves(case, do)
        house, _, _ = moves.read_house()
        rates = moves.rates(house)
        found = Found(house, rates, "", "", {})
        lines = tuple(
            NightBill(line.day, line.base, 0, rounded(line.base * (Fraction(factor) - 1)), ())
            for line in case.bill.nights
        )
        do(moves.answer(Bill(lines, (), 0, 0), found, sources=CostSources(base=[case.target])))
