"""Changing and calling off reservations: quotes, charges, deposits, stages."""

from __future__ import annotations

from typing import Any

import pytest
from commons_kit import do, refused
from town_kit import INSTANT, NOW, at, local, reached, reservation, surface, table, taken, town, venue, yen

from agentbench_env.world import Record, World, content_digest
from agentbench_tasks.reservations.domain.amendments import (
    BookingCancelReservation,
    BookingChangeReservation,
    BookingQuoteChange,
    BookingStageCancellation,
    ChangeQuote,
    occasion_of,
)
from agentbench_tasks.reservations.domain.booking_records import (
    CancellationStage,
    Deposit,
    Payment,
    Reservation,
)
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.terms import (
    ChangeRule,
    Charge,
    DepositRule,
    HeadcountRule,
    HeadcountStep,
    NoShow,
    Terms,
    Tier,
    free_until,
)
from agentbench_tasks.reservations.domain.venue import Notice, open_days

COURSE = SetMenu(
    "mnu_a",
    "ven_a",
    "pg_menu",
    "祝いコース",
    yen(8_800),
    ChargeRule(),
    PartyRange(),
    (),
    CutoffRule("days_before_at", 3, "17:00"),
    "",
)
FEWER = HeadcountRule(
    (
        HeadcountStep(4, CutoffRule("days_before_at", 3, "17:00")),
        HeadcountStep(1, CutoffRule("days_before_at", 1, "17:00")),
    ),
    Charge("pct", 50),
)
TIERS = (
    Tier(CutoffRule("days_before_at", 3, "21:00")),
    Tier(CutoffRule("days_before_at", 1, "21:00"), Charge("pct", 50)),
)
WHOLE = NoShow(Charge("pct", 100))


def terms(id: str = "trm_a", **fields: Any) -> Terms:
    return Terms(id, "ven_a", f"pg_{id}", **fields)


def twelve(*more: Record, now: str = "2026-10-22T10:00", **fields: Any) -> World:
    """A booking for twelve at half past six on Saturday the 24th."""
    tables = [table(f"tbl_{n}", 8, 14) for n in (7, 8)]
    booked = reservation(
        party_size=12, course_id="mnu_a", table_ids=("tbl_7",), terms_id="trm_a", terms_page_id="pg_trm_a", **fields
    )
    return town(*venue(surface(Route("instant", ""))), *tables, COURSE, booked, *more, now=now)


def quote(world: World, **arguments: Any) -> Any:
    return do(world, BookingQuoteChange, reservation_id="rsv_a", **arguments).result


def test_a_quote_depends_on_how_many_fewer_come_and_on_the_hour() -> None:
    world = twelve(terms(headcount=FEWER))
    eight, nine = quote(world, party_size=8), quote(world, party_size=9)
    assert (eight.possible_online, eight.charge.amount, eight.further_charge.amount) == (True, "17600", "17600")
    assert (nine.possible_online, nine.charge.amount, nine.terms_page_id) == (True, "0", "pg_trm_a")
    assert quote(world, party_size=9, at="2026-10-23T17:00").charge.amount == "0"
    assert quote(world, party_size=9, at="2026-10-23T17:01").charge.amount == "13200"
    assert quote(world, party_size=8, at="2026-10-21T17:00").charge.amount == "0"


def test_a_quote_is_stamped_and_states_its_charge() -> None:
    world = twelve(terms(headcount=FEWER))
    call = do(world, BookingQuoteChange, reservation_id="rsv_a", party_size=8)
    kept = world.get(ChangeQuote, call.result.quote_id)
    assert call.shown == {kept.id: ()}
    assert list(kept.facts(world).values()) == [17_600]
    cancelled = world.get(ChangeQuote, quote(world, cancel=True).quote_id)
    assert next(iter(cancelled.facts(world))).startswith("charge.rsv_a.cancel.")


