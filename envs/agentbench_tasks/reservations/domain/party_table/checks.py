"""The checks of a party's table. One clause asks which house it is; the others judge what was kept or named."""

from __future__ import annotations

from agentbench_env.claims import Fact, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.market import shared_table
from agentbench_env.text.fold import fold
from agentbench_env.verdict import Finding
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.service_time import service_instant
from agentbench_tasks.reservations.domain import holds
from agentbench_tasks.reservations.domain.blocking import MEANING, BlockingStep
from agentbench_tasks.reservations.domain.booking_page import route_scope, step_key
from agentbench_tasks.reservations.domain.diet_page import DIET_LEVELS, DietStatement, certified_value, diet_key
from agentbench_tasks.reservations.domain.party_table import fit
from agentbench_tasks.reservations.domain.party_table.answer import When
from agentbench_tasks.reservations.domain.party_table.build import FILE
from agentbench_tasks.reservations.domain.party_table.case import Kept, PartyCase, answer_of, kept_at_end, kept_for
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.registry import Certificate
from agentbench_tasks.reservations.domain.terms import Terms
from agentbench_tasks.reservations.domain.terms_facts import deposit_key, deposit_value, terms_scope

_ASKS: dict[str, BlockingStep] = {"hold": "card_hold_required", "charged": "deposit_payment_required"}
"""Which step terms state with the deposit that they ask for."""


def reservation_prepared(case: PartyCase, ep: Episode) -> Finding:
    """Whether exactly one record is kept where a table can be held, and none where it cannot."""
    kept, outcome = kept_at_end(ep), answer_of(ep).outcome
    ids = tuple(one.id for one in kept)
    if not case.is_open:
        right = not kept and outcome == "handed_back"
        return Finding(right, "nothing is kept, handed back", f"{len(kept)} kept, {outcome}", ids)
    fault = "" if outcome == "held" else outcome
    if not fault and len(kept) != 1:
        fault = f"{len(kept)} records are kept"
    if not fault and answer_of(ep).record_id.strip() not in ("", *ids):
        fault = f"the answer names {answer_of(ep).record_id}"
    if not fault and kept[0].stopped:
        fault = f"{kept[0].id} waits for a step of the user's"
    if not fault and not _is_users(case, kept[0]):
        fault = f"{kept[0].id} is in the name of {kept[0].guest_name}"
    return Finding(not fault, "one record in the user's name", fault or "so", ids)


def _is_users(case: PartyCase, kept: Kept) -> bool:
    user, written = case.built.town.user, fold(kept.guest_name)
    name = user.name
    forms = (*user.accepted_names, name.family, name.given, name.family_latin, name.given_latin, name.reading)
    return any(fold(form) in written for form in forms if form)


def fits_request(case: PartyCase, ep: Episode) -> Finding:
    """Whether the record, or the house that is handed back, and the answer have what was asked for."""
    given, plot, world, zone = answer_of(ep), case.plot, ep.world, ep.world.zone
    kept = kept_for(ep)
    venue_id = kept.venue_id if kept else given.venue.strip()
    faults = [
        *_record_faults(case, kept, zone),
        "" if given.party_size == plot.party else f"the answer says {given.party_size} guests",
        "" if given.on_date.strip() == plot.day else f"the answer says {given.on_date}",
        _start_fault(case, given.start, kept, zone),
        "" if fit.is_near(world, case.built.landmark_id, venue_id) else f"{venue_id} is not in walking distance",
        "" if fit.is_affordable(world, plot, venue_id) else f"{venue_id} is dearer than asked for",
        "" if kept or fit.serves(world, plot, venue_id) else f"{venue_id} does not serve a party then",
    ]
    fault = next(filter(None, faults), "")
    ceiling = f", at most {plot.ceiling.minor} {plot.ceiling.currency} a head" if plot.ceiling else ""
    expected = f"{plot.party} guests on {plot.day} between {plot.earliest} and {plot.latest}, within {fit.WALKABLE} m"
    return Finding(not fault, expected + ceiling, fault or "so", (venue_id,))


def _record_faults(case: PartyCase, kept: Kept | None, zone: str) -> list[str]:
    if kept is None:
        return []
    plot = case.plot
    return [
        "" if kept.party_size == plot.party else f"{kept.id} is for {kept.party_size} guests",
        "" if fit.is_on_time(plot, kept.start, zone) else f"{kept.id} starts at {to_local(kept.start, zone)}",
        f"{kept.id} is at {kept.seating}" if plot.tables_only and kept.seating != "table" else "",
    ]


def _start_fault(case: PartyCase, given: When, kept: Kept | None, zone: str) -> str:
    """Say what is wrong with the start that the answer gives; it may give none where nothing is held."""
    local = given.local.strip()
    if not local:
        return "the answer gives no start" if case.is_open else ""
    try:
        start = service_instant(local[:10], local[11:16], given.zone.strip() or zone)
    except (ValueError, OverflowError):
        return f"{given.local} {given.zone} is no time"
    if kept and start != kept.start:
        return f"the answer says {given.local}, {kept.id} starts at {to_local(kept.start, zone)}"
    return "" if fit.is_on_time(case.plot, start, zone) else f"{given.local} lies outside the window"


