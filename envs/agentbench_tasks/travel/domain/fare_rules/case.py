"""The case of a comparison of fare rules."""

from __future__ import annotations

from agentbench_env.claims import Fact, MoneyValue
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.fare_rules.build import Built, Candidate
from agentbench_tasks.travel.domain.fare_rules.words import Words
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.records import Service


class FareRuleCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the comparison fixes."""

    traveller: Traveller
    card: PaymentMethod

    @property
    def candidates(self) -> dict[str, Candidate]:
        """The fares in scope by id, the cheapest first."""
        return {one.option.fare.id: one for one in self.built.candidates}

    def money(self, minor: int) -> Money:
        """An amount in the currency of the fares."""
        return Money(minor, self.built.plot.currency)

    def is_amount(self, given: MoneyValue, minor: int) -> bool:
        """Whether a given amount is this one; nothing given stands for zero."""
        currency = self.built.plot.currency
        if given.currency not in ("", currency):
            return False
        try:
            return Money.of(given.amount or "0", currency).minor == minor
        except ValueError:
            return False

    def price_facts(self, one: Candidate) -> tuple[tuple[Fact, ...], ...]:
        """The sets of facts of which any is enough for a price: a quote's total, or the fare's own figures."""
        fare = one.option.fare
        own: list[Fact] = [(f"{fare.id}.base", str(fare.base))]
        if self.built.plot.party.child_ages:
            tariff = self.built.inventory.tariffs[fare.carrier, fare.base.currency]
            own.append((f"{fare.carrier}.child_percent", tariff.child_percent))
        return ((f"{fare.id}.total", str(self.money(one.price))),), tuple(own)

    def price_sources(self, one: Candidate, sources: list[str], ep: Episode) -> list[str]:
        """Sources of a price, in which the service whose fares were shown stands for the fare."""
        fare = one.option.fare
        shown = fare.id in ep.shown
        return [fare.id if shown and self._is_service(ep, source, fare.service_id) else source for source in sources]

    def _is_service(self, ep: Episode, source: str, service_id: str) -> bool:
        return source == service_id and source in ep.shown and isinstance(ep.record(source), Service)