def test_a_quote_says_what_cannot_be_done_online() -> None:
    notice = Notice("ntc", "ven_a", "pg_n", "2026-10-25", "2026-10-25", "all", "staff")
    records = venue(surface(), table("tbl_6", 5, 6), notice, reservation(table_ids=("tbl_1",)))
    world = town(*records, now="2026-10-22T10:00")
    assert quote(world, party_size=7).reason == "party_not_accepted"
    assert quote(world, start="2026-10-25T18:30").reason == "slot_gone"
    assert quote(world, start="2026-10-24T18:31").reason == "slot_gone"
    later = quote(world, start="2026-10-24T19:30")
    assert (later.possible_online, later.reason, later.charge.amount) == (True, "", "0")


@pytest.mark.parametrize("made_via", ["phone", "messenger", "mail", "concierge"])
def test_what_was_made_elsewhere_is_not_managed_online(made_via: Any) -> None:
    world = town(*venue(surface()), reservation(made_via=made_via))
    for tool in (BookingQuoteChange, BookingChangeReservation, BookingCancelReservation):
        assert refused(world, tool, reservation_id="rsv_a").code == "not_manageable_online"
    stage = {"reservation_id": "rsv_a", "execute_before": "2026-10-20T12:00"}
    assert refused(world, BookingStageCancellation, **stage).code == "not_manageable_online"


def test_a_venue_without_a_surface_is_not_managed_online() -> None:
    world = town(*venue(), reservation(made_via="aggregator"))
    assert refused(world, BookingQuoteChange, reservation_id="rsv_a").code == "not_manageable_online"


def test_what_is_over_or_cancelled_is_not_changed() -> None:
    world = town(*venue(surface()), reservation("rsv_a", "2026-10-08T18:30"), reservation("rsv_b", status="cancelled"))
    for id in ("rsv_a", "rsv_b"):
        assert refused(world, BookingChangeReservation, reservation_id=id).code == "not_manageable_online"
    assert refused(world, BookingCancelReservation, reservation_id="rsv_a").code == "not_manageable_online"
    assert refused(world, BookingCancelReservation, reservation_id="rsv_b").code == "already_cancelled"
    assert refused(world, BookingCancelReservation, reservation_id="rsv_x").code == "unknown_id"


# --- changing


def test_a_change_keeps_everything_that_it_does_not_name() -> None:
    world = twelve(terms(headcount=FEWER))
    before = world.get(Reservation, "rsv_a")
    changed = do(world, BookingChangeReservation, reservation_id="rsv_a", start="2026-10-24T20:00", party_size=9)
    row = world.get(Reservation, "rsv_a")
    assert (changed.effect, local(row.start), row.party_size, row.status) == (
        "commit",
        "2026-10-24T20:00",
        9,
        "confirmed",
    )
    assert (row.end - row.start, row.moves) == (before.end - before.start, 1)
    kept = ("reference", "guest_name", "notes", "seating", "course_id", "account_id", "deposit", "created_at")
    assert all(getattr(row, name) == getattr(before, name) for name in kept)
    assert reached(world) == [("change", "", "ven_a")]
    assert world.all(Payment) == []


def test_a_change_takes_the_charge_of_the_terms() -> None:
    world = twelve(terms(headcount=FEWER))
    do(world, BookingChangeReservation, reservation_id="rsv_a", party_size=8)
    assert [(row.kind, row.amount) for row in world.all(Payment)] == [("charge", yen(17_600))]
    assert [row[0] for row in reached(world)] == ["change", "payment"]


def test_a_change_to_what_is_already_so_happens_not_at_all() -> None:
    world = twelve(terms(headcount=FEWER))
    for same in ({}, {"party_size": 12}, {"start": "2026-10-24T18:30", "seating": "table", "notes": "窓側"}):
        assert do(world, BookingChangeReservation, reservation_id="rsv_a", **same).effect == "read"
    assert reached(world) == []
    assert world.journal == []


def test_new_notes_alone_move_no_table() -> None:
    world = twelve(terms())
    do(world, BookingChangeReservation, reservation_id="rsv_a", notes="車椅子1台")
    row = world.get(Reservation, "rsv_a")
    assert (row.notes, row.table_ids, row.moves) == ("車椅子1台", ("tbl_7",), 0)


