"""How a careful assistant goes about an entry check: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from agentbench_env.claims import QuoteText
from agentbench_env.policies.expert import Do
from agentbench_env.zones import to_local
from agentbench_tasks.commons.pages import Page, PagesGet, PagesSearch, PageText, Section, body, fact_span
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import BookingGet
from agentbench_tasks.travel.domain.carriers import CarrierGetService
from agentbench_tasks.travel.domain.entry.answer import EntryAnswer, EntryItem, RuleValue
from agentbench_tasks.travel.domain.entry.case import EntryCase
from agentbench_tasks.travel.domain.entry.lines import country_name
from agentbench_tasks.travel.domain.entry.proof import Finding
from agentbench_tasks.travel.domain.entry.rules import Item
from agentbench_tasks.travel.domain.publishing import language_at
from agentbench_tasks.travel.domain.records import Booking


class Moves:
    """Reads the papers, bookings and pages by calls and writes the answer from them."""

    def __init__(self, case: EntryCase, do: Do, english: bool = False) -> None:
        self.case, self.do, self._english = case, do, english
        self._pages: dict[str, PageText] = {}

    def look_around(self) -> None:
        """The passports and tickets, the bookings with their flights, and the airports of the transits."""
        for paper in self.do(PapersList()).papers:
            if paper.kind in ("passport", "e_ticket"):
                self.do(PapersGet(paper_id=paper.paper_id))
        for booking in self.case.start.all(Booking):
            self.do(BookingGet(locator=booking.locator))
        for flight, service in self._services():
            self.do(CarrierGetService(carrier_code=flight, service_id=service))
        for stop in self.case.built.plot.stops[:-1]:
            self.do(AirportGetInfo(code=stop.lands_at))

    def _services(self) -> list[tuple[str, str]]:
        plot, bookings = self.case.built.plot, self.case.start.all(Booking)
        ids = [item.object_id for booking in bookings for item in booking.items]
        return [(flight.carrier, id) for flight, id in zip(plot.flights, ids, strict=True)]

    def search(self) -> None:
        """Look for the official pages of each country, in the language of its authorities."""
        for stop in self.case.built.plot.stops:
            language = language_at(stop.country)
            self.do(PagesSearch(query=country_name(stop.country, language), language=language))  # type: ignore[arg-type]

    def open(self, page_id: str) -> PageText:
        """Read a page once."""
        if page_id not in self._pages:
            self._pages[page_id] = self.do(PagesGet(page_id=page_id))
        return self._pages[page_id]

    def best(self, finding: Finding) -> tuple[str, str]:
        """The page and section to quote: in the authorities' own language, or in English where that is wanted."""
        pages = {page: self.case.start.get(Page, page) for page, _ in finding.stating}
        ranked = sorted(
            finding.stating,
            key=lambda pair: (
                pages[pair[0]].publisher_kind != "authority",
                (pages[pair[0]].language == "en") != self._english,
                pair,
            ),
        )
        return ranked[0]

    def passage(self, section_id: str, key: str) -> str:
        """The sentence of an opened section that states a fact."""
        section = self.case.start.get(Section, section_id)
        shown = next(row.text for row in self._pages[section.page_id].sections if row.section_id == section_id)
        assert shown == body(section)
        start, end = fact_span(section, key)
        return shown[start:end]

    def settled(self, item: Item, finding: Finding) -> EntryItem:
        """Answer an item from the page that settles it."""
        plot, value = self.case.built.plot, finding.value
        assert value is not None
        page_id, section_id = self.best(finding)
        self.open(page_id)
        met = plot.met(item) is True
        return EntryItem(
            place=item.place,
            requirement=item.requirement,
            status="settled",
            value=RuleValue(rule=value.rule, number=value.number, met=met, form=value.form),  # type: ignore[arg-type]
            quote=QuoteText(text=self.passage(section_id, item.key(plot.nationality)), section_id=section_id),
            sources=[section_id],
            checked_on=self.today,
        )

    def open_item(self, item: Item, finding: Finding) -> EntryItem:
        """Flag an item with the pages that leave it open."""
        assert finding.gap is not None
        cited = [group[0] for group in finding.bearing]
        for page_id in cited:
            self.open(page_id)
        return EntryItem(
            place=item.place,
            requirement=item.requirement,
            status="unresolved",
            sources=cited,
            checked_on=self.today,
            gap=finding.gap,
        )

    def items(self) -> list[EntryItem]:
        """Every requirement, settled or flagged."""
        return [
            self.open_item(item, finding) if finding.gap else self.settled(item, finding)
            for item, finding in self.case.built.findings.items()
        ]

    def deliver(self, items: list[EntryItem]) -> None:
        """Hand the answer in."""
        self.do(EntryAnswer(items=items))

    @property
    def today(self) -> str:
        """The local date at home; no episode runs past midnight."""
        return to_local(self.case.start.now, self.case.start.zone)[:10]
