"""The case of a booking to be moved, and what each figure of an answer rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.travel.domain.change_prices import cancel_lines, change_lines
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.modification.answer import ModificationAnswer
from agentbench_tasks.travel.domain.modification.deal import Costs, Deal, FareTerms, Moved, Stay, StayTerms
from agentbench_tasks.travel.domain.modification.words import Words
from agentbench_tasks.travel.domain.records import Names, Quote, Service
from agentbench_tasks.travel.domain.records_changes import PricedAction
from agentbench_tasks.travel.domain.records_stays import Rate

Ways = Sequence[Sequence[Fact]]
"""Sets of facts, any of which a figure may rest on."""
DAY_END_S = 60
"""A limit at the end of a day may be given as 23:59 or as 00:00 of the next."""


class ModificationCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    deal: Deal
    costs: Costs
    start: World
    booking_id: str
    supplier: str
    locator: str
    """The reference that the user names."""
    terms_page: str
    barred: frozenset[str]
    """The terms for later bookings, with their sections."""
    traveller: Traveller
    card: str
    home: Names
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def terms_key(self) -> str:
        """What the keys of the facts of the terms begin with."""
        about = self.deal.about
        return self.supplier if isinstance(about, Stay) else f"{self.supplier}.{about.brand}"

    # --- what the figures rest on

    def _money(self, minor: int) -> str:
        return str(Money(minor, self.deal.currency))

    def possible_ways(self) -> Ways:
        """Whether a change is possible."""
        if not self.deal.terms.changeable:
            return [[(f"{self.terms_key}.changeable", "no")]]
        return [[self._collects(one)] for one in self.deal.moved] + [[(f"{self.terms_key}.changeable", "yes")]]

    def _lines(self, one: Moved) -> dict[str, int]:
        found = change_lines(one.index, one.rules, one.rules.change[0], one.priced, self.deal.party)
        return {line.kind: line.minor for line in found}

    def _collects(self, one: Moved) -> Fact:
        return f"{self.booking_id}.change.{one.target.id}.collect", self._money(sum(self._lines(one).values()))

    def line_ways(self, kind: str) -> Ways:
        """A part of the cost of changing that is not nil."""
        if kind == "agency":
            assert self.deal.agency is not None
            return [[(f"{self.deal.agency.id}.change_fee", self.deal.agency_fee)]]
        facts: list[Fact] = [
            (f"{self.booking_id}.change.{one.target.id}.{kind}", self._money(self._lines(one)[kind]))
            for one in self.deal.moved
            if kind in self._lines(one)
        ]
        return [facts, [(f"{self.terms_key}.change_fee", self.deal.terms.change_fee)]] if kind == "fee" else [facts]

    def change_ways(self) -> Ways:
        """The cost of changing as a whole."""
        return together(*(self.line_ways(kind) for kind in self.costs.lines))

    def price_ways(self) -> Ways:
        """The price of the new purchase: the quotes, or the rates themselves."""
        quoted: list[Fact] = [(f"{one.offer.id}.total", self._money(one.price)) for one in self.deal.moved]
        shown: list[Fact] = [
            (f"{offer.id}.{night.day}.shown", str(night.shown))
            for offer in self.deal.offers
            if isinstance(offer, Rate)
            for night in offer.nights
        ]
        return [quoted, shown] if shown else [quoted]

    def refund_ways(self) -> Ways:
        """What comes back: one priced cancellation of all, or one of each."""
        backs = {
            one.index: -sum(
                line.minor for line in cancel_lines(one.index, one.rules, one.rules.cancel[0], self.deal.party)
            )
            for one in self.deal.moved
        }
        joint = list(self._refund(",".join(map(str, backs)), sum(backs.values())))
        single = [fact for index, back in backs.items() for fact in self._refund(str(index), back)]
        return [joint, single] if len(backs) > 1 else [joint]

    def _refund(self, indexes: str, back: int) -> Iterator[Fact]:
        about = f"{self.booking_id}.cancel.{indexes}"
        yield f"{about}.refund", self._money(back)
        yield f"{about}.refund_form", "none" if not back else "credit" if self.deal.terms.credit else "original"

    # --- until when

    def limit_ways(self, one: Moved, route: str) -> Ways:
        """The limit in the terms up to which a way costs what it does for an item."""
        terms, key = self.deal.terms, self.terms_key
        if isinstance(terms, FareTerms):
            assert isinstance(one.old, Service)
            hours = terms.change_hours if route == "change" else terms.cancel_hours
            return [
                [
                    (f"{key}.{'change' if route == 'change' else 'cancel'}_hours", hours),
                    (f"{one.old.id}.dep", one.old.departs),
                ]
            ]
        if route == "change":
            return [[(f"{key}.change_days", terms.change_days)]]
        assert isinstance(one.old, Rate)
        arrival = date.fromisoformat(one.old.stay[1])
        days = (arrival - date.fromisoformat(to_local(one.cancel_limit, self.deal.zone)[:10])).days
        scope = terms.schedule.row_of(arrival).scope
        return [[(f"{key}.kept.{scope}.{days}", one.rules.cancel[0].kept_percent)]]


def together(*parts: Ways) -> Ways:
    """Return the ways in which all of several figures hold."""
    return [[fact for way in chosen for fact in way] for chosen in product(*parts)]


def answer_of(ep: Episode) -> ModificationAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, ModificationAnswer)
    return ep.answer


class Named:
    """What the answer names as prepared for the way that it recommends."""

    def __init__(self, case: ModificationCase, ep: Episode) -> None:
        self.case, self.route = case, answer_of(ep).recommended
        found = [ep.world.find(id) for id in dict.fromkeys(answer_of(ep).prepared_refs)]
        wanted = "change" if self.route == "change" else "cancel"
        self.actions = [one for one in found if isinstance(one, PricedAction) and one.action == wanted]
        self.quotes = [one for one in found if isinstance(one, Quote) and self.route == "rebook"]

    @property
    def possible(self) -> bool:
        """Whether the way can be gone at all."""
        return self.route == "rebook" or self.case.deal.terms.changeable

    def deadline(self) -> tuple[int, bool, Ways]:
        """When the way stops being good for its cost, whether that is the end of a day, and what it rests on."""
        case = self.case
        ends: list[tuple[int, bool, Ways]] = [
            (ref.valid_until - ref.valid_until % 60, False, [[(f"{ref.id}.valid_until", ref.valid_until)]])
            for ref in (*self.actions, *self.quotes)
        ]
        for one in case.deal.moved:
            limit = one.change_limit if self.route == "change" else one.cancel_limit
            ends.append((limit, isinstance(case.deal.terms, StayTerms), case.limit_ways(one, self.route)))
        first = min(end for end, _, _ in ends)
        binding = [(whole_day, ways) for end, whole_day, ways in ends if end == first]
        return first, any(whole_day for whole_day, _ in binding), [way for _, ways in binding for way in ways]
