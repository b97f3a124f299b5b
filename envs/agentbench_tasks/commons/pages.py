"""Everything published: pages of authorities, providers, media and forums, found by words and read by section."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.text.template import Span
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.texts import Stated, Text, Words, render, span_of, title_of
from agentbench_tasks.commons.values import ROW, Language, fitting

PublisherKind = Literal[
    "authority",
    "office",
    "gazette",
    "mission",
    "portal_help",
    "provider",
    "channel",
    "issuer",
    "employer",
    "news",
    "commercial",
    "forum",
]
PAGE_SIZE = 10
EXCERPT = 140
# Scripts that put no space between words, and Hangul, whose compounds are written with and without.
_COMPOUND = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")


class Page(Record, frozen=True, gc=False, cache_hash=True):
    """The head of a published page; its text stands in its sections."""

    publisher: str
    publisher_name: str
    publisher_kind: PublisherKind
    kind: str
    topic: str
    language: str
    title: Words
    version: str = ""
    published: str = ""
    updated: str = ""
    effective_from: str = ""
    effective_to: str = ""
    supersedes: str = ""
    twin_of: str = ""
    """The page of which this one is the version in another language."""
    mark: str = ""
    """What the site itself marks the page as: replaced or draft."""
    dating: Literal["fields", "text"] = "fields"
    """Whether the dates of validity and the page it supersedes are printed as fields or in the text alone."""
    official: bool = False
    gone: bool = False
    """Whether the publisher has taken it down, although searches still find it."""

    def facts(self, world: World) -> dict[str, object]:
        """What its sections state."""
        return {fact.key: fact.value for section in sections_of(world, self.id) for fact in section.stated}

    def replaces(self, world: World) -> tuple[str, ...]:
        """The pages it supersedes, with their sections."""
        if not self.supersedes:
            return ()
        older = world.get(Page, self.supersedes)
        return (older.id, *(section.id for section in sections_of(world, older.id)), *older.replaces(world))


class Section(Record, frozen=True, gc=False, cache_hash=True):
    """A section of a page, with the facts that it states in its own words."""

    page_id: str
    no: int
    text: Text
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}

    def replaces(self, world: World) -> tuple[str, ...]:
        """What its page replaces."""
        return world.get(Page, self.page_id).replaces(world)


def sections_of(world: World, page_id: str) -> list[Section]:
    """Return the sections of a page in their order."""
    return world.where(Section, "page_id", page_id)


def body(section: Section) -> str:
    """The text of a section, as `pages_get` prints it."""
    return render(section.text).body


def fact_span(section: Section, key: str) -> Span:
    """Return where the text of a section states a fact; raise KeyError if it does not."""
    for fact in section.stated:
        if fact.key == key:
            return span_of(section.text, fact)
    raise KeyError(f"section {section.id} states no {key!r}")


class PageHead(msgspec.Struct, frozen=True):
    """What is printed of a page besides its sections."""

    page_id: str
    title: str
    publisher: str
    publisher_name: str
    publisher_kind: str
    kind: str
    language: str
    published: str
    updated: str
    version: str
    effective_from: str
    effective_to: str
    mark: str


class PageHit(PageHead, frozen=True):
    """A page as a search lists it; the excerpt carries no fact."""

    excerpt: str


class PageHits(msgspec.Struct, frozen=True):
    """What `pages_search` returns."""

    pages: list[PageHit]
    total: int
    next_page_token: str


class PagesSearch(Tool):
    """Search everything published: notices, terms, tariffs, help pages, news, forums. Older versions are found too.

    Without words it lists the pages of one publisher.
    """

    fee_usd: ClassVar[float] = 0.001

    query: str = Field(description="Words to look for; may be empty when a publisher is given.", max_length=400)
    publisher: str = Field(default="", description="Id of the organisation that published the page; empty for any.")
    publisher_kind: Literal["any", PublisherKind] = Field(
        default="any",
        description="authority, office, gazette, mission: public bodies; portal_help: help of a public portal; "
        "provider: a supplier about its own terms; channel: an intermediary; issuer: of cards; employer; news; "
        "commercial: blogs and shops; forum: posts; any: all of them.",
    )
    kind: str = Field(default="", description="Kind of page as results print it, e.g. fee_schedule; empty for any.")
    language: Language = Field(
        default="any",
        description="Language of the page: ko Korean, ja Japanese, zh-Hant Traditional Chinese, th Thai, ar Arabic, "
        "en English; any for all.",
    )
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> PageHits:
        world = call.world
        words = list(dict.fromkeys(fold(self.query).split()))
        if not words and not self.publisher:
            hint = "words to look for, or none together with a publisher"
            raise ToolError("invalid_argument", field="query", hint=hint)
        pages = world.where(Page, "publisher", self.publisher) if self.publisher else world.all(Page)
        if not pages and self.publisher and world.find(self.publisher) is None:
            raise ToolError("unknown_publisher", field="publisher", hint="the publisher of an earlier result")
        scored = [(_score(words, page, world), page) for page in pages if self._admits(page)]
        ranked = sorted((-score, page.id, page) for score, page in scored if score or not words)
        rows, token = call.page([page for _, _, page in ranked], self.page_token, PAGE_SIZE)
        for page in rows:
            call.show(page.id, ROW)
        return PageHits([_hit(page, world) for page in rows], len(ranked), token)

    def _admits(self, page: Page) -> bool:
        return (
            self.publisher_kind in ("any", page.publisher_kind)
            and self.kind in ("", page.kind)
            and self.language in ("any", page.language)
        )


def _score(words: list[str], page: Page, world: World) -> int:
    """Sum over the words: 3 for standing in the title, 2 in a heading, 1 in the text or the publisher's name, in
    hundredths.
    """
    parts = _searchable(page, tuple(sections_of(world, page.id)))
    score = 0
    for word in words:
        hits = [100 if word in part else 0 for part in parts]
        if not any(hits) and len(word) > 4 and _COMPOUND.search(word):
            hits = [_share(word, part) for part in parts]
        score += 3 * hits[0] + 2 * hits[1] + hits[2]
    return score


def _share(word: str, part: str) -> int:
    """The share of a word's pairs of characters that stand in the text, in hundredths; under half counts as none."""
    pairs = [word[place : place + 2] for place in range(len(word) - 1)]
    share = 100 * sum(pair in part for pair in pairs) // len(pairs)
    return share if share >= 50 else 0


