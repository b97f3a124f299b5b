"""Pre-ordering: a venue's set menus with their dishes, and the sheet of a party's choices."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import World, content_digest
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.requests import find_request
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.menus import Dish, SetMenu, dishes_of, preorder_deadline
from agentbench_tasks.reservations.domain.messages import Thread
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.preorder_records import Sheet, SheetLine
from agentbench_tasks.reservations.domain.providers import reach_venue

MOST_LINES = 60


class MenuHead(msgspec.Struct, frozen=True):
    """A set menu as its venue lists it; a party's `max` of 0 is no upper limit."""

    menu_id: str
    name: str
    price_per_person: Amount
    charges: ChargeRule
    party: PartyRange
    kid_menu_id: str
    kid_up_to_age: int
    """-1 where there is no variant for children."""
    page_id: str


class CourseText(msgspec.Struct, frozen=True):
    """A course and what there is to choose from in it."""

    course: str
    dish_ids: tuple[str, ...]


class VariantText(msgspec.Struct, frozen=True):
    """A way in which the kitchen changes a dish when told beforehand."""

    dish_id: str
    text: str


class DishText(msgspec.Struct, frozen=True):
    """A dish with its allergens, traces and diets."""

    dish_id: str
    name: str
    contains: tuple[str, ...]
    may_contain: tuple[str, ...]
    diets: tuple[str, ...]
    supplement: Amount
    variants: list[VariantText]


class Menus(msgspec.Struct, frozen=True):
    """What `preorder_get_menu` returns; courses, rules and dishes are those of the menu that was asked for."""

    menus: list[MenuHead]
    courses: list[CourseText]
    rules: str
    deadline: str
    dishes: list[DishText]


class PreorderGetMenu(Tool):
    """List a venue's set menus, or read one with its courses, dishes, allergens, rules and deadline.

    The mode of its charges: final: nothing is added; on_service: service, then tax on both; each_on_net: service, fee
    and tax each on the printed price; compounded: service and fee on the printed price, then tax on all of it.
    """

    latency_s: ClassVar[float] = 0.6

    venue_id: str = Field(description="Id of the venue.")
    menu_id: str = Field(default="", description="Id of one set menu; empty to list all.")

    def run(self, call: Call) -> Menus:
        world = call.world
        place = world.get(Place, self.venue_id, "venue_id")
        if not self.menu_id:
            menus = world.where(SetMenu, "venue_id", place.id)
            for menu in menus:
                call.show(menu.id, f"price.{menu.id}")
            return Menus([_head(menu) for menu in menus], [], "", "", [])
        menu = world.get(SetMenu, self.menu_id, "menu_id")
        if menu.venue_id != place.id:
            raise ToolError("unknown_id", field="menu_id", hint="a menu_id of this venue")
        dishes = dishes_of(world, menu)
        call.show(menu.id)
        for dish in dishes:
            call.show(dish.id)
        return Menus(
            [_head(menu)],
            [CourseText(body_of(course.course), course.dish_ids) for course in menu.courses],
            body_of(menu.rules_text),
            body_of(menu.deadline_text),
            [_dish(dish, menu.price.currency) for dish in dishes],
        )


def _head(menu: SetMenu) -> MenuHead:
    kid = menu.kid
    return MenuHead(
        menu.id,
        body_of(menu.name),
        menu.price.wire(),
        menu.charges,
        menu.party,
        kid.menu_id if kid else "",
        kid.up_to_age if kid else -1,
        menu.page_id,
    )


def _dish(dish: Dish, currency: str) -> DishText:
    return DishText(
        dish.id,
        body_of(dish.name),
        dish.contains,
        dish.may_contain,
        dish.diets,
        Money(dish.supplement, currency).wire(),
        [VariantText(variant.dish_id, body_of(variant.text)) for variant in dish.variants],
    )


class LineEntry(Part):
    """A line of a sheet."""

    person_id: str = Field(description="Id of the person, a participant of the conversation.")
    child: bool = Field(default=False, description="Whether it is a child whom that person brings, of whatever age.")
    menu_id: str = Field(description="Id of the set menu.")
    dish_ids: list[str] = Field(description="Ids of the dishes, one a course in their order.", max_length=12)
    price: str = Field(description="Printed menu price and supplements of this line, before service and tax.")


class SheetSaved(msgspec.Struct, frozen=True):
    """What `preorder_save_sheet` returns."""

    sheet_id: str
    revision: int
    digest: str


