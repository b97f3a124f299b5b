"""When people write: times in their own working hours, on their working days."""

from __future__ import annotations

from bisect import bisect_right
from datetime import date, timedelta
from functools import cache
from operator import itemgetter

from agentbench_env.draw import Draw
from agentbench_env.zones import first_instant, last_instant, to_instant, to_local
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import Span, week_spans
from agentbench_tasks.commons.contacts import Contact, Week

_END = itemgetter(1)


def late_evening(person: Person, day: date, zone: str, clock: str) -> int:
    """Return the instant of a time of day of somebody's if it is the next day in `zone`, else 0."""
    at = to_instant(f"{day.isoformat()}T{clock}", person.contact.zone)
    return at if to_local(at, zone)[:10] > day.isoformat() else 0


class Hours:
    """Finds times at which people write: in their own working hours, on their working days."""

    def __init__(self, draw: Draw, zone: str) -> None:
        self._draw, self._zone = draw, zone

    def next(self, person: Person, at: int) -> int:
        """Return a moment from `at` on at which somebody is at work: `at` itself, or some time of their next day."""
        spans, into_day = at_work(person.contact), 60 * self._draw.int(4, 330)
        place = bisect_right(spans, at, key=_END)
        while at < spans[place][0]:
            at, into_day = spans[place][0] + into_day, 60 * self._draw.int(4, 90)
            place = bisect_right(spans, at, place, key=_END)
        return at

    def late(self, person: Person, at: int) -> int:
        """Return an evening moment of somebody's after `at` that is the next day for the user."""
        card = person.contact
        day = date.fromisoformat(to_local(at, card.zone)[:10])
        while True:
            clock = f"{self._draw.int(16, 17)}:{self._draw.int(5, 40):02}"
            late = late_evening(person, day, self._zone, clock)
            if late > at and week_spans(card.working_week, card.zone, card.country, [day]):
                return late
            day += timedelta(1)


def at_work(card: Contact) -> list[Span]:
    """Return all hours in which somebody is at work, in order."""
    return _at_work(card.working_week, card.zone, card.country)


@cache
def _at_work(week: Week, zone: str, country: str) -> list[Span]:
    first, last = (date.fromisoformat(to_local(at, "UTC")[:10]) for at in (first_instant(), last_instant()))
    return week_spans(week, zone, country, (first + timedelta(number) for number in range((last - first).days)))
