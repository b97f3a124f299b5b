"""Small worlds of the travel domain, built by hand."""

from __future__ import annotations

from typing import Any

import agentbench_env as ab
from agentbench_env.world import Record
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import Stated, Text
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.records import (
    BookedItem,
    Booking,
    Carrier,
    Charge,
    Connection,
    DirectoryLine,
    Fare,
    Link,
    Offer,
    Point,
    QuoteLine,
    Service,
    Tariff,
)
from agentbench_tasks.travel.domain.records_changes import (
    BookingRules,
    CancelStep,
    ChangeStep,
    ItemRules,
    PortalForm,
)
from agentbench_tasks.travel.domain.records_ground import MapDistance, Place, PlaceDay, RouteTime, Slot
from agentbench_tasks.travel.domain.records_stays import (
    Area,
    Channel,
    Hours,
    ListingSection,
    Night,
    Property,
    Rate,
    Review,
    RoomType,
)

ZONE = "Asia/Singapore"
NOW = to_instant("2026-09-08T10:00", ZONE)


def sgd(amount: str) -> ab.Money:
    return ab.Money.of(amount, "SGD")


def at(local: str, zone: str = ZONE) -> int:
    return to_instant(local, zone)


def named(name: str) -> tuple[tuple[str, str], ...]:
    return (("en", name), ("ko", f"{name} (ko)"))


# --- flights

CARD = PaymentMethod("pm_1", "credit", "Merlion", "Everyday", "1234", "SG", "SGD")
OLD_CARD = PaymentMethod("pm_2", "credit", "Merlion", "Old one", "9999", "SG", "SGD", status="closed")
TRAVELLER = Paper("ppr_t", "traveller_profile", "Profile", "per_1", "Dana Lim", fields=(("passport", "K1234567X"),))
PASSPORT = Paper("ppr_p", "passport", "Passport", "per_1", "Dana Lim", data_classes=("travel_document",))


def point(code: str, city: str, zone: str, **fields: Any) -> Point:
    rest: dict[str, Any] = {"terminals": ("T1", "T3"), "mct": (), "links": (), "directory": (), **fields}
    return Point(f"pnt_{code}", code, "airport", city, zone[:2].upper(), zone, named(code), **rest)


def service(id: str, carrier: str, dep: str, arr: str, dest: str = "NRT", **fields: Any) -> Service:
    rest: dict[str, Any] = {"stops": 0, "on_sale_from": 0, "sale_page": "", **fields}
    departs, arrives = at(dep), at(arr, "Asia/Tokyo")
    return Service(
        id=id,
        carrier=carrier,
        number=f"{carrier} {id[-1]}",
        origin="SIN",
        dest=dest,
        departs=departs,
        arrives=arrives,
        dep_zone=ZONE,
        arr_zone="Asia/Tokyo",
        dep_terminal="T1",
        arr_terminal="T3",
        minutes=(arrives - departs) // 60,
        route=(carrier, "SIN", dest, dep[:10]),
        **rest,
    )


def fare(id: str, service_id: str, carrier: str, base: str = "268.00", **fields: Any) -> Fare:
    rest: dict[str, Any] = {
        "brand": "Simple",
        "cabin": "economy",
        "charges": (Charge("AP", named("Airport charge"), 6520, 0), Charge("LV", named("Levy"), 280, 12)),
        "bag_pieces": 0,
        "bag_kg": 0,
        "refundable": False,
        "seats": 4,
        **fields,
    }
    return Fare(id, service_id, carrier, base=sgd(base), **rest)


