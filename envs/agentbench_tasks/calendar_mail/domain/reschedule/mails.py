"""The mails about a meeting that has to move, and those about other meetings that look like it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.text.render import zone_words
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.letters import Tone, particles
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Plan, Who, Window
from agentbench_tasks.calendar_mail.domain.slots import hours_on
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import (
    DateSlot,
    DurationSlot,
    LinesSlot,
    MomentSlot,
    SlotValue,
    Text,
    TimeSlot,
)

FILE = "reschedule"
WORDINGS = (0, 1, 2, 3)
DECOYS = {"easy": (2, 2), "standard": (4, 6), "hard": (8, 10)}
"""How many threads are about other meetings."""
OLDEST_DAYS = 18
_MARGIN_S = 1_800


def moment(instant: int, zone: str, language: str) -> MomentSlot:
    """Return a moment as people of a zone write it in a language."""
    return _moment_of(to_local(instant, zone), language)


def _moment_of(local: str, language: str) -> MomentSlot:
    return MomentSlot(local, _style("date", language), _style("time", language))


def _day_of(day: str, language: str) -> DateSlot:
    return DateSlot(day, _style("date", language))


def _time_of(clock: str, language: str) -> TimeSlot:
    return TimeSlot(clock, _style("time", language))


def _style(kind: str, language: str) -> str:
    style: str = shared_table(f"text/{language}/{FILE}")["styles"][kind]
    return style


def topic(number: int, language: str) -> str:
    """Return the title of a meeting."""
    found: str = shared_table(f"text/{language}/{FILE}")["topics"][number]
    return found


def writing(person: Person, language: str) -> Person:
    """Return a person as one who writes in a language."""
    return Person.of(person.contact, person.name, language)


class Mails:
    """Writes the mails of an instance through the desk's post."""

    def __init__(self, draw: Draw, desk: Desk, plan: Plan, others: dict[Who, Person], number: int) -> None:
        self._draw, self._desk, self._plan, self._number = draw, desk, plan, number
        self._others = others
        self._moments: dict[str, list[int]] = {}
        self._own_moments = self._working_moments(desk.user)
        self._invitations: dict[Who, Message] = {}
        self.threads: set[str] = set()
        self.said: dict[str, tuple[Who, tuple[Window, ...]]] = {}
        """By mail, who offers which windows in it."""
        self.taken_back: str = ""
        """The mail that takes a window back."""

    def write(self) -> None:
        """Write the whole story, then the threads about other meetings."""
        plan, cast = self._plan, self._plan.cast
        self._invite(self._own_moments[0])
        asks = self._draw.choice(sorted(self.offering))
        for who, person in self._others.items():
            short = ["withdrawn"] if plan.withdrawn and plan.withdrawn[0] == who else []
            short += ["longer_line"] if asks == who and cast.longer == "line" else []
            times = self._working_moments(person)[-2 - len(short) :]
            mail = self._answer(who, person, times[0], asks == who and cast.longer == "aside")
            last = self._thank(mail, person, times[1])
            for kind, at in zip(short, times[2:], strict=True):
                last = self._short_mail(kind, who, person, at, last)
        self._decoys()

    @property
    def offering(self) -> list[Who]:
        """Those who are outside."""
        return [side.who for side in self._plan.sides[1:] if side.outside]

    # --- the meeting's own threads

    def _invite(self, at: int) -> None:
        """The user proposes the old time to each of the two, with the reader's own clock for one abroad."""
        desk, home = self._desk, self._desk.user.contact.zone
        for number, (who, reader) in enumerate(self._others.items()):
            writer, zone = writing(desk.user, reader.language), reader.contact.zone
            slots = self._slots(writer)
            if zone != home:
                slots["zone"], slots["there_zone"] = (zone_words(one, writer.language) for one in (home, zone))
                slots["there"] = _time_of(to_local(self._plan.old_start, zone)[11:], writer.language)
            text = self._beat("invite_home" if zone == home else "invite_abroad", writer, **slots)
            tone: Tone = "polite" if reader.contact.relation == "peer" else "formal"
            title = topic(self._number, writer.language)
            mail = desk.post.mail(writer, [reader], at + number * 240, title, [text], tone=tone)
            self.threads.add(mail.thread_id)
            self._invitations[who] = mail

    def _answer(self, who: Who, person: Person, at: int, aside: bool) -> Message:
        """Say that the time does not do, and which would."""
        desk, plan = self._desk, self._plan
        slots = self._slots(person)
        if who in self.offering:
            windows = plan.offers[who]
            slots["windows"] = self._lines(windows, person.language)
            sentences = [self._beat("decline", person, **slots)]
            if aside:
                sentences.append(self._beat("longer_aside", person, duration=DurationSlot(plan.minutes)))
        else:
            windows = ()
            sentences = [self._beat("decline_insider", person, **slots)]
            sentences += self._own_block(who, person)
        mail = self._reply(person, [desk.user], at, sentences, self._invitations[who])
        self.said[mail.id] = (who, windows)
        return mail

    def _own_block(self, who: Who, person: Person) -> list[SlotValue]:
        """In hard instances somebody inside names one of the times at which their calendar shows them busy."""
        blocks = [block for block in self._plan.blocks if block.who == who]
        if self._desk.setting.difficulty != "hard" or not blocks:
            return []
        first, last = (to_local(instant, person.contact.zone) for instant in blocks[0].span)
        language = person.language
        day, start, end = _day_of(first[:10], language), _time_of(first[11:], language), _time_of(last[11:], language)
        return [self._beat("insider_day", person, date=day, start=start, end=end)]

    def _thank(self, mail: Message, person: Person, before: int) -> Message:
        """The user thanks for a mail before its writer writes again, and quotes it; return the last mail of the two."""
        writer = writing(self._desk.user, person.language)
        free = [at for at in self._own_moments if mail.sent_at + 600 < at < before - 600]
        if not free:
            return mail
        return self._reply(writer, [person], free[0], [self._beat("thanks", writer)], mail)

    def _short_mail(self, kind: str, who: Who, person: Person, at: int, to: Message) -> Message:
        """Take a window back or ask for more time in one line, with the long mail quoted once more below it."""
        plan = self._plan
        if kind == "withdrawn":
            assert plan.withdrawn is not None
            text = self._beat(kind, person, date=self._gone(who, plan.withdrawn[1], person.language))
        else:
            text = self._beat(kind, person, duration=DurationSlot(plan.minutes))
        mail = self._reply(person, [self._desk.user], at, [text], to)
        if kind == "withdrawn":
            self.taken_back = mail.id
        return mail

    def _gone(self, who: Who, gone: Window, language: str) -> SlotValue:
        """The day of a window, with its start where the day has another one."""
        if sum(one.day == gone.day for one in self._plan.offers[who]) > 1:
            return _moment_of(f"{gone.day}T{gone.start}", language)
        return _day_of(gone.day, language)

    def _reply(
        self, writer: Person, readers: Sequence[Person], at: int, sentences: Sequence[SlotValue], to: Message
    ) -> Message:
        tone: Tone | None = None
        if writer.id == self._desk.user.id and readers[0].contact.relation == "superior":
            tone = "formal"
        return self._desk.post.mail(writer, readers, at, "", sentences, answers=to, quotes=to, tone=tone)

    # --- other meetings

    def _decoys(self) -> None:
        """Write about other meetings that others cannot make, with windows of their own."""
        draw, desk = self._draw.stream("decoys"), self._desk
        topics = [number for number in draw.pool(range(8)) if number != self._number]
        firm = next(one for one in desk.cast.organisations if one.id == self._others["a"].contact.org_id)
        people = [desk.cast.outsider("client", organisation=firm), desk.cast.outsider(), desk.cast.outsider("vendor")]
        for number in range(draw.int(*DECOYS[desk.setting.difficulty])):
            person = people[number % len(people)]
            times = self._working_moments(person)
            at = draw.choice(times[:-1])
            title = topic(draw.choice(topics), person.language)
            first, *windows = self._some_hours(draw, person, desk.today + timedelta(draw.int(3, 25)))
            old = _moment_of(f"{first.day}T{first.start}", person.language)
            lines = self._lines(windows, person.language)
            text = self._beat("decline", person, title=title, old=old, windows=lines)
            mail = desk.post.mail(person, [desk.user], at, title, [text])
            if draw.chance(0.6):
                self._thank(mail, person, desk.now - 900)

    def _some_hours(self, draw: Draw, person: Person, day: date) -> list[Window]:
        found: list[Window] = []
        open_days = working_days(person.contact.country)
        while len(found) < 4:
            if open_days.is_open(day):
                first, last = draw.choice(hours_on(person.contact.meeting_hours, day, person.contact.zone))
                start = first + draw.int(0, (last - first) // 1_800 - 4) * 1_800
                found.append(Window.of((start, start + draw.int(2, 4) * 1_800), person.contact.zone))
            day += timedelta(1)
        return found

    # --- pieces

    def _slots(self, person: Person) -> dict[str, SlotValue]:
        old = moment(self._plan.old_start, person.contact.zone, person.language)
        return {"title": topic(self._number, person.language), "old": old}

    def _lines(self, windows: Sequence[Window], language: str) -> LinesSlot:
        rows: list[tuple[SlotValue, ...]] = []
        for one in windows:
            start, end = _time_of(one.start, language), _time_of(one.end, language)
            day = _day_of(one.day, language)
            rows.append((Text.of(FILE, "lines.window", language, date=day, start=start, end=end),))
        return LinesSlot(tuple(rows))

    def _beat(self, kind: str, writer: Person, **slots: SlotValue) -> Text:
        variant = self._draw.variant(WORDINGS)
        offered = {**particles(writer), **slots}
        return Text.fitting(FILE, f"beats.{kind}", writer.language, variant, **offered)

    def _working_moments(self, person: Person) -> list[int]:
        """One instant in the writer's working hours on each working day of the last weeks, the latest last."""
        if person.id in self._moments:
            return self._moments[person.id]
        card, found = person.contact, self._moments.setdefault(person.id, [])
        for back in range(OLDEST_DAYS, -1, -1):
            day = self._desk.today - timedelta(back)
            spans = hours_on(card.working_week, day, card.zone)
            if spans and working_days(card.country).is_open(day):
                first, last = self._draw.choice(spans)
                at = self._draw.int(first, last)
                if at < self._desk.now - _MARGIN_S:
                    found.append(at)
        return found