def test_a_change_is_refused_for_what_the_slots_show() -> None:
    blocks = [taken(id, "2026-10-24T19:00", "2026-10-24T22:00") for id in ("tbl_2", "tbl_off")]
    world = town(*venue(surface(), *blocks), reservation(table_ids=("tbl_1",)), now=NOW)
    change = {"reservation_id": "rsv_a"}
    assert refused(world, BookingChangeReservation, **change, party_size=6).code == "slot_gone"
    assert refused(world, BookingChangeReservation, **change, party_size=7).code == "party_not_accepted"
    assert refused(world, BookingChangeReservation, **change, start="2026-10-24T22:30").code == "slot_gone"
    assert refused(world, BookingChangeReservation, **change, seating="sofa").code == "slot_gone"
    assert refused(world, BookingChangeReservation, **change, start="eight").code == "invalid_argument"
    do(world, BookingChangeReservation, **change, start="2026-10-24T19:00")
    assert world.get(Reservation, "rsv_a").table_ids == ("tbl_1",)


def test_the_terms_of_the_new_size_apply_afterwards() -> None:
    small = terms("trm_small", party=PartyRange(1, 9), tiers=TIERS, no_show=WHOLE)
    world = twelve(terms(party=PartyRange(10, 0)), small)
    do(world, BookingChangeReservation, reservation_id="rsv_a", party_size=9, start="2026-10-24T20:00")
    row = world.get(Reservation, "rsv_a")
    assert (row.terms_id, row.terms_page_id) == ("trm_small", "pg_trm_small")
    cutoff = free_until(small, occasion_of(world, row), open_days(world, "ven_a"))
    assert local(cutoff) == "2026-10-21T21:00"


def test_a_cutoff_in_hours_moves_with_the_start() -> None:
    rule = terms(tiers=(Tier(CutoffRule("hours_before", 24)),), no_show=WHOLE)
    world = twelve(rule, now=NOW)
    do(world, BookingChangeReservation, reservation_id="rsv_a", start="2026-10-24T20:00")
    occasion = occasion_of(world, world.get(Reservation, "rsv_a"))
    assert local(free_until(rule, occasion, open_days(world, "ven_a"))) == "2026-10-23T20:00"


def test_a_larger_party_may_need_a_step_that_it_did_not_need_before() -> None:
    routes = INSTANT, Route("instant", "", PartyRange(7, 8), steps=("card_hold",))
    world = town(*venue(surface(*routes)), reservation(table_ids=("tbl_1",)))
    changed = do(world, BookingChangeReservation, reservation_id="rsv_a", party_size=8).result
    assert changed.remaining_steps == ("card_hold",)
    again = do(world, BookingChangeReservation, reservation_id="rsv_a", start="2026-10-24T19:00").result
    assert again.remaining_steps == ("card_hold",)


def test_a_second_move_costs_what_the_first_did_not() -> None:
    rule = terms(change=ChangeRule(CutoffRule("hours_before", 24), Charge("per_head", 500), free_moves=1))
    world = twelve(rule, now=NOW)
    assert quote(world, start="2026-10-24T20:00").charge.amount == "0"
    do(world, BookingChangeReservation, reservation_id="rsv_a", start="2026-10-24T20:00")
    assert quote(world, start="2026-10-24T19:00").charge.amount == "6000"
    assert quote(world, party_size=13).charge.amount == "0"


def test_the_deposit_of_missing_heads_is_kept_or_given_back() -> None:
    lost = HeadcountRule((HeadcountStep(1, CutoffRule("days_before_at", 1, "17:00")),), Charge("pct", 100, "deposit"))
    rule = terms(deposit=DepositRule("charged", "per_head", 1_000), headcount=lost)
    paid = Deposit("charged", yen(12_000))
    world = twelve(rule, deposit=paid)
    in_time = quote(world, party_size=9)
    assert (in_time.charge.amount, in_time.deposit_returned.amount) == ("0", "3000")
    late = quote(world, party_size=9, at="2026-10-23T18:00")
    assert (late.charge.amount, late.deposit_kept.amount, late.further_charge.amount) == ("3000", "3000", "0")
    do(world, BookingChangeReservation, reservation_id="rsv_a", party_size=9)
    assert world.get(Reservation, "rsv_a").deposit == Deposit("charged", yen(9_000))
    assert [(row.kind, row.amount) for row in world.all(Payment)] == [("refund", yen(3_000))]


