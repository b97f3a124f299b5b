"""The case of a stay's true cost, and the rate that an answer is about."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.claims import Fact, MoneyValue
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.world import World
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_stays import Property, Rate
from agentbench_tasks.travel.domain.stay_bills import Bill, Tax, bill, extra_guests
from agentbench_tasks.travel.domain.stay_cost.plot import Story
from agentbench_tasks.travel.domain.stay_cost.words import Words
from agentbench_tasks.travel.domain.stay_rules import VAT_FACT, Charges, area_fact, house_facts, tax_text


class StayCostCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    story: Story
    bill: Bill
    """The right bill."""
    start: World
    target: str
    """Id of the rate asked about."""
    traps: tuple[str, ...]
    charges: dict[str, Charges]
    """What each house charges, by its id."""
    traveller: Traveller
    card: str
    home: Names
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def currency(self) -> str:
        """The currency that everything is in."""
        return self.story.nights[0].shown.currency


class Chosen:
    """The rate that an answer names, with its right bill and what each kind of line rests on."""

    def __init__(self, case: StayCostCase, ep: Episode, rate: Rate) -> None:
        self._case, self.rate = case, rate
        self.charges = case.charges[rate.property_id]
        self._house = ep.world.get(Property, rate.property_id)
        guests = case.story.guests
        self.bill: Bill = bill(self.charges.rules, rate.nights, guests, rate.board, self._house.official_class)

    def base_facts(self) -> list[Fact]:
        """The shown price of each night."""
        return [(f"{self.rate.id}.{night.day}.shown", str(night.shown)) for night in self.rate.nights]

    def vat_and_service_facts(self) -> list[Fact]:
        """How the house charges both, and the rate in force where it refers to the law."""
        names = ["service", "vat"]
        if len(self._case.story.law.vat_on_fees) > 1 and self.charges.rules.vat_outside:
            names.append("vat_on_fees")
        facts = self._house_facts(*names)
        return [*facts, (VAT_FACT, self.charges.rules.vat)] if self.charges.vat_refers else facts

    def local_tax_facts(self) -> list[tuple[Fact, ...]]:
        """For each public charge the facts that state it, any of which will do; where there is none, that it is so."""
        if not self.charges.rules.taxes:
            return [tuple(self._house_facts("local"))]
        return [self._of_tax(tax) for tax in self.charges.rules.taxes]

    def _of_tax(self, tax: Tax) -> tuple[Fact, ...]:
        official = area_fact(self._case.story.area, tax)
        printed = tax.kind in self.charges.printed
        return (official, (f"{self._house.id}.{tax.kind}", tax_text(tax))) if printed else (official,)

    def fee_facts(self) -> list[Fact]:
        """Each fee and the price of children that it was worked out with; where there is none, that it is so."""
        rules, guests = self.charges.rules, self._case.story.guests
        ages = [age for age in extra_guests(rules, guests) if age is not None]
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


def chosen_rate(case: StayCostCase, ep: Episode, rate_id: str) -> Chosen | None:
    """The rate of an answer, None if it names none."""
    rate = ep.world.find(rate_id)
    return Chosen(case, ep, rate) if isinstance(rate, Rate) else None


def minor(value: MoneyValue, currency: str) -> int | None:
    """Read an amount in minor units, nothing as 0; None if it is no amount or in another currency."""
    if value.currency.strip().upper() not in ("", currency):
        return None
    try:
        return Money.of(value.amount.strip() or "0", currency).minor
    except ValueError:
        return None


def text_of(amounts: Sequence[tuple[str, int]], currency: str) -> str:
    """Write amounts by kind for a finding."""
    return ", ".join(f"{kind} {Money(amount, currency)}" for kind, amount in amounts) or "none"
