"""What a house shows: its listing, its surface and its pages, made of what it keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from agentbench_env.world import Record
from agentbench_tasks.commons.texts import Text, Words
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.board_page import walk_in_parts, walk_in_title, write_board
from agentbench_tasks.reservations.domain.booking_page import (
    booking_parts,
    booking_title,
    remark_text,
    route_text,
    surface_facts,
    window_text,
)
from agentbench_tasks.reservations.domain.diet_page import diet_parts, diet_title
from agentbench_tasks.reservations.domain.hours_page import home_parts, hours_parts, notice_parts, page_title
from agentbench_tasks.reservations.domain.listing_text import about_text, owner_section
from agentbench_tasks.reservations.domain.market import in_language
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice, menu_parts, menu_title
from agentbench_tasks.reservations.domain.places import Listing
from agentbench_tasks.reservations.domain.publishing import PageKind, Part, Publication, publish
from agentbench_tasks.reservations.domain.rooms_page import rooms_parts, rooms_title
from agentbench_tasks.reservations.domain.surface import Surface
from agentbench_tasks.reservations.domain.terms_page import terms_parts, terms_title

if TYPE_CHECKING:
    from agentbench_tasks.reservations.domain.house import House


_MADE_OF: dict[str, tuple[str, ...]] = {
    "listing": ("site", "owner_parts"),
    "surface": ("routes", "window", "remarks", "operator", "pages"),
    "board": ("board", "on_site"),
    "dinner": ("dinner", "charges"),
    "hours": ("hours", "closures", "seasons", "published"),
    "booking": ("routes", "window", "remarks", "operator", "published"),
    "terms": ("terms", "offers", "published"),
    "menu": ("dinner", "charges", "offers", "published"),
    "rooms": ("rooms", "published"),
    "walk_in": ("board", "on_site", "absence", "published"),
    "diet": ("diets", "certificates", "alike", "foreign", "published"),
    "home": ("published",),
}
"""What each thing that a house shows is made of; a page also of what it replaces."""


def records_of(house: House) -> list[Record]:
    """Return everything that the world keeps of a house."""
    records: list[Record] = [
        house.place,
        *house.hours,
        *house.closures,
        *(notice for notice, _ in house.notices),
        *house.seasons,
        *house.furnishing.records(),
        *house.terms,
        *house.diets,
        *house.certificates,
        *(record for offer in house.offers for record in offer.records),
        *house.reviews,
        *([house.rooms] if "rooms" in house.pages else []),
    ]
    for thing in ("listing", "surface", "board", "dinner", *house.pages):
        records += _shown(house, thing)
    records += _notices(house)
    return records


def _shown(house: House, thing: str) -> tuple[Record, ...]:
    """Return the records of a thing that a house shows: those of the house that it was taken from, if nothing in them
    has changed.
    """
    first = house.first
    if first and thing in first.shown and _is_same(house, first, thing):
        return first.shown[thing]
    made = tuple(_make(house, thing))
    house.shown[thing] = made
    return made


def _is_same(house: House, first: House, thing: str) -> bool:
    kind = cast(PageKind, thing)
    if house.supersedes.get(kind) != first.supersedes.get(kind):
        return False
    for part in _MADE_OF[thing]:
        now, then = getattr(house, part), getattr(first, part)
        # A house that is only taken from has tuples for lists.
        if now is not then and (tuple(now) if type(now) is list else now) != then:
            return False
    return True


def _make(house: House, thing: str) -> Iterable[Record]:
    match thing:
        case "listing":
            return (_listing(house),)
        case "surface":
            return (_surface(house),)
        case "board":
            return (write_board(house.board, house.language, house.variant, _app(house), house.on_site),)
        case "dinner":
            return _dinner(house)
        case _:
            return _page(house, cast(PageKind, thing))


def _app(house: House) -> str:
    return usual.site_name(house.rules.site.engine, house.language)


def _messenger(house: House) -> str:
    return usual.site_name(house.rules.site.messenger, house.language)


def _dinner(house: House) -> list[DinnerPrice]:
    if house.dinner is None:
        return []
    return [DinnerPrice(house.dinner_id, house.place.id, house.page_id("menu"), house.dinner, house.charges)]


# --- listing and surface


def _listing(house: House) -> Listing:
    place, language = house.place, house.language
    cuisine = in_language(house.brand.cuisine.names, language)
    about = about_text(place, cuisine, house.landmark, language, house.variant)
    section, stated = owner_section(about, house.published, house.owner_parts)
    return Listing(house.ids.id("lst"), place.id, section, house.site, stated)


def _surface(house: House) -> Surface:
    language, variant = house.language, house.variant
    routes = tuple(
        msgspec.structs.replace(
            route, text=route_text(route, house.operator, _messenger(house), language, variant, asked)
        )
        for route, asked in house.routes
    )
    return Surface(
        house.ids.id("srf"),
        house.place.id,
        house.operator,
        language,
        routes,
        house.window,
        window_text(house.window, language, variant),
        tuple(_remarks(house)),
        (house.page_id("terms"),) if "terms" in house.pages else (),
        stated=surface_facts(house.place.id, house.routes, house.window),
    )


def _remarks(house: House) -> Iterator[Text]:
    values = {"lost_property": house.place.phone, "news": _messenger(house)}
    for remark in house.remarks:
        yield remark_text(remark, house.language, house.variant, values.get(remark, ""))


# --- pages


def _page(house: House, kind: PageKind) -> tuple[Record, ...]:
    title, parts = _said(house, kind)
    supersedes = house.supersedes.get(kind, "")
    since = house.published if supersedes else ""
    page = Publication(kind, house.language, title, parts, house.published, effective_from=since, supersedes=supersedes)
    return publish(house.ids, house.place, page, house.page_id(kind))


def _notices(house: House) -> Iterator[Record]:
    """The pages of notices, and pages that were replaced."""
    for notice, posted in house.notices:
        parts = notice_parts(notice, house.language, house.variant)
        title = page_title("notice", house.language, house.variant)
        page = Publication("notice", house.language, title, parts, posted)
        yield from publish(house.ids, house.place, page, notice.page_id)
    for page_id, page in house.more_pages:
        yield from publish(house.ids, house.place, page, page_id)


def _said(house: House, kind: PageKind) -> tuple[Words, Sequence[Part]]:
    language, variant, place = house.language, house.variant, house.place
    match kind:
        case "hours":
            season = house.rules.seasons[0].name if house.seasons else ""
            parts = hours_parts(house.opening, language, variant, season)
            return page_title("hours", language, variant), parts
        case "booking":
            parts = booking_parts(
                place.id,
                house.routes,
                house.window,
                tuple(_remarks(house)),
                house.operator,
                _messenger(house),
                language,
                variant,
            )
            return booking_title(language, variant), parts
        case "terms":
            courses = {offer.menu.id: offer.menu.name for offer in house.offers}
            parts = terms_parts(house.terms, place.currency, language, variant, courses, _messenger(house))
            return terms_title(language, variant), parts
        case "menu":
            parts = menu_parts(
                language,
                variant,
                house.rules.bands,
                dinner=next(iter(_dinner(house)), None),
                menus=[offer.menu for offer in house.offers],
                dishes=[dish for offer in house.offers for dish in offer.dishes],
            )
            return menu_title(language, variant), parts
        case "rooms":
            parts = (Part(rooms_title(language, variant)), *rooms_parts(house.rooms, language, variant))
            return rooms_title(language, variant), parts
        case "walk_in":
            board = house.board
            parts = walk_in_parts(board, house.absence, language, variant, _app(house), house.on_site)
            return walk_in_title(language, variant), parts
        case "diet":
            parts = diet_parts(
                place,
                house.diets,
                language,
                variant,
                certificates={row.id: row for row in house.certificates},
                alike=house.alike,
                others=house.foreign,
            )
            return diet_title(language, variant), parts
        case "home":
            parts = home_parts(
                place.id,
                place.called(language),
                place.address,
                house.landmark,
                place.phone,
                language,
                variant,
            )
            return page_title("home", language, variant), parts
        case "notice" | "quote_guide":
            raise ValueError(f"a house has no single page of kind {kind}")
