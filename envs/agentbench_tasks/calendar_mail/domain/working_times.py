"""When people write: times in their own working hours, on their working days."""

from __future__ import annotations

from datetime import date, timedelta

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.people import Person


def late_evening(person: Person, day: date, zone: str, clock: str) -> int:
    """Return the instant of a time of day of somebody's if it is the next day in `zone`, else 0."""
    at = to_instant(f"{day.isoformat()}T{clock}", person.contact.zone)
    return at if to_local(at, zone)[:10] > day.isoformat() else 0


class Hours:
    """Finds times at which people write: in their own working hours, on their working days."""

    def __init__(self, draw: Draw, zone: str) -> None:
        self._draw, self._zone = draw, zone
        self._weeks: dict[str, dict[int, tuple[tuple[str, str], ...]]] = {}

    def next(self, person: Person, at: int) -> int:
        """Return a moment from `at` on at which somebody is at work: `at` itself, or some time of their next day."""
        zone, into_day = person.contact.zone, 60 * self._draw.int(4, 330)
        for _ in range(40):
            local = to_local(at, zone)
            day, clock = date.fromisoformat(local[:10]), local[11:]
            for start, end in self._spans(person, day):
                if start <= clock < end:
                    return at
                if clock < start:
                    at, into_day = to_instant(f"{day.isoformat()}T{start}", zone) + into_day, 60 * self._draw.int(4, 90)
                    break
            else:
                at = to_instant(f"{(day + timedelta(1)).isoformat()}T00:00", zone)
        raise AssertionError(f"{person.address} never works")

    def late(self, person: Person, at: int) -> int:
        """Return an evening moment of somebody's after `at` that is the next day for the user."""
        day = date.fromisoformat(to_local(at, person.contact.zone)[:10])
        while True:
            clock = f"{self._draw.int(16, 17)}:{self._draw.int(5, 40):02}"
            late = late_evening(person, day, self._zone, clock)
            if late > at and self._spans(person, day):
                return late
            day += timedelta(1)

    def _spans(self, person: Person, day: date) -> tuple[tuple[str, str], ...]:
        if not working_days(person.contact.country).is_open(day):
            return ()
        if person.id not in self._weeks:
            self._weeks[person.id] = {row.weekday: row.spans for row in person.contact.working_week}
        return self._weeks[person.id].get(day.isoweekday(), ())
