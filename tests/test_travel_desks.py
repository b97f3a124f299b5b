"""Places to stay and their rates, places to visit and the way there, and what desks say."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from travel_kit import Desk
from travel_worlds import DATES, lodging, terrain

from agentbench_env.claims import sources_fault
from agentbench_env.market import shared_table
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.texts import body_of, span_of
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase, BookingQuote
from agentbench_tasks.travel.domain.ground import (
    GroundBook,
    GroundGetPlace,
    GroundGetRoute,
    GroundSearchPlaces,
    band_at,
    service_minute,
    wait_at,
)
from agentbench_tasks.travel.domain.records import Booking
from agentbench_tasks.travel.domain.records_ground import PlaceDay, RouteTime, Ticket
from agentbench_tasks.travel.domain.records_stays import ListingSection, Rate
from agentbench_tasks.travel.domain.stays import StayGetListing, StayListRates, StaySearchProperties

NIGHTS: dict[str, Any] = {"checkin_on": DATES[0], "checkout_on": DATES[1], "adults": 2}


# --- texts


@pytest.mark.parametrize("language", ["ko", "ja", "zh-Hant", "th", "ar"])
def test_desks_speak_every_language(language: str) -> None:
    english = shared_table("text/en/travel_desks")["messages"]
    local = shared_table(f"text/{language}/travel_desks")["messages"]
    assert {kind: slot_names(text) for kind, text in local.items()} == {
        kind: slot_names(text) for kind, text in english.items()
    }
    assert not set(local.values()) & set(english.values())


# --- stays: search


def found(desk: Desk, **arguments: Any) -> list[str]:
    return [row.property_id for row in desk.do(StaySearchProperties(city_id="SIN", **NIGHTS | arguments)).properties]


def test_the_search_lists_houses_with_prices_as_shown() -> None:
    desk = Desk(*lodging())
    result = desk.do(StaySearchProperties(city_id="SIN", **NIGHTS))
    assert [(row.property_id, row.from_price.amount) for row in result.properties] == [
        ("prp_1", "380.00"),
        ("prp_2", ""),
        ("prp_3", "210.00"),
    ]
    assert (result.total, result.next_page_token) == (4, "p3")
    assert found(desk, page_token="p3") == ["prp_4"]
    assert desk.ep.carries("prp_1", "prp_1.class", 4)
    assert not desk.ep.carries("prp_1", "prp_1.checkin_until", "22:00")


def test_the_search_filters_and_sorts() -> None:
    desk = Desk(*lodging(), page_size=9)
    assert found(desk, district_id="dst_b") == ["prp_3", "prp_4"]
    assert found(desk, class_min=4) == ["prp_1", "prp_3"]
    assert found(desk, accessible_icon=True) == ["prp_1"]
    assert found(desk, keyword="FAMILY house 1") == ["prp_1"]
    assert found(desk, sort="class") == ["prp_3", "prp_1", "prp_2", "prp_4"]
    assert found(desk, sort="price") == ["prp_3", "prp_1", "prp_2", "prp_4"]
    # Three do not fit into the twin, so that the house is dearer for them.
    by_house = desk.do(StaySearchProperties(city_id="SIN", **NIGHTS | {"child_ages": [4]})).properties
    assert [row.from_price.amount for row in by_house] == ["540.00", "", "210.00", ""]


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"city_id": "XXX"}, "unknown_id", "city_id"),
        ({"keyword": "castle"}, "no_results", ""),
        ({"checkout_on": DATES[0]}, "invalid_argument", "checkout_on"),
        ({"checkout_on": "2027-01-01"}, "invalid_argument", "checkout_on"),
        ({"checkin_on": "soon"}, "invalid_argument", "checkin_on"),
        ({"child_ages": [18]}, "invalid_argument", "child_ages.0"),
    ],
)
def test_the_search_refuses(arguments: dict[str, Any], error: str, field: str) -> None:
    call = {"tool": "stay_search_properties", "arguments": {"city_id": "SIN", **NIGHTS, **arguments}}
    body = Desk(*lodging()).refused(call)
    assert (body["error"], body["field"]) == (error, field)
    assert body["message"]


# --- stays: listings


def test_a_listing_has_the_house_at_its_head_and_the_sections_of_one_part() -> None:
    desk = Desk(*lodging(), page_size=9)
    listing = desk.do(StayGetListing(property_id="prp_1", section="access", room_type_id="rmt_1", language="en"))
    assert [row.section_id for row in listing.sections] == ["sec_house", "sec_room"]
    assert (listing.house.official_class, listing.house.checkin.closes, listing.house.page_ids) == (
        4,
        "22:00",
        ["pg_house"],
    )
    assert [(room.room_type_id, room.max_guests) for room in listing.house.rooms] == [("rmt_1", 2), ("rmt_2", 4)]
    assert desk.ep.carries("prp_1", "prp_1.checkin_until", "22:00")
    everything = desk.do(StayGetListing(property_id="prp_1", section="access"))
    assert [row.section_id for row in everything.sections] == ["sec_house", "sec_room", "sec_other", "sec_ko"]


def test_a_section_that_was_replaced_stays_readable_beside_the_one_in_force() -> None:
    desk = Desk(*lodging())
    old, new = desk.do(StayGetListing(property_id="prp_1", section="factsheet")).sections
    assert (old.replaces, new.replaces) == ([], ["sec_old"])
    assert sources_fault(desk.ep, ["sec_new", "sec_old"], [("rmt_1.bath_door_clear_cm", "74")]) == ""
    assert sources_fault(desk.ep, ["sec_old"], [("rmt_1.bath_door_clear_cm", "74")])
    section = desk.world.get(ListingSection, "sec_new")
    start, end = span_of(section.text, section.stated[0])
    assert body_of(section.text)[start:end] == "74 cm"
    assert "74 cm" in new.text


def test_listings_come_in_pages_and_reviews_are_guests_words() -> None:
    desk = Desk(*lodging())
    first = desk.do(StayGetListing(property_id="prp_1", section="qa"))
    assert ([row.section_id for row in first.sections], first.total) == (["sec_qa0", "sec_qa1", "sec_qa2"], 4)
    second = desk.do(StayGetListing(property_id="prp_1", section="qa", page_token=first.next_page_token))
    assert [row.section_id for row in second.sections] == ["sec_qa3"]
    reviews = desk.do(StayGetListing(property_id="prp_1", section="reviews", language="ko")).reviews
    assert [(row.review_id, row.score, row.text) for row in reviews] == [("rev_2", "7.0", "넓어요")]


def test_listings_refuse() -> None:
    desk = Desk(*lodging())
    for arguments, error, field in (
        ({"property_id": "prp_x", "section": "access"}, "unknown_id", "property_id"),
        ({"property_id": "prp_1", "section": "access", "room_type_id": "rmt_4"}, "unknown_id", "room_type_id"),
        ({"property_id": "prp_1", "section": "fees"}, "no_section", ""),
        ({"property_id": "prp_2", "section": "reviews"}, "no_section", ""),
        ({"property_id": "prp_1", "section": "menu"}, "invalid_argument", "section"),
    ):
        body = desk.refused({"tool": "stay_get_listing", "arguments": arguments})
        assert (body["error"], body["field"]) == (error, field)


# --- stays: rates


def test_rates_are_listed_by_night_as_each_channel_shows_them() -> None:
    desk = Desk(*lodging())
    rates = desk.do(StayListRates(property_id="prp_1", **NIGHTS)).rates
    assert [row.rate_id for row in rates] == ["rate_1", "rate_2", "rate_6"]
    assert [(night.day, night.shown.amount) for night in rates[0].nights] == [
        ("2026-10-09", "180.00"),
        ("2026-10-10", "200.00"),
    ]
    assert (rates[0].outside, rates[1].included, rates[1].channel) == (["service", "vat"], ["vat"], "Roomly")
    assert (rates[0].hold, rates[1].hold, rates[1].channel_page_ids) == ("free", "none", ["pg_agency"])
    assert rates[2].sale_opens == "2026-09-20T00:00"
    assert desk.ep.carries("rate_1", "rate_1.2026-10-10.shown", "200.00 SGD")
    by_agency = desk.do(StayListRates(property_id="prp_1", channel_id="org_agency", **NIGHTS)).rates
    assert [row.rate_id for row in by_agency] == ["rate_2"]


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"property_id": "prp_2"}, "sold_out", ""),
        ({"property_id": "prp_1", "adults": 5}, "sold_out", ""),
        ({"property_id": "prp_1", "checkin_on": "2026-10-10"}, "sold_out", ""),
        ({"property_id": "prp_x"}, "unknown_id", "property_id"),
        ({"property_id": "prp_1", "channel_id": "org_x"}, "unknown_id", "channel_id"),
    ],
)
def test_rates_are_refused(arguments: dict[str, Any], error: str, field: str) -> None:
    body = Desk(*lodging()).refused({"tool": "stay_list_rates", "arguments": NIGHTS | arguments})
    assert (body["error"], body["field"]) == (error, field)


def test_a_stay_is_quoted_as_shown_and_says_what_stands_outside() -> None:
    desk = Desk(*lodging())
    quote = desk.do(BookingQuote(object_id="rate_4", adults=2, child_ages=[1]))
    assert [(line.kind, line.label, line.amount) for line in quote.lines] == [
        ("night", "2026-10-09", "300.00"),
        ("night", "2026-10-10", "360.00"),
    ]
    assert (quote.total.amount, quote.outside, quote.carrier_code) == ("660.00", ["service", "vat"], "org_direct")
    assert quote.valid_until.local == "2026-09-08T16:00"
    assert desk.ep.carries(quote.quote_id, "rate_4.total", "660.00 SGD")


def test_a_stay_is_held_and_bought() -> None:
    desk = Desk(*lodging())
    quote = desk.do(BookingQuote(object_id="rate_1", adults=2)).quote_id
    hold = desk.do(BookingHold(quote_id=quote))
    assert (desk.last.effect, hold.expires_at.local, hold.object_id) == ("hold", "2026-09-09T10:00", "rate_1")
    assert not desk.outbound()
    bought = desk.do(BookingPurchase(hold_id=hold.hold_id, traveller_ids=["ppr_t"], card_id="pm_1"))
    assert (bought.kind, bought.items[0].object_id, bought.items[0].party) == ("stay", "rate_1", 2)
    assert desk.world.get(Rate, "rate_1").rooms_left == 1
    assert desk.ledger() == [("purchase", "380.00 SGD")]
    assert desk.outbound() == [("order", "org_direct", "380.00 SGD"), ("payment", "org_direct", "380.00 SGD")]


def test_a_room_is_gone_at_the_quote_or_at_the_hold() -> None:
    desk = Desk(*lodging())
    body = desk.refused(BookingQuote(object_id="rate_5", adults=2), meanwhile=1)
    assert (body["error"], body["hint"]) == ("sold_out", "rate_4")
    assert desk.world.get(Rate, "rate_5").rooms_left == 0
    quote = desk.do(BookingQuote(object_id="rate_4", adults=2)).quote_id
    assert desk.refused(BookingHold(quote_id=quote), meanwhile=1)["error"] == "sold_out"
    assert desk.refused(BookingHold(quote_id=quote))["error"] == "sold_out"
    assert desk.refused(StayListRates(property_id="prp_3", **NIGHTS))["error"] == "sold_out"
    assert not desk.world.all(Booking)


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"object_id": "rate_3"}, "sold_out", ""),
        ({"object_id": "rate_6"}, "not_on_sale", ""),
        ({"object_id": "rate_1", "adults": 3}, "invalid_argument", "adults"),
        ({"object_id": "rate_1", "bags": [{"kg": 20, "pieces": 1}]}, "invalid_argument", "bags"),
    ],
)
def test_a_stay_quote_is_refused(arguments: dict[str, Any], error: str, field: str) -> None:
    body = Desk(*lodging()).refused({"tool": "booking_quote", "arguments": {"adults": 2} | arguments})
    assert (body["error"], body["field"]) == (error, field)
    assert body["message"]


def test_an_agency_holds_nothing() -> None:
    desk = Desk(*lodging())
    quote = desk.do(BookingQuote(object_id="rate_2", adults=2)).quote_id
    assert desk.refused(BookingHold(quote_id=quote))["error"] == "hold_not_offered"


# --- the ground: places


def test_places_are_found_by_words_and_in_pages() -> None:
    desk = Desk(*terrain())
    museums = desk.do(GroundSearchPlaces(city_id="SIN", query="TIDE museum"))
    assert [(row.place_id, row.name) for row in museums.places] == [
        ("plc_1", "Tide Museum"),
        ("plc_3", "Tide Museum Annex"),
    ]
    everything = desk.do(GroundSearchPlaces(city_id="SIN", query=""))
    assert (len(everything.places), everything.total, everything.next_page_token) == (3, 4, "p3")
    assert desk.do(GroundSearchPlaces(city_id="SIN", query="castle")).total == 0
    assert desk.refused(GroundSearchPlaces(city_id="XXX", query=""))["field"] == "city_id"


def test_a_place_shows_its_day_and_notices() -> None:
    desk = Desk(*terrain())
    place = desk.do(GroundGetPlace(place_id="plc_1", on_date="2026-09-25"))
    assert (place.opens, place.closes, place.last_entry, place.breaks[0].opens) == ("09:30", "17:00", "16:30", "12:00")
    assert [(slot.at, slot.left) for slot in place.slots] == [("10:00", 5), ("11:00", 1)]
    assert (place.map_minutes[0].minutes, place.adult.amount, place.dwell_min) == (12, "12.00", 90)
    assert "closed on Thursday" in place.notices[0].text
    assert desk.ep.carries("sec_notice", "plc_1.weekly", "thursday")
    closed = desk.do(GroundGetPlace(place_id="plc_1", on_date="2026-09-24"))
    assert (closed.opens, closed.reason) == ("", "weekly closing")
    assert desk.ep.carries(closed.day_id, "plc_1.2026-09-24.opens", "closed")
    assert desk.refused(GroundGetPlace(place_id="plc_x", on_date="2026-09-24"))["field"] == "place_id"
    assert desk.refused(GroundGetPlace(place_id="plc_1", on_date="2026-12-24"))["field"] == "on_date"
    assert desk.refused(GroundGetPlace(place_id="plc_1", on_date="Friday"))["field"] == "on_date"


# --- the ground: ways


def ways(desk: Desk, depart_at: str, **arguments: Any) -> list[tuple[str, int, str]]:
    call = GroundGetRoute(from_id="prp_1", to_id="plc_1", depart_at=depart_at, **arguments)
    return [(row.route_id, row.wait_min, row.arrives.local) for row in desk.do(call).options]


def test_the_way_depends_on_the_hour() -> None:
    desk = Desk(*terrain())
    assert ways(desk, "2026-09-25T08:04") == [("rte_1", 6, "2026-09-25T08:51")]
    assert ways(desk, "2026-09-25T11:34:30") == [
        ("rte_5", 0, "2026-09-25T11:49"),
        ("rte_2", 6, "2026-09-25T12:04"),
        ("rte_4", 26, "2026-09-25T13:35"),
    ]
    assert ways(desk, "2026-09-26T00:35", mode="transit") == [("rte_3", 5, "2026-09-26T01:30")]
    assert desk.ep.carries("rte_2", "rte_2.minutes", 24)


@pytest.mark.parametrize(
    ("arguments", "error", "field"),
    [
        ({"depart_at": "2026-09-26T00:41"}, "no_service_at_hour", "depart_at"),
        ({"depart_at": "2026-09-26T16:20", "mode": "boat"}, "no_service_at_hour", "depart_at"),
        ({"from_id": "plc_1", "to_id": "prp_1"}, "no_service_at_hour", "depart_at"),
        ({"from_id": "rmt_1"}, "unknown_id", "from_id"),
        ({"to_id": "plc_x"}, "unknown_id", "to_id"),
        ({"depart_at": "2026-09-26"}, "invalid_argument", "depart_at"),
        ({"depart_at": "2026-09-26T10:00+09:00"}, "invalid_argument", "depart_at"),
        ({"depart_at": "9999-12-31T23:59"}, "invalid_argument", "depart_at"),
    ],
)
def test_a_way_is_refused(arguments: dict[str, Any], error: str, field: str) -> None:
    usual = {"from_id": "prp_1", "to_id": "plc_1", "depart_at": "2026-09-25T11:34"}
    body = Desk(*terrain()).refused({"tool": "ground_get_route", "arguments": usual | arguments})
    assert (body["error"], body["field"]) == (error, field)
    assert body["message"]


def test_the_day_of_service_ends_at_four() -> None:
    assert [service_minute(datetime(2026, 9, 26, hour)) for hour in (3, 4)] == [27 * 60, 4 * 60]
    bands = [band_at(minute) for minute in (240, 419, 420, 569, 570, 1019, 1020, 1170, 1350, 1679)]
    assert bands == ["early", "early", "peak", "peak", "day", "day", "peak", "evening", "late", "late"]


def test_the_last_departure_is_still_caught() -> None:
    (boat,) = [row for row in terrain() if isinstance(row, RouteTime) and row.mode == "boat"]
    assert [wait_at(boat, minute) for minute in (590, 600, 601, 960, 961, 971)] == [10, 0, 59, 0, -1, -1]


# --- the ground: tickets


def test_a_ticket_is_really_bought() -> None:
    desk = Desk(*terrain())
    call = GroundBook(place_id="plc_1", slot_at="2026-09-25T10:00", adults=2, child_ages=[8])
    ticket = desk.do(call)
    assert desk.last.effect == "commit"
    assert (ticket.paid.amount, ticket.persons, ticket.slot_at) == ("29.00", 3, "2026-09-25T10:00")
    assert [slot.left for slot in desk.world.get(PlaceDay, "pld_1").slots] == [2, 1]
    assert desk.ledger() == [("purchase", "29.00 SGD")]
    assert desk.outbound() == [("booking", "plc_1", "29.00 SGD")]
    assert desk.world.get(Ticket, ticket.ticket_id).object_id == "plc_1"
    assert desk.refused(call)["error"] == "sold_out"
    ride = desk.do(GroundBook(route_id="rte_2", adults=2))
    assert (ride.object_id, ride.paid.amount) == ("rte_2", "5.00")


def test_tickets_are_refused() -> None:
    desk = Desk(*terrain())
    for arguments, error, field in (
        ({}, "invalid_argument", "place_id"),
        ({"place_id": "plc_1", "route_id": "rte_1"}, "invalid_argument", "place_id"),
        ({"place_id": "plc_x"}, "unknown_id", "place_id"),
        ({"route_id": "rte_x"}, "unknown_id", "route_id"),
        ({"place_id": "plc_1"}, "invalid_argument", "slot_at"),
        ({"place_id": "plc_1", "slot_at": "10:00"}, "invalid_argument", "slot_at"),
        ({"place_id": "plc_1", "slot_at": "2026-09-25T12:00"}, "invalid_argument", "slot_at"),
        ({"place_id": "plc_1", "slot_at": "2026-09-24T10:00"}, "invalid_argument", "slot_at"),
        ({"place_id": "plc_1", "slot_at": "2026-09-25T11:00", "adults": 2}, "sold_out", "slot_at"),
    ):
        body = desk.refused({"tool": "ground_book", "arguments": {"adults": 1} | arguments})
        assert (body["error"], body["field"]) == (error, field)
    assert (desk.ledger(), desk.outbound()) == ([], [])
