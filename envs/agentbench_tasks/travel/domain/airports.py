"""Airports and stations: what their own pages say, and which a code or a city's name stands for."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_tasks.travel.domain.geography import city_codes
from agentbench_tasks.travel.domain.messages import message, notice
from agentbench_tasks.travel.domain.records import Connection, DirectoryLine, Link, Point, name_in


class PointInfo(msgspec.Struct, frozen=True):
    """What `airport_get_info` returns. `mct`: minimum connecting minutes; protected means one ticket for both."""

    point_id: str
    code: str
    kind: str
    name: str
    city_id: str
    country: str
    zone: str
    terminals: list[str]
    mct: list[Connection]
    separate_tickets_note: str
    links: list[Link]
    links_note: str
    directory: list[DirectoryLine]


class AirportGetInfo(Tool):
    """Get an airport's or station's own information: terminals, connection minima, links, and who flies where.

    `separate_tickets_note` is the id of the page with the rule for separate tickets.
    """

    latency_s: ClassVar[float] = 0.8

    code: str = Field(
        description="Airport code (e.g. NRT) or station id (e.g. KR-SEL); a city's code or name lists its points."
    )

    def run(self, call: Call) -> PointInfo:
        point = point_by_code(call.world, self.code, "code")
        call.show(point.id)
        return PointInfo(
            point_id=point.id,
            code=point.code,
            kind=point.kind,
            name=name_in(point.names, call.world.language),
            city_id=point.city,
            country=point.country,
            zone=point.zone,
            terminals=list(point.terminals),
            mct=list(point.mct),
            separate_tickets_note=point.note_page,
            links=list(point.links),
            links_note=notice(call.world, "transfer_note"),
            directory=list(point.directory),
        )


def point_by_code(world: World, code: str, field: str) -> Point:
    """Return the airport or station of a code; refuse an unknown one, naming the points of a city."""
    found = world.where(Point, "code", code.strip().upper()) or points_of(world, code, field)
    if len(found) > 1:
        choices = ", ".join(f"{point.code} ({name_in(point.names, world.language)})" for point in found)
        raise ToolError("several_points", message(world, "several_points"), field, f"one of: {choices}")
    return found[0]


def points_of(world: World, code: str, field: str) -> list[Point]:
    """Return the airports and stations that a code or city's name stands for: one, or all of a city.

    A code that is both a point's and a city's stands for the city.
    """
    found = world.where(Point, "city", city_codes().get(fold(code.strip()), ""))
    found = found or world.where(Point, "code", code.strip().upper())
    if not found:
        raise ToolError("unknown_id", "", field, "an airport, city or station code, or a city's name")
    return found
