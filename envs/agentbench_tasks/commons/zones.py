"""What holds in a time zone at an instant, and when its clocks change."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import (
    ZoneChange,
    ZoneRow,
    first_instant,
    last_instant,
    to_instant,
    to_iso,
    to_local,
    zone_names,
    zone_row,
)


class ZoneFact(Record, frozen=True, gc=False):
    """The offset of a zone from one change of its clocks to the next."""

    zone: str
    from_utc: str
    """The UTC minute of the change that began it, "" if it began before the table."""
    to_utc: str
    utc_offset: str
    abbreviation: str
    dst: bool

    def facts(self, world: World) -> dict[str, object]:
        """The offset while it holds."""
        return {f"utc_offset.{self.zone}.{self.from_utc}": self.utc_offset}


def offset_fact(zone: str, instant: int) -> tuple[str, str]:
    """Return key and value of the fact that says which offset holds in a zone at an instant."""
    row = zone_row(zone, instant)
    return f"utc_offset.{zone}.{_utc(row.previous)}", _offset(row, instant)


class ClockChange(msgspec.Struct, frozen=True):
    """A change of a zone's clocks; all empty where the table knows none."""

    at: str
    local_before: str
    local_after: str


class ZoneInfo(msgspec.Struct, frozen=True):
    """What `clock_zone_info` returns."""

    fact_id: str
    zone: str
    local: str
    utc_offset: str
    abbreviation: str
    dst: bool
    previous_change: ClockChange
    next_change: ClockChange


class ClockZoneInfo(Tool):
    """Tell the offset of a time zone from UTC at a time, and its changes before and after."""

    latency_s: ClassVar[float] = 0.2

    zone: str = Field(description="IANA name, Area/City.")
    at: str = Field(
        default="", description="Local time there, YYYY-MM-DDTHH:MM, or a date, which means its start; empty for now."
    )

    def run(self, call: Call) -> ZoneInfo:
        if self.zone not in zone_names():
            raise ToolError("unknown_zone", field="zone", hint="an IANA name, Area/City")
        instant = self._instant() if self.at else call.world.now
        row = zone_row(self.zone, instant)
        fact = ZoneFact(
            call.world.stamp_id("zon", self.zone, _utc(row.previous)),
            self.zone,
            _utc(row.previous),
            _utc(row.next),
            _offset(row, instant),
            row.abbreviation,
            row.dst,
        )
        call.show(call.world.stamp(fact).id)
        return ZoneInfo(
            fact.id,
            self.zone,
            to_local(instant, self.zone),
            fact.utc_offset,
            row.abbreviation,
            row.dst,
            _change(row.previous),
            _change(row.next),
        )

    def _instant(self) -> int:
        local = self.at if "T" in self.at else f"{self.at}T00:00"
        try:
            instant = to_instant(local, self.zone)
        except ValueError:
            raise ToolError("invalid_argument", field="at", hint="YYYY-MM-DDTHH:MM or YYYY-MM-DD") from None
        if not first_instant() <= instant <= last_instant():
            known = f"{to_local(first_instant(), self.zone)} to {to_local(last_instant(), self.zone)}"
            raise ToolError("invalid_argument", field="at", hint=f"a time from {known}")
        return instant


def _offset(row: ZoneRow, instant: int) -> str:
    return to_iso(instant, row.zone)[-6:]


def _utc(change: ZoneChange | None) -> str:
    return f"{to_local(change.instant, 'UTC')}Z" if change else ""


def _change(change: ZoneChange | None) -> ClockChange:
    return ClockChange(_utc(change), change.local_before, change.local_after) if change else ClockChange("", "", "")
