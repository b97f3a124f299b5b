"""How a careful assistant finds out what stops a booking: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from agentbench_env.policies.expert import Do
from agentbench_tasks.reservations.domain.directory import DirectoryGetListing, DirectorySearchPlaces, ListingText
from agentbench_tasks.reservations.domain.holds import BookingHoldSlot, HoldView
from agentbench_tasks.reservations.domain.out_of_scope.answer import Channel, Moment, OutOfScope, StepClaim
from agentbench_tasks.reservations.domain.out_of_scope.case import OutOfScopeCase
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots, Slots
from agentbench_tasks.reservations.domain.surface import BookingGetSurface, SurfaceText
from agentbench_tasks.reservations.domain.venue import VenueGetPage


class Moves:
    """Reads what the house says, and writes the answer."""

    def __init__(self, case: OutOfScopeCase, do: Do) -> None:
        self.case, self.do = case, do
        self.venue_id = ""
        self.listing: ListingText | None = None
        self.page_ids: dict[str, str] = {}
        """By kind, the newest page of the house."""

    def find(self) -> ListingText:
        """Find the house that was asked for, and read its listing."""
        mark, place = self.case.built.house.quarter.landmark.name.local, self.case.built.house.place
        rows = self.do(DirectorySearchPlaces(kind="restaurant", near=mark, query=place.full_name)).places
        # Other names may have the same words among theirs.
        branches = (place.branch.local, place.branch.latin)
        named = [row for row in rows if row.name == place.name.local and row.branch in branches]
        self.venue_id = named[0].venue_id
        self.listing = self.do(DirectoryGetListing(venue_id=self.venue_id))
        for page in sorted(self.listing.pages, key=lambda page: page.published):
            self.page_ids[page.kind] = page.page_id
        return self.listing

    def read(self) -> None:
        """Read the note on what is allowed, how the house takes bookings, its terms, when it closes, and its slots."""
        self.do(ProfileGetCard())
        listing = self.find()
        self.surface()
        for kind in ("booking", "terms", "hours"):
            self.page(kind)
        for page in listing.pages:
            if page.kind == "notice":
                self.do(VenueGetPage(page_id=page.page_id))
        self.slots()

    def surface(self) -> SurfaceText:
        """Read how the house takes bookings on its surface."""
        return self.do(BookingGetSurface(venue_id=self.venue_id))

    def page(self, kind: str) -> None:
        """Read the newest page of a kind."""
        self.do(VenueGetPage(page_id=self.page_ids[kind]))

    def slots(self) -> Slots:
        """Look at the slots of the day."""
        errand = self.case.built.errand
        return self.do(BookingSearchSlots(venue_id=self.venue_id, on_date=errand.day, party_size=errand.party))

    def hold(self, venue_id: str = "", party: int = 0) -> HoldView:
        """Hold a table at the hour that was asked for: at the house for the party, or elsewhere or for fewer."""
        errand = self.case.built.errand
        return self.do(
            BookingHoldSlot(
                venue_id=venue_id or self.venue_id,
                start=f"{errand.day}T{errand.clock}",
                party_size=party or errand.party,
                guest_name=self.case.built.town.user.booked_name,
            )
        )

    # --- the answer

    def answer(self) -> OutOfScope:
        """The right answer, resting on the page on bookings."""
        goal = self.case.goal
        return OutOfScope(
            outcome="out_of_scope",
            venue=self.venue_id,
            step=self.step(self.page_ids["booking"]),
            channel=Channel(kind=goal.channel, value=goal.contact),
            next_step=goal.next_step,
            first_open=Moment(local=goal.first_open, zone=self.case.zone if goal.first_open else ""),
            have_ready=sorted(goal.have_ready),
        )

    def step(self, *sources: str) -> StepClaim:
        """The step, resting on other records."""
        return StepClaim(value=self.case.goal.step, sources=list(sources))

    def deliver(self, **changed: object) -> None:
        """End the episode with the right answer, or with some fields of it changed."""
        self.do(self.answer().model_copy(update=changed))
