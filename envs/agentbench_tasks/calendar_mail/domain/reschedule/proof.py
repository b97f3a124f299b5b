"""The proof that one start suits all three: every point of the grid is tried, by cards, offers and busy times alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Window
from agentbench_tasks.calendar_mail.domain.slots import GRID_S, Span, clashes, holds, meeting_spans, merged
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.contacts import Contact


class Scene(msgspec.Struct, frozen=True):
    """What decides when three people can meet."""

    days: tuple[date, ...]
    """The days allowed, in the first one's zone."""
    people: tuple[Contact, ...]
    busy: Mapping[str, Sequence[Span]]
    """When people of the company are busy, by address; the meeting itself left out."""
    offers: Mapping[str, Sequence[Window]]
    """What people outside still offer, by address."""
    length_s: int

    def hours(self, person: Contact) -> list[Span]:
        """When somebody can meet in those days."""
        around = (self.days[0] - timedelta(1), *self.days, self.days[-1] + timedelta(1))
        return merged(meeting_spans(person, around))

    def faults(self, start: int) -> list[str]:
        """Say for whom a start does not do, and why."""
        end = start + self.length_s
        found = [fault for person in self.people if (fault := self._fault(person, start, end))]
        if not self.days[0].isoformat() <= to_local(start, self.people[0].zone)[:10] <= self.days[-1].isoformat():
            found.append("is not within the days allowed")
        return found

    def _fault(self, person: Contact, start: int, end: int) -> str:
        if not holds(self.hours(person), start, end):
            return f"is outside the meeting hours or working days of {person.latin_name}"
        offers = self.offers.get(person.address)
        if offers is not None and not holds((one.span(person.zone) for one in offers), start, end):
            return f"is in no time that {person.latin_name} still offers"
        if clashes(self.busy.get(person.address, ()), start, end):
            return f"is a time at which {person.latin_name} is busy"
        return ""

    def starts(self) -> list[int]:
        """Return every start on the grid that does for all."""
        open_times: list[list[Span]] = []
        for person in self.people:
            open_times.append(self.hours(person))
            if person.address in self.offers:
                open_times.append([one.span(person.zone) for one in self.offers[person.address]])
        taken = [span for spans in self.busy.values() for span in spans]
        return [
            at
            for first, last in open_times[0]
            for at in range(-(-first // GRID_S) * GRID_S, last - self.length_s + 1, GRID_S)
            if all(holds(spans, at, at + self.length_s) for spans in open_times[1:])
            and not clashes(taken, at, at + self.length_s)
        ]


def prove(scene: Scene, start: int) -> None:
    """Raise NoFit unless `start` is the only one that does for all."""
    if scene.starts() != [start]:
        raise NoFit