def flights() -> tuple[Record, ...]:
    """One day from SIN to Tokyo: a full carrier that holds free, a budget one that sells locks, one without holds."""
    nrt = point(
        "NRT",
        "TYO",
        "Asia/Tokyo",
        mct=(Connection(False, True, 120), Connection(True, True, 60)),
        links=(Link("HND", "coach", 300, "06:00", "22:00"),),
        directory=(DirectoryLine("HNL", "B2J", "T3", "no"),),
        note_page="pg_note",
    )
    services = (
        service("svc_1", "L2J", "2026-10-12T23:55", "2026-10-13T08:05"),
        service("svc_2", "B2J", "2026-10-12T00:45", "2026-10-12T09:00"),
        service("svc_3", "N3X", "2026-10-12T08:20", "2026-10-12T16:25", "HND", stops=1),
        service("svc_4", "B2J", "2026-10-12T06:00", "2026-10-12T14:00"),
        service(
            "svc_5",
            "L2J",
            "2027-01-10T08:00",
            "2027-01-10T16:00",
            on_sale_from=at("2026-10-01T10:00"),
            sale_page="pg_s",
        ),
        service("svc_6", "L2J", "2026-10-19T23:55", "2026-10-20T08:05"),
    )
    included = {"bag_pieces": 1, "bag_kg": 23, "brand": "Flex", "refundable": True}
    fares = (
        fare("fare_1", "svc_1", "L2J", "520.00", **included),
        fare("fare_2", "svc_2", "B2J"),
        fare("fare_3", "svc_3", "N3X", "300.00"),
        fare("fare_4", "svc_2", "B2J", "199.00", closes="first_hold", seats=2),
        fare("fare_5", "svc_5", "L2J", "400.00"),
        fare("fare_6", "svc_2", "B2J", "99.00", open=False),
        fare("fare_7", "svc_6", "L2J", "590.00", **included),
        fare("fare_8", "svc_4", "B2J", "150.00", closes="first_hold", seats=1),
    )
    bags = ((15, 4000), (20, 5800))
    tariffs = (
        Tariff("trf_1", "L2J", "SGD", bags, 0, 0, 75, 48),
        Tariff("trf_2", "B2J", "SGD", bags, 1200, 900, 75, 24),
        Tariff("trf_3", "N3X", "SGD", (), 500, 0, 75, 0),
    )
    offers = tuple(
        Offer(
            f"off_{f.id}",
            f.carrier,
            f"{f.carrier} 1",
            f.service_id,
            f.id,
            ("SIN", dest, "2026-10-12"),
            f.base,
            NOW - 90_000,
        )
        for f, dest in ((fares[0], "NRT"), (fares[1], "NRT"), (fares[2], "HND"), (fares[3], "NRT"))
    )
    return (
        point("SIN", "SIN", ZONE),
        nrt,
        point("HND", "TYO", "Asia/Tokyo"),
        Carrier("car_1", "L2J", named("Lumen Air"), "full", "en", True, "free", ("pg_pay",)),
        Carrier("car_2", "B2J", named("Bajet"), "budget", "en", False, "paid"),
        Carrier("car_3", "N3X", named("Noor"), "budget", "en", False, "none"),
        *services,
        *fares,
        *tariffs,
        *offers,
        CARD,
        OLD_CARD,
        TRAVELLER,
        PASSPORT,
    )


# --- stays

DATES = ("2026-10-09", "2026-10-11")
LAST_CHECKIN = Hours("15:00", "22:00")


def rate(id: str, house: str, room: str, channel: str = "org_direct", shown: str = "180.00", **fields: Any) -> Rate:
    rest: dict[str, Any] = {
        "board": "room_only",
        "stay": (house, *DATES),
        "basis": "per_room",
        "included": (),
        "outside": ("service", "vat"),
        "rooms_left": 2,
        **fields,
    }
    basis = rest.pop("basis")
    days = ("2026-10-09", "2026-10-10")
    nights = tuple(Night(day, sgd(shown) + sgd(str(20 * extra)), basis) for extra, day in enumerate(days))
    return Rate(id, house, room, channel, nights=nights, **rest)


