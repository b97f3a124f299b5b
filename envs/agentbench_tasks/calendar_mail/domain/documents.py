"""Documents that pass through versions: what each one says, and the table of revisions that stands in its file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.template import fill
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.market import office_market
from agentbench_tasks.calendar_mail.domain.matters import FILE, Matter
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.post import Post
from agentbench_tasks.commons.messages import Attachment
from agentbench_tasks.commons.texts import CountSlot, DateSlot, LinesSlot, SlotValue, Stated, Text

CLAUSES = ("amount", "term", "start", "notice", "payment", "interest")


Line = tuple[SlotValue, ...]


class Edition(msgspec.Struct, frozen=True, gc=False):
    """One content of a document: what it says, and the revisions that led to it."""

    document: str
    """Names the content; every file with it has the same hash."""
    lines: dict[str, Line]
    """By clause."""
    revisions: tuple[Line, ...]
    """The rows of its table: the day as its editor had it, who, and what was changed."""

    @property
    def number(self) -> int:
        """The number of its last revision."""
        return len(self.revisions)


class Document:
    """Draws the contents of one document of a matter, each made from another one.

    Args:
        draw: the stream to draw from.
        setting: the market whose currency it is written in.
        matter: what it belongs to.
        other: which paper beside the main document it is, "" for the main document.
        day: about when it was begun.
    """

    def __init__(self, draw: Draw, setting: Setting, matter: Matter, day: date, other: str = "") -> None:
        self._draw, self._setting, self._day, self._other = draw, setting, day, other
        self._code = f"{draw.choice('ABCDEFGH')}-{draw.int(200, 989)}"
        self._language, self._table = matter.language, shared_table(f"text/{matter.language}/{FILE}")
        self.noun = matter.other_noun(other) if other else matter.noun
        """The document as people name it."""
        self._title = fill(self._table["document"]["title"], {"subject": matter.subject, "noun": self.noun})[0]

    def change(self, kind: str) -> str:
        """A kind of change as tables of revisions name it."""
        return self._table["changes"][kind]

    def first(self, name: str, on: str, editor: Person) -> Edition:
        """Return the first content."""
        if self._other:
            lines: dict[str, Line] = {
                "code": (Text.of(FILE, f"others.{self._other}.line", self._language, code=self._code),)
            }
        else:
            lines = {clause: self._line(clause) for clause in CLAUSES}
        return Edition(name, lines, (self._row(1, on, editor, "first"),))

    def revised(self, name: str, base: Edition, on: str, editor: Person, change: str, label: str = "") -> Edition:
        """Return a content made from another one by one change; `label`: what the table calls it, if not that."""
        lines = dict(base.lines)
        while change in lines and lines[change] == base.lines[change]:
            lines[change] = self._line(change)
        return Edition(name, lines, (*base.revisions, self._row(base.number + 1, on, editor, label or change)))

    def file(self, post: Post, edition: Edition, filename: str, stated: Sequence[Stated] = ()) -> Attachment:
        """Return a file with a content."""
        text = Text.of(
            FILE, "document.page", self._language, title=self._title, lines=LinesSlot(tuple(edition.lines.values())),
            heading=self._table["document"]["heading"], table=LinesSlot(edition.revisions),
        )  # fmt: skip
        return post.file(filename, self._title, text, document=edition.document, stated=tuple(stated))

    def _line(self, clause: str) -> Line:
        value, number = self._term(clause), CLAUSES.index(clause) + 1
        return f"{number}. ", Text.of(FILE, f"document.clauses.{clause}", self._language, value=value)

    def _row(self, number: int, on: str, editor: Person, change: str) -> Line:
        date = DateSlot(on, self._table["form"]["date_style"])
        return (
            Text.of(
                FILE, "document.row", self._language, n=number, date=date, editor=editor.shown_name,
                change=self.change(change),
            ),
        )  # fmt: skip

    def _term(self, clause: str) -> SlotValue:
        draw = self._draw
        match clause:
            case "amount":
                market = self._setting.market
                unit = office_market(market.code).approval.staff // 100
                return Money(draw.int(20, 140) * unit, market.currency)
            case "term":
                return CountSlot(draw.int(9, 60), "month")
            case "start":
                return DateSlot((self._day + timedelta(draw.int(90, 200))).isoformat(), "plain")
            case "notice":
                return CountSlot(draw.int(4, 18) * 5, "day")
            case "payment":
                return CountSlot(draw.int(7, 60), "day")
            case _:
                return str(draw.int(3, 12))


def version_mail(draw: Draw, kind: str, writer: Person, **slots: SlotValue) -> Text:
    """Return what a mail says about a version of a document: announced, adopted, withdrawn, sent again and so on."""
    variant = draw.variant(WORDINGS)
    return Text.fitting(FILE, f"mails.{kind}", writer.language, variant, **particles(writer), **slots)
