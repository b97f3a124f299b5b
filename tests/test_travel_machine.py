"""Quotes, holds, releases and purchases in any order: what always holds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from travel_kit import Desk
from travel_worlds import flights, lodging

from agentbench_env.tool import Tool
from agentbench_env.world import content_digest
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase, BookingQuote, BookingReleaseHold
from agentbench_tasks.travel.domain.records import Booking, Fare, FareHold, LedgerLine, Quote
from agentbench_tasks.travel.domain.records_stays import Rate


class BookingMachine(RuleBasedStateMachine):
    """Quotes, holds, releases and purchases in any order, on two fares, one vanishing fare and two rates."""

    objects = st.sampled_from(["fare_1", "fare_2", "fare_3", "fare_8", "rate_1", "rate_4", "rate_5"])
    pick = st.integers(0, 99)

    def __init__(self) -> None:
        super().__init__()
        self.desk = Desk(*{record.id: record for record in (*flights(), *lodging())}.values())
        self.quotes: dict[str, str] = {}
        self.holds: list[str] = []
        self.errors: Counter[str] = Counter()

    def attempt(self, call: Tool) -> Any:
        before = len(self.desk.world.journal)
        turn = self.desk.ep.step(call)
        if turn.is_error:
            code = msgspec.json.decode(turn.content)["error"]
            self.errors[code] += 1
            assert code in {"fare_gone", "sold_out", "hold_not_offered", "quote_expired", "hold_not_active"}
            assert len(self.desk.world.journal) - before == len(self.desk.last.changes) <= 1
            return None
        return msgspec.json.decode(turn.content)

    @rule(id=objects, adults=st.integers(1, 2))
    def quote(self, id: str, adults: int) -> None:
        done = self.attempt(BookingQuote(object_id=id, adults=adults))
        if done:
            self.quotes[done["quote_id"]] = content_digest(self.desk.world.get(Quote, done["quote_id"]))

    @precondition(lambda self: self.quotes)
    @rule(number=pick, with_card=st.booleans())
    def hold(self, number: int, with_card: bool) -> None:
        quote = list(self.quotes)[number % len(self.quotes)]
        done = self.attempt(BookingHold(quote_id=quote, guarantee_card_id="pm_1" if with_card else ""))
        if done:
            self.holds.append(done["hold_id"])

    @precondition(lambda self: self.holds)
    @rule(number=pick)
    def release(self, number: int) -> None:
        self.attempt(BookingReleaseHold(hold_id=self.holds[number % len(self.holds)]))

    @precondition(lambda self: self.quotes)
    @rule(number=pick)
    def buy_quote(self, number: int) -> None:
        quote = list(self.quotes)[number % len(self.quotes)]
        self.attempt(BookingPurchase(quote_id=quote, traveller_ids=["ppr_t"], card_id="pm_1"))

    @precondition(lambda self: self.holds)
    @rule(number=pick)
    def buy_hold(self, number: int) -> None:
        hold = self.holds[number % len(self.holds)]
        self.attempt(BookingPurchase(hold_id=hold, traveller_ids=["ppr_t"], card_id="pm_1"))

    @rule(hours=st.sampled_from([1, 7, 25]))
    def wait(self, hours: int) -> None:
        self.desk.world.elapsed_ms += hours * 3_600_000

    @invariant()
    def money_adds_up(self) -> None:
        world = self.desk.world
        spent = sum(line.amount.minor for line in world.all(LedgerLine))
        due = sum(row.paid.minor for row in world.all(Booking)) + sum(hold.fee.minor for hold in world.all(FareHold))
        assert spent == due
        paid = sum(row.amount.minor for row in world.all(Outbound) if row.kind == "payment" and row.amount)
        assert paid == spent

    @invariant()
    def nothing_is_sold_twice(self) -> None:
        world = self.desk.world
        assert all(row.seats >= 0 for row in world.all(Fare))
        assert all(row.rooms_left >= 0 for row in world.all(Rate))

    @invariant()
    def a_hold_is_in_one_state_and_becomes_one_booking(self) -> None:
        world = self.desk.world
        states = Counter(hold.state for hold in world.all(FareHold))
        assert set(states) <= {"active", "released", "converted"}
        bought = [entry for entry in self.desk.ep.calls(BookingPurchase) if '"hold_id":""' not in entry.arguments]
        assert states["converted"] == len(bought)
        assert len(world.all(Booking)) == sum(1 for _ in self.desk.ep.calls(BookingPurchase))

    @invariant()
    def quotes_never_change(self) -> None:
        for id, digest in self.quotes.items():
            assert content_digest(self.desk.world.get(Quote, id)) == digest

    @invariant()
    def the_lineage_is_whole(self) -> None:
        self.desk.ep.lineage.verify()


TestBookingMachine = BookingMachine.TestCase
TestBookingMachine.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
