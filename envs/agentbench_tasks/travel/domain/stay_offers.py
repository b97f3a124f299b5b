"""How houses sell their rooms, and what the bill of a rate rests on: the facts that its papers must state."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agentbench_env.claims import Fact
from agentbench_env.episode import Episode
from agentbench_tasks.travel.domain.houses import House
from agentbench_tasks.travel.domain.records_stays import Property, Rate
from agentbench_tasks.travel.domain.stay_bills import Bill, Board, Guests, Tax, bill, extra_guests
from agentbench_tasks.travel.domain.stay_rules import VAT_FACT, Area, Charges, Law, area_fact, house_facts, tax_text

BY_PERSON = frozenset({"ryokan", "minshuku"})
"""Kinds of house whose prices are shown for each guest."""


def by_person(house: House) -> bool:
    """Whether a house shows its prices for each guest."""
    return house.record.kind in BY_PERSON


def boards_of(house: House) -> tuple[Board, ...]:
    """The boards that a house sells, those with few meals first."""
    if by_person(house):
        return "breakfast", "half_board", "room_only"
    return ("room_only", "breakfast", "half_board") if house.record.kind == "resort" else ("room_only", "breakfast")


def priced_outside(charges: Charges) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the shown prices of a house hold and what comes on top of them, as a channel names it."""
    rules = charges.rules
    inside = [("service", rules.service != "0" and not rules.service_outside), ("vat", not rules.vat_outside)]
    outside = [("service", rules.service_outside), ("vat", rules.vat_outside)]
    outside += [("public_charges", bool(rules.taxes)), ("house_fees", bool(rules.fees))]
    return tuple(name for name, holds in inside if holds), tuple(name for name, holds in outside if holds)


class OfferedRate:
    """A rate with its right bill for a party, and what each kind of line rests on."""

    def __init__(self, rate: Rate, house: Property, charges: Charges, guests: Guests, law: Law, area: Area) -> None:
        self.rate, self.charges = rate, charges
        self._house, self._guests, self._law, self._area = house, guests, law, area
        self.bill: Bill = bill(charges.rules, rate.nights, guests, rate.board, house.official_class)

    def base_facts(self) -> list[Fact]:
        """The shown price of each night."""
        return [(f"{self.rate.id}.{night.day}.shown", str(night.shown)) for night in self.rate.nights]

    def vat_and_service_facts(self) -> list[Fact]:
        """How the house charges both, and the rate in force where it refers to the law."""
        names = ["service", "vat"]
        if len(self._law.vat_on_fees) > 1 and self.charges.rules.vat_outside:
            names.append("vat_on_fees")
        facts = self._house_facts(*names)
        return [*facts, (VAT_FACT, self.charges.rules.vat)] if self.charges.vat_refers else facts

    def local_tax_facts(self) -> list[tuple[Fact, ...]]:
        """For each public charge the facts that state it, any of which will do; where there is none, that it is so."""
        if not self.charges.rules.taxes:
            return [tuple(self._house_facts("local"))]
        return [self._of_tax(tax) for tax in self.charges.rules.taxes]

    def _of_tax(self, tax: Tax) -> tuple[Fact, ...]:
        official = area_fact(self._area, tax)
        printed = tax.kind in self.charges.printed
        return (official, (f"{self._house.id}.{tax.kind}", tax_text(tax))) if printed else (official,)

    def fee_facts(self) -> list[Fact]:
        """Each fee and the price of children that it was worked out with; where there is none, that it is so."""
        rules = self.charges.rules
        ages = [age for age in extra_guests(rules, self._guests) if age is not None]
        names: list[str] = []
        for fee in rules.fees:
            names.append(fee.kind)
            if fee.unit == "person_night" and any(age < fee.child_under for age in ages):
                names.append(f"{fee.kind}.child")
        return self._house_facts(*(names or ["fees"]))

    def cash_facts(self) -> list[Fact]:
        """What is paid in cash, and the deposit."""
        return self._house_facts("cash", "deposit")

    def _house_facts(self, *names: str) -> list[Fact]:
        facts = house_facts(self._house.id, self.charges)
        return [(key, facts[key]) for key in (f"{self._house.id}.{name}" for name in names)]


def carried_facts(ep: Episode, sources: Collection[str], alternatives: Sequence[tuple[Fact, ...]]) -> list[Fact]:
    """Of each group of facts the first one that a source carries, the first of all where none is carried."""
    return [
        next((fact for fact in facts if any(ep.carries(source, *fact) for source in sources)), facts[0])
        for facts in alternatives
    ]
