"""From the story to an office: people, the meeting and what lies around it, mails about it, and the proof."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.text.template import fill
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.cancellation.plot import Invited, Plot, draw_plot, draw_traps
from agentbench_tasks.calendar_mail.domain.cancellation.proof import Goal, Said, prove
from agentbench_tasks.calendar_mail.domain.diary import Guest, is_free
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles, tone_between
from agentbench_tasks.calendar_mail.domain.office import Desk, Office, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.recurrence import WEEKDAYS
from agentbench_tasks.commons.texts import DateSlot, Text

FILE = "cancellation"
MAILS = {"easy": 2, "standard": 4, "hard": 7}
"""How many mails there are about the meeting."""
OTHERS = {"easy": 2, "standard": 4, "hard": 6}
"""How many other events of the user's own stand around the meeting."""
HELD = (4, 7)
"""How many instances of a series lie before the one that is cancelled."""


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    office: Office
    people: tuple[Person, ...]
    """The guests."""
    room: str
    """The address of the room."""
    event: Event
    title: str
    siblings: tuple[str, ...]
    """The days of the series' other instances."""
    helper: Person | None
    """Through whom the mail of the first guest is said to go."""
    goal: Goal


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    traps = draw_traps(draw.stream("traps"), setting.difficulty)

    def attempt(stream: Draw) -> Built:
        return Build(stream, setting, draw_plot(stream.stream("plot"), setting, traps)).finish()

    return first_fit(draw, attempt)


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._setting, self._plot = draw, setting, plot
        self._desk = Desk(draw.stream("office"), setting, plot.now)
        self._table = shared_table(f"text/{setting.language}/{FILE}")
        self._zone = setting.market.zone
        self._title: str = draw.variant(self._table["titles"])
        self._helper: Person | None = None
        self._people = self._invite()

    def finish(self) -> Built:
        """Put everything in place and prove what is to be done."""
        desk, plot = self._desk, self._plot
        if len({person.language for person in self._people}) < 2:
            raise NoFit
        event, siblings = self._meeting()
        self._others()
        self._write()
        desk.routine(avoid=(plot.day.on.isoweekday(),))
        # The office's own day off is told by a page alone; it lies where it decides nothing.
        desk.keep_founding_day_clear(desk.today, plot.day.offer_on)
        office = desk.close()
        said = Said(desk.user.address, self._zone, self._title, f"{plot.day.on.isoformat()}T{plot.clock}", plot.offer)
        goal = prove(said, office.records)
        self._compare(goal, event)
        room = desk.rooms[0].owner
        return Built(
            plot, office, tuple(self._people), room, event, self._title, siblings, self._helper, goal
        )  # fmt: skip

    def _compare(self, goal: Goal, event: Event) -> None:
        """Hold what the records say against the story."""
        plot = self._plot
        offered = f"{plot.offer_on.isoformat()}T{plot.clock}" if plot.offer_on else ""
        assert goal.event_id == event.id
        assert goal.guests == tuple(person.id for person in self._people)
        assert goal.offer == (to_instant(offered, self._zone) if offered else 0)

    # --- people

    def _invite(self) -> list[Person]:
        plot, cast = self._plot, self._desk.cast
        people: list[Person] = []
        insider: Person | None = None
        alike = "same_surname" in plot.traps
        for guest in plot.guests:
            if not guest.inside:
                people.append(self._outsider(guest, first=not people))
                continue
            like = insider if alike and guest.relation != "friend" else None
            person = cast.superior() if guest.relation == "superior" else cast.colleague(guest.relation, like=like)
            alike = alike and like is None
            insider = insider or (person if guest.relation != "friend" else None)
            people.append(person)
        if alike:
            cast.colleague(like=insider)
        return people

    def _outsider(self, guest: Invited, *, first: bool) -> Person:
        cast = self._desk.cast
        person = cast.outsider(guest.relation, place=guest.place, languages=guest.languages)
        if first and "assistant_address" in self._plot.traps:
            firm = next(one for one in cast.organisations if one.id == person.contact.org_id)
            helper = cast.outsider(guest.relation, organisation=firm, languages=person.contact.languages)
            note = fill(self._draw.variant(self._table["cards"]["via"]["variants"]), {"assistant": _shown(helper)})[0]
            self._helper = self._replaced(helper, assistant_of=person.contact.display_name)
            person = self._replaced(person, note=note)
        return person

    def _replaced(self, person: Person, **fields: str) -> Person:
        """Put a card with other fields in the place of a person's."""
        changed = msgspec.structs.replace(person, contact=msgspec.structs.replace(person.contact, **fields))
        people = self._desk.cast.people
        people[people.index(person)] = changed
        return changed

    # --- calendars

    def _meeting(self) -> tuple[Event, tuple[str, ...]]:
        desk, plot = self._desk, self._plot
        guests = [Guest(desk.user)]
        for person, invited in zip(self._people, plot.guests, strict=True):
            guests.append(Guest(person, "optional" if invited.optional else "required", invited.answer))
        guests.append(Guest(desk.rooms[0]))
        days, rrule = self._series() if "series" in plot.traps else ((), "")
        start = When(f"{(days or (plot.day.on.isoformat(),))[0]}T{plot.clock}", self._zone)
        event = desk.diary.event(
            desk.calendar, desk.user.address, self._title, start, later(start, plot.minutes), guests,
            days=days, rrule=rrule, location=str(desk.rooms[0].title), age_days=200 if rrule else 0,
        )  # fmt: skip
        return event, tuple(day for day in days if day != plot.day.on.isoformat())

    def _series(self) -> tuple[tuple[str, ...], str]:
        """The days of a series that the meeting is an instance of; a week later there is none if that is offered."""
        on, draw = self._plot.day.on, self._draw.stream("series")
        weeks = 1 if self._plot.offer == "none" and draw.chance(0.5) else 2
        before, after = draw.int(*HELD), draw.int(3, 6)
        days = [(on + timedelta(7 * weeks * n)).isoformat() for n in range(-before, after + 1)]
        interval = f";INTERVAL={weeks}" if weeks > 1 else ""
        return tuple(days), f"FREQ=WEEKLY{interval};BYDAY={WEEKDAYS[on.isoweekday() - 1]};COUNT={len(days)}"

    def _others(self) -> None:
        """Put other events of the user's own around the meeting, with some of the same people."""
        desk, plot, draw = self._desk, self._plot, self._draw.stream("others")
        home = working_days(self._setting.market.code)
        titles = draw.pool(self._table["others"])
        for number in range(OTHERS[self._setting.difficulty]):
            day = plot.day.on + timedelta(draw.choice((-2, -1, 0, 1, 2, 6, 8)))
            start = When(f"{day.isoformat()}T{draw.choice(('09:00', '10:30', '11:00', '14:00', '15:30'))}", self._zone)
            instant = start.instant(self._zone)
            free = is_free(desk.diary.busy[desk.user.address], instant - 1800, instant + 3600)
            if home.is_open(day) and free:
                guests = [Guest(desk.user), *map(Guest, draw.sample(self._people, draw.int(1, 2)))]
                title = titles[number % len(titles)]
                desk.diary.event(
                    desk.calendar, desk.user.address, title, start, later(start, draw.choice((30, 60))), guests
                )

    # --- mails

    def _write(self) -> None:
        """Let guests write about the meeting in the days before."""
        draw, desk = self._draw.stream("mails"), self._desk
        for number, writer in enumerate(draw.sample(self._people, MAILS[self._setting.difficulty])):
            kind = "mails.formal" if tone_between(writer, desk.user) == "formal" else "mails.polite"
            slots = {**particles(writer), "date": DateSlot(self._plot.day.on.isoformat(), "month_day")}
            text = Text.fitting(FILE, kind, writer.language, draw.variant(WORDINGS), **slots)
            tone = "formal" if kind == "mails.formal" else "polite"
            at = _worked(writer.contact, desk.today - timedelta(2 + number), draw)
            desk.post.mail(writer, [desk.user], at, text, [text], tone=tone)
        hostile = self._draw.stream("injections")
        if self._setting.injections:
            text = Text.of(FILE, "mails.hostile", self._setting.language, hostile.variant(WORDINGS))
            desk.post.notice(Address("desk@planner.example"), desk.now - hostile.int(2, 70) * 3600, text)


def _worked(card: Contact, day: date, draw: Draw) -> int:
    """An instant in somebody's working morning, on the day or the last working day before it."""
    calendar = working_days(card.country)
    day = calendar.shift(day, "previous")
    return to_instant(f"{day.isoformat()}T{draw.int(9, 10):02}:{draw.int(0, 59):02}", card.zone)


def _shown(person: Person) -> str:
    return f"{person.shown_name} <{person.address}>"
