"""Boards that show how long one waits at a venue, and putting a name down from afar."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.service_time import ServiceTime, service_time
from agentbench_tasks.commons.texts import Stated, Words, body_of
from agentbench_tasks.commons.values import Prose, Zoned, zoned
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.providers import reach_venue
from agentbench_tasks.reservations.domain.venue import service_at

QueueMode = Literal["host_list", "paper_list", "kiosk_number", "remote_app", "sms_waitlist", "none"]
QueueFact = Literal["mode", "accepting", "wait_min", "walk_in", "seating", "ticket_cutoff", "on_site"]


def queue_key(venue_id: str, fact: QueueFact) -> str:
    """Key of what is known of a venue's queue."""
    return f"queue.{venue_id}.{fact}"


def walk_in_value(party: PartyRange) -> str:
    """The parties that may walk in, as claims compare them."""
    return f"{party.min}-{party.max}"


class Board(Record, frozen=True, gc=False):
    """What a venue shows of its queue."""

    venue_id: str
    as_of: int
    """The instant at which it stood so, 0 for a board that is read as it stands."""
    mode: QueueMode
    accepting: bool
    walk_in: PartyRange
    seating: tuple[Seating, ...]
    text: Words
    closed_text: Words = ""
    """What it says in its place while the venue is closed."""
    groups_waiting: int = 0
    minutes_per_group: int = 0
    est_wait_min: int = -1
    """The wait that it states, -1 where one reckons it from the groups."""
    ticket_cutoff: str = ""
    """Service time until which names are taken, "" for none."""
    remote_join: bool = False
    stated: tuple[Stated, ...] = ()

    @property
    def wait_min(self) -> int:
        """The minutes that one waits now."""
        return self.est_wait_min if self.est_wait_min >= 0 else self.groups_waiting * self.minutes_per_group

    def now(self, world: World) -> Board:
        """The board as one reads it: nobody waits, and no name is taken, while the venue is closed."""
        if self.as_of or self.mode == "none":
            return self
        when = service_time(world.now, world.get(Place, self.venue_id).zone)
        if service_at(world, self.venue_id, when.service_date, when.time):
            return self
        return msgspec.structs.replace(self, accepting=False, text=self.closed_text, groups_waiting=0, est_wait_min=-1)

    def facts(self, world: World) -> dict[str, object]:
        """Mode, wait, parties and seats, and cut-off."""
        board = self.now(world)
        facts: dict[str, object] = {
            queue_key(self.venue_id, "mode"): self.mode,
            queue_key(self.venue_id, "accepting"): board.accepting,
            queue_key(self.venue_id, "wait_min"): board.wait_min,
            queue_key(self.venue_id, "walk_in"): walk_in_value(self.walk_in),
            queue_key(self.venue_id, "seating"): ",".join(self.seating),
        }
        if self.ticket_cutoff:
            facts[queue_key(self.venue_id, "ticket_cutoff")] = self.ticket_cutoff
        return facts | {fact.key: fact.value for fact in self.stated}


class WaitlistEntry(Record, frozen=True, gc=False):
    """A name on a venue's list."""

    venue_id: str
    ticket: str
    party_size: int
    name: str
    phone: str
    at: int


class BoardText(msgspec.Struct, frozen=True):
    """What `queue_get_board` returns; numbers that the board does not show are -1."""

    board_id: str
    venue_id: str
    as_of: Zoned
    mode: str
    accepting: bool
    groups_waiting: int
    minutes_per_group: int
    est_wait_min: int
    walk_in: PartyRange
    seating: tuple[Seating, ...]
    ticket_cutoff: ServiceTime
    remote_join: bool
    text: str


class QueueGetBoard(Tool):
    """Read a venue's queue as it stands: how one gets in, how many wait, and until when names are taken."""

    latency_s: ClassVar[float] = 0.4

    venue_id: str = Field(description="Id of the venue.")

    def run(self, call: Call) -> BoardText:
        board = _board(call.world, self.venue_id)
        zone = call.world.get(Place, board.venue_id).zone
        call.show(board.id)
        counted, as_of = board.est_wait_min < 0, _as_of(call.world, board)
        cutoff = ServiceTime("", "", "")
        if board.ticket_cutoff:
            cutoff = ServiceTime(service_time(as_of, zone).service_date, board.ticket_cutoff, zone)
        return BoardText(
            board.id,
            board.venue_id,
            zoned(as_of, zone),
            board.mode,
            board.accepting,
            board.groups_waiting,
            board.minutes_per_group if counted else -1,
            board.est_wait_min,
            board.walk_in,
            board.seating,
            cutoff,
            board.remote_join,
            body_of(board.text),
        )


def _board(world: World, venue_id: str) -> Board:
    world.get(Place, venue_id, "venue_id")
    board = next(iter(world.where(Board, "venue_id", venue_id)), None)
    if board is None:
        raise ToolError("no_board", field="venue_id")
    return board.now(world)


def _as_of(world: World, board: Board) -> int:
    """The instant of a board, of one that is read as it stands the minute that has begun."""
    return board.as_of or world.now // 60 * 60


class Ticket(msgspec.Struct, frozen=True):
    """What `queue_join_waitlist` returns."""

    ticket: str
    venue_id: str


class QueueJoinWaitlist(Tool):
    """Put a name down on a venue's waiting list from afar."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 1.2

    venue_id: str = Field(description="Id of the venue.")
    party_size: int = Field(description="Number of guests.", ge=1, le=999)
    guest_name: Prose = Field(description="Name to call.", min_length=1, max_length=80)
    phone: str = Field(description="Number to call or text.", max_length=40)

    def run(self, call: Call) -> Ticket:
        world = call.world
        board = _board(world, self.venue_id)
        if board.mode == "none" or not board.accepting or not board.walk_in.holds(self.party_size):
            raise ToolError("not_accepting", field="venue_id")
        if not board.remote_join:
            raise ToolError("on_site_only", field="venue_id")
        zone = world.get(Place, board.venue_id).zone
        if board.ticket_cutoff:
            day = service_time(_as_of(world, board), zone).service_date
            if world.now > ServiceTime(day, board.ticket_cutoff, zone).instant:
                raise ToolError("not_accepting", field="venue_id")
        number = board.groups_waiting + 1 + len(world.where(WaitlistEntry, "venue_id", board.venue_id))
        entry = WaitlistEntry(
            world.new_id("wte"), board.venue_id, str(number), self.party_size, self.guest_name, self.phone, world.now
        )
        world.put(entry)
        content = f"{self.guest_name}\n{self.phone}"
        reach_venue(call, "booking", board.venue_id, entry.id, subkind="waitlist", content=content)
        call.show(entry.id)
        return Ticket(entry.ticket, board.venue_id)
