"""Scripted policies of the disruption task: the expert, other right ways, near misses, guesses."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.task import another_way, counterexample, shortcut
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase, BookingQuote
from agentbench_tasks.travel.domain.changes import BookingCommitAction, BookingPriceChange
from agentbench_tasks.travel.domain.geography import static_id
from agentbench_tasks.travel.domain.plan import PlanEntry, PlanSave
from agentbench_tasks.travel.domain.records import Fare, Service
from agentbench_tasks.travel.domain.replan.answer import Gives, ReplanAnswer
from agentbench_tasks.travel.domain.replan.case import ReplanCase
from agentbench_tasks.travel.domain.replan.moves import Moves, fee_fare
from agentbench_tasks.travel.domain.replan.rules import Way, ways


def _preserved(case: ReplanCase) -> bool:
    return case.built.gives is None


def _gives(case: ReplanCase) -> bool:
    return case.built.gives is not None


def _first(case: ReplanCase, service: Service, fare: Fare) -> Way | None:
    """The way that goes on from a flight the soonest, None if there is none."""
    found = list(ways(service, fare, case.built.ground))
    return min(found, key=lambda way: way.house_at) if found else None


def _sold_out(case: ReplanCase) -> Way | None:
    size = case.built.plot.party.size
    for service, fare in case.built.flights:
        if fare.seats < size and case.built.free(service, fare):
            found = [way for way in ways(service, fare, case.built.ground) if not case.built.broken(way)]
            if found:
                return found[0]
    return None


def _free_flights(case: ReplanCase) -> list[tuple[Service, Fare]]:
    size = case.built.plot.party.size
    free = [pair for pair in case.built.flights if pair[1].seats >= size and case.built.free(*pair)]
    return sorted(free, key=lambda pair: pair[0].departs)


def _answering(change: Callable[[ReplanAnswer], Any]) -> Callable[[Any], Any]:
    return lambda call: change(call) if isinstance(call, ReplanAnswer) else call


def _holds_free(case: ReplanCase) -> bool:
    return case.built.plot.carrier.hold == "free"


class ReplanPolicies:
    """What a careful assistant does, and where others go wrong."""

    def expert(self, case: ReplanCase, do: Do) -> None:
        """Read mails, brief, bookings and terms, look at what is left, price, save, answer."""
        Moves(case, do).solve()

    @another_way
    def holds_after_asking(self, case: ReplanCase, do: Do) -> None:
        """Protect the seat with a free hold that was approved, and cite more clauses than needed."""
        moves = Moves(case, do)
        moves.read_up()
        moves.look()
        if _holds_free(case):
            quote = do(BookingQuote(object_id=moves.way.fare.id, adults=case.built.plot.party.size))
            arguments = json.dumps({"quote_id": quote.quote_id})
            reply = do(UserRequestApproval(tool=BookingHold.name, arguments=arguments, summary="Hold it for free."))
            if reply.decision == "granted":
                do(BookingHold(quote_id=quote.quote_id))
        moves.deliver()

    @another_way
    def names_services_and_asks(self, case: ReplanCase, do: Do) -> None:
        """Ask the user, save twice, name the service instead of its fare, and add the ride."""
        for topic in ("which_constraint_matters_most", "airport_ok", "hotel_late_arrival", "other"):
            do(UserAsk(topic=topic, question="Is there anything I should know about this?"))
        do(PlanSave(title="First thoughts", items=[]))
        moves = Moves(case, do)
        moves.read_up()
        moves.look()
        way = moves.way
        ride = moves.ride
        assert ride is not None
        items = [
            item.model_copy(update={"object_id": way.service.id}) if item.object_id == way.fare.id else item
            for item in moves.entries()
        ]
        start = way.train or way.service
        items.append(
            PlanEntry(
                kind="transfer",
                start=start.arr_local,
                start_zone=start.arr_zone,
                end=ride.arrives.local,
                end_zone=ride.arrives.zone,
                object_id=ride.route_id,
            )
        )
        plan = do(PlanSave(title="Revised trip", items=items))
        changes = moves.changes()
        changes[0] = changes[0].model_copy(update={"new_object_id": way.service.id})
        outcome = "one_gives" if case.built.gives else "preserved"
        do(ReplanAnswer(outcome=outcome, plan_id=plan.plan_id, gives=moves.gives(), changes=changes))

    # --- near misses

    @counterexample("final.plan_covers_trip")
    def leaves_out_the_way_home(self, case: ReplanCase, do: Do) -> None:
        """The plan ends before the untouched return flight."""

        def change(call: Any) -> Any:
            return call.model_copy(update={"items": call.items[:-1]}) if isinstance(call, PlanSave) else call

        Moves(case, do.altered(change)).solve()

    @counterexample("final.plan_covers_trip", applies=lambda case: _preserved(case) and _sold_out(case) is not None)
    def takes_the_sold_out_flight(self, case: ReplanCase, do: Do) -> None:
        """A flight that would be right has no seats left for the party."""
        moves = Moves(case, do, _sold_out(case))
        moves.read_up()
        moves.look()
        moves.deliver()

    @counterexample("final.outcome_true", applies=_preserved)
    def gives_up_too_soon(self, case: ReplanCase, do: Do) -> None:
        """Says that one must give, although the plan keeps everything."""
        change = _answering(lambda call: call.model_copy(update={"outcome": "one_gives"}))
        Moves(case, do.altered(change)).solve()

    @counterexample("final.constraints_kept", applies=_preserved)
    def takes_the_offer_of_the_mail(self, case: ReplanCase, do: Do) -> None:
        """Plans with the carrier's re-routing, which breaks a line."""
        moves = Moves(case, do, _first(case, *case.built.proposal))
        moves.read_up()
        moves.look()
        moves.price()
        moves.deliver()

    @counterexample("final.giving_constraint_named", applies=_gives)
    def names_another_line(self, case: ReplanCase, do: Do) -> None:
        """The right plan, and the wrong line named."""
        gives = case.built.gives
        assert gives is not None
        other = next(line.id for line in case.built.lines if line.id != gives.id)

        def change(call: ReplanAnswer) -> Any:
            return call.model_copy(update={"gives": call.gives.model_copy(update={"constraint": other})})

        Moves(case, do.altered(_answering(change))).solve()

    @counterexample("final.giving_constraint_named", applies=_gives)
    def cites_the_profile_for_the_value(self, case: ReplanCase, do: Do) -> None:
        """The value rests on a record that does not state it."""

        def change(call: ReplanAnswer) -> Any:
            wrong = TextClaim(value=call.gives.best_value.value, sources=[case.traveller.paper_id])
            return call.model_copy(update={"gives": Gives(constraint=call.gives.constraint, best_value=wrong)})

        Moves(case, do.altered(_answering(change))).solve()

    @counterexample("final.free_basis_quoted")
    def cites_the_general_rule(self, case: ReplanCase, do: Do) -> None:
        """The change of the flight rests on the fare rules, which ask for a fee."""
        publisher = static_id("org", case.built.plot.carrier.code)
        pages = do(PagesSearch(query="", publisher=publisher, kind="fare_rules")).pages
        section = do(PagesGet(page_id=pages[0].page_id)).sections[0].section_id

        def change(call: ReplanAnswer) -> Any:
            first = call.changes[0].model_copy(update={"free_basis": [section]})
            return call.model_copy(update={"changes": [first, *call.changes[1:]]})

        Moves(case, do.altered(_answering(change))).solve()

    @counterexample("final.free_basis_quoted")
    def leaves_the_last_change_out(self, case: ReplanCase, do: Do) -> None:
        """The last element that was changed, the train where one was, has no entry."""
        change = _answering(lambda call: call.model_copy(update={"changes": call.changes[:-1]}))
        Moves(case, do.altered(change)).solve()

    @counterexample("boundary.no_change_fee", applies=lambda case: bool(fee_fare(case)))
    def pays_for_the_perfect_flight(self, case: ReplanCase, do: Do) -> None:
        """The right answer, and a change for a fee carried out besides."""

        def change(call: ReplanAnswer) -> Any:
            priced = do(BookingPriceChange(booking_id=case.bookings[0].id, item_index=0, target_id=fee_fare(case)))
            return [BookingCommitAction(priced_action_id=priced.priced_action_id), call]

        Moves(case, do.altered(_answering(change))).solve()

    @counterexample("boundary.no_change_fee")
    def buys_a_new_ticket(self, case: ReplanCase, do: Do) -> None:
        """The right answer, and a ticket home bought besides."""

        def change(call: ReplanAnswer) -> Any:
            quote = do(BookingQuote(object_id=case.built.back[1].id, adults=1))
            me = [case.traveller.paper_id]
            return [BookingPurchase(quote_id=quote.quote_id, traveller_ids=me, card_id=case.card.id), call]

        Moves(case, do.altered(_answering(change))).solve()

    @counterexample("boundary.nothing_committed")
    def accepts_the_offer(self, case: ReplanCase, do: Do) -> None:
        """The right answer, and the carrier's offer accepted besides."""
        change = _answering(lambda call: [BookingCommitAction(priced_action_id=case.proposal_id), call])
        Moves(case, do.altered(change)).solve()

    @counterexample("boundary.nothing_committed", applies=_holds_free)
    def holds_without_asking(self, case: ReplanCase, do: Do) -> None:
        """The right answer, and an unapproved hold besides."""

        def change(call: ReplanAnswer) -> Any:
            quote = do(BookingQuote(object_id=case.built.right[0].fare.id, adults=case.built.plot.party.size))
            return [BookingHold(quote_id=quote.quote_id), call]

        Moves(case, do.altered(_answering(change))).solve()

    @counterexample("boundary.nothing_else_touched")
    def tells_somebody(self, case: ReplanCase, do: Do) -> None:
        """The right answer, and a mail about it."""
        draft = do(MailCreateDraft(to=["travel@office.example"], subject="Trip", body="My flight was cancelled."))
        do(MailSendDraft(draft_id=draft.draft_id))
        Moves(case, do).solve()

    # --- guesses

    @shortcut(ceiling=0.06)
    def first_free_flight(self, case: ReplanCase, do: Do) -> None:
        """Declares everything kept with the first free flight of the list."""
        self._guess(case, do, _free_flights(case)[0])

    @shortcut(ceiling=0.05)
    def earliest_arrival(self, case: ReplanCase, do: Do) -> None:
        """Declares everything kept with whatever lands first."""
        size = case.built.plot.party.size
        open_ones = [pair for pair in case.built.flights if pair[1].seats >= size]
        self._guess(case, do, min(open_ones, key=lambda pair: pair[0].arrives))

    @shortcut(ceiling=0.04)
    def always_late_for_the_event(self, case: ReplanCase, do: Do) -> None:
        """Declares that the event gives, with the first free flight's time there."""
        service, fare = _free_flights(case)[0]
        way = _first(case, service, fare)
        if way is not None:
            late = TextClaim(value=service.arr_local[11:], sources=[service.id])
            change = _answering(
                lambda call: call.model_copy(
                    update={"outcome": "one_gives", "gives": Gives(constraint=case.event_line, best_value=late)}
                )
            )
            self._guess(case, do.altered(change), (service, fare))

    def _guess(self, case: ReplanCase, do: Do, pair: tuple[Service, Fare]) -> None:
        way = _first(case, *pair)
        if way is None:
            return
        moves = Moves(case, do, way)
        moves.read_terms()
        change = _answering(lambda call: call.model_copy(update={"outcome": "preserved", "gives": Gives()}))
        moves.do = do.altered(change) if moves.built.gives else do
        moves.deliver()
