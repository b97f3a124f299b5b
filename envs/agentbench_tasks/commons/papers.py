"""The user's own documents. They can be read, never written, altered or deleted."""

from __future__ import annotations

from typing import Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.texts import Stated, Words, body_of, keys_between
from agentbench_tasks.commons.values import ROW, text_page

PAGE_SIZE = 20
TEXT_SIZE = 6_000
Form = Literal["original", "certified_copy", "copy", "photo", "scan", "digital"]
Status = Literal["active", "superseded", "disposed", "previous_home", "other_household"]


class Paper(Record, frozen=True, gc=False, cache_hash=True):
    """A document of the user's household: a passport, a profile, a contract, a note."""

    kind: str
    title: str
    holder_id: str
    holder: str
    """The holder's name as printed."""
    issuer: str = ""
    issued_on: str = ""
    valid_from: str = ""
    valid_to: str = ""
    form: Form = "original"
    language: str = ""
    fields: tuple[tuple[str, str], ...] = ()
    """Name and value of each field as printed."""
    text: Words = ""
    signed: bool = False
    stamped: bool = False
    status: Status = "active"
    supersedes: str = ""
    data_classes: tuple[str, ...] = ()
    """The classes of private data that it holds."""
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}

    def replaces(self, world: World) -> tuple[str, ...]:
        """The papers it supersedes."""
        return (self.supersedes, *world.get(Paper, self.supersedes).replaces(world)) if self.supersedes else ()

    @property
    def contents(self) -> str:
        """Everything that a copy of it would give away."""
        return "\n".join((self.title, self.holder, *(value for _, value in self.fields), body_of(self.text)))


class PaperHead(msgspec.Struct, frozen=True):
    """A paper as a list prints it; whether it still holds is to be read in the paper."""

    paper_id: str
    kind: str
    title: str
    holder: str
    issuer: str
    issued_on: str
    form: str


class PaperHeads(msgspec.Struct, frozen=True):
    """What `papers_list` returns."""

    papers: list[PaperHead]
    total: int
    next_page_token: str


class PapersList(Tool):
    """List the user's own documents: profiles, passports, contracts, invoices, notes."""

    kind: str = Field(default="", description="Kind of document as results print it, e.g. profile; empty for any.")
    holder_id: str = Field(default="", description="Id of the person whose documents are meant; empty for all.")
    query: str = Field(default="", description="Words in title, issuer or kind; empty for all.", max_length=400)
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> PaperHeads:
        words = fold(self.query).split()
        papers = [paper for paper in call.world.all(Paper) if self._admits(paper, words)]
        rows, token = call.page(papers, self.page_token, PAGE_SIZE)
        for paper in rows:
            call.show(paper.id, ROW)
        return PaperHeads([_head(paper) for paper in rows], len(papers), token)

    def _admits(self, paper: Paper, words: list[str]) -> bool:
        if self.kind not in ("", paper.kind) or self.holder_id not in ("", paper.holder_id):
            return False
        words_of_paper = fold(f"{paper.title}\n{paper.issuer}\n{paper.kind}") if words else ""
        return all(word in words_of_paper for word in words)


class PaperField(msgspec.Struct, frozen=True):
    """A field of a paper."""

    name: str
    value: str


class PaperText(msgspec.Struct, frozen=True):
    """What `papers_get` returns."""

    paper: PaperHead
    status: str
    holder_id: str
    valid_from: str
    valid_to: str
    language: str
    signed: bool
    stamped: bool
    supersedes: str
    fields: list[PaperField]
    text: str
    next_page_token: str


class PapersGet(Tool):
    """Read one of the user's documents. The text of a long one comes in several results."""

    paper_id: str = Field(description="Id of the document.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> PaperText:
        paper = call.world.get(Paper, self.paper_id, "paper_id")
        text = body_of(paper.text)
        start, end, token = text_page(text, self.page_token, TEXT_SIZE)
        call.show(paper.id, *(keys_between(paper.text, paper.stated, start, end) or (ROW,)))
        return PaperText(
            _head(paper),
            paper.status,
            paper.holder_id,
            paper.valid_from,
            paper.valid_to,
            paper.language,
            paper.signed,
            paper.stamped,
            paper.supersedes,
            [PaperField(name, value) for name, value in paper.fields],
            text[start:end],
            token,
        )


def _head(paper: Paper) -> PaperHead:
    return PaperHead(paper.id, paper.kind, paper.title, paper.holder, paper.issuer, paper.issued_on, paper.form)
