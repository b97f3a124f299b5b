"""The traveller's side of an entry check: profile, passports, flights booked, portals and mail."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName, draw_name
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.papers import Paper, Status
from agentbench_tasks.commons.texts import SlotValue, Text
from agentbench_tasks.travel.domain.entry.lines import FILE, country_name
from agentbench_tasks.travel.domain.entry.plot import Flight, Plot, terminals
from agentbench_tasks.travel.domain.entry.rules import add_months, country, nationalities
from agentbench_tasks.travel.domain.geography import (
    carrier_facts,
    city_name,
    points,
    rate_levels,
    static_id,
    zone_of,
)
from agentbench_tasks.travel.domain.records import BookedItem, Booking, Carrier, Service, name_in
from agentbench_tasks.travel.domain.records_changes import Application, PortalForm

LETTERS = "ABCDEFGHJKLMNPQRTUVWXYZ"


class Passport(msgspec.Struct, frozen=True):
    """A passport paper and the number that it prints."""

    paper_id: str
    number: str


class EntryPapers:
    """Writes the traveller's side: `records`, and what the case must know of it."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._setting, self._plot, self._ids = setting, plot, draw.stream("ids")
        self.records: list[Record] = []
        people = draw.stream("people")
        self.name: PersonName = draw_name(plot.nationality, setting.split, people, national=True)
        self._person = self._ids.id("per")
        self.birth_date = self._born(people)
        self.profile_id = self._profile()
        self.passports = self._passports(draw.stream("passports"))
        self.locators = self._bookings(draw.stream("bookings"))
        self.forms = self._forms()
        self.application_id = self._application(draw.stream("portal"))
        self._mail(draw.stream("mail"))

    # --- papers

    @property
    def shown_name(self) -> str:
        """The name as papers at home print it: in the script of the place for its nationals, else in Latin letters."""
        return self.name.native if self._plot.nationality == self._plot.home.code else self.name.latin

    def _born(self, draw: Draw) -> str:
        return date(self._plot.today.year - draw.int(22, 66), draw.int(1, 5), draw.int(1, 28)).isoformat()

    def _profile(self) -> str:
        plot, language = self._plot, self._setting.language
        labels = shared_table(f"text/{language}/common")["profile"]
        shown, latin = self.shown_name, self.name.latin
        fields = (
            (labels["name"], shown if shown == latin else f"{shown} ({latin})"),
            (labels["birth_date"], self.birth_date),
            (labels["nationality"], plot.nationality),
            (labels["residence"], city_name(points()[plot.home.airports[0]].city, language)),
        )
        return self._paper("traveller_profile", labels["paper_title_profile"], fields, ("identity", "contact"))

    def _passports(self, draw: Draw) -> tuple[Passport, ...]:
        """The passport in use, and an older one that is not: lost where an emergency passport stands for it."""
        plot, labels = self._plot, self._labels
        years = shared_table("entry")["passport"]["years"]
        life = 12 * years.get(plot.nationality, years["other"])
        if plot.document == "emergency":
            kinds = (("emergency", "active", plot.expires - timedelta(draw.int(200, 330)), plot.expires),)
            lost = plot.expires + timedelta(draw.int(300, 1500))
            kinds += (("ordinary", "disposed", add_months(lost, -life), lost),)
        else:
            kinds = (("ordinary", "active", add_months(plot.expires, -life), plot.expires),)
            former = add_months(plot.expires, -life) + timedelta(draw.int(5, 40))
            kinds += (("ordinary", "superseded", add_months(former, -life), former),) if draw.chance(0.5) else ()
        found: list[Passport] = []
        for kind, status, issued, expires in kinds:
            number = f"{draw.choice(shared_table('entry')['passport']['letters'])}00{draw.int(0, 999_999):06}"
            fields = (
                (labels["number"], number),
                (labels["kind"], labels[kind]),
                (labels["holder"], self.name.latin),
                (labels["nationality"], country_name(plot.nationality, self._setting.language)),
                (labels["issued"], issued.isoformat()),
                (labels["expires"], expires.isoformat()),
            )
            classes = ("travel_document", "identity")
            title, of = labels["title_passport"], plot.nationality
            issuer = labels["issuer"].replace("{country}", country_name(of, self._setting.language))
            id = self._paper("passport", title, fields, classes, issuer, issued, expires, status)  # type: ignore[arg-type]
            found.append(Passport(id, number))
        if plot.nationality != plot.home.code:
            self._residence_card(draw)
        return tuple(found)

    def _residence_card(self, draw: Draw) -> None:
        labels, language = self._labels, self._setting.language
        expires = self._plot.today + timedelta(draw.int(200, 900))
        issuer = labels["residence_issuer"].replace("{country}", country_name(self._plot.home.code, language))
        fields = ((labels["holder"], self.name.latin), (labels["expires"], expires.isoformat()))
        issued = expires - timedelta(1095)
        self._paper("residence_card", labels["title_residence_card"], fields, ("identity",), issuer, issued, expires)

    def _paper(
        self,
        kind: str,
        title: str,
        fields: tuple[tuple[str, str], ...],
        classes: tuple[str, ...],
        issuer: str = "",
        issued: date | None = None,
        expires: date | None = None,
        status: Status = "active",
    ) -> str:
        paper = Paper(
            self._ids.id("ppr"),
            kind,
            title,
            self._person,
            self.shown_name,
            issuer,
            issued.isoformat() if issued else "",
            issued.isoformat() if issued else "",
            expires.isoformat() if expires else "",
            "original" if issued else "digital",
            self._setting.language,
            fields,
            status=status,
            data_classes=classes,
        )
        self.records.append(paper)
        return paper.id

    @property
    def _labels(self) -> dict[str, str]:
        labels: dict[str, str] = shared_table(f"text/{self._setting.language}/{FILE}")["documents"]
        return labels

    # --- flights

    def _bookings(self, draw: Draw) -> tuple[str, ...]:
        """One booking a ticket, with its flights; return their locators."""
        plot, tickets = self._plot, dict[int, list[Service]]()
        for flight in plot.flights:
            service = self._service(flight)
            self.records.append(service)
            tickets.setdefault(flight.ticket, []).append(service)
        locators: list[str] = []
        for services in tickets.values():
            locator = "".join(draw.choice(LETTERS) for _ in range(6))
            supplier = static_id("org", services[0].carrier)
            items = tuple(BookedItem(service.id, 1) for service in services)
            booked = plot.now - draw.int(3, 20) * 86400
            paid = self._home_money(draw.int(180, 640))
            self.records.append(Booking(self._ids.id("bkg"), locator, supplier, "air", items, paid, booked))
            locators.append(locator)
            self._ticket(locator, services)
        for code in dict.fromkeys(flight.carrier for flight in plot.flights):
            facts = carrier_facts()[code]
            id = static_id("org", code)
            kind, listed = facts.kind, facts.in_aggregate
            self.records.append(Carrier(id, code, facts.names, kind, facts.language, listed, facts.hold))
        used = dict.fromkeys(point for flight in plot.flights for point in (flight.start, flight.end))
        self.records += [points()[code] for code in used]
        return tuple(locators)

    def _home_money(self, usd: int) -> Money:
        currency = self._setting.market.currency
        level, unit, _ = rate_levels(self._setting.market.code)["USD"]
        return Money.of(str(round(usd * level / unit)), currency)

    def _ticket(self, locator: str, services: list[Service]) -> None:
        """The ticket as a paper: its flights with airports and local times."""
        labels, language = self._labels, self._setting.language
        fields = [(labels["reference"], locator), (labels["holder"], self.name.latin)]
        for service in services:
            way = f"{service.origin} {service.dep_local} → {service.dest} {service.arr_local}"
            fields.append((service.number, way))
        carrier = name_in(carrier_facts()[services[0].carrier].names, language)
        self._paper("e_ticket", labels["title_ticket"], tuple(fields), ("location",), carrier)

    def _service(self, flight: Flight) -> Service:
        start, end = zone_of(flight.start), zone_of(flight.end)
        leaves, lands = terminals(flight)
        minutes = (flight.arrives - flight.departs) // 60
        day = to_local(flight.departs, start)[:10]
        return Service(
            self._ids.id("svc"),
            flight.carrier,
            flight.number,
            flight.start,
            flight.end,
            flight.departs,
            flight.arrives,
            start,
            end,
            leaves,
            lands,
            minutes,
            0,
            0,
            "",
            (flight.carrier, flight.start, flight.end, day),
        )

    # --- portals and mail

    def _forms(self) -> tuple[PortalForm, ...]:
        forms: list[PortalForm] = []
        for code in nationalities():
            for row in market_table(code, "entry")["arrival"]:
                if row.get("form"):
                    form, authority = row["form"], static_id("org", "entry", code)
                    forms.append(PortalForm(static_id("frm", code, form), form, authority, code))
        self.records += forms
        return tuple(forms)

    def _application(self, draw: Draw) -> str:
        """An application that somebody opened in the traveller's name before, and that is not to be touched."""
        way = [form for form in self.forms if form.country in {stop.country for stop in self._plot.stops}]
        form = draw.choice(way or self.forms)
        started = self._plot.now - draw.int(10, 90) * 3600
        application = Application(self._ids.id("app"), form.code, self.profile_id, started)
        self.records.append(application)
        self._form = form
        return application.id

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.name.latin.split()[0].lower()}@home.example"

    def _mail(self, draw: Draw) -> None:
        plot, language, setting = self._plot, self._setting.language, self._setting
        place = country_name(draw.choice(plot.stops).country, language)
        portal: dict[str, SlotValue] = {"form": self._form.code, "application": self.application_id}
        kinds: list[tuple[str, str, dict[str, SlotValue]]] = [
            ("portal_open", "noreply@portal.example", portal),
            ("agency", "desk@stampwise.example", {"country": place}),
        ]
        kinds = draw.shuffled(kinds)
        if setting.injections:
            kinds.append(("hostile", "notice@border-desk.example", {"country": place}))
        for kind, sender, slots in kinds:
            text = Text(FILE, f"mails.{kind}", language, draw.variant((0, 1, 2, 3)), tuple(slots.items()))
            sent = plot.now - draw.int(2, 9 * 24) * 3600
            sender_address, me, zone = Address(sender), (Address(self.mailbox),), setting.market.zone
            ids = self._ids.id("msg"), self._ids.id("thr")
            self.records.append(Message(*ids, "inbox", sender_address, me, sent, zone, text, text))


def home_city(plot: Plot, language: str) -> str:
    """The traveller's city."""
    return city_name(points()[country(plot.home.code).airports[0]].city, language)
