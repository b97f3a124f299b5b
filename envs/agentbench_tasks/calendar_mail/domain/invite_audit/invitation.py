"""What an invitation says of an agreement: in its calendar file, and in the text around it."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.zones import offset_minutes, to_instant, to_local, zone_row
from agentbench_tasks.calendar_mail.domain.file_times import (
    FileTime,
    ZoneBlock,
    frozen_block,
    is_floating,
    known_zone,
    starts_of,
    zone_blocks,
)
from agentbench_tasks.calendar_mail.domain.invite_audit.agreement import Agreement, other_season
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import Plot
from agentbench_tasks.commons.attempts import NoFit

OTHER_CLOCK = (-120, -90, -30, 30, 90, 120)
"""By how much one clock time differs from another by mistake, in minutes; never as a change of season would have it."""
OWN_ZONE = "Customized Time Zone"
"""How calendar programs name a time zone that they describe in the file itself."""
ABBREVIATED = 0.5
NOTED = 0.35
"""Share of the texts without a mistake that tell the reader's own time too."""
Note = Literal["", "yours", "always"]


class ZoneNames(msgspec.Struct, frozen=True):
    """What calendar programs write for a zone: names with the same clocks, and names taken for it by mistake."""

    alike: tuple[str, ...]
    wrong: tuple[str, ...]


class CalendarFile(msgspec.Struct, frozen=True):
    """The times of a calendar file."""

    start: FileTime
    end: FileTime
    blocks: tuple[ZoneBlock, ...]
    rrule: str
    instants: tuple[int, ...]
    """Where the user's calendar has its instances start."""
    floating: bool


class Wording(msgspec.Struct, frozen=True):
    """What the text of an invitation says of its time."""

    local: str
    """The time of day in the organiser's city that it names, with the first day."""
    abbreviation: str
    """What it puts behind that; "" for the name of the city."""
    offset: int
    """How many minutes ahead of UTC the first of these times is meant to be."""
    note: Note
    """Whether it tells the reader's own time: of the first day, or for always."""
    noted: str
    """The time that it tells the reader; "" where it tells none."""
    named: tuple[int, ...]
    """The instants that it names by the organiser's clock."""
    promised: tuple[int, ...]
    """The instants that it names by the reader's clock."""


def calendar_file(draw: Draw, agreed: Agreement, plot: Plot, here: str) -> CalendarFile:
    """Write the agreement into a file, with the plot's mistake; `here`: the user's zone."""
    mistake, local, zone = plot.errs("file"), agreed.local, agreed.zone
    if mistake == "text_file_conflict":
        local = _other_clock(draw, local)
    names = msgspec.convert(shared_table("invite_zones")[zone], ZoneNames)
    tzid, utc, blocks = zone, False, None
    match mistake:
        case "no_zone":
            tzid = ""
        case "wrong_zone":
            tzid = _elsewhere(draw, names.wrong, agreed)
        case "wrong_season" if plot.season == "frozen":
            tzid, blocks = OWN_ZONE, frozen_block(other_season(zone, agreed.start)[0])
        case "wrong_season":
            instant = to_instant(local, "UTC") - 60 * other_season(zone, agreed.start)[0]
            tzid, utc, local = "", True, to_local(instant, "UTC")
        case _ if "alike" in plot.sides:
            tzid = draw.choice(names.alike if agreed.weeks > 1 else (*names.alike, "UTC"))
            if tzid == "UTC":
                tzid, utc, local = "", True, to_local(to_instant(local, zone), "UTC")
        case _:
            pass
    if blocks is None:
        blocks = zone_blocks(known_zone(tzid)) if tzid else ()
    start, end = (FileTime(one, tzid, utc) for one in (local, _later(local, agreed.minutes)))
    rrule = f"FREQ=WEEKLY;COUNT={agreed.weeks}" if agreed.weeks > 1 else ""
    last = agreed.starts[-1] + 30 * 86_400
    instants = tuple(starts_of(start, blocks, rrule, (), here, last))
    return CalendarFile(start, end, blocks, rrule, instants, is_floating(start, blocks))


def plain_file(agreed: Agreement) -> CalendarFile:
    """Write a single meeting into a file without mistakes."""
    start, end = (FileTime(one, agreed.zone) for one in (agreed.local, _later(agreed.local, agreed.minutes)))
    return CalendarFile(start, end, zone_blocks(agreed.zone), "", agreed.starts, False)


def wording(draw: Draw, agreed: Agreement, plot: Plot, here: str) -> Wording:
    """Put the agreement into words, with the plot's mistake; `here`: the user's zone."""
    mistake, local, zone = plot.errs("body"), agreed.local, agreed.zone
    offset, abbreviation = offset_minutes(zone, agreed.start), ""
    if mistake == "text_file_conflict":
        local = _other_clock(draw, local)
    elif mistake == "wrong_season":
        offset, abbreviation = other_season(zone, agreed.start)
    elif plot.place and agreed.weeks == 1 and draw.chance(ABBREVIATED):
        abbreviation = zone_row(zone, agreed.start).abbreviation
    named = (to_instant(local, "UTC") - 60 * offset,)
    if agreed.weeks > 1:
        named = msgspec.structs.replace(agreed, local=local).starts
    note: Note = ""
    shown = to_local(agreed.start, here)
    if mistake == "date_shift":
        note, shown = "yours", f"{agreed.local[:10]}{shown[10:]}"
    elif mistake == "series_shift":
        note = "always"
    elif not plot.mistakes and plot.place and agreed.weeks == 1 and draw.chance(NOTED):
        note = "yours"
    promised = _promised(shown, agreed.weeks, here) if note else ()
    return Wording(local, abbreviation, offset, note, shown if note else "", named, promised)


def _promised(shown: str, weeks: int, here: str) -> tuple[int, ...]:
    """The instants of a time of day in the user's zone, from a first day on."""
    first = date.fromisoformat(shown[:10])
    days = ((first + timedelta(7 * week)).isoformat() for week in range(weeks))
    return tuple(to_instant(f"{day}{shown[10:]}", here) for day in days)


def _other_clock(draw: Draw, local: str) -> str:
    """Another time of the same day."""
    return draw.choice([other for shift in OTHER_CLOCK if (other := _later(local, shift))[:10] == local[:10]])


def _elsewhere(draw: Draw, names: tuple[str, ...], agreed: Agreement) -> str:
    """The name of another place whose clocks differ at the agreed start."""
    at = agreed.start
    found = [name for name in names if offset_minutes(known_zone(name), at) != offset_minutes(agreed.zone, at)]
    if not found:
        raise NoFit
    return draw.choice(found)


def _later(local: str, minutes: int) -> str:
    return to_local(to_instant(local, "UTC") + 60 * minutes, "UTC")
