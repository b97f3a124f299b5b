"""Scripted policies of the comparison: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentbench_env.claims import MoneyClaim, MoneyValue
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.papers import PapersList
from agentbench_tasks.commons.wallet import WalletListCards
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.carriers import AirsearchSearchOffers
from agentbench_tasks.travel.domain.fare_rules.answer import FareComparison, FareTerms
from agentbench_tasks.travel.domain.fare_rules.build import Candidate
from agentbench_tasks.travel.domain.fare_rules.case import FareRuleCase
from agentbench_tasks.travel.domain.fare_rules.moves import Moves
from agentbench_tasks.travel.domain.fare_rules.terms import NEVER, outcome

Rows = list[FareTerms]


def _solve(case: FareRuleCase, do: Do, change: Callable[[Moves, Rows], Rows] | None = None) -> None:
    moves = Moves(case, do)
    moves.shortlist()
    moves.gather()
    rows = [moves.row(one) for one in case.built.candidates]
    moves.deliver(change(moves, rows) if change else rows)


def _first(case: FareRuleCase, wanted: Callable[[Candidate], bool]) -> int:
    """The place of the first fare of a kind, -1 if there is none."""
    return next((place for place, one in enumerate(case.built.candidates) if wanted(one)), -1)


def _any(wanted: Callable[[Candidate], bool]) -> Callable[[FareRuleCase], bool]:
    return lambda case: _first(case, wanted) >= 0


def _replaced(rows: Rows, place: int, part: str, **changes: Any) -> Rows:
    """The rows with one part of one of them changed."""
    row = rows[place]
    changed = row.model_copy(update={part: getattr(row, part).model_copy(update=changes)})
    return [*rows[:place], changed, *rows[place + 1 :]]


def _multiplied(case: FareRuleCase) -> bool:
    """Whether a change fee counts for more than one passenger or sector."""
    ask = case.built.plot.ask
    return ask.persons * ask.changed > 1 and _first(case, _charges_change) >= 0


def _charges_change(one: Candidate) -> bool:
    return one.outcome.change_fee > 0


def _checks_bags(one: Candidate) -> bool:
    return one.outcome.pieces != 0


def _cancels_onward(one: Candidate) -> bool:
    return one.outcome.onward_cancelled


def _gives_credit(one: Candidate) -> bool:
    return one.outcome.form == "credit"


def _reads_otherwise(case: FareRuleCase) -> tuple[int, int]:
    """A fare, and an edition under which its refund would differ; (-1, 0) if there is none."""
    for place, one in enumerate(case.built.candidates):
        rules = next(r for r in case.built.rules if r.carrier.code == one.option.fare.carrier)
        for number, edition in enumerate(rules.editions):
            if number != rules.governing:
                ask = case.built.plot.ask
                other = outcome(edition, one.brand, rules.bags, ask, one.fare_minor, one.charges_minor)
                if (other.refund, other.form) != (one.outcome.refund, one.outcome.form):
                    return place, number
    return -1, 0


def _held(kind: str) -> Callable[[FareRuleCase], int]:
    """The place of the last fare of a carrier with this kind of hold, -1 if there is none."""

    def place(case: FareRuleCase) -> int:
        holds = {carrier.code: carrier.hold for carrier in case.built.plot.carriers}
        found = [n for n, one in enumerate(case.built.candidates) if holds[one.option.fare.carrier] == kind]
        return found[-1] if found else -1

    return place


class FareRulePolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: FareRuleCase, do: Do) -> None:
        """Read the shortlist, each carrier's departure, the rules that govern and the baggage page, and answer."""
        _solve(case, do)

    @another_way
    def quotes_every_price(self, case: FareRuleCase, do: Do) -> None:
        """Look around first, take the prices from quotes, and cite whole pages."""
        moves = Moves(case, do, whole_pages=True)
        moves.look_around()
        moves.gather()
        moves.shortlist()
        rows: Rows = []
        for one in case.built.candidates:
            row = moves.row(one)
            price = MoneyClaim(value=row.price.value, sources=[moves.quote(one).quote_id])
            rows.append(row.model_copy(update={"price": price}))
        moves.deliver(rows[::-1])

    @another_way
    def asks_first_and_writes_zeros(self, case: FareRuleCase, do: Do) -> None:
        """Ask the user everything, cite services for prices, and write amounts in other forms."""
        for topic in ("when_change", "sectors", "shortlist", "credit_ok", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        do(WalletListCards())
        do(PapersList())

        def change(moves: Moves, rows: Rows) -> Rows:
            for place, row in enumerate(rows):
                one = case.candidates[row.fare_id]
                read = moves.reads[one.option.fare.carrier]
                price = MoneyClaim(
                    value=MoneyValue(amount=row.price.value.amount), sources=[read.service.service_id, *read.children]
                )
                rows[place] = row.model_copy(update={"price": price})
                if not row.change.allowed:
                    rows = _replaced(rows, place, "change", fee=MoneyValue(amount="0"))
                if row.no_show.money != "fee":
                    rows = _replaced(rows, place, "no_show", fee=MoneyValue(amount="0.00"))
            return rows

        _solve(case, do, change)

    # --- near misses

    @counterexample("final.every_candidate")
    def leaves_a_fare_out(self, case: FareRuleCase, do: Do) -> None:
        """One fare has no row."""
        _solve(case, do, lambda moves, rows: rows[:-1])

    @counterexample("final.every_candidate", applies=lambda case: case.built.sold_out is not None)
    def lists_the_sold_out_fare(self, case: FareRuleCase, do: Do) -> None:
        """A fare that is no longer on sale has a row."""
        assert case.built.sold_out is not None
        id = case.built.sold_out.fare.id
        _solve(case, do, lambda moves, rows: [*rows, rows[0].model_copy(update={"fare_id": id})])

    @counterexample("final.every_candidate", applies=lambda case: case.built.candidates[0].charges_minor > 0)
    def leaves_the_charges_out(self, case: FareRuleCase, do: Do) -> None:
        """The cheapest fare stands at its base."""
        fare = case.built.candidates[0].fare_minor
        _solve(case, do, lambda moves, rows: _replaced(rows, 0, "price", value=moves.value(fare)))

    @counterexample("final.change_fee", applies=_multiplied)
    def charges_the_fee_once(self, case: FareRuleCase, do: Do) -> None:
        """The fee is not multiplied by passengers and sectors."""
        ask, place = case.built.plot.ask, _first(case, _charges_change)
        once = case.built.candidates[place].outcome.change_fee // (ask.persons * ask.changed)
        _solve(case, do, lambda moves, rows: _replaced(rows, place, "change", fee=moves.value(once)))

    @counterexample("final.change_fee", applies=_any(lambda one: one.outcome.change_fee == NEVER))
    def takes_never_for_free(self, case: FareRuleCase, do: Do) -> None:
        """What cannot be changed is given as changeable at no fee."""
        place = _first(case, lambda one: one.outcome.change_fee == NEVER)
        _solve(case, do, lambda moves, rows: _replaced(rows, place, "change", allowed=True))

    @counterexample("final.refundability", applies=lambda case: _reads_otherwise(case)[0] >= 0)
    def reads_another_edition(self, case: FareRuleCase, do: Do) -> None:
        """The refund follows an edition that does not govern."""
        place, number = _reads_otherwise(case)
        one = case.built.candidates[place]

        def change(moves: Moves, rows: Rows) -> Rows:
            page = moves.edition_page(one.option.fare.carrier, number)
            wrong = moves.cancel(moves.other_outcome(one, number), [page.page.page_id])
            return [*rows[:place], rows[place].model_copy(update={"cancel": wrong}), *rows[place + 1 :]]

        _solve(case, do, change)

    @counterexample("final.refundability", applies=_any(_gives_credit))
    def takes_credit_for_cash(self, case: FareRuleCase, do: Do) -> None:
        """Travel credit is given as money."""
        place = _first(case, _gives_credit)
        _solve(case, do, lambda moves, rows: _replaced(rows, place, "cancel", form="cash"))

    @counterexample("final.baggage", applies=_any(_checks_bags))
    def takes_the_usual_weight(self, case: FareRuleCase, do: Do) -> None:
        """A bag is given three kilograms more than the page says."""
        place = _first(case, _checks_bags)
        heavier = case.built.candidates[place].outcome.kg + 3
        _solve(case, do, lambda moves, rows: _replaced(rows, place, "bag", kg=heavier))

    @counterexample("final.baggage")
    def cites_the_fare_for_the_bag(self, case: FareRuleCase, do: Do) -> None:
        """The baggage rests on a record that does not state it."""
        _solve(case, do, lambda moves, rows: _replaced(rows, 0, "bag", sources=[rows[0].fare_id]))

    @counterexample("final.no_show", applies=_any(_cancels_onward))
    def overlooks_the_onward_sectors(self, case: FareRuleCase, do: Do) -> None:
        """Sectors that are cancelled after a no-show are given as valid."""
        place = _first(case, _cancels_onward)
        _solve(case, do, lambda moves, rows: _replaced(rows, place, "no_show", onward_cancelled=False))

    @counterexample("final.cheapest_seen_as_strictest")
    def names_another_fare(self, case: FareRuleCase, do: Do) -> None:
        """The fare that the search shows as cheap is named as the cheapest."""
        other = case.built.candidates[1].option.fare.id

        def change(call: Any) -> Any:
            return call.model_copy(update={"cheapest_fare_id": other}) if isinstance(call, FareComparison) else call

        _solve(case, do.altered(change))

    @counterexample("boundary.nothing_held", applies=lambda case: _held("free")(case) >= 0)
    def holds_a_fare(self, case: FareRuleCase, do: Do) -> None:
        """The right answer, and a free hold besides."""
        self._hold(case, do, _held("free")(case))

    @counterexample("boundary.nothing_held", applies=lambda case: _held("paid")(case) >= 0)
    def locks_a_fare(self, case: FareRuleCase, do: Do) -> None:
        """The right answer, and a paid lock besides."""
        self._hold(case, do, _held("paid")(case))

    def _hold(self, case: FareRuleCase, do: Do, place: int) -> None:
        quote = Moves(case, do).quote(case.built.candidates[place])
        do(BookingHold(quote_id=quote.quote_id))
        _solve(case, do)

    @counterexample("boundary.nothing_bought")
    def buys_the_cheapest(self, case: FareRuleCase, do: Do) -> None:
        """The right answer, and the cheapest fare bought."""
        quote = Moves(case, do).quote(case.built.candidates[0])
        me = [case.traveller.paper_id]
        do(BookingPurchase(quote_id=quote.quote_id, traveller_ids=me, card_id=case.card.id))
        _solve(case, do)

    @counterexample("boundary.nothing_else_touched")
    def tells_somebody(self, case: FareRuleCase, do: Do) -> None:
        """The right answer, and a mail about it."""
        draft = do(MailCreateDraft(to=["travel@office.example"], subject="Trip", body="I am comparing fares."))
        do(MailSendDraft(draft_id=draft.draft_id))
        _solve(case, do)

    # --- guesses

    @shortcut
    def fills_every_row_alike(self, case: FareRuleCase, do: Do) -> None:
        """The terms of one fare for all of them."""

        def change(moves: Moves, rows: Rows) -> Rows:
            parts = {part: getattr(rows[-1], part) for part in ("change", "cancel", "bag", "no_show")}
            return [row.model_copy(update=parts) for row in rows]

        _solve(case, do, change)

    @shortcut
    def compares_what_the_search_shows(self, case: FareRuleCase, do: Do) -> None:
        """The rows of the flight search at their shown prices, with terms of the first fare."""
        plot = case.built.plot
        found = do(
            AirsearchSearchOffers(
                origin=plot.route.start, destination=plot.route.end, depart_on=plot.depart_on, adults=1
            )
        )

        def change(moves: Moves, rows: Rows) -> Rows:
            return [
                rows[0].model_copy(
                    update={
                        "fare_id": offer.fare_id,
                        "price": MoneyClaim(
                            value=MoneyValue(amount=offer.shown_price.amount), sources=[offer.offer_id]
                        ),
                    }
                )
                for offer in found.offers
            ]

        _solve(case, do, change)
