"""Changing and calling off reservations: what it would cost, and doing it. Charges of the terms are taken at once."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.commons.values import Prose, Zoned, zoned
from agentbench_tasks.reservations.domain.booking_records import (
    CancellationStage,
    Deposit,
    Payment,
    Reservation,
    Seating,
)
from agentbench_tasks.reservations.domain.guest_book import ReservationRow, reservation_row
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.providers import reach_venue
from agentbench_tasks.reservations.domain.slots import refusal_of
from agentbench_tasks.reservations.domain.surface import Step, Surface, find_surface, route_for
from agentbench_tasks.reservations.domain.tables import Table
from agentbench_tasks.reservations.domain.terms import (
    Occasion,
    Terms,
    cancel_charge,
    headcount_charge,
    move_charge,
    occasion_at,
    terms_for,
)
from agentbench_tasks.reservations.domain.venue import open_days

_RESERVATION = Field(description="Id of the reservation.")


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """What a change or cancellation costs in all, and how: kept of the deposit, given back, taken on top."""

    charge: Money
    kept: Money
    returned: Money

    @property
    def taken(self) -> Money:
        """What is taken beside the deposit."""
        return Money(self.charge.minor - self.kept.minor, self.charge.currency)


class ChangeQuote(Record, frozen=True, gc=False):
    """The answer to what a change or cancellation would cost at an instant; it changes nothing."""

    reservation_id: str
    start: int
    party_size: int
    cancel: bool
    at: int
    refusal: str
    settlement: Settlement

    def facts(self, world: World) -> dict[str, object]:
        """The charge at the instant."""
        what = "cancel" if self.cancel else f"{self.start}.{self.party_size}"
        return {f"charge.{self.reservation_id}.{what}.{self.at}": self.settlement.charge.minor}


def manageable(world: World, reservation_id: str) -> Reservation:
    """Return a reservation that the surface lets one change; refuse the call otherwise."""
    row = world.get(Reservation, reservation_id, "reservation_id")
    live = row.status in ("confirmed", "requested") and world.now < row.start
    has_surface = bool(world.where(Surface, "venue_id", row.venue_id))
    if not live or not has_surface or row.made_via not in ("engine", "aggregator"):
        raise ToolError("not_manageable_online", field="reservation_id", hint="the way that the venue's terms name")
    return row


def occasion_of(world: World, row: Reservation) -> Occasion:
    """Return what the terms are applied to."""
    tables = max(1, len(row.table_ids))
    return occasion_at(world, row.venue_id, row.start, row.party_size, row.course_id, row.seating == "room", tables)


def terms_of(world: World, row: Reservation) -> Terms | None:
    """Return the terms under which a reservation stands."""
    return world.get(Terms, row.terms_id) if row.terms_id else None


def settle_cancellation(world: World, row: Reservation, at: int) -> Settlement:
    """Return what calling a reservation off at an instant costs."""
    occasion, terms = occasion_of(world, row), terms_of(world, row)
    paid = row.deposit.amount.minor if row.deposit.kind == "charged" else 0
    lost = cancel_charge(terms, occasion, at, open_days(world, row.venue_id)).minor if terms else 0
    kept = min(lost, paid)
    return _settlement(occasion.currency, lost, kept, paid - kept)


def settle_change(world: World, row: Reservation, start: int, party_size: int, at: int) -> Settlement:
    """Return what another time or size costs at an instant, under the terms as they stand before it."""
    occasion, terms = occasion_of(world, row), terms_of(world, row)
    if terms is None:
        return _settlement(occasion.currency, 0, 0, 0)
    is_open, fewer = open_days(world, row.venue_id), max(0, row.party_size - party_size)
    charge = headcount_charge(terms, occasion, fewer, at, is_open).minor
    share = 0
    if fewer and row.deposit.kind == "charged" and terms.deposit.basis in ("per_head", "pct_of_course"):
        share = row.deposit.amount.minor * fewer // row.party_size
    kept = min(charge, share)
    if start != row.start:
        charge += move_charge(terms, occasion, row.moves, at, is_open).minor
    return _settlement(occasion.currency, charge, kept, share - kept)


def _settlement(currency: str, charge: int, kept: int, returned: int) -> Settlement:
    return Settlement(Money(charge, currency), Money(kept, currency), Money(returned, currency))


def _take(call: Call, row: Reservation, settlement: Settlement) -> None:
    """Take what is charged beside the deposit, and give back what is left of it."""
    world = call.world
    if settlement.taken.minor:
        world.put(Payment(world.new_id("pay"), row.id, "", "charge", settlement.taken, world.now))
        reach_venue(call, "payment", row.venue_id, row.id, amount=settlement.taken)
    if settlement.returned.minor:
        world.put(Payment(world.new_id("pay"), row.id, "", "refund", settlement.returned, world.now))


class ChangeQuoteText(msgspec.Struct, frozen=True):
    """What `booking_quote_change` returns; `reason` says why it is not possible online.

    The charge is everything that is lost, what is kept of a deposit included.
    """

    quote_id: str
    possible_online: bool
    reason: str
    at: Zoned
    charge: Amount
    deposit_kept: Amount
    deposit_returned: Amount
    further_charge: Amount
    terms_page_id: str


class BookingQuoteChange(Tool):
    """Ask a surface what changing or cancelling a reservation at a time would cost. It changes nothing."""

    latency_s: ClassVar[float] = 0.6

    reservation_id: str = _RESERVATION
    start: str = Field(default="", description="New start, venue's local time, YYYY-MM-DDTHH:MM; empty: as it is.")
    party_size: int = Field(default=0, description="New number of guests; 0: as it is.", ge=0, le=999)
    cancel: bool = Field(default=False, description="Whether the question is about cancelling.")
    at: str = Field(
        default="", description="When it would be done, venue's local time, YYYY-MM-DDTHH:MM; empty for now."
    )

    def run(self, call: Call) -> ChangeQuoteText:
        world = call.world
        row = manageable(world, self.reservation_id)
        zone = world.get(Place, row.venue_id).zone
        at = read_local(self.at, zone, "at") if self.at else world.now
        start = read_local(self.start, zone, "start") if self.start else row.start
        party_size = self.party_size or row.party_size
        refusal = ""
        if self.cancel:
            settlement = settle_cancellation(world, row, at)
        else:
            refusal, _ = change_refusal(world, row, start, party_size, row.seating)
            settlement = settle_change(world, row, start, party_size, at)
        id = world.stamp_id("quo", row.id, start, party_size, self.cancel, at, world.now)
        quote = ChangeQuote(id, row.id, start, party_size, self.cancel, at, refusal, settlement)
        call.show(world.stamp(quote).id)
        return ChangeQuoteText(
            quote.id,
            not refusal,
            refusal,
            Zoned(to_local(at, zone), zone),
            settlement.charge.wire(),
            settlement.kept.wire(),
            settlement.returned.wire(),
            settlement.taken.wire(),
            row.terms_page_id,
        )


def change_refusal(
    world: World, row: Reservation, start: int, party_size: int, seating: Seating
) -> tuple[str, tuple[Table, ...]]:
    """Tell why a surface does not take a change, "" if it does, and the tables it gives."""
    surface = find_surface(world, row.venue_id)
    refusal, _, tables = refusal_of(world, surface, start, party_size, seating, but=row.id)
    if refusal and refusal != "party_not_accepted":
        refusal = "slot_gone"
    return refusal, tables


class BookingChangeReservation(Tool):
    """Change a reservation. It applies at once, and any charge under the terms is taken."""

    effect: ClassVar[Effect] = "commit"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 1.8

    reservation_id: str = _RESERVATION
    start: str = Field(default="", description="New start, venue's local time, YYYY-MM-DDTHH:MM; empty: as it is.")
    party_size: int = Field(default=0, description="New number of guests; 0: as it is.", ge=0, le=999)
    seating: Seating = Field(
        default="any", description="table, counter, sofa, terrace, floor or room (a private room); any: as it is."
    )
    notes: Prose = Field(default="", description="New remarks, in place of the old ones; empty: as they are.")

    def run(self, call: Call) -> ReservationRow:
        world = call.world
        row = manageable(world, self.reservation_id)
        zone = world.get(Place, row.venue_id).zone
        start = read_local(self.start, zone, "start") if self.start else row.start
        party_size = self.party_size or row.party_size
        seating = row.seating if self.seating == "any" else self.seating
        changes: dict[str, Any] = {"notes": self.notes or row.notes}
        settlement = settle_change(world, row, start, party_size, world.now)
        if (start, party_size, seating) != (row.start, row.party_size, row.seating):
            refusal, tables = change_refusal(world, row, start, party_size, seating)
            if refusal:
                field = "party_size" if refusal == "party_not_accepted" else "start"
                raise ToolError(refusal, field=field, hint="what booking_search_slots shows as open")
            changes |= self._seated(world, row, start, party_size, tables)
            changes["deposit"] = _left(row, settlement)
        changed = msgspec.structs.replace(row, **changes)
        if changed == row:
            call.happened("read")
        else:
            world.put(changed)
            reach_venue(call, "change", row.venue_id, row.id, content=self.notes, amount=settlement.charge)
            _take(call, row, settlement)
        call.show(changed.id)
        return reservation_row(changed, world)

    def _seated(
        self, world: World, row: Reservation, start: int, party_size: int, tables: tuple[Table, ...]
    ) -> dict[str, Any]:
        """The fields that another time, size or seating changes; the terms become those of the new booking."""
        seating = tables[0].seating
        occasion = occasion_at(world, row.venue_id, start, party_size, row.course_id, seating == "room", len(tables))
        terms = terms_for(world, row.venue_id, occasion)
        return {
            "start": start,
            "end": start + find_surface(world, row.venue_id).turn_minutes * 60,
            "party_size": party_size,
            "seating": seating,
            "table_ids": tuple(table.id for table in tables),
            "terms_id": terms.id if terms else "",
            "terms_page_id": terms.page_id if terms else "",
            "moves": row.moves + (start != row.start),
            "remaining_steps": row.remaining_steps + self._new_steps(world, row, start, party_size),
        }

    def _new_steps(self, world: World, row: Reservation, start: int, party_size: int) -> tuple[Step, ...]:
        """The steps that the new booking needs and the old one did not."""
        surface = find_surface(world, row.venue_id)
        old = route_for(world, surface, row.party_size, row.start)
        new = route_for(world, surface, party_size, start)
        known = (*(old.steps if old else ()), *row.remaining_steps, "course_choice")
        return tuple(step for step in new.steps if step not in known) if new else ()


def _left(row: Reservation, settlement: Settlement) -> Deposit:
    """What is left of a deposit after what was kept and what was given back."""
    gone = settlement.kept.minor + settlement.returned.minor
    return msgspec.structs.replace(
        row.deposit, amount=Money(row.deposit.amount.minor - gone, row.deposit.amount.currency)
    )


class Staged(msgspec.Struct, frozen=True):
    """What `booking_stage_cancellation` returns."""

    stage_id: str
    reservation_id: str
    execute_before: Zoned
    charge_by_then: Amount


class BookingStageCancellation(Tool):
    """Make a cancellation ready for the user to carry out until a time. It reaches nobody."""

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 0.6

    reservation_id: str = _RESERVATION
    execute_before: str = Field(description="Until when it is to be carried out, venue's local time, YYYY-MM-DDTHH:MM.")

    def run(self, call: Call) -> Staged:
        world = call.world
        row = manageable(world, self.reservation_id)
        zone = world.get(Place, row.venue_id).zone
        before = read_local(self.execute_before, zone, "execute_before")
        if before < world.now:
            raise ToolError("in_the_past", field="execute_before", hint="a time from now on")
        charge = settle_cancellation(world, row, before).charge
        stage = world.put(CancellationStage(world.new_id("stg"), row.id, before, charge, world.now))
        call.show(stage.id)
        return Staged(stage.id, row.id, zoned(before, zone), charge.wire())


class Cancelled(msgspec.Struct, frozen=True):
    """What `booking_cancel_reservation` returns."""

    reservation: ReservationRow
    charge: Amount
    deposit_returned: Amount
    further_charge: Amount


class BookingCancelReservation(Tool):
    """Cancel a reservation at once; any charge under the terms is taken."""

    effect: ClassVar[Effect] = "commit"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 1.8

    reservation_id: str = _RESERVATION

    def run(self, call: Call) -> Cancelled:
        world = call.world
        if world.get(Reservation, self.reservation_id, "reservation_id").status == "cancelled":
            raise ToolError("already_cancelled", field="reservation_id")
        row = manageable(world, self.reservation_id)
        settlement = settle_cancellation(world, row, world.now)
        cancelled = world.put(msgspec.structs.replace(row, status="cancelled"))
        reach_venue(call, "cancellation", row.venue_id, row.id, amount=settlement.charge)
        _take(call, row, settlement)
        call.show(cancelled.id)
        wires = settlement.charge.wire(), settlement.returned.wire(), settlement.taken.wire()
        return Cancelled(reservation_row(cancelled, world), *wires)
