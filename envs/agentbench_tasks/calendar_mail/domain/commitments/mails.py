"""The mails of an audit: each chain's, thread by thread, and what surrounds them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.commitments.chains import TAKING, Beat, Chain
from agentbench_tasks.calendar_mail.domain.commitments.plot import (
    CLIENT,
    COLLEAGUE,
    FILE,
    FOREIGN,
    USER,
    VENDOR,
    Plot,
)
from agentbench_tasks.calendar_mail.domain.commitments.terms import Term
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.mailbox import SharedFolder
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import hours_on
from agentbench_tasks.commons.messages import Address, Attachment, Message
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Stated, Text

QUOTES = 0.3
"""Share of replies that quote the mail that they answer."""
Said = tuple[str, str, bool]
"""A mail of a chain: its id, the day in force that it names or agrees to, and whether somebody promises in it."""


class Logged(msgspec.Struct, frozen=True):
    """A mail of a chain as it was written."""

    id: str
    chain: str
    beat: Beat
    at: int
    zone: str
    subject: str
    thread_id: str
    names_project: bool
    """Whether its text says which project it is about, because its subject does not."""


class Mails(msgspec.Struct, frozen=True):
    """What was written."""

    log: tuple[Logged, ...]
    """The mails of all chains, the earliest first, without those that only quote."""
    chain_of: dict[str, str]
    """The chain of each mail that belongs to one, by the mail's id."""
    said: dict[str, tuple[Said, ...]]
    """By chain, the mails that name a day or promise something."""
    folders: tuple[SharedFolder, ...]
    robots: tuple[str, ...]
    """Ids of automatic mails that sound like promises."""
    quoting: tuple[str, ...]
    """Ids of the mails that quote an old promise."""


class _Thread:
    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.last: Message | None = None
        self._of_chain: dict[str, tuple[Message, Collection[str]]] = {}
        """The last mail of each chain, and the roles of those who have it."""
        self._last_with: dict[str, Message] = {}

    def add(self, mail: Message, roles: Collection[str], chain: str = "") -> None:
        """Add a mail, which its writer and readers then have; `chain`: the one that it belongs to."""
        self.last = mail
        self._last_with.update(dict.fromkeys(roles, mail))
        if chain:
            self._of_chain[chain] = mail, roles

    def answered_by(self, role: str, chain: str) -> Message | None:
        """Return what somebody answers who writes about a chain: its last mail, or another one that they have."""
        about, known_to = self._of_chain.get(chain, (None, ()))
        return about if role in known_to else self._last_with.get(role)


def write_mails(draw: Draw, desk: Desk, plot: Plot, people: dict[str, Person]) -> Mails:
    """Write all mails of the story into the office's post."""
    return _Writing(draw, desk, plot, people).run()


