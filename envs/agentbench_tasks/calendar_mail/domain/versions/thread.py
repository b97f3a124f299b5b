"""Writing a thread: times, contents, files and mails for its beats, with what each mail states."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.documents import CLAUSES, Document, Edition, version_mail
from agentbench_tasks.calendar_mail.domain.filenames import FileNames
from agentbench_tasks.calendar_mail.domain.mailbox import SharedFolder
from agentbench_tasks.calendar_mail.domain.matters import Matter
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.versions.beats import BRANCH, MAIN, WRONG, Beat, version
from agentbench_tasks.calendar_mail.domain.versions.circle import Circle
from agentbench_tasks.calendar_mail.domain.versions.talk import talk_text
from agentbench_tasks.calendar_mail.domain.working_times import Hours
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import SlotValue, Stated, body_of

SUFFIXES = {"annex": "docx", "prices": "xlsx", "schedule": "xlsx", "scan": "pdf"}
QUOTING = 0.4
DEEPEST = 2
"""How many mails stand below another one at most."""
_DAY = 86_400


class Naming(msgspec.Struct, frozen=True):
    """How the versions of the main document are named, and from which one the branch was made."""

    habits: tuple[str, ...]
    branched_from: int = 1


class Thread:
    """Writes the beats of one thread into the mailbox.

    Args:
        draw: the stream to draw from.
        desk: the office.
        matter: what the thread is about.
        circle: who reads it.
        naming: how its files are named.
        folder: the folder that a mail of it tells of.
    """

    def __init__(
        self, draw: Draw, desk: Desk, matter: Matter, circle: Circle, naming: Naming, folder: SharedFolder | None = None
    ) -> None:
        self._draw, self._desk, self._matter, self._circle = draw, desk, matter, circle
        self._naming, self._folder, self._subject = naming, folder, matter.subject
        self._names = {MAIN: FileNames(draw, matter.language, matter.stem)}
        self._documents = {MAIN: Document(draw, desk.setting, matter, desk.today)}
        self._changes = draw.shuffled(CLAUSES)
        self._editions: dict[str, Edition] = {}
        self._files: dict[str, Attachment] = {}
        self._depth: dict[str, int] = {}
        self._mails: list[Message] = []
        self._written: dict[int, Message] = {}
        self.first_with: dict[str, Message] = {}
        """The mail that first brought each content."""

    @property
    def mails(self) -> list[Message]:
        """The mails written, the oldest first."""
        return self._mails

    @property
    def files(self) -> dict[str, Attachment]:
        """The first file with each content."""
        return self._files

    def write(self, beats: Sequence[Beat], first: int, last: int) -> None:
        """Write the beats between two instants; raise NoFit if they do not end in time."""
        draw, at = self._draw, 0
        hours = Hours(draw, self._desk.user.contact.zone)
        for number, beat in enumerate(beats):
            goal = first + int((last - first) * (number + draw.random()) / len(beats)) // 60 * 60
            if beat.soon:
                at += 60 * draw.int(12, 35)
            elif beat.late:
                at = hours.late(beat.writer, max(goal, at + 900))
            else:
                at = hours.next(beat.writer, max(goal, at + 60 * draw.int(12, 50)))
            if at > self._desk.now - 1_800:
                raise NoFit
            self._mail(beat, at)

    # --- contents

    def _file(self, content: str, beat: Beat, at: int) -> Attachment:
        """The file of a content: a new one, or the same bytes once more."""
        day = to_local(at, beat.writer.contact.zone)[:10]
        if content in self._files:
            known = self._files[content]
            name = self._names_of(content).copy(known.filename) if beat.copied else known.filename
            return self._desk.post.again(known, filename=name)
        edition = self._edition(content, beat.writer, day)
        document = self._document(content)
        stated = [Stated(f"version.{content}", edition.number)] if content == version(edition.number) else []
        self._files[content] = document.file(self._desk.post, edition, self._name(content, day), stated)
        return self._files[content]

    def _edition(self, content: str, editor: Person, day: str) -> Edition:
        """The content itself, made from the one before it."""
        if content in self._editions:
            return self._editions[content]
        document, (kind, _, state) = self._document(content), content.partition(".")
        if state == "1":
            self._editions[content] = document.first(content, day, editor)
        elif kind != MAIN:
            self._editions[content] = document.revised(content, self._editions[f"{kind}.1"], day, editor, "items")
        elif content == BRANCH:
            base = self._editions[version(self._naming.branched_from)]
            change = self._draw.choice(CLAUSES)
            self._editions[content] = document.revised(content, base, day, editor, change)
        elif content == WRONG:
            base, change = self._latest(), self._draw.choice(CLAUSES)
            self._editions[content] = document.revised(content, base, day, editor, change, label="internal")
        else:
            earlier = version(int(state) - 1)
            if earlier not in self._editions:
                # The interim state was made the day before it is sent, and never sent by itself.
                before = (date.fromisoformat(day) - timedelta(1)).isoformat()
                self._edition(earlier, editor, before)
            base = self._editions[earlier]
            self._editions[content] = document.revised(content, base, day, editor, self._change(int(state)))
        return self._editions[content]

    def _latest(self) -> Edition:
        return self._editions[version(len(self._naming.habits))]

    def _change(self, number: int) -> str:
        return self._changes[number % len(self._changes)]

    def _document(self, content: str) -> Document:
        kind = content.partition(".")[0]
        if kind not in self._documents:
            self._documents[kind] = Document(self._draw, self._desk.setting, self._matter, self._desk.today, kind)
        return self._documents[kind]

    # --- names

    def _names_of(self, content: str) -> FileNames:
        kind = content.partition(".")[0]
        if kind not in self._names:
            stem = self._matter.other_stem(kind)
            self._names[kind] = FileNames(self._draw, self._matter.language, stem, SUFFIXES[kind])
        return self._names[kind]

    def _name(self, content: str, day: str) -> str:
        names, (kind, _, state) = self._names_of(content), content.partition(".")
        if kind != MAIN:
            return names.plain(day) if state == "1" else names.revised(day)
        if not state.isdigit():
            return names.revised(day)
        habit = self._naming.habits[int(state) - 1]
        match habit:
            case "same":
                return self._name_before(int(state), day)
            case "numbered":
                return names.numbered(int(state), day)
            case "final":
                return names.final(day)
            case "plain":
                return names.plain(day)
            case "dated":
                return names.dated(day)
            case _:
                return names.revised(day)

    def _name_before(self, number: int, day: str) -> str:
        earlier = self._files.get(version(number - 1))
        return earlier.filename if earlier else self._names[MAIN].plain(day)

    # --- mails

    def _mail(self, beat: Beat, at: int) -> None:
        files = [self._file(content, beat, at) for content in sorted(beat.contents)]
        files = [files[sorted(beat.contents).index(content)] for content in beat.contents]
        answers = self._mails[-1] if self._mails else None
        if beat.reply_to is not None:
            answers = self._written[id(beat.reply_to)]
        quotes = None
        if answers is not None and self._depth[answers.id] < DEEPEST:
            # Whoever answers a question later on leaves it below the answer.
            quotes = answers if self._draw.chance(1 if beat.is_talk and beat.reply_to else QUOTING) else None
        is_forward = beat.kind == "forward_old"
        if is_forward:
            answers, quotes = None, self.first_with[beat.contents[0]]
        people = self._circle.everybody
        others = [person for person in people if person is not beat.writer and person is not beat.reader]
        mail = self._desk.post.mail(
            beat.writer,
            [beat.reader],
            at,
            self._subject,
            [self._text(beat)],
            cc=others,
            thread=self._mails[0].thread_id if self._mails else "",
            answers=answers,
            quotes=quotes,
            kind="forward" if is_forward else "mail",
            attachments=files,
            stated=self._stated(beat),
            is_read=self._draw.chance(0.85),
        )
        self._depth[mail.id] = 1 + self._depth[quotes.id] if quotes else 0
        self._mails.append(mail)
        self._written[id(beat)] = mail
        for content in beat.contents:
            self.first_with.setdefault(content, mail)

    def _text(self, beat: Beat) -> SlotValue:
        if beat.is_talk:
            return talk_text(beat.kind, beat.wording, beat.writer)
        document = self._document(beat.other or MAIN)
        slots: dict[str, SlotValue] = {"noun": document.noun, "n": self._naming.branched_from}
        numbers = [int(state) for content in beat.contents if (state := content.partition(".")[2]).isdigit()]
        if numbers and not beat.other:
            slots["change"] = document.change(self._change(max(numbers)))
        if beat.kind == "folder" and self._folder is not None:
            slots |= {
                "folder": body_of(self._folder.name),
                "id": self._folder.id,
                "who": body_of(self._folder.audience),
            }
        return version_mail(self._draw, beat.kind, beat.writer, **slots)

    def _stated(self, beat: Beat) -> list[Stated]:
        """What a mail states: which contents it brings for the first time, and what its writer says of a version."""
        stated = [Stated(f"brought.{content}", True) for content in beat.contents if content not in self.first_with]
        said = beat.reply_to.contents if beat.reply_to else beat.contents
        if beat.kind in ("open", "announce", "adopt", "two_states"):
            stated += [Stated(f"version.{content}", int(content.rpartition(".")[2])) for content in said]
        elif beat.kind in ("withdraw", "discard"):
            stated += [Stated(f"void.{content}", True) for content in said]
        return stated