def listing() -> tuple[Record, ...]:
    """A house whose bathroom door was replaced: the newer sheet supersedes the older one."""

    def section(id: str, kind: Any, room: str, fee: str, **fields: Any) -> ListingSection:
        rest: dict[str, Any] = {"language": "en", "published": "2026-03-01", **fields}
        text = Text.of("travel", "pages.payment_fees", "en", 0, fee=fee)
        return ListingSection(id, "prp_1", room, kind, text=text, **rest)

    old, new = (Stated("rmt_1.bath_door_clear_cm", value, "fee") for value in ("85", "74"))
    return (
        section(
            "sec_old", "factsheet", "rmt_1", "85 cm", stated=(old,), superseded_by="sec_new", published="2024-05-01"
        ),
        section("sec_new", "factsheet", "rmt_1", "74 cm", stated=(new,)),
        section("sec_house", "access", "", "no step"),
        section("sec_room", "access", "rmt_1", "lift"),
        section("sec_other", "access", "rmt_2", "stairs"),
        section("sec_ko", "access", "", "ko", language="ko"),
        *(section(f"sec_qa{number}", "qa", "", str(number)) for number in range(4)),
        Review("rev_1", "prp_1", "9.1", "Plenty of room!", "en", "2026-05-05"),
        Review("rev_2", "prp_1", "7.0", "넓어요", "ko", "2026-06-05"),
    )


def lodging() -> tuple[Record, ...]:
    """Three houses in two districts, sold by themselves and by an agency that holds nothing."""

    def house(id: str, district: str, official_class: int, *icons: str) -> Property:
        return Property(
            id,
            named(f"House {id[-1]}"),
            "SIN",
            district,
            ZONE,
            "hotel",
            official_class,
            Hours("00:00", "24:00"),
            LAST_CHECKIN,
            icons,
            ("pg_house",),
        )

    return (
        Area("SIN", named("Singapore"), ""),
        Area("dst_a", named("Quayside"), "SIN"),
        Area("dst_b", named("Hillside"), "SIN"),
        Channel("org_direct", named("Direct"), "direct", "free", 24, 6),
        Channel("org_agency", named("Roomly"), "agency", "none", 0, 2, ("pg_agency",)),
        house("prp_1", "dst_a", 4, "wheelchair"),
        house("prp_2", "dst_a", 3),
        house("prp_3", "dst_b", 5, "pool"),
        house("prp_4", "dst_b", 2),
        RoomType("rmt_1", "prp_1", named("Universal Twin"), 2, "2 single"),
        RoomType("rmt_2", "prp_1", named("Family"), 4, "1 double, 2 single"),
        RoomType("rmt_3", "prp_2", named("Double"), 2, "1 double"),
        RoomType("rmt_4", "prp_3", named("Tatami"), 4, "futon"),
        rate("rate_1", "prp_1", "rmt_1"),
        rate("rate_2", "prp_1", "rmt_2", "org_agency", "260.00", outside=(), included=("vat",)),
        rate("rate_3", "prp_2", "rmt_3", shown="90.00", rooms_left=0),
        rate("rate_4", "prp_3", "rmt_4", shown="100.00", basis="per_person", closes="first_hold"),
        rate("rate_5", "prp_3", "rmt_4", "org_agency", shown="95.00", closes="first_quote", rooms_left=1),
        rate("rate_6", "prp_1", "rmt_1", shown="150.00", sells_from=at("2026-09-20T00:00")),
        rate("rate_7", "prp_1", "rmt_1", shown="200.00", stay=("prp_1", "2026-10-16", "2026-10-18")),
        CARD,
        TRAVELLER,
        *listing(),
    )


# --- the ground


