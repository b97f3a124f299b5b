"""Reckoning a stay's cost once more, in decimals from what the papers state: for proofs, apart from the bill."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

import msgspec

from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.travel.domain.records_stays import ListingSection, Night, Property
from agentbench_tasks.travel.domain.stay_bills import Guests, HouseRules
from agentbench_tasks.travel.domain.stay_rules import VAT_FACT

HUNDRED = Decimal(100)
EATEN = {"room_only": "", "breakfast": "breakfast", "half_board": "breakfast dinner"}
Told = dict[str, str | int | bool]


class Stay(msgspec.Struct, frozen=True):
    """Nights in a house at a rate. Of its rules only what no paper states as a fact is read: rates of VAT, seasons."""

    house: Property
    area: str
    rules: HouseRules
    nights: Sequence[Night]
    board: str
    guests: Guests

    def key(self, name: str) -> str:
        """The key of what the house's papers state."""
        return f"{self.house.id}.{name}"


def stated_facts(records: Iterable[Record], day: str) -> Told:
    """Return every fact that listings, and pages in force on an ISO date, state."""
    every = list(records)
    pages = {page.id: page for page in every if isinstance(page, Page)}
    replaced = {page.supersedes for page in pages.values()}
    holds = {id for id, page in pages.items() if id not in replaced and page.effective_from <= day}
    told: Told = {}
    for paper in every:
        if isinstance(paper, ListingSection) or (isinstance(paper, Section) and paper.page_id in holds):
            told |= {fact.key: fact.value for fact in paper.stated}
    return told


def reckon(stay: Stay, told: Told) -> tuple[int, int]:
    """Return what a stay costs in all, and what of it is due in cash."""
    in_cash = set(str(told[stay.key("cash")]).split(","))
    cash, totals = 0, list[int]()
    for night in stay.nights:
        base = night.shown.minor * (stay.guests.size if night.basis == "per_person" else 1)
        lines = {"base": base, **_night(stay, told, base)}
        totals.append(sum(lines.values()))
        cash += sum(amount for kind, amount in lines.items() if kind in in_cash)
    for kind in filter(None, str(told[stay.key("fees")]).split(",")):
        amount = _fee(stay, told, kind)
        totals.append(amount)
        cash += amount if kind in in_cash else 0
    return sum(totals), cash


def _night(stay: Stay, told: Told, base: int) -> dict[str, int]:
    service_rate, service_place = str(told[stay.key("service")]).split()
    vat_rate, vat_place = str(told[stay.key("vat")]).split()
    rate = Decimal(str(told[VAT_FACT]) if vat_rate == "law" else vat_rate)
    size = stay.guests.size
    eaten = sum(int(told[stay.key(f"meal.{meal}")]) for meal in _meals(stay, told)) * size
    served = base if stay.rules.service_on_meals else base - eaten
    service = _part(served, Decimal(service_rate)) if service_place == "outside" else 0
    lines, shares = {"service": service}, 0
    for kind in filter(None, str(told[stay.key("local")]).split(",")):
        how, *rest = str(told.get(stay.key(kind)) or told[f"{stay.area}.{kind}"]).split()
        if how == "percent":
            lines[kind] = _part(base, Decimal(rest[0]))
            shares += lines[kind]
        elif how == "bather":
            limit = int(rest[2])
            lines[kind] = int(rest[0]) * (stay.guests.adults + sum(age >= limit for age in stay.guests.child_ages))
        else:
            rows = [(int(start), int(amount)) for start, amount in (row.split(":") for row in rest)]
            if how == "by_class":
                lines[kind] = dict(rows)[stay.house.official_class]
            else:
                net = Decimal(base - eaten + service) / (HUNDRED + rate) * HUNDRED / size
                lines[kind] = [amount for start, amount in rows if net >= start][-1] * size
    if vat_place == "outside":
        lines["vat"] = _part(base + service + (shares if told[stay.key("vat_on_fees")] else 0), rate)
    return lines


def _meals(stay: Stay, told: Told) -> list[str]:
    return [meal for meal in EATEN[stay.board].split() if stay.key(f"meal.{meal}") in told]


def _fee(stay: Stay, told: Told, kind: str) -> int:
    unit, amount, *plus = str(told[stay.key(kind)]).split()
    price = Decimal(amount)
    if plus:
        for rate in (str(told[stay.key("service")]).split()[0], stay.rules.vat):
            price += price * Decimal(rate) / HUNDRED
    once = int(price.quantize(Decimal(1), ROUND_HALF_UP))
    if unit == "person_night":
        limit, reduced = (int(part) for part in str(told.get(stay.key(f"{kind}.child"), "0 0")).split())
        ages = [*[99] * stay.guests.adults, *stay.guests.child_ages][int(told[stay.key("guests")]) :]
        once = sum(reduced if age < limit else once for age in ages)
    season = next(fee for fee in stay.rules.fees if fee.kind == kind)
    due = [night for night in stay.nights if not season.first_day or season.first_day <= night.day <= season.last_day]
    return once if unit == "stay" else once * len(due)


def _part(amount: int, percent: Decimal) -> int:
    return int((Decimal(amount) * percent / HUNDRED).quantize(Decimal(1), ROUND_HALF_UP))