# --- calling off


def test_cancelling_in_time_costs_nothing_and_frees_the_table() -> None:
    world = twelve(terms(tiers=TIERS, no_show=WHOLE), now="2026-10-21T21:00")
    done = do(world, BookingCancelReservation, reservation_id="rsv_a")
    assert (done.effect, done.result.charge.amount, done.result.reservation.status) == ("commit", "0", "cancelled")
    assert reached(world) == [("cancellation", "", "ven_a")]
    assert world.all(Payment) == []


def test_cancelling_late_takes_the_charge() -> None:
    world = twelve(terms(tiers=TIERS, no_show=WHOLE), now="2026-10-21T21:01")
    assert do(world, BookingCancelReservation, reservation_id="rsv_a").result.charge.amount == "52800"
    assert [(row.kind, row.amount) for row in world.all(Payment)] == [("charge", yen(52_800))]
    assert [row[0] for row in reached(world)] == ["cancellation", "payment"]


def test_a_deposit_is_set_off_and_the_rest_given_back() -> None:
    half = (
        Tier(CutoffRule("days_before_at", 2, "21:00")),
        Tier(CutoffRule("day_start", 0), Charge("pct", 50, "deposit")),
    )
    rule = terms(
        deposit=DepositRule("charged", "per_head", 1_000), tiers=half, no_show=NoShow(Charge("per_head", 3_000))
    )
    world = twelve(rule, deposit=Deposit("charged", yen(12_000)), now="2026-10-22T21:00")
    free = quote(world, cancel=True)
    assert (free.charge.amount, free.deposit_returned.amount) == ("0", "12000")
    late = quote(world, cancel=True, at="2026-10-22T21:01")
    assert (late.charge.amount, late.deposit_kept.amount, late.deposit_returned.amount) == ("6000", "6000", "6000")
    gone = quote(world, cancel=True, at="2026-10-24T19:00")
    assert (gone.charge.amount, gone.deposit_kept.amount, gone.further_charge.amount) == ("36000", "12000", "24000")
    world.elapsed_ms += 60_000
    do(world, BookingCancelReservation, reservation_id="rsv_a")
    assert [(row.kind, row.amount) for row in world.all(Payment)] == [("refund", yen(6_000))]


def test_without_terms_nothing_is_charged() -> None:
    world = town(*venue(surface()), reservation())
    assert quote(world, cancel=True).charge.amount == "0"
    assert do(world, BookingCancelReservation, reservation_id="rsv_a").result.charge.amount == "0"


def test_a_stage_quotes_the_charge_at_its_end_and_reaches_nobody() -> None:
    world = twelve(terms(tiers=TIERS, no_show=WHOLE), now="2026-10-20T10:00")

    def stage(before: str) -> Any:
        return do(world, BookingStageCancellation, reservation_id="rsv_a", execute_before=before)

    made = stage("2026-10-21T21:00")
    assert (made.effect, made.result.charge_by_then.amount) == ("draft", "0")
    assert stage("2026-10-21T21:01").result.charge_by_then.amount == "52800"
    kept = world.get(CancellationStage, made.result.stage_id)
    assert (kept.reservation_id, kept.execute_before) == ("rsv_a", at("2026-10-21T21:00"))
    assert kept.binds
    assert content_digest(kept)
    assert world.get(Reservation, "rsv_a").status == "confirmed"
    assert reached(world) == []
    past = {"reservation_id": "rsv_a", "execute_before": "2026-10-20T09:59"}
    assert refused(world, BookingStageCancellation, **past).code == "in_the_past"
    assert stage("2026-10-20T10:00").result.execute_before.local == "2026-10-20T10:00"
