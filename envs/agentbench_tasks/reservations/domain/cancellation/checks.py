"""The checks of a table that is called off. Which table is one clause's own; the others judge the one prepared for."""

from __future__ import annotations

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.errors import ToolError
from agentbench_env.text.phrases import says
from agentbench_env.verdict import Finding
from agentbench_env.zones import UnknownZone, to_local
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.service_time import read_local
from agentbench_tasks.reservations.domain.blocking import MEANING
from agentbench_tasks.reservations.domain.booking_records import CancellationStage, Reservation
from agentbench_tasks.reservations.domain.cancellation.answer import Moment
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase, Done
from agentbench_tasks.reservations.domain.cancellation.plot import ONLINE
from agentbench_tasks.reservations.domain.letters import Letter, cancellation_fault, letters
from agentbench_tasks.reservations.domain.mailbag import owner_key
from agentbench_tasks.reservations.domain.messages import Thread
from agentbench_tasks.reservations.domain.terms_facts import cutoff_key, cutoff_value, terms_scope
from agentbench_tasks.reservations.domain.voice import voice_fault

NOTHING_PREPARED = Finding(True, observed="nothing was prepared that this clause judges")


def right_booking(case: CancellationCase, ep: Episode) -> Finding:
    """The table that the user speaks of."""
    done, goal = Done(case, ep), case.built.goal
    if goal.stop == "ownership_unconfirmed" or done.answer.handback.step == "ownership_unconfirmed":
        return NOTHING_PREPARED
    named = done.answer.reservation
    return Finding(named == goal.reservation_id, goal.reservation_id, named or "none", (goal.reservation_id,))


def same_channel(case: CancellationCase, ep: Episode) -> Finding:
    """What was prepared, or done, stands where the table was booked."""
    done = Done(case, ep)
    row = done.row
    if row is None:
        return NOTHING_PREPARED
    expected = f"prepared by {row.made_via}"
    if done.answer.channel != row.made_via:
        return Finding(False, expected, f"said to be booked by {done.answer.channel}", (row.id,))
    fault = _stage_fault(done, row) if row.made_via in ONLINE else _letter_place_fault(done, row)
    return Finding(
        not fault, expected, fault or expected, (row.id, done.answer.stage_id or done.answer.message_draft_id)
    )


def _stage_fault(done: Done, row: Reservation) -> str:
    if done.has_passed:
        return ""
    called_off = bool(done.called_off_at(row))
    if called_off != (done.answer.outcome == "cancelled"):
        return f"the table was {'' if called_off else 'not '}called off, and the outcome is {done.answer.outcome}"
    return "" if called_off or done.stage(row) else "no stage for it is named"


def _letter_place_fault(done: Done, row: Reservation) -> str:
    letter = done.letter
    if letter is None:
        return "no message is named"
    if row.made_via == "phone":
        right = letter.channel == "call_note" and letter.recipient_id == row.venue_id
    else:
        thread_id = done.case.thread_of(row)
        right = bool(thread_id) and letter.thread_id == thread_id
    if not right:
        return f"{letter.id} is a {letter.channel} in {letter.thread_id or 'no conversation'}"
    if not done.has_passed and letter.is_sent != (done.answer.outcome == "cancelled"):
        return f"the message was {'' if letter.is_sent else 'not '}sent, and the outcome is {done.answer.outcome}"
    return ""


def before_cutoff(case: CancellationCase, ep: Episode) -> Finding:
    """The limit is that of the terms, from the terms, and what was prepared is in time."""
    done = Done(case, ep)
    row = done.row
    if row is None:
        return NOTHING_PREPARED
    until, zone, claim = case.cutoff_of(row), done.place(row).zone, done.answer.cutoff
    expected = f"until {to_local(until, zone)} {zone}"
    if _instant(claim.value) not in _readings(until, zone):
        return Finding(False, expected, f"{claim.value.local} {claim.value.zone}".strip() or "no limit")
    terms = done.terms(row)
    needs = [(cutoff_key(row.venue_id, terms_scope(terms)), cutoff_value(terms))] if terms else []
    fault = sources_fault(ep, claim.sources, needs) or _late(done, row, until)
    return Finding(not fault, expected, fault or expected, tuple(claim.sources))


def _readings(until: int, zone: str) -> tuple[int, ...]:
    """The instants by which a limit may be given: midnight also as the last minute of the day."""
    return (until, until - 60) if to_local(until, zone)[11:16] == "00:00" else (until,)


def _late(done: Done, row: Reservation, until: int) -> str:
    """Say what was prepared or done outside the time that is left, "" if nothing."""
    act_by = done.answer.act_by
    if done.has_passed:
        return f"to be done by {act_by.local}, when it has passed" if act_by.local.strip() else ""
    called_off, stage = done.called_off_at(row), done.stage(row)
    moments = [called_off] if called_off else [stage.execute_before] if stage else []
    if act_by.local.strip():
        moments.append(_instant(act_by))
    elif not moments and row.made_via not in ONLINE:
        return "no moment by which to act"
    late = [moment for moment in moments if not done.begun <= moment <= until]
    return f"{to_local(max(late[0], 0), done.place(row).zone)} is not between the start and the limit" if late else ""


