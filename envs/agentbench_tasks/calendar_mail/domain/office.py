"""The office that the ten tasks share: people, house rules, calendars and a mailbox, to which a task adds its plot."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.background import Background
from agentbench_tasks.calendar_mail.domain.cast import Cast
from agentbench_tasks.calendar_mail.domain.diary import Diary, Guest, Span
from agentbench_tasks.calendar_mail.domain.house import House, HousePage, Part, week_lines
from agentbench_tasks.calendar_mail.domain.mailbox import Mailbox, MailSystem
from agentbench_tasks.calendar_mail.domain.market import Names, breaks_of, office_hours, office_market
from agentbench_tasks.calendar_mail.domain.organisations import Organisation
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.post import Post
from agentbench_tasks.commons.events import Calendar, When
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.recurrence import WEEKDAYS
from agentbench_tasks.commons.texts import DateSlot

MESSAGES = {"easy": (30, 45), "standard": (70, 110), "hard": (140, 200)}
"""How many mails lie in the mailbox, those of the plot included."""
COLLEAGUES = (8, 14)
ORGANISATIONS = (5, 9)
_CLEAR = timedelta(50)
_ABROAD = ("GB-ENG", "DE-BE", "US", "AU-NSW")


class Office(msgspec.Struct, frozen=True):
    """An office as an instance has it."""

    setting: Setting
    now: int
    user: Person
    people: tuple[Person, ...]
    company: Organisation
    system: MailSystem
    mailbox: Mailbox
    team_mailbox: Mailbox
    calendar: Calendar
    team_calendar: Calendar
    rooms: tuple[Calendar, ...]
    pages: dict[str, HousePage]
    town: Names
    busy: dict[str, list[Span]]
    """The spans in which each person or room is busy, by address; counted apart from the events' expansion."""
    records: tuple[Record, ...]

    def place(self, language: str) -> str:
        """Return where the user is, as people say it."""
        return self.town.get(language, self.town["en"])

    def person(self, address: str) -> Person:
        """Return who has this address."""
        return next(person for person in self.people if person.address == address)


