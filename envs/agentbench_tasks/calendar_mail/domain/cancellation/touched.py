"""What a call changed: the meeting that is meant and nothing besides, or more."""

from __future__ import annotations

import msgspec

from agentbench_env.lineage import Entry
from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.cancellation.proof import Goal
from agentbench_tasks.commons.events import Event, is_instance, originals
from agentbench_tasks.commons.outbound import Outbound


def is_live(goal: Goal, world: World) -> bool:
    """Whether the meeting still takes place on the user's calendar."""
    event = world.find(goal.event_id)
    if not isinstance(event, Event) or event.status == "cancelled":
        return False
    if not goal.original:
        return True
    own = next((own for own in event.overrides if own.original_start == goal.original), None)
    return is_instance(event, goal.original) and (own is None or own.status != "cancelled")


def touches_the_meeting_alone(entry: Entry, goal: Goal) -> bool:
    """Whether a call changed the event that is meant, and of a series only the instance that is."""
    changes = [change for change in entry.changes if not isinstance(change.after, Outbound)]
    if not changes or {change.id for change in changes} != {goal.event_id}:
        return False
    first, last = changes[0].before, changes[-1].after
    if not goal.original:
        return True
    return isinstance(first, Event) and isinstance(last, Event) and _rest(first, goal) == _rest(last, goal)


def _rest(series: Event, goal: Goal) -> tuple[Event, list[str]]:
    """A series without the instance that is meant, and the starts of the others."""
    overrides = tuple(own for own in series.overrides if own.original_start != goal.original)
    bare = msgspec.structs.replace(
        series, overrides=overrides, exdates=(), cancelled=(), sequence=0, updated_at=0
    )  # fmt: skip
    return bare, [start for start in originals(series) if start != goal.original]


def notices_outside(entry: Entry) -> list[str]:
    """Return the people outside the organisation whom the calendar mailed in a call."""
    rows = (change.after for change in entry.changes)
    return [
        row.recipient_id
        for row in rows
        if isinstance(row, Outbound) and row.kind == "event_notice" and not row.internal
    ]
