"""How a careful assistant finds out what a stay costs: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from agentbench_env.claims import MoneyValue
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do
from agentbench_env.text.fold import fold
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.texts import Text, body_of
from agentbench_tasks.travel.domain.booking import BookingQuote
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.stay_bills import Bill
from agentbench_tasks.travel.domain.stay_cost.answer import (
    CostSources,
    LocalTax,
    NightLines,
    StayCostAnswer,
    StayFee,
)
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase
from agentbench_tasks.travel.domain.stay_papers import FILE
from agentbench_tasks.travel.domain.stays import RateRow, StayGetListing, StayListRates, StaySearchProperties


class Found(msgspec.Struct):
    """What has been gathered: the house, its rates, and the records that state its charges."""

    house: str
    rates: list[RateRow]
    fees: str
    """The fees section."""
    tariff: str
    """The section of the tariff in force."""
    rules: dict[str, str]
    """The pages of public charges in force, by kind; `vat` for the rate of VAT."""


class Moves:
    """Gathers the records of a stay by calls and writes the answer from them."""

    def __init__(self, case: StayCostCase, do: Do) -> None:
        self.case, self.do, self.story = case, do, case.story
        self._language = case.start.language

    def gather(self) -> Found:
        """Find the house, read its papers, its rates, and the rules of the place."""
        story = self.story
        if not story.board_said:
            self.do(UserAsk(topic="board", question="Which meals do you want in the rate?"))
        house, pages, fees = self.read_house()
        rates = self.rates(house)
        return Found(house, rates, fees, self.tariff(pages), self.rules())

    def read_house(self) -> tuple[str, list[str], str]:
        """Find the house by its name and read its listing; return its id, its pages and its fees section."""
        house = self._find_house()
        self.do(StayGetListing(property_id=house, section="overview"))
        self.do(StayGetListing(property_id=house, section="house_rules"))
        listing = self.do(StayGetListing(property_id=house, section="fees"))
        return house, listing.house.page_ids, listing.sections[0].section_id

    def _find_house(self) -> str:
        story, token = self.story, ""
        name = name_in(story.house.record.names, self._language)
        while True:
            found = self.do(
                StaySearchProperties(
                    city_id=name_in(story.city.names, "en"),
                    checkin_on=story.first.isoformat(),
                    checkout_on=story.checkout.isoformat(),
                    adults=story.guests.adults,
                    child_ages=list(story.guests.child_ages),
                    keyword=name_in(story.house.record.names, "en"),
                    page_token=token,
                )
            )
            for row in found.properties:
                if row.name == name:
                    return row.property_id
            token = found.next_page_token

    def rates(self, house: str) -> list[RateRow]:
        """List the rates of the house for the stay."""
        story = self.story
        return self.do(
            StayListRates(
                property_id=house,
                checkin_on=story.first.isoformat(),
                checkout_on=story.checkout.isoformat(),
                adults=story.guests.adults,
                child_ages=list(story.guests.child_ages),
            )
        ).rates

    def tariff(self, pages: Sequence[str]) -> str:
        """Read the house's tariffs; return the section of the one that no other replaces."""
        read = [self.do(PagesGet(page_id=page)) for page in pages]
        replaced = {page.supersedes for page in read}
        return next(page.sections[0].section_id for page in read if page.page.page_id not in replaced)

    def rules(self) -> dict[str, str]:
        """Look up the public charges that the house refers to; return the page in force of each kind."""
        story, charges = self.story, self.story.charges
        wanted = {
            tax.kind: body_of(Text.of(FILE, f"labels.{tax.kind}", self._language))
            for tax in charges.rules.taxes
            if tax.kind not in charges.printed
        }
        if charges.vat_refers:
            wanted["vat"] = name_in(story.law.vat_names, self._language)
        return {kind: self._in_force(label) for kind, label in wanted.items()}

    def _in_force(self, label: str) -> str:
        hits = self.do(PagesSearch(query=label, publisher_kind="authority")).pages
        day = self.story.first.isoformat()
        texts = [self.do(PagesGet(page_id=hit.page_id)) for hit in hits]
        about = [page for page in texts if fold(label) in fold(page.sections[0].text)]
        return max((page.page for page in about if page.page.effective_from <= day), key=_since).page_id

    # --- the answer

    def sources(self, found: Found, rate: str) -> CostSources:
        """The rate, the house's papers, and the rules in force."""
        rules = found.rules
        house = [found.fees, found.tariff]
        public = [page for kind, page in rules.items() if kind != "vat"]
        return CostSources(
            base=[rate],
            vat_and_service=[*house, *([rules["vat"]] if "vat" in rules else [])],
            local_tax=[*house, *public],
            property_fees=house,
            cash=house,
        )

    def answer(self, bill: Bill, found: Found, rate: str = "", sources: CostSources | None = None) -> StayCostAnswer:
        """Write a bill as an answer: its lines, and the sums of these lines."""
        rate = rate or self.case.target
        fees = [StayFee(kind=k, unit=u, amount=self.money(n)) for k, u, n in bill.fees]  # type: ignore[arg-type]
        return StayCostAnswer(
            property_id=found.house,
            rate_id=rate,
            nights=[
                NightLines(
                    date=night.day,
                    base=self.money(night.base),
                    vat=self.money(night.vat),
                    service=self.money(night.service),
                    local_taxes=[LocalTax(kind=k, amount=self.money(n)) for k, n in night.taxes],  # type: ignore[arg-type]
                    total=self.money(night.total),
                )
                for night in bill.nights
            ],
            stay_fees=fees,
            on_arrival_cash=self.money(bill.cash),
            deposits=[self.money(bill.deposit)] if bill.deposit else [],
            stay_total=self.money(bill.total),
            true_total_per_night=self.money(bill.per_night),
            sources=sources or self.sources(found, rate),
        )

    def money(self, minor: int) -> MoneyValue:
        """An amount of the answer."""
        wire = Money(minor, self.case.currency).wire()
        return MoneyValue(amount=wire.amount, currency=wire.currency)

    def quote(self, rate: str) -> Any:
        """Get the channel's quote of a rate for the party."""
        guests = self.story.guests
        return self.do(BookingQuote(object_id=rate, adults=guests.adults, child_ages=list(guests.child_ages)))


def _since(page: Any) -> str:
    return page.effective_from
