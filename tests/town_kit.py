"""A small town for the tests of reservations: one venue with hours, tables and a surface, and what stands around it."""

from __future__ import annotations

from typing import Any

from agentbench_env.money import Money
from agentbench_env.world import Record, Start, World
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.reservations.domain.booking_records import Account, Deposit, Reservation
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import (
    Listing,
    Mark,
    Names,
    OwnerSection,
    Place,
    Reach,
    SiteSection,
)
from agentbench_tasks.reservations.domain.surface import Route, Surface
from agentbench_tasks.reservations.domain.tables import SeatingBlock, Table
from agentbench_tasks.reservations.domain.venue import HoursRule, ServiceHours

ZONE = "Asia/Tokyo"
NOW = "2026-10-09T10:00"
DAY = "2026-10-16"
"""A Friday."""
WEEK = (1, 2, 3, 4, 5, 6, 7)
LUNCH = ServiceHours("lunch", "11:30", "14:00", "14:30")
DINNER = ServiceHours("dinner", "17:30", "23:30", "25:00", "24:30", "22:00")
ACCOUNT = Account("acc_dana", "090-****-0417", "d***@home.example")


def yen(amount: int) -> Money:
    return Money(amount, "JPY")


def at(local: str, zone: str = ZONE) -> int:
    return read_local(local, zone, "")


def place(id: str = "ven_a", **fields: Any) -> Place:
    rest: dict[str, Any] = {
        "kind": "restaurant",
        "name": Names("縞しま", "Shimashima"),
        "branch": Names("銀座店", "Ginza"),
        "group_id": "",
        "district": "plc_ginza",
        "landmark_id": "plc_station",
        "point": (300, 400),
        "zone": ZONE,
        "country": "JP",
        "currency": "JPY",
        "cuisine": "懐石",
        "working_languages": ("ja",),
        "phone": "03-0000-4417",
        "reaches": (Reach("mail", "info@shimashima.example"), Reach("messenger", "@shimashima")),
        **fields,
    }
    return Place(id, **rest)


def listing(venue_id: str = "ven_a", **site: Any) -> Listing:
    own = OwnerSection("旬の素材を使った懐石料理です。", "2026-09-01", (("席", "テーブル"),))
    return Listing(f"lst_{venue_id}", venue_id, own, SiteSection(**site))


MARKS = (
    Mark("plc_ginza", "district", Names("銀座", "Ginza"), (0, 0)),
    Mark("plc_station", "station", Names("銀座駅", "Ginza Station"), (0, 0)),
)


def hours(id: str, service: ServiceHours, weekdays: tuple[int, ...] = WEEK, venue_id: str = "ven_a") -> HoursRule:
    return HoursRule(id, venue_id, "pg_hours", weekdays, service)


def surface(*routes: Route, **fields: Any) -> Surface:
    rest: dict[str, Any] = {"operator": "席とーる", "language": "ja", **fields}
    return Surface("srf_a", "ven_a", routes=routes or (INSTANT, BY_PHONE), **rest)


INSTANT = Route("instant", "6名様まではネット予約を承ります。", PartyRange(1, 6))
BY_PHONE = Route("phone", "7名様以上はお電話にて承ります。", PartyRange(7, 0))


def table(id: str, least: int, most: int, **fields: Any) -> Table:
    rest: dict[str, Any] = {"seating": "table", **fields}
    return Table(id, "ven_a", least, most, **rest)


def taken(table_id: str, start: str, end: str) -> SeatingBlock:
    return SeatingBlock(f"blk_{table_id}_{start}", table_id, at(start), at(end))


def venue(*more: Record) -> tuple[Record, ...]:
    """The venue: both services, two tables for four that go together, a counter for two, one kept off the web."""
    return (
        *MARKS,
        place(),
        listing(),
        hours("hrs_l", LUNCH),
        hours("hrs_d", DINNER),
        table("tbl_1", 2, 4, combinable_with=("tbl_2",)),
        table("tbl_2", 2, 4, combinable_with=("tbl_1",)),
        table("tbl_c", 1, 2, seating="counter"),
        table("tbl_off", 2, 6, online=False),
        *more,
    )


def card(id: str = "pm_visa", **fields: Any) -> PaymentMethod:
    rest: dict[str, Any] = {"kind": "credit", "brand": "Orbit", "label": "Orbit", "last4": "4242", **fields}
    return PaymentMethod(id, issued_in="JP", currency="JPY", **rest)


def profile() -> Paper:
    fields = (("Name", "Dana Lim"), ("Phone", "090-0000-0417"), ("E-mail", "dana@home.example"))
    return Paper("ppr_me", "profile", "Profile", "per_d", "Dana Lim", fields=fields)


def reservation(id: str = "rsv_a", start: str = "2026-10-24T18:30", party_size: int = 4, **fields: Any) -> Reservation:
    rest: dict[str, Any] = {
        "reference": "R7K-2041",
        "venue_id": "ven_a",
        "made_via": "engine",
        "account_id": "acc_dana",
        "guest_name": "佐藤 様",
        "phone_masked": "090-****-0417",
        "email_masked": "d***@home.example",
        "seating": "table",
        "notes": "窓側",
        "status": "confirmed",
        "deposit": Deposit("none", yen(0)),
        "terms_id": "",
        "terms_page_id": "",
        "created_at": at("2026-10-01T09:00"),
        "end": at(start) + 7200,
        **fields,
    }
    return Reservation(id, start=at(start), party_size=party_size, **rest)


def town(*records: Record, now: str = NOW, zone: str = ZONE, language: str = "ja", **settings: Any) -> World:
    usual = {"mailbox": Address("dana@home.example", "Dana Lim"), "account": ACCOUNT}
    return World(Start(records), to_instant(now, zone), zone, language, "key", {**usual, **settings})


def reached(world: World) -> list[tuple[str, str, str]]:
    """Kind, subkind and recipient of everything that went out."""
    return [(row.kind, row.subkind, row.recipient_org_id or row.recipient_id) for row in world.all(Outbound)]


def local(instant: int | None, zone: str = ZONE) -> str:
    return to_local(instant, zone) if instant is not None else ""
