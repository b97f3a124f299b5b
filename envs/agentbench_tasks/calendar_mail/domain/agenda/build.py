"""Drawing an instance: the office, tomorrow's events and what is none of them, the threads, and what is right."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.agenda.plot import Meeting, NoFit, Plot, draw_plot
from agentbench_tasks.calendar_mail.domain.agenda.thread import FILE, Goal, Thread
from agentbench_tasks.calendar_mail.domain.diary import Guest
from agentbench_tasks.calendar_mail.domain.mailbox import SharedFolder
from agentbench_tasks.calendar_mail.domain.office import Desk, Office, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.events import Event, Override, When
from agentbench_tasks.commons.recurrence import WEEKDAYS

FIRST_DAY, LAST_DAY = date(2026, 4, 20), date(2026, 12, 11)
ABROAD = ("US", "AU-NSW", "GB-ENG")
MOST_TRIES = 32


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn."""

    plot: Plot
    office: Office
    zone: str
    """Where the user is now."""
    day: str
    """Tomorrow there."""
    goals: tuple[Goal, ...]
    others: tuple[str, ...]
    """Ids of events that look like meetings tomorrow and are none."""
    folder: SharedFolder


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance; raise NoFit if none of many draws makes one."""
    topics = list(shared_table(f"text/{setting.language}/{FILE}")["topics"])
    plot = draw_plot(draw.stream("plot"), setting, topics)
    for number in range(MOST_TRIES):
        try:
            return _Builder(draw.stream(f"try {number}"), setting, plot).build()
        except NoFit:
            continue
    raise NoFit


class _Builder:
    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._setting, self._plot = draw, setting, plot
        home = setting.market.zone
        calendar = working_days(setting.market.code)
        days = draw.stream("day")
        while True:
            day = days.day(FIRST_DAY, LAST_DAY)
            following = day + timedelta(1)
            if all(calendar.is_open(one) and calendar.is_settled(one) for one in (day, following)):
                break
        self._now = to_instant(f"{day.isoformat()}T{days.int(12, 15):02}:{days.int(0, 59):02}", home)
        away = [zone for zone in ("Europe/London", "Asia/Dubai", "Asia/Singapore") if zone != home]
        self._zone = days.choice(away) if plot.travels else home
        self._desk = Desk(draw.stream("office"), setting, self._now)
        here = date.fromisoformat(to_local(self._now, self._zone)[:10])
        self._day = (here + timedelta(1)).isoformat()
        self._words = shared_table(f"text/{setting.language}/{FILE}")["events"]

    def build(self) -> Built:
        desk, draw, plot = self._desk, self._draw, self._plot
        language = self._setting.language
        team = [desk.cast.colleague(languages=(language,)) for _ in range(5)]
        weekday = date.fromisoformat(self._day).isoweekday()
        desk.routine(avoid=tuple((weekday + step - 1) % 7 + 1 for step in (-1, 0, 1)))
        goals: list[Goal] = []
        hours = iter(draw.stream("hours").sample(range(8, 18), len(plot.meetings)))
        for number, meeting in enumerate(plot.meetings):
            own = draw.stream(f"meeting {number}")
            organiser, *guests = own.sample(team, 3)
            start = self._at(self._day, next(hours), self._setting.market.zone)
            if meeting.has("zone_edge"):
                place, start = self._edge(own, self._day)
                organiser = desk.cast.posted(place, languages=(language,))
            event = self._event(own, meeting, organiser, guests, start)
            thread = Thread(own.stream("thread"), desk, number, meeting, organiser, guests)
            goals.append(thread.write(event, start))
            if meeting.has("same_subject"):
                thread.write_namesake()
        others = self._others(draw.stream("others"), team)
        folder = SharedFolder(
            draw.stream("folder").id("fol"), self._words["folder"], self._words["folder"],
            tuple(person.address for person in team),
        )  # fmt: skip
        return Built(plot, desk.close(), self._zone, self._day, tuple(goals), tuple(others), folder)

    def _at(self, day: str, hour: int, zone: str) -> When:
        """An hour of a day where the user is, as read in the zone in which the event is stored."""
        return When(to_local(to_instant(f"{day}T{hour:02}:00", self._zone), zone)[:16], zone)

    def _edge(self, draw: Draw, day: str, *, reads: str = "") -> tuple[str, When]:
        """A place abroad and a time on the user's day that is another date there; `reads`: the date it has to be."""
        found = [
            (place, start)
            for place in ABROAD
            for hour in range(7, 22)
            for start in [self._at(day, hour, place_of(place).zone)]
            if start.local[:10] != day and (not reads or start.local[:10] == reads)
        ]
        if not found:
            raise NoFit
        return draw.choice(found)

    def _event(self, draw: Draw, meeting: Meeting, organiser: Person, guests: list[Person], start: When) -> Event:
        """Put the meeting on its organiser's calendar."""
        desk = self._desk
        topic = shared_table(f"text/{self._setting.language}/{FILE}")["topics"][meeting.topic]
        invited = [Guest(person) for person in (organiser, desk.user, *guests)]
        calendar, end = desk.calendar_of(organiser), later(start, 30)
        title = topic["drifted"] if meeting.has("subject_drift") else topic["subject"]
        if not meeting.has("moved_instance"):
            return desk.diary.event(calendar, organiser.address, title, start, end, invited)
        # The series meets the day before tomorrow's weekday, and this week's instance was moved.
        before = date.fromisoformat(start.local[:10]) - timedelta(1)
        first = before - timedelta(28)
        local = f"{first.isoformat()}{start.local[10:]}"
        days = [(first + timedelta(7 * week)).isoformat() for week in range(5)]
        event = desk.diary.event(
            calendar, organiser.address, title, When(local, start.zone), later(When(local, start.zone), 30), invited,
            days=days, rrule=f"FREQ=WEEKLY;BYDAY={WEEKDAYS[before.isoweekday() - 1]};COUNT={len(days)}", age_days=40,
        )  # fmt: skip
        original = f"{before.isoformat()}{start.local[10:]}"
        return self._replace(event, overrides=(Override(original_start=original, start=start, end=end),))

    def _replace(self, event: Event, **more: object) -> Event:
        changed = msgspec.structs.replace(event, **more)
        records = self._desk.diary.records
        records[records.index(event)] = changed
        return changed

    def _others(self, draw: Draw, team: list[Person]) -> list[str]:
        """Events that are no meetings of tomorrow: without guests, declined, cancelled, moved away, the day after."""
        desk, day, words = self._desk, self._day, self._words
        home, user = self._setting.market.zone, desk.user
        following = (date.fromisoformat(day) + timedelta(1)).isoformat()
        at = lambda hour: self._at(day, hour, home)
        found = [
            desk.diary.event(desk.calendar, user.address, words["reminder"], When(day), When(following), transparency="free"),
            desk.diary.event(desk.calendar, user.address, words["focus"], at(8), later(at(8), 60)),
        ]  # fmt: skip
        chair, guest = draw.sample(team, 2)
        calendar = desk.calendar_of(chair)
        declined = [Guest(chair), Guest(user, response="declined"), Guest(guest)]
        both = [Guest(chair), Guest(user), Guest(guest)]
        start = at(draw.int(10, 16))
        found.append(desk.diary.event(calendar, chair.address, words["declined"], start, later(start, 30), declined))
        first = date.fromisoformat(start.local[:10]) - timedelta(28)
        local = When(f"{first.isoformat()}{start.local[10:]}", start.zone)
        rule = f"FREQ=WEEKLY;BYDAY={WEEKDAYS[first.isoweekday() - 1]};COUNT=5"
        days = [(first + timedelta(7 * week)).isoformat() for week in range(5)]
        series = desk.diary.event(
            calendar, chair.address, words["series"], local, later(local, 30), both, days=days, rrule=rule, age_days=40
        )
        if self._plot.traps and "moved_instance" in self._plot.traps:
            away = When(f"{following}{start.local[10:]}", start.zone)
            self._replace(series, overrides=(Override(original_start=start.local, start=away, end=later(away, 30)),))
        else:
            self._replace(series, cancelled=(start.local,))
        found.append(series)
        if "zone_edge" in self._plot.traps:
            place, start = self._edge(draw, following, reads=day)
            far = desk.cast.posted(place, languages=(self._setting.language,))
            guests = [Guest(far), Guest(user)]
            calendar = desk.calendar_of(far)
            found.append(desk.diary.event(calendar, far.address, words["abroad"], start, later(start, 30), guests))
        return [event.id for event in found]
