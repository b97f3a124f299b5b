"""The terms that a house of the plot keeps and prints, and how it takes bookings in keeping with them."""

from __future__ import annotations

import msgspec

from agentbench_tasks.reservations.domain.change.market import Pattern
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule, OpenDay
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import Route, RouteContact, Step
from agentbench_tasks.reservations.domain.terms import (
    Charge,
    HeadcountRule,
    NoShow,
    Occasion,
    Terms,
    Tier,
    free_until,
    headcount_charge,
    move_charge,
)
from agentbench_tasks.reservations.domain.usual import ASKED, contact_of

LATE_MINUTES = 15
_ANY_SPEND = 10_000
"""Before a house is drawn: whatever a guest spends there, a share of it is charged or not."""
_STEPS: dict[str, tuple[Step, ...]] = {"none": (), "hold": ("card_hold",), "charged": ("deposit",)}


class Rules(msgspec.Struct, frozen=True):
    """What a house keeps on changes and cancellations."""

    pattern: Pattern
    split: int
    """The largest party under the milder cut-off; 0 where there is one for all."""
    seat_only: Pattern | None = None
    """Where bookings with and without a course have terms of their own: whose limits hold for those without."""

    def terms(self, **more: object) -> list[Terms]:
        """Return the terms, without ids; `more`: what else they have."""
        return [
            self._terms(party, late, booked, **more)
            for booked in (("course", "seat_only") if self.seat_only else ("any",))
            for party, late in self._parties()
        ]

    def _parties(self) -> list[tuple[PartyRange, bool]]:
        if not self.split:
            return [(PartyRange(), False)]
        return [(PartyRange(1, self.split), False), (PartyRange(self.split + 1), True)]

    def _terms(self, party: PartyRange, large: bool, booked: str, **more: object) -> Terms:
        own = self.pattern
        limits = self.seat_only if self.seat_only and booked == "seat_only" else own
        with_course = booked == "course"
        return Terms(
            "",
            "",
            "",
            own.deposit,
            (Tier(limits.until_large if large else limits.until),),
            NoShow(_of(own.no_show, with_course)),
            party,
            booked=booked,  # type: ignore[arg-type]
            headcount=HeadcountRule(limits.steps, _of(own.missing, with_course)),
            change=own.move,
            late_minutes=LATE_MINUTES,
            **more,  # type: ignore[arg-type]
        )

    def of(self, party_size: int, with_course: bool) -> Terms:
        """Return the terms of a booking, without ids."""
        return terms_among(self.terms(average_spend=_ANY_SPEND), party_size, with_course)

    def limits(self) -> set[CutoffRule]:
        """Return every limit that the house prints."""
        found: set[CutoffRule] = set()
        for terms in self.terms():
            found |= {tier.until for tier in terms.tiers}
            found |= {step.until for step in terms.headcount.steps} if terms.headcount else set()
            found |= {terms.change.until} if terms.change else set()
        return found


def _of(charge: Charge, with_course: bool) -> Charge:
    """A share of the course is one of the average spend where no course is booked."""
    if charge.basis == "pct" and charge.base == "course" and not with_course:
        return msgspec.structs.replace(charge, base="average_spend")
    return charge


def terms_among(blocks: list[Terms], party_size: int, with_course: bool) -> Terms:
    """Return those of some terms that hold for a booking."""
    kinds = ("any", "course" if with_course else "seat_only")
    return next(terms for terms in blocks if terms.party.holds(party_size) and terms.booked in kinds)


def change_is_free(terms: Terms, before: Occasion, start: int, party_size: int, at: int, is_open: OpenDay) -> bool:
    """Whether another start and size cost nothing at an instant, under the terms as they stand before the change."""
    fewer = before.party_size - party_size
    lost = headcount_charge(terms, before, fewer, at, is_open).minor if fewer > 0 else 0
    return not lost and (start == before.start or not move_charge(terms, before, 0, at, is_open).minor)


def cutoff_under(terms: Terms, occasion: Occasion, is_open: OpenDay) -> int:
    """Return until when a booking is called off for nothing; houses of this plot all have such a time."""
    found = free_until(terms, occasion, is_open)
    assert found is not None
    return found


def keep(house: House, rules: Rules, contact: RouteContact, most: int) -> None:
    """Let a house keep and print these rules, and take parties of up to `most` online."""
    spend = house.dinner.minor if house.dinner else 0
    blocks = rules.terms(contact=contact, average_spend=spend, charges=house.charges)
    own = {"venue_id": house.place.id, "page_id": house.page_id("terms")}
    house.terms = [msgspec.structs.replace(block, id=house.ids.id("trm"), **own) for block in blocks]
    steps = _STEPS[rules.pattern.deposit.kind]
    larger = contact_of(house.place, "phone")
    house.routes = [
        (Route("instant", "", PartyRange(1, most), steps=steps), ASKED),
        (Route("phone", "", PartyRange(most + 1), steps=steps, contact=larger), ASKED),
    ]
