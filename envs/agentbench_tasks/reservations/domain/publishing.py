"""How a venue or firm publishes: the parts of a page with what each states, and the records of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import Stated, Text, Words
from agentbench_tasks.reservations.domain.places import Place

PageKind = Literal["home", "hours", "booking", "terms", "menu", "diet", "notice", "rooms", "walk_in", "quote_guide"]


class Part(msgspec.Struct, frozen=True, gc=False):
    """A section that is to be published: its text, and the facts that it states in its own words."""

    text: Text
    stated: tuple[Stated, ...] = ()


class Publication(msgspec.Struct, frozen=True, gc=False):
    """A page that is to be published; the dates are ISO, "" where the page prints none."""

    kind: PageKind
    language: str
    title: Words
    parts: Sequence[Part]
    published: str
    effective_from: str = ""
    effective_to: str = ""
    supersedes: str = ""


def publish(ids: Draw, place: Place, page: Publication, page_id: str = "") -> tuple[Record, ...]:
    """Return the records of a page of a place: its head, and its sections in their order.

    Args:
        ids: the stream of which ids are drawn.
        place: who publishes it.
        page: what is published.
        page_id: the id of the page; drawn where it is empty.
    """
    head = Page(
        page_id or ids.id("pg"),
        place.id,
        place.called(page.language),
        "provider",
        page.kind,
        page.kind,
        page.language,
        page.title,
        published=page.published,
        updated=page.published,
        effective_from=page.effective_from,
        effective_to=page.effective_to,
        supersedes=page.supersedes,
    )
    sections = (
        Section(ids.id("sec"), head.id, number, part.text, part.stated) for number, part in enumerate(page.parts, 1)
    )
    return (head, *sections)
