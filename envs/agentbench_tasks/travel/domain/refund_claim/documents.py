"""The household's documents: what the terms ask for as far as it is there, and papers that look like it."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text import render as writing
from agentbench_tasks.commons.papers import Form
from agentbench_tasks.commons.texts import DateSlot, MomentSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.records import Service, name_in
from agentbench_tasks.travel.domain.refund_claim.bookings import Bookings, day_key, line_key
from agentbench_tasks.travel.domain.refund_claim.document_writer import Person, Writer
from agentbench_tasks.travel.domain.refund_claim.market import insurers
from agentbench_tasks.travel.domain.refund_claim.plot import Log, Plot, Receipt

MOST_MISSING = {"easy": (1, 1), "standard": (1, 2), "hard": (2, 3)}


class Documents(Writer):
    """Writes the documents; `receipt_ids` are the papers of the plot's receipts, in their order."""

    def __init__(
        self,
        draw: Draw,
        ids: Draw,
        setting: Setting,
        plot: Plot,
        people: list[Person],
        outsider: Person,
        bookings: Bookings,
        addressee: str,
    ) -> None:
        super().__init__(draw, ids, setting, plot)
        self._people, self._outsider, self._bookings, self._addressee = people, outsider, bookings, addressee
        self.receipt_ids: list[str] = []
        self.policy_id = self.notice_id = ""
        self.missing = self._missing()
        self._tickets()
        self._certificate()
        self._itineraries()
        self._receipts()
        self._policies()
        self._form()
        self._identity()
        self._report()
        self._payment()

    def _missing(self) -> set[tuple[str, str]]:
        """Draw what is not there; something always is not, or "everything is held" would be a good guess."""
        asks, droppable = self._plot.versions.governing.asks, list[tuple[str, str]]()
        for key in ("delay_certificate", "bank_details_form", "id_copy", "police_or_carrier_report"):
            droppable += [(key, "")] if key in asks else []
        if "boarding_pass" in asks:
            droppable += [("boarding_pass", person.id) for person in self._people]
        low, high = MOST_MISSING[self._setting.difficulty]
        return set(self._draw.sample(droppable, self._draw.int(low, high)))

    # --- what the carrier issued

    def _ticket(self, person: Person, service: Service, foreign: bool = False) -> str:
        day = service.dep_local[:10]
        fields = [
            ("passenger", person.name.latin),
            ("service", service.number),
            ("date", self._day(day)),
            ("from_to", f"{service.origin} - {service.dest}"),
        ]
        stated = (Stated(day_key(service.id), day),)
        return self._add(
            "boarding_pass", "boarding_pass", person, self._carrier, day, fields, stated=stated, foreign=foreign
        )

    def _tickets(self) -> None:
        plot, draw = self._plot, self._draw
        if not plot.used:
            return
        last = plot.used[-1]
        for person in self._people:
            if ("boarding_pass", person.id) in self.missing:
                self._need("boarding_pass", (), person.id)
            else:
                self._need("boarding_pass", (self._ticket(person, last),), person.id)
            if plot.other_leg is not None and draw.chance(0.6):
                near = self._ticket(person, plot.other_leg)
                if ("boarding_pass", person.id) in self.missing:
                    self.near.append(("boarding_pass", person.id, near))
            if last is not plot.planned[0] and len(plot.used) > 1 and draw.chance(0.7):
                self._ticket(person, plot.used[0])
        near = self._ticket(self._outsider, last, foreign=True)
        self.near += [(key, person, near) for key, person in sorted(self.missing) if key == "boarding_pass"]

    def _certificate(self) -> None:
        plot, log = self._plot, self._plot.logs[0]
        if ("delay_certificate", "") not in self.missing:
            self._need("delay_certificate", (self._confirmation(log),))
            return
        self._need("delay_certificate", ())
        if self._draw.chance(0.8):
            day = plot.planned[0].dep_local[:10]
            fields = [
                ("service", log.service.number),
                ("date", self._day(day)),
                ("status", self._labels["late_status"]),
            ]
            if log.status == "cancelled":
                fields = fields[:2]
            near = self._add("delay_certificate", "screenshot", self._people[0], "", "", fields, form="photo")
            self.near.append(("delay_certificate", "", near))

    def _confirmation(self, log: Log) -> str:
        plot, service = self._plot, log.service
        slots: dict[str, SlotValue] = {
            "service": service.number,
            "date": DateSlot(service.dep_local[:10]),
            "sched_dep": MomentSlot(service.dep_local),
            "cause": Text("refund_claim", f"causes.{plot.cause}", self._setting.language),
        }
        stated = [
            Stated(f"{service.id}.dep", service.departs, "sched_dep"),
            Stated(day_key(service.id), service.dep_local[:10], "date"),
        ]
        kind = "certificate_cancel"
        if log.status != "cancelled":
            kind = "certificate_delay"
            real = msgspec.structs.replace(service, departs=log.departed, arrives=log.arrived)
            slots["sched_arr"] = MomentSlot(service.arr_local)
            slots["act_dep"], slots["act_arr"] = MomentSlot(real.dep_local), MomentSlot(real.arr_local)
            stated += [
                Stated(f"{service.id}.arr", service.arrives, "sched_arr"),
                Stated(f"{service.id}.act_dep", log.departed, "act_dep"),
                Stated(f"{service.id}.act_arr", log.arrived, "act_arr"),
            ]
        wording = self._draw.variant((0, 1, 2, 3))
        text = Text("refund_claim", f"papers.{kind}", self._setting.language, wording, tuple(slots.items()))
        # Never before the mail that gives notice, or the terms' "notified in writing" could mean either.
        issued = self._day_of(plot.notice_at)
        return self._add(
            "delay_certificate",
            "delay_certificate",
            self._people[0],
            self._carrier,
            issued,
            [],
            text=text,
            private=(),
            stated=tuple(stated),
        )

    def _itineraries(self) -> None:
        bookings, plot = self._bookings, self._plot
        names = ", ".join(person.name.latin for person in self._people)
        fields = [("passengers", names), ("reference", bookings.main.locator)]
        legs = [(service.number, service) for service in (*plot.planned, *([plot.other_leg] if plot.other_leg else []))]
        legs.sort(key=lambda leg: leg[1].departs)
        fields += [(number, f"{self._day(s.dep_local[:10])}, {s.origin} - {s.dest}") for number, s in legs]
        currency = self._setting.market.currency
        stated = [Stated(day_key(service.id), service.dep_local[:10]) for _, service in legs]
        for leg, money in bookings.legs.items():
            for kind, minor in (("fare", money.fare), ("fuel", money.fuel), ("airport", money.airport)):
                label = self._labels[f"{kind}_leg"].replace("{way}", bookings.way(leg))
                fields.append((label, self._money(Money(minor, currency))))
                stated.append(Stated(line_key(bookings.main.id, kind, leg), minor))
        fields.append(("total", self._money(bookings.main.paid)))
        issued = plot.booked_at
        day = self._day_of(issued)
        own = self._add("itinerary", "itinerary", self._people[0], self._carrier, day, fields, stated=tuple(stated))
        self._need("itinerary", (own,))
        coming = bookings.coming_service
        fields = [
            ("passengers", names),
            ("reference", bookings.coming.locator),
            (coming.number, f"{self._day(coming.dep_local[:10])}, {coming.origin} - {coming.dest}"),
            ("total", self._money(bookings.coming.paid)),
        ]
        day = self._day_of(bookings.coming.booked_at)
        self._add("itinerary", "itinerary", self._people[0], self._carrier, day, fields, foreign=True)

    # --- what was spent, and by whom it was paid

    def _receipts(self) -> None:
        needs: list[list[str]] = []
        previous = ""
        for receipt in self._plot.receipts:
            number = f"{self._draw.int(10000, 99999)}"
            if receipt.flaw == "copy":
                # The same receipt a second time: either copy will do.
                needs[0].append(self._receipt(self._plot.receipts[0], previous, "copy"))
                self.receipt_ids.append(needs[0][-1])
                continue
            made = self._receipt(receipt, number, "original")
            self.receipt_ids.append(made)
            if not receipt.flaw:
                previous = previous or number
                needs.append([made])
        for group in needs:
            self._need("receipts", tuple(group))

    def _receipt(self, receipt: Receipt, number: str, form: Form) -> str:
        holder = self._outsider if receipt.flaw == "stranger" else self._people[receipt.who]
        named = "blank" if receipt.flaw == "unnamed" else ""
        fields = [
            ("number", number),
            ("date", writing.date(receipt.day, self._setting.language, self._receipt_date)),
            ("item", self._labels[f"item_{receipt.kind}"]),
            ("amount", self._money(Money(receipt.minor, self._setting.market.currency))),
            ("name", self._labels[named] if named else holder.name.native),
        ]
        shown = msgspec.structs.replace(
            holder, name=msgspec.structs.replace(holder.name, native="" if named else holder.name.native)
        )
        id = self._ids.id("ppr")
        return self._add(
            "receipt",
            "receipt",
            shown,
            self._shops[receipt.kind],
            receipt.day,
            fields,
            form=form,
            private=("payment",),
            stated=(Stated(f"{id}.amount", receipt.minor),),
            foreign=receipt.flaw == "stranger",
            id=id,
        )

    def _payment(self) -> None:
        paid = self._plot.paid_by_others
        if not paid:
            return
        day = date.fromisoformat(self._plot.planned[0].dep_local[:10]) + timedelta(2)
        event = self._day(self._plot.planned[0].dep_local[:10])
        id = self._ids.id("ppr")
        fields = [
            ("item", self._labels["purpose_expenses"].replace("{date}", event)),
            ("amount", self._money(Money(paid, self._setting.market.currency))),
        ]
        self.notice_id = self._add(
            "payment_notice",
            "payment_notice",
            self._people[0],
            self._shops["payer"],
            day.isoformat(),
            fields,
            private=("payment",),
            stated=(Stated(f"{id}.amount", paid),),
            id=id,
        )

    # --- cover, forms, identity, report

    def _policies(self) -> None:
        plot = self._plot
        if plot.addressee != "insurer":
            return
        own = insurers(self._setting.market.code)
        start = date.fromisoformat(plot.policy_on)
        names = ", ".join(person.name.latin for person in self._people)
        for old, insurer in ((False, own[0]), (True, own[0])):
            first = start - timedelta(420) if old else start
            last = first + timedelta(364)
            fields = [
                ("insured", names),
                ("number", f"TP-{self._draw.int(100000, 999999)}"),
                ("period", f"{self._day(first.isoformat())} - {self._day(last.isoformat())}"),
            ]
            made = self._add(
                "insurance_policy",
                "policy",
                self._people[0],
                name_in(insurer, self._setting.language),
                first.isoformat(),
                fields,
                valid_from=first.isoformat(),
                valid_to=last.isoformat(),
                private=("insurance_id",),
                stated=(() if old else (Stated("policy.issued_on", first.isoformat()),)),
                foreign=old,
            )
            if not old:
                self.policy_id = made
                self._need("policy_number", (made,))

    def _form(self) -> None:
        absent = ("bank_details_form", "") in self.missing
        if "bank_details_form" not in self._plot.versions.governing.asks or (absent and self._draw.chance(0.2)):
            self._need("bank_details_form", ())
            return
        claimant = self._people[0]
        fields = [
            ("recipient", self._addressee),
            ("account_holder", claimant.name.latin),
            ("signature", self._labels["unsigned" if absent else "signed"]),
        ]
        day = (date.fromisoformat(self._plot.planned[0].dep_local[:10]) + timedelta(2)).isoformat()
        made = self._add(
            "bank_details_form",
            "bank_form",
            claimant,
            self._addressee,
            day,
            fields,
            form="scan",
            signed=not absent,
            private=("payment",),
        )
        self._need("bank_details_form", () if absent else (made,))
        if absent:
            self.near.append(("bank_details_form", "", made))

    def _identity(self) -> None:
        absent = ("id_copy", "") in self.missing
        event = date.fromisoformat(self._plot.planned[0].dep_local[:10])
        held: tuple[str, ...] = ()
        for place, person in enumerate(self._people[: self._plot.adults]):
            expired = absent and place == 0
            until = (
                event - timedelta(self._draw.int(20, 300)) if expired else event + timedelta(self._draw.int(400, 2000))
            )
            issued = until - timedelta(3652)
            fields = [("name", person.name.latin), ("valid_to", self._day(until.isoformat()))]
            made = self._add(
                "id_copy",
                "id_copy",
                person,
                "",
                issued.isoformat(),
                fields,
                form="copy",
                valid_from=issued.isoformat(),
                valid_to=until.isoformat(),
                private=("identity", "travel_document"),
            )
            if place == 0 and not absent:
                held = (made,)
            if absent and place < 2:
                self.near.append(("id_copy", "", made))
        self._need("id_copy", held)

    def _report(self) -> None:
        if "police_or_carrier_report" not in self._plot.versions.governing.asks:
            return
        absent = ("police_or_carrier_report", "") in self.missing
        first = self._plot.planned[0]
        day = date.fromisoformat(first.dep_local[:10])
        if absent:
            day -= timedelta(self._draw.int(150, 300))
        number = first.number if not absent else f"{first.carrier} {self._draw.int(60, 88)}"
        fields = [
            ("reference", f"IR-{self._draw.int(10000, 99999)}"),
            ("service", number),
            ("date", self._day(day.isoformat())),
        ]
        made = self._add(
            "incident_report",
            "report",
            self._people[0],
            self._carrier,
            day.isoformat(),
            fields,
            private=(),
            foreign=absent,
        )
        self._need("police_or_carrier_report", () if absent else (made,))
        if absent:
            self.near.append(("police_or_carrier_report", "", made))
