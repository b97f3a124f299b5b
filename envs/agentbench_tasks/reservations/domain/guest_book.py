"""Finding reservations: the account's own, and the masked rows of a venue's guest book."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_tasks.commons.service_time import service_time
from agentbench_tasks.commons.values import Zoned, json_length, read_date, zoned
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import Step

MOST_ROWS = 20
MOST_CHARACTERS = 14_000


class DepositRow(msgspec.Struct, frozen=True):
    """What the guest left beforehand: none, hold or charged."""

    kind: str
    amount: Amount


class ReservationRow(msgspec.Struct, frozen=True):
    """A reservation as engines print it; the contact is masked."""

    reservation_id: str
    reference: str
    venue_id: str
    venue: str
    made_via: str
    in_account: bool
    status: str
    guest_name: str
    phone: str
    email: str
    party_size: int
    start: Zoned
    seating: str
    course_id: str
    notes: str
    deposit: DepositRow
    card_on_file: bool
    remaining_steps: tuple[Step, ...]
    terms_page_id: str


class ReservationRows(msgspec.Struct, frozen=True):
    """What `booking_find_reservations` returns."""

    reservations: list[ReservationRow]


class BookingFindReservations(Tool):
    """Find reservations: the account's own or, by surname, those in the guest book of a venue or of a day.

    Other guests' rows are masked.
    """

    latency_s: ClassVar[float] = 0.6

    reservation_id: str = Field(default="", description="Id of one reservation; the other arguments then do not count.")
    venue_id: str = Field(default="", description="Id of the venue; empty for all.")
    on_date: str = Field(default="", description="Day of the booking, YYYY-MM-DD; empty for all.")
    surname: str = Field(
        default="", description="Name or part of it as written on the booking; empty: the account's own only."
    )

    def run(self, call: Call) -> ReservationRows:
        found = self._found(call.world)
        found.sort(key=lambda row: (row.start, row.id))
        rows = [reservation_row(row, call.world) for row in found]
        if len(rows) > 1 and (len(rows) > MOST_ROWS or json_length(rows) > MOST_CHARACTERS):
            raise ToolError("too_broad", hint=f"arguments that leave fewer than {len(rows)} reservations")
        for row in found:
            call.show(row.id)
        return ReservationRows(rows)

    def _found(self, world: World) -> list[Reservation]:
        if self.reservation_id:
            return [world.get(Reservation, self.reservation_id, "reservation_id")]
        if self.on_date:
            read_date(self.on_date, "on_date")
        if self.venue_id:
            world.get(Place, self.venue_id, "venue_id")
        if self.surname and not (self.venue_id or self.on_date):
            raise ToolError("too_broad", field="surname", hint="a venue_id or on_date beside the name")
        rows = world.where(Reservation, "venue_id", self.venue_id) if self.venue_id else world.all(Reservation)
        return [row for row in rows if self._admits(row, world)]

    def _admits(self, row: Reservation, world: World) -> bool:
        named = _is_named(row.guest_name, self.surname) if self.surname else _in_account(row, world)
        return named and (not self.on_date or self.on_date == day_of(row, world))


def _is_named(guest_name: str, wanted: str) -> bool:
    """Whether a name has the wanted word; scripts that put no space between names match a part of one."""
    word = fold(wanted).strip()
    return word in fold(guest_name).split() or (not word.isascii() and word in fold(guest_name))


def _in_account(row: Reservation, world: World) -> bool:
    return bool(row.account_id) and row.account_id == world.settings["account"].account_id


def day_of(row: Reservation, world: World) -> str:
    """The day of the service that a reservation is for."""
    return service_time(row.start, world.get(Place, row.venue_id).zone).service_date


def reservation_row(row: Reservation, world: World) -> ReservationRow:
    """Return a reservation as engines print it."""
    place = world.get(Place, row.venue_id)
    return ReservationRow(
        row.id,
        row.reference,
        place.id,
        place.full_name,
        row.made_via,
        _in_account(row, world),
        row.status,
        row.guest_name,
        row.phone_masked,
        row.email_masked,
        row.party_size,
        zoned(row.start, place.zone),
        row.seating,
        row.course_id,
        row.notes,
        DepositRow(row.deposit.kind, row.deposit.amount.wire()),
        row.card_on_file,
        row.remaining_steps,
        row.terms_page_id,
    )