@lru_cache(maxsize=8192)
def _searchable(page: Page, sections: tuple[Section, ...]) -> tuple[str, str, str]:
    texts = [render(section.text) for section in sections]
    headings = fold("\n".join(text.heading for text in texts))
    body = "\n".join((page.publisher_name, *(text.body for text in texts)))
    return fold(title_of(page.title)), headings, fold(body)


def _hit(page: Page, world: World) -> PageHit:
    sections = sections_of(world, page.id)
    excerpt = body(sections[0])[:EXCERPT] if sections else ""
    return PageHit(**msgspec.structs.asdict(_head(page)), excerpt=excerpt)


def _head(page: Page) -> PageHead:
    dated = page.dating == "fields"
    return PageHead(
        page.id,
        title_of(page.title),
        page.publisher,
        page.publisher_name,
        page.publisher_kind,
        page.kind,
        page.language,
        page.published,
        page.updated,
        page.version,
        page.effective_from if dated else "",
        page.effective_to if dated else "",
        page.mark,
    )


class SectionRow(msgspec.Struct, frozen=True):
    """A section as a page prints it."""

    section_id: str
    no: int
    heading: str
    text: str


class PageText(msgspec.Struct, frozen=True):
    """What `pages_get` returns."""

    page: PageHead
    supersedes: str
    other_languages: list[str]
    sections: list[SectionRow]
    total: int
    next_page_token: str


class PagesGet(Tool):
    """Read a published page, or one section of it. Long pages come in several results."""

    fee_usd: ClassVar[float] = 0.001

    page_id: str = Field(description="Id of the page.")
    section_id: str = Field(default="", description="Id of one section; empty for the whole page.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> PageText:
        return read_page(call, call.world.get(Page, self.page_id, "page_id"), self.section_id, self.page_token)


def read_page(call: Call, page: Page, section_id: str = "", page_token: str = "") -> PageText:
    """Show a page, or one section of it, as far as it fits into a result."""
    world = call.world
    if page.gone:
        raise ToolError("page_gone", field="page_id")
    sections = sections_of(world, page.id)
    if section_id:
        sections = [section for section in sections if section.id == section_id]
        if not sections:
            raise ToolError("unknown_id", field="section_id", hint="a section_id of this page")
    headings = [render(section.text).heading for section in sections]
    headed = {
        section.id: head
        for section, head, before in zip(sections, headings, ("", *headings), strict=False)
        if head != before
    }

    def row(section: Section) -> SectionRow:
        # Sections in a row under one heading print it once.
        return SectionRow(section.id, section.no, headed.get(section.id, ""), body(section))

    rows, token = fitting(sections, page_token, row, len(sections))
    printed = [world.get(Section, row.section_id) for row in rows]
    keys = [fact.key for section in printed for fact in section.stated]
    call.show(page.id, *(keys or (ROW,)))
    for section in printed:
        call.show(section.id)
    supersedes = page.supersedes if page.dating == "fields" else ""
    return PageText(_head(page), supersedes, _twins(page, world), rows, len(sections), token)


def _twins(page: Page, world: World) -> list[str]:
    first = page.twin_of or page.id
    family = [first, *(twin.id for twin in world.where(Page, "twin_of", first))]
    return [id for id in family if id != page.id]
