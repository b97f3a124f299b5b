"""The proof of what is right: the house's rules read off the story, and every point of the grid tried by cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.double_booking.plot import Meeting, Rule
from agentbench_tasks.calendar_mail.domain.slots import GRID_S, Span, clashes, holds, meeting_spans, merged
from agentbench_tasks.commons.contacts import Contact


def rank(meeting: Meeting, rule: Rule) -> int:
    """How high a rule of the house puts a meeting."""
    match rule:
        case "outside":
            return int(meeting.outside)
        case "statutory":
            return int(meeting.deadline != "")
        case "superior":
            return int(meeting.organiser == "superior")
        case "room":
            return int(meeting.room)
        case "required":
            return meeting.required
        case "booked":
            return meeting.age_days


def first_separating(order: Sequence[Rule], one: Meeting, other: Meeting) -> tuple[Rule, bool] | None:
    """Return the first rule by which two meetings differ, and whether it puts the first of them lower."""
    for rule in order:
        mine, theirs = rank(one, rule), rank(other, rule)
        if mine != theirs:
            return rule, mine < theirs
    return None


class Scene(msgspec.Struct, frozen=True):
    """What decides to when a meeting can be moved."""

    days: tuple[date, ...]
    """The days allowed, in the user's zone."""
    people: tuple[Contact, ...]
    """The user and all who are required."""
    busy: Mapping[str, Sequence[Span]]
    """When people of the company, and the room if it is needed, are taken, by address; the meeting itself left out."""
    length_s: int

    def faults(self, start: int) -> list[str]:
        """Say why a start does not do, nothing if it does."""
        end, found = start + self.length_s, list[str]()
        if to_local(start, self.people[0].zone)[:10] not in {day.isoformat() for day in self.days}:
            found.append("is not on one of the days allowed")
        for person in self.people:
            if not holds(self._hours(person), start, end):
                found.append(f"is outside the meeting hours or working days of {person.latin_name}")
        return found + [f"is taken at {address}" for address, spans in self.busy.items() if clashes(spans, start, end)]

    def _hours(self, person: Contact) -> list[Span]:
        first, last = self.days[0] - timedelta(1), self.days[-1] + timedelta(1)
        around = [first + timedelta(n) for n in range((last - first).days + 1)]
        return merged(meeting_spans(person, around))

    def starts(self) -> list[int]:
        """Return every start on the grid that does."""
        hours = [self._hours(person) for person in self.people[1:]]
        taken = merged(span for spans in self.busy.values() for span in spans)
        return [
            at
            for first, last in merged(meeting_spans(self.people[0], self.days))
            for at in range(-(-first // GRID_S) * GRID_S, last - self.length_s + 1, GRID_S)
            if not clashes(taken, at, at + self.length_s)
            and all(holds(spans, at, at + self.length_s) for spans in hours)
        ]
