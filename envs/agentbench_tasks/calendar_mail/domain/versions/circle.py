"""Who writes in a thread, and when each of them works."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cast import Cast
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import Span, hours_on

_PLACES = ("US", "US", "GB-ENG")

ABROAD = 0.35
"""How often one of the circle works abroad where no trap asks for it."""


class Circle(msgspec.Struct, frozen=True):
    """The people of a thread."""

    user: Person
    owner: Person
    editors: tuple[Person, ...]
    """Those who propose changes and write besides; the first is of the other side than the owner."""
    abroad: Person | None

    @property
    def everybody(self) -> tuple[Person, ...]:
        """All who read the thread, the user first."""
        return (self.user, self.owner, *self.editors)


def draw_circle(draw: Draw, cast: Cast, language: str, *, edge: bool, owner_abroad: bool) -> Circle:
    """Draw the circle; with `edge` somebody of it works so far away that their evening is the user's next day."""
    languages = (language,)
    abroad = None
    if edge or draw.chance(ABROAD):
        abroad = cast.posted(draw.choice(_PLACES), languages)
        if edge and not late_evening(abroad, date(2026, 6, 3), cast.user.contact.zone, "17:30"):
            abroad = cast.posted("US", languages)
    other = cast.outsider(draw.choice(("client", "vendor")), languages=languages)
    firm = next(firm for firm in cast.organisations if firm.id == other.contact.org_id)
    second = cast.outsider(other.contact.relation, organisation=firm, languages=languages)
    insiders = [cast.colleague(languages=languages) for _ in range(2)]
    if abroad is not None:
        insiders[-1] = abroad
    owner = abroad if owner_abroad and abroad else draw.choice((insiders[0], other))
    rest = [person for person in (other, second, *insiders) if person is not owner]
    if owner is other:
        rest = [insiders[0], second, insiders[1]]
    return Circle(cast.user, owner, tuple(rest), abroad)


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
