"""Publishing: pages in the wordings of the texts, dated and versioned, with the facts that their sections state."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TypeAlias

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import SlotValue, Stated, Text

Content: TypeAlias = "tuple[str, dict[str, SlotValue], tuple[Stated, ...]]"
"""A section: its text kind, its slots, and the facts that it states."""


class Press:
    """Publishes pages into `records`.

    Args:
        draw: the stream for wordings, dates and versions; ids come from a stream of its own.
        today: the in-world date, which no page is newer than.
        file: the text file that the kinds stand in.
    """

    def __init__(self, draw: Draw, today: date, file: str = "travel") -> None:
        self._draw, self._ids, self._variants = draw, draw.stream("ids"), draw.pool((0, 1, 2, 3))
        self.today, self._file = today, file
        self.records: list[Record] = []

    @property
    def ids(self) -> Draw:
        """The stream from which the ids of everything written come."""
        return self._ids

    def _version(self, year: int, number: int, supersedes: str) -> str:
        """The number of an edition: a higher one than that of the page it replaces."""
        for old in self.records:
            if isinstance(old, Page) and old.id == supersedes and old.version.startswith(f"{year}."):
                return f"{year}.{int(old.version.split('.')[1]) + number}"
        return f"{year}.{number}"

    def page(
        self,
        publisher: str,
        publisher_name: str,
        publisher_kind: str,
        kind: str,
        language: str,
        sections: list[Content],
        official: bool = False,
        effective_from: str = "",
        effective_to: str = "",
        supersedes: str = "",
    ) -> str:
        """Publish a page; return its id. One with a day from which it is in force was published shortly before it."""
        draw, variant = self._draw, self._draw.choice(self._variants)
        texts = [
            Text(self._file, f"pages.{name}", language, variant, tuple(slots.items())) for name, slots, _ in sections
        ]
        published = self.today - timedelta(draw.int(20, 700))
        updated = min(self.today, published + timedelta(draw.int(0, 300)))
        if effective_from:
            updated = published = min(self.today, date.fromisoformat(effective_from)) - timedelta(draw.int(2, 19))
        page = Page(
            self._ids.id("pg"),
            publisher,
            publisher_name,
            publisher_kind,  # type: ignore[arg-type]
            kind,
            "",
            language,
            texts[0],
            self._version(published.year, draw.int(1, 9), supersedes),
            published.isoformat(),
            updated.isoformat(),
            effective_from or published.isoformat(),
            effective_to,
            supersedes,
            official=official,
        )
        self.records.append(page)
        for number, (text, (_, _, stated)) in enumerate(zip(texts, sections, strict=True), 1):
            self.records.append(Section(self._ids.id("sec"), page.id, number, text, stated))
        return page.id


def language_at(country: str) -> str:
    """Return the language in which the authorities of a country publish."""
    languages: dict[str, str] = shared_table("airports")["languages"]
    return languages.get(country, "en")
