"""Arguments that the calendar's writing tools share, and what they refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.errors import ToolError
from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.cal_read import find_event, is_visible
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.drafts import check_addresses
from agentbench_tasks.commons.events import (
    Attendee,
    Calendar,
    Event,
    Occurrence,
    Role,
    Time,
    When,
    calendar_of,
    same_address,
)
from agentbench_tasks.commons.outbound import recipient_at
from agentbench_tasks.commons.recurrence import BadRule, check_start, read_rule
from agentbench_tasks.commons.values import Prose

MOST_GUESTS = 20
MOST_EXDATES = 40
Scope = Literal["this", "following", "all"]
SCOPE = (
    "For a series: this (the one instance that event_id names), following (that instance and all later ones) or all. "
    "It makes no difference for an event that does not repeat."
)
EVENT_ID = "Id of the event, the series or an instance."
RRULE = "Recurrence rule, FREQ=...; for a start with a zone UNTIL is a UTC time such as 20261222T010000Z."


class Guest(Part):
    """A guest as a call names one."""

    address: str = Field(description="Mail address.", max_length=120)
    role: Role = Field(default="required", description="required, optional, or resource for a room.")


Guests = Annotated[list[Guest], Field(max_length=MOST_GUESTS)]
Times = Annotated[list[Time], Field(max_length=MOST_EXDATES)]
Title = Annotated[Prose, Field(max_length=200)]
Description = Annotated[Prose, Field(max_length=1_500)]
RuleText = Annotated[str, Field(max_length=200)]


def changeable(world: World, id: str) -> Occurrence:
    """Return the event with this id; refuse the call where the user may not change it.

    The user may change what stands on a calendar with writer's access, and on an own one what the user organises.
    """
    found = find_event(world, id)
    calendar = world.find(found.event.calendar_id)
    if isinstance(calendar, Calendar) and calendar.access in ("owner", "writer"):
        own = (world.settings["mailbox"].address, calendar.owner)
        if calendar.access == "writer" or any(same_address(found.event.organizer, address) for address in own):
            return found
    code = "not_organizer" if is_visible(world, found.event) else "no_access"
    raise ToolError(code, field="event_id", hint="an event that the user organises or a calendar the user may write")


def scope_of(found: Occurrence, scope: Scope) -> Scope:
    """Return the scope that a call really has; refuse one that needs an instance and names none."""
    if not found.event.rrule:
        return "all"
    if scope != "all" and not found.original:
        raise ToolError("invalid_argument", field="event_id", hint="the id of an instance, or the scope all")
    # All later ones than the first are all.
    return "all" if scope == "following" and found.original == found.event.start.local else scope


def read_times(times: Sequence[Time], field: str) -> tuple[When, ...]:
    """Read a list of times."""
    read = [time.read(f"{field}.{number}") for number, time in enumerate(times)]
    if None in read:
        raise ToolError("invalid_argument", field=f"{field}.{read.index(None)}", hint="local or date")
    return tuple(filter(None, read))


def attendees_of(world: World, guests: Sequence[Guest], former: Sequence[Attendee] = ()) -> tuple[Attendee, ...]:
    """Return the guests that a call names; those who were guests before keep name and response.

    A room is one however it was named.
    """
    check_addresses([guest.address for guest in guests], "attendees")
    known = {guest.address.lower(): guest for guest in former}
    named: dict[str, Attendee] = {}
    for guest in guests:
        key = guest.address.lower()
        attendee = known.get(key) or _new_guest(world, guest.address)
        calendar = calendar_of(world, guest.address)
        role: Role = "resource" if calendar is not None and calendar.is_room else guest.role
        named[key] = msgspec.structs.replace(attendee, role=role)
    return tuple(named.values())


def _new_guest(world: World, address: str) -> Attendee:
    recipient = recipient_at(world, address)
    contact = world.find(recipient.recipient_id)
    name = contact.display_name if isinstance(contact, Contact) else ""
    return Attendee(address, name, internal=recipient.internal)


def check_event(event: Event) -> None:
    """Refuse an event that ends before it starts, or has a rule that cannot be read or does not fit its start."""
    start, end = event.start, event.end
    if (start.all_day, start.floating) != (end.all_day, end.floating):
        raise ToolError("invalid_argument", field="end", hint="of the same kind as start: both with a zone, or neither")
    if event.length_s <= 0:
        raise ToolError("end_before_start", field="end", hint="later than start")
    if len(event.exdates) > MOST_EXDATES:
        raise ToolError("invalid_argument", field="add_exdates", hint=f"at most {MOST_EXDATES} in all")
    if event.rrule:
        try:
            check_start(read_rule(event.rrule), start.local, start.zone)
        except BadRule as error:
            raise bad_rule(error) from error


def bad_rule(error: BadRule) -> ToolError:
    """The refusal of a recurrence rule."""
    return ToolError("bad_rrule", field="rrule", hint=str(error))
