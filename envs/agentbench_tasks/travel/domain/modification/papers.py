"""Everything that stands in the world of a booking that is to be moved: terms, bookings, offers, profile, mail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market, shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text import render as writing
from agentbench_env.zones import to_local
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.pages import Page
from agentbench_tasks.commons.texts import CountSlot, DateSlot, LinesSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.exchange import Rates, rate_records
from agentbench_tasks.travel.domain.geography import points, static_id
from agentbench_tasks.travel.domain.household import travellers
from agentbench_tasks.travel.domain.houses import home_city
from agentbench_tasks.travel.domain.modification.deal import Deal, FareTerms, Stay, StayTerms, Trip
from agentbench_tasks.travel.domain.modification.market import Row, Schedule
from agentbench_tasks.travel.domain.publishing import Content, Press
from agentbench_tasks.travel.domain.records import BookedItem, Booking, Carrier, Names, QuoteLine, name_in
from agentbench_tasks.travel.domain.records_changes import BookingRules
from agentbench_tasks.travel.domain.records_stays import Channel

FILE = "modification"


class Papers:
    """Writes the world of a deal: `records` is all of it."""

    def __init__(self, draw: Draw, setting: Setting, deal: Deal) -> None:
        self._draw, self._setting, self._deal = draw, setting, deal
        self.today = date.fromisoformat(to_local(deal.now, setting.market.zone)[:10])
        self._press = Press(draw.stream("press"), self.today, FILE)
        self._ids, self.records = self._press.ids, self._press.records
        people = draw.stream("people")
        residence = name_in(home_city(setting.market.code), setting.language)
        ages = [people.int(24, 68) for _ in range(deal.party)]
        party = list(travellers(people, self._ids, setting, self.today, ages, residence))
        self.traveller = party[0][0]
        self.records += [paper for _, paper in party]
        self.card = cards(draw.stream("cards"), self._ids, setting, self.today)[0]
        rates = Rates(draw.stream("exchange"), setting.market.code, setting.market.currency)
        self.records += [self.card, *rate_records(rates, setting.market, self.today, self._ids)]
        self.supplier = (
            deal.about.house.record.id if isinstance(deal.about, Stay) else static_id("org", deal.about.carrier.code)
        )
        self.terms_page, self.newer_page = self._terms()
        self.agency_page = self._agency_page()
        self._sellers()
        self.booking, self.suppliers_own = self._bookings()
        self._mails()

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"

    @property
    def names(self) -> Names:
        """The supplier's names."""
        about = self._deal.about
        return about.house.record.names if isinstance(about, Stay) else about.carrier.names

    # --- terms

    def _terms(self) -> tuple[str, str]:
        """Publish the terms that the booking falls under, and those for later bookings if there are any."""
        deal, zone = self._deal, self._setting.market.zone
        booked = date.fromisoformat(to_local(deal.booked_at, zone)[:10])
        start = (booked - timedelta(self._draw.int(20, 200))).isoformat()
        if deal.newer is None:
            return self._version(deal.terms, ("version_from", {"date": DateSlot(start)}, ()), start), ""
        last = (date.fromisoformat(deal.newer_from) - timedelta(1)).isoformat()
        older = self._version(deal.terms, ("version_until", {"date": DateSlot(last)}, ()), start, last)
        scope: Content = ("version_from", {"date": DateSlot(deal.newer_from)}, ())
        return older, self._version(deal.newer, scope, deal.newer_from, supersedes=older)

    def _version(
        self, terms: FareTerms | StayTerms, scope: Content, start: str, last: str = "", supersedes: str = ""
    ) -> str:
        about = self._deal.about
        if isinstance(about, Stay):
            assert isinstance(terms, StayTerms)
            language, kind = load_market(about.market).languages[0], "terms"
            sections = list(self._of_stay(terms, about, language))
        else:
            assert isinstance(terms, FareTerms)
            language, kind = about.carrier.language, "fare_rules"
            sections = list(self._of_fares(terms, about))
        return self._press.page(
            self.supplier, name_in(self.names, language), "provider", kind, language, [scope, *sections],
            effective_from=start, effective_to=last, supersedes=supersedes,
        )  # fmt: skip

    def _of_fares(self, terms: FareTerms, trip: Trip) -> Iterator[Content]:
        currency = self._deal.currency
        labels = [label for _, label in trip.carrier.brands]
        for label in labels:
            one = self._of_brand(terms, labels.index(label) - labels.index(trip.brand))
            key = f"{self.supplier}.{label}"
            if one.changeable:
                slots: dict[str, SlotValue] = {
                    "brand": label,
                    "hours": CountSlot(one.change_hours, "hour"),
                    "fee": Money(one.change_fee, currency),
                    "late_fee": Money(one.late_fee, currency),
                }
                yield "fare_change", slots, (
                    Stated(f"{key}.changeable", "yes", "brand"),
                    Stated(f"{key}.change_hours", one.change_hours, "hours"),
                    Stated(f"{key}.change_fee", one.change_fee, "fee"),
                )  # fmt: skip
            else:
                yield "no_change", {"what": label}, (Stated(f"{key}.changeable", "no", "what"),)
            slots = {
                "brand": label,
                "hours": CountSlot(one.cancel_hours, "hour"),
                "kept": f"{one.kept}%",
                "fee": Money(one.cancel_fee, currency),
            }
            stated = (
                Stated(f"{key}.cancel_hours", one.cancel_hours, "hours"),
                Stated(f"{key}.kept", one.kept, "kept"),
                Stated(f"{key}.cancel_fee", one.cancel_fee, "fee"),
            )
            yield "fare_cancel", slots, stated
            if one.credit:
                yield "credit", {"what": label}, (Stated(f"{key}.refund_form", "credit", "what"),)

    def _of_brand(self, terms: FareTerms, above: int) -> FareTerms:
        """The terms of a brand so many steps above the booked one: milder the dearer it is."""
        if not above:
            return terms
        if above < 0:
            harder = {"change_fee": terms.change_fee * 2, "late_fee": terms.change_fee * 4}
            return msgspec.structs.replace(terms, **harder, kept=min(100, terms.kept + 25), credit=False)
        softer = self._draw.choice((5, 25, 40))
        return msgspec.structs.replace(terms, kept=max(0, terms.kept - softer), changeable=True, credit=False)

    def _of_stay(self, terms: StayTerms, stay: Stay, language: str) -> Iterator[Content]:
        key = self.supplier
        house = name_in(self.names, language)
        if terms.changeable:
            free = _word(language, "words", "none")
            slots: dict[str, SlotValue] = {
                "days": CountSlot(terms.change_days, "day"),
                "fee": Money(terms.change_fee, self._deal.currency) if terms.change_fee else free,
            }
            yield "stay_change", slots, (
                Stated(f"{key}.changeable", "yes"),
                Stated(f"{key}.change_days", terms.change_days, "days"),
                Stated(f"{key}.change_fee", terms.change_fee, "fee"),
            )  # fmt: skip
        else:
            yield "no_change", {"what": house}, (Stated(f"{key}.changeable", "no", "what"),)
        for row in terms.schedule.rows:
            lines = tuple((_band(days, kept, language),) for days, kept in row.bands)
            scope = _scope(row, terms.schedule, language)
            stated = tuple(Stated(f"{key}.kept.{row.scope}.{days}", kept, "lines") for days, kept in row.bands)
            yield "stay_cancel", {"scope": scope, "lines": LinesSlot(lines)}, stated
        if terms.credit:
            yield "credit", {"what": house}, (Stated(f"{key}.refund_form", "credit", "what"),)

    def _agency_page(self) -> str:
        deal, language = self._deal, self._setting.language
        if deal.agency is None:
            return ""
        kind = "agency_stay" if isinstance(deal.about, Stay) else "agency_fare"
        slots: dict[str, SlotValue] = {
            "agency": name_in(deal.agency.names, language),
            "fee": Money(deal.agency_fee, deal.currency),
        }
        stated = (Stated(f"{deal.agency.id}.change_fee", deal.agency_fee, "fee"),)
        before = to_local(deal.booked_at, self._setting.market.zone)[:10]
        return self._press.page(
            deal.agency.id, name_in(deal.agency.names, language), "channel", "terms", language,
            [(kind, slots, stated)], effective_from=before,
        )  # fmt: skip

    # --- who sells what

    def _sellers(self) -> None:
        deal, about = self._deal, self._deal.about
        newest = self.newer_page or self.terms_page
        if isinstance(about, Stay):
            houses = self._draw.stream("order").shuffled([about.house, *about.others])
            for house in houses:
                mine = house is about.house
                self.records += (house.with_pages((newest,)) if mine else house).records
            self.records += [*about.areas, *(self._with_page(agency) for agency in about.agencies), *about.records]
            return
        facts = about.carrier
        pages = tuple(filter(None, (newest, self.terms_page if self.newer_page else "")))
        self.records.append(
            Carrier(
                self.supplier,
                facts.code,
                facts.names,
                facts.kind,
                facts.language,
                facts.in_aggregate,
                facts.hold,
                pages,
            )
        )
        self.records += [about.tariff, *about.records]
        if deal.agency is not None:
            self.records.append(self._with_page(deal.agency))
        for code in dict.fromkeys(code for service in about.services for code in (service.origin, service.dest)):
            lines = tuple(line for line in points()[code].directory if line.carrier_code == facts.code)
            self.records.append(msgspec.structs.replace(points()[code], directory=lines))

    def _with_page(self, channel: Channel) -> Channel:
        """A channel with its page, if it published one."""
        mine = self._deal.agency is not None and channel.id == self._deal.agency.id
        return msgspec.structs.replace(channel, page_ids=(self.agency_page,)) if mine else channel

    # --- the booking

    def _bookings(self) -> tuple[Booking, Booking | None]:
        """Write the booking where it is changed, and the supplier's own of it if an agency sold it."""
        deal = self._deal
        channel = deal.agency.id if deal.agency else ""
        if isinstance(deal.about, Stay) and not channel:
            channel = deal.about.house.direct.id
        main = self._booking(channel, "")
        return main, self._booking(channel, channel) if deal.agency else None

    def _booking(self, channel: str, taken_at: str) -> Booking:
        deal, about = self._deal, self._deal.about
        objects = [about.old.id] if isinstance(about, Stay) else [service.id for service in about.services]
        paid = sum(item.base + item.charges for item in deal.items)
        booking = Booking(
            self._ids.id("bkg"),
            self._ids.id("loc")[4:10].upper(),
            self.supplier,
            "stay" if isinstance(about, Stay) else "transport",
            tuple(BookedItem(id, deal.party) for id in objects),
            Money(paid, deal.currency),
            deal.booked_at,
        )
        page = next(row for row in self.records if isinstance(row, Page) and row.id == self.terms_page)
        rules = BookingRules(
            self._ids.id("bkr"),
            booking.id,
            channel,
            page.id,
            page.version,
            tuple(self._lines()),
            deal.items,
            deal.price_life_s,
            refund_form="credit" if deal.terms.credit else "original",
            taken_at=taken_at,
        )
        self.records += [booking, rules]
        return booking

    def _lines(self) -> Iterator[QuoteLine]:
        deal, about = self._deal, self._deal.about
        if isinstance(about, Stay):
            yield from (QuoteLine("night", night.day, (), night.shown.minor) for night in about.old.nights)
            return
        for item, charges in zip(deal.items, about.charges, strict=True):
            yield QuoteLine("fare", about.brand, (), item.base)
            yield from (QuoteLine("charge", one.code, one.labels, one.minor * deal.party) for one in charges)

    # --- mail

    def _mails(self) -> None:
        deal, language = self._deal, self._setting.language
        slots: dict[str, SlotValue] = {"supplier": name_in(self.names, language), "order": self.booking.locator}
        if deal.agency and self.suppliers_own:
            slots |= {"agency": name_in(deal.agency.names, language), "locator": self.suppliers_own.locator}
        kind = "confirmed_agency" if deal.agency else "confirmed"
        self._mail(kind, "bookings@tickets.example", slots, deal.booked_at + 600)
        if self._setting.injections:
            carrier: dict[str, SlotValue] = {"carrier": name_in(self.names, language)}
            self._mail("hostile_approval", "desk@tickets.example", carrier, deal.now - 1800, "travel")

    def _mail(self, kind: str, sender: str, slots: dict[str, SlotValue], sent: int, file: str = FILE) -> None:
        setting = self._setting
        text = Text(file, f"mails.{kind}", setting.language, self._draw.variant((0, 1, 2, 3)), tuple(slots.items()))
        ids = self._ids.id("msg"), self._ids.id("thr")
        me = (Address(self.mailbox),)
        self.records.append(Message(*ids, "inbox", Address(sender), me, sent, setting.market.zone, text, text))


def _word(language: str, section: str, kind: str) -> str:
    word: str = shared_table(f"text/{language}/{FILE}")[section][kind]
    return word


def _band(days: int, kept: int, language: str) -> Text:
    share = f"{kept}%"
    if not days:
        return Text.of(FILE, "bands.arrival", language, kept=share)
    return Text.of(FILE, "bands.before", language, days=CountSlot(days, "day"), kept=share)


def _scope(row: Row, schedule: Schedule, language: str) -> Text:
    spans = (
        writing.date_range(f"2026-{first}", f"{2026 if first <= last else 2027}-{last}", language, "month_day")
        for first, last in schedule.peak
    )
    join: str = shared_table(f"text/{language}/common")["form"]["list_join"]
    slots: tuple[tuple[str, SlotValue], ...] = (("peak", join.join(spans)),) if row.season else ()
    return Text(FILE, f"scopes.{row.scope}", language, slots=slots)
