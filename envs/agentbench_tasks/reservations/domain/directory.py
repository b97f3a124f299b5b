"""The discovery site: places near a mark, their listings and reviews, and requests to several firms at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.pages import Page
from agentbench_tasks.commons.texts import body_of, title_of
from agentbench_tasks.commons.values import ROW, Prose, fitting, read_date
from agentbench_tasks.reservations.domain.places import (
    Listing,
    Mark,
    Place,
    Review,
    listing_of,
    mark_named,
    metres_between,
)
from agentbench_tasks.reservations.domain.providers import reach_venue
from agentbench_tasks.reservations.domain.surface import Surface

PAGE_SIZE = 10
REVIEWS_PER_PAGE = 5
SHORTEST_REQUEST = 20


class PlaceRow(msgspec.Struct, frozen=True):
    """A place as a search lists it; everything from `price_symbol` on is the site's own word."""

    venue_id: str
    name: str
    latin_name: str
    branch: str
    district: str
    metres: int
    price_symbol: str
    site_tags: tuple[str, ...]
    tables_tonight: str


class PlaceRows(msgspec.Struct, frozen=True):
    """What `directory_search_places` returns."""

    places: list[PlaceRow]
    total: int
    next_page_token: str


class DirectorySearchPlaces(Tool):
    """Search the discovery site for places near a landmark or in a district. Tags and hints are the site's own."""

    latency_s: ClassVar[float] = 0.7
    fee_usd: ClassVar[float] = 0.002

    kind: Literal["restaurant", "home_service"] = Field(
        description="restaurant: places to eat; home_service: firms that come to the home."
    )
    near: str = Field(description="Name or id of a landmark, station or district.")
    radius_m: int = Field(
        default=0, description="Metres as the crow flies; 0: all of a district, or no limit around a landmark.", ge=0
    )
    cuisine: str = Field(default="", description="Cuisine as listings print it; empty for any.")
    trade: str = Field(default="", description="Trade of a firm as listings print it; empty for any.")
    query: str = Field(default="", description="Words in name or branch; empty for all.", max_length=200)
    tag: str = Field(default="", description="A tag of the site; empty for any.")
    sort: Literal["distance", "popularity", "price"] = Field(
        default="distance", description="distance: nearest first; popularity: best known first; price: cheapest first."
    )
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> PlaceRows:
        world = call.world
        mark = mark_named(world, self.near)
        if mark is None:
            raise ToolError("unknown_place", field="near", hint="a landmark, station or district of the city")
        found = [(place, listing_of(world, place.id)) for place in world.where(Place, "kind", self.kind)]
        found = [(place, listing) for place, listing in found if self._admits(place, listing, mark)]
        found.sort(key=lambda pair: self._rank(*pair, mark))
        rows, token = call.page(found, self.page_token, PAGE_SIZE)
        for place, _ in rows:
            call.show(place.id, ROW)
        return PlaceRows([_row(place, listing, mark, world) for place, listing in rows], len(found), token)

    def _admits(self, place: Place, listing: Listing, mark: Mark) -> bool:
        if mark.kind == "district" and not self.radius_m:
            near = place.district == mark.id or mark.id in place.covers
        else:
            near = not self.radius_m or metres_between(place.point, mark.point) <= self.radius_m
        names = fold(" ".join((place.name.local, place.name.latin, place.branch.local, place.branch.latin)))
        return (
            near
            and (not self.cuisine or fold(self.cuisine) == fold(place.cuisine))
            and (not self.trade or fold(self.trade) in map(fold, place.trades))
            and (not self.tag or fold(self.tag) in map(fold, listing.from_site.tags))
            and all(word in names for word in fold(self.query).split())
        )

    def _rank(self, place: Place, listing: Listing, mark: Mark) -> tuple[int, int, str]:
        metres, site = metres_between(place.point, mark.point), listing.from_site
        first = {"distance": 0, "popularity": -site.popularity, "price": len(site.price_symbol)}[self.sort]
        return first, metres, place.id


def _row(place: Place, listing: Listing, mark: Mark, world: World) -> PlaceRow:
    site = listing.from_site
    return PlaceRow(
        place.id,
        place.name.local,
        place.name.latin,
        place.branch.written(world.language),
        district_name(world, place),
        metres_between(place.point, mark.point),
        site.price_symbol,
        site.tags,
        site.tables_tonight,
    )


def district_name(world: World, place: Place) -> str:
    """The name of a place's district."""
    return world.get(Mark, place.district).name.written(world.language)


class ListedField(msgspec.Struct, frozen=True):
    """A field that the venue filled in."""

    name: str
    value: str


class FromVenue(msgspec.Struct, frozen=True):
    """What the venue itself supplied."""

    text: str
    fields: list[ListedField]
    updated: str


class FromSite(msgspec.Struct, frozen=True):
    """What the site says by itself."""

    tags: tuple[str, ...]
    tables_tonight: str
    usually_open_till: str
    popularity: int
    price_symbol: str


class PageLine(msgspec.Struct, frozen=True):
    """A page of the venue as its listing links it."""

    page_id: str
    kind: str
    title: str
    published: str
    updated: str


class Branch(msgspec.Struct, frozen=True):
    """Another outlet of the same brand."""

    venue_id: str
    branch: str
    district: str


class ListingText(msgspec.Struct, frozen=True):
    """What `directory_get_listing` returns."""

    listing_id: str
    venue_id: str
    name: str
    latin_name: str
    branch: str
    district: str
    cuisine: str
    trades: tuple[str, ...]
    working_languages: tuple[str, ...]
    renovated_on: str
    phone: str
    from_venue: FromVenue
    from_site: FromSite
    pages: list[PageLine]
    surface_id: str
    landmark_id: str
    other_branches: list[Branch]


