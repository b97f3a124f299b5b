"""A small office calendar for the tests of events, of the calendar's tools and of invitations."""

from __future__ import annotations

from typing import Any

from commons_kit import world_of

from agentbench_env.world import Record, World
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.events import Attendee, Calendar, Event, When, busy
from agentbench_tasks.commons.outbound import Outbound, Recipient

DANA = "dana@home.example"
KIM, LEE, TEAM, ROOM = "kim@home.example", "lee@home.example", "team@home.example", "room-4@home.example"
AMY = "amy@abroad.example"
ZONE = "Asia/Singapore"


def calendars(zone: str = ZONE) -> list[Calendar]:
    return [
        Calendar("cal_own", DANA, "Dana", zone, "owner"),
        Calendar("cal_team", TEAM, "Team", zone, "writer"),
        Calendar("cal_kim", KIM, "Kim", zone, "freebusy"),
        Calendar("cal_lee", LEE, "Lee", zone, "none"),
        Calendar("cal_room", ROOM, "Room 4", zone, "freebusy", is_room=True),
    ]


def event(id: str = "evt_a", start: str = "2026-10-22T10:00", end: str = "", zone: str = ZONE, **fields: Any) -> Event:
    if not end:
        end = to_local(to_instant(start, "UTC") + 3600, "UTC") if "T" in start else start
    rest: dict[str, Any] = {
        "ical_uid": f"{id}@home.example",
        "calendar_id": "cal_own",
        "organizer": DANA,
        "title": f"Title {id}",
        "start": When(start, zone),
        "end": When(end, zone),
        **fields,
    }
    return Event(id, **rest)


def calendar_world(*records: Record, zone: str = ZONE, **settings: Any) -> World:
    book = {
        DANA: Recipient("per_d", "org_home", "", True, "SG"),
        KIM: Recipient("ctc_kim", "org_home", "peer", True, "SG"),
        LEE: Recipient("ctc_lee", "org_home", "peer", True, "SG"),
        AMY: Recipient("ctc_amy", "org_abroad", "client", False, "GB"),
    }
    return world_of(*calendars(zone), *records, address_book=book, calendar_id="cal_own", **settings)


def guests(*addresses: str, **fields: Any) -> tuple[Attendee, ...]:
    return tuple(
        Attendee(
            address,
            role="resource" if address == ROOM else "required",
            internal=address.endswith("home.example"),
            **fields,
        )
        for address in addresses
    )


def notices(world: World) -> list[tuple[str, str, str]]:
    return [(row.kind, row.subkind, row.recipient_id) for row in world.all(Outbound)]


def busy_times(world: World, address: str, first: str, last: str, zone: str = ZONE) -> list[str]:
    spans = busy(world, address, to_instant(first, zone), to_instant(last, zone))
    return [f"{to_local(start, zone)[5:]}/{to_local(end, zone)[11:]}" for start, end in spans]
