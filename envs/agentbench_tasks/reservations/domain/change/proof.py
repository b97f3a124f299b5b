"""The proof that one booking is meant and one end is right: reads the records and reckons by itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from math import floor

import msgspec

from agentbench_env.market import load_country
from agentbench_env.world import World
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.change.goal import Goal, Wish
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import Surface
from agentbench_tasks.reservations.domain.tables import SeatingBlock, Table
from agentbench_tasks.reservations.domain.terms import Charge, Terms
from agentbench_tasks.reservations.domain.venue import ClosureRule, HoursRule

_AFTERNOON = 16
_DAY = timedelta(1)


class Said(msgspec.Struct, frozen=True):
    """What the user says: whose account, which house or else which day and meal, and what is wished."""

    account_id: str
    venue: str
    day: str
    meal: str
    wish: Wish


def prove(world: World, said: Said, approved: bool) -> Goal:
    """Find the one booking that is meant and its right end; raise NoFit if there is not exactly one."""
    meant = [row for row in world.all(Reservation) if row.account_id == said.account_id and _is_meant(world, row, said)]
    if len(meant) != 1:
        raise NoFit
    return _Reckoner(world, meant[0], said.wish).goal(approved)


def _is_meant(world: World, row: Reservation, said: Said) -> bool:
    place = world.get(Place, row.venue_id)
    local = to_local(row.start, place.zone)
    if row.status != "confirmed" or row.start <= world.now:
        return False
    if said.venue:
        return f"{place.name.local} {place.branch.local}" == said.venue
    return local[:10] == said.day and ("lunch" if int(local[11:13]) < _AFTERNOON else "dinner") == said.meal


class _Reckoner:
    """Reckons the right end of one booking."""

    def __init__(self, world: World, row: Reservation, wish: Wish) -> None:
        self._world, self._row = world, row
        self._place = world.get(Place, row.venue_id)
        local = to_local(row.start, self._place.zone)
        self._start = to_instant(f"{wish.day or local[:10]}T{wish.clock or local[11:]}", self._place.zone)
        self._party = wish.party or row.party_size

    def goal(self, approved: bool) -> Goal:
        """Everything that is to be right."""
        row, before = self._row, self._terms(self._row.party_size)
        if row.terms_id != before.id or before.contact is None:
            raise NoFit
        charge = self._charge(before)
        updates = self._is_taken() and (not charge or approved)
        start = self._start if updates else row.start
        stands = self._terms(self._party) if updates else before
        if len(stands.tiers) != 1 or stands.tiers[0].charge.amount:
            raise NoFit
        return Goal(
            row.id,
            self._start,
            self._party,
            "updated" if updates else "routed",
            charge,
            self._limit(stands.tiers[0].until, start),
            "messenger" if before.contact.kind == "messenger" else "call_note",
        )

    def _terms(self, party: int) -> Terms:
        kinds = ("any", "course" if self._row.course_id else "seat_only")
        found = [
            terms
            for terms in self._world.where(Terms, "venue_id", self._place.id)
            if terms.party.min <= party <= (terms.party.max or party) and terms.booked in kinds
        ]
        if len(found) != 1:
            raise NoFit
        return found[0]

    # --- what it costs

    def _charge(self, terms: Terms) -> int:
        row, now, total = self._row, self._world.now, Fraction(0)
        fewer = row.party_size - self._party
        steps = [step for step in terms.headcount.steps if step.fewer <= fewer] if terms.headcount else []
        if steps and terms.headcount:
            strictest = max(steps, key=lambda step: step.fewer)
            if now > self._limit(strictest.until, row.start):
                total += self._rounded(terms.headcount.charge, terms, fewer)
        if self._start != row.start and terms.change and now > self._limit(terms.change.until, row.start):
            total += self._rounded(terms.change.charge, terms, row.party_size)
        return int(total)

    def _rounded(self, charge: Charge, terms: Terms, heads: int) -> int:
        if charge.basis != "pct":
            return charge.amount * (heads if charge.basis == "per_head" else 1)
        if charge.base == "deposit":
            each = terms.deposit.amount
        elif self._row.course_id and charge.base == "course":
            each = self._world.get(SetMenu, self._row.course_id).price.minor
        else:
            each = terms.average_spend
        return floor(Fraction(each * heads * charge.amount, 100) + Fraction(1, 2))

    # --- whether it is taken online

    def _is_taken(self) -> bool:
        surface = self._world.where(Surface, "venue_id", self._place.id)[0]
        routes = [r for r in surface.routes if r.party.min <= self._party <= (r.party.max or self._party)]
        if self._row.made_via not in ("engine", "aggregator") or routes[0].mode != "instant":
            return False
        local = to_local(self._start, self._place.zone)
        hours = [rule.hours for rule in self._world.where(HoursRule, "venue_id", self._place.id)]
        if not self._is_open(local[:10]) or not any(one.open <= local[11:] <= one.last_start for one in hours):
            raise NoFit
        end = self._start + surface.turn_minutes * 60
        tables = self._world.where(Table, "venue_id", self._place.id)
        return any(
            table.seats_min <= self._party <= table.seats_max and self._is_free(table.id, end) for table in tables
        )

    def _is_free(self, table_id: str, end: int) -> bool:
        blocks = self._world.where(SeatingBlock, "table_id", table_id)
        others = [
            row
            for row in self._world.where(Reservation, "venue_id", self._place.id)
            if row.id != self._row.id and table_id in row.table_ids
        ]
        return not any(one.start < end and self._start < one.end for one in (*blocks, *others))

    # --- days and limits

    def _limit(self, rule: CutoffRule, start: int) -> int:
        if rule.kind == "hours_before":
            return start - rule.n * 3600
        day = date.fromisoformat(to_local(start, self._place.zone)[:10])
        if rule.kind == "business_days_before_at":
            left = rule.n
            while left:
                day -= _DAY
                left -= self._is_open(day.isoformat())
        else:
            day -= rule.n * _DAY
        return to_instant(f"{day.isoformat()}T{rule.at or '00:00'}", self._place.zone)

    def _is_open(self, day: str) -> bool:
        rules = self._world.where(ClosureRule, "venue_id", self._place.id)
        on = date.fromisoformat(day)
        return not any(_closes(rule, on, self._holidays(on)) for rule in rules)

    def _holidays(self, on: date) -> Sequence[date]:
        """Those of the day and the day before that are public holidays."""
        rows = load_country(self._place.country).holidays(on - _DAY, on)
        return [row.date for row in rows if row.status == "confirmed" and "private" in row.applies_to]


def _closes(rule: ClosureRule, on: date, holidays: Sequence[date]) -> bool:
    day, before = on.isoformat(), on - _DAY
    match rule.kind:
        case "on_holidays":
            return day in rule.dates
        case "period":
            return rule.from_date <= day <= rule.to_date
        case "nth_weekday":
            shut = on.isoweekday() in rule.weekdays and (on.day - 1) // 7 + 1 in rule.nth
        case "weekly" | "weekly_shifted":
            shut = on.isoweekday() in rule.weekdays
    if rule.kind == "weekly_shifted" and before in holidays and before.isoweekday() in rule.weekdays:
        return True
    return shut and not (on in holidays and (rule.open_on_holidays or rule.kind == "weekly_shifted"))
