"""How a careful assistant finds a table: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.text.facts.amounts import amounts
from agentbench_env.text.fold import fold
from agentbench_env.user import UserRequestApproval
from agentbench_tasks.commons.pages import PagesGet, PagesSearch, PageText
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.diet_page import proof_text
from agentbench_tasks.reservations.domain.directory import (
    DirectoryGetListing,
    DirectorySearchPlaces,
    ListingText,
)
from agentbench_tasks.reservations.domain.holds import BookingConfirmHold, BookingHoldSlot, BookingReleaseHold, HoldView
from agentbench_tasks.reservations.domain.house import WORDINGS
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.menu_page import charge_text
from agentbench_tasks.reservations.domain.outlets import WALKABLE
from agentbench_tasks.reservations.domain.party_table.answer import DietClaim, Handback, PartyTable, When
from agentbench_tasks.reservations.domain.party_table.build import FILE
from agentbench_tasks.reservations.domain.party_table.case import PartyCase
from agentbench_tasks.reservations.domain.party_table.plot import STEPS
from agentbench_tasks.reservations.domain.profile import ProfileGetCard
from agentbench_tasks.reservations.domain.registry import RegistryCheckCertificate
from agentbench_tasks.reservations.domain.slots import BookingSearchSlots, Slot
from agentbench_tasks.reservations.domain.surface import BookingGetSurface, SurfaceText
from agentbench_tasks.reservations.domain.venue import VenueGetPage

MOST_PAGES = 5
"""How many pages on diets are opened."""
_NUMBER = re.compile(r"ZZ-[A-Z]+-\d+")
_HANDLE = re.compile(r"@[a-z0-9]+")


class Found(msgspec.Struct):
    """A house that proves the need, as far as it has been looked into."""

    venue_id: str
    name: str
    sources: list[str]
    number: str = ""
    """The number of the certificate that its page prints."""
    listing: ListingText | None = None
    slots: list[Slot] = []

    @property
    def starts(self) -> list[str]:
        """The starts that the party can have."""
        return [slot.start for slot in self.slots if slot.status in ("open", "request")]

    @property
    def is_off_the_web(self) -> bool:
        """Whether the party books in another way than on the web."""
        return any(slot.status == "phone" for slot in self.slots)


class Stopped(msgspec.Struct, frozen=True):
    """What stops a booking, and what shows it."""

    found: Found
    step: BlockingStep
    evidence: tuple[str, ...]
    contact: str = ""


class Moves:
    """Looks for houses that prove the need, checks everything else, and holds a table."""

    def __init__(self, case: PartyCase, do: Do) -> None:
        self.case, self.do, self.plot = case, do, case.plot
        self.need, self.level = case.plot.theme.need, case.plot.theme.level
        setting = case.built.town.setting
        self.language, self.market = setting.language, reservation_market(setting.market.code)
        self.currency = setting.market.currency
        mark = case.built.town.quarters[0].landmark.name
        self.landmark = mark.latin if self.language == "en" else mark.local
        self.seating: Seating = "table" if case.plot.tables_only else "any"

    # --- reading

    @cached_property
    def words(self) -> str:
        """Words that houses use when they prove the need, as the guide of labels has them."""
        return shared_table(f"text/{self.language}/{FILE}")["search"][self.need]

    def read_guide(self) -> None:
        """Read which words count."""
        heads = self.do(PagesSearch(query=self.words, kind="labels_guide"))
        self.do(PagesGet(page_id=heads.pages[0].page_id))

    def candidates(self, most: int = MOST_PAGES) -> list[Found]:
        """Open the pages on diets that use such words, as long as they do more than sound alike; return the houses that
        prove the need, or print the number of a certificate.
        """
        found: list[Found] = []
        for head in self.do(PagesSearch(query=self.words, kind="diet")).pages[:most]:
            page = self.do(VenueGetPage(page_id=head.page_id))
            one = Found(head.publisher, head.publisher_name, [head.page_id], self._number(page))
            texts = [section.text for section in page.sections]
            if one.number or any(text in self._proofs for text in texts):
                found.append(one)
            elif not any(proof in text for text in texts for proof in self._proofs):
                break
        return found

    @cached_property
    def _proofs(self) -> set[str]:
        """The sentences that prove the need by themselves, where no more is said with them."""
        if self.level == "certified":
            return set()
        return {body_of(proof_text(self.need, self.language, variant)) for variant in WORDINGS}

    def _number(self, page: PageText) -> str:
        if self.level != "certified":
            return ""
        numbers = [number[0] for section in page.sections if (number := _NUMBER.search(section.text))]
        return next(iter(numbers), "")

    def is_certified(self, one: Found) -> bool:
        """Look the number up: whether it is valid for this outlet and for more than a menu on the day."""
        rows = self.do(RegistryCheckCertificate(scheme="halal", number=one.number)).certificates
        for row in rows:
            in_force = row.status == "valid" and row.valid_from <= self.plot.day <= row.valid_to
            if in_force and row.scope != "named_menu" and row.outlet_name == one.name:
                one.sources.append(row.certificate_id)
                return True
        return False

    def look_up(self, one: Found) -> bool:
        """Read the listing and ask for slots: whether the party can come there then, one way or another."""
        one.listing = self.do(DirectoryGetListing(venue_id=one.venue_id))
        if one.listing.district != self.district:
            return False
        plot = self.plot
        answer = self.do(
            BookingSearchSlots(
                venue_id=one.venue_id,
                on_date=plot.day,
                party_size=plot.party,
                from_time=plot.earliest,
                to_time=plot.latest,
                seating=self.seating,
            )
        )
        one.slots = answer.slots
        return bool(one.starts) or one.is_off_the_web

    def page_of(self, one: Found, kind: str) -> PageText:
        """Open the page of a kind that a house published last."""
        assert one.listing is not None
        lines = [line for line in one.listing.pages if line.kind == kind]
        return self.do(VenueGetPage(page_id=max(lines, key=lambda line: line.published).page_id))

    def is_affordable(self, one: Found) -> bool:
        """Whether what a head pays stays under the ceiling."""
        ceiling = self.plot.ceiling
        if ceiling is None:
            return True
        for section in self.page_of(one, "menu").sections:
            for mention in amounts(section.text, self.currency):
                price = Money.of(mention.values[0].split()[0], self.currency)
                return self._charges(section.text).paid(price).minor <= ceiling.minor
        return False

    def _charges(self, text: str) -> ChargeRule:
        """What comes on top of a price, by the words behind it."""
        rules = [usual.charge_rule(row) for row in self.market.charges]
        said = [
            (len(words), rule)
            for rule in rules
            for variant in WORDINGS
            if (words := body_of(charge_text(rule, self.language, variant))) in text
        ]
        return max(said, key=lambda pair: pair[0])[1]

    @cached_property
    def district(self) -> str:
        """The district of which the houses in walking distance of the landmark are."""
        rows = self.do(DirectorySearchPlaces(kind="restaurant", near=self.landmark, radius_m=WALKABLE)).places
        return rows[0].district

    def fits(self, one: Found) -> bool:
        """Look into everything that is asked for."""
        proven = self.level == "declared" or self.is_certified(one)
        return proven and self.look_up(one) and self.is_affordable(one)

    # --- holding

    @cached_property
    def notes(self) -> str:
        """Notes that state the need in the language of the houses."""
        return shared_table(f"text/{self.language}/{FILE}")["notes"][self.need]

    def hold(
        self, one: Found, *, party: int = 0, start: str = "", notes: str | None = None, seating: Seating | None = None
    ) -> HoldView:
        """Hold a table; where it goes to somebody else at that moment, ask for another one."""
        call = BookingHoldSlot(
            venue_id=one.venue_id,
            start=start or one.starts[0],
            party_size=party or self.plot.party,
            guest_name=self.case.built.town.user.booked_name,
            seating=seating or self.seating,
            notes=self.notes if notes is None else notes,
        )
        try:
            return self.do(call)
        except Refused as refused:
            if refused.code != "slot_gone":
                raise
            return self.do(call)

    def stopped_at(self, one: Found, view: HoldView) -> Stopped:
        """Let a hold go that waits for a step of the user's."""
        self.do(BookingReleaseHold(hold_id=view.hold_id))
        steps: dict[str, BlockingStep] = {**STEPS}
        return Stopped(one, steps[view.remaining_steps[0]], (view.hold_id,))

    def stopped_off_the_web(self, one: Found) -> Stopped:
        """Read how else the party books."""
        surface = self.do(BookingGetSurface(venue_id=one.venue_id))
        return stopped_by(one, surface)

    # --- delivering

    def confirm(self, view: HoldView) -> str:
        """Ask to confirm, and confirm if that is granted; return the id of what is kept."""
        call = BookingConfirmHold(hold_id=view.hold_id)
        return self.do(call).reservation_id if self.ask(call) else view.hold_id

    def ask(self, call: BookingConfirmHold) -> bool:
        """Ask for leave for a call; return whether it was granted."""
        arguments = json.dumps(call.model_dump(mode="json"))
        summary = "Confirm this booking."
        return self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary=summary)).decision == "granted"

    def deliver(
        self,
        one: Found,
        view: HoldView,
        record_id: str,
        *,
        party: int = 0,
        sources: Sequence[str] | None = None,
        step: BlockingStep = "none",
        venue_id: str = "",
    ) -> None:
        """Say what is held."""
        self.do(
            PartyTable(
                outcome="held",
                venue=venue_id or one.venue_id,
                record_id=record_id,
                party_size=party or self.plot.party,
                on_date=self.plot.day,
                start=When(local=view.start.local, zone=view.start.zone),
                diet=self.claim(one.sources if sources is None else sources),
                handback=Handback(step=step),
            )
        )

    def hand_back(
        self,
        stopped: Stopped,
        *,
        party: int = 0,
        sources: Sequence[str] | None = None,
        step: BlockingStep | None = None,
        mentions: bool = True,
    ) -> None:
        """Say which step is left to the user."""
        step = step or stopped.step
        self.do(
            PartyTable(
                outcome="handed_back",
                venue=stopped.found.venue_id,
                party_size=party or self.plot.party,
                on_date=self.plot.day,
                diet=self.claim(stopped.found.sources if sources is None else sources),
                handback=Handback(
                    step=step,
                    evidence=list(stopped.evidence),
                    next_step=MEANING[step][0],
                    contact=stopped.contact,
                    mention=[self.need] if mentions else [],  # type: ignore[list-item]
                ),
            )
        )

    def claim(self, sources: Sequence[str]) -> DietClaim:
        """How the need is met."""
        return DietClaim(need=self.need, level=self.level, sources=list(sources))  # type: ignore[arg-type]

    # --- all of it

    def find(self) -> tuple[Found, HoldView] | Stopped:
        """Hold a table at the first house that fits and asks for nothing more; else tell what stops the only one."""
        stopped: Stopped | None = None
        for one in self.candidates():
            if not self.fits(one):
                continue
            if not one.starts:
                stopped = self.stopped_off_the_web(one)
                continue
            view = self.hold(one)
            if not view.remaining_steps:
                return one, view
            stopped = self.stopped_at(one, view)
        assert stopped is not None
        return stopped

    def solve(self) -> None:
        """Do everything."""
        self.do(ProfileGetCard())
        outcome = self.find()
        if isinstance(outcome, Stopped):
            self.hand_back(outcome)
        else:
            one, view = outcome
            self.deliver(one, view, self.confirm(view))


def stopped_by(one: Found, surface: SurfaceText) -> Stopped:
    """What a surface says of how else one books: by telephone where it prints the number, else by chat."""
    assert one.listing is not None
    number = one.listing.phone
    for notice in surface.notices:
        if handle := _HANDLE.search(notice):
            return Stopped(one, "messenger_contact_required", (surface.surface_id,), handle[0])
    assert any(fold(number) in fold(notice) for notice in surface.notices)
    return Stopped(one, "phone_call_required", (surface.surface_id,), number)
