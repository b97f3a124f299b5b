"""The checks of an overbooked house: each option against one property at a time, and what is owed item by item."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from agentbench_env.claims import Fact, QuoteText, quote_fault, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.pages import Section, body, fact_span, sections_of
from agentbench_tasks.travel.domain.ground import service_minute
from agentbench_tasks.travel.domain.ground_plan.places import minute
from agentbench_tasks.travel.domain.overbooking.answer import Item
from agentbench_tasks.travel.domain.overbooking.case import Chosen, OverbookingCase, answer_of, chosen_of
from agentbench_tasks.travel.domain.overbooking.terms import Owed, same_moment
from agentbench_tasks.travel.domain.records_ground import RouteTime
from agentbench_tasks.travel.domain.records_stays import ListingSection
from agentbench_tasks.travel.domain.stay_bills import MEALS
from agentbench_tasks.travel.domain.stay_offers import OfferedRate, carried_facts


def _finding(faults: Iterator[str], expected: str, chosen: list[Chosen]) -> Finding:
    found = list(faults)
    return Finding(not found, expected, "; ".join(found) or expected, tuple(one.option.rate_id for one in chosen))


# --- options


def options_available_tonight(case: OverbookingCase, ep: Episode) -> Finding:
    """Each rate is one of the named room for the whole stay, still to be had, at a desk that is reached in time."""
    chosen = chosen_of(case, ep)
    faults = (f"{one.option.property_id}: {fault}" for one in chosen if (fault := _unavailable(case, ep, one)))
    return _finding(faults, "rooms that can be had tonight", chosen)


def _unavailable(case: OverbookingCase, ep: Episode, chosen: Chosen) -> str:
    house, room, rate, wish = chosen.house, chosen.room, chosen.rate, case.wish
    if house is None or room is None or rate is None:
        return "no such house, room or rate"
    if rate.stay[1:] != wish.stay:
        return f"the rate is for {rate.stay[1]} to {rate.stay[2]}"
    if rate.rooms_left < 1 or rate.closes:
        return "no room is left"
    if room.max_guests < wish.guests.size:
        return f"the room takes {room.max_guests} guests"
    rides = ep.world.where(RouteTime, "pair", (wish.station, house.id))
    quickest = min((ride.minutes for ride in rides), default=0)
    arrives = service_minute(datetime.fromisoformat(wish.depart)) + quickest
    closes = min(minute(house.desk.closes), minute(house.checkin.closes))
    return "" if arrives <= closes else f"the desk closes at {house.desk.closes}"


def comparable_standard(case: OverbookingCase, ep: Episode) -> Finding:
    """Each house is of the original's class or a better one, and it and the rate have what is needed."""
    chosen = chosen_of(case, ep)
    faults = (f"{one.option.property_id}: {fault}" for one in chosen for fault in _lacking(case, ep, one))
    wish = case.wish
    standard = f"class {wish.original.level} or better" if wish.original.level else wish.original.kind
    return _finding(faults, f"{standard}, with {', '.join(wish.musts)}", chosen)


def _lacking(case: OverbookingCase, ep: Episode, chosen: Chosen) -> Iterator[str]:
    house, original = chosen.house, case.wish.original
    if house is None:
        return
    if house.official_class < original.level:
        yield f"class {house.official_class}"
    if not original.level and house.kind != original.kind:
        yield f"a {house.kind}"
    stated = {f.key: f.value for s in ep.world.where(ListingSection, "property_id", house.id) for f in s.stated}
    for must in case.wish.musts:
        if must == "twin":
            lacks = chosen.room is not None and chosen.room.beds != "twin"
        elif must == "breakfast":
            lacks = chosen.rate is not None and "breakfast" not in MEALS[chosen.rate.board]
        else:
            lacks = not stated.get(f"{house.id}.{must}")
        if lacks:
            yield f"lacks {must}"


def same_area(case: OverbookingCase, ep: Episode) -> Finding:
    """Each house lies in a district that the user counts as the area."""
    chosen, districts = chosen_of(case, ep), case.wish.districts
    outside = [one.house for one in chosen if one.house is not None and one.house.district_id not in districts]
    return _finding((f"{h.id} is in {h.district_id}" for h in outside), f"in {', '.join(sorted(districts))}", chosen)


def within_budget(case: OverbookingCase, ep: Episode) -> Finding:
    """Each total is the full price of the named rate, rests on what states it, and is within the budget."""
    chosen = chosen_of(case, ep)
    limit = Money(case.wish.limit, case.currency)
    faults = (f"{one.option.property_id}: {fault}" for one in chosen if (fault := _overspent(case, ep, one)))
    return _finding(faults, f"full prices of at most {limit}", chosen)


