"""Whether a call touched the two clashing meetings alone."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.lineage import Entry
from agentbench_tasks.calendar_mail.domain.cal_write import CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.double_booking.build import Clashing
from agentbench_tasks.commons.events import Event, originals


def only_the_two(entry: Entry, ep: Episode) -> bool:
    """Whether a call changed nothing but the clashing meetings, and of a series only the clashing instance."""
    meetings = {meeting.event.id: meeting for meeting in ep.case.built.both}
    if entry.tool != CalUpdateEvent.name or not {change.id for change in entry.changes} <= meetings.keys():
        return False
    return all(
        isinstance(change.before, Event)
        and isinstance(change.after, Event)
        and _siblings(change.before, meetings[change.id]) == _siblings(change.after, meetings[change.id])
        for change in entry.changes
    )


def _siblings(event: Event, meeting: Clashing) -> tuple[Event, list[str]] | None:
    """A series without its clashing instance, and the starts of the others; None where nothing repeats."""
    if not meeting.original:
        return None
    overrides = tuple(own for own in event.overrides if own.original_start != meeting.original)
    bare = msgspec.structs.replace(event, overrides=overrides, exdates=(), cancelled=(), sequence=0, updated_at=0)
    return bare, [start for start in originals(event) if start != meeting.original]
