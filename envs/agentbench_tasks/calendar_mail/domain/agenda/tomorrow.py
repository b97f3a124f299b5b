"""Tomorrow's events: when meetings are where the user is, and what looks like a meeting tomorrow and is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.agenda.thread import FILE
from agentbench_tasks.calendar_mail.domain.diary import Guest
from agentbench_tasks.calendar_mail.domain.office import Desk, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import holds, hours_on
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.events import Event, Override, When
from agentbench_tasks.commons.recurrence import WEEKDAYS

FIRST_DAY, LAST_DAY = date(2026, 4, 20), date(2026, 12, 11)
ABROAD = ("US", "AU-NSW", "GB-ENG")
TRAVELLING = ("Europe/London", "Asia/Dubai", "Asia/Singapore")
MINUTES = 30
WEEKS = 5
"""How many instances a series has; the first one is the one of this week."""


def draw_now(draw: Draw, setting: Setting) -> int:
    """Draw a moment on a working day before a working day, both beyond doubt."""
    calendar = working_days(setting.market.code)
    while True:
        day = draw.day(FIRST_DAY, LAST_DAY)
        if all(calendar.is_open(one) and calendar.is_settled(one) for one in (day, day + timedelta(1))):
            return to_instant(f"{day.isoformat()}T{draw.int(12, 15):02}:{draw.int(0, 59):02}", setting.market.zone)


class Other(msgspec.Struct, frozen=True, gc=False):
    """An event with other people that is no meeting tomorrow, and who it is with."""

    kind: str
    event: Event
    people: tuple[Person, ...]


class Tomorrow:
    """Puts events on the calendars.

    Args:
        draw: the stream to draw from.
        desk: the office.
        zone: where the user is now.
    """

    def __init__(self, draw: Draw, desk: Desk, zone: str) -> None:
        self._draw, self._desk, self.zone = draw, desk, zone
        self._home = desk.setting.market.zone
        here = date.fromisoformat(to_local(desk.now, zone)[:10])
        self.today, self.day, self._following = (
            (here + timedelta(step)).isoformat() for step in (0, 1, 2)
        )  # fmt: skip
        self._words = shared_table(f"text/{desk.setting.language}/{FILE}")["events"]
        self._starts = self._free_starts()

    def _free_starts(self) -> Iterator[When]:
        """Times of the day where the user is that are no night at home, those in meeting hours first."""
        draw, card = self._draw, self._desk.user.contact
        hours = hours_on(card.meeting_hours, date.fromisoformat(self.day), self._home)
        inside: list[When] = []
        rest: list[When] = []
        first, last = (to_instant(f"{self.day}T{clock}", self.zone) for clock in ("08:00", "17:30"))
        for at in range(first, last + 1, 60 * MINUTES):
            start = When(to_local(at, self._home)[:16], self._home)
            if "07:00" <= start.local[11:] <= "22:00":
                (inside if holds(hours, at, at + 60 * MINUTES) else rest).append(start)
        return iter([*draw.shuffled(inside), *draw.shuffled(rest)])

    def next_start(self) -> When:
        """Return a time tomorrow that no other meeting has; raise NoFit if none is left."""
        start = next(self._starts, None)
        if start is None:
            raise NoFit
        return start

    def at(self, day: str, clock: str, zone: str) -> When:
        """Return a time where the user is, as read in the zone in which the event is stored."""
        return When(to_local(to_instant(f"{day}T{clock}", self.zone), zone)[:16], zone)

    def edge(self, days: Sequence[str] = (), reads: str = "") -> tuple[str, When]:
        """Return a place abroad and a time on one of the days, tomorrow if none is given, that is another date there.

        `reads`: the date that it has to be there; any other than the user's if not given.
        """
        found = [
            (place, start)
            for day in days or (self.day,)
            for place in ABROAD
            for hour in range(7, 22)
            for start in [self.at(day, f"{hour:02}:00", place_of(place).zone)]
            if start.local[:10] != day and (not reads or start.local[:10] == reads)
        ]
        if not found:
            raise NoFit
        by_day = [(place, start) for place, start in found if "06:00" <= start.local[11:] <= "23:00"]
        return self._draw.choice(by_day or found)

    # --- meetings

    def meeting(self, draw: Draw, title: str, people: Sequence[Person], start: When, *, moved: bool) -> Event:
        """Put a meeting on its organiser's calendar; the instance of a series if it was `moved` to tomorrow."""
        answer = draw.weighted({"accepted": 0.6, "needs_action": 0.25, "tentative": 0.15})
        user = Guest(self._desk.user, response=answer)  # type: ignore[arg-type]
        guests = [Guest(people[0]), user, *map(Guest, people[1:])]
        if not moved:
            return self._event(people[0], title, start, guests)
        before = (date.fromisoformat(start.local[:10]) - timedelta(1)).isoformat()
        series = self._series(people[0], title, When(f"{before}{start.local[10:]}", start.zone), guests)
        return self._moved(series, f"{before}{start.local[10:]}", start)

    def instance_id(self, event: Event) -> str:
        """Return the id of an event, of the moved instance for a series."""
        return f"{event.id}@{event.overrides[0].original_start}" if event.overrides else event.id

    def past(self, title: str, people: Sequence[Person], days_ago: int) -> Event:
        """Put a meeting of some time ago on the calendars."""
        start = When(f"{self._open_from(self.today, -days_ago)}T10:00", self._home)
        guests = [Guest(one) for one in (people[0], self._desk.user, *people[1:])]
        return self._event(people[0], title, start, guests, age_days=days_ago + 2)

    def soon(self, draw: Draw, title: str, people: Sequence[Person]) -> Event:
        """Put a meeting of a later working day on the calendars."""
        day = self._open_from(self.day, draw.int(1, 6))
        start = self.at(day, f"{draw.int(12, 16)}:00", self._home)
        return self._event(people[0], title, start, [Guest(one) for one in (people[0], self._desk.user, *people[1:])])

    def _open_from(self, day: str, later_days: int) -> str:
        """The first working day at home that comes so many days after another one, or later."""
        calendar = working_days(self._desk.setting.market.code)
        found = date.fromisoformat(day) + timedelta(later_days)
        while not calendar.is_open(found):
            found += timedelta(1)
        return found.isoformat()

    # --- what is no meeting tomorrow

    def alone(self) -> None:
        """Put entries without other people on the calendar: one for the whole day, one for half an hour."""
        diary, calendar, own = self._desk.diary, self._desk.calendar, self._desk.user.address
        whole = When(self.day), When(self._following)
        diary.event(calendar, own, self._words["reminder"], *whole, transparency="free")
        start = self.next_start()
        diary.event(calendar, own, self._words["focus"], start, later(start, MINUTES))

    def others(self, team: Sequence[Person], titles: dict[str, str], *, moved: bool, edge: bool) -> list[Other]:
        """Put events with other people on the calendars that are declined, cancelled, moved away or on another day."""
        draw, user = self._draw, self._desk.user
        chair, guest = draw.sample(team, 2)
        declined = [Guest(chair), Guest(user, response="declined"), Guest(guest)]
        event = self._event(chair, titles["declined"], self.next_start(), declined)
        found = [Other("declined", event, (chair, guest))]
        chair, guest = draw.sample(team, 2)
        guests, start = [Guest(chair), Guest(user), Guest(guest)], self.next_start()
        if moved:
            away = When(f"{self._open_from(start.local[:10], 1)}{start.local[10:]}", start.zone)
            event = self._moved(self._series(chair, titles["series"], start, guests), start.local, away)
        elif draw.chance(0.5):
            event = self._series(chair, titles["series"], start, guests)
            event = self._replace(event, cancelled=(start.local,))
        else:
            event = self._event(chair, titles["series"], start, guests, status="cancelled")
        found.append(Other("series", event, (chair, guest)))
        if edge:
            place, start = self.edge((self._following, self.today), self.day)
            far, guest = self._desk.cast.posted(place, languages=(self._desk.setting.language,)), draw.choice(team)
            event = self._event(far, titles["abroad"], start, [Guest(far), Guest(user), Guest(guest)])
            found.append(Other("abroad", event, (far, guest)))
        return found

    # --- records

    def _event(self, organiser: Person, title: str, start: When, guests: Sequence[Guest], **more: object) -> Event:
        calendar, end = self._desk.calendar_of(organiser), later(start, MINUTES)
        return self._desk.diary.event(calendar, organiser.address, title, start, end, guests, **more)  # type: ignore[arg-type]

    def _series(self, organiser: Person, title: str, start: When, guests: Sequence[Guest]) -> Event:
        """A weekly series from a time on."""
        day = date.fromisoformat(start.local[:10])
        days = [(day + timedelta(7 * week)).isoformat() for week in range(WEEKS)]
        rule = f"FREQ=WEEKLY;BYDAY={WEEKDAYS[day.isoweekday() - 1]};COUNT={WEEKS}"
        return self._event(organiser, title, start, guests, days=days, rrule=rule)

    def _moved(self, series: Event, original: str, start: When) -> Event:
        own = Override(original_start=original, start=start, end=later(start, MINUTES))
        return self._replace(series, overrides=(own,))

    def _replace(self, event: Event, **more: object) -> Event:
        changed = msgspec.structs.replace(event, **more)
        records = self._desk.diary.records
        records[records.index(event)] = changed
        return changed