class Desk:
    """Builds an office around a plot: a task draws its people, mails and events here, then closes it.

    Args:
        draw: the stream to draw from; people and mail have streams of their own.
        setting: what the instance is drawn for.
        now: the in-world instant.
    """

    def __init__(self, draw: Draw, setting: Setting, now: int) -> None:
        self.draw, self.setting, self.now = draw, setting, now
        self.market = office_market(setting.market.code)
        self.cast = Cast(draw.stream("cast"), setting)
        self.user, self.company = self.cast.user, self.cast.company
        self.post = Post(draw.stream("post"), self.user)
        self.diary = Diary(draw, now)
        self.today = date.fromisoformat(to_local(now, setting.market.zone)[:10])
        self.house = House(draw, self.company.id, self.company.name, setting.language, self.today)
        self.town: Names = draw.choice(self.market.offices.towns)
        self.pages: dict[str, HousePage] = {}
        self.system = self.cast.system
        self.founding_day = self._ordinary(date(2026, draw.int(2, 12), draw.int(2, 27)))
        """The office's own day off."""
        self._words = shared_table(f"text/{setting.language}/office_words")
        self._open_calendars(draw)

    @property
    def colleagues(self) -> list[Person]:
        """Everybody inside so far but the user."""
        return [person for person in self.cast.people if person.contact.is_internal and person is not self.user]

    def keep_founding_day_clear(self, first: date, last: date | None = None) -> None:
        """Move the office's own day off far from days on which open days matter, if it is not."""
        last = last or first
        if first - _CLEAR <= self.founding_day <= last + _CLEAR:
            self.founding_day = self._ordinary(last + 2 * _CLEAR if last.month < 7 else first - 2 * _CLEAR)

    def _ordinary(self, day: date) -> date:
        """The first day from `day` on that would be a working day like any other."""
        calendar = working_days(self.setting.market.code)
        while not (calendar.is_open(day) and calendar.is_settled(day)):
            day += timedelta(1)
        return day

    # --- calendars

    def _open_calendars(self, draw: Draw) -> None:
        zone, title = self.setting.market.zone, self._words["team_calendar"]
        team = title.format(department=self.user.contact.department)
        self.calendar = self.diary.calendar(self.user.address, self.user.shown_name, zone, "owner")
        self.team_calendar = self.diary.calendar(f"team@{self.company.domain}", team, zone, "writer")
        rooms = draw.sample(draw.pool(self._words["room"]), 2)
        self.rooms = tuple(
            self.diary.calendar(f"room{number}@{self.company.domain}", room, zone, "freebusy", is_room=True)
            for number, room in enumerate(rooms, 1)
        )
        self._calendars: dict[str, Calendar] = {self.user.address: self.calendar}

    def calendar_of(self, person: Person) -> Calendar:
        """Return the calendar of a colleague, of which the user sees when it is busy."""
        if person.address not in self._calendars:
            zone = person.contact.zone
            self._calendars[person.address] = self.diary.calendar(person.address, person.shown_name, zone, "freebusy")
        return self._calendars[person.address]

    def block(
        self, person: Person, local: str, minutes: int, *, title: str = "", floating: bool = False, **more: object
    ) -> Span:
        """Make a person busy from a local time of their zone on; a `floating` event names no zone. Return the span."""
        start = When(local, "" if floating else person.contact.zone)
        calendar = self.calendar_of(person)
        title = title or self.draw.variant(self._words["own_time"])
        self.diary.event(calendar, person.address, title, start, later(start, minutes), **more)  # type: ignore[arg-type]
        return self.diary.busy[person.address][-1]

    def routine(self, *, avoid: Sequence[int] = ()) -> None:
        """Put the weekly meetings of the department on the calendars, none on the ISO weekdays in `avoid`."""
        draw, insiders = self.draw, self.colleagues
        weekdays = [day for day in (1, 2, 3, 4) if day not in avoid]
        titles = draw.sample(draw.pool(self._words["meeting"]), 2)
        for title, weekday in zip(titles, draw.sample(weekdays, 2), strict=False):
            first = self.today - timedelta(self.today.isoweekday() - weekday + 7 * draw.int(6, 12))
            days = [(first + timedelta(7 * week)).isoformat() for week in range(24)]
            start = When(f"{days[0]}T{draw.choice(('09:30', '10:00', '11:00', '16:00'))}", self.setting.market.zone)
            chair = draw.choice(insiders)
            guests = [Guest(person) for person in (chair, self.user, *draw.sample(insiders, 2)) if person]
            self.diary.event(
                self.calendar_of(chair), chair.address, title, start, later(start, draw.choice((30, 45))),
                list({guest.attendee().address: guest for guest in guests}.values()),
                days=days, rrule=f"FREQ=WEEKLY;BYDAY={WEEKDAYS[weekday - 1]};COUNT={len(days)}", age_days=95,
            )  # fmt: skip

    # --- closing

    def fill_up(self) -> None:
        """Add colleagues and people outside until the office has as many as one of its size."""
        draw, cast = self.draw, self.cast
        inside = sum(person.contact.is_internal for person in cast.people)
        for _ in range(draw.int(*COLLEAGUES) + 1 - inside):
            cast.colleague(draw.choice(("peer", "peer", "subordinate")))
        if not any(person.contact.relation == "superior" for person in cast.people):
            cast.superior()
        for number in range(draw.int(*ORGANISATIONS) - len(cast.organisations) + 1):
            # Splits that are kept for measuring have few firms at home, and a story may have used them up.
            at_home = 2 <= number <= 5 and cast.has_firms(self.setting.market.code)
            place = "" if at_home else draw.choice([place for place in _ABROAD if cast.has_firms(place)])
            cast.outsider(draw.choice(("client", "vendor")), place=place)

    def close(self) -> Office:
        """Fill the office up around the plot and return it. Pages that the task has not published are added."""
        self.fill_up()
        for person in self.colleagues:
            self.calendar_of(person)
        self._publish()
        self._background()
        mailbox, team = self._mailboxes()
        contacts = [person.contact for person in self.cast.people]
        pages = [record for page in self.pages.values() for record in page.records]
        decoys = [record for page in self.house.decoys() for record in page.records]
        records = (
            *contacts, self.system, mailbox, team, *self.diary.records, *pages, *decoys, *self.post.records,
        )  # fmt: skip
        return Office(
            self.setting,
            self.now,
            self.user,
            tuple(self.cast.people),
            self.company,
            self.system,
            mailbox,
            team,
            self.calendar,
            self.team_calendar,
            self.rooms,
            self.pages,
            self.town,
            dict(self.diary.busy),
            records,
        )

    def _publish(self) -> None:
        language = self.setting.language
        if "guide" not in self.pages:
            self.pages["guide"] = self.house.guide()
        if "hours" not in self.pages:
            hours = office_hours(self.setting.market.code)
            parts = [
                Part.of("week", lines=week_lines(hours.working, language)),
                Part.of("meetings", lines=week_lines(hours.meeting, language)),
            ]
            if breaks := breaks_of(self.setting.market.code):
                parts.append(Part.of("midday", lines=week_lines(breaks, language)))
            self.pages["hours"] = self.house.page("hours", "hours", parts)
        if "holidays" not in self.pages:
            founded = DateSlot(self.founding_day.isoformat(), "month_day")
            names = ("rule", "rows", self.part("substitute"))
            parts = [*(Part(name) for name in names), Part.of("company_day", date=founded)]
            self.pages["holidays"] = self.house.page("holidays", "notice", parts)

    def part(self, name: str) -> str:
        """Return the section that stands for `name` in this market and language."""
        return self.market.page_parts.get(self.setting.language, {}).get(name, name)

    def _background(self) -> None:
        draw = self.draw
        firms = [firm.name for firm in self.cast.organisations if firm is not self.company]
        held = sum(isinstance(record, Message) and bool(record.folder) for record in self.post.records)
        currency = self.setting.market.currency
        step = 10**self.setting.market.digits
        Background(
            draw, self.post, self.colleagues, self.user, self.setting.language, self.company.domain, firms,
            lambda amounts: Money(amounts.int(20, 900) * 50 * step, currency),
        ).fill(draw.int(*MESSAGES[self.setting.difficulty]) - held, self.now)  # fmt: skip

    def _mailboxes(self) -> tuple[Mailbox, Mailbox]:
        draw, zone, language = self.draw, self.setting.market.zone, self.setting.language
        user, team = self.user, f"team@{self.company.domain}"
        department = user.contact.department
        return (
            Mailbox(draw.id("mbx"), user.address, "personal", zone, self.system.id, language, user.shown_name),
            Mailbox(draw.id("mbx"), team, "shared", zone, self.system.id, language, department),
        )


def later(start: When, minutes: int) -> When:
    """Return the time of day `minutes` after a local time, in its zone; the day may change."""
    day, clock = start.local[:10], start.local[11:]
    total = int(clock[:2]) * 60 + int(clock[3:]) + minutes
    end = date.fromisoformat(day) + timedelta(total // 1440)
    return When(f"{end.isoformat()}T{total % 1440 // 60:02}:{total % 60:02}", start.zone)
