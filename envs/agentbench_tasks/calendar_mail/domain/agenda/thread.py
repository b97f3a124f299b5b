"""The thread behind a meeting: what was asked and answered in it, which file to read first, when it takes place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.agenda.plot import Meeting
from agentbench_tasks.calendar_mail.domain.file_times import FileTime
from agentbench_tasks.calendar_mail.domain.invites import Invite
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.office import Desk, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.post import address_of
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import MomentSlot, Stated, Text

FILE = "agenda"


class Goal(msgspec.Struct, frozen=True):
    """What is right about one meeting."""

    number: int
    event_id: str
    """Of the instance, for a series."""
    thread_id: str
    title: str
    """The subject of the thread."""
    open: str
    sentences: dict[str, Text]
    """The questions as they were asked, by what they are about."""
    asked_in: dict[str, str]
    """The mail that asked each."""
    document: str
    """The content to read first."""
    files: dict[str, str]
    """The first attachment with each content of the thread."""
    told_by: str
    """The mail that told to read that content first."""


class Thread:
    """Writes the thread of one meeting."""

    def __init__(
        self, draw: Draw, desk: Desk, number: int, meeting: Meeting, organiser: Person, guests: Sequence[Person]
    ) -> None:
        self._draw, self._desk, self._number, self._meeting = draw, desk, number, meeting
        self._organiser, self._guests = organiser, guests
        table = shared_table(f"text/{desk.setting.language}/{FILE}")
        self._topic, self._agenda = table["topics"][meeting.topic], table["events"]["agenda"]
        self._sentences: dict[str, Text] = {}
        self._asked: dict[str, Message] = {}
        self._files: dict[str, Attachment] = {}
        self._mails: list[Message] = []
        self._thread = desk.post.thread()
        self._told: Message | None = None

    def write(self, event: Event, start: When) -> Goal:
        """Write it, and say what is right."""
        meeting = self._meeting
        kinds, organiser = meeting.kinds, self._organiser
        answered = [kind for kind in kinds if kind != meeting.open]
        self._times = iter(self._moments(6 + len(kinds) * 2, 1, 12))
        self._tell(organiser, ["open", *kinds[:2]], files=() if meeting.has("agenda_not_preread") else ("agenda",))
        self._told = self._tell(self._guests[0], ["first_read"], files=("read.1",))
        document = "read.1"
        for kind in kinds[2:]:
            self._tell(self._guests[1], [kind])
        for kind in answered:
            quotes = self._asked[kind] if meeting.has("question_in_quote") else None
            self._tell(organiser, [f"answer {kind}"], answers=self._asked[kind], quotes=quotes)
        if meeting.has("old_version_first"):
            document = "read.2"
            self._told = self._tell(self._guests[0], ["replaced"], files=(document,))
            self._tell(self._guests[1], ["old_again"], files=("read.1",))
        if meeting.has("agenda_not_preread"):
            self._tell(organiser, ["agenda"], files=("agenda",))
        self._place(event, start)
        original = event.overrides[0].original_start if event.overrides else ""
        return Goal(
            self._number,
            f"{event.id}@{original}" if original else event.id,
            self._thread,
            self._topic["subject"],
            meeting.open,
            self._sentences,
            {kind: mail.id for kind, mail in self._asked.items()},
            self._name(document),
            {file.document: file.id for file in self._files.values()},
            self._told.id,
        )

    def write_namesake(self) -> None:
        """Write an earlier thread with the same subject, more files and a question nobody answered."""
        post, old = self._desk.post, self._desk.post.thread()
        last: Message | None = None
        for at, kind in zip(self._moments(3, 70, 90), ("open", "first_read", "owner"), strict=True):
            files = [self._file(f"past.{n}", str(n)) for n in (7, 8)] if kind == "first_read" else []
            readers = [self._desk.user, *self._guests]
            last = post.mail(
                self._organiser, readers, at, "" if last else self._topic["subject"], [self._text(self._organiser, kind)],
                thread=old, answers=last, attachments=files,
            )  # fmt: skip

    def _place(self, event: Event, start: When) -> None:
        organiser, post = self._organiser, self._desk.post
        if self._meeting.in_words:
            home = self._desk.user.contact.zone
            here = When(start.local, start.zone or home)
            when = MomentSlot(here.local)
            self._tell(organiser, [self._text(organiser, "placed", when=when)])
            return
        mail = self._tell(organiser, ["invite"], kind="event_invite")
        post.records.append(
            Invite(
                id=self._draw.id("inv"), message_id=mail.id, uid=event.ical_uid, organizer=address_of(organiser),
                summary=event.title, start=FileTime(event.start.local, event.start.zone),
                end=FileTime(later(event.start, 30).local, event.start.zone), stamped_at=mail.sent_at,
                attendees=tuple(map(address_of, (self._desk.user, *self._guests))), rrule=event.rrule,
            )
        )  # fmt: skip

    def _tell(
        self, writer: Person, parts: Sequence[str | Text], *, files: Sequence[str] = (), **more: object
    ) -> Message:
        """Write a mail of questions, answers and other pieces."""
        stated = [Stated(f"thread.{self._number}", self._thread)]
        texts: list[Text] = []
        asked: list[str] = []
        for part in parts:
            if isinstance(part, Text):
                texts.append(part)
                continue
            text = self._text(writer, part)
            texts.append(text)
            if part in self._meeting.kinds:
                self._sentences[part] = text
                asked.append(part)
                stated.append(Stated(f"asks.{self._number}.{part}", True))
            if part in ("first_read", "replaced"):
                stated.append(Stated(f"read.{self._number}", self._name(files[0])))
        stated += [Stated(f"brought.{self._name(name)}", True) for name in files]
        everybody = [self._organiser, *self._guests]
        readers = [self._desk.user, *(person for person in everybody if person is not writer)]
        drifts = self._meeting.has("subject_drift") and len(self._mails) > 2
        more.setdefault("answers", self._mails[-1] if self._mails else None)
        mail = self._desk.post.mail(
            writer, readers, next(self._times),
            self._topic["drifted"] if drifts else "" if self._mails else self._topic["subject"], texts,
            thread=self._thread, attachments=[self._attach(name) for name in files], stated=stated,
            **more,  # type: ignore[arg-type]
        )  # fmt: skip
        for kind in asked:
            self._asked[kind] = mail
        self._mails.append(mail)
        return mail

    def _text(self, writer: Person, part: str, **slots: MomentSlot) -> Text:
        section, _, kind = part.partition(" ")
        if section == "answer":
            path = f"answers.{kind}"
        elif section in ("date", "budget", "owner", "scope"):
            path = f"questions.{section}"
        else:
            path = f"mails.{section}"
        return Text.fitting(
            FILE, path, writer.language, self._draw.variant(WORDINGS), **particles(writer),
            noun=self._topic["noun"], subject=self._topic["subject"], **slots,
        )  # fmt: skip

    def _name(self, name: str) -> str:
        return f"{self._number}.{name}"

    def _attach(self, name: str) -> Attachment:
        if name in self._files:
            return self._desk.post.again(self._files[name])
        self._files[name] = self._file(name, name.rpartition(".")[2])
        return self._files[name]

    def _file(self, name: str, number: str) -> Attachment:
        is_agenda = name == "agenda"
        noun = self._agenda if is_agenda else self._topic["noun"]
        stem = self._agenda if is_agenda else self._topic["stem"]
        language = self._desk.setting.language
        text = Text.of(FILE, "document.page", language, subject=self._topic["subject"], noun=noun, n=number)
        filename = f"{stem}.pdf" if is_agenda or number == "1" else f"{stem}_{number}.pdf"
        return self._desk.post.file(filename, noun, text, document=self._name(name))

    def _moments(self, count: int, nearest: int, furthest: int) -> list[int]:
        """Instants of working hours at home, the oldest first, some days ago."""
        desk, market = self._desk, self._desk.setting.market
        calendar = working_days(market.code)
        days = [desk.today - timedelta(back) for back in range(nearest, furthest + 1)]
        open_days: list[date] = [day for day in days if calendar.is_open(day)]
        slots = [(day.isoformat(), minute) for day in open_days for minute in range(9 * 60, 17 * 60, 7)]
        chosen = sorted(self._draw.sample(slots, count))
        return [to_instant(f"{day}T{minute // 60:02}:{minute % 60:02}", market.zone) for day, minute in chosen]
