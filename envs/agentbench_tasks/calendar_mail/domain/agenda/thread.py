"""Writing a thread: times, mails and files for its beats, with what each mail states in its own words."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.agenda.beats import AGENDA, SIDE, Beat
from agentbench_tasks.calendar_mail.domain.agenda.plot import Question
from agentbench_tasks.calendar_mail.domain.file_times import FileTime
from agentbench_tasks.calendar_mail.domain.invites import Invite
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.working_times import Hours
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import MomentSlot, SlotValue, Stated, Text

FILE = "agenda"
SPARE_S = 2_400
"""The last mail of a thread came at least so long ago."""


class Thread:
    """Writes the mails of one thread.

    Args:
        draw: the stream to draw from.
        desk: the office.
        key: what the facts of the thread are named by.
        topic: subject, later subject, paper and its file's stem, as the texts have them.
        people: who takes part beside the user, the organiser first.
        questions: the questions that are asked.
    """

    def __init__(
        self,
        draw: Draw,
        desk: Desk,
        key: str,
        topic: dict[str, str],
        people: Sequence[Person],
        questions: Sequence[Question] = (),
    ) -> None:
        self._draw, self._desk, self._key, self._topic = draw, desk, key, topic
        self._people = people
        self._wordings = {one.kind: one.wording for one in questions}
        self._hours = Hours(draw, desk.user.contact.zone)
        self.id = desk.post.thread()
        self.mails: list[Message] = []
        self.sentences: dict[str, Text] = {}
        """The questions asked, by what they are about."""
        self.asked: dict[str, Message] = {}
        self.files: dict[str, Attachment] = {}
        """The first file with each content, by the name that beats have for it."""
        self.told: dict[str, Message] = {}
        """The mail that told to read each content first."""
        self.placed: Message | None = None
        """The mail that says in words when the meeting is."""

    def write(
        self, beats: Sequence[Beat], first: int, last: int, *, start: When | None = None, drifts: bool = False
    ) -> None:
        """Write the beats between two instants; raise NoFit if they do not end before now.

        `start`: when the meeting is, for a mail that says so. `drifts`: whether the subject changes midway.
        """
        draw, at = self._draw, self.mails[-1].sent_at if self.mails else 0
        for number, beat in enumerate(beats):
            aim = first + int((last - first) * (number + draw.random()) / len(beats)) // 60 * 60
            at = self._hours.next(beat.writer, max(aim, at + 60 * draw.int(12, 50)))
            if at > self._desk.now - SPARE_S:
                raise NoFit
            changed = self._topic["drifted"] if drifts and 2 * number >= len(beats) else ""
            self._mail(beat, at, start, changed)

    def answer_elsewhere(self, writer: Person, subject: str, kind: str, first: int, last: int) -> None:
        """Answer a question in a mail of its own thread."""
        after = max(first, self.asked[kind].sent_at + 3_600)
        at = self._hours.next(writer, after + int(self._draw.random() * max(0, last - after)) // 60 * 60)
        if at > self._desk.now - SPARE_S:
            raise NoFit
        texts = [self._text(writer, "mails.aside"), self._text(writer, f"answers.{kind}", self._wordings[kind])]
        stated = [Stated(f"answers.{self._key}.{kind}", True)]
        self._desk.post.mail(writer, [self._desk.user], at, subject, texts, stated=stated)

    def invite(self, event: Event) -> None:
        """Add the calendar file of an event to the last mail."""
        mail, organiser = self.mails[-1], self._people[0]
        self.enter(event, mail)
        self._desk.post.records.append(
            Invite(
                id=self._draw.id("inv"), message_id=mail.id, uid=event.ical_uid,
                organizer=organiser.header, summary=event.title, stamped_at=mail.sent_at, rrule=event.rrule,
                start=FileTime(event.start.local, event.start.zone), end=FileTime(event.end.local, event.end.zone),
                attendees=tuple(person.header for person in (self._desk.user, *self._people[1:])),
            )
        )  # fmt: skip

    def enter(self, event: Event, mail: Message) -> None:
        """Let an event date from a mail of the thread, and what was changed of it from some time after."""
        made, changed = mail.sent_at - 60, bool(event.overrides or event.cancelled)
        updated = (made + self._desk.now) // 2 if changed else made
        records = self._desk.diary.records
        records[records.index(event)] = msgspec.structs.replace(event, created_at=made, updated_at=updated)

    def _mail(self, beat: Beat, at: int, start: When | None, changed: str) -> None:
        writer, post = beat.writer, self._desk.post
        stated = [Stated(f"thread.{self._key}", self.id)]
        texts: list[Text] = []
        asked: list[str] = []
        for part in beat.parts:
            act, _, kind = part.partition(" ")
            if act == "ask":
                texts.append(self._text(writer, f"questions.{kind}", self._wordings[kind]))
                self.sentences[kind] = texts[-1]
                asked.append(kind)
                stated.append(Stated(f"asks.{self._key}.{kind}", True))
            elif act == "answer":
                texts.append(self._text(writer, f"answers.{kind}", self._wordings[kind]))
                stated.append(Stated(f"answers.{self._key}.{kind}", True))
            elif act == "placed" and start is not None:
                texts.append(self._text(writer, "mails.placed", when=MomentSlot(start.local)))
                stated.append(Stated(f"placed.{self._key}", f"{start.local} {start.zone}"))
            else:
                texts.append(self._text(writer, f"mails.{act}"))
            if act in ("first_read", "replaced"):
                stated.append(Stated(f"read.{self._key}", self.content(beat.files[0])))
        stated += [Stated(f"brought.{self.content(name)}", True) for name in beat.files]
        everybody = [self._desk.user, *self._people]
        answered = self.asked[beat.answers] if beat.answers else self.mails[-1] if self.mails else None
        mail = post.mail(
            writer, [person for person in everybody if person is not writer], at,
            changed or ("" if self.mails else self._topic["subject"]), texts, thread=self.id, answers=answered,
            quotes=answered if beat.quotes else None, kind=beat.kind, stated=stated,
            attachments=[self._attach(name) for name in beat.files],
        )  # fmt: skip
        self.asked |= dict.fromkeys(asked, mail)
        if "placed" in beat.parts:
            self.placed = mail
        if "first_read" in beat.parts or "replaced" in beat.parts:
            self.told[beat.files[0]] = mail
        self.mails.append(mail)

    def _text(self, writer: Person, kind: str, wording: int = -1, **slots: SlotValue) -> Text:
        variant = self._draw.variant(WORDINGS) if wording < 0 else wording
        noun, subject = self._topic["noun"], self._topic["subject"]
        return Text.fitting(
            FILE, kind, writer.language, variant, **particles(writer), noun=noun, subject=subject, **slots
        )

    # --- files

    def content(self, name: str) -> str:
        """The name of a content of this thread."""
        return f"{self._key}.{name}"

    def _attach(self, name: str) -> Attachment:
        if name in self.files:
            return self._desk.post.again(self.files[name])
        self.files[name] = self._file(name)
        return self.files[name]

    def _file(self, name: str) -> Attachment:
        language, subject = self._desk.setting.language, self._topic["subject"]
        if name in (AGENDA, SIDE):
            word = shared_table(f"text/{language}/{FILE}")["papers"][name]
            text = Text.fitting(FILE, f"document.{name}", language, subject=subject)
            return self._desk.post.file(f"{word['stem']}.pdf", word["noun"], text, document=self.content(name))
        number, noun = name.rpartition(".")[2], self._topic["noun"]
        text = Text.fitting(FILE, "document.page", language, subject=subject, noun=noun, n=number)
        filename = f"{self._topic['stem']}.pdf" if number == "1" else f"{self._topic['stem']}_{number}.pdf"
        return self._desk.post.file(filename, noun, text, document=self.content(name))
