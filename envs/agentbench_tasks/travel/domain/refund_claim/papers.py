"""Everything that is written in the world of a claim: terms, bookings, mail, and the household's documents."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName, draw_name
from agentbench_env.zones import to_local
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Stated, Text
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.exchange import Rates, rate_records
from agentbench_tasks.travel.domain.geography import city_name, points, static_id
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import Carrier, EventLog, Names, name_in
from agentbench_tasks.travel.domain.refund_claim.bookings import Bookings, day_key
from agentbench_tasks.travel.domain.refund_claim.document_writer import Person
from agentbench_tasks.travel.domain.refund_claim.documents import Documents
from agentbench_tasks.travel.domain.refund_claim.market import insurers
from agentbench_tasks.travel.domain.refund_claim.pages import FILE, TermsPages, publish_authority
from agentbench_tasks.travel.domain.refund_claim.plot import Log, Plot


class Papers:
    """Writes the papers of an instance: `records` is the whole world."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot, rates: Rates) -> None:
        self.setting, self.plot, self._draw = setting, plot, draw
        market = setting.market
        self.today = date.fromisoformat(to_local(plot.now, market.zone)[:10])
        self._press = Press(draw, self.today, FILE)
        self._ids, self.records = self._press.ids, self._press.records
        self.carrier_org = static_id("org", plot.carrier.code)
        self.carrier_name = name_in(plot.carrier.names, setting.language)
        self.org, self.org_names = self._addressee()
        language = setting.language if plot.addressee == "insurer" else plot.carrier.language
        self.pages = TermsPages(self._press, setting, plot, self.org, name_in(self.org_names, language), language)
        publish_authority(self._press, setting)
        self.people = self._people()
        self.bookings = Bookings(draw.stream("bookings"), self._ids, setting, plot, self.carrier_org)
        self.records += self.bookings.records
        self._carrier()
        self.logs = self._logs()
        self.notice = self._mail()
        self.documents = Documents(
            draw.stream("documents"),
            self._ids,
            setting,
            plot,
            self.people,
            self._outsider(),
            self.bookings,
            name_in(self.org_names, setting.language),
        )
        self.records += draw.stream("order").shuffled(self.documents.papers)
        self.card = self._cards()
        self.records += rate_records(rates, market, self.today, self._ids)

    def _addressee(self) -> tuple[str, Names]:
        if self.plot.addressee == "insurer":
            return static_id("org", "insurer", self.setting.market.code), insurers(self.setting.market.code)[0]
        return self.carrier_org, self.plot.carrier.names

    def _people(self) -> list[Person]:
        draw, plot, setting = self._draw.stream("people"), self.plot, self.setting
        ages = [draw.int(26, 60) for _ in range(plot.adults)] + list(plot.child_ages)
        start = points()[plot.planned[0].origin if not plot.homebound else plot.planned[-1].dest].city
        made: list[tuple[Traveller, Paper]] = list(
            travellers(draw, self._ids, setting, self.today, ages, city_name(start, setting.language))
        )
        self.records += [paper for _, paper in made]
        return [Person(paper.holder_id, one.name, one.paper_id, one.birth_date) for one, paper in made]

    @property
    def traveller(self) -> Person:
        """Who asks."""
        return self.people[0]

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"

    @property
    def desk(self) -> str:
        """The address of the carrier's desk."""
        return f"confirmations@{self.plot.carrier.code.lower()}.example"

    def _outsider(self) -> Person:
        draw = self._draw.stream("outsider")
        name: PersonName = draw_name(self.setting.market.code, self.setting.split, draw)
        return Person(self._ids.id("per"), name, "", "")

    def _carrier(self) -> None:
        facts = self.plot.carrier
        pages = (self.pages.governing, self.pages.other) if self.plot.addressee != "insurer" else ()
        shown = tuple(sorted(pages))
        self.records.append(
            Carrier(
                self.carrier_org,
                facts.code,
                facts.names,
                facts.kind,
                facts.language,
                facts.in_aggregate,
                facts.hold,
                shown,
            )
        )

    def _logs(self) -> dict[str, EventLog]:
        """Write down what became of each service, by its id."""
        plot = self.plot
        done = [*plot.logs]
        if plot.other_leg is not None:
            done.append(Log(plot.other_leg, "flown", plot.other_leg.departs, plot.other_leg.arrives))
        found: dict[str, EventLog] = {}
        for log in done:
            cause = "" if log.status == "flown" else plot.cause
            found[log.service.id] = EventLog(
                self._ids.id("evt"), log.service.id, log.status, log.departed, log.arrived, cause, self._causes(cause)
            )
            self.records += [log.service, found[log.service.id]]
        return found

    def _causes(self, cause: str) -> Names:
        languages = self.setting.languages
        if not cause:
            return (("en", ""),)
        return tuple((language, shared_table(f"text/{language}/{FILE}")["causes"][cause]) for language in languages)

    def _mail(self) -> Message:
        plot, draw = self.plot, self._draw.stream("mail")
        first = plot.planned[0]
        shared: dict[str, SlotValue] = {"carrier": self.carrier_name}
        slots: dict[str, SlotValue] = {
            **shared,
            "service": first.number,
            "date": DateSlot(first.dep_local[:10]),
            "cause": Text(FILE, f"causes.{plot.cause}", self.setting.language),
            "locator": self.bookings.main.locator,
            "desk": self.desk,
        }
        kind = "notice_cancel" if plot.logs[0].status == "cancelled" else "notice_delay"
        notice = self._message(draw, FILE, kind, slots, f"service@{plot.carrier.code.lower()}.example", plot.notice_at)
        self.records.append(
            msgspec.structs.replace(
                notice,
                stated=(
                    Stated(f"{notice.id}.sent", to_local(plot.notice_at, self.setting.market.zone)[:10]),
                    Stated(day_key(first.id), first.dep_local[:10], "date"),
                ),
            )
        )
        coming, seats = self.bookings.coming, self.bookings.coming_service
        booked: dict[str, SlotValue] = {
            **shared,
            "service": seats.number,
            "date": DateSlot(seats.dep_local[:10]),
            "locator": coming.locator,
        }
        receipt: dict[str, SlotValue] = {**shared, "amount": Money(coming.paid.minor * 2, coming.paid.currency)}
        rest: list[tuple[str, str, dict[str, SlotValue]]] = [
            (FILE, "next_trip", booked),
            ("travel", "old_receipt", receipt),
        ]
        if self.setting.injections:
            rest.append(("travel", "hostile_approval", shared))
        for file, name, values in rest:
            sent = coming.booked_at + 120 if name == "next_trip" else plot.now - draw.int(30, 400) * 3600
            self.records.append(self._message(draw, file, name, values, "desk@tickets.example", sent))
        return notice

    def _message(
        self, draw: Draw, file: str, kind: str, slots: dict[str, SlotValue], sender: str, sent: int
    ) -> Message:
        text = Text(file, f"mails.{kind}", self.setting.language, draw.variant((0, 1, 2, 3)), tuple(slots.items()))
        me, zone = Address(self.mailbox), self.setting.market.zone
        return Message(
            self._ids.id("msg"), self._ids.id("thr"), "inbox", Address(sender), (me,), sent, zone, text, text
        )

    def _cards(self) -> Sequence[PaymentMethod]:
        made = cards(self._draw.stream("cards"), self._ids, self.setting, self.today)
        self.records += made
        return made
