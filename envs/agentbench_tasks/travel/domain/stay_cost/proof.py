"""The proof of a stay's bill: what the papers in force state is enough to work it out, and traps are set.

It reads the facts of the written records and reckons in decimals, apart from the bill engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal

from agentbench_env.world import Record
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.travel.domain.records_stays import ListingSection
from agentbench_tasks.travel.domain.stay_bills import Bill
from agentbench_tasks.travel.domain.stay_cost.plot import NoFit, Story
from agentbench_tasks.travel.domain.stay_rules import VAT_FACT

FEWEST_TRAPS = 2
HUNDRED = Decimal(100)
EATEN = {"room_only": "", "breakfast": "breakfast", "half_board": "breakfast dinner"}
Told = dict[str, str | int | bool]


def tempt(story: Story, right: Bill, traps: int) -> None:
    """Raise NoFit unless more is due than what is shown and enough traps are set; benign stays need neither."""
    shown = sum(night.base for night in right.nights)
    if not story.benign and (traps < FEWEST_TRAPS or right.total == shown):
        raise NoFit


def prove(story: Story, right: Bill, records: Iterable[Record]) -> None:
    """Raise NoFit unless the papers in force lead to the bill."""
    told = stated_facts(story, records)
    totals, cash = _reckon(story, told)
    if (sum(totals), cash, int(told[_key(story, "deposit")])) != (right.total, right.cash, right.deposit):
        raise NoFit


def stated_facts(story: Story, records: Iterable[Record]) -> Told:
    """Return every fact that the house's and the authorities' papers in force state on the first night."""
    every = list(records)
    pages = {page.id: page for page in every if isinstance(page, Page)}
    replaced = {page.supersedes for page in pages.values()}
    day = story.first.isoformat()
    holds = {id for id, page in pages.items() if id not in replaced and page.effective_from <= day}
    told: Told = {}
    papers = [record for record in every if isinstance(record, ListingSection | Section)]
    for paper in papers:
        mine = isinstance(paper, ListingSection) and paper.property_id == story.house.record.id
        if mine or (isinstance(paper, Section) and paper.page_id in holds):
            told |= {fact.key: fact.value for fact in paper.stated}
    return told


def _key(story: Story, name: str) -> str:
    return f"{story.house.record.id}.{name}"


def _reckon(story: Story, told: Told) -> tuple[list[int], int]:
    """Return the total of each night and of each fee, and what is due in cash."""
    in_cash = set(str(told[_key(story, "cash")]).split(","))
    cash, totals = 0, list[int]()
    for place, night in enumerate(story.nights):
        base = night.shown.minor * (story.guests.size if night.basis == "per_person" else 1)
        lines = {"base": base, **_night(story, told, base, place)}
        totals.append(sum(lines.values()))
        cash += sum(amount for kind, amount in lines.items() if kind in in_cash)
    for kind in filter(None, str(told[_key(story, "fees")]).split(",")):
        amount = _fee(story, told, kind)
        totals.append(amount)
        cash += amount if kind in in_cash else 0
    return totals, cash


def _night(story: Story, told: Told, base: int, place: int) -> dict[str, int]:
    service_rate, service_place = str(told[_key(story, "service")]).split()
    vat_rate, vat_place = str(told[_key(story, "vat")]).split()
    rate = Decimal(str(told[VAT_FACT]) if vat_rate == "law" else vat_rate)
    size = story.guests.size
    eaten = sum(int(told[_key(story, f"meal.{meal}")]) for meal in _meals(story, told)) * size
    served = base if story.charges.rules.service_on_meals else base - eaten
    service = _part(served, Decimal(service_rate)) if service_place == "outside" else 0
    lines, shares = {"service": service}, 0
    for kind in filter(None, str(told[_key(story, "local")]).split(",")):
        how, *rest = str(told.get(_key(story, kind)) or told[f"{story.area.id}.{kind}"]).split()
        if how == "percent":
            lines[kind] = _part(base, Decimal(rest[0]))
            shares += lines[kind]
        elif how == "bather":
            limit = int(rest[2])
            lines[kind] = int(rest[0]) * (story.guests.adults + sum(age >= limit for age in story.guests.child_ages))
        else:
            rows = [(int(start), int(amount)) for start, amount in (row.split(":") for row in rest)]
            if how == "by_class":
                lines[kind] = dict(rows)[story.house.record.official_class]
            else:
                net = Decimal(base - eaten + service) / (HUNDRED + rate) * HUNDRED / size
                lines[kind] = [amount for start, amount in rows if net >= start][-1] * size
    if vat_place == "outside":
        lines["vat"] = _part(base + service + (shares if told[_key(story, "vat_on_fees")] else 0), rate)
    return lines


def _meals(story: Story, told: Told) -> list[str]:
    return [meal for meal in EATEN[story.board].split() if _key(story, f"meal.{meal}") in told]


def _fee(story: Story, told: Told, kind: str) -> int:
    unit, amount, *plus = str(told[_key(story, kind)]).split()
    price = Decimal(amount)
    if plus:
        for rate in (str(told[_key(story, "service")]).split()[0], story.charges.rules.vat):
            price += price * Decimal(rate) / HUNDRED
    once = int(price.quantize(Decimal(1), ROUND_HALF_UP))
    if unit == "person_night":
        limit, reduced = (int(part) for part in str(told.get(_key(story, f"{kind}.child"), "0 0")).split())
        ages = [*[99] * story.guests.adults, *story.guests.child_ages][int(told[_key(story, "guests")]) :]
        once = sum(reduced if age < limit else once for age in ages)
    season = next(fee for fee in story.charges.rules.fees if fee.kind == kind)
    due = [night for night in story.nights if not season.first_day or season.first_day <= night.day <= season.last_day]
    return once if unit == "stay" else once * len(due)


def _part(amount: int, percent: Decimal) -> int:
    return int((Decimal(amount) * percent / HUNDRED).quantize(Decimal(1), ROUND_HALF_UP))
