"""The proof of an instance: both ways worked out again from what the records and the terms in force state.

It reads the world and the fares' fixtures alone and reckons by itself, apart from the engine of the prices.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

from agentbench_env.market import shared_table
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.pages import Page
from agentbench_tasks.travel.domain.modification.case import ModificationCase
from agentbench_tasks.travel.domain.modification.deal import StayTerms
from agentbench_tasks.travel.domain.records import Booking, Fare, Service
from agentbench_tasks.travel.domain.records_changes import BookingRules
from agentbench_tasks.travel.domain.records_stays import Rate

APART = Decimal("0.04")
HUNDRED = Decimal(100)


class Solver:
    """Works an instance out: `lines`, `new_price`, `refund`, and the limits of both ways."""

    def __init__(self, case: ModificationCase) -> None:
        self._case, self._world, self._party = case, case.start, case.deal.party
        self._booking = self._world.get(Booking, case.booking_id)
        self._rules = self._world.where(BookingRules, "booking_id", self._booking.id)[0]
        self._told = self._world.get(Page, self._rules.terms_page_id).facts(self._world)
        self.lines: dict[str, int] = {}
        self.new_price = self.refund = 0
        self.change_limits: list[int] = []
        self.cancel_limits: list[int] = []
        self.paid = 0
        for one in case.deal.moved:
            if isinstance(one.new, Service):
                self._sector(one.index, one.new)
            else:
                self._stay(one.new)
        agency = self._agency()
        changeable = self._told[self._key("changeable")] == "yes"
        self.lines = {kind: minor for kind, minor in {**self.lines, "agency": agency}.items() if minor and changeable}
        if self._told.get(self._key("refund_form")) == "credit":
            self.refund = 0

    def _key(self, name: str) -> str:
        return f"{self._case.terms_key}.{name}"

    def _number(self, name: str) -> int:
        return int(str(self._told.get(self._key(name), 0)))

    def _add(self, kind: str, minor: int) -> None:
        self.lines[kind] = self.lines.get(kind, 0) + max(0, minor)

    def _agency(self) -> int:
        channel = self._rules.channel_id
        pages = self._world.where(Page, "publisher", channel)
        fee = sum(int(str(page.facts(self._world).get(f"{channel}.change_fee", 0))) for page in pages)
        return fee if self._booking.kind == "stay" else fee * self._party * len(self._case.deal.moved)

    # --- flights and trains

    def _sector(self, index: int, new: Service) -> None:
        """The one fare of the departure that the user wants, in the booked brand, against what was paid."""
        old = self._world.get(Service, self._booking.items[index].object_id)
        same = [s for s in self._world.where(Service, "route", new.route) if s.number == old.number]
        fares = [
            fare for s in same for fare in self._world.where(Fare, "service_id", s.id) if fare.brand == self._brand()
        ]
        if len(fares) != 1:
            raise NoFit
        base = fares[0].base.minor * self._party
        charges = sum(charge.minor for charge in fares[0].charges) * self._party
        paid_base, paid_charges = list(self._paid())[index]
        self._add("difference", base - paid_base)
        self._add("fee", self._number("change_fee") * self._party)
        if not self._spared({charge.code for charge in fares[0].charges}):
            self._add("tax", charges - paid_charges)
        self.new_price += base + charges
        back = paid_base - _part(paid_base, self._number("kept")) + paid_charges
        self.refund += max(0, back - self._number("cancel_fee") * self._party)
        self.paid += paid_base + paid_charges
        self.change_limits.append(old.departs - self._number("change_hours") * 3600)
        self.cancel_limits.append(old.departs - self._number("cancel_hours") * 3600)

    def _brand(self) -> str:
        return next(line.code for line in self._rules.lines if line.kind == "fare")

    def _paid(self) -> Iterator[tuple[int, int]]:
        """Fare and charges of each item, as the booking prints them: each fare before its charges."""
        lines = list(self._rules.lines)
        starts = [place for place, line in enumerate(lines) if line.kind == "fare"]
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            yield lines[start].minor, sum(line.minor for line in lines[start + 1 : end])

    def _spared(self, codes: set[str]) -> bool:
        """Whether the ticket was sold before one of the charges was collected on sales."""
        sold = to_local(self._booking.booked_at, self._world.zone)[:10]
        rows = shared_table("departure_charges")["charges"]
        return any(row["code"] in codes and sold < row.get("sold_from", "") for row in rows)

    # --- stays

    def _stay(self, new: Rate) -> None:
        """The same room and board on the new dates, where it was booked and where it is cheapest."""
        old = self._world.find(self._booking.items[0].object_id)
        assert isinstance(old, Rate)
        sold = [
            rate
            for rate in self._world.where(Rate, "stay", new.stay)
            if (rate.room_type_id, rate.board) == (old.room_type_id, old.board)
        ]
        prices = {rate.id: sum(night.shown.minor for night in rate.nights) for rate in sold}
        mine = [rate.id for rate in sold if rate.channel_id == self._rules.channel_id]
        cheapest, *others = sorted(prices.values())
        if len(mine) != 1 or any(cheapest > other * (1 - APART) for other in others):
            raise NoFit
        paid = self._booking.paid.minor
        self._add("difference", prices[mine[0]] - paid)
        self._add("fee", self._number("change_fee"))
        self.new_price, self.paid = cheapest, paid
        arrival = date.fromisoformat(old.stay[1])
        self.change_limits.append(self._end(arrival, self._number("change_days")))
        terms = self._case.deal.terms
        assert isinstance(terms, StayTerms)
        scope = terms.schedule.row_of(arrival).scope
        bands = {
            int(key.rsplit(".", 1)[1]): int(str(kept))
            for key, kept in self._told.items()
            if key.startswith(self._key(f"kept.{scope}."))
        }
        days = max(days for days in bands if self._end(arrival, days) >= self._world.now)
        self.cancel_limits.append(self._end(arrival, days))
        self.refund = paid - _part(paid, bands[days])

    def _end(self, arrival: date, days: int) -> int:
        return to_instant(f"{(arrival - timedelta(days)).isoformat()}T23:59", self._case.deal.zone)

    # --- both

    @property
    def winner(self) -> str:
        """The cheaper way, "" if it is not cheaper by enough."""
        change, rebook, least = sum(self.lines.values()), self.new_price - self.refund, APART * self.paid
        if self._told[self._key("changeable")] == "no":
            return "rebook"
        if change + least <= rebook:
            return "change"
        return "rebook" if rebook + least <= change else ""


def _part(amount: int, percent: int) -> int:
    return int((Decimal(amount) * percent / HUNDRED).quantize(Decimal(1), ROUND_HALF_UP))


def proven(case: ModificationCase) -> bool:
    """Whether the records alone lead to the case's costs, limits and cheaper way."""
    try:
        found = Solver(case)
    except NoFit:
        return False
    deal, known = case.deal, case.costs
    limits = found.cancel_limits == [one.cancel_limit for one in deal.moved]
    if deal.terms.changeable:
        limits = limits and found.change_limits == [one.change_limit for one in deal.moved]
    figures = (found.lines, found.new_price, found.refund) == (known.lines, known.new_price, known.refund)
    return figures and limits and found.winner == deal.shape.winner