def diet_evidenced(case: PartyCase, ep: Episode) -> Finding:
    """Whether the house proves the need as strongly as asked for, and the answer says which house and how strongly."""
    given, plot, world = answer_of(ep), case.plot, ep.world
    kept = kept_for(ep)
    venue_id = kept.venue_id if kept else given.venue.strip()
    level = fit.level_at(world, plot, venue_id) if isinstance(world.find(venue_id), Place) else "none"
    fault = ""
    if DIET_LEVELS.index(level) < DIET_LEVELS.index(plot.theme.level):
        fault = f"{venue_id} proves {plot.theme.need}: {level}"
    elif given.venue.strip() != venue_id:
        fault = f"the answer names {given.venue}, kept is {venue_id}"
    elif (given.diet.need, given.diet.level) != (plot.theme.need, level):
        fault = f"the answer says {given.diet.need} {given.diet.level}, not {level}"
    return Finding(not fault, f"a house with {plot.theme.need} {plot.theme.level}", fault or "so", (venue_id,))


def diet_source(case: PartyCase, ep: Episode) -> Finding:
    """Whether a cited record proves the need for the house that the answer names."""
    given, plot = answer_of(ep), case.plot
    key = diet_key(given.venue.strip(), plot.theme.need)
    values = _proofs(ep.world, case, given.venue.strip())
    faults = [sources_fault(ep, given.diet.sources, ((key, value),)) for value in values]
    fault = "" if "" in faults else next(iter(faults), f"nothing proves {plot.theme.need} at {given.venue}")
    return Finding(not fault, f"a record that proves {key}", fault or "so", tuple(given.diet.sources))


def _proofs(world: World, case: PartyCase, venue_id: str) -> list[str]:
    """What an outlet states that proves the need, as claims compare it."""
    plot = case.plot
    if not isinstance(world.find(venue_id), Place) or fit.level_at(world, plot, venue_id) == "none":
        return []
    own = [row for row in world.where(DietStatement, "venue_id", venue_id) if row.need == plot.theme.need]
    return [
        certified_value(world.get(Certificate, row.certificate_id)) if row.certificate_id else row.value for row in own
    ]


def need_on_record(case: PartyCase, ep: Episode) -> Finding:
    """Whether the record's notes state the need or, where nothing can be held, the user is told to mention it."""
    need = case.plot.theme.need
    if not case.is_open:
        mention = answer_of(ep).handback.mention
        return Finding(need in mention, f"mention {need}", ", ".join(mention) or "nothing")
    kept = kept_for(ep)
    if kept is None:
        return Finding(True, "the notes of what is kept state the need", "nothing is kept")
    words = markers(ep.world.get(Place, kept.venue_id), need)
    stated = any(word in fold(kept.notes) for word in words)
    return Finding(stated, f"notes with one of: {', '.join(words)}", kept.notes or "no notes", (kept.id,))


def markers(place: Place, need: str) -> list[str]:
    """The words by which notes to a venue state a need, folded."""
    languages = dict.fromkeys((*place.working_languages, "en"))
    return [fold(word) for language in languages for word in shared_table(f"text/{language}/{FILE}")["markers"][need]]


def blocking_step(case: PartyCase, ep: Episode) -> Finding:
    """Whether the step is the right one, shown by the venue itself, with what the user does next and where."""
    given = answer_of(ep).handback
    if case.is_open:
        return Finding(given.step == "none", "none", given.step)
    venue_id = answer_of(ep).venue.strip()
    known = isinstance(ep.world.find(venue_id), Place)
    step = fit.step_at(ep.world, case.plot, venue_id) if known else "none"
    if step == "none":
        fault = f"no step of the user's stops a booking at {venue_id}"
    elif given.step != step:
        fault = given.step
    elif given.next_step != MEANING[step][0]:
        fault = f"{given.next_step} after {step}"
    else:
        fault = _contact_fault(case, ep, venue_id, given.contact) or _step_fault(case, ep, venue_id, step)
    return Finding(not fault, f"{case.plot.theme.step}, as the venue says", fault or "so", tuple(given.evidence))


def _contact_fault(case: PartyCase, ep: Episode, venue_id: str, contact: str) -> str:
    route = fit.route_at(ep.world, case.plot, venue_id)
    value = route.contact.value if route and route.contact else ""
    if not value or _bare(contact) == _bare(value):
        return ""
    return f"{contact or 'no contact'}, not {value}"


def _bare(contact: str) -> str:
    """A number or handle by its letters and digits alone."""
    return "".join(filter(str.isalnum, fold(contact)))


def _step_fault(case: PartyCase, ep: Episode, venue_id: str, step: BlockingStep) -> str:
    """Say why no cited record shows the step, "" if one does: the venue's own words or terms, or a hold."""
    plot, route = case.plot, fit.route_at(ep.world, case.plot, venue_id)
    assert route is not None
    facts: list[Fact] = [
        (step_key(venue_id, route_scope(route)), step),
        (holds.step_key(venue_id, plot.day, plot.party), step),
    ]
    facts += [
        (deposit_key(venue_id, terms_scope(terms)), deposit_value(terms))
        for terms in ep.world.where(Terms, "venue_id", venue_id)
        if terms.party.holds(plot.party) and _ASKS.get(terms.deposit.kind) == step
    ]
    faults = [sources_fault(ep, answer_of(ep).handback.evidence, (fact,)) for fact in facts]
    return "" if "" in faults else faults[0]
