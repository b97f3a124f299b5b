"""Whom a calendar mails when something changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from agentbench_env.episode import Call
from agentbench_tasks.commons.events import Attendee, Event, same_address
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.texts import body_of

SendUpdates = Literal["all", "external_only", "none"]
SEND_UPDATES = (
    "Who of the guests is mailed: all, external_only (those outside the user's organisation) or none. "
    "The user and rooms are never mailed."
)
Subkind = Literal["invitation", "update", "cancellation"]


def notify(call: Call, send_updates: SendUpdates, event: Event, former: Sequence[Attendee] = ()) -> list[str]:
    """Mail the guests of an event as it is now, and those who were guests before; return whom it reached.

    A call that mails nobody has changed the user's own calendar and no more.
    """
    subkinds: dict[str, Subkind] = {guest.address.lower(): "cancellation" for guest in former}
    people = {guest.address.lower(): guest for guest in former}
    for guest in event.attendees:
        key = guest.address.lower()
        subkinds[key] = "update" if key in people else "invitation"
        people[key] = guest
    reached = [guest for guest in people.values() if _is_mailed(call, send_updates, guest)]
    for guest in reached:
        send_out(
            call,
            "event_notice",
            **msgspec.structs.asdict(recipient_at(call.world, guest.address)),
            subkind=subkinds[guest.address.lower()],
            subject_id=event.id,
            content=content_of(event),
        )
    if not reached:
        call.happened("own")
    return [guest.address for guest in reached]


def _is_mailed(call: Call, send_updates: SendUpdates, guest: Attendee) -> bool:
    if send_updates == "none" or guest.role == "resource":
        return False
    is_user = same_address(guest.address, call.world.settings["mailbox"].address)
    internal = recipient_at(call.world, guest.address).internal
    return not is_user and (send_updates == "all" or not internal)


def content_of(event: Event) -> str:
    """Return every text of an event that a guest reads in a notice."""
    times = f"{event.start.local} {event.end.local} {event.start.zone}".strip()
    return "\n".join((body_of(event.title), times, body_of(event.location), body_of(event.description)))
