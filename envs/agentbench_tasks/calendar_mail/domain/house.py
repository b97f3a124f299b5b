"""The pages of the company's intranet: house rules that print what an instance has drawn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.world import Record
from agentbench_tasks.commons.contacts import Week
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import LinesSlot, SlotValue, Stated, Text

FILE = "office"
GUIDE = ("language", "address", "register", "closing", "dates", "binding", "several")
FORMAL = ("formal_ko", "formal_ja", "formal_zh", "formal_th", "formal_ar", "formal_en")
DECOYS = ("canteen", "parking", "travel_desk")


class HousePage(msgspec.Struct, frozen=True, gc=False):
    """A page of the house with its sections by name."""

    page: Page
    sections: tuple[tuple[str, Section], ...]

    @property
    def id(self) -> str:
        """The id of the page."""
        return self.page.id

    def section(self, name: str) -> Section:
        """Return the section of this name."""
        return dict(self.sections)[name]

    @property
    def records(self) -> tuple[Record, ...]:
        """The page and its sections."""
        return (self.page, *(section for _, section in self.sections))


class Part(msgspec.Struct, frozen=True, gc=False):
    """A section to be printed: its name, its slots, and the facts that it states."""

    name: str
    slots: tuple[tuple[str, SlotValue], ...] = ()
    stated: tuple[Stated, ...] = ()

    @classmethod
    def of(cls, name: str, stated: Iterable[Stated] = (), **slots: SlotValue) -> Part:
        """Make a part with the slots as keywords."""
        return cls(name, tuple(slots.items()), tuple(stated))


class House:
    """Publishes pages.

    Args:
        draw: the stream for ids and dates.
        publisher: the id of the company.
        name: the name of the company.
        language: the language of the pages.
        today: the in-world date; every page is older.
    """

    def __init__(self, draw: Draw, publisher: str, name: str, language: str, today: date) -> None:
        self._draw, self._publisher, self._name = draw, publisher, name
        self._language, self._today = language, today

    def page(self, name: str, kind: str, parts: Sequence[Part], *, topic: str = "") -> HousePage:
        """Publish a page; `kind` is the kind of page as commons names it."""
        published = self._today - timedelta(self._draw.int(40, 600))
        page = Page(
            self._draw.id("pg"),
            self._publisher,
            self._name,
            "employer",
            kind,
            topic or name,
            self._language,
            shared_table(f"text/{self._language}/{FILE}")["pages"][name]["title"],
            version=f"{published.year}.{self._draw.int(1, 9)}",
            published=published.isoformat(),
            updated=published.isoformat(),
            effective_from=published.isoformat(),
            official=True,
        )
        sections = [
            (
                part.name,
                Section(
                    self._draw.id("sec"),
                    page.id,
                    number,
                    Text(FILE, f"pages.{name}.{part.name}", self._language, 0, part.slots),
                    part.stated,
                ),
            )
            for number, part in enumerate(parts, 1)
        ]
        return HousePage(page, tuple(sections))

    def guide(self) -> HousePage:
        """Publish the correspondence guide."""
        return self.page("guide", "correspondence_guide", _GUIDE_PARTS)

    def decoys(self) -> list[HousePage]:
        """Publish the pages that no task needs."""
        return [self.page(name, "notice", plain_parts(name, self._language)) for name in DECOYS]


_GUIDE_PARTS = tuple(Part(name) for name in (*GUIDE[:3], *FORMAL, *GUIDE[3:]))


@cache
def plain_parts(name: str, language: str) -> tuple[Part, ...]:
    """Return the sections of a page that prints nothing drawn."""
    page = shared_table(f"text/{language}/{FILE}")["pages"][name]
    return tuple(Part(part) for part, text in page.items() if isinstance(text, Mapping))


@cache
def week_lines(week: Week, language: str) -> LinesSlot:
    """Return a week as lines: weekday, and its spans."""
    monday = date(2026, 1, 5)
    rows: list[tuple[SlotValue, ...]] = []
    for day in week:
        name = writing.weekday(monday + timedelta(day.weekday - 1), language)
        spans = ", ".join(f"{start}–{end}" for start, end in day.spans)
        rows.append((f"{name} {spans}",))
    return LinesSlot(tuple(rows))
