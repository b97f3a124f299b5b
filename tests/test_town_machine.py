"""Holds, bookings, changes and cancellations in any order, in an episode: what always holds."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from town_kit import DAY, card, profile, reservation, surface, town, venue, yen

import agentbench_env as ab
from agentbench_env.episode import Episode, Options
from agentbench_env.instance import BriefText
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.reservations.domain import groups
from agentbench_tasks.reservations.domain.amendments import BookingCancelReservation, BookingChangeReservation
from agentbench_tasks.reservations.domain.booking_records import Deposit, Payment, Reservation, TableHold
from agentbench_tasks.reservations.domain.credentials import BookingPayDeposit
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.holds import BookingConfirmHold, BookingHoldSlot, BookingReleaseHold
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.terms import Charge, DepositRule, NoShow, Terms, Tier

REFUSALS = {
    "slot_gone",
    "party_not_accepted",
    "step_required",
    "no_such_step",
    "expired",
    "not_active",
    "not_manageable_online",
    "already_cancelled",
    "past_last_seating",
    "outside_window",
}


class Errand(ab.Task[None]):
    """A task without an aim."""

    tools = groups.ALL
    boundary = ()

    class Answer(ab.Answer):
        """Deliver the answer."""


class Instance:
    """As much of an instance as an episode needs."""

    key: ClassVar[str] = "town"
    case: ClassVar[None] = None
    sentences: ClassVar[dict[str, str]] = {}

    def __init__(self, world: World) -> None:
        self.task, self.world = Errand(), world

    def brief(self, prompt_language: str, boundary_notice: str, limits: object = None) -> BriefText:
        return BriefText("{}", ())


def episode(world: World) -> Episode:
    return Episode(Instance(world), Options(1e9, 10_000))  # type: ignore[arg-type]


def booking_world() -> World:
    deposit = Route("instant", "", PartyRange(5, 8), steps=("deposit",))
    half = Tier(CutoffRule("days_before_at", 1, "21:00"), Charge("pct", 50, "deposit"))
    terms = Terms(
        "trm",
        "ven_a",
        "pg_terms",
        DepositRule("charged", "per_head", 1_000),
        (Tier(CutoffRule("days_before_at", 3, "21:00")), half),
        NoShow(Charge("per_head", 3_000)),
        party=PartyRange(5, 0),
    )
    paid = reservation("rsv_0", f"{DAY}T18:30", 6, terms_id="trm", deposit=Deposit("charged", yen(6_000)))
    return town(*venue(surface(Route("instant", "", PartyRange(1, 4)), deposit), terms, paid), card(), profile())


class BookingMachine(RuleBasedStateMachine):
    """Everything that a booking engine does, in any order, on one evening."""

    starts = st.sampled_from([f"{DAY}T18:00", f"{DAY}T19:00", f"{DAY}T21:00", f"{DAY}T23:00"])
    parties = st.sampled_from([2, 4, 6, 8])
    pick = st.integers(0, 99)

    def __init__(self) -> None:
        super().__init__()
        self.ep = episode(booking_world())
        self.holds: list[str] = []
        self.booked = ["rsv_0"]

    def attempt(self, call: Tool) -> Any:
        before = len(self.ep.world.journal)
        turn = self.ep.step(call)
        body = msgspec.json.decode(turn.content)
        if turn.is_error:
            assert body["error"] in REFUSALS, body
            assert body["message"]
            assert len(self.ep.world.journal) == before
            return None
        return body

    @rule(start=starts, party_size=parties)
    def hold(self, start: str, party_size: int) -> None:
        before = self.ep.world.copy()
        done = self.attempt(
            BookingHoldSlot(venue_id="ven_a", start=start, party_size=party_size, guest_name="佐藤", seating="any")
        )
        clock = start[11:]
        query = BookingSearchSlots(venue_id="ven_a", on_date=DAY, party_size=party_size, from_time=clock, to_time=clock)
        other = episode(before)
        offered = {slot["status"] for slot in msgspec.json.decode(other.step(query).content)["slots"]}
        # Time passed with the hold: what had run out by then was still taken when the slots were asked for.
        assert done is None or offered <= {"open", "full"}
        assert done is not None or offered != {"open"}
        if done:
            self.holds.append(done["hold_id"])

    @precondition(lambda self: self.holds)
    @rule(number=pick)
    def release(self, number: int) -> None:
        self.attempt(BookingReleaseHold(hold_id=self.holds[number % len(self.holds)]))

    @precondition(lambda self: self.holds)
    @rule(number=pick)
    def pay(self, number: int) -> None:
        self.attempt(BookingPayDeposit(card_id="pm_visa", hold_id=self.holds[number % len(self.holds)]))

    @precondition(lambda self: self.holds)
    @rule(number=pick)
    def confirm(self, number: int) -> None:
        done = self.attempt(BookingConfirmHold(hold_id=self.holds[number % len(self.holds)]))
        if done:
            self.booked.append(done["reservation_id"])

    @rule(number=pick, start=starts, party_size=parties)
    def change(self, number: int, start: str, party_size: int) -> None:
        id = self.booked[number % len(self.booked)]
        self.attempt(BookingChangeReservation(reservation_id=id, start=start, party_size=party_size))

    @rule(number=pick)
    def cancel(self, number: int) -> None:
        self.attempt(BookingCancelReservation(reservation_id=self.booked[number % len(self.booked)]))

    @rule(hours=st.sampled_from([1, 30, 70]))
    def wait(self, hours: int) -> None:
        self.ep.world.elapsed_ms += hours * 3_600_000

    @invariant()
    def no_table_is_taken_twice(self) -> None:
        now = self.ep.world.now
        taken = [
            (table_id, row.start, row.end)
            for row in self.ep.world.all(Reservation)
            if row.status == "confirmed"
            for table_id in row.table_ids
        ]
        taken += [
            (table_id, hold.start, hold.end)
            for hold in self.ep.world.all(TableHold)
            if hold.status(now) == "active"
            for table_id in hold.table_ids
        ]
        for n, (table_id, start, end) in enumerate(taken):
            rest = taken[n + 1 :]
            assert not any(table_id == other and start < until and begin < end for other, begin, until in rest)

    @invariant()
    def deposits_are_paid_given_back_or_kept(self) -> None:
        moved = Counter[str]()
        for row in self.ep.world.all(Payment):
            assert row.amount.minor > 0
            moved[row.kind] += row.amount.minor
        held = sum(row.deposit.amount.minor for row in self.ep.world.all(Reservation))
        assert moved["refund"] <= 6_000 + moved["deposit"]
        assert held <= 6_000 + moved["deposit"]

    @invariant()
    def what_binds_went_out(self) -> None:
        kinds = Counter(row.kind for row in self.ep.world.all(Outbound))
        calls = Counter(entry.tool for entry in self.ep.lineage if entry.ok)
        assert kinds["booking"] == calls["booking_confirm_hold"]
        assert kinds["change"] <= calls["booking_change_reservation"]
        assert kinds["cancellation"] == calls["booking_cancel_reservation"]
        charged = [row for row in self.ep.world.all(Payment) if row.kind != "refund"]
        assert kinds["payment"] == len(charged)


BookingMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=25, deadline=None, derandomize=True)
TestBookings = BookingMachine.TestCase


def test_an_approval_binds_to_the_hold_as_it_stands() -> None:
    ep = episode(booking_world())
    held = msgspec.json.decode(
        ep.step(BookingHoldSlot(venue_id="ven_a", start=f"{DAY}T18:00", party_size=6, guest_name="佐藤")).content
    )
    confirm = BookingConfirmHold(hold_id=held["hold_id"])
    proposal = ep.proposal(confirm, "")
    assert [record.id for record in proposal.referred] == [held["hold_id"]]
    ep.step(BookingPayDeposit(card_id="pm_visa", hold_id=held["hold_id"]))
    assert ep.proposal(confirm, "").binding != proposal.binding
    ep.grant(ep.proposal(confirm, ""))
    assert not ep.step(confirm).is_error
    assert ep.lineage[len(ep.lineage) - 1].approval
