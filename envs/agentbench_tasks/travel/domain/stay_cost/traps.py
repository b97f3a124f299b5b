"""What could mislead: each trap is a reading of the papers that fails in exactly one place and gives another bill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from agentbench_tasks.travel.domain.records_stays import Night
from agentbench_tasks.travel.domain.stay_bills import MEALS, Bill, Guests, HouseRules, bill, share
from agentbench_tasks.travel.domain.stay_cost.plot import Story, bill_of


def misreadings(story: Story, right: Bill) -> dict[str, Bill]:
    """Return the traps that are set in a story, each with the bill of whoever walks into it."""
    return {} if story.benign else {trap: wrong for trap, wrong in _readings(story, right) if wrong != right}


def _readings(story: Story, right: Bill) -> Iterator[tuple[str, Bill]]:
    rules = story.charges.rules
    hows = {tax.how for tax in rules.taxes}
    if "bands" in hows:
        yield "threshold_basis", _taxed_as(right, _under(story, vat="0", meals=()))
        if MEALS[story.board]:
            yield "meal_inside_basis", _taxed_as(right, _under(story, meals=()))
    if story.old_rules:
        yield "old_rate_page", _before(story)
    if story.older is not None:
        yield "old_tariff", bill_of(story, story.older, story.nights)
    if story.nights[0].basis == "per_person":
        yield "per_person_vs_room", bill_of(story, story.charges, _by_room(story))
    if rules.vat_outside and rules.service_outside:
        lines = tuple(msgspec.structs.replace(line, vat=share(line.base, rules.vat)) for line in right.nights)
        yield "compound_order", msgspec.structs.replace(right, nights=lines)
    if rules.vat_outside and len(story.law.vat_on_fees) > 1:
        yield "vat_base", _under(story, vat_on_fees=not rules.vat_on_fees)
    if story.guests.child_ages:
        yield "child_exempt", bill_of(story, story.charges, story.nights, Guests(story.guests.size))
    if "by_class" in hows:
        level = story.house.record.official_class
        yield "class_decides_dirham", _taxed_as(right, _in_class(story, level - 1 if level > 1 else level + 1))
    yield from _of_the_house(story, right)


def _of_the_house(story: Story, right: Bill) -> Iterator[tuple[str, Bill]]:
    rules = story.charges.rules
    if rules.deposit:
        yield "deposit_is_not_cost", _with(right, ("deposit", "stay", rules.deposit))
    for label, amount in story.charges.optional:
        yield "optional_is_not_compulsory", _with(right, (label, "stay", amount))
    once = [msgspec.structs.replace(fee, unit="night") if fee.unit == "stay" else fee for fee in rules.fees]
    yield "fee_per_stay", _under(story, fees=tuple(once))
    always = [msgspec.structs.replace(fee, first_day="", last_day="") for fee in rules.fees]
    yield "out_of_season", _under(story, fees=tuple(always))
    weekday = min(story.nights, key=lambda night: night.shown.minor).shown
    nights = tuple(msgspec.structs.replace(night, shown=weekday) for night in story.nights)
    yield "weekend_rate", bill_of(story, story.charges, nights)


def _under(story: Story, **changed: Any) -> Bill:
    rules: HouseRules = msgspec.structs.replace(story.charges.rules, **changed)
    return bill_of(story, msgspec.structs.replace(story.charges, rules=rules), story.nights)


def _taxed_as(right: Bill, wrong: Bill) -> Bill:
    """The right bill with another one's public charges."""
    pairs = zip(right.nights, wrong.nights, strict=True)
    nights = tuple(msgspec.structs.replace(line, taxes=other.taxes) for line, other in pairs)
    return msgspec.structs.replace(right, nights=nights)


def _before(story: Story) -> Bill:
    """The bill by the versions before those in force."""
    day = story.first.isoformat()
    found = [(tax, story.area.older(tax.kind, day)) for tax in story.charges.rules.taxes]
    taxes = tuple(older.tax if older else tax for tax, older in found)
    if story.charges.vat_refers:
        return _under(story, taxes=taxes, vat=story.law.vat_versions[0][0])
    return _under(story, taxes=taxes)


def _by_room(story: Story) -> tuple[Night, ...]:
    return tuple(msgspec.structs.replace(night, basis="per_room") for night in story.nights)


def _in_class(story: Story, level: int) -> Bill:
    return bill(story.charges.rules, story.nights, story.guests, story.board, level)


def _with(right: Bill, fee: tuple[str, str, int]) -> Bill:
    return msgspec.structs.replace(right, fees=(*right.fees, fee))
