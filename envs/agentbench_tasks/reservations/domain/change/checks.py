"""The checks of a changed table. Which one is meant is one clause's own; the others judge the one acted on."""

from __future__ import annotations

from datetime import date

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.reservations.domain.booking_records import Reservation, TableHold
from agentbench_tasks.reservations.domain.change.answer import Moment
from agentbench_tasks.reservations.domain.change.case import ChangeCase, Done
from agentbench_tasks.reservations.domain.change.goal import channel_of, current_terms, cutoff_of, zone_of
from agentbench_tasks.reservations.domain.letters import change_fault
from agentbench_tasks.reservations.domain.terms_facts import cutoff_key, cutoff_value, terms_scope
from agentbench_tasks.reservations.domain.voice import voice_fault

CHANGED = frozenset(
    (
        *("start", "end", "party_size", "status", "table_ids", "moves"),
        *("deposit", "terms_id", "terms_page_id", "remaining_steps"),
    )
)
"""The fields of a reservation that another time or size changes, or that another clause judges."""
_MINUTE = 60


def right_reservation(case: ChangeCase, ep: Episode) -> Finding:
    """The reservation acted on, and named, is the one meant."""
    done, wanted = Done(case, ep), case.goal.reservation_id
    acted_on = done.acted_on.id if done.acted_on else "none"
    ids = {acted_on, done.answer.reservation.strip()}
    return Finding(ids == {wanted}, wanted, " and ".join(sorted(ids)), (wanted,))


def changed_or_routed(case: ChangeCase, ep: Episode) -> Finding:
    """The reservation is as wished, or as it was with one message ready in the channel of its terms."""
    done = Done(case, ep)
    row = done.acted_on
    if row is None:
        return Finding(False, "a reservation of the user's", f"{done.answer.reservation!r}")
    due, now = case.outcome(row), done.now(row)
    fault = "" if done.answer.outcome == due else f"the answer says {done.answer.outcome}"
    wanted = case.wished(row) if due == "updated" else row
    if (now.start, now.party_size, now.status) != (wanted.start, wanted.party_size, "confirmed"):
        local = to_local(now.start, zone_of(case.start, row))
        fault = fault or f"{now.status} for {now.party_size} at {local}"
    if due == "routed":
        fault = fault or _draft_fault(case, done, row)
    local = to_local(wanted.start, zone_of(case.start, row))
    return Finding(not fault, f"{due}: {wanted.party_size} at {local}", fault or "so", (row.id,))


def _draft_fault(case: ChangeCase, done: Done, row: Reservation) -> str:
    channel = channel_of(current_terms(case.start, row))
    if len(done.letters) != 1:
        return f"{len(done.letters)} messages to the venue, not one"
    letter = done.letters[0]
    if letter.channel != channel:
        return f"the message is a {letter.channel}, not a {channel}"
    return "" if done.answer.draft_id.strip() == letter.id else f"the answer names {done.answer.draft_id!r}"


def nothing_else(case: ChangeCase, ep: Episode) -> Finding:
    """Everything else of the reservation, and every other one, is as it was; no hold is left, nothing booked anew."""
    done = Done(case, ep)
    faults: list[str] = []
    for row in done.before:
        now = done.now(row)
        acted_on = done.acted_on is not None and row.id == done.acted_on.id
        fields = [field for field in row.__struct_fields__ if getattr(row, field) != getattr(now, field)]
        faults += [f"{field} of {row.id}" for field in fields if not (acted_on and field in CHANGED)]
        if acted_on and now.status == "cancelled" and len(ep.world.all(Reservation)) > len(done.before):
            faults.append(f"{row.id} was cancelled and booked anew")
    faults += [hold.id for hold in ep.world.all(TableHold) if hold.is_live(ep.world.now)]
    return Finding(not faults, "nothing else changed", "; ".join(faults) or "nothing else changed")


def cutoff_named(case: ChangeCase, ep: Episode) -> Finding:
    """The cut-off is that of the reservation as it stands, and rests on its terms."""
    done = Done(case, ep)
    if done.acted_on is None:
        return Finding(False, "a reservation of the user's", f"{done.answer.reservation!r}")
    row = done.now(done.acted_on)
    zone, terms, cutoff = zone_of(ep.world, row), current_terms(ep.world, row), cutoff_of(ep.world, row)
    given = done.answer.cutoff
    wanted = to_local(cutoff, zone) if cutoff is not None else "never"
    fault = "" if _is(given.value, cutoff, zone) else f"{given.value.local} {given.value.zone}".strip() or "none"
    if not fault:
        need = (cutoff_key(row.venue_id, terms_scope(terms)), cutoff_value(terms))
        fault = sources_fault(ep, [source.strip() for source in given.sources], (need,))
    return Finding(not fault, f"{wanted} {zone}", fault or "so", (terms.page_id,))


def _is(given: Moment, cutoff: int | None, zone: str) -> bool:
    """Whether a moment is the cut-off; the end of a day may be told as its last minute."""
    if cutoff is None:
        return not given.local.strip()
    try:
        instant = to_instant(given.local.strip().replace(" ", "T"), given.zone.strip() or zone)
    except ValueError:
        return False
    ends_day = to_local(cutoff, zone).endswith("T00:00")
    return instant == cutoff or (ends_day and instant == cutoff - _MINUTE)


def request_text(case: ChangeCase, ep: Episode) -> Finding:
    """Every message to the venue that the change is to be asked of has due language and tone, and all facts."""
    done, expected = Done(case, ep), "language, tone and facts as due"
    row = done.acted_on
    if row is None or case.outcome(row) == "updated":
        return Finding(True, expected, "nothing to be written")
    today = date.fromisoformat(ep.world.today)
    booking, wished = case.booking(row), case.booking(case.wished(row))
    user, place = case.user, done.place
    names = (*booking.names, place.full_name, place.name.latin, place.branch.latin, row.reference)
    faults = [
        voice_fault(letter.body, place.working_languages, user.name.gender, names)
        or change_fault(letter.body, booking, wished, place.working_languages[0], today)
        for letter in done.letters
    ]
    fault = "; ".join(filter(None, faults))
    return Finding(not fault, expected, fault or "so", tuple(letter.id for letter in done.letters))
