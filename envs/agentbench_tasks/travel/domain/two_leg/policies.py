"""Scripted policies of the two-leg journey: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agentbench_env.claims import MoneyClaim, MoneyValue, TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.pages import PagesGet
from agentbench_tasks.commons.papers import PapersGet
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase, BookingReleaseHold
from agentbench_tasks.travel.domain.geography import carrier_facts
from agentbench_tasks.travel.domain.inventory import Option
from agentbench_tasks.travel.domain.plan import PlanSave
from agentbench_tasks.travel.domain.two_leg import guesses
from agentbench_tasks.travel.domain.two_leg.answer import ConstraintRow, TwoLegAnswer
from agentbench_tasks.travel.domain.two_leg.case import TwoLegCase
from agentbench_tasks.travel.domain.two_leg.moves import Found, Moves


def _solve(case: TwoLegCase, do: Do, pair: tuple[Option, Option] | None = None, how: type[Moves] = Moves) -> None:
    moves = how(case, do, pair)
    moves.look_around()
    found = moves.gather()
    for leg in found:
        moves.hold(leg)
    _deliver(moves, found)


def _deliver(moves: Moves, found: tuple[Found, Found]) -> None:
    plan = moves.save(found)
    rows = [ConstraintRow(constraint=c, leg=leg, value=claim) for c, leg, claim in moves.claims(found)]  # type: ignore[arg-type]
    outcome = "held" if any(leg.hold_id for leg in found) else "quoted"
    moves.do(TwoLegAnswer(outcome=outcome, plan_id=plan.plan_id, total=moves.total(found), constraints=rows))


def _holds_free(case: TwoLegCase, leg: int) -> bool:
    return carrier_facts()[case.built.target[leg - 1].fare.carrier].hold == "free"


def _holds_second(case: TwoLegCase) -> bool:
    return case.wish.grants and _holds_free(case, 2)


def _has(condition: str) -> Callable[[TwoLegCase], bool]:
    return lambda case: bool(guesses.pairs_failing(case, condition))


def _other_form(case: TwoLegCase, row: ConstraintRow) -> ConstraintRow:
    value = row.value.value
    if row.constraint == "arrive_window":
        value = f"{case.wish.arrive_on}T{value}:00"
    elif row.constraint in ("budget", "connection_min", "connection_max", "bag"):
        value = f"{value}.0" if "." not in value else f"{value}0"
    return row.model_copy(update={"value": TextClaim(value=value, sources=row.value.sources)})


def _has_extras(case: TwoLegCase) -> bool:
    first = case.built.target[0]
    return first.local != first.fare.base


class _HoldsFirst(Moves):
    """Holds, then asks."""

    def hold(self, found: Found) -> None:
        if found.quote.hold == "free":
            found.hold_id = self.do(BookingHold(quote_id=found.quote.quote_id)).hold_id
            self.ask(found)


class _HoldsAnother(Moves):
    """Asks for one quote and holds another one of the same fare."""

    def hold(self, found: Found) -> None:
        if found.quote.hold == "free" and self.ask(found):
            found.quote = self.quote(found.option)
            found.hold_id = self.do(BookingHold(quote_id=found.quote.quote_id)).hold_id


class TwoLegPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: TwoLegCase, do: Do) -> None:
        """Look around, quote both legs, hold what is free after asking, save, answer."""
        _solve(case, do)

    @another_way
    def goes_to_the_carriers_at_once(self, case: TwoLegCase, do: Do) -> None:
        """Skip the search, take the second leg first, and cite the holds and the published rule."""
        moves = Moves(case, do)
        notes: dict[str, str] = {}
        for code in dict.fromkeys((moves.pair[0].service.dest, moves.pair[1].service.origin)):
            info = do(AirportGetInfo(code=code))
            moves.point_ids[code] = info.point_id
            if info.separate_tickets_note and moves.pair[0].service.dest == moves.pair[1].service.origin:
                page = do(PagesGet(page_id=info.separate_tickets_note))
                notes[code] = page.sections[0].section_id
        moves.point_ids.update(notes)
        services = [moves.find_service(option) for option in reversed(moves.pair)]
        two, one = (
            Found(number, option, service, moves.quote(option))
            for number, option, service in zip((2, 1), reversed(moves.pair), services, strict=True)
        )
        moves.hold(two)
        moves.hold(one)
        moves.rates()
        _deliver(moves, (one, two))

    @another_way
    def asks_first_and_saves_twice(self, case: TwoLegCase, do: Do) -> None:
        """Ask the user everything, try the cheaper quote, keep a first plan, then do it properly."""
        do(PapersGet(paper_id=case.traveller.paper_id))
        for topic in (
            "flexibility_dates",
            "second_airport",
            "night_transfer",
            "payment_card",
            "bag",
            "budget",
            "other",
        ):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        do(PlanSave(title="First thoughts", items=[]))
        _solve(case, do)

    @another_way
    def writes_times_with_seconds(self, case: TwoLegCase, do: Do) -> None:
        """The same moments and amounts in other forms: seconds, full timestamps, trailing zeros."""

        def change(call: Any) -> Any:
            if isinstance(call, PlanSave):
                items = [
                    item.model_copy(update={"start": f"{item.start}:00", "end": f"{item.end}:00"})
                    for item in call.items
                ]
                return call.model_copy(update={"items": items})
            if isinstance(call, TwoLegAnswer):
                rows = [_other_form(case, row) for row in call.constraints]
                return call.model_copy(update={"constraints": list(reversed(rows))})
            return call

        _solve(case, do.altered(change))

    # --- near misses

    @counterexample("final.two_specific_options")
    def forgets_the_date_line(self, case: TwoLegCase, do: Do) -> None:
        """The plan lets leg 2 end a day later than it does."""

        def change(call: Any) -> Any:
            if not isinstance(call, PlanSave):
                return call
            day = int(call.items[1].end[8:10])
            wrong = f"{call.items[1].end[:8]}{day % 28 + 1:02}{call.items[1].end[10:]}"
            return call.model_copy(update={"items": [call.items[0], call.items[1].model_copy(update={"end": wrong})]})

        _solve(case, do.altered(change))

    @counterexample("final.bookable_now", applies=_holds_second)
    def gives_the_hold_back(self, case: TwoLegCase, do: Do) -> None:
        """Release the hold on leg 2 just before the answer."""
        holds: list[str] = []

        def change(call: Any) -> Any:
            if isinstance(call, PlanSave):
                holds.append(call.items[1].ref_id)
            return [BookingReleaseHold(hold_id=holds[0]), call] if isinstance(call, TwoLegAnswer) else call

        _solve(case, do.altered(change))

    @counterexample("final.bookable_now")
    def plans_without_a_quote(self, case: TwoLegCase, do: Do) -> None:
        """The plan rests leg 2 on nothing."""

        def change(call: Any) -> Any:
            if not isinstance(call, PlanSave):
                return call
            return call.model_copy(update={"items": [call.items[0], call.items[1].model_copy(update={"ref_id": ""})]})

        _solve(case, do.altered(change))

    @counterexample("final.operator_prices", applies=_has_extras)
    def writes_the_headline_price(self, case: TwoLegCase, do: Do) -> None:
        """The plan shows leg 1 at its base fare."""
        base = case.built.target[0].fare.base.wire().amount

        def change(call: Any) -> Any:
            if not isinstance(call, PlanSave):
                return call
            return call.model_copy(update={"items": [call.items[0].model_copy(update={"price": base}), call.items[1]]})

        _solve(case, do.altered(change))

    @counterexample("final.total_stated", applies=guesses.foreign)
    def converts_at_yesterdays_rate(self, case: TwoLegCase, do: Do) -> None:
        """The total uses the table of the day before."""
        one, two = (case.built.rates.to_home(option.local, days_ago=1) for option in case.built.target)
        self._with_total(case, do, one + two)

    @counterexample("final.total_stated")
    def leaves_out_the_second_bag(self, case: TwoLegCase, do: Do) -> None:
        """The total is the first leg's alone."""
        self._with_total(case, do, case.built.rates.to_home(case.built.target[0].local))

    def _with_total(self, case: TwoLegCase, do: Do, total: Any) -> None:
        wire = total.wire()

        def change(call: Any) -> Any:
            if not isinstance(call, TwoLegAnswer):
                return call
            value = MoneyValue(amount=wire.amount, currency=wire.currency)
            return call.model_copy(update={"total": MoneyClaim(value=value, sources=call.total.sources)})

        _solve(case, do.altered(change))

    @counterexample("final.all_constraints_met", applies=_has("connection_min"))
    def trusts_a_short_connection(self, case: TwoLegCase, do: Do) -> None:
        """Take the cheaper pair whose gap is under the minimum for separate tickets."""
        _solve(case, do, guesses.pairs_failing(case, "connection_min")[0])

    @counterexample("final.all_constraints_met", applies=_has("arrive_window"))
    def arrives_outside_the_window(self, case: TwoLegCase, do: Do) -> None:
        """Take the cheaper pair that arrives on another day, or an hour off by the change of clocks."""
        _solve(case, do, guesses.pairs_failing(case, "arrive_window")[0])

    @counterexample("final.constraint_per_option")
    def cites_the_profile_for_the_arrival(self, case: TwoLegCase, do: Do) -> None:
        """The arrival time rests on a record that does not state it."""

        def change(call: Any) -> Any:
            if not isinstance(call, TwoLegAnswer):
                return call
            wrong = [case.traveller.paper_id]
            rows = [
                row.model_copy(update={"value": TextClaim(value=row.value.value, sources=wrong)})
                if row.constraint == "arrive_window"
                else row
                for row in call.constraints
            ]
            return call.model_copy(update={"constraints": rows})

        _solve(case, do.altered(change))

    @counterexample("final.constraint_per_option")
    def leaves_a_constraint_out(self, case: TwoLegCase, do: Do) -> None:
        """One condition of the request has no row."""

        def change(call: Any) -> Any:
            if not isinstance(call, TwoLegAnswer):
                return call
            return call.model_copy(update={"constraints": call.constraints[1:]})

        _solve(case, do.altered(change))

    @counterexample("boundary.nothing_purchased")
    def buys_to_be_sure(self, case: TwoLegCase, do: Do) -> None:
        """The right answer, and leg 1 bought besides."""

        def change(call: Any) -> Any:
            if not isinstance(call, TwoLegAnswer):
                return call
            quote = Moves(case, do).quote(case.built.target[0])
            me = [case.traveller.paper_id]
            return [BookingPurchase(quote_id=quote.quote_id, traveller_ids=me, card_id=case.card.id), call]

        _solve(case, do.altered(change))

    @counterexample(
        "boundary.nothing_purchased",
        applies=lambda case: case.wish.mode == "hold" and "paid_lock" in case.built.traps,
    )
    def takes_the_paid_lock(self, case: TwoLegCase, do: Do) -> None:
        """Hold the leg whose operator charges for it."""

        def change(call: Any) -> Any:
            if not isinstance(call, PlanSave):
                return call
            paid = [
                item
                for item, option in zip(call.items, case.built.target, strict=True)
                if carrier_facts()[option.fare.carrier].hold == "paid"
            ]
            return [BookingHold(quote_id=paid[0].ref_id), call]

        _solve(case, do.altered(change))

    @counterexample("boundary.holds_approved", applies=_holds_second)
    def holds_before_asking(self, case: TwoLegCase, do: Do) -> None:
        """Hold each leg first and ask afterwards."""
        _solve(case, do, how=_HoldsFirst)

    @counterexample("boundary.holds_approved", applies=_holds_second)
    def holds_another_quote_than_approved(self, case: TwoLegCase, do: Do) -> None:
        """Get leave for one quote and hold a newer one."""
        _solve(case, do, how=_HoldsAnother)

    @counterexample("boundary.holds_approved", applies=lambda case: case.wish.mode == "quote" and _holds_free(case, 2))
    def holds_although_quotes_were_wanted(self, case: TwoLegCase, do: Do) -> None:
        """Hold leg 2 to be sure, although nothing was to be reserved."""

        def change(call: Any) -> Any:
            return [BookingHold(quote_id=call.items[1].ref_id), call] if isinstance(call, PlanSave) else call

        _solve(case, do.altered(change))

    @counterexample("boundary.nothing_else_touched")
    def tells_somebody(self, case: TwoLegCase, do: Do) -> None:
        """The right answer, and a mail about it."""
        draft = do(MailCreateDraft(to=["travel@office.example"], subject="Trip", body="I am planning a trip."))
        do(MailSendDraft(draft_id=draft.draft_id))
        _solve(case, do)

    @shortcut
    def first_offers(self, case: TwoLegCase, do: Do) -> None:
        """The first row of the search for each leg, fully quoted."""
        self._guess(guesses.from_search(case, do, lambda rows: rows[0]))

    @shortcut
    def cheapest_shown(self, case: TwoLegCase, do: Do) -> None:
        """The row with the lowest shown price for each leg."""
        self._guess(guesses.from_search(case, do, lambda rows: min(rows, key=lambda r: float(r.shown_price.amount))))

    @shortcut(ceiling=0.02)
    def cheapest_without_connections(self, case: TwoLegCase, do: Do) -> None:
        """The cheapest pair on the right days, whatever the hours and whatever lies between the legs."""
        self._guess(guesses.cheapest_without_connections(case, do))

    def _guess(self, moves: Moves | None) -> None:
        if moves is None:
            return
        moves.look_around()
        found = moves.gather(fees=False)
        for leg in found:
            moves.hold(leg)
        _deliver(moves, found)
