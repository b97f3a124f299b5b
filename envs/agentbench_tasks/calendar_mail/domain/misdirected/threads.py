"""The threads of the story: what was written before, and the mail that went to the wrong person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.letters import Tone, letter
from agentbench_tasks.calendar_mail.domain.misdirected.built import KeyFact
from agentbench_tasks.calendar_mail.domain.misdirected.contents import Contents
from agentbench_tasks.calendar_mail.domain.misdirected.items import FILE, WORDINGS, Item, Items, Kind
from agentbench_tasks.calendar_mail.domain.misdirected.parties import Parties
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Stated, Text, body_of

HARMLESS = 0.4
"""Share of mails with a file that holds nothing of any kind."""
LOCKED = 0.5
"""Share of the instances with something out of reach in which it is a locked file and not a link."""


def asker_key(project: str) -> str:
    """The key of the fact who asked for a reply in a project."""
    return f"asker.{project}"


def item_key(kind: str, place: str) -> str:
    """The key of the fact that an item of a kind stands at a place of the mail."""
    return f"item.{kind}.{place}"


def recipient_key(address: str) -> str:
    """The key of the fact that the mail went to an address."""
    return f"went_to.{address}"


class Threads:
    """Writes the threads into the office's mail.

    Args:
        draw: the stream to draw from.
        setting: what the instance is drawn for.
        desk: the office.
        plot: the story.
        parties: its people.
        contents: which kinds stand where.
        items: draws the items.
    """

    def __init__(
        self, draw: Draw, setting: Setting, desk: Desk, plot: Plot, parties: Parties, contents: Contents, items: Items
    ) -> None:
        self._draw, self._desk, self._plot, self._parties = draw, desk, plot, parties
        self._contents, self._drawing, self._zone = contents, items, setting.market.zone
        self._intended = parties.intended
        self._language = self._intended.language
        self._writer = msgspec.structs.replace(desk.user, language=self._language)
        self._words = shared_table(f"text/{self._language}/{FILE}")["words"]
        self._matter = draw.choice(draw.pool(self._words["matter"]))
        self._sent_on = date.fromisoformat(to_local(plot.sent_at, self._zone)[:10])
        self.items: list[Item] = []
        self.facts: list[KeyFact] = []
        self.files: list[Attachment] = []
        self.subject_of_mail = ""
        self._held: list[Item] = []
        self._name = ""

    # --- the mails, oldest first

    def write(self) -> Message:
        """Write both threads; return the mail that went to the wrong person."""
        user, intended, wrong = self._writer, self._intended, self._parties.wrong[0]
        post = self._desk.post
        subject = body_of(self._text("subject"))
        asker = [Stated(asker_key(self._parties.project), intended.address)]
        unquoted = self._drawing.item(self._contents.unquoted)
        first = post.mail(
            intended, (self._desk.user,), self._at(intended, 6), subject,
            [self._text("early"), *self._details([unquoted])],
            stated=asker,
        )  # fmt: skip
        quoted = [self._drawing.item(kind) for kind in self._contents.at("quoted")]
        split = self._draw.int(0, len(quoted))
        self.earlier = post.mail(
            user, (intended,), self._at(user, 4), "",
            [self._text("interim"), *self._details(quoted[:split])],
            answers=first, stated=_stated(quoted[:split], "quoted"), tone=self._tone(),
        )  # fmt: skip
        self.request = post.mail(
            intended, (self._desk.user,), self._at(intended, 1), "",
            [self._text("request"), *self._details(quoted[split:])],
            answers=self.earlier, quotes=self.earlier, stated=[*asker, *_stated(quoted[split:], "quoted")],
        )  # fmt: skip
        asked = self._other_thread(wrong)
        self.items += quoted
        return self._reply(subject, asked, bool(quoted))

    def _other_thread(self, wrong: Person) -> Message:
        """The wrong person's own thread with the user: why their address is at hand."""
        post, user = self._desk.post, msgspec.structs.replace(self._desk.user, language=wrong.language)
        opened = post.mail(
            wrong, (self._desk.user,), self._at(wrong, 5), body_of(self._other("other.subject", wrong)),
            [self._other("other.open", wrong)],
        )  # fmt: skip
        answered = post.mail(
            user, (wrong,), self._at(user, 3), "", [self._other("other.answer", wrong)], answers=opened, quotes=opened
        )
        return post.mail(
            wrong, (self._desk.user,), self._at(wrong, 2), "", [self._other("other.ask", wrong)],
            answers=answered, quotes=answered,
        )  # fmt: skip

    def _reply(self, subject: str, asked: Message, quoting: bool) -> Message:
        """The mail itself: for the intended person, to the wrong one."""
        parties, user = self._parties, self._writer
        own = [self._drawing.item(kind) for kind in self._contents.at("own")]
        sentences = [*self._told(), *self._details(own), *self._enclose()]
        body = letter(self._draw, user, self._intended, sentences, self._tone())
        elsewhere = self._plot.slip == "other_thread"
        answers = asked if elsewhere else self.request
        # Into another thread the text was pasted, with the history below it where it has any.
        quotes = asked if elsewhere and not quoting else self.request
        copies = (*parties.wrong[1:], *parties.entitled)
        self.subject_of_mail = body_of(self._other("other.subject", parties.wrong[0])) if elsewhere else subject
        stated = [
            Stated(MISDIRECTED, True),
            *(Stated(recipient_key(one.address), True) for one in (*parties.wrong, *parties.entitled)),
            *_stated(own, "own"),
            *_stated(self.items, "quoted"),
        ]
        mail = self._desk.post.mail(
            user, (parties.wrong[0],), self._plot.sent_at, "", (), cc=copies, answers=answers, quotes=quotes,
            attachments=self.files, stated=stated, body=body,
        )  # fmt: skip
        self.items = [*own, *self.items, *self._held]
        return mail

    # --- what the mail says

    def _told(self) -> list[SlotValue]:
        """The sentences with the key facts."""
        draw = self._draw
        # No letters that stand for a laugh.
        reference = f"{draw.choice('AKMPRTX')}{draw.choice('BQVZ')}-{draw.int(1000, 9899)}"
        start, until = self._weekday(draw.int(20, 50)), self._weekday(draw.int(5, 12))
        self.facts = [KeyFact("id", reference), KeyFact("date", start)]
        sentences: list[SlotValue] = [self._text("reply", ref=reference), self._text("start", date=DateSlot(start))]
        if self._plot.items > 2:
            self.facts.append(KeyFact("date", until))
            sentences.append(self._text("until", date=DateSlot(until)))
        return sentences

    def _details(self, items: Sequence[Item]) -> list[SlotValue]:
        """The sentences with items, after one that leads over to them."""
        return [self._text("further"), *(item.sentence for item in items)] if items else []

    def _enclose(self) -> list[SlotValue]:
        """The files, and the sentences about files that are there, locked, linked or missing."""
        plot, draw, contents = self._plot, self._draw, self._contents
        sentences: list[SlotValue] = []
        self._name = draw.choice(draw.pool(self._words["filename"]))
        self._held = [self._drawing.item(kind) for kind in contents.at("attachment")]
        for item in self._held:
            self.files.append(self._file(item.kind, item.sentence, [item]))
        if draw.chance(HARMLESS):
            self.files.append(self._file("", self._text("harmless"), []))
        if self.files:
            sentences.append(self._text("attached"))
        if plot.has("locked_or_link"):
            doc = self._words["doc"][contents.absent]
            if draw.chance(LOCKED):
                item = self._drawing.item(contents.absent)
                self.files.append(self._file(item.kind, item.sentence, [], locked=True))
                sentences.append(self._text("locked", doc=doc))
            else:
                path = f"{self._parties.project.lower()}/{draw.int(1000, 9999)}"
                link = f"https://files.{self._desk.company.domain}/{path}"
                self.facts.append(KeyFact("link", link))
                sentences.append(self._text("linked", doc=doc, link=link))
        if plot.has("mentioned_not_attached"):
            sentences.append(self._text("missing", doc=self._words["doc"][contents.missing]))
        return sentences

    def _file(self, kind: Kind | Literal[""], said: Text, items: Sequence[Item], *, locked: bool = False) -> Attachment:
        title = self._words["doc"][kind] if kind else self._words["harmless"]
        text = self._text("file", title=title, text=said, date=DateSlot(self._sent_on.isoformat()))
        suffix = self._draw.choice(("pdf", "docx", "xlsx"))
        filename = f"{self._name}-{len(self.files) + 1}_{self._parties.project}.{suffix}"
        return self._desk.post.file(filename, title, text, stated=tuple(_stated(items, "attachment")), locked=locked)

    # --- wordings and times

    def _text(self, kind: str, **slots: SlotValue) -> Text:
        known: dict[str, SlotValue] = {"project": self._parties.project, "matter": self._matter, **slots}
        return Text.fitting(FILE, kind, self._language, self._draw.variant(WORDINGS), **known)

    def _other(self, kind: str, person: Person) -> Text:
        stream = self._draw.stream(kind)
        words = shared_table(f"text/{person.language}/{FILE}")["words"]
        topic = self._draw.stream("topic").choice(stream.pool(words["topic"]))
        return Text.fitting(FILE, kind, person.language, stream.variant(WORDINGS), topic=topic)

    def _tone(self) -> Tone | None:
        return "formal" if self._intended.contact.relation == "superior" else None

    def _weekday(self, ahead: int) -> str:
        """A day from Monday to Friday, about so many days after the mail."""
        day = self._sent_on + timedelta(ahead)
        return (day + timedelta(3 if day.isoweekday() > 5 else 0)).isoformat()

    def _at(self, person: Person, back: int) -> int:
        """An instant in somebody's working hours, so many working days before the mail."""
        day = self._sent_on
        for _ in range(back):
            day -= timedelta(3 if day.isoweekday() == 1 else 2 if day.isoweekday() == 7 else 1)
        minute = self._draw.int(0, 11) * 5
        hour = self._draw.choice((9, 10, 11, 14, 15))
        return to_instant(f"{day.isoformat()}T{hour:02}:{minute:02}", person.contact.zone)


MISDIRECTED = "misdirected"
"""The key of the fact that marks the mail: what may not be deleted or moved."""


def _stated(items: Sequence[Item], place: str) -> list[Stated]:
    return [Stated(item_key(item.kind, place), True) for item in items]