class DirectoryGetListing(Tool):
    """Read a place's listing: what the venue supplied, what the site says, its pages and its other branches."""

    latency_s: ClassVar[float] = 0.4

    venue_id: str = Field(description="Id of the place.")

    def run(self, call: Call) -> ListingText:
        world = call.world
        place = world.get(Place, self.venue_id, "venue_id")
        listing = listing_of(world, place.id)
        call.show(listing.id)
        call.show(place.id)
        pages = world.where(Page, "publisher", place.id)
        for page in pages:
            call.show(page.id, ROW)
        surface = next(iter(world.where(Surface, "venue_id", place.id)), None)
        own, site = listing.from_venue, listing.from_site
        group = world.where(Place, "group_id", place.group_id) if place.group_id else []
        return ListingText(
            listing.id,
            place.id,
            place.name.local,
            place.name.latin,
            place.branch.written(world.language),
            district_name(world, place),
            place.cuisine,
            place.trades,
            place.working_languages,
            place.renovated_on,
            place.phone,
            FromVenue(body_of(own.text), [ListedField(*pair) for pair in own.fields], own.updated),
            FromSite(site.tags, site.tables_tonight, site.open_till, site.popularity, site.price_symbol),
            [PageLine(page.id, page.kind, title_of(page.title), page.published, page.updated) for page in pages],
            surface.id if surface else "",
            place.landmark_id,
            [
                Branch(o.id, o.branch.written(world.language), district_name(world, o))
                for o in group
                if o.id != place.id
            ],
        )


class ReviewRow(msgspec.Struct, frozen=True):
    """A review as it is printed."""

    review_id: str
    nickname: str
    visited_on: str
    posted_on: str
    party_size: int
    stars: int
    language: str
    text: str


class ReviewRows(msgspec.Struct, frozen=True):
    """What `directory_list_reviews` returns."""

    reviews: list[ReviewRow]
    total: int
    next_page_token: str


_ORDERS: dict[str, Callable[[Review], tuple[int, str]]] = {
    "newest": lambda review: (-int(review.posted_on.replace("-", "")), review.id),
    "popular": lambda review: (-review.helpful, review.id),
}


class DirectoryListReviews(Tool):
    """List the reviews of a place. Each speaks of one visit."""

    fee_usd: ClassVar[float] = 0.001

    venue_id: str = Field(description="Id of the place.")
    sort: Literal["newest", "popular"] = Field(
        default="popular", description="newest: latest posted first; popular: those most found helpful first."
    )
    from_date: str = Field(default="", description="Posted on this day or later, YYYY-MM-DD; empty for all.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> ReviewRows:
        world = call.world
        place = world.get(Place, self.venue_id, "venue_id")
        if self.from_date:
            read_date(self.from_date, "from_date")
        # Background houses are the same all year round: their later reviews are not yet written.
        today = to_local(world.now, place.zone)[:10]
        found = [row for row in world.where(Review, "venue_id", place.id) if self.from_date <= row.posted_on <= today]
        found.sort(key=_ORDERS[self.sort])
        rows, token = fitting(found, self.page_token, _review_row, REVIEWS_PER_PAGE)
        for row in rows:
            call.show(row.review_id)
        return ReviewRows(rows, len(found), token)


def _review_row(review: Review) -> ReviewRow:
    return ReviewRow(
        review.id,
        review.nickname,
        review.visited_on,
        review.posted_on,
        review.party_size,
        review.stars,
        review.language,
        body_of(review.text),
    )


class OpenRequest(Record, frozen=True, gc=False):
    """A request that went to several firms."""

    trade: str
    district: str
    text: str
    firm_ids: tuple[str, ...]


class Posted(msgspec.Struct, frozen=True):
    """What `directory_post_request` returns."""

    request_id: str
    sent_to: tuple[str, ...]


class DirectoryPostRequest(Tool):
    """Post a request; its text is sent at once to firms of the trade that serve the district."""

    effect: ClassVar[Effect] = "send"
    latency_s: ClassVar[float] = 1.5
    fee_usd: ClassVar[float] = 0.01

    trade: str = Field(description="Trade as listings print it.")
    district: str = Field(description="Name or id of the district.")
    text: Prose = Field(description="What is asked for, in full sentences.", max_length=4_000)
    max_providers: int = Field(description="To how many firms it goes at most, 1 to 5.", ge=1, le=5)

    def run(self, call: Call) -> Posted:
        world = call.world
        mark = mark_named(world, self.district)
        if mark is None or mark.kind != "district":
            raise ToolError("unknown_place", field="district", hint="a district of the city")
        if len(self.text.strip()) < SHORTEST_REQUEST:
            raise ToolError("text_too_short", field="text", hint=f"at least {SHORTEST_REQUEST} characters")
        firms = [
            (-listing_of(world, firm.id).from_site.popularity, firm.id)
            for firm in world.where(Place, "kind", "home_service")
            if fold(self.trade) in map(fold, firm.trades) and mark.id in (firm.district, *firm.covers)
        ]
        sent_to = tuple(id for _, id in sorted(firms)[: self.max_providers])
        request = world.put(OpenRequest(world.new_id("oreq"), self.trade, mark.id, self.text, sent_to))
        for firm_id in sent_to:
            reach_venue(call, "open_request", firm_id, request.id, content=self.text)
        call.show(request.id)
        return Posted(request.id, sent_to)
