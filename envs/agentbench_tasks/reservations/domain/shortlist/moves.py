"""How a careful assistant makes the shortlist: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentbench_env.policies.expert import Do
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectoryListReviews,
    DirectorySearchPlaces,
    ListingText,
    PlaceRow,
)
from agentbench_tasks.reservations.domain.guides import guide_title
from agentbench_tasks.reservations.domain.shortlist.answer import (
    BandClaim,
    Claims,
    Listed,
    NoiseClaim,
    RoomClaim,
    RoomValue,
    SeatingClaim,
    Shortlist,
)
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase
from agentbench_tasks.reservations.domain.shortlist.evidence import Attribute, Established, Room, Value
from agentbench_tasks.reservations.domain.venue import VenueGetPage

Cite = Callable[[str, Established], list[str]]
"""The sources of what is established of a house."""


class Moves:
    """Reads what is written of the houses in reach, and writes the answer."""

    def __init__(self, case: ShortlistCase, do: Do) -> None:
        self.case, self.do = case, do
        self.listings: dict[str, ListingText] = {}
        self.sections: dict[str, list[str]] = {}
        """By page that was read, the ids of its sections."""

    # --- reading

    def search(self) -> list[PlaceRow]:
        """List every place within the distance."""
        built, rows, token = self.case.built, list[PlaceRow](), ""
        near = built.town.quarters[0].landmark.name.local
        while True:
            found = self.do(
                DirectorySearchPlaces(kind="restaurant", near=near, radius_m=built.metres, page_token=token)
            )
            rows += found.places
            token = found.next_page_token
            if not token:
                return rows

    def guide(self) -> None:
        """Look up the price bands."""
        title = guide_title("labels", self.case.built.town.setting.language)
        page = next(row for row in self.do(PagesSearch(query=title)).pages if row.kind == "labels_guide")
        self.do(PagesGet(page_id=page.page_id))

    def list(self, *venues: str) -> None:
        """Read listings."""
        for venue in venues:
            self.listings[venue] = self.do(DirectoryGetListing(venue_id=venue))

    def page(self, page_id: str) -> None:
        """Read a page, once."""
        if page_id not in self.sections:
            self.sections[page_id] = [row.section_id for row in self.do(VenueGetPage(page_id=page_id)).sections]

    def reviews(self, venue: str, wanted: Sequence[str]) -> None:
        """Read the newest reviews of a house until these have been seen."""
        left, token = {*wanted}, ""
        while left:
            found = self.do(DirectoryListReviews(venue_id=venue, sort="newest", page_token=token))
            left -= {row.review_id for row in found.reviews}
            token = found.next_page_token

    def bear_out(self, venue: str) -> None:
        """Read whatever bears out what is established of a house."""
        found = self.case.goal.evidence[venue].values()
        for page_id in sorted({one.page_id for one in found if one.page_id}):
            self.page(page_id)
        self.reviews(venue, [review for one in found for review in one.review_ids])

    def rule_out(self, venue: str) -> None:
        """Read what shows that a house only seems to qualify: its page on rooms, that of prices, or its reviews."""
        kinds = {page.kind: page.page_id for page in self.listings[venue].pages}
        trap = self.case.built.parts[venue].trap
        if trap == "plus_plus_band" or (trap not in ("stale_only", "pre_refit") and "rooms" in kinds):
            return self.page(kinds["menu" if trap == "plus_plus_band" else "rooms"])
        self.do(DirectoryListReviews(venue_id=venue, sort="newest"))
        return None

    def read(self) -> None:
        """Read the list, all listings, the guide, and what decides."""
        self.list(*(row.venue_id for row in self.search()))
        self.guide()
        for venue in self.case.goal.members:
            self.bear_out(venue)
        for venue, part in self.case.built.parts.items():
            if part.part == "decoy":
                self.rule_out(venue)

    # --- the answer

    def cited(self, venue: str, found: Established) -> list[str]:
        """One record for each fact that is needed."""
        if found.review_ids:
            return list(found.review_ids)
        return [found.page_id or self.listings[venue].listing_id]

    def listed(self, venue: str, cite: Cite | None = None, leave_out: Sequence[Attribute] = ()) -> Listed:
        """A place with all that is established of it."""
        claims = Claims()
        for attribute, found in self.case.goal.evidence[venue].items():
            if attribute not in leave_out:
                claims = claiming(claims, attribute, found.value, (cite or self.cited)(venue, found))
        return Listed(venue=venue, claims=claims)

    def shortlist(self) -> list[Listed]:
        """The right shortlist."""
        return [self.listed(venue) for venue in self.case.goal.members]

    def deliver(self, shortlist: Sequence[Listed] | None = None) -> None:
        """End the episode with the right shortlist, or with another one."""
        self.do(Shortlist(shortlist=self.shortlist() if shortlist is None else list(shortlist)))

    def deliver_with(self, venue: str, attribute: Attribute, value: Value, sources: Sequence[str]) -> None:
        """End the episode with the right shortlist but for one claim."""
        listed = [
            one
            if one.venue != venue
            else one.model_copy(update={"claims": claiming(one.claims, attribute, value, sources)})
            for one in self.shortlist()
        ]
        self.deliver(listed)


def claiming(claims: Claims, attribute: Attribute, value: Value, sources: Sequence[str]) -> Claims:
    """Put a claim among others, in place of what was claimed of the attribute."""
    cited = list(sources)
    match attribute:
        case "price_band":
            claim = BandClaim.model_validate({"value": value, "sources": cited})
        case "noise":
            claim = NoiseClaim.model_validate({"value": value, "sources": cited})
        case "seating":
            claim = SeatingClaim.model_validate({"value": list(value), "sources": cited})
        case "private_room":
            room = value if isinstance(value, Room) else Room("none")
            claim = RoomClaim(value=RoomValue(kind=room.kind, capacity=room.capacity), sources=cited)
    return claims.model_copy(update={attribute: claim})
