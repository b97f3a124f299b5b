"""The case of a double booking, and the two meetings as they stand in an episode."""

from __future__ import annotations

import msgspec

from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.double_booking.build import Built, Clashing
from agentbench_tasks.calendar_mail.domain.double_booking.words import Words
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.events import Event, Occurrence, excluded, instance, is_instance, occurrences

_DAY = 86_400


class DoubleBookingCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the double booking fixes."""

    @property
    def zone(self) -> str:
        """The zone of the user's calendar."""
        return self.built.office.calendar.zone


class Standing(msgspec.Struct, frozen=True):
    """One of the two meetings as it was and as it is; `now` is None where it is gone."""

    meeting: Clashing
    before: Occurrence
    now: Occurrence | None

    @property
    def moved(self) -> bool:
        """Whether it begins at another time."""
        return self.now is not None and self.now.start != self.before.start


def standings(case: DoubleBookingCase, world: World) -> tuple[Standing, Standing]:
    """Return how the two meetings stand."""
    lower, upper = (_standing(case, meeting, world) for meeting in case.built.both)
    return lower, upper


def _standing(case: DoubleBookingCase, meeting: Clashing, world: World) -> Standing:
    before = _occurrence(meeting.event, meeting, case.zone)
    assert before is not None
    found = world.find(meeting.event.id)
    now = _occurrence(found, meeting, case.zone) if isinstance(found, Event) else None
    if now is not None and now.own.status == "cancelled":
        now = None
    return Standing(meeting, before, now)


def _occurrence(event: Event, meeting: Clashing, zone: str) -> Occurrence | None:
    """The meeting in an event; of a series the clashing instance, or what stands in its place if the series moved."""
    if not meeting.original:
        return Occurrence(event, "", event.start, event.end, event.start.instant(zone), event.end.instant(zone))
    if is_instance(event, meeting.original):
        return instance(event, meeting.original, zone)
    if meeting.original in excluded(event):
        return None
    near = occurrences(event, meeting.start, meeting.start + 7 * _DAY, zone)
    return near[0] if near else None
