"""Times as calendar files write them, and the instants that they denote: by zone, by Windows name, by VTIMEZONE."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from agentbench_env.zones import ZoneChange, first_instant, to_instant, to_local, zone_names, zone_row
from agentbench_tasks.commons.recurrence import WEEKDAYS, day_of, day_text, read_rule, series, weekday_of

LONG_AGO = "1970-01-01T00:00"


class FileTime(msgspec.Struct, frozen=True, gc=False):
    """A time in a calendar file: with a TZID, in UTC, floating (neither), or a date ("2026-10-27")."""

    local: str
    tzid: str = ""
    utc: bool = False


class ZoneBlock(msgspec.Struct, frozen=True, gc=False):
    """A STANDARD or DAYLIGHT block of a VTIMEZONE: from each of its onsets on, clocks are `to_minutes` ahead of UTC."""

    daylight: bool
    from_minutes: int
    to_minutes: int
    onset: str = LONG_AGO
    """Its first onset, a reading of the clocks that it ends."""
    rrule: str = ""


def zone_blocks(zone: str) -> tuple[ZoneBlock, ...]:
    """Return the blocks of a correct VTIMEZONE: one for each kind of change, repeated yearly, or a lasting one."""
    first: dict[bool, ZoneBlock] = {}
    row = zone_row(zone, first_instant())
    while (change := row.next) is not None:
        before, row = row.offset_minutes, zone_row(zone, change.instant)
        first.setdefault(row.dst, ZoneBlock(row.dst, before, row.offset_minutes, change.local_before, _yearly(change)))
    return tuple(first.values()) or frozen_block(row.offset_minutes)


def frozen_block(minutes: int) -> tuple[ZoneBlock, ...]:
    """Return the blocks of a VTIMEZONE that never changes."""
    return (ZoneBlock(False, minutes, minutes),)


def _yearly(change: ZoneChange) -> str:
    """The rule of a change that falls on the n-th or last such weekday of its month every year."""
    year, month, day = map(int, change.local_before[:10].split("-"))
    following = f"{year + month // 12}-{month % 12 + 1:02d}-01"
    last = day_of(change.local_before) + 7 >= day_of(following)
    weekday = WEEKDAYS[weekday_of(day_of(change.local_before))]
    return f"FREQ=YEARLY;BYMONTH={month};BYDAY={-1 if last else (day - 1) // 7 + 1}{weekday}"


def offset_of(blocks: Sequence[ZoneBlock], local: str) -> int:
    """Return the minutes ahead of UTC that the blocks give a local reading."""
    onsets = [(onset, block.to_minutes) for block in blocks if (onset := _last_onset(block, local))]
    return max(onsets)[1] if onsets else min(blocks, key=lambda block: block.onset).from_minutes


def _last_onset(block: ZoneBlock, local: str) -> str:
    days = [day_of(block.onset)]
    if block.rrule:
        days = series(read_rule(block.rrule), block.onset, "", day_of(local))
    onsets = (f"{day_text(day)}{block.onset[10:]}" for day in days[-2:])
    return max((onset for onset in onsets if onset <= local), default="")


def known_zone(tzid: str) -> str:
    """Return the IANA zone that a TZID means to the calendar: by that name or its Windows name; "" if it is unknown."""
    return tzid if tzid in zone_names() else _windows_names().get(tzid, "")


@cache
def _windows_names() -> dict[str, str]:
    names: dict[str, str] = {}
    for zone in zone_names():
        # Zones that share a name have the same clocks.
        names.setdefault(zone_row(zone, first_instant()).windows_name, zone)
    return names


def is_floating(time: FileTime, blocks: Sequence[ZoneBlock]) -> bool:
    """Whether nothing says which zone a time is in."""
    return len(time.local) > 10 and not time.utc and not known_zone(time.tzid) and not (time.tzid and blocks)


def instant_of(time: FileTime, blocks: Sequence[ZoneBlock], viewer_zone: str) -> int:
    """Return the instant of a time; a floating one, and the start of a day, are those of the viewer's zone.

    A known zone is taken from the calendar's own table, whatever the file's VTIMEZONE says of it.
    """
    local = time.local if len(time.local) > 10 else f"{time.local}T00:00"
    zone = "UTC" if time.utc else known_zone(time.tzid)
    if zone:
        return to_instant(local, zone)
    if time.tzid and blocks:
        return to_instant(local, "UTC") - 60 * offset_of(blocks, local)
    return to_instant(local, viewer_zone)


def starts_of(
    start: FileTime, blocks: Sequence[ZoneBlock], rrule: str, exdates: Sequence[FileTime], viewer_zone: str, last: int
) -> list[int]:
    """Return the instants, up to `last`, at which the instances of a file's series start; one if it has no rule."""
    if not rrule:
        return [instant_of(start, blocks, viewer_zone)]
    rule = read_rule(rrule)
    excluded = {instant_of(date, blocks, viewer_zone) for date in exdates if len(date.local) == len(start.local)}
    endless = msgspec.structs.replace(rule, until="") if rule.until.endswith("Z") else rule
    days = series(endless, start.local, "", day_of(to_local(last, "UTC")) + 1)
    instants = [
        instant_of(msgspec.structs.replace(start, local=f"{day_text(day)}{start.local[10:]}"), blocks, viewer_zone)
        for day in days
    ]
    if rule.until.endswith("Z"):
        u = rule.until
        last = min(last, to_instant(f"{u[:4]}-{u[4:6]}-{u[6:8]}T{u[9:11]}:{u[11:13]}:{u[13:15]}", "UTC"))
    return [instant for instant in instants if instant <= last and instant not in excluded]
