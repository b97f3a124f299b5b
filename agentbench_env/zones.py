"""Time zones from a frozen table: the same offsets on every machine, and fast.

An instant is an `int`, seconds since the Unix epoch; local time is text. The table holds 27 zones from `first_instant`
to `last_instant`; outside that span a zone keeps the offset that it has at the nearer end.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import date
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any

import msgspec

from agentbench_env.errors import AgentbenchError
from agentbench_env.market import shared_table

_EPOCH_DAY = date(1970, 1, 1).toordinal()
_DAY = 86_400
_CLOCK = tuple(f"T{minute // 60:02d}:{minute % 60:02d}" for minute in range(24 * 60))
_MINUTES = {text: minute for minute, text in enumerate(_CLOCK)}
_SECONDS = {"": 0} | {f":{second:02d}": second for second in range(60)}


class UnknownZone(AgentbenchError, ValueError):
    """A zone that is not in the table; abbreviations and Windows names are no zones."""


class ZoneChange(msgspec.Struct, frozen=True, gc=False):
    """One change of a zone's clock, with the local time just before and just after it."""

    instant: int
    local_before: str
    local_after: str


class ZoneRow(msgspec.Struct, frozen=True, gc=False):
    """What holds in a zone at an instant, and between which changes it holds."""

    zone: str
    offset_minutes: int
    abbreviation: str
    dst: bool
    windows_name: str
    previous: ZoneChange | None
    """The change that began it, None if it began before the table."""
    next: ZoneChange | None
    """The change that ends it, None if none follows in the table."""


class _Zone:
    """A zone compiled for look-up: `changes[i]` is the instant at which state i gives way to state i + 1."""

    __slots__ = ("changes", "local_changes", "offsets", "states", "suffixes", "windows_name")

    def __init__(self, table: dict[str, Any]) -> None:
        self.windows_name = str(table["windows"])
        self.states: list[tuple[int, str, bool]] = [(row[1], row[2], row[3]) for row in table["rows"]]
        self.offsets = [minutes * 60 for minutes, _, _ in self.states]
        self.suffixes = [_suffix(minutes) for minutes, _, _ in self.states]
        self.changes = [_seconds(row[0]) for row in table["rows"][1:]]
        # A reading that occurs twice means the first time; one that a gap skips is read with the offset before the gap.
        self.local_changes = [
            change + max(self.offsets[i], self.offsets[i + 1]) for i, change in enumerate(self.changes)
        ]

    def change(self, i: int) -> ZoneChange | None:
        if not 0 <= i < len(self.changes):
            return None
        instant = self.changes[i]
        return ZoneChange(instant, _local(instant + self.offsets[i]), _local(instant + self.offsets[i + 1]))


def zone_names() -> tuple[str, ...]:
    """The IANA names of the zones in the table."""
    return tuple(shared_table("zones")["zones"])


def first_instant() -> int:
    """The first instant that the table speaks of."""
    return _seconds(shared_table("zones")["from_utc"])


def last_instant() -> int:
    """The last instant that the table speaks of."""
    return _seconds(shared_table("zones")["to_utc"])


def offset_minutes(zone: str, instant: int) -> int:
    """Minutes that the zone's clocks are ahead of UTC at the instant."""
    known = _zone(zone)
    return known.states[bisect_right(known.changes, instant)][0]


def to_instant(local: str, zone: str) -> int:
    """The instant of a local reading "YYYY-MM-DDTHH:MM" or "YYYY-MM-DDTHH:MM:SS".

    A reading that occurs twice means the first time; one that never occurs is read with the offset before the gap.
    """
    known = _zone(zone)
    reading = _seconds(local)
    return reading - known.offsets[bisect_right(known.local_changes, reading)]


def near_change(instant: int, zone: str) -> bool:
    """Whether the clocks change within an hour of the instant: its local reading may stand for two instants."""
    return offset_minutes(zone, instant - 3600) != offset_minutes(zone, instant + 3600)


@lru_cache(maxsize=8192)
def to_local(instant: int, zone: str) -> str:
    """The local reading "YYYY-MM-DDTHH:MM" at the instant; seconds are dropped."""
    known = _zone(zone)
    return _local(instant + known.offsets[bisect_right(known.changes, instant)])


def to_iso(instant: int, zone: str) -> str:
    """The local reading with seconds and offset, "2026-10-30T17:30:00+09:00"."""
    known = _zone(zone)
    i = bisect_right(known.changes, instant)
    return f"{_local(instant + known.offsets[i])}:{instant % 60:02d}{known.suffixes[i]}"


def zone_row(zone: str, instant: int) -> ZoneRow:
    """What the table says of the zone at the instant."""
    known = _zone(zone)
    i = bisect_right(known.changes, instant)
    return ZoneRow(zone, *known.states[i], known.windows_name, known.change(i - 1), known.change(i))


@cache
def _zone(name: str) -> _Zone:
    zones = shared_table("zones")["zones"]
    if name not in zones:
        near = get_close_matches(str(name), zones, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise UnknownZone(f"zone is {name!r}; it must be one of the {len(zones)} IANA zones of the table.{hint}")
    return _Zone(zones[name])


def _seconds(reading: str) -> int:
    """A reading as seconds since the epoch on a clock without zone."""
    try:
        return _days_before(reading[:10]) * _DAY + _MINUTES[reading[10:16]] * 60 + _SECONDS[reading[16:]]
    except (KeyError, ValueError):
        raise ValueError(f"local time is {reading!r}, not like 2026-10-30T17:30 or 2026-10-30T17:30:00") from None


@lru_cache(maxsize=4096)
def _days_before(text: str) -> int:
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError(text)
    return day.toordinal() - _EPOCH_DAY


def _local(reading: int) -> str:
    day, second = divmod(reading, _DAY)
    return _date_text(day) + _CLOCK[second // 60]


@lru_cache(maxsize=4096)
def _date_text(day: int) -> str:
    return date.fromordinal(day + _EPOCH_DAY).isoformat()


def _suffix(minutes: int) -> str:
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"
