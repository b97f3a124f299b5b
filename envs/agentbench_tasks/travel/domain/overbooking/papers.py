"""Everything that stands in the world of an overbooked house: houses and ways, terms, the booking, mail, profile."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import Stated, Text
from agentbench_tasks.travel.domain.ground import band_at, service_minute
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.houses import House
from agentbench_tasks.travel.domain.overbooking.bookings import Bookings
from agentbench_tasks.travel.domain.overbooking.build import Built, Wish
from agentbench_tasks.travel.domain.overbooking.candidates import HEADWAY
from agentbench_tasks.travel.domain.overbooking.letters import Letters
from agentbench_tasks.travel.domain.overbooking.pages import TermsPages
from agentbench_tasks.travel.domain.overbooking.plot import FILE
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_ground import Band, Place, RouteTime
from agentbench_tasks.travel.domain.records_stays import ListingSection, Review, SectionKind
from agentbench_tasks.travel.domain.stay_bills import Guests
from agentbench_tasks.travel.domain.stay_papers import FILE as CHARGES_FILE
from agentbench_tasks.travel.domain.stay_papers import StayPapers
from agentbench_tasks.travel.domain.stay_rules import Charges, draw_charges

ASKED = 120
"""Minutes before and after setting off for which ways can be looked up."""


class Papers:
    """Writes the world of an instance: `records` is all of it."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self._draw, self._setting, self._built = draw, setting, built
        self._press = Press(draw.stream("terms"), built.plot.today, FILE)
        charges_press = Press(draw.stream("charges"), built.plot.today, CHARGES_FILE)
        self._stays = StayPapers(draw.stream("stays"), charges_press, setting, built.law, built.plot.city)
        self._ids = self._press.ids
        self.pages = TermsPages(draw.stream("pages"), self._press, setting, built)
        self.station = self._station()
        self.records: list[Record] = [*self._houses(), *self._rides()]
        self._authorities()
        self.traveller, people = self._people()
        made = cards(draw.stream("cards"), self._ids, setting, built.plot.today)
        self.card = made[0].id
        self.bookings = Bookings(draw.stream("bookings"), self._ids, setting, built)
        self.letters = Letters(draw.stream("mail"), self._ids, setting, built, self.bookings, self.mailbox)
        self.records += [*charges_press.records, *self._press.records, *people, *made]
        self.records += [*self.bookings.records, *self.letters.records]

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"

    @property
    def wish(self) -> Wish:
        """The request as it is judged by."""
        plot = self._built.plot
        return Wish(
            frozenset(district.id for district in plot.area),
            plot.stay,
            plot.original,
            plot.musts,
            Guests(plot.adults),
            self._built.budget.minor * plot.nights,
            self.station.id,
            f"{plot.today.isoformat()}T{plot.depart}",
        )

    # --- houses

    def _houses(self) -> Iterator[Record]:
        built, draw = self._built, self._draw.stream("order")
        yield from (*built.areas, *built.agencies)
        for one in draw.shuffled([*built.candidates, None]):
            house = one.house if one else built.house
            charges = one.charges if one else self._own_charges(draw, house)
            pages = self._stays.tariff(house.record, charges) + (() if one else self.pages.house_pages)
            fees = self._stays.fees(house.record, charges)
            yield from house.with_pages(tuple(draw.shuffled(pages))).records
            yield from (*self._stays.listing(house.record), fees)
            needs = built.plot.musts
            yield from self._said(
                house,
                one.step_free if one else "step_free" in needs,
                one.pets if one else "pets" in needs,
                one.score if one else 84,
            )
            for rate in one.rates if one else ():
                yield msgspec.structs.replace(rate, outside_section_id=fees.id)

    def _own_charges(self, draw: Draw, house: House) -> Charges:
        built = self._built
        return draw_charges(draw, built.law, built.area, house.record, built.plot.today, fees=(), all_inside=True)

    def _said(self, house: House, step_free: bool, pets: bool, score: int) -> Iterator[Record]:
        """Say whether the way in is step-free and pets are admitted, and let a guest write."""
        draw, language = self._draw.stream(house.record.id), self._setting.language
        rows: tuple[tuple[SectionKind, str, bool], ...] = (("access", "step_free", step_free), ("qa", "pets", pets))
        for kind, name, holds in rows:
            line = Text(FILE, f"lines.{name}_{'yes' if holds else 'no'}", language)
            text = Text.of(FILE, f"listing.{kind}", language, draw.variant((0, 1, 2, 3)), line=line)
            published = (self._built.plot.today - timedelta(draw.int(20, 300))).isoformat()
            stated = (Stated(f"{house.record.id}.{name}", holds, "line"),)
            id = self._ids.id("sec")
            yield ListingSection(id, house.record.id, "", kind, language, text, published, "property", stated)
        text = Text("accessible", "reviews.general", language, draw.variant((0, 1, 2, 3)))
        day = (self._built.plot.today - timedelta(draw.int(5, 200))).isoformat()
        yield Review(self._ids.id("rev"), house.record.id, f"{score // 10}.{score % 10}", text, language, day)

    # --- ways

    def _station(self) -> Place:
        station, plot = self._built.plot.station, self._built.plot
        free = Money(0, self._setting.market.currency)
        id = self._ids.id("plc")
        return Place(id, station.names, plot.city.id, station.district, plot.zone, "station", 0, False, free, free)

    def _rides(self) -> Iterator[Record]:
        yield self.station
        currency = self._setting.market.currency
        fares = market_table(self._setting.market.code, "places_travel")
        taxi, transit = (Money.of(fares[f"{mode}_fare"], currency) for mode in ("taxi", "transit"))
        leaves = service_minute(datetime.fromisoformat(self.wish.depart))
        bands: dict[Band, None] = {band_at(place): None for place in range(leaves - ASKED, leaves + ASKED, 30)}
        for one in self._built.candidates:
            pair = (self.station.id, one.house.record.id)
            for band in bands:
                yield RouteTime(
                    self._ids.id("rte"), pair, "transit", band, one.ride.transit, 6, "05:00", "25:00", HEADWAY, transit
                )
                yield RouteTime(self._ids.id("rte"), pair, "taxi", band, one.ride.taxi, 0, "04:00", "28:00", 0, taxi)

    # --- authorities and people

    def _authorities(self) -> None:
        built = self._built
        kinds = [row.tax.kind for row in built.area.taxes]
        self._stays.rules_of_place(kinds, built.plot.today.isoformat(), with_older=True)
        if built.law.vat_refers:
            self._stays.vat_rule(with_older=True)

    def _people(self) -> tuple[Traveller, list[Paper]]:
        plot, draw = self._built.plot, self._draw.stream("people")
        ages = [draw.int(26, 66) for _ in range(plot.adults)]
        home = name_in(plot.home.names, self._setting.language)
        people = list(travellers(draw, self._ids, self._setting, plot.today, ages, home))
        return people[0][0], [paper for _, paper in people]
