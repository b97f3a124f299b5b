"""Invitations: what the calendar file of a mail says, as text and as the user's own calendar shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import last_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_read import is_visible
from agentbench_tasks.calendar_mail.domain.file_times import (
    FileTime,
    ZoneBlock,
    instant_of,
    is_floating,
    starts_of,
)
from agentbench_tasks.commons.events import Event, own_calendar
from agentbench_tasks.commons.messages import Address, find_mail
from agentbench_tasks.commons.texts import Stated, Words, body_of
from agentbench_tasks.commons.values import ROW, Zoned, zoned

LINE_OCTETS = 75
_PLAIN_PARAMETER = re.compile(r"[\w/+-]+", re.ASCII)
Method = Literal["REQUEST", "CANCEL", "PUBLISH"]


class Invite(Record, frozen=True, gc=False, kw_only=True):
    """The calendar file of an invitation. It states the facts of the file, not those of the mail around it."""

    message_id: str
    uid: str
    organizer: Address
    summary: Words
    start: FileTime
    end: FileTime
    stamped_at: int
    method: Method = "REQUEST"
    sequence: int = 0
    attendees: tuple[Address, ...] = ()
    blocks: tuple[ZoneBlock, ...] = ()
    """The VTIMEZONE of the start's TZID; none: the file has no VTIMEZONE."""
    rrule: str = ""
    exdates: tuple[FileTime, ...] = ()
    location: Words = ""
    description: Words = ""
    product: str = "-//Calendar//EN"
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What the file states."""
        return {fact.key: fact.value for fact in self.stated}


def file_instant(invite: Invite, viewer_zone: str) -> int:
    """Return the instant at which the file has the event start; a floating start is read in the viewer's zone."""
    return instant_of(invite.start, invite.blocks, viewer_zone)


def file_starts(invite: Invite, viewer_zone: str, last: int | None = None) -> list[int]:
    """Return the instants at which the file has its instances start, up to `last` or the end of the zone table."""
    end = last_instant() if last is None else last
    return starts_of(invite.start, invite.blocks, invite.rrule, invite.exdates, viewer_zone, end)


# --- the file as text


def ics_text(invite: Invite) -> str:
    """Return the file: RFC 5545, lines folded after 75 octets, with plain line ends."""
    return "\n".join(_folded(line) for line in _lines(invite)) + "\n"


def _lines(invite: Invite) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield f"PRODID:{invite.product}"
    yield "VERSION:2.0"
    yield f"METHOD:{invite.method}"
    yield from _zone_lines(invite.start.tzid, invite.blocks)
    yield "BEGIN:VEVENT"
    yield f"UID:{invite.uid}"
    yield f"SEQUENCE:{invite.sequence}"
    yield f"DTSTAMP:{_digits(to_local(invite.stamped_at, 'UTC'))}Z"
    yield f"ORGANIZER;CN={_parameter(invite.organizer.name)}:mailto:{invite.organizer.address}"
    for guest in invite.attendees:
        state = "ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE"
        yield f"ATTENDEE;CN={_parameter(guest.name)};{state}:mailto:{guest.address}"
    yield _time_line("DTSTART", invite.start)
    yield _time_line("DTEND", invite.end)
    if invite.rrule:
        yield f"RRULE:{invite.rrule}"
    for date in invite.exdates:
        yield _time_line("EXDATE", date)
    for name, words in (
        ("SUMMARY", invite.summary),
        ("LOCATION", invite.location),
        ("DESCRIPTION", invite.description),
    ):
        if text := body_of(words):
            yield f"{name}:{_escaped(text)}"
    yield f"STATUS:{'CANCELLED' if invite.method == 'CANCEL' else 'CONFIRMED'}"
    yield "END:VEVENT"
    yield "END:VCALENDAR"


def _zone_lines(tzid: str, blocks: tuple[ZoneBlock, ...]) -> Iterator[str]:
    if not blocks:
        return
    yield "BEGIN:VTIMEZONE"
    yield f"TZID:{_escaped(tzid)}"
    for block in blocks:
        kind = "DAYLIGHT" if block.daylight else "STANDARD"
        yield f"BEGIN:{kind}"
        yield f"DTSTART:{_digits(block.onset)}"
        yield f"TZOFFSETFROM:{_offset(block.from_minutes)}"
        yield f"TZOFFSETTO:{_offset(block.to_minutes)}"
        if block.rrule:
            yield f"RRULE:{block.rrule}"
        yield f"END:{kind}"
    yield "END:VTIMEZONE"


def _time_line(name: str, time: FileTime) -> str:
    if len(time.local) == 10:
        return f"{name};VALUE=DATE:{time.local.replace('-', '')}"
    zone = f";TZID={_parameter(time.tzid)}" if time.tzid else ""
    return f"{name}{zone}:{_digits(time.local)}{'Z' if time.utc else ''}"


def _digits(local: str) -> str:
    return f"{local.replace('-', '').replace(':', '')}00"


def _offset(minutes: int) -> str:
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}{abs(minutes) % 60:02d}"


def _parameter(text: str) -> str:
    plain = text.replace('"', "'")
    return plain if _PLAIN_PARAMETER.fullmatch(plain) else f'"{plain}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> str:
    """Break a line after at most 75 octets, never inside a character; what follows begins with a space."""
    pieces, octets = [""], 0
    for character in line:
        size = len(character.encode())
        if octets + size > LINE_OCTETS:
            pieces.append(" ")
            octets = 1
        pieces[-1] += character
        octets += size
    return "\n".join(pieces)


# --- the tool


class InviteText(msgspec.Struct, frozen=True):
    """What `cal_read_invite` returns: the file, and its event as the user's calendar shows it."""

    message_id: str
    invite_id: str
    event_id: str
    """"" while the event is not on the calendar."""
    ics: str
    summary: str
    organizer: Address
    start: Zoned | str
    """In the zone of the user's calendar."""
    end: Zoned | str
    is_floating: bool
    """Whether the file names no zone for the start."""
    rrule: str


class CalReadInvite(Tool):
    """Read the calendar file of an invitation, and how the user's calendar shows its first or only event."""

    latency_s: ClassVar[float] = 0.4

    message_id: str = Field(description="Id of the message.")

    def run(self, call: Call) -> InviteText:
        world = call.world
        mail = find_mail(world, self.message_id)
        invite = next(iter(world.where(Invite, "message_id", mail.id)), None)
        if invite is None:
            raise ToolError("no_invite", field="message_id", hint="a message with a calendar file")
        placed = (event for event in world.where(Event, "ical_uid", invite.uid) if is_visible(world, event))
        event_id = next((event.id for event in placed), "")
        # The file is a part of the mail: what it states can be cited as either.
        call.show(invite.id)
        call.show(mail.id, *([fact.key for fact in invite.stated] or [ROW]))
        if event_id:
            call.show(event_id, ROW)
        return InviteText(
            mail.id,
            invite.id,
            event_id,
            ics_text(invite),
            body_of(invite.summary),
            invite.organizer,
            _shown(invite.start, invite, world),
            _shown(invite.end, invite, world),
            is_floating(invite.start, invite.blocks),
            invite.rrule,
        )


def _shown(time: FileTime, invite: Invite, world: World) -> Zoned | str:
    zone = own_calendar(world).zone
    return zoned(instant_of(time, invite.blocks, zone), zone) if len(time.local) > 10 else time.local