class PreorderSaveSheet(Tool):
    """Write down who eats what, and keep it. It is private and reaches nobody."""

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 0.7

    reservation_id: str = Field(description="Id of the reservation.")
    lines: list[LineEntry] = Field(description="One line a person.", max_length=MOST_LINES)
    stated_total: str = Field(description="What the party pays in all, with service, fee and tax; a decimal number.")
    currency: str = Field(default="", description="ISO code of the amounts; empty: the venue's.")
    sheet_id: str = Field(default="", description="Id of the sheet to overwrite; empty for a new one.")

    def run(self, call: Call) -> SheetSaved:
        world = call.world
        row = world.get(Reservation, self.reservation_id, "reservation_id")
        place = world.get(Place, row.venue_id)
        if self.currency.strip().upper() not in ("", place.currency):
            raise ToolError("invalid_argument", field="currency", hint=place.currency)
        older = find_sheet(world, self.sheet_id) if self.sheet_id else None
        lines = tuple(self._line(world, place, number, line) for number, line in enumerate(self.lines))
        if len({(line.person_id, line.child) for line in lines}) < len(lines):
            raise ToolError("unknown_person_twice", field="lines", hint="one line a person, and one for their child")
        sheet = Sheet(
            id=older.id if older else world.new_id("sht"),
            addressee_id=place.id,
            revision=older.revision + 1 if older else 1,
            made_by=older.made_by if older else "assistant",
            reservation_id=row.id,
            lines=lines,
            stated_total=_money(self.stated_total, place.currency, "stated_total"),
        )
        world.put(sheet)
        call.show(sheet.id)
        return SheetSaved(sheet.id, sheet.revision, content_digest(sheet))

    def _line(self, world: World, place: Place, number: int, line: LineEntry) -> SheetLine:
        field = f"lines.{number}"
        if not _is_known(world, line.person_id):
            raise ToolError("unknown_id", field=f"{field}.person_id", hint="a person_id of msg_get_thread")
        if world.get(SetMenu, line.menu_id, f"{field}.menu_id").venue_id != place.id:
            raise ToolError("unknown_id", field=f"{field}.menu_id", hint="a menu_id of this venue")
        for dish_id in line.dish_ids:
            dish = world.find(dish_id)
            if not isinstance(dish, Dish) or dish.venue_id != place.id:
                raise ToolError("unknown_dish", field=f"{field}.dish_ids", hint="a dish_id of preorder_get_menu")
        price = _money(line.price, place.currency, f"{field}.price")
        return SheetLine(line.person_id, line.child, line.menu_id, tuple(line.dish_ids), price)


def _is_known(world: World, person_id: str) -> bool:
    """Whether an id is that of a contact or of somebody in a conversation."""
    talking = (person.person_id for thread in world.all(Thread) for person in thread.participants)
    return isinstance(world.find(person_id), Contact) or person_id in talking


def _money(amount: str, currency: str, field: str) -> Money:
    try:
        return Money.of(amount, currency)
    except ValueError as error:
        raise ToolError("invalid_argument", str(error), field, "a decimal number such as 1290") from error


def find_sheet(world: World, sheet_id: str) -> Sheet:
    """Return a sheet that was not submitted; refuse the call with `not_a_draft` otherwise."""
    try:
        return find_request(world, Sheet, sheet_id)
    except ToolError as error:
        raise ToolError(error.code, field="sheet_id", hint="the sheet_id of a sheet that was not submitted") from error


class Ordered(msgspec.Struct, frozen=True):
    """What `preorder_submit_sheet` returns."""

    order_number: str
    sheet_id: str


class PreorderSubmitSheet(Tool):
    """Order what stands on a sheet: the venue buys for it."""

    effect: ClassVar[Effect] = "commit"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 2.0

    sheet_id: str = Field(description="Id of the sheet.")

    def run(self, call: Call) -> Ordered:
        world = call.world
        sheet = find_sheet(world, self.sheet_id)
        row = world.get(Reservation, sheet.reservation_id)
        menus = [world.get(SetMenu, id) for id in dict.fromkeys(line.menu_id for line in sheet.lines)]
        if any(world.now > preorder_deadline(world, menu, row.start) for menu in menus):
            raise ToolError("past_deadline", field="sheet_id")
        number = world.new_id("ord").removeprefix("ord_").upper()
        world.put(msgspec.structs.replace(sheet, state="submitted", reference=number, submitted_at=world.now))
        reach_venue(call, "order", sheet.addressee_id, sheet.id, content=sheet.contents, amount=sheet.stated_total)
        call.show(sheet.id)
        return Ordered(number, sheet.id)
