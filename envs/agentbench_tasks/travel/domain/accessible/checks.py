"""The checks of an accessible stay, each judging the room that was chosen."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_env.claims import quote_fault, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.pages import Section, body
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.travel.domain.accessible.answer import EvidenceRow
from agentbench_tasks.travel.domain.accessible.case import AccessibleCase, Chosen
from agentbench_tasks.travel.domain.accessible.needs import Need, same_value
from agentbench_tasks.travel.domain.accessible.records import fact_span, key_of, kind_of
from agentbench_tasks.travel.domain.records_stays import ListingSection, Review


def property_and_room_named(case: AccessibleCase, ep: Episode) -> Finding:
    """A room of a house in the district, large enough, and with every night within the limit."""
    chosen, wish = Chosen(case, ep), case.wish
    ids = (chosen.answer.property_id, chosen.answer.room_type_id)
    expected = f"a room for {wish.party.size} in {wish.district_id}, at most {wish.ceiling} a night"
    house, room = chosen.house, chosen.room
    fault = ""
    if house is None or room is None:
        fault = "no such house, or no such room of it"
    elif (house.city_id, house.district_id) != (wish.city_id, wish.district_id):
        fault = f"the house is in {house.district_id}"
    elif room.max_guests < wish.party.size:
        fault = f"the room takes {room.max_guests} guests"
    else:
        rates = [chosen.rate] if chosen.rate else chosen.rates
        if not any(chosen.fits_ceiling(rate) for rate in rates):
            fault = "a night is dearer than the limit, or the room is not sold for these nights"
    return Finding(not fault, expected, fault or "such a room", ids)


def every_need_evidenced(case: AccessibleCase, ep: Episode) -> Finding:
    """Every need has a row, and some text of the house that was shown states its value, which meets the need."""
    chosen = Chosen(case, ep)
    if chosen.house is None:
        return Finding(True, observed="no house to judge")
    asked = {need.kind: need for need in case.wish.needs}
    rows = chosen.answer.evidence
    faults = [f"no row for {kind}" for kind in asked if kind not in {row.need for row in rows}]
    shown = list(_shown_values(ep, chosen.house.id))
    for row in rows:
        stated = [value for kind, value in shown if kind == row.need and same_value(kind, row.value, value)]
        need = asked.get(row.need)
        if not stated:
            faults.append(f"{row.need}: nothing that was read of this house states {row.value}")
        elif need is not None and not any(need.met_by(value) for value in stated):
            faults.append(f"{row.need}: {row.value} does not meet {_limits(need)}")
    return Finding(not faults, "each need with a value that meets it", "; ".join(faults) or "each need")


def _shown_values(ep: Episode, house: str) -> Iterator[tuple[str, str]]:
    """Every kind and value that texts of a house state, whoever wrote them, of those that were shown."""
    world = ep.world
    for record in (*world.where(ListingSection, "property_id", house), *world.where(Review, "property_id", house)):
        if record.id in ep.shown:
            for fact in record.stated:
                yield kind_of(fact.key)[0], str(fact.value)


def _limits(need: Need) -> str:
    return need.word or (f"{need.low} to {need.high}" if need.high else f"at least {need.low}")


def quoted_verbatim(case: AccessibleCase, ep: Episode) -> Finding:
    """Each passage stands word for word in a text that was shown, and holds the statement if that text has it."""
    chosen = Chosen(case, ep)
    faults = [f"{row.need}: {fault}" for row in chosen.answer.evidence if (fault := _quote_fault(ep, row))]
    ids = tuple(row.quote.section_id for row in chosen.answer.evidence)
    return Finding(not faults, "passages word for word", "; ".join(faults) or "word for word", ids)


def _quote_fault(ep: Episode, row: EvidenceRow) -> str:
    quote = row.quote
    if quote.section_id not in ep.shown:
        return "its section was never shown"
    record = ep.record(quote.section_id)
    if isinstance(record, ListingSection):
        keys = [fact.key for fact in record.stated if kind_of(fact.key)[0] == row.need]
        start, end = fact_span(record, keys[0]) if keys else (0, 0)
        return quote_fault(quote, body_of(record.text), start, end)
    if isinstance(record, Review):
        return quote_fault(quote, body_of(record.text), 0, 0)
    if isinstance(record, Message):
        return quote_fault(quote, body_of(record.body), 0, 0)
    return quote_fault(quote, body(record), 0, 0) if isinstance(record, Section) else "it is no section of a text"


def not_inferred(case: AccessibleCase, ep: Episode) -> Finding:
    """Each passage is the house's own, in force, about the room or the whole house, and states the thing itself."""
    chosen = Chosen(case, ep)
    faults = [f"{row.need}: {fault}" for row in chosen.answer.evidence if (fault := _inference(ep, row, chosen))]
    ids = tuple(row.quote.section_id for row in chosen.answer.evidence)
    return Finding(not faults, "statements of the house itself", "; ".join(faults) or "the house's own", ids)


def _inference(ep: Episode, row: EvidenceRow, chosen: Chosen) -> str:
    record = ep.record(row.quote.section_id)
    if record is None or row.quote.section_id not in ep.shown:
        return ""
    if not isinstance(record, ListingSection):
        return "not a section of a listing"
    if record.author == "guest":
        return "a guest wrote it"
    if record.superseded_by:
        return "a newer section replaces it"
    if record.property_id != chosen.answer.property_id:
        return "it is of another house"
    if record.room_type_id not in ("", chosen.answer.room_type_id):
        return "it is about another room"
    facts = record.facts(ep.world)
    subjects = (record.property_id, record.room_type_id)
    stated = [facts[key] for one in subjects if (key := key_of(one, row.need)) in facts]
    if not stated:
        return "it does not state the thing itself"
    if not any(same_value(row.need, row.value, str(value)) for value in stated):
        return f"it states {stated[0]}, not {row.value}"
    return ""


def available_as_stated(case: AccessibleCase, ep: Episode) -> Finding:
    """The rate is one of the room for these nights, has a room left, and costs what the answer says."""
    chosen = Chosen(case, ep)
    if chosen.room is None:
        return Finding(True, observed="no room to judge")
    rate, claim = chosen.rate, chosen.answer.price_total
    if rate is None:
        return Finding(False, "a rate of this room for these nights", chosen.answer.rate_id, (chosen.answer.rate_id,))
    if rate.rooms_left < 1 or rate.sells_from > ep.world.now:
        return Finding(False, "a room that can be had", f"{rate.rooms_left} rooms left", (rate.id,))
    total = chosen.total(rate)
    try:
        price = Money.of(claim.value.amount, claim.value.currency or total.currency)
    except ValueError:
        price = None
    if price != total:
        return Finding(False, str(total), f"{claim.value.amount} {claim.value.currency}", (rate.id,))
    nights = [(f"{rate.id}.{night.day}.shown", str(night.shown)) for night in rate.nights]
    fault = sources_fault(ep, claim.sources, nights)
    if fault and not sources_fault(ep, claim.sources, [(f"{rate.id}.total", str(total))]):
        fault = ""
    return Finding(not fault, f"{total} from the rate or a quote", fault or str(total), (rate.id,))
