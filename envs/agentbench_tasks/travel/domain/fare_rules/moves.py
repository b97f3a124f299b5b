"""How a careful assistant goes about a comparison: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from contextlib import suppress

import msgspec

from agentbench_env.claims import MoneyClaim, MoneyValue
from agentbench_env.policies.expert import Do, Refused
from agentbench_tasks.commons.pages import PagesGet, PagesSearch, PageText
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import BookingQuote, QuoteView
from agentbench_tasks.travel.domain.carriers import (
    AirsearchSearchOffers,
    CarrierGetService,
    CarrierSearchServices,
    ServiceDetail,
)
from agentbench_tasks.travel.domain.fare_rules.answer import (
    BagTerms,
    CancelTerms,
    ChangeTerms,
    FareComparison,
    FareTerms,
    NoShowTerms,
)
from agentbench_tasks.travel.domain.fare_rules.build import Candidate
from agentbench_tasks.travel.domain.fare_rules.case import FareRuleCase
from agentbench_tasks.travel.domain.fare_rules.rules import CarrierRules
from agentbench_tasks.travel.domain.fare_rules.terms import NEVER, Outcome, outcome
from agentbench_tasks.travel.domain.geography import static_id


class Read(msgspec.Struct):
    """What has been read of one carrier: its service, the edition that governs, the baggage page, child fares."""

    service: ServiceDetail
    rules: PageText
    bags: PageText
    children: list[str]


class Moves:
    """Gathers every carrier's records by calls and writes the answer from them."""

    def __init__(self, case: FareRuleCase, do: Do, whole_pages: bool = False) -> None:
        self.case, self.do, self._whole = case, do, whole_pages
        self.reads: dict[str, Read] = {}

    def rules_of(self, code: str) -> CarrierRules:
        """A carrier's editions."""
        return next(rules for rules in self.case.built.rules if rules.carrier.code == code)

    def look_around(self) -> None:
        """The airport's directory and the flight search."""
        plot = self.case.built.plot
        self.do(AirportGetInfo(code=plot.route.start))
        with suppress(Refused):
            self.do(
                AirsearchSearchOffers(
                    origin=plot.route.start,
                    destination=plot.route.end,
                    depart_on=plot.depart_on,
                    adults=plot.party.adults,
                    children=len(plot.party.child_ages),
                )
            )

    def shortlist(self) -> None:
        """Read the shortlist where there is one."""
        if self.case.built.listed:
            for paper in self.do(PapersList(kind="shortlist")).papers:
                self.do(PapersGet(paper_id=paper.paper_id))

    def gather(self) -> None:
        """Open each carrier's departure, the rules that govern, and the baggage page."""
        for one in self.case.built.candidates:
            code = one.option.fare.carrier
            if code not in self.reads:
                self.reads[code] = self._read(code, one)

    def _read(self, code: str, one: Candidate) -> Read:
        service = self._find_service(one)
        rules = self.rules_of(code)
        today = next(fare.rules_page_id for fare in service.fares if fare.fare_id == one.option.fare.id)
        page = self.do(PagesGet(page_id=today))
        if rules.governing != rules.current:
            page = self.do(PagesGet(page_id=service.page_ids[-1]))
        place = service.page_ids.index(today)
        children: list[str] = []
        if self.case.built.plot.party.child_ages:
            children = [self.do(PagesGet(page_id=service.page_ids[place - 2])).page.page_id]
        return Read(service, page, self.do(PagesGet(page_id=service.page_ids[place - 1])), children)

    def _find_service(self, one: Candidate) -> ServiceDetail:
        code, start, end, day = one.option.service.route
        found = self.do(
            CarrierSearchServices(carrier_code=code, origin=start, destination=end, depart_on=day, adults=1)
        )
        id = next(row.service_id for row in found.services if row.number == one.option.service.number)
        return self.do(CarrierGetService(carrier_code=code, service_id=id))

    def edition_page(self, code: str, place: int) -> PageText:
        """Find another edition of a carrier's rules by its date."""
        since = self.rules_of(code).editions[place].from_date
        found = self.do(PagesSearch(query="", publisher=static_id("org", code), kind="fare_rules"))
        return self.do(PagesGet(page_id=next(p.page_id for p in found.pages if p.effective_from == since)))

    def quote(self, one: Candidate) -> QuoteView:
        """Get the carrier's price for the party without extras."""
        party = self.case.built.plot.party
        return self.do(
            BookingQuote(object_id=one.option.fare.id, adults=party.adults, child_ages=list(party.child_ages))
        )

    # --- the answer

    def value(self, minor: int) -> MoneyValue:
        """An amount as the answer has it."""
        wire = self.case.money(minor).wire()
        return MoneyValue(amount=wire.amount, currency=wire.currency)

    def row(self, one: Candidate) -> FareTerms:
        """A fare's row, from what was read."""
        read = self.reads[one.option.fare.carrier]
        result = one.outcome
        never = result.change_fee == NEVER
        return FareTerms(
            fare_id=one.option.fare.id,
            price=MoneyClaim(value=self.value(one.price), sources=[one.option.fare.id, *read.children]),
            change=ChangeTerms(
                allowed=not never,
                fee=MoneyValue() if never else self.value(result.change_fee),
                sources=self._sources(read.rules, one, "change"),
            ),
            cancel=self.cancel(result, self._sources(read.rules, one, "cancel")),
            bag=BagTerms(
                pieces=result.pieces,
                kg=result.kg,
                cabin_kg=result.cabin_kg,
                sources=[read.bags.page.page_id if self._whole else read.bags.sections[0].section_id],
            ),
            no_show=NoShowTerms(
                money=result.no_show,
                fee=self.value(result.no_show_fee) if result.no_show == "fee" else MoneyValue(),
                onward_cancelled=result.onward_cancelled,
                sources=self._sources(read.rules, one, "no_show"),
            ),
        )

    def cancel(self, result: Outcome, sources: list[str]) -> CancelTerms:
        """What comes back, as the answer has it."""
        return CancelTerms(
            refund=self.value(result.refund), taxes_back=result.taxes_back, form=result.form, sources=sources
        )

    def _sources(self, page: PageText, one: Candidate, topic: str) -> list[str]:
        """The sections of the governing edition that a column rests on: those of its topic, then the exceptions."""
        if self._whole:
            return [page.page.page_id]
        edition = self.rules_of(one.option.fare.carrier).edition
        rules = self.rules_of(one.option.fare.carrier)
        announced = rules.governing == rules.current and rules.current + 1 < len(rules.editions)
        order = ["edition", *(["next"] if announced else []), "change", "cancel", "no_show"]
        order += [
            name
            for name, there in (("note", edition.note), ("peak", edition.peak), ("service_fee", edition.service_fee))
            if there
        ]
        topics = [key.removeprefix(edition.tag).split(".")[1] for key in one.outcome.keys[topic]]
        return [page.sections[order.index(name)].section_id for name in topics]

    def deliver(self, rows: list[FareTerms]) -> None:
        """Finish with rows, naming the cheapest fare."""
        first = self.case.built.candidates[0].option.fare.id
        self.do(FareComparison(rows=rows, cheapest_fare_id=first, strictest_fare_id=first))

    def other_outcome(self, one: Candidate, place: int) -> Outcome:
        """What a fare would come to under another edition."""
        rules = self.rules_of(one.option.fare.carrier)
        ask = self.case.built.plot.ask
        return outcome(rules.editions[place], one.brand, rules.bags, ask, one.fare_minor, one.charges_minor)