def message(case: CancellationCase, ep: Episode) -> Finding:
    """One short message to the venue that calls the table off, as it is due to a shop."""
    done = Done(case, ep)
    row = done.row
    if row is None:
        return NOTHING_PREPARED
    expected = "a short message in the due register with name, day, time and the word for cancelling"
    letter = done.letter
    if letter is None:
        # Where the message is the way of calling off, that it stands there is the business of another clause.
        online = row.made_via in ONLINE
        return Finding(not online, expected, "no message is named")
    fault = _message_fault(done, row, letter)
    return Finding(not fault, expected, fault or expected, (letter.id,))


def _message_fault(done: Done, row: Reservation, letter: Letter) -> str:
    place, user = done.place(row), done.case.built.user
    if row.made_via in ONLINE and letter.recipient_id != place.id:
        return "is not to the venue"
    booking = done.case.booking_of(row)
    names = (place.name.local, place.name.latin, place.branch.local, place.branch.latin, *booking.names)
    return cancellation_fault(
        letter.whole, booking, done.case.built.town.setting.language, done.letter_day
    ) or voice_fault(letter.body, place.working_languages, user.gender, names)


def ownership(case: CancellationCase, ep: Episode) -> Finding:
    """The table is said to be the user's by what ties it to the user."""
    done = Done(case, ep)
    row = done.row
    if row is None:
        return NOTHING_PREPARED
    claim, expected = done.answer.ownership, "yes, by the account or a confirmation to the user"
    if not claim.value:
        return Finding(False, expected, "no")
    key = owner_key(row.id)
    sources = [id for source in claim.sources for id in _told_in(ep, source, key)]
    fault = sources_fault(ep, sources, [(key, case.built.user.account.account_id)])
    return Finding(not fault, expected, fault or expected, tuple(claim.sources))


def _told_in(ep: Episode, source: str, key: str) -> list[str]:
    """Read a conversation that is cited as those of its messages that tell whose the table is."""
    return [id for id in _messages_of(ep, source) if key in ep.facts(id)] or [source]


def _messages_of(ep: Episode, source: str) -> list[str]:
    """The messages of a conversation that is cited; of anything else, itself."""
    if not isinstance(ep.record(source), Thread):
        return [source]
    return [one.id for one in ep.world.where(Message, "thread_id", source)]


def honest_stop(case: CancellationCase, ep: Episode) -> Finding:
    """Handed back where and only where nothing ties the table to the user or the free time has passed."""
    done, goal = Done(case, ep), case.built.goal
    fault = _stop_fault(done)
    expected = f"{goal.stop}, {goal.charge}" if goal.stop != "none" else "nothing stops it"
    return Finding(not fault, expected, fault or expected, tuple(done.answer.handback.evidence))


def _stop_fault(done: Done) -> str:
    goal, answer, world = done.case.built.goal, done.answer, done.world
    handed_back, step = answer.outcome == "handed_back", answer.handback.step
    if handed_back != (goal.stop != "none") or step != goal.stop:
        return f"{answer.outcome}, {step}"
    if answer.handback.next_step != MEANING[goal.stop][0]:
        return f"next step {answer.handback.next_step}"
    charge = answer.charge.minor_in(done.case.built.place.currency)
    if charge != goal.charge:
        return f"a charge of {answer.charge.amount} {answer.charge.currency}".strip()
    if goal.stop == "none":
        return ""
    evidence = answer.handback.evidence
    if not evidence or any(id not in done.ep.shown for id in evidence):
        return "rests on nothing that was shown"
    if goal.stop == "ownership_unconfirmed" and not any(_is_of_the_user(done, id) for id in evidence):
        return "rests on nothing of the user's own"
    if world.all(CancellationStage):
        return "a cancellation is staged"
    written = [letter for letter in letters(world) if says(letter.whole, "shop_phrases.cancel")]
    if goal.stop == "ownership_unconfirmed" and written:
        return "a message calls a table off"
    return ""


def _is_of_the_user(done: Done, source: str) -> bool:
    """Whether a record tells of a table of the user's, wherever and whenever that is."""
    account = done.case.built.user.account.account_id
    return any(
        key == owner_key(key.split(".")[1]) and value == account
        for id in _messages_of(done.ep, source)
        for key, value in done.ep.facts(id).items()
        if key.startswith("reservation.")
    )


def _instant(moment: Moment) -> int:
    """The instant of a moment to the minute, -1 if it is none; the end of a day may be written 24:00."""
    try:
        return read_local(moment.local.strip().replace(" ", "T")[:16], moment.zone.strip(), "local")
    except (ToolError, UnknownZone):
        return -1
