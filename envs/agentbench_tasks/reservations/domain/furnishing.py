"""What a house has to sit at, and how full it is: tables as drawn, and days that a plot settles table by table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy

from agentbench_env.draw import Draw
from agentbench_tasks.commons.service_time import service_instant
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.rooms_page import Seat
from agentbench_tasks.reservations.domain.tables import Custom, SeatingBlock, Table

BUSY = (35, 75)
"""How many tables in a hundred are taken in an ordinary sitting, at least and at most."""
_SMALL, _MIDDLE, _LARGE = (1, 2), (2, 4), (3, 6)


class Furnishing:
    """The tables of a house and who sits at them.

    Args:
        draw: the stream to draw from.
        ids: the stream of which ids are drawn.
        place: the house.
    """

    def __init__(self, draw: Draw, ids: Draw, place: Place) -> None:
        self._ids, self._place = ids, place
        self.tables: list[Table] = []
        self.blocks: list[SeatingBlock] = []
        self.percent = draw.int(*BUSY)
        self.settled: list[str] = []
        for _ in range(draw.int(1, 2)):
            self.add(*_SMALL)
        self.joined([_MIDDLE] * draw.int(2, 3))
        self.add(*_LARGE)
        if draw.chance(0.5):
            self.add(*_SMALL, seating="counter")

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Where one sits at its tables, the private room left out."""
        return tuple(dict.fromkeys(table.seating for table in self.tables if table.seating not in ("any", "room")))

    def taken(self, ids: Draw) -> Furnishing:
        """Return the same furnishing, to be changed."""
        furnishing = copy(self)
        furnishing._ids = ids
        furnishing.tables, furnishing.blocks = [*self.tables], [*self.blocks]
        furnishing.settled = [*self.settled]
        return furnishing

    def keep_still(self) -> None:
        """Become one that is only taken from; see `House.keep_still`."""
        vars(self).update(tables=(*self.tables,), blocks=(*self.blocks,), settled=(*self.settled,))
        del self._ids

    def add(self, least: int, most: int, seating: Seating = "table", online: bool = True) -> Table:
        """Add a table for so many guests."""
        table = Table(self._ids.id("tbl"), self._place.id, least, most, seating, online=online)
        self.tables.append(table)
        return table

    def joined(self, sizes: Sequence[tuple[int, int]], seating: Seating = "table") -> list[Table]:
        """Add tables that can be put together."""
        ids = [self._ids.id("tbl") for _ in sizes]
        made = [
            Table(id, self._place.id, least, most, seating, tuple(other for other in ids if other != id))
            for id, (least, most) in zip(ids, sizes, strict=True)
        ]
        self.tables += made
        return made

    def settle(self, *days: str) -> None:
        """Let nothing but blocks and reservations count on these days."""
        self.settled += [day for day in days if day not in self.settled]

    def take(self, tables: Collection[Table], day: str, opens: str, closes: str) -> None:
        """Let tables be taken from one service time of a day to another."""
        zone = self._place.zone
        start, end = service_instant(day, opens, zone), service_instant(day, closes, zone)
        self.blocks += [SeatingBlock(self._ids.id("blk"), table.id, start, end) for table in tables]

    def seating_for(self, party_size: int) -> list[Table]:
        """Return the tables that such a party could have a part in: those it fits, and those that can be joined."""
        return [
            table
            for table in self.tables
            if table.seats_min <= party_size and (party_size <= table.seats_max or table.combinable_with)
        ]

    def records(self) -> list[Table | SeatingBlock | Custom]:
        """Return what the world keeps of it."""
        custom = Custom(self._ids.id("cst"), self._place.id, self.percent, tuple(self.settled))
        return [*self.tables, *self.blocks, custom]
