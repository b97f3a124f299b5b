"""Holding a table, letting it go, and confirming it. Nothing is refused for lack of approval: confirming books."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import msgspec
from pydantic import Field

from agentbench_env.draw import stable_number
from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World
from agentbench_tasks.commons.service_time import read_local, service_time
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.values import Done, Prose, Zoned, zoned
from agentbench_tasks.reservations.domain.blocking import blocking_step
from agentbench_tasks.reservations.domain.booking_records import (
    Account,
    CardAuthorisation,
    Deposit,
    Payment,
    Reservation,
    TableHold,
    live_hold,
)
from agentbench_tasks.reservations.domain.guest_book import ReservationRow, reservation_row
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.providers import reach_venue, sentence
from agentbench_tasks.reservations.domain.slots import SeatingWish, refusal_of
from agentbench_tasks.reservations.domain.surface import Route, Step, Surface, find_surface
from agentbench_tasks.reservations.domain.tables import LastTable, SeatingBlock, Table
from agentbench_tasks.reservations.domain.terms import deposit_total, occasion_at, terms_for

if TYPE_CHECKING:
    from agentbench_env.policies.expert import Do

HOLD_LIFE_S = 900


class HoldView(msgspec.Struct, frozen=True):
    """A hold as its engine prints it; `expires_at` is empty for a form, which does not expire."""

    hold_id: str
    venue_id: str
    status: str
    start: Zoned
    party_size: int
    seating: str
    course_id: str
    guest_name: str
    notes: str
    deposit: Amount
    expires_at: Zoned
    remaining_steps: tuple[Step, ...]


class BookingHoldSlot(Tool):
    """Keep a slot for a guest for fifteen minutes, or fill in the form where the venue answers requests.

    It reaches nobody.
    """

    effect: ClassVar[Effect] = "hold"
    latency_s: ClassVar[float] = 1.5

    venue_id: str = Field(description="Id of the venue.")
    start: str = Field(description="Start in the venue's local time, YYYY-MM-DDTHH:MM.")
    party_size: int = Field(description="Number of guests.", ge=1, le=999)
    guest_name: Prose = Field(description="Name of the booking.", min_length=1, max_length=80)
    seating: SeatingWish = "any"
    course_id: str = Field(default="", description="Id of the set menu; empty for none.")
    email: str = Field(
        default="", description="Mail address for the confirmation; empty: the account's.", max_length=120
    )
    notes: Prose = Field(default="", description="Remarks for the venue.", max_length=1_000)

    def run(self, call: Call) -> HoldView:
        world = call.world
        surface = find_surface(world, self.venue_id)
        place = world.get(Place, surface.venue_id)
        start = read_local(self.start, place.zone, "start")
        refusal, route, tables = refusal_of(world, surface, start, self.party_size, self.seating)
        if refusal == "party_not_accepted":
            raise ToolError(refusal, body_of(route.text) if route else "", "party_size")
        if refusal and refusal != "slot_gone":
            raise ToolError(refusal, field="start", hint="a start that booking_search_slots shows")
        assert route is not None
        course = self._course(world, route)
        if refusal:
            raise ToolError(refusal, field="start", hint="another start, or ask for the slots anew")
        for last in world.where(LastTable, "venue_id", place.id):
            if last.start == start and {table.id for table in tables} & set(last.table_ids):
                raise _gone_now(last, start + surface.turn_minutes * 60, surface.language)
        hold = world.put(self._hold(world, surface, route, tables, course, start))
        call.show(hold.id)
        return _view(hold, world)

    def readback(self, do: Do) -> HoldView | None:
        wanted = (self.venue_id, self.start, self.party_size, self.guest_name)
        held = do(BookingListHolds()).holds
        return next(
            (one for one in held if (one.venue_id, one.start.local, one.party_size, one.guest_name) == wanted), None
        )

    def _course(self, world: World, route: Route) -> SetMenu | None:
        if not self.course_id:
            if "course_choice" in route.steps:
                raise ToolError("course_required", field="course_id", hint="a menu_id of preorder_get_menu")
            return None
        course = world.get(SetMenu, self.course_id, "course_id")
        if course.venue_id != self.venue_id:
            raise ToolError("unknown_id", field="course_id", hint="a menu_id of this venue")
        if not course.party.holds(self.party_size):
            raise ToolError("party_not_accepted", field="course_id", hint="a menu for a party of this size")
        return course

    def _hold(
        self,
        world: World,
        surface: Surface,
        route: Route,
        tables: tuple[Table, ...],
        course: SetMenu | None,
        start: int,
    ) -> TableHold:
        seating = tables[0].seating
        course_id = course.id if course else ""
        occasion = occasion_at(
            world, surface.venue_id, start, self.party_size, course_id, seating == "room", len(tables)
        )
        terms = terms_for(world, surface.venue_id, occasion)
        prepared = route.mode == "request"
        day = service_time(start, occasion.zone).service_date
        return TableHold(
            id=world.new_id("hld"),
            subject_id=surface.venue_id,
            price=deposit_total(terms, occasion) if terms else Money(0, occasion.currency),
            lines=(),
            fee=Money(0, occasion.currency),
            created_at=world.now,
            expires_at=0 if prepared else world.now + HOLD_LIFE_S,
            start=start,
            end=start + surface.turn_minutes * 60,
            table_ids=tuple(table.id for table in tables),
            party_size=self.party_size,
            seating=seating,
            guest_name=self.guest_name,
            contact=self.email or _account(world).email_masked,
            notes=self.notes,
            course_id=course_id,
            remaining_steps=tuple(step for step in route.steps if step != "course_choice"),
            prepared=prepared,
            step_facts=((step_key(surface.venue_id, day, self.party_size), blocking_step(route)),),
        )


def step_key(venue_id: str, day: str, party_size: int) -> str:
    """The key of the fact that tells which step stops the booking of a party on a day."""
    return f"step.{venue_id}.{day}.{party_size}"


def _gone_now(last: LastTable, end: int, language: str) -> ToolError:
    """The refusal of tables that somebody else takes at this moment; others may be left."""

    def take(world: World) -> None:
        for table_id in last.table_ids:
            world.put(SeatingBlock(world.new_id("blk"), table_id, last.start, end))
        world.remove(last)

    text = sentence(language, "table_gone")
    return ToolError("slot_gone", text, "start", "ask for the slots anew", meanwhile=take)


def _account(world: World) -> Account:
    return world.settings["account"]


def _view(hold: TableHold, world: World) -> HoldView:
    zone = world.get(Place, hold.subject_id).zone
    return HoldView(
        hold.id,
        hold.subject_id,
        hold.status(world.now),
        zoned(hold.start, zone),
        hold.party_size,
        hold.seating,
        hold.course_id,
        hold.guest_name,
        hold.notes,
        hold.price.wire(),
        Zoned("", "") if hold.prepared else zoned(hold.expires_at, zone),
        hold.remaining_steps,
    )


class HoldViews(msgspec.Struct, frozen=True):
    """What `booking_list_holds` returns."""

    holds: list[HoldView]


class BookingListHolds(Tool):
    """List the holds and filled-in forms that can still be confirmed or let go, the latest first."""

    def run(self, call: Call) -> HoldViews:
        world = call.world
        live = [hold for hold in reversed(world.all(TableHold)) if hold.is_live(world.now)]
        for hold in live:
            call.show(hold.id)
        return HoldViews([_view(hold, world) for hold in live])


class BookingReleaseHold(Tool):
    """Let a hold go, or throw a filled-in form away."""

    effect: ClassVar[Effect] = "hold"
    idempotent: ClassVar[bool] = True

    hold_id: str = Field(description="Id of the hold.")

    def run(self, call: Call) -> Done:
        hold = call.world.get(TableHold, self.hold_id, "hold_id")
        if not hold.is_live(call.world.now):
            raise ToolError("not_active", field="hold_id", hint="the hold_id of an active or prepared hold")
        call.world.put(hold.ended("released"))
        return Done()


class BookingConfirmHold(Tool):
    """Confirm a hold: the table is booked. A filled-in form is sent to the venue as a request."""

    effect: ClassVar[Effect] = "commit"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 2.0

    hold_id: str = Field(description="Id of the hold.")

    def run(self, call: Call) -> ReservationRow:
        world = call.world
        hold = live_hold(world, self.hold_id)
        if hold.remaining_steps:
            raise ToolError("step_required", field="hold_id", hint=", ".join(hold.remaining_steps))
        booked = world.put(_reservation(world, hold))
        world.put(hold.ended("converted"))
        content = f"{booked.guest_name}\n{hold.contact}\n{booked.notes}"
        reach_venue(call, "request" if hold.prepared else "booking", booked.venue_id, booked.id, content=content)
        call.show(booked.id)
        return reservation_row(booked, world)


def _reservation(world: World, hold: TableHold) -> Reservation:
    account = _account(world)
    room, tables = hold.seating == "room", len(hold.table_ids)
    occasion = occasion_at(world, hold.subject_id, hold.start, hold.party_size, hold.course_id, room, tables)
    terms = terms_for(world, hold.subject_id, occasion)
    deposit = _deposit(world, hold)
    return Reservation(
        id=world.new_id("rsv"),
        reference=new_reference(world, hold.id),
        venue_id=hold.subject_id,
        made_via="engine",
        account_id=account.account_id,
        guest_name=hold.guest_name,
        phone_masked=account.phone_masked,
        email_masked=account.email_masked,
        party_size=hold.party_size,
        start=hold.start,
        seating=hold.seating,
        notes=hold.notes,
        status="requested" if hold.prepared else "confirmed",
        deposit=deposit,
        terms_id=terms.id if terms else "",
        terms_page_id=terms.page_id if terms else "",
        created_at=world.now,
        course_id=hold.course_id,
        card_on_file=deposit.kind != "none",
        table_ids=hold.table_ids,
        end=hold.end,
    )


def _deposit(world: World, hold: TableHold) -> Deposit:
    """What was left for a hold: money, a guarantee on a card, or nothing."""
    for paid in world.where(Payment, "subject_id", hold.id):
        return Deposit("charged", paid.amount)
    for given in world.where(CardAuthorisation, "subject_id", hold.id):
        return Deposit("hold", given.amount)
    return Deposit("none", Money(0, hold.price.currency))


def new_reference(world: World, subject_id: str) -> str:
    """Return a reference as guests quote it, such as R7K-2041; the same subject has the same."""
    number = stable_number(world.key, "reference", subject_id)
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    first, second = letters[number % 24], letters[number // 24 % 24]
    return f"{first}{number // 576 % 10}{second}-{number // 5760 % 10_000:04d}"
