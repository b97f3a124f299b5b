"""When people write: times in their own working hours, on their working days."""

from __future__ import annotations

from datetime import date, timedelta

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import Span, hours_on


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
        zone, into_day = person.contact.zone, 60 * self._draw.int(4, 330)
        for _ in range(40):
            day = date.fromisoformat(to_local(at, zone)[:10])
            for start, end in _at_work(person, day):
                if at < start:
                    at, into_day = start + into_day, 60 * self._draw.int(4, 90)
                    break
                if at < end:
                    return at
            else:
                at = to_instant(f"{(day + timedelta(1)).isoformat()}T00:00", zone)
        raise AssertionError(f"{person.address} never works")

    def late(self, person: Person, at: int) -> int:
        """Return an evening moment of somebody's after `at` that is the next day for the user."""
        day = date.fromisoformat(to_local(at, person.contact.zone)[:10])
        while True:
            clock = f"{self._draw.int(16, 17)}:{self._draw.int(5, 40):02}"
            late = late_evening(person, day, self._zone, clock)
            if late > at and _at_work(person, day):
                return late
            day += timedelta(1)


def _at_work(person: Person, day: date) -> tuple[Span, ...]:
    card = person.contact
    return hours_on(card.working_week, day, card.zone) if working_days(card.country).is_open(day) else ()
