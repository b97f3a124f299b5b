"""The case of a party's table, and what the checks read of it."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.reservations.domain.booking_records import Reservation, TableHold
from agentbench_tasks.reservations.domain.party_table.answer import PartyTable
from agentbench_tasks.reservations.domain.party_table.build import Built
from agentbench_tasks.reservations.domain.party_table.plot import Plot
from agentbench_tasks.reservations.domain.party_table.words import Words


class PartyCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def plot(self) -> Plot:
        """The story."""
        return self.built.plot

    @property
    def is_open(self) -> bool:
        """Whether the table can be held without the user."""
        return not self.built.plot.theme.stop


class Kept(msgspec.Struct, frozen=True):
    """What is kept for the user: a hold, a filled-in form, or a reservation."""

    id: str
    venue_id: str
    start: int
    party_size: int
    seating: str
    guest_name: str
    notes: str
    stopped: bool = False
    """Whether a step is left before it can be confirmed."""

    @classmethod
    def of(cls, record: TableHold | Reservation) -> Kept:
        """Read a record."""
        venue_id = record.subject_id if isinstance(record, TableHold) else record.venue_id
        return cls(
            record.id,
            venue_id,
            record.start,
            record.party_size,
            record.seating,
            record.guest_name,
            record.notes,
            bool(record.remaining_steps),
        )


def answer_of(ep: Episode) -> PartyTable:
    """The delivered answer."""
    assert isinstance(ep.answer, PartyTable)
    return ep.answer


def kept_at_end(ep: Episode) -> list[Kept]:
    """What was made in the episode and is still kept at its end."""
    world = ep.world
    made = [hold for hold in world.all(TableHold) if hold.is_live(world.now)]
    booked = [row for row in world.all(Reservation) if row.status in ("confirmed", "requested")]
    return [Kept.of(record) for record in (*made, *booked) if record.id not in world.start.records]


def kept_for(ep: Episode) -> Kept | None:
    """What the answer is about: the record that it names or, if it names none, the first that is kept."""
    kept = kept_at_end(ep)
    return next((one for one in kept if one.id == answer_of(ep).record_id.strip()), kept[0] if kept else None)
