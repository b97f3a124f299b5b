"""Changes and cancellations of bookings: priced first, and then really made."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from travel_kit import Desk
from travel_worlds import NOW, bookings, sgd

from agentbench_env.approval import binding_digest
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.travel.domain.booking import BookingGet
from agentbench_tasks.travel.domain.change_prices import Target, admits, cancel_lines, change_lines
from agentbench_tasks.travel.domain.changes import (
    BookingCommitAction,
    BookingPriceCancel,
    BookingPriceChange,
)
from agentbench_tasks.travel.domain.records import BookedItem, Booking, Fare
from agentbench_tasks.travel.domain.records_changes import (
    BookingRules,
    CancelStep,
    ChangeStep,
    ItemRules,
    PricedAction,
)
from agentbench_tasks.travel.domain.records_stays import Rate

# --- the engine


@pytest.mark.parametrize(
    ("base", "charges", "kept", "fee", "persons", "back"),
    [
        (31800, 9400, 40, 0, 1, 28480),  # the share kept is 127.20, and the taxes come back
        (17400, 9400, 100, 2500, 1, 6900),
        (118000, 19200, 100, 5000, 2, 9200),
        (1200000, 0, 0, 0, 1, 1200000),
        (1001, 0, 50, 0, 1, 500),  # 500.5 is kept, rounded up
        (1000, 100, 100, 5000, 1, 0),  # never more than what would come back
    ],
)
def test_what_comes_back(base: int, charges: int, kept: int, fee: int, persons: int, back: int) -> None:
    lines = cancel_lines(0, ItemRules(base, charges, (), ()), CancelStep(0, kept, fee), persons)
    assert -sum(line.minor for line in lines) == back
    assert all(line.minor for line in lines)


@pytest.mark.parametrize(
    ("new", "step", "item", "lines"),
    [
        ((1180, 216), {"fee": 60}, {"follows_charges": False}, [("difference", 140), ("fee", 120)]),
        ((1180, 216), {"fee": 60}, {}, [("difference", 140), ("tax", 24), ("fee", 120)]),
        ((1000, 100), {"fee": 60}, {"fee_per_person": False}, [("fee", 60)]),
        ((1000, 100), {"fee": 0, "returns_difference": True}, {}, [("difference", -40), ("tax", -92)]),
        ((1180, 192), {"fee": 0, "collects_difference": False}, {}, []),
    ],
)
def test_what_a_change_costs(
    new: tuple[int, int], step: dict[str, Any], item: dict[str, Any], lines: list[Any]
) -> None:
    target = Target("L2J", "Flex", "2026-10-19", ("SIN", "NRT"), *new, "SGD")
    rules = ItemRules(1040, 192, (), (), **item)
    priced = change_lines(0, rules, ChangeStep(0, suppliers=("L2J",), **step), target, 2)
    assert [(line.kind, line.minor) for line in priced] == lines


def test_a_step_admits_what_its_limits_say() -> None:
    target = Target("L2J", "Flex", "2026-10-19", ("SIN", "NRT"), 0, 0, "SGD")
    limits: list[tuple[dict[str, Any], bool]] = [
        ({}, True),
        ({"suppliers": ("B2J",)}, False),
        ({"brands": ("Light",)}, False),
        ({"points": ("SIN", "NRT", "HND")}, True),
        ({"points": ("SIN", "HND")}, False),
        ({"from_date": "2026-10-19", "to_date": "2026-10-19"}, True),
        ({"from_date": "2026-10-20"}, False),
        ({"to_date": "2026-10-18"}, False),
    ]
    for limit, right in limits:
        assert admits(ChangeStep(0, 0, **{"suppliers": ("L2J",)} | limit), target) is right


# --- prices


def test_a_change_of_a_flight_is_priced_by_its_parts() -> None:
    desk = Desk(*bookings())
    priced = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_7"))
    assert desk.last.effect == "draft"
    assert [(line.kind, line.amount.amount) for line in priced.lines] == [("difference", "140.00"), ("fee", "120.00")]
    assert (priced.collect.amount, priced.refund.amount, priced.refund_form) == ("260.00", "0.00", "none")
    assert (priced.valid_until.local, priced.status) == ("2026-09-08T16:00", "live")
    assert desk.ep.carries(priced.priced_action_id, "bkg_air.change.fare_7.collect", "260.00 SGD")
    assert desk.ep.carries(priced.priced_action_id, "bkg_air.change.fare_7.fee", "120.00 SGD")
    assert {change.table for change in desk.last.changes} == {"PricedAction"}
    assert not desk.outbound()


def test_the_first_step_that_admits_the_target_prices_it() -> None:
    desk = Desk(*bookings())
    waived = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_1"))
    assert (waived.lines, waived.collect.amount) == ([], "0.00")
    desk.world.elapsed_ms = (23 * 24 + 1) * 3_600_000
    usual = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_1"))
    assert [(line.kind, line.amount.amount) for line in usual.lines] == [("fee", "120.00")]


def test_a_cancellation_is_priced_by_its_parts() -> None:
    desk = Desk(*bookings())
    priced = desk.do(BookingPriceCancel(booking_id="bkg_air", item_indexes=["0"]))
    assert [(line.kind, line.amount.amount) for line in priced.lines] == [
        ("base", "-624.00"),
        ("charges", "-136.00"),
        ("fee", "50.00"),
    ]
    assert (priced.refund.amount, priced.refund_form, priced.collect.amount) == ("710.00", "original", "0.00")
    assert desk.ep.carries(priced.priced_action_id, "bkg_air.cancel.0.refund", "710.00 SGD")
    credit = desk.do(BookingPriceCancel(booking_id="bkg_credit", item_indexes=["0", "0"]))
    assert (credit.refund.amount, credit.refund_form, credit.item_indexes) == ("380.00", "credit", [0])


@pytest.mark.parametrize(
    ("arguments", "error", "field", "hint"),
    [
        ({"booking_id": "bkg_x"}, "unknown_id", "booking_id", ""),
        ({"target_id": "fare_x"}, "unknown_id", "object_id", ""),
        ({"booking_id": "bkg_bare"}, "not_changeable", "booking_id", ""),
        ({"item_index": 1}, "not_changeable", "target_id", ""),
        ({"item_index": 2}, "invalid_argument", "item_index", "0, 1"),
        ({"item_index": -1}, "invalid_argument", "item_index", ""),
        ({"target_id": "fare_2"}, "not_changeable", "target_id", ""),
        ({"target_id": "fare_3"}, "deadline_passed", "", ""),
        ({"target_id": "fare_6"}, "fare_gone", "", "fare_2"),
        ({"target_id": "fare_5"}, "not_on_sale", "", "2026-10-01"),
        ({"target_id": "fare_8"}, "sold_out", "", ""),
        ({"booking_id": "bkg_far"}, "wrong_channel", "booking_id", "org_x"),
        ({"booking_id": "bkg_stay", "target_id": "rate_2"}, "wrong_channel", "target_id", "org_direct"),
        ({"booking_id": "bkg_stay", "target_id": "rate_4"}, "not_changeable", "target_id", ""),
        ({"booking_id": "bkg_stay", "target_id": "fare_7"}, "not_changeable", "target_id", ""),
    ],
)
def test_a_change_is_refused(arguments: dict[str, Any], error: str, field: str, hint: str) -> None:
    usual = {"booking_id": "bkg_air", "item_index": 0, "target_id": "fare_7"}
    body = Desk(*bookings()).refused({"tool": "booking_price_change", "arguments": usual | arguments})
    assert (body["error"], body["field"]) == (error, field)
    assert hint in body["hint"]
    assert body["message"]


@pytest.mark.parametrize(
    ("booking", "indexes", "error", "field"),
    [
        ("bkg_x", ["0"], "unknown_id", "booking_id"),
        ("bkg_bare", ["0"], "not_changeable", "booking_id"),
        ("bkg_far", ["0"], "wrong_channel", "booking_id"),
        ("bkg_air", ["0", "1"], "deadline_passed", ""),
        ("bkg_air", ["2"], "invalid_argument", "item_indexes"),
        ("bkg_air", ["x"], "invalid_argument", "item_indexes"),
        ("bkg_air", [], "invalid_argument", "item_indexes"),
        ("bkg_air", ["9" * 5000], "invalid_argument", "item_indexes.0"),
    ],
)
def test_a_cancellation_is_refused(booking: str, indexes: list[str], error: str, field: str) -> None:
    arguments = {"booking_id": booking, "item_indexes": indexes}
    body = Desk(*bookings()).refused({"tool": "booking_price_cancel", "arguments": arguments})
    assert (body["error"], body["field"]) == (error, field)


# --- acts


def paid(desk: Desk) -> int:
    return sum(booking.paid.minor for booking in desk.world.all(Booking))


def test_a_change_is_really_made() -> None:
    desk = Desk(*bookings())
    before = paid(desk)
    first = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_7")).priced_action_id
    other = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_1")).priced_action_id
    done = desk.do(BookingCommitAction(priced_action_id=first, card_id="pm_1"))
    assert desk.last.effect == "commit"
    assert [(item.object_id, item.party, item.status) for item in done.booking.items] == [
        ("svc_6", 2, "booked"),
        ("svc_2", 1, "booked"),
    ]
    assert done.booking.paid.amount == "1536.00"
    assert desk.ledger() == [("change_fee", "260.00 SGD")]
    assert desk.spent() == paid(desk) - before
    assert desk.outbound() == [("change", "org_agency", "260.00 SGD"), ("payment", "org_agency", "260.00 SGD")]
    assert {row.cause_step for row in desk.world.all(Outbound)} == {desk.last.index}
    assert desk.world.get(Fare, "fare_7").seats == 2
    assert desk.world.get(BookingRules, "bkr_1").items[0].base == 118_000
    assert desk.world.get(PricedAction, first).status(NOW) == "committed"
    # The other price was made for what is no longer booked.
    for action in (first, other):
        assert desk.refused(BookingCommitAction(priced_action_id=action))["error"] == "expired"
    again = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_7"))
    assert [(line.kind, line.amount.amount) for line in again.lines] == [("fee", "120.00")]


def test_a_free_change_moves_no_money() -> None:
    desk = Desk(*bookings())
    action = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_1")).priced_action_id
    done = desk.do(BookingCommitAction(priced_action_id=action))
    assert (done.ledger, desk.ledger()) == ([], [])
    assert desk.outbound() == [("change", "org_agency", "0.00 SGD")]


def test_a_stay_is_moved_to_other_nights() -> None:
    desk = Desk(*bookings())
    action = desk.do(BookingPriceChange(booking_id="bkg_stay", item_index=0, target_id="rate_7"))
    assert [(line.kind, line.amount.amount) for line in action.lines] == [("difference", "40.00")]
    desk.do(BookingCommitAction(priced_action_id=action.priced_action_id))
    assert desk.do(BookingGet(booking_id="bkg_stay")).items[0].object_id == "rate_7"
    assert desk.world.get(Rate, "rate_7").rooms_left == 1


def test_a_cancellation_is_really_made() -> None:
    desk = Desk(*bookings())
    before = paid(desk)
    action = desk.do(BookingPriceCancel(booking_id="bkg_air", item_indexes=["0"])).priced_action_id
    done = desk.do(BookingCommitAction(priced_action_id=action))
    assert [item.status for item in done.booking.items] == ["cancelled", "booked"]
    assert done.booking.paid.amount == "566.00"
    # The price comes back, and what is kept of it is taken: 710.00 in all.
    assert [(row.kind, row.amount.amount) for row in done.ledger] == [("refund", "1176.00"), ("cancel_fee", "466.00")]
    assert desk.spent() == paid(desk) - before
    assert desk.outbound() == [("cancellation", "org_agency", "710.00 SGD")]
    assert desk.refused(BookingPriceCancel(booking_id="bkg_air", item_indexes=["0"]))["error"] == "invalid_argument"
    change = BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_7")
    assert desk.refused(change)["hint"] == "booked items: 1"


def test_a_credit_moves_no_money() -> None:
    desk = Desk(*bookings())
    action = desk.do(BookingPriceCancel(booking_id="bkg_credit", item_indexes=["0"])).priced_action_id
    done = desk.do(BookingCommitAction(priced_action_id=action))
    assert (done.ledger, done.booking.paid.amount, done.booking.items[0].status) == ([], "380.00", "cancelled")
    assert desk.outbound() == [("cancellation", "org_direct", "380.00 SGD")]


def test_an_offer_in_a_mail_is_an_action_like_any_other() -> None:
    zero = sgd("0")
    items = (BookedItem("rate_1", 2),)
    voucher = PricedAction(
        "pra_mail", "bkg_stay", "cancel", (0,), items, "", (), zero, sgd("100.00"), "credit", NOW, NOW + 7200
    )
    desk = Desk(*bookings(), voucher)
    desk.do(BookingCommitAction(priced_action_id="pra_mail"))
    assert desk.world.get(Booking, "bkg_stay").items[0].status == "cancelled"
    assert desk.outbound() == [("cancellation", "org_direct", "100.00 SGD")]


def test_acts_are_refused() -> None:
    desk = Desk(*bookings())
    action = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_7")).priced_action_id
    for arguments, error, field in (
        ({"priced_action_id": "pra_x"}, "unknown_id", "priced_action_id"),
        ({"card_id": "pm_x"}, "unknown_id", "card_id"),
        ({"card_id": "pm_2"}, "payment_declined", "card_id"),
    ):
        body = desk.refused({"tool": "booking_commit_action", "arguments": {"priced_action_id": action} | arguments})
        assert (body["error"], body["field"]) == (error, field)
    target = desk.world.get(Fare, "fare_7")
    desk.world.put(msgspec.structs.replace(target, seats=1))
    assert desk.refused(BookingCommitAction(priced_action_id=action))["error"] == "sold_out"
    desk.world.put(target)
    desk.world.elapsed_ms += 7 * 3_600_000
    late = desk.refused(BookingCommitAction(priced_action_id=action))
    assert late["error"] == "expired"
    assert "2026-09-08T16:00" in late["message"]
    assert (desk.ledger(), desk.outbound()) == ([], [])


def test_an_approval_binds_to_the_price() -> None:
    desk = Desk(*bookings())
    action = desk.do(BookingPriceChange(booking_id="bkg_air", item_index=0, target_id="fare_7")).priced_action_id
    arguments = BookingCommitAction(priced_action_id=action).canonical_arguments()
    binding = binding_digest("booking_commit_action", arguments, desk.world)
    desk.world.put(msgspec.structs.replace(desk.world.get(PricedAction, action), collect=sgd("1.00")))
    assert binding_digest("booking_commit_action", arguments, desk.world) != binding
