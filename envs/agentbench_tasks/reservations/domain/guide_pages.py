"""The pages of the public guides, as a town publishes them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.reservations.domain.guides import GuidePage, guide_sections, guide_title

GUIDES: tuple[GuidePage, ...] = ("city", "writing", "labels")
PUBLISHED = "2026-01-15"


def guide_pages(ids: Draw, setting: Setting, publisher: str, today: date) -> Iterator[Record]:
    """Yield the public guides of a city, as they stand on a day."""
    for kind in GUIDES:
        page = Page(
            ids.id("pg"),
            ids.id("org"),
            publisher,
            "channel",
            f"{kind}_guide",
            kind,
            setting.language,
            guide_title(kind, setting.language),
            published=PUBLISHED,
            updated=PUBLISHED,
        )
        yield page
        sections = guide_sections(kind, setting.market.code, setting.language, today)
        for number, (_, text) in enumerate(sections, 1):
            yield Section(ids.id("sec"), page.id, number, text)
