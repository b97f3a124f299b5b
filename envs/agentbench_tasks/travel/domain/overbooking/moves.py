"""How a careful assistant helps a guest who was turned away: the moves that the scripted policies are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import msgspec

from agentbench_env.claims import MoneyClaim, MoneyValue, QuoteText
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.text.fold import fold
from agentbench_env.user import UserAsk
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch, body, fact_span, sections_of
from agentbench_tasks.commons.texts import Text, body_of
from agentbench_tasks.travel.domain.booking import BookingGet, BookingQuote, QuoteView
from agentbench_tasks.travel.domain.claims import ClaimSaveDraft, HeadWish
from agentbench_tasks.travel.domain.ground import GroundGetRoute, GroundSearchPlaces
from agentbench_tasks.travel.domain.overbooking.answer import Item, Obligation, Option, RecoveryAnswer
from agentbench_tasks.travel.domain.overbooking.candidates import Candidate
from agentbench_tasks.travel.domain.overbooking.case import OverbookingCase
from agentbench_tasks.travel.domain.overbooking.terms import Owed
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import Rate
from agentbench_tasks.travel.domain.stay_papers import FILE as CHARGES_FILE
from agentbench_tasks.travel.domain.stays import StayGetListing, StayListRates, StaySearchProperties


class Found(msgspec.Struct):
    """The records that state what a house charges, as far as they were read."""

    fees: str
    tariff: str


class Moves:
    """Reads what the case rests on and writes the answer from it."""

    def __init__(self, case: OverbookingCase, do: Do) -> None:
        self.case, self.do, self.plot = case, do, case.built.plot
        self.found: dict[str, Found] = {}
        self.rules: dict[str, str] = {}
        """The page in force of each public charge, and of the rate of VAT."""

    @property
    def right(self) -> list[Candidate]:
        """The houses that qualify."""
        return [one for one in self.case.built.candidates if one.house.record.id in self.case.fits]

    # --- reading

    def read_case(self) -> None:
        """What the house wrote, what was booked, with whom, and its terms; where the user is and what the area is."""
        case, do = self.case, self.do
        do(MailSearchMessages())
        do(MailGetMessage(message_id=case.notice))
        do(MailGetMessage(message_id=case.confirmation))
        do(BookingGet(locator=case.booking.locator))
        do(PagesSearch(query="", publisher=case.built.owner))
        do(PagesGet(page_id=case.governing))
        do(UserAsk(topic="where_are_you", question="Where are you now?"))
        if not self.plot.area_said:
            do(UserAsk(topic="area_means", question="What counts as the same area for you?"))
        do(GroundSearchPlaces(city_id=self.plot.city.id, query=name_in(self.plot.station.names, "en")))

    def read_houses(self, houses: Sequence[Candidate]) -> None:
        """Find houses by name, with their charges, rates and the way there; look up the rules they refer to."""
        for one in houses:
            self._read_house(one)
        self._read_rules({kind: label for one in houses for kind, label in self._referred(one).items()})

    def _read_house(self, one: Candidate) -> None:
        house, stay = one.house.record.id, self.case.wish.stay
        self.do(
            StaySearchProperties(
                city_id=self.plot.city.id,
                checkin_on=stay[0],
                checkout_on=stay[1],
                adults=self.plot.adults,
                keyword=name_in(one.house.record.names, "en"),
            )
        )
        listing = self.do(StayGetListing(property_id=house, section="fees"))
        tariff = ""
        if one.charges.rules.vat_outside and len(self.case.built.law.vat_on_fees) > 1:
            tariff = self.do(PagesGet(page_id=listing.house.page_ids[0])).sections[0].section_id
        self.found[house] = Found(listing.sections[0].section_id, tariff)
        for first, last in dict.fromkeys(rate.stay[1:] for rate in one.rates):
            with suppress(Refused):
                self.do(StayListRates(property_id=house, checkin_on=first, checkout_on=last, adults=self.plot.adults))
        self.do(GroundGetRoute(from_id=self.case.wish.station, to_id=house, depart_at=self.case.wish.depart))

    def _referred(self, one: Candidate) -> dict[str, str]:
        """The names of the public charges that a house does not print itself, and of VAT where it refers to the law."""
        language = self.case.start.language
        labels = {
            tax.kind: body_of(Text.of(CHARGES_FILE, f"labels.{tax.kind}", language))
            for tax in one.charges.rules.taxes
            if tax.kind not in one.charges.printed
        }
        if one.charges.vat_refers:
            labels["vat"] = name_in(self.case.built.law.vat_names, language)
        return labels

    def _read_rules(self, labels: Mapping[str, str]) -> None:
        """Look up what is in force of public charges and VAT, the newest pages first."""
        if not labels:
            return
        day = self.case.wish.stay[0]
        hits = self.do(PagesSearch(query=" ".join(labels.values()), publisher_kind="authority")).pages
        in_force = [hit for hit in hits if hit.effective_from <= day]
        for hit in sorted(in_force, key=lambda hit: hit.effective_from, reverse=True):
            left = {kind: fold(label) for kind, label in labels.items() if kind not in self.rules}
            if not left:
                return
            text = fold(self.do(PagesGet(page_id=hit.page_id)).sections[0].text)
            self.rules |= {kind: hit.page_id for kind, label in left.items() if label in text}

    def quote(self, rate: str) -> QuoteView:
        """Get the channel's quote of a rate."""
        return self.do(BookingQuote(object_id=rate, adults=self.plot.adults))

    # --- the answer

    def option(self, one: Candidate, rate_id: str, total: int | None = None) -> Option:
        """An option with its full price, or with another one."""
        case, house = self.case, one.house.record.id
        rate = case.start.get(Rate, rate_id)
        offered = case.offered(one, rate)
        found = self.found[house]
        pages = [self.rules[kind] for kind in self._referred(one)]
        return Option(
            property_id=house,
            room_type_id=rate.room_type_id,
            rate_id=rate.id,
            total=MoneyClaim(
                value=self.money(offered.bill.total if total is None else total),
                sources=[rate.id, found.fees, *filter(None, [found.tariff]), *pages],
            ),
        )

    def options(self) -> list[Option]:
        """Every house that qualifies, at the first of its rates that does."""
        return [self.option(one, self.case.fits[one.house.record.id][0]) for one in self.right]

    def item(self, owed: Owed) -> Item:
        """Something owed, with its clause."""
        return Item(
            kind=owed.kind,
            quote=self.clause(self.case.governing, f"{self.case.built.owner}.{owed.code}"),
            amount=self.money(owed.amount),
            cap=self.money(owed.cap),
            conditions=list(owed.conditions),
            by=owed.by,
        )

    def clause(self, page_id: str, key: str) -> QuoteText:
        """The words in which a page states a fact; the beginning of its first section where it does not."""
        sections = sections_of(self.case.start, page_id)
        for section in sections:
            if key in section.facts(self.case.start):
                start, end = fact_span(section, key)
                return QuoteText(text=body(section)[start:end], section_id=section.id)
        return QuoteText(text=body(sections[0])[:40].strip(), section_id=sections[0].id)

    def save_claim(self) -> str:
        """Draft a claim for everything owed, without filing it; return its id."""
        heads = [
            HeadWish(
                kind=owed.kind,
                amount=self.money(owed.amount or owed.cap or 0).amount,
                basis_section_id=self.item(owed).quote.section_id,
            )
            for owed in self.case.built.owed
        ]
        draft = ClaimSaveDraft(addressee_id=self.case.built.owner, heads=heads, booking_id=self.case.booking.id)
        return self.do(draft).request_id

    def money(self, amount: int | None) -> MoneyValue:
        """An amount of the answer, an empty one for None."""
        if amount is None:
            return MoneyValue()
        wire = Money(amount, self.case.currency).wire()
        return MoneyValue(amount=wire.amount, currency=wire.currency)

    def answer(self, options: Sequence[Option] | None = None, items: Sequence[Item] | None = None) -> RecoveryAnswer:
        """The answer, with other options or items where these are given."""
        case = self.case
        return RecoveryAnswer(
            options=list(self.options() if options is None else options),
            obligation=Obligation(
                owed_by=case.built.owner,
                items=list(items) if items is not None else [self.item(owed) for owed in case.built.owed],
            ),
        )

    def deliver(
        self,
        change: Callable[[RecoveryAnswer], RecoveryAnswer] = lambda answer: answer,
        more: Sequence[Candidate] = (),
    ) -> None:
        """Read everything, with houses that do not qualify besides, and answer after a change."""
        self.read_case()
        self.read_houses([*self.right, *more])
        self.do(change(self.answer()))
