"""How a careful assistant goes about a check of terms: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from agentbench_env.claims import MoneyValue, QuoteText
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, EpisodeOver
from agentbench_env.tool import Tool
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_local
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.pages import PagesGet, PagesSearch, PageText, Section, body, fact_span, sections_of
from agentbench_tasks.commons.service_time import add_days
from agentbench_tasks.reservations.domain.deposits.answer import (
    AmountClaim,
    DepositClaim,
    DepositValue,
    LocalTime,
    PolicyCheck,
    Quotes,
    TimeClaim,
)
from agentbench_tasks.reservations.domain.deposits.case import DepositCase
from agentbench_tasks.reservations.domain.deposits.goal import Goal
from agentbench_tasks.reservations.domain.directory import DirectoryGetListing, DirectorySearchPlaces, ListingText
from agentbench_tasks.reservations.domain.guides import GuidePage, guide_title
from agentbench_tasks.reservations.domain.holds import BookingHoldSlot, HoldView
from agentbench_tasks.reservations.domain.surface import BookingGetSurface
from agentbench_tasks.reservations.domain.terms import Terms
from agentbench_tasks.reservations.domain.terms_facts import cutoff_key, deposit_key, no_show_key, terms_scope
from agentbench_tasks.reservations.domain.venue import VenueGetPage

GUIDE: GuidePage = "city"
"""The public guide that tells of deposits."""
_COUNTED_BACK = 20
"""Days before the booking of which the list of holidays is read where days of opening count."""


class Moves:
    """Finds the venue, reads its terms and what they rest on, and writes the answer."""

    def __init__(self, case: DepositCase, do: Do) -> None:
        self.case, self.do, self.built = case, do, case.built
        self.sources: list[str] = []
        """What is cited: the page of terms and, where there is a set menu, that of the menus."""

    # --- reading

    def find(self) -> ListingText:
        """Look the venue up near the landmark and read its listing and its surface."""
        place, landmark = self.built.place, self.built.town.quarters[0].landmark
        rows = self.do(
            DirectorySearchPlaces(kind="restaurant", near=landmark.name.local, query=place.name.local)
        ).places
        branches = (place.branch.local, place.branch.latin)
        row = next(row for row in rows if row.name == place.name.local and row.branch in branches)
        listing = self.do(DirectoryGetListing(venue_id=row.venue_id))
        self.do(BookingGetSurface(venue_id=row.venue_id))
        return listing

    def read(self) -> ListingText:
        """Read the latest terms, the menus and rooms where they matter, and the hours where days of opening count."""
        listing = self.find()
        terms = self.do(VenueGetPage(page_id=self.latest(listing)))
        self.sources = [terms.page.page_id]
        if self.built.plot.with_course:
            self.sources.append(self.open(listing, "menu").page.page_id)
        if self.built.plot.with_room:
            self.open(listing, "rooms")
        if any(tier.until.kind == "business_days_before_at" for tier in self.built.rules.tiers):
            for page in listing.pages:
                if page.kind in ("hours", "notice"):
                    self.do(VenueGetPage(page_id=page.page_id))
            first = add_days(self.built.day, -_COUNTED_BACK)
            self.do(HolidaysListDays(country=self.built.place.country, from_date=first, to_date=self.built.day))
        return listing

    def latest(self, listing: ListingText) -> str:
        """The page of terms that was published last."""
        pages = [page for page in listing.pages if page.kind == "terms"]
        return max(pages, key=lambda page: page.published).page_id

    def open(self, listing: ListingText, kind: str) -> PageText:
        """Read a page of the venue."""
        return self.do(VenueGetPage(page_id=next(page.page_id for page in listing.pages if page.kind == kind)))

    def read_guide(self) -> str:
        """Read the public guide that tells of deposits; return its id."""
        title = guide_title(GUIDE, self.built.town.setting.language)
        page = self.do(PagesSearch(query=title, kind=f"{GUIDE}_guide")).pages[0]
        return self.do(PagesGet(page_id=page.page_id)).page.page_id

    def read_other_terms(self, listing: ListingText) -> str:
        """Read terms that do not govern: those that were replaced or else those of the other branch."""
        own = self.latest(listing)
        older = [page.page_id for page in listing.pages if page.kind == "terms" and page.page_id != own]
        if older:
            return self.do(VenueGetPage(page_id=older[-1])).page.page_id
        other = self.do(DirectoryGetListing(venue_id=listing.other_branches[0].venue_id))
        return self.do(VenueGetPage(page_id=self.latest(other))).page.page_id

    # --- acting

    def hold(self) -> HoldView:
        """Hold the table that is asked about."""
        built = self.built
        return self.do(
            BookingHoldSlot(
                venue_id=built.place.id,
                start=f"{built.day}T{built.clock}",
                party_size=built.plot.party_size,
                guest_name=built.town.user.booked_name,
                seating="room" if built.plot.with_room else "table",
                course_id=built.occasion.course.id if built.occasion.course else "",
            )
        )

    def card(self) -> str:
        """A card of the user's that can be charged."""
        cards = self.built.town.user.cards
        return next(card.id for card in cards if card.status == "active" and card.kind == "credit")

    def ask_leave(self, call: Tool) -> None:
        """Ask the user to approve a call, whatever the answer."""
        arguments = json.dumps(call.model_dump(mode="json"))
        self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary="May I?"))

    # --- the answer

    def money(self, amount: Money) -> MoneyValue:
        """An amount as the answer has it."""
        wire = amount.wire()
        return MoneyValue(amount=wire.amount, currency=wire.currency)

    def deposit(self, goal: Goal, *sources: str) -> DepositClaim:
        """The deposit, resting on the usual records if none are named."""
        value = DepositValue(kind=goal.kind, basis=goal.basis, total=self.money(goal.deposit))
        return DepositClaim(value=value, sources=list(sources or self.sources))

    def amount(self, amount: Money, *sources: str) -> AmountClaim:
        """An amount, resting on the usual records if none are named."""
        return AmountClaim(value=self.money(amount), sources=list(sources or self.sources))

    def until(self, instant: int | None, *sources: str) -> TimeClaim:
        """A moment, resting on the page of terms if nothing else is named."""
        if instant is None:
            return TimeClaim()
        zone = self.built.occasion.zone
        value = LocalTime(local=to_local(instant, zone), zone=zone)
        return TimeClaim(value=value, sources=list(sources or self.sources[:1]))

    def quotes(self, block: Section, terms: Terms) -> Quotes:
        """What a block says, word for word."""
        scope = terms_scope(terms)
        deposit, cutoff, no_show = (
            self.quote(block, key(terms.venue_id, scope)) for key in (deposit_key, cutoff_key, no_show_key)
        )
        return Quotes(deposit=deposit, cutoff=cutoff, no_show=no_show)

    def quote(self, block: Section, key: str) -> QuoteText:
        """The sentences of a block that state a fact."""
        start, end = fact_span(block, key)
        return QuoteText(text=body(block)[start:end], section_id=block.id)

    def block(self, number: int) -> tuple[Section, Terms]:
        """A block of the page of terms, by its place."""
        return sections_of(self.case.start, self.built.page_id)[number], self.built.terms[number]

    def answer(self, goal: Goal, number: int, sources: Sequence[str] = ()) -> PolicyCheck:
        """The answer with the values of a goal, quoting a block; resting on the usual records if none are named."""
        return PolicyCheck(
            venue_id=self.built.place.id,
            deposit=self.deposit(goal, *sources),
            never_free=goal.free_until is None,
            free_until=self.until(goal.free_until, *sources),
            no_show_total=self.amount(goal.no_show, *sources),
            exposure_total=self.amount(goal.exposure, *sources),
            quotes=self.quotes(*self.block(number)),
        )

    def deliver(self, **changed: object) -> None:
        """Deliver the right answer, with some fields changed."""
        right = self.answer(self.case.goal, self.built.governing)
        with suppress(EpisodeOver):
            self.do(right.model_copy(update=changed))
