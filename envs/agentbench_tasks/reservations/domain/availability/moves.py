"""How a careful assistant looks for a table: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.policies.expert import Do
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.reservations.domain.availability.answer import (
    DatesClaim,
    LastOrderClaim,
    ReasonClaim,
    ServiceMoment,
    TableAnswer,
    VerdictClaim,
)
from agentbench_tasks.reservations.domain.availability.case import TableCase
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectorySearchPlaces,
    ListingText,
    PlaceRow,
)
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots, Slots
from agentbench_tasks.reservations.domain.surface import BookingGetSurface
from agentbench_tasks.reservations.domain.venue import VenueGetPage


class Moves:
    """Finds the venue, reads what it publishes, asks its surface, and writes the answer."""

    def __init__(self, case: TableCase, do: Do) -> None:
        self.case, self.do = case, do
        self.venue_id = ""
        self.hours_id = ""
        """Id of the page of hours in force."""
        self.replaced_id = ""
        """Id of the page of hours that it replaces, "" if there is none."""
        self.notice_ids: list[str] = []
        self.surface_id = ""
        self.slots: Slots | None = None

    def find(self) -> PlaceRow:
        """Find the venue by name and branch near the landmark."""
        place = self.case.built.place
        near = self.case.built.town.quarters[0].landmark.name.local
        found = self.do(DirectorySearchPlaces(kind="restaurant", near=near, query=place.name.local))
        branches = (place.branch.local, place.branch.latin)
        row = next(row for row in found.places if row.name == place.name.local and row.branch in branches)
        self.venue_id = row.venue_id
        return row

    def read(self) -> ListingText:
        """Read the listing, the pages of hours, the notices and the holidays."""
        listing = self.do(DirectoryGetListing(venue_id=self.venue_id))
        pages = [self.do(VenueGetPage(page_id=page.page_id)) for page in listing.pages if page.kind == "hours"]
        replaced = [page.supersedes for page in pages if page.supersedes]
        self.replaced_id = next(iter(replaced), "")
        self.hours_id = next(page.page.page_id for page in pages if page.page.page_id not in replaced)
        self.notice_ids = [page.page_id for page in listing.pages if page.kind == "notice"]
        for page_id in self.notice_ids:
            self.do(VenueGetPage(page_id=page_id))
        asked, country = self.case.asked, self.case.built.place.country
        self.do(HolidaysListDays(country=country, from_date=asked.first, to_date=asked.last))
        return listing

    def ask(self, party: int = 0, from_time: str = "", to_time: str = "") -> Slots:
        """Ask the surface for slots on the day, for the party or another one."""
        asked = self.case.asked
        return self.do(
            BookingSearchSlots(
                venue_id=self.venue_id,
                on_date=asked.day,
                party_size=party or asked.party,
                from_time=from_time,
                to_time=to_time,
            )
        )

    def look(self) -> None:
        """Read the surface and ask it."""
        self.surface_id = self.do(BookingGetSurface(venue_id=self.venue_id)).surface_id
        self.slots = self.ask()

    # --- the answer

    def is_open(self) -> bool:
        """Whether the surface shows the start as open."""
        slots = self.slots.slots if self.slots else []
        return any(slot.service_time == self.case.asked.clock and slot.status == "open" for slot in slots)

    def asked_id(self) -> str:
        """Id of the surface's answer."""
        return self.slots.answer_id if self.slots else ""

    def verdict(self, *sources: str) -> VerdictClaim:
        """Whether there is a table."""
        return VerdictClaim(value=self.is_open(), sources=list(sources) or [self.asked_id()])

    def reason(self, *sources: str) -> ReasonClaim:
        """Why there is none."""
        goal = self.case.goal
        if goal.available:
            return ReasonClaim()
        match goal.reason:
            case "closed_by_notice":
                shown: Sequence[str] = self.notice_ids
            case "outside_booking_window" | "party_not_taken_online":
                shown = [self.surface_id]
            case "full_for_party":
                shown = [self.asked_id()]
            case _:
                shown = [self.hours_id]
        return ReasonClaim(value=goal.reason, sources=list(sources or shown))

    def closed(self, *sources: str) -> DatesClaim:
        """The closed days."""
        return DatesClaim(value=list(self.case.goal.closed), sources=list(sources) or [self.hours_id, *self.notice_ids])

    def last_order(self, *sources: str) -> LastOrderClaim:
        """The last order."""
        right = self.case.goal.last_order
        if right is None:
            return LastOrderClaim()
        value = ServiceMoment(service_date=right.service_date, time=right.time)
        return LastOrderClaim(value=value, sources=list(sources) or [self.hours_id])

    def answer(self) -> TableAnswer:
        """The right answer."""
        return TableAnswer(
            venue=self.venue_id,
            verdict=self.verdict(),
            reason=self.reason(),
            closed_dates=self.closed(),
            last_order=self.last_order(),
        )

    def deliver(self, **changed: object) -> None:
        """End the episode with the right answer, or with some fields of it changed."""
        self.do(self.answer().model_copy(update=changed))


def looked(case: TableCase, do: Do) -> Moves:
    """Find the venue, read, and ask."""
    moves = Moves(case, do)
    moves.find()
    moves.read()
    moves.look()
    return moves