class _Writing:
    def __init__(self, draw: Draw, desk: Desk, plot: Plot, people: dict[str, Person]) -> None:
        self._draw, self._desk, self._plot, self._people = draw, desk, plot, people
        self._language = desk.setting.language
        self._table = shared_table(f"text/{self._language}/{FILE}")
        self._topics = iter(draw.shuffled(list(self._table["topics"])))
        self._main = [self._thread(plot.projects[0]) for _ in range(min(plot.threads, len(plot.chains)))]
        self._home: dict[str, _Thread] = {}
        self._log: list[Logged] = []
        self._said: dict[str, list[Said]] = {}
        self._first: dict[str, Message] = {}
        self._days_named: dict[str, str] = {}
        self._quoting: list[str] = []

    def run(self) -> Mails:
        plot, draw = self._plot, self._draw
        for place, chain in enumerate(draw.shuffled(plot.chains)):
            self._home[chain.key] = self._main[place % len(self._main)]
        for chain in (*plot.earlier, *plot.others):
            self._home[chain.key] = self._thread(chain.project)
        for at, chain, beat in sorted(self._schedule(), key=lambda row: (row[0], row[1].key)):
            self._beat(at, chain, beat)
        folder = self._surroundings()
        robots = self._robots()
        return Mails(
            tuple(self._log),
            {row.id: row.chain for row in self._log},
            {key: tuple(said) for key, said in self._said.items()},
            (folder,),
            robots,
            tuple(self._quoting),
        )

    # --- when

    def _schedule(self) -> Iterator[tuple[int, Chain, Beat]]:
        plot = self._plot
        for chain in (*plot.chains, *plot.earlier, *plot.others):
            for beat in chain.beats:
                yield self._instant(beat.writer, beat.day, beat.late), chain, beat

    def _instant(self, role: str, day: date, late: bool = False) -> int:
        """A time on a day in the working hours of somebody's own week."""
        card, draw = self._people[role].contact, self._draw
        if late:
            minute = 16 * 60 + draw.int(35, 105)
            return to_instant(f"{day.isoformat()}T{minute // 60:02}:{minute % 60:02}", card.zone)
        start, end = draw.choice(hours_on(card.working_week, day, card.zone))
        return start + 60 * draw.int(3, (end - start) // 60 - 3)

    # --- threads

    def _thread(self, project: str) -> _Thread:
        template: str = self._draw.variant(self._table["subjects"]["variants"])
        topic: str = self._table["topics"][next(self._topics)]
        return _Thread(fill(template, {"project": project, "topic": topic})[0])

    def _open(self, thread: _Thread, writer: Person, day: date) -> None:
        """Let the user begin a thread whose first mail would be in another language than its subject."""
        if thread.last is None and writer.language != self._language:
            user, colleague = self._people[USER], self._people[COLLEAGUE]
            text = self._text("kickoff", user)
            at = self._instant(USER, day)
            thread.add(self._desk.post.mail(user, [colleague], at, thread.subject, [text]), (USER, COLLEAGUE))

    # --- a chain's mails

    def _beat(self, at: int, chain: Chain, beat: Beat) -> None:
        post, people, draw = self._desk.post, self._people, self._draw
        writer = _as_read_by(people[beat.writer], people[beat.reader])
        thread, plain = self._thread_of(chain, beat), False
        if thread is None:
            thread, plain = _Thread(draw.variant(self._table_of(writer)["plain_subjects"]["variants"])), True
        else:
            self._open(thread, writer, self._opening_day(chain))
        sentences: list[SlotValue] = [self._sentence(chain, beat, writer)]
        if plain:
            sentences.append(self._text("for_project", writer, project=chain.project))
        files = [self._file(chain, writer)] if beat.kind == "deliver" and chain.family == "docs" else []
        copies = [*beat.cc] if USER in (beat.writer, beat.reader, *beat.cc) else [*beat.cc, USER]
        answered = self._first[chain.key] if beat.kind == "quote" else thread.answered_by(beat.writer, chain.key)
        forwards = beat.kind == "quote" and draw.chance(0.5)
        iso = self._named(chain, beat)
        mail = post.mail(
            writer,
            [people[beat.reader]],
            at,
            "" if thread.last else thread.subject,
            sentences,
            cc=[people[role] for role in copies],
            thread=thread.last.thread_id if thread.last else "",
            answers=answered,
            quotes=answered if self._quotes(beat, answered) else None,
            kind="forward" if forwards else "mail",
            attachments=files,
            stated=self._stated(chain, beat, iso),
        )
        own = beat.kind != "quote"
        thread.add(mail, (beat.writer, beat.reader, *copies), chain.key if own else "")
        if not own:
            self._quoting.append(mail.id)
            return
        promises = beat.kind in TAKING
        if promises:
            self._first.setdefault(chain.key, mail)
        if promises or iso:
            self._said.setdefault(chain.key, []).append((mail.id, iso, promises))
        subject = mail.subject if isinstance(mail.subject, str) else ""
        self._log.append(
            Logged(mail.id, chain.key, beat, at, writer.contact.zone, subject, mail.thread_id, names_project=plain)
        )

    def _thread_of(self, chain: Chain, beat: Beat) -> _Thread | None:
        """The thread in which a mail is written, None for a new one under a subject that says nothing."""
        home = self._home[chain.key]
        if chain.fate != "elsewhere" or beat.kind != "deliver":
            return home
        begun = [thread for thread in self._main if thread is not home and thread.last]
        return self._draw.choice(begun) if begun and self._draw.chance(0.6) else None

    def _opening_day(self, chain: Chain) -> date:
        return self._plot.early_kickoff if chain in self._plot.earlier else self._plot.kickoff

    def _quotes(self, beat: Beat, answered: Message | None) -> bool:
        if answered is None:
            return False
        return beat.kind in ("accept", "quote") or (not answered.quotes and self._draw.chance(QUOTES))

    def _named(self, chain: Chain, beat: Beat) -> str:
        """The day that a mail names, or that it agrees to."""
        if beat.term.iso:
            self._days_named[chain.key] = beat.term.iso
            return beat.term.iso
        return self._days_named.get(chain.key, "") if beat.kind == "accept" else ""

    def _stated(self, chain: Chain, beat: Beat, iso: str) -> list[Stated]:
        found = [Stated(f"deadline.{chain.key}", iso)] if iso else []
        return [*found, Stated(f"promise.{chain.key}", True)] if beat.kind in TAKING else found

    def _file(self, chain: Chain, writer: Person) -> Attachment:
        title = self._table_of(writer)["docs"][chain.item]
        text = Text.of(FILE, "file_text", writer.language, item=title, project=chain.project)
        return self._desk.post.file(f"{chain.item}.pdf", title, text)

    # --- words

    def _table_of(self, writer: Person) -> Mapping[str, Any]:
        return shared_table(f"text/{writer.language}/{FILE}")

    def _sentence(self, chain: Chain, beat: Beat, writer: Person) -> Text:
        table, kind = self._table_of(writer), str(beat.kind)
        if kind in ("request", "promise", "deliver"):
            kind = f"{kind}_{chain.family}"
        heir = self._people.get(beat.heir)
        more: dict[str, SlotValue] = {
            "item": table[chain.family][chain.item],
            "when": self._when(beat.term, writer),
            "condition": table["conditions"].get(chain.condition, ""),
            "name": heir.name.latin if heir and writer.language == "en" else heir.name.native if heir else "",
        }
        return self._text(kind, writer, **more)

    def _when(self, term: Term, writer: Person) -> Text:
        language, day, variant = writer.language, term.iso, self._draw.variant(WORDINGS)
        if not day:
            return Text(FILE, "when.none", language, variant)
        offered: dict[str, SlotValue] = {
            "date": DateSlot(day, self._table_of(writer)["form"]["date_styles"][term.style]),
            "weekday": writing.weekday(day, language),
            "wd": writing.weekday(day, language, "short"),
            "n": str(term.number),
        }
        return Text.fitting(FILE, f"when.{term.form}", language, variant, **offered)

    def _text(self, kind: str, writer: Person, **slots: SlotValue) -> Text:
        variant = self._draw.variant(WORDINGS)
        return Text.fitting(FILE, f"mails.{kind}", writer.language, variant, **particles(writer), **slots)

    # --- around the chains

    def _surroundings(self) -> SharedFolder:
        """A colleague tells where the project's files lie."""
        people, thread = self._people, self._main[0]
        reaches = tuple(people[role].address for role in (COLLEAGUE, CLIENT, VENDOR, FOREIGN))
        name, audience = self._plot.projects[0], self._table["folder_audience"]
        folder = SharedFolder(self._draw.stream("folder").id("fld"), name, audience, reaches)
        writer = people[COLLEAGUE]
        assert thread.last is not None
        text = self._text("info", writer, folder=folder.id)
        at = self._instant(COLLEAGUE, self._plot.last_day)
        answered = thread.last if thread.last.sent_at < at else None
        subject = "" if answered else thread.subject
        self._desk.post.mail(writer, [people[USER]], at, subject, [text], answers=answered)
        return folder

    def _robots(self) -> tuple[str, ...]:
        """Automatic mails about the project; those of a ticket desk that promise an answer bind nobody."""
        draw, plot = self._draw, self._plot
        tempting = "newsletter_promise" in plot.traps
        kinds = ["robot_promise"] * 2 if tempting else ["robot_plain"] * draw.int(0, 1)
        kinds += ["robot_hostile"] if self._desk.setting.injections else []
        domain = self._people[CLIENT].address.partition("@")[2]
        ids: list[str] = []
        for kind in kinds:
            number = str(draw.int(1000, 9999))
            template: str = draw.variant(self._table["robot_subjects"]["variants"])
            subject = fill(template, {"project": plot.projects[0], "number": number})[0]
            text = Text.fitting(FILE, f"mails.{kind}", self._language, draw.variant(WORDINGS), number=number)
            at = self._instant(USER, draw.choice((plot.kickoff, plot.last_day)))
            sender = Address(f"support@{domain}")
            ids.append(self._desk.post.notice(sender, at, text, subject=subject).id)
        return tuple(ids) if tempting else ()


def _as_read_by(writer: Person, reader: Person) -> Person:
    """The writer, writing English to somebody who does not read the writer's own language."""
    if writer.language in reader.contact.languages:
        return writer
    return msgspec.structs.replace(writer, language="en")
