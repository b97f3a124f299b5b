"""A relay that telephones for the user: an operator reads a script out and tells what was answered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.service_time import service_time
from agentbench_tasks.commons.values import Prose
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.providers import digits_of, reach_venue, sentence
from agentbench_tasks.reservations.domain.surface import RouteContact, Surface, contact_is_open
from agentbench_tasks.reservations.domain.terms import Terms
from agentbench_tasks.reservations.domain.venue import HoursRule, service_at


class PhoneCall(Record, frozen=True, gc=False):
    """A call that was placed."""

    venue_id: str
    number: str
    script: str
    at: int


class CallReport(msgspec.Struct, frozen=True):
    """What `phone_place_call` returns."""

    call_id: str
    venue_id: str
    report: str


class PhonePlaceCall(Tool):
    """Have a relay operator ring a venue or firm and read a script out; tells what was answered."""

    effect: ClassVar[Effect] = "send"
    latency_s: ClassVar[float] = 30.0
    fee_usd: ClassVar[float] = 0.25

    number: str = Field(description="Telephone number.", max_length=40)
    script: Prose = Field(description="What the operator says.", min_length=1, max_length=2_000)

    def run(self, call: Call) -> CallReport:
        world = call.world
        number = digits_of(self.number)
        place = next((place for place in world.all(Place) if number and number in set(_numbers(world, place))), None)
        if place is None:
            raise ToolError("unknown_id", field="number", hint="a number of a venue or firm")
        if not _answers(world, place, number):
            raise ToolError("closed_now", field="number")
        placed = world.put(PhoneCall(world.new_id("cal"), place.id, number, self.script, world.now))
        reach_venue(call, "call", place.id, placed.id, content=self.script)
        call.show(placed.id)
        return CallReport(placed.id, place.id, sentence(world.language, "call_report", venue=place.full_name))


def _contacts(world: World, place: Place) -> Iterator[RouteContact]:
    """The telephone contacts that a venue names beside its general number."""
    for surface in world.where(Surface, "venue_id", place.id):
        yield from (route.contact for route in surface.routes if route.contact and route.contact.kind == "phone")
    for terms in world.where(Terms, "venue_id", place.id):
        if terms.contact and terms.contact.kind == "phone":
            yield terms.contact


def _numbers(world: World, place: Place) -> Iterator[str]:
    for value in (place.phone, *(contact.value for contact in _contacts(world, place))):
        yield digits_of(value)


def _answers(world: World, place: Place, number: str) -> bool:
    """Whether somebody answers now: in the hours of the contact, else of the place; without any, always."""
    named = [c for c in _contacts(world, place) if digits_of(c.value) == number]
    if named:
        return any(contact_is_open(world, place.id, contact, world.now) for contact in named)
    when = service_time(world.now, place.zone)
    keeps_hours = bool(world.where(HoursRule, "venue_id", place.id))
    return not keeps_hours or service_at(world, place.id, when.service_date, when.time) is not None
