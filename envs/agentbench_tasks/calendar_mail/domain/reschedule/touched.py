"""What of the calendar is the meeting, and whether a call touched anything else."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_env.lineage import Entry
from agentbench_env.text.fold import fold
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.commons.events import Event, events_on, own_calendar


def is_meeting(event: Event, case: RescheduleCase, ep: Episode) -> bool:
    """Whether an event is the meeting: the one that stood, or one made since with one of the two on it."""
    if event.ical_uid == case.built.event.ical_uid:
        return True
    two = {fold(person.address) for person in case.built.pair}
    made = event.id not in ep.world.start.records and event.calendar_id == case.built.office.calendar.id
    return made and any(fold(guest.address) in two for guest in event.attendees)


def concerns_the_meeting(event_id: str, case: RescheduleCase, ep: Episode) -> bool:
    """Whether the event with this id is the meeting as things stand; one made since and gone again concerns nobody."""
    event = ep.world.find(event_id.partition("@")[0])
    if event is None:
        return event_id not in ep.world.start.records or event_id == case.built.event.id
    return isinstance(event, Event) and is_meeting(event, case, ep)


def only_the_meeting(entry: Entry, ep: Episode) -> bool:
    """Whether everything that a call changed is the meeting."""
    return bool(entry.changes) and all(
        change.table == "Event" and concerns_the_meeting(change.id, ep.case, ep) for change in entry.changes
    )


def meetings(case: RescheduleCase, ep: Episode) -> list[Event]:
    """Return the live events on the user's calendar that are the meeting."""
    events = events_on(ep.world, own_calendar(ep.world))
    return [event for event in events if event.status != "cancelled" and is_meeting(event, case, ep)]


def written_last(case: RescheduleCase, ep: Episode) -> Event | None:
    """Return the live meeting that was written last, the one that stood if none was; None if there is none."""
    live = {event.id: event for event in meetings(case, ep)}
    for change in reversed(ep.world.journal):
        if change.id in live:
            return live[change.id]
    return live.get(case.built.event.id)