def terrain() -> tuple[Record, ...]:
    """A museum with slots, closed on a Thursday, a free garden, and the ways between them and a house."""

    def place(id: str, name: str, sells_slots: bool, adult: str, child: str) -> Place:
        distances = (MapDistance("prp_1", 12),)
        notices = ("sec_notice",) if sells_slots else ()
        return Place(
            id, named(name), "SIN", "dst_a", ZONE, "museum", 90, sells_slots, sgd(adult), sgd(child), distances, notices
        )

    def route(id: str, mode: Any, band: Any, minutes: int, first: str, last: str, headway: int) -> RouteTime:
        return RouteTime(id, ("prp_1", "plc_1"), mode, band, minutes, 6, first, last, headway, sgd("2.50"))

    slots = (Slot("10:00", 5), Slot("11:00", 1))
    notice = Text.of("travel", "pages.payment_fees", "en", 0, fee="closed on Thursday")
    return (
        *lodging(),
        place("plc_1", "Tide Museum", True, "12.00", "5.00"),
        place("plc_2", "Garden", False, "0", "0"),
        place("plc_3", "Tide Museum Annex", False, "3.00", "0"),
        place("plc_4", "Tower", False, "3.00", "0"),
        PlaceDay("pld_1", ("plc_1", "2026-09-25"), "09:30", "17:00", "16:30", (Hours("12:00", "13:00"),), "", slots),
        PlaceDay("pld_2", ("plc_1", "2026-09-24"), "", "", "", (), "weekly closing"),
        route("rte_1", "transit", "peak", 41, "05:30", "24:40", 10),
        route("rte_2", "transit", "day", 24, "05:30", "24:40", 10),
        route("rte_3", "transit", "late", 50, "05:30", "24:40", 10),
        route("rte_4", "boat", "day", 95, "10:00", "16:10", 60),
        route("rte_5", "taxi", "day", 15, "00:00", "29:00", 0),
        Page("pg_museum", "org_museum", "Tide Museum", "provider", "hours", "", "en", "Hours"),
        Section("sec_notice", "pg_museum", 1, notice, (Stated("plc_1.weekly", "thursday", "fee"),)),
    )


# --- bookings


def bookings() -> tuple[Record, ...]:
    """A flight for two and a stay, both changeable, one booking through a desk elsewhere, one without rules."""
    free = ChangeStep(at("2026-10-01T00:00"), 0, ("L2J",), points=("SIN", "NRT"), to_date="2026-10-13")
    change = ChangeStep(at("2026-10-08T23:55"), 6000, ("L2J",), brands=("Flex",))
    stay_change = ChangeStep(at("2026-10-05T23:59"), 0, ("prp_1",))
    old = ChangeStep(at("2026-09-01T00:00"), 0, ("N3X",))
    air = ItemRules(
        104_000, 13_600, (free, change, old), (CancelStep(at("2026-10-08T23:55"), 40, 2500),), follows_charges=False
    )
    gone = ItemRules(10_000, 0, (), (CancelStep(at("2026-09-01T00:00"), 0),))
    stay = ItemRules(38_000, 0, (stay_change,), (CancelStep(at("2026-10-06T23:59"), 0),), fee_per_person=False)
    lines = (QuoteLine("fare", "Flex", (), 104_000), QuoteLine("charge", "AP", named("Airport charge"), 13_600))
    flight_items = (BookedItem("svc_1", 2), BookedItem("svc_2", 1))
    stay_items = (BookedItem("rate_1", 2),)
    life = 6 * 3600
    booked = at("2026-03-02T12:00")
    terms = Text.of("travel", "pages.payment_fees", "en", 0, fee="20%")
    return (
        *{record.id: record for record in (*flights(), *lodging())}.values(),
        Booking("bkg_air", "ABC123", "L2J", "transport", flight_items, sgd("1276.00"), booked),
        BookingRules("bkr_1", "bkg_air", "org_agency", "pg_terms", "2026-01", lines, (air, gone), life),
        Booking("bkg_stay", "DEF456", "prp_1", "stay", stay_items, sgd("380.00"), booked),
        BookingRules("bkr_2", "bkg_stay", "org_direct", "pg_terms", "2026-01", (), (stay,), life),
        Booking("bkg_far", "GHI789", "prp_1", "stay", stay_items, sgd("380.00"), booked),
        BookingRules("bkr_3", "bkg_far", "org_x", "", "", (), (stay,), life, taken_at="org_x"),
        Booking("bkg_bare", "JKL012", "L2J", "transport", flight_items[:1], sgd("100.00"), booked),
        Booking("bkg_credit", "MNO345", "prp_1", "stay", stay_items, sgd("380.00"), booked),
        BookingRules("bkr_4", "bkg_credit", "org_direct", "", "", (), (stay,), life, refund_form="credit"),
        Page("pg_terms", "L2J", "Lumen Air", "provider", "compensation", "", "en", "Terms"),
        Section("sec_terms", "pg_terms", 1, terms, (Stated("L2J.share", "20%", "fee"),)),
        PortalForm("frm_1", "SGAC", "org_immigration", "SG"),
    )
