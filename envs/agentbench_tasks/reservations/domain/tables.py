"""The tables of a venue and what occupies them: free tables decide every slot."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from zlib import crc32

from agentbench_env.world import Record, World
from agentbench_tasks.commons.service_time import service_minutes, service_time
from agentbench_tasks.reservations.domain.booking_records import Reservation, Seating, TableHold
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.venue import room_is_shut

MOST_JOINED = 3
"""How many tables are put together for one party at most."""
SITTING = 120
"""Minutes of a sitting, from midnight on, in which a table is taken or not where a venue's custom decides."""


class Table(Record, frozen=True, gc=False):
    """A table, a stretch of counter, a room; tables that name each other can be put together."""

    venue_id: str
    seats_min: int
    seats_max: int
    seating: Seating
    combinable_with: tuple[str, ...] = ()
    online: bool = True
    """Whether it is sold on the web."""


class SeatingBlock(Record, frozen=True, gc=False):
    """A table is taken from `start` until `end`, nobody says by whom."""

    table_id: str
    start: int
    end: int


class Custom(Record, frozen=True, gc=False):
    """How well a venue is visited on days of which its blocks do not tell all: so many tables in a hundred are taken.

    Which ones is a matter of the table, the day and the sitting alone, and the same whenever one asks.
    """

    venue_id: str
    percent: int
    settled: tuple[str, ...] = ()
    """The days on which blocks and reservations alone count."""

    def takes(self, table_id: str, day: str, sitting: int) -> bool:
        """Whether a table is taken in a sitting of a day."""
        return day not in self.settled and crc32(f"{table_id} {day} {sitting}".encode()) % 100 < self.percent


class LastTable(Record, frozen=True, gc=False):
    """Somebody else takes these tables at the moment at which they are first held for this start."""

    venue_id: str
    table_ids: tuple[str, ...]
    start: int


def free_tables(
    world: World,
    venue_id: str,
    start: int,
    party_size: int,
    turn_minutes: int,
    seating: Seating = "any",
    online_only: bool = False,
    but: str = "",
) -> tuple[Table, ...]:
    """Return the tables that a party would get, the fewest and smallest that do; none if it would get none.

    Args:
        world: the world.
        venue_id: the venue.
        start: the instant at which the party sits down.
        party_size: how many they are.
        turn_minutes: how long they stay.
        seating: what they sit at.
        online_only: whether tables that are kept off the web count as taken.
        but: id of the reservation whose own tables count as free.
    """
    taken = set(_taken(world, venue_id, start, start + turn_minutes * 60, but))
    day = service_time(start, world.get(Place, venue_id).zone).service_date
    no_room = room_is_shut(world, venue_id, day)
    tables = [
        table
        for table in world.where(Table, "venue_id", venue_id)
        if table.id not in taken
        and (seating == "any" or table.seating == seating)
        and (table.online or not online_only)
        and not (no_room and table.seating == "room")
    ]
    for count in range(1, MOST_JOINED + 1):
        sets = [tables for tables in combinations(tables, count) if _seats(tables, party_size)]
        if sets:
            return min(sets, key=lambda tables: (sum(table.seats_max for table in tables), [t.id for t in tables]))
    return ()


def free_seatings(
    world: World, venue_id: str, start: int, party_size: int, turn_minutes: int, seating: Seating, online_only: bool
) -> tuple[Seating, ...]:
    """Return the kinds of seating of which a party would get some."""
    kinds: dict[Seating, None] = dict.fromkeys(table.seating for table in world.where(Table, "venue_id", venue_id))
    return tuple(
        kind
        for kind in kinds
        if seating in ("any", kind) and free_tables(world, venue_id, start, party_size, turn_minutes, kind, online_only)
    )


def _seats(tables: tuple[Table, ...], party_size: int) -> bool:
    if len(tables) == 1:
        return tables[0].seats_min <= party_size <= tables[0].seats_max
    joined = all(two.id in one.combinable_with for one in tables for two in tables if one is not two)
    return joined and max(table.seats_max for table in tables) < party_size <= sum(t.seats_max for t in tables)


def _taken(world: World, venue_id: str, start: int, end: int, but: str) -> Iterator[str]:
    for custom in world.where(Custom, "venue_id", venue_id):
        when = service_time(start, world.get(Place, venue_id).zone)
        first = service_minutes(when.time)
        sittings = range(first // SITTING, (first + (end - start) // 60 - 1) // SITTING + 1)
        for table in world.where(Table, "venue_id", venue_id):
            if any(custom.takes(table.id, when.service_date, sitting) for sitting in sittings):
                yield table.id
    for table in world.where(Table, "venue_id", venue_id):
        blocks = world.where(SeatingBlock, "table_id", table.id)
        if any(block.start < end and start < block.end for block in blocks):
            yield table.id
    for hold in world.where(TableHold, "subject_id", venue_id):
        if hold.status(world.now) == "active" and hold.start < end and start < hold.end:
            yield from hold.table_ids
    for booked in world.where(Reservation, "venue_id", venue_id):
        if booked.status == "confirmed" and booked.id != but and booked.start < end and start < booked.end:
            yield from booked.table_ids