def _overspent(case: OverbookingCase, ep: Episode, chosen: Chosen) -> str:
    offered, claim = chosen.offered, chosen.option.total
    if offered is None:
        return ""
    total = Money(offered.bill.total, case.currency)
    if claim.value.minor_in(case.currency) != total.minor:
        return f"the full price is {total}, not {claim.value.amount}"
    if total.minor > case.wish.limit:
        return f"{total} is over the budget"
    return sources_fault(ep, claim.sources, _inputs(ep, offered, claim.sources))


def _inputs(ep: Episode, offered: OfferedRate, sources: list[str]) -> list[Fact]:
    taxes = carried_facts(ep, sources, offered.local_tax_facts())
    return [*offered.base_facts(), *offered.vat_and_service_facts(), *taxes, *offered.fee_facts()]


def options_complete(case: OverbookingCase, ep: Episode) -> Finding:
    """Every house that qualifies is among the options."""
    named = {option.property_id for option in answer_of(ep).options}
    left = sorted(set(case.fits) - named)
    return Finding(not left, f"all {len(case.fits)} that qualify", f"left out: {', '.join(left)}" if left else "all")


# --- what is owed


def obligation_quoted(case: OverbookingCase, ep: Episode) -> Finding:
    """The seller is named, and each item quotes the clause of its terms in force that grants it in this case."""
    obligation = answer_of(ep).obligation
    owners = {case.built.seller.id, case.built.owner}
    faults = [] if obligation.owed_by in owners else [f"owed by {obligation.owed_by}"]
    due = {item.kind: item for item in case.built.owed}
    for item in obligation.items:
        fault = _quote_fault(case, ep, item.quote, due.get(item.kind))
        faults += [f"{item.kind}: {fault}"] if fault else []
    ids = tuple(item.quote.section_id for item in obligation.items)
    expected = f"clauses of {case.governing}, owed by {case.built.owner}"
    return Finding(not faults, expected, "; ".join(faults) or expected, ids)


def _quote_fault(case: OverbookingCase, ep: Episode, quote: QuoteText, owed: Owed | None) -> str:
    section = ep.record(quote.section_id)
    if quote.section_id not in ep.shown or not isinstance(section, Section):
        return "it quotes no section that was shown"
    if section not in sections_of(ep.world, case.governing):
        return "it quotes other terms than those that govern"
    if owed is None:
        return quote_fault(quote, body(section), 0, 0)
    key = f"{case.built.owner}.{owed.code}"
    if key not in section.facts(ep.world):
        return "it quotes another clause"
    return quote_fault(quote, body(section), *fact_span(section, key))


def obligation_applied(case: OverbookingCase, ep: Episode) -> Finding:
    """The items owed in this case, each with its amount or ceiling, its conditions, and until when to report."""
    given, due = answer_of(ep).obligation.items, {item.kind: item for item in case.built.owed}
    faults = [f"{kind} is left out" for kind in due if kind not in {item.kind for item in given}]
    for place, item in enumerate(given):
        if item.kind not in due or item.kind in {earlier.kind for earlier in given[:place]}:
            faults.append(f"{item.kind} is not owed, or not twice")
        else:
            faults += [f"{item.kind}: {fault}" for fault in _misapplied(case, item, due[item.kind])]
    expected = "; ".join(_told(case, item) for item in case.built.owed)
    return Finding(not faults, expected, "; ".join(faults) or expected)


def _misapplied(case: OverbookingCase, item: Item, owed: Owed) -> Iterator[str]:
    for name, value, wanted in (("amount", item.amount, owed.amount), ("ceiling", item.cap, owed.cap)):
        if value.minor_in(case.currency) != (wanted or 0):
            yield f"{name} {value.amount or 'none'}"
    if set(item.conditions) != set(owed.conditions):
        yield f"conditions {', '.join(item.conditions) or 'none'}"
    right = same_moment(item.by, owed.by, case.built.plot.zone) if owed.by else not item.by.strip()
    if not right:
        yield f"by {item.by or 'no time'}"


def _told(case: OverbookingCase, owed: Owed) -> str:
    amount = "" if owed.amount is None else f" {Money(owed.amount, case.currency)}"
    cap = "" if owed.cap is None else f" up to {Money(owed.cap, case.currency)}"
    ends = f" by {owed.by}" if owed.by else ""
    return f"{owed.kind}{amount}{cap} ({', '.join(owed.conditions) or 'no condition'}){ends}"
