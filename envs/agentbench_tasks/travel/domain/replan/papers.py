"""Everything that is written in the world of a disrupted trip: terms, waivers, mails, bookings, the brief."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market, shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import (
    CountSlot,
    DateSlot,
    DurationSlot,
    LinesSlot,
    MomentSlot,
    NameSlot,
    SlotValue,
    Stated,
    Text,
    TimeSlot,
)
from agentbench_tasks.travel.domain.carrier_pages import CarrierPages
from agentbench_tasks.travel.domain.geography import carrier_facts, city_name, currency_at, points, static_id
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import (
    Booking,
    Carrier,
    EventLog,
    Names,
    Tariff,
    name_in,
)
from agentbench_tasks.travel.domain.records_ground import Place
from agentbench_tasks.travel.domain.records_stays import Hours, ListingSection
from agentbench_tasks.travel.domain.replan.bookings import Bookings
from agentbench_tasks.travel.domain.replan.build import Built
from agentbench_tasks.travel.domain.replan.rules import Line, Waiver

FILE = "replan"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")


class Papers:
    """Writes the papers of an instance: `records` is the whole world."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self.setting, self.built, self._draw = setting, built, draw
        self.today = date.fromisoformat(to_local(built.plot.now, setting.market.zone)[:10])
        self._press = Press(draw.stream("press"), self.today, FILE)
        self._ids, self.records = self._press.ids, self._press.records
        self.traveller = self._people()
        self.card = cards(draw.stream("cards"), self._ids, setting, self.today)[0]
        self.records.append(self.card)
        self._carriers()
        self.waiver_section, self.old_page = self._waiver_pages()
        self.exchange_section = self._exchange_page()
        self._places()
        bookings = Bookings(draw.stream("bookings"), self._ids, built, self.rules_pages)
        self.bookings, self.proposal_id = bookings.made, bookings.proposal_id
        self.records += bookings.records
        self.brief = self._brief()
        self._mails()

    def _text(self, kind: str, language: str, **slots: SlotValue) -> Text:
        return Text(FILE, kind, language, self._draw.variant((0, 1, 2, 3)), tuple(slots.items()))

    # --- people and carriers

    def _people(self) -> Traveller:
        draw = self._draw.stream("people")
        ages = [draw.int(24, 68) for _ in range(self.built.plot.party.size)]
        residence = city_name(self.built.plot.trip.origin_city, self.setting.language)
        people = list(travellers(draw, self._ids, self.setting, self.today, ages, residence))
        self.records += [paper for _, paper in people]
        return people[0][0]

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"

    def _carriers(self) -> None:
        inventory = self.built.inventory
        tariffs: dict[str, list[Tariff]] = {}
        for (code, _), tariff in inventory.tariffs.items():
            tariffs.setdefault(code, []).append(tariff)
        press = Press(self._draw.stream("terms"), self.today)
        pages = CarrierPages(self._draw, press, self.setting.market, self.built.rates, False)
        self.rules_pages: dict[str, str] = {}
        booked = self.built.cancelled[1]
        fees = {booked.brand: Money(self.built.fee, booked.base.currency)}
        for code in sorted(tariffs):
            facts = carrier_facts()[code]
            page_ids, self.rules_pages[code] = pages.of(facts, tariffs[code], fees if code == booked.carrier else None)
            self.records.append(
                Carrier(
                    static_id("org", code),
                    code,
                    facts.names,
                    facts.kind,
                    facts.language,
                    facts.in_aggregate,
                    facts.hold,
                    tuple(page_ids),
                )
            )
            self.records += tariffs[code]
        self.records += press.records
        self.records += inventory.services
        self.records += [
            msgspec.structs.replace(option.fare, rules_page=self.rules_pages[option.fare.carrier])
            for option in inventory.options
        ]
        service = self.built.cancelled[0]
        cause = self._draw.choice(("technical", "crew", "weather"))
        causes = tuple((language, _word(language, "causes", cause)) for language in LANGUAGES)
        self.cause = causes
        self.records.append(EventLog(self._ids.id("evt"), service.id, "cancelled", 0, 0, cause, causes))

    def _waiver_pages(self) -> tuple[str, str]:
        """Publish the waiver, and before it the one that it replaces; return the section in force, and the old page."""
        old_page = ""
        if self.built.old_waiver is not None:
            old_page = self._waiver_page(self.built.old_waiver, "", "replaced")
        page_id = self._waiver_page(self.built.waiver, old_page, "")
        return self._section_of(page_id), old_page

    def _section_of(self, page_id: str) -> str:
        return next(s.id for s in self.records if isinstance(s, Section) and s.page_id == page_id)

    def _waiver_page(self, waiver: Waiver, supersedes: str, mark: str) -> str:
        facts, plot = carrier_facts()[waiver.carrier], self.built.plot
        language = facts.language
        starts = [code for code in waiver.points if code in plot.trip.starts]
        ends = [code for code in waiver.points if code in plot.trip.ends]
        slots: dict[str, SlotValue] = {
            "number": self.built.cancelled[0].number,
            "date": DateSlot(self.built.cancelled[0].dep_local[:10]),
            "origins": _names(starts, language),
            "dests": _names(ends, language),
            "brands": ", ".join(waiver.brands),
            "from_date": DateSlot(waiver.from_date),
            "to_date": DateSlot(waiver.to_date),
        }
        stated = (Stated(f"{waiver.carrier}.waiver.to_date", waiver.to_date, "to_date"),)
        page_id = self._press.page(
            static_id("org", facts.code),
            name_in(facts.names, language),
            "provider",
            "waiver",
            language,
            [("waiver", slots, stated)],
            supersedes=supersedes,
        )
        # A waiver is out on the day on which the flight is cancelled.
        today = self.today.isoformat()
        place, page = next(
            (n, row) for n, row in enumerate(self.records) if isinstance(row, Page) and row.id == page_id
        )
        dated = msgspec.structs.replace(page, published=today, updated=today, effective_from=today, mark=mark)
        self.records[place] = dated
        return page_id

    def _exchange_page(self) -> str:
        exchange = self.built.exchange
        if exchange is None:
            return ""
        facts = carrier_facts()[exchange.carrier]
        slots: dict[str, SlotValue] = {"brand": exchange.brands[0]}
        page_id = self._press.page(
            static_id("org", facts.code),
            name_in(facts.names, facts.language),
            "provider",
            "terms",
            facts.language,
            [("exchange", slots, ())],
        )
        return self._section_of(page_id)

    # --- places

    def _places(self) -> None:
        built, trip = self.built, self.built.plot.trip
        used = {code for pair in built.flights for code in (pair[0].origin, pair[0].dest)}
        used |= {built.plot.route.start, *trip.ends, *trip.starts}
        if trip.rail:
            used |= {trip.rail.start, trip.rail.end}
        flying = {code for code, _ in built.inventory.tariffs}
        near = {link.to for code in used for link in points()[code].links}
        for code in sorted(used | near):
            point = points()[code]
            lines = tuple(line for line in point.directory if line.carrier_code in flying)
            self.records.append(msgspec.structs.replace(point, directory=lines))
        hours = Hours("14:00", built.by_clock)
        desk = Hours("06:00", built.by_clock if built.strict else to_local(built.latest, built.plot.zone)[11:])
        house = msgspec.structs.replace(built.house.record, checkin=hours, desk=desk)
        self.records += [house, *built.house.records[1:], *built.areas]
        language = load_market(trip.house_market).languages[0]
        kind = "house_rules_strict" if built.strict else "house_rules_late"
        slots: dict[str, SlotValue] = {"by": TimeSlot(built.by_clock)}
        if not built.strict:
            slots["late"] = TimeSlot(to_local(built.latest, built.plot.zone)[11:])
        late = Stated(f"{house.id}.latest", to_local(built.latest, built.plot.zone)[11:])
        self.records.append(
            ListingSection(
                self._ids.id("sec"),
                house.id,
                "",
                "house_rules",
                language,
                self._text(f"listings.{kind}", language, **slots),
                (self.today - timedelta(self._draw.int(20, 300))).isoformat(),
                stated=(late,),
            )
        )
        venue = self.venue
        currency = currency_at(built.plot.route.end)[0]
        free = Money(0, currency)
        self.records.append(
            Place(
                built.ground.venue,
                venue,
                trip.house_city,
                house.district_id,
                built.plot.zone,
                "hall",
                120,
                False,
                free,
                free,
            )
        )
        self.records += built.ground.rides.values()

    @property
    def venue(self) -> Names:
        """Where the event takes place."""
        trip = self.built.plot.trip
        return next(v for v in trip.venues if static_id("plc", trip.id, *v[0]) == self.built.ground.venue)

    # --- the brief and the mails

    def _brief(self) -> Paper:
        built, language = self.built, self.setting.language
        rows: list[tuple[SlotValue, ...]] = []
        for line in built.lines:
            rows.append((line.id, ": ", self._line(line, language)))
        for booking, word in zip(self.bookings, self._booking_words(), strict=True):
            numbers = self._numbers(booking)
            rows.append((_word(language, "brief", word), ": ", booking.locator, f" ({numbers})" if numbers else ""))
        rows.append((Text.of(FILE, "brief.buffer", language, minutes=DurationSlot(built.plot.buffer_min)),))
        rows.append((Text.of(FILE, "brief.limits", language),))
        paper = Paper(
            self._ids.id("ppr"),
            "trip_brief",
            _word(language, "brief", "title"),
            "",
            self.traveller.name.native,
            issued_on=(self.today - timedelta(self._draw.int(3, 20))).isoformat(),
            form="digital",
            language=language,
            text=Text.of(FILE, "brief.page", language, lines=LinesSlot(tuple(rows))),
            stated=(Stated("brief.buffer_min", built.plot.buffer_min),),
        )
        self.records.append(paper)
        return paper

    def _numbers(self, booking: Booking) -> str:
        booked = {item.object_id for item in booking.items}
        return ", ".join(service.number for service in self.built.inventory.services if service.id in booked)

    def _booking_words(self) -> tuple[str, ...]:
        return ("air", "rail", "stay") if self.built.exchange else ("air", "stay")

    def _line(self, line: Line, language: str) -> Text:
        built, plot = self.built, self.built.plot
        limit, slots = line.limit, dict[str, SlotValue]()
        if line.kind == "be_at_event_by":
            assert isinstance(limit, int)
            slots = {
                "event": _word(language, "events", self._event()),
                "place": NameSlot(self.venue),
                "place_id": built.ground.venue,
                "moment": MomentSlot(to_local(limit, plot.zone)),
            }
        elif line.kind == "checkin_by":
            assert isinstance(limit, int)
            slots = {"moment": MomentSlot(to_local(limit, plot.zone))}
        elif line.kind == "same_cabin":
            slots = {"cabin": _word(language, "cabins", str(limit))}
        elif line.kind == "same_day":
            slots = {"date": DateSlot(str(limit))}
        elif line.kind == "transfer_cost_max":
            assert isinstance(limit, int)
            slots = {"amount": Money(limit, currency_at(plot.route.end)[0])}
        elif line.kind == "bag_kg":
            assert isinstance(limit, int)
            slots = {"kg": CountSlot(limit, "kg")}
        elif line.kind == "travel_together":
            slots = {"party": CountSlot(plot.party.size, "person")}
        return Text(FILE, f"lines.{line.kind}", language, 0, tuple(slots.items()))

    def _event(self) -> str:
        names = ("wedding", "interview", "reunion", "lecture")
        return names[self._draw.stream("event").int(0, 3)]

    def _mails(self) -> None:
        built, plot, language = self.built, self.built.plot, self.setting.language
        service, proposed = built.cancelled[0], built.proposal[0]
        carrier = name_in(plot.carrier.names, language)
        waiver = built.old_waiver or built.waiver
        sender = f"notice@{plot.carrier.code.lower()}.example"
        common: dict[str, SlotValue] = {
            "carrier": carrier,
            "number": service.number,
            "locator": self.bookings[0].locator,
        }
        first = {
            **common,
            "origin": name_in(points()[service.origin].names, language),
            "dest": name_in(points()[service.dest].names, language),
            "moment": MomentSlot(service.dep_local),
            "reason": dict(self.cause)[language],
            "from_date": DateSlot(waiver.from_date),
            "to_date": DateSlot(waiver.to_date),
        }
        offer = {
            **common,
            "new_number": proposed.number,
            "new_moment": MomentSlot(proposed.dep_local),
            "ref": self.proposal_id,
        }
        self._mail("cancelled", sender, first, 240)
        if built.old_waiver is not None:
            self._mail("updated", sender, {**common, "to_date": DateSlot(built.waiver.to_date)}, 100)
        self._mail("reroute", sender, offer, 60)
        if self.setting.injections:
            self._mail("hostile_approval", sender, {"carrier": carrier}, 30, "travel")

    def _mail(self, kind: str, sender: str, slots: dict[str, SlotValue], minutes: int, file: str = FILE) -> None:
        language, market = self.setting.language, self.setting.market
        text = Text(file, f"mails.{kind}", language, self._draw.variant((0, 1, 2, 3)), tuple(slots.items()))
        self.records.append(
            Message(
                self._ids.id("msg"),
                self._ids.id("thr"),
                "inbox",
                Address(sender),
                (Address(self.mailbox),),
                self.built.plot.now - minutes * 60,
                market.zone,
                text,
                text,
            )
        )


def _word(language: str, section: str, kind: str) -> str:
    word: str = shared_table(f"text/{language}/{FILE}")[section][kind]
    return word


def _names(codes: Sequence[str], language: str) -> str:
    return " / ".join(name_in(points()[code].names, language) for code in codes)
