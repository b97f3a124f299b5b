"""Looking for transport, quoting, holding and buying it, and the private plan."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from travel_kit import TOOLS, Desk
from travel_worlds import at, bookings, fare, flights, named, service, sgd

from agentbench_env.approval import binding_digest
from agentbench_env.money import Money
from agentbench_env.tool import RESERVED_NAMES, Tool, description, input_schema
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import (
    QUOTE_LIFE_S,
    BookingGet,
    BookingHold,
    BookingPurchase,
    BookingQuote,
    BookingReleaseHold,
)
from agentbench_tasks.travel.domain.carriers import (
    AirsearchSearchOffers,
    CarrierGetService,
    CarrierSearchServices,
)
from agentbench_tasks.travel.domain.plan import PlanEntry, PlanSave
from agentbench_tasks.travel.domain.prices import quote_lines, takes_bag
from agentbench_tasks.travel.domain.records import (
    Booking,
    EventLog,
    Fare,
    FareHold,
    Plan,
    Quote,
    Tariff,
)

DAY = "2026-10-12"


# --- all tools


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_tool_can_be_called_by_every_model_api(tool: type[Tool]) -> None:
    schema = input_schema(tool)
    taken = {"arguments", "name", "effect", "run", "nested"}
    assert not taken & set(schema["properties"])
    assert tool.name not in RESERVED_NAMES
    assert description(tool).endswith(".")
    assert set(input_schema(tool, "flat")["properties"]) == set(schema["properties"])
    assert tool.latency_s > 0


def test_time_and_fees_pass_with_the_calls() -> None:
    desk = Desk(*flights())
    desk.do(AirsearchSearchOffers(origin="SIN", destination="TYO", depart_on=DAY, adults=1))
    desk.refused(CarrierGetService(carrier_code="L2J", service_id="svc_x"))
    assert desk.ep.elapsed_s == pytest.approx(2.8)
    assert desk.ep.fees_usd == pytest.approx(0.004)


# --- looking


def test_the_search_shows_cached_prices_without_dates_of_arrival() -> None:
    desk = Desk(*flights())
    found = desk.do(AirsearchSearchOffers(origin="SIN", destination="TYO", depart_on=DAY, adults=1))
    assert [row.fare_id for row in found.offers] == ["fare_4", "fare_2", "fare_3"]
    assert (found.total, found.next_page_token) == (4, "p3")
    row = found.offers[0]
    assert (row.dep, row.arr, row.shown_price.amount) == ("00:45", "09:00", "199.00")
    assert row.price_as_of.local == "2026-09-07T09:00"
    assert found.coverage.note
    second = desk.do(AirsearchSearchOffers(origin="SIN", destination="TYO", depart_on=DAY, adults=1, page_token="p3"))
    assert [row.fare_id for row in second.offers] == ["fare_1"]
    by_time = AirsearchSearchOffers(origin="SIN", destination="NRT", depart_on=DAY, adults=1, sort="time", max_stops=0)
    assert [row.dep for row in desk.do(by_time).offers] == ["00:45", "00:45", "23:55"]
    assert set(desk.ep.shown) == {f"off_fare_{number}" for number in (1, 2, 3, 4)}


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"depart_on": "2026-10-11"}, "no_route", ""),
        ({"origin": "NRT", "destination": "SIN"}, "no_route", ""),
        ({"max_stops": 0, "destination": "HND"}, "no_route", ""),
        ({"origin": "XXX"}, "unknown_id", "origin"),
        ({"depart_on": "12 October"}, "invalid_argument", "depart_on"),
        ({"page_token": "p2"}, "invalid_argument", "page_token"),
        ({"adults": 0}, "invalid_argument", "adults"),
        ({"cabin": "first"}, "invalid_argument", "cabin"),
    ],
)
def test_the_search_refuses(arguments: dict[str, Any], error: str, field: str) -> None:
    usual = {"origin": "SIN", "destination": "TYO", "depart_on": DAY, "adults": 1}
    call = {"tool": "airsearch_search_offers", "arguments": usual | arguments}
    body = Desk(*flights()).refused(call)
    assert (body["error"], body["field"]) == (error, field)
    assert body["message"]


def test_an_airport_tells_its_minima_links_and_carriers() -> None:
    desk = Desk(*flights())
    info = desk.do(AirportGetInfo(code="NRT"))
    assert [(row.protected, row.minutes) for row in info.mct] == [(False, 120), (True, 60)]
    assert (info.links[0].to, info.links[0].minutes) == ("HND", 300)
    assert (info.directory[0].carrier_code, info.separate_tickets_note) == ("B2J", "pg_note")
    assert desk.ep.carries(info.point_id, "point.NRT.separate.same", 120)
    assert not desk.ep.carries(info.point_id, "point.NRT.separate.same", 60)
    assert desk.refused(AirportGetInfo(code="ZZZ"))["error"] == "unknown_id"


def test_a_carrier_lists_its_departures_with_dates_and_zones() -> None:
    desk = Desk(*flights())
    found = desk.do(CarrierSearchServices(carrier_code="B2J", origin="SIN", destination="TYO", depart_on=DAY, adults=1))
    assert [row.service_id for row in found.services] == ["svc_2", "svc_4"]
    first = found.services[0]
    assert (first.arr.local, first.arr.zone) == ("2026-10-12T09:00", "Asia/Tokyo")
    assert first.from_price.amount == "199.00"
    assert desk.ep.carries("svc_2", "svc_2.stops", 0)


def test_what_is_not_on_sale_yet_says_when_it_opens_and_by_which_rule() -> None:
    desk = Desk(*flights())
    body = desk.refused(
        CarrierSearchServices(carrier_code="L2J", origin="SIN", destination="NRT", depart_on="2027-01-10", adults=1)
    )
    assert body["error"] == "not_on_sale"
    assert "2026-10-01T10:00" in body["hint"]
    assert "pg_s" in body["hint"]
    assert desk.refused(BookingQuote(object_id="fare_5", adults=1))["error"] == "not_on_sale"


def test_a_carrier_refuses_an_unknown_code_and_a_route_that_it_does_not_serve() -> None:
    desk = Desk(*flights())
    there: dict[str, Any] = {"origin": "SIN", "destination": "TYO", "depart_on": DAY, "adults": 1}
    body = desk.refused(CarrierSearchServices(carrier_code="X9X", **there))
    assert (body["error"], body["field"]) == ("unknown_id", "carrier_code")
    back = {**there, "origin": "TYO", "destination": "SIN"}
    assert desk.refused(CarrierSearchServices(carrier_code="L2J", **back))["error"] == "no_route"
    idle = {**there, "depart_on": "2026-10-11"}
    assert desk.do(CarrierSearchServices(carrier_code="L2J", **idle)).services == []


def test_a_departure_shows_its_fares_with_charges_bags_and_seats() -> None:
    desk = Desk(*flights())
    detail = desk.do(CarrierGetService(carrier_code="L2J", service_id="svc_1"))
    (row,) = detail.fares
    assert [(charge.code, charge.amount.amount, charge.min_age) for charge in row.charges] == [
        ("AP", "65.20", 0),
        ("LV", "2.80", 12),
    ]
    assert (row.bag_included.kg, row.seats_left, row.refundable, detail.page_ids) == (23, 4, True, ["pg_pay"])
    assert desk.ep.carries("fare_1", "fare_1.cabin", "economy")
    closed = desk.do(CarrierGetService(carrier_code="B2J", service_id="svc_2")).fares[2]
    assert (closed.seats_left, closed.on_sale) == (0, False)
    assert desk.refused(CarrierGetService(carrier_code="B2J", service_id="svc_1"))["field"] == "service_id"


# --- quotes


def test_a_quote_adds_charges_bags_and_card_fee_for_the_party() -> None:
    desk = Desk(*flights())
    bags = [{"kg": 18, "pieces": 2}]
    quote = desk.do(BookingQuote(object_id="fare_2", adults=2, child_ages=[5], bags=bags, card_type="credit"))
    assert [(line.kind, line.code, line.amount) for line in quote.lines] == [
        ("fare", "Simple", "737.00"),  # 268 for each adult, 201 for the child
        ("charge", "AP", "195.60"),
        ("charge", "LV", "5.60"),  # not for a child under 12
        ("bag", "20", "116.00"),
        ("card_fee", "credit", "36.00"),
    ]
    assert (quote.total.amount, quote.hold, quote.hold_fee.amount) == ("1090.20", "paid", "9.00")
    assert (quote.valid_until.local, quote.status, quote.outside) == ("2026-09-08T10:55", "live", [])
    assert desk.last.effect == "draft"
    assert desk.ep.carries(quote.quote_id, "fare_2.total", "1090.20 SGD")
    assert not desk.world.all(Outbound)


def test_an_included_bag_costs_nothing_and_a_further_one_does() -> None:
    desk = Desk(*flights())
    totals = [
        desk.do(BookingQuote(object_id="fare_1", adults=1, bags=bags)).total.amount
        for bags in ([], [{"kg": 20, "pieces": 1}], [{"kg": 20, "pieces": 2}])
    ]
    assert totals == ["588.00", "588.00", "646.00"]
    free, tariff = fare("f", "svc_1", "B2J", bag_pieces=1, bag_kg=30), Tariff("t", "B2J", "SGD", (), 0, 0, 75, 24)
    assert takes_bag(free, tariff, 30)
    assert not takes_bag(free, tariff, 31)


def test_a_child_share_is_rounded_half_up_once() -> None:
    tariff = Tariff("t", "B2J", "SGD", (), 0, 0, 75, 24)
    lines, total = quote_lines(fare("f", "svc_1", "B2J", "10.02", charges=()), tariff, 1, (3, 4), (), "none")
    assert [line.minor for line in lines] == [1002 + 2 * 752]
    assert total == Money(2506, "SGD")


@pytest.mark.parametrize(
    ("arguments", "error", "field", "hint"),
    [
        ({"object_id": "fare_x"}, "unknown_id", "object_id", "fare_id"),
        ({"object_id": "svc_1"}, "unknown_id", "object_id", "fare_id"),
        ({"object_id": "fare_6"}, "fare_gone", "", "fare_2, fare_4"),
        ({"object_id": "fare_4", "adults": 3}, "sold_out", "", "fare_2"),
        ({"child_ages": [12]}, "invalid_argument", "child_ages", "2 to 11"),
        ({"bags": [{"kg": 25, "pieces": 1}]}, "bag_too_heavy", "bags", "20 kg"),
        ({"bags": [{"kg": 0, "pieces": 1}]}, "invalid_argument", "bags.0.kg", ""),
    ],
)
def test_a_quote_is_refused(arguments: dict[str, Any], error: str, field: str, hint: str) -> None:
    body = Desk(*flights()).refused(
        {"tool": "booking_quote", "arguments": {"object_id": "fare_2", "adults": 1} | arguments}
    )
    assert (body["error"], body["field"]) == (error, field)
    assert hint in body["hint"]
    assert body["message"]


# --- holds


def test_a_free_hold_reserves_and_reaches_nobody() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=1))
    hold = desk.do(BookingHold(quote_id=quote.quote_id))
    assert desk.last.effect == "hold"
    assert (hold.price.amount, hold.fee.amount, hold.state) == ("588.00", "0.00", "active")
    assert hold.expires_at.local == "2026-09-10T10:00"
    assert (desk.ledger(), desk.outbound()) == ([], [])
    assert desk.ep.carries(hold.hold_id, "fare_1.total", "588.00 SGD")


def test_a_paid_lock_is_a_purchase() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_2", adults=1))
    desk.do(BookingHold(quote_id=quote.quote_id, guarantee_card_id="pm_1"))
    assert desk.last.effect == "commit"
    assert desk.ledger() == [("hold_fee", "9.00 SGD")]
    assert desk.outbound() == [("payment", "B2J", "9.00 SGD")]


def test_a_card_makes_a_free_hold_binding() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=1))
    desk.do(BookingHold(quote_id=quote.quote_id, guarantee_card_id="pm_1"))
    assert (desk.last.effect, desk.ledger()) == ("commit", [])


def test_the_fare_is_gone_at_the_hold() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_4", adults=2))
    body = desk.refused(BookingHold(quote_id=quote.quote_id), meanwhile=1)
    assert (body["error"], body["hint"]) == ("fare_gone", "fare_2")
    assert not desk.world.get(Fare, "fare_4").open
    assert not desk.world.all(FareHold)
    assert desk.refused(BookingHold(quote_id=quote.quote_id))["error"] == "fare_gone"
    assert desk.refused(BookingQuote(object_id="fare_4", adults=1))["error"] == "fare_gone"


def test_holds_are_refused() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_3", adults=1))
    assert quote.hold == "none"
    assert desk.refused(BookingHold(quote_id=quote.quote_id))["error"] == "hold_not_offered"
    assert desk.refused(BookingHold(quote_id="quo_x"))["error"] == "unknown_id"
    full = desk.do(BookingQuote(object_id="fare_1", adults=1)).quote_id
    unknown = desk.refused(BookingHold(quote_id=full, guarantee_card_id="ppr_t"))
    assert (unknown["error"], unknown["field"]) == ("unknown_id", "guarantee_card_id")
    declined = desk.refused(BookingHold(quote_id=full, guarantee_card_id="pm_2"))
    assert (declined["error"], declined["field"]) == ("payment_declined", "guarantee_card_id")
    desk.world.elapsed_ms += QUOTE_LIFE_S * 1000 + 1000
    assert desk.refused(BookingHold(quote_id=full))["error"] == "quote_expired"
    assert (
        desk.refused(BookingPurchase(quote_id=full, traveller_ids=["ppr_t"], card_id="pm_1"))["error"]
        == "quote_expired"
    )


def test_a_hold_is_given_back_once() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=1))
    hold = desk.do(BookingHold(quote_id=quote.quote_id)).hold_id
    assert desk.do(BookingReleaseHold(hold_id=hold)).state == "released"
    assert desk.last.effect == "own"
    assert desk.refused(BookingReleaseHold(hold_id=hold))["error"] == "hold_not_active"
    assert desk.refused(BookingReleaseHold(hold_id=quote.quote_id))["error"] == "unknown_id"
    bought = BookingPurchase(hold_id=hold, traveller_ids=["ppr_t"], card_id="pm_1")
    assert desk.refused(bought)["error"] == "hold_not_active"


def test_a_hold_ends_by_itself() -> None:
    desk = Desk(*flights())
    hold = desk.do(BookingHold(quote_id=desk.do(BookingQuote(object_id="fare_2", adults=1)).quote_id)).hold_id
    desk.world.elapsed_ms += 24 * 3600 * 1000
    assert desk.refused(BookingReleaseHold(hold_id=hold))["error"] == "hold_not_active"


# --- purchases


def test_a_purchase_really_buys() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=2, card_type="credit"))
    bought = desk.do(BookingPurchase(quote_id=quote.quote_id, traveller_ids=["ppr_t"], card_id="pm_1"))
    assert desk.last.effect == "commit"
    record = desk.world.get(Booking, bought.booking_id)
    assert (record.by_user, record.paid, bought.paid) == (False, sgd("1176.00"), quote.total)
    assert [(item.object_id, item.party, item.status) for item in bought.items] == [("svc_1", 2, "booked")]
    assert desk.world.get(Fare, "fare_1").seats == 2
    assert desk.ledger() == [("purchase", "1176.00 SGD")]
    assert desk.outbound() == [("order", "L2J", "1176.00 SGD"), ("payment", "L2J", "1176.00 SGD")]
    rows = desk.world.all(Outbound)
    assert {row.cause_step for row in rows} == {desk.last.index}
    assert {row.subject_id for row in rows} == {bought.booking_id}
    assert desk.do(BookingGet(locator=bought.locator)) == desk.do(BookingGet(booking_id=bought.booking_id)) == bought


def test_a_hold_is_bought_at_its_price_after_the_quote_has_expired() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=1))
    hold = desk.do(BookingHold(quote_id=quote.quote_id)).hold_id
    desk.world.elapsed_ms += 2 * QUOTE_LIFE_S * 1000
    bought = desk.do(BookingPurchase(hold_id=hold, traveller_ids=["ppr_t"], card_id="pm_1"))
    assert bought.paid == quote.total
    assert desk.world.get(FareHold, hold).state == "converted"
    again = BookingPurchase(hold_id=hold, traveller_ids=["ppr_t"], card_id="pm_1")
    assert desk.refused(again)["error"] == "hold_not_active"


def test_purchases_are_refused() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=3)).quote_id
    usual: dict[str, Any] = {"quote_id": quote, "traveller_ids": ["ppr_t"], "card_id": "pm_1"}
    for change, error, field in (
        ({"quote_id": ""}, "invalid_argument", "quote_id"),
        ({"hold_id": "hld_x"}, "invalid_argument", "quote_id"),
        ({"quote_id": "quo_x"}, "unknown_id", "quote_id"),
        ({"card_id": "pm_x"}, "unknown_id", "card_id"),
        ({"card_id": "pm_2"}, "payment_declined", "card_id"),
        ({"traveller_ids": ["pm_1"]}, "unknown_id", "traveller_ids"),
        ({"traveller_ids": []}, "invalid_argument", "traveller_ids"),
    ):
        body = desk.refused({"tool": "booking_purchase", "arguments": usual | change})
        assert (body["error"], body["field"]) == (error, field)
    desk.do(BookingPurchase(**usual))
    assert desk.refused(BookingPurchase(**usual))["error"] == "sold_out"
    assert desk.ledger() == [("purchase", "1764.00 SGD")]


def test_a_booking_shows_its_channel_lines_and_terms() -> None:
    desk = Desk(*bookings())
    view = desk.do(BookingGet(locator="ABC123"))
    assert (view.channel_id, view.terms_page_id, view.terms_version) == ("org_agency", "pg_terms", "2026-01")
    assert [(line.code, line.amount) for line in view.lines] == [("Flex", "1040.00"), ("AP", "136.00")]
    assert desk.ep.carries("bkr_1", "bkg_air.terms_version", "2026-01")
    for call in (BookingGet(locator="XXX999"), BookingGet(booking_id="pm_1"), BookingGet()):
        assert desk.refused(call)["error"] == "unknown_id"


def test_an_approval_binds_to_the_quote() -> None:
    desk = Desk(*flights())
    quote = desk.do(BookingQuote(object_id="fare_1", adults=1)).quote_id
    arguments = BookingHold(quote_id=quote).canonical_arguments()
    binding = binding_digest("booking_hold", arguments, desk.world)
    desk.world.put(msgspec.structs.replace(desk.world.get(Quote, quote), total=sgd("1.00")))
    assert binding_digest("booking_hold", arguments, desk.world) != binding


# --- the plan


def entry(**fields: Any) -> PlanEntry:
    usual = {
        "kind": "leg",
        "start": "2026-10-12T00:45",
        "start_zone": "Asia/Singapore",
        "end": "2026-10-12T09:00",
        "end_zone": "Asia/Tokyo",
        "object_id": "fare_2",
    }
    return PlanEntry(**usual | fields)


def test_a_plan_is_replaced_as_a_whole_and_stays_private() -> None:
    desk = Desk(*flights())
    saved = desk.do(PlanSave(title="Trip", items=[entry(), entry(kind="stay")]))
    again = desk.do(
        PlanSave(title="Trip 2", items=[entry(ref_id="quo_1", price="406.00", currency="SGD")], plan_id=saved.plan_id)
    )
    assert (saved.items, again.items, again.revision, again.plan_id) == (2, 1, 2, saved.plan_id)
    (plan,) = desk.world.all(Plan)
    assert (plan.title, [(item.ref_id, item.price) for item in plan.items]) == ("Trip 2", [("quo_1", "406.00")])
    assert (desk.last.effect, desk.outbound()) == ("draft", [])
    assert desk.refused(PlanSave(title="x", items=[], plan_id="pln_x"))["field"] == "plan_id"
    wrong = {"tool": "plan_save", "arguments": {"title": "x", "items": [{"kind": "party"}]}}
    assert desk.refused(wrong)["field"].startswith("items.0")


def test_a_past_service_says_what_became_of_it() -> None:
    flown = service("svc_8", "L2J", "2026-09-01T08:00", "2026-09-01T16:00")
    late = EventLog(
        "evl_8",
        flown.id,
        "delayed",
        at("2026-09-01T11:00"),
        at("2026-09-01T19:05", "Asia/Tokyo"),
        "rotation",
        named("aircraft rotation"),
    )
    desk = Desk(*flights(), flown, late)
    (event,) = desk.do(CarrierGetService(carrier_code="L2J", service_id="svc_8")).events
    assert (event.status, event.act_arr.local, event.act_arr.zone) == ("delayed", "2026-09-01T19:05", "Asia/Tokyo")
    assert desk.ep.carries("evl_8", "svc_8.status", "delayed")
    assert desk.do(CarrierGetService(carrier_code="L2J", service_id="svc_1")).events == []
