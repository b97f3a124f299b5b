"""A house of an instance, with the part it plays."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_tasks.travel.domain.accessible.statements import Listing
from agentbench_tasks.travel.domain.houses import House
from agentbench_tasks.travel.domain.records_stays import RoomType

Role = Literal["target", "sold_out", "neighbour", "decoy", "filler"]


class Site(msgspec.Struct):
    """A house of the instance, and what it says of itself. `room` is the one that its listing describes."""

    role: Role
    house: House
    rooms: tuple[RoomType, ...]
    prices: tuple[int, ...]
    room: RoomType
    listing: Listing
    trap: str = ""
    missing: str = ""
    """The need that a decoy fails."""
    icon: bool = False
    conforms: bool = False
