"""How a careful assistant goes about an accessible stay: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

from agentbench_env.claims import MoneyClaim, MoneyValue, QuoteText
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.user import UserRequestApproval
from agentbench_tasks.commons.drafts import MailCreateDraft
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.travel.domain.accessible.answer import AccessibleStayAnswer, EvidenceRow
from agentbench_tasks.travel.domain.accessible.case import AccessibleCase
from agentbench_tasks.travel.domain.accessible.house_mail import HouseMailSendDraft
from agentbench_tasks.travel.domain.accessible.needs import Kind
from agentbench_tasks.travel.domain.accessible.records import kind_of
from agentbench_tasks.travel.domain.accessible.site import Site
from agentbench_tasks.travel.domain.records_stays import ListingSection, SectionKind
from agentbench_tasks.travel.domain.stays import (
    Properties,
    RateRow,
    SectionRow,
    StayGetListing,
    StayListRates,
    StaySearchProperties,
)


class Moves:
    """Finds a house, opens its listing, and writes the answer from what was read."""

    def __init__(self, case: AccessibleCase, do: Do, site: Site | None = None) -> None:
        self.case, self.do, self.site = case, do, site or case.built.target
        self.read: dict[str, SectionRow] = {}

    @property
    def property_id(self) -> str:
        """The house that is looked at."""
        return self.site.house.record.id

    def search(self, district: str = "", *, icon: bool = False) -> Properties:
        """Look through a district, page after page, until the house is there; return the last page."""
        wish, token = self.case.wish, ""
        while True:
            page = self.do(
                StaySearchProperties(
                    city_id=wish.city_id,
                    district_id=district or self.site.house.record.district_id,
                    checkin_on=wish.stay[0],
                    checkout_on=wish.stay[1],
                    adults=wish.party.adults,
                    child_ages=list(wish.party.child_ages),
                    accessible_icon=icon,
                    page_token=token,
                )
            )
            token = page.next_page_token
            if not token or self.property_id in {row.property_id for row in page.properties}:
                return page

    def open(self, section: SectionKind, room: str = "") -> None:
        """Read one part of the house's listing, every page of it."""
        token = ""
        while True:
            listing = self.do(
                StayGetListing(property_id=self.property_id, section=section, room_type_id=room, page_token=token)
            )
            self.read |= {row.section_id: row for row in listing.sections}
            token = listing.next_page_token
            if not token:
                return

    def rates(self, stay: tuple[str, str] | None = None) -> list[RateRow]:
        """List what the room is sold at for the nights asked for, or for others."""
        wish = self.case.wish
        first, last = stay or wish.stay
        found = self.do(
            StayListRates(
                property_id=self.property_id,
                checkin_on=first,
                checkout_on=last,
                adults=wish.party.adults,
                child_ages=list(wish.party.child_ages),
            )
        )
        return [row for row in found.rates if row.room_type_id == self.site.room.id]

    def write(self, body: str = "Does this hold for the room: {needs}?") -> str:
        """Draft a message to the house; return the id of the draft."""
        needs = ", ".join(need.kind.replace("_", " ") for need in self.case.wish.needs)
        draft = MailCreateDraft(
            to=[self.site.listing.address], subject="A question about a room", body=body.format(needs=needs)
        )
        return self.do(draft).draft_id

    def ask_leave(self, draft_id: str) -> bool:
        """Ask for leave to send a draft; return whether it was granted."""
        reply = self.do(
            UserRequestApproval(
                tool=HouseMailSendDraft.name,
                arguments=json.dumps({"draft_id": draft_id}),
                summary="Ask the house about what its listing leaves open.",
            )
        )
        return reply.decision == "granted"

    def ask_the_house(self, body: str = "Does this hold for the room: {needs}?") -> None:
        """Write to the house with the user's leave, and read what it answers."""
        draft_id = self.write(body)
        if not self.ask_leave(draft_id):
            return
        self.do(HouseMailSendDraft(draft_id=draft_id))
        inbox = self.do(MailSearchMessages(sender=self.site.listing.address))
        for head in inbox.messages:
            self.do(MailGetMessage(message_id=head.message_id))
        with suppress(Refused):
            self.open("qa")

    def gather(self) -> None:
        """Open the parts of the listing that state the needs, after asking the house where it leaves one open."""
        self.open("overview")
        for section in dict.fromkeys(self._parts()):
            self.open(section)
        if self.case.built.answer is not None and self.site is self.case.built.target:
            self.ask_the_house()

    def _parts(self) -> list[SectionKind]:
        start = self.case.start
        return [start.get(ListingSection, id).kind for id in self.sections().values() if start.find(id) is not None]

    def sections(self) -> Mapping[str, str]:
        """For each need the section of the house that states it."""
        if self.site is self.case.built.target:
            return self.case.built.evidence
        asked = {need.kind for need in self.case.wish.needs}
        found: dict[str, str] = {}
        for section in self.case.start.where(ListingSection, "property_id", self.property_id):
            found |= {kind: section.id for fact in section.stated if (kind := kind_of(fact.key)[0]) in asked}
        return found

    def answer(self, rate: RateRow) -> AccessibleStayAnswer:
        """The answer from what was read."""
        currency = rate.nights[0].shown.currency
        total = Money(sum(Money.of(night.shown.amount, currency).minor for night in rate.nights), currency).wire()
        return AccessibleStayAnswer(
            property_id=self.property_id,
            room_type_id=self.site.room.id,
            rate_id=rate.rate_id,
            price_total=MoneyClaim(
                value=MoneyValue(amount=total.amount, currency=total.currency), sources=[rate.rate_id]
            ),
            evidence=[self.row(need, section) for need, section in self.sections().items() if section in self.read],
        )

    def row(self, need: str, section_id: str) -> EvidenceRow:
        """The line of a section that states a need."""
        answer, start = self.case.built.answer, self.case.start
        section = answer if answer and answer.id == section_id else start.get(ListingSection, section_id)
        place = next(n for n, fact in enumerate(section.stated) if kind_of(fact.key)[0] == need)
        line = self.read[section_id].text.splitlines()[place - len(section.stated)]
        kind: Kind = need  # type: ignore[assignment]
        value = str(section.stated[place].value)
        return EvidenceRow(need=kind, value=value, quote=QuoteText(text=line, section_id=section_id))

    def cheapest(self, rates: list[RateRow]) -> RateRow:
        """The rate that costs least in all."""
        return min(rates, key=lambda row: sum(float(night.shown.amount) for night in row.nights))

    def finish(self) -> None:
        """Deliver the answer at the cheapest rate."""
        self.do(self.answer(self.cheapest(self.rates())))
