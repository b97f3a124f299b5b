"""What houses and authorities publish of the charges of a stay: fees, tariff, rules of the place, older versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_tasks.commons.texts import CountSlot, DateSlot, LinesSlot, NameSlot, SlotValue, Stated, Text, TimeSlot
from agentbench_tasks.travel.domain.geography import static_id
from agentbench_tasks.travel.domain.houses import City
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import ListingSection, Property, SectionKind
from agentbench_tasks.travel.domain.stay_bills import Fee, Tax
from agentbench_tasks.travel.domain.stay_rules import VAT_FACT, Area, AreaTax, Charges, Law, area_fact, house_facts

FILE = "stay_cost"
PAGE_OF = {"percent": "percent", "by_class": "by_class", "bands": "bands", "bather": "bather"}
# What the fees section leaves to the tariff.
DETAILS = ("child", "meal", "optional")
Line = tuple[str, Mapping[str, SlotValue]]


class StayPapers:
    """Writes the papers on charges through a press that was made for the text file `FILE`.

    Args:
        draw: the stream for wordings and dates.
        press: the press; its records take the pages.
        setting: market and language.
        law: the market's rules.
        city: the city that all houses lie in.
    """

    def __init__(self, draw: Draw, press: Press, setting: Setting, law: Law, city: City) -> None:
        self._draw, self._press, self._setting, self._law, self._city = draw, press, setting, law, city
        self.area: Area = law.areas[city.area]
        self._language, self._currency = setting.language, setting.market.currency

    # --- houses

    def listing(self, house: Property) -> list[ListingSection]:
        """The overview and the rules of a house, with its check-in hours."""
        hours: dict[str, SlotValue] = {
            "from_time": TimeSlot(house.checkin.opens),
            "until_time": TimeSlot(house.checkin.closes),
        }
        about: dict[str, SlotValue] = {
            "house": NameSlot(house.names),
            "kind": Text.of(FILE, f"kinds.{house.kind}", self._language),
            "district": NameSlot(self._city.district(house.district_id).names),
        }
        stated = (Stated(f"{house.id}.checkin_until", house.checkin.closes, "until_time"),)
        return [
            self._section(house, "overview", {**about, **hours}, stated),
            self._section(house, "house_rules", hours, stated),
        ]

    def fees(self, house: Property, charges: Charges) -> ListingSection:
        """The fees section of a house: every charge, details left to the tariff."""
        lines = [line for line in self._lines(charges, in_full=False) if line[0].partition("_")[0] not in DETAILS]
        facts = house_facts(house.id, charges)
        told = [key for key in facts if not key.endswith(".child") and ".meal." not in key]
        if len(self._law.vat_on_fees) > 1:
            told.remove(f"{house.id}.vat_on_fees")
        return self._section(house, "fees", {"lines": self._rows(lines)}, _stated(facts, told))

    def tariff(self, house: Property, charges: Charges, older: Charges | None = None) -> tuple[str, ...]:
        """Publish the tariff of a house; return the ids of its page and, if given, of the older version it replaces."""
        name = name_in(house.names, self._language)
        ids: list[str] = []
        for version in (older, charges):
            if version is None:
                continue
            facts = house_facts(house.id, version)
            slots: dict[str, SlotValue] = {"house": name, "lines": self._rows(self._lines(version, in_full=True))}
            day = self._press.today - timedelta(
                self._draw.int(500, 700) if version is older else self._draw.int(30, 200)
            )
            content = [("tariff", slots, _stated(facts, list(facts)))]
            replaced = ids[0] if ids else ""
            ids.append(
                self._press.page(
                    house.id, name, "provider", "tariff", self._language, content, False, day.isoformat(), "", replaced
                )
            )
        return tuple(ids)

    def _lines(self, charges: Charges, in_full: bool) -> list[Line]:
        rules = charges.rules
        lines: list[Line] = [self._service(charges), self._vat(charges, in_full)]
        lines += [self._local(tax, charges) for tax in rules.taxes]
        lines += [("local_inside", {"label": self.label(kind)}) for kind in charges.inside]
        lines += [("local_none", {})] if not rules.taxes and not charges.inside else []
        lines += [("meal", {"amount": self._money(n), "meal": self.label(meal)}) for meal, n in rules.meals]
        if any(fee.unit == "person_night" for fee in rules.fees):
            lines.append(("guests", {"guests": CountSlot(rules.guests, "person")}))
        for fee in rules.fees:
            lines += self._fee(fee)
        lines.append(("deposit", {"amount": self._money(rules.deposit)}) if rules.deposit else ("deposit_none", {}))
        lines += [("optional", {"label": self.label(kind), "amount": self._money(n)}) for kind, n in charges.optional]
        return lines

    def _service(self, charges: Charges) -> Line:
        rules = charges.rules
        if rules.service == "0":
            return "service_none", {}
        kind = "inside" if not rules.service_outside else "outside" if rules.service_on_meals else "outside_room"
        return f"service_{kind}", {"percent": f"{rules.service}%"}

    def _vat(self, charges: Charges, in_full: bool) -> Line:
        rules, law = charges.rules, self._law
        label: dict[str, SlotValue] = {"label": name_in(law.vat_names, self._language)}
        rate: dict[str, SlotValue] = {**label, "percent": f"{rules.vat}%"}
        if not rules.vat_outside:
            return "vat_inside", rate
        if law.vat_refers:
            return "vat_outside_refers", label
        if not in_full and len(law.vat_on_fees) > 1:
            return "vat_outside_tariff", rate
        return "vat_outside_fees" if rules.vat_on_fees else "vat_outside", rate

    def _local(self, tax: Tax, charges: Charges) -> Line:
        label: dict[str, SlotValue] = {"label": self.label(tax.kind)}
        if tax.kind in charges.printed:
            return "local_percent", {**label, "percent": f"{tax.percent}%"}
        authority: dict[str, SlotValue] = {"authority": NameSlot(self.area.authority)}
        return "local_refers_cash" if tax.at_desk else "local_refers", {**label, **authority}

    def _fee(self, fee: Fee) -> list[Line]:
        slots: dict[str, SlotValue] = {"label": self.label(fee.kind), "amount": self._money(fee.amount)}
        ending = "_cash" if fee.in_cash else ""
        if fee.plus_plus:
            ending = "_plus"
            slots["tax"] = name_in(self._law.vat_names, self._language)
        if fee.first_day:
            ending, season = "_season", {"from_date": DateSlot(fee.first_day), "to_date": DateSlot(fee.last_day)}
            slots |= season
        lines: list[Line] = [(f"fee_{fee.unit}{ending}", slots)]
        if fee.child_under:
            limit: dict[str, SlotValue] = {"label": self.label(fee.kind), "age": fee.child_under}
            amount = self._money(fee.child_amount)
            lines.append(("child", {**limit, "amount": amount}) if fee.child_amount else ("child_free", limit))
        return lines

    # --- authorities

    def rules_of_place(self, kinds: Sequence[str], day: str, with_older: bool) -> None:
        """Publish the rules of the area for these kinds of charge, and the versions before them if wanted."""
        for row in self.area.in_force(day):
            if row.tax.kind in kinds:
                older = self.area.older(row.tax.kind, day) if with_older else None
                replaced = self._rule(older, "") if older else ""
                self._rule(row, replaced)

    def vat_rule(self, with_older: bool) -> None:
        """Publish the rate of VAT in force, where houses refer to it, and the one before it if wanted."""
        replaced, name = "", name_in(self._law.vat_authority, self._language)
        for rate, day in self._law.vat_versions[None if with_older else -1 :]:
            slots: dict[str, SlotValue] = {
                "label": name_in(self._law.vat_names, self._language),
                "percent": f"{rate}%",
                "from_date": DateSlot(day),
            }
            content = [("vat_rate", slots, (Stated(VAT_FACT, rate, "percent"),))]
            replaced = self._press.page(
                static_id("org", name), name, "authority", "standard", self._language, content, True, day, "", replaced
            )

    def _rule(self, row: AreaTax, replaced: str) -> str:
        tax, name = row.tax, name_in(self.area.authority, self._language)
        slots: dict[str, SlotValue] = {"label": self.label(tax.kind), "from_date": DateSlot(row.from_date)}
        if tax.how == "percent":
            slots["percent"] = f"{tax.percent}%"
        elif tax.how == "bather":
            slots |= {"amount": self._money(tax.amount), "age": tax.exempt_under}
        elif tax.how == "bands":
            slots["lines"] = self._bands(tax)
        else:
            rows: list[Line] = [("class_row", {"level": level, "amount": self._money(n)}) for level, n in tax.amounts]
            slots |= {"lines": self._rows(rows), "nights": CountSlot(tax.most_nights, "night")}
        key, value = area_fact(self.area, tax)
        assert isinstance(value, str)
        content = [(PAGE_OF[tax.how], slots, (Stated(key, value),))]
        publisher = static_id("org", self.area.id)
        return self._press.page(
            publisher, name, "authority", "fee_schedule", self._language, content, True, row.from_date, "", replaced
        )

    def _bands(self, tax: Tax) -> LinesSlot:
        rows: list[Line] = []
        edges = [start for start, _ in tax.bands[1:]]
        for (start, amount), end in zip(tax.bands, [*edges, 0], strict=True):
            slots: dict[str, SlotValue] = {"amount": self._money(amount)}
            slots |= {"low": self._money(start)} if start else {}
            slots |= {"high": self._money(end)} if end else {}
            rows.append((f"band_{'between' if start and end else 'under' if end else 'over'}", slots))
        return self._rows([*rows, ("band_person", {})])

    # --- hearsay

    def forum(self, house: Property, percent: str) -> None:
        """A post that adds a percentage and has done."""
        slots: dict[str, SlotValue] = {"house": NameSlot(house.names), "percent": percent}
        content = [("forum_bill", slots, ())]
        self._press.page(static_id("org", "forum"), "Layover Lounge", "forum", "forum_post", self._language, content)

    # --- pieces

    def label(self, kind: str) -> Text:
        """The name of a charge, a meal or a service."""
        return Text.of(FILE, f"labels.{kind}", self._language)

    def _money(self, minor: int) -> Money:
        return Money(minor, self._currency)

    def _rows(self, lines: Sequence[Line]) -> LinesSlot:
        texts = (Text(FILE, f"lines.{kind}", self._language, 0, tuple(slots.items())) for kind, slots in lines)
        return LinesSlot(tuple((text,) for text in texts))

    def _section(
        self, house: Property, kind: SectionKind, slots: dict[str, SlotValue], stated: tuple[Stated, ...]
    ) -> ListingSection:
        variant = self._draw.variant((0, 1, 2, 3))
        text = Text(FILE, f"listing.{kind}", self._language, variant, tuple(slots.items()))
        published = (self._press.today - timedelta(self._draw.int(10, 300))).isoformat()
        id = self._press.ids.id("sec")
        return ListingSection(id, house.id, "", kind, self._language, text, published, "property", stated)


def _stated(facts: dict[str, str | int], keys: Sequence[str]) -> tuple[Stated, ...]:
    return tuple(Stated(key, facts[key]) for key in keys)
