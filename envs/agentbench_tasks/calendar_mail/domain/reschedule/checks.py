"""The checks of a three-party rescheduling: the event as it stands, and the replies that were sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cached_property

from agentbench_env.episode import Episode
from agentbench_env.text.facts.moments import conflicting, states_moment
from agentbench_env.text.fold import fold
from agentbench_env.verdict import Finding
from agentbench_env.zones import to_iso, to_local, zone_names
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Who
from agentbench_tasks.calendar_mail.domain.reschedule.touched import meetings, written_last
from agentbench_tasks.commons.events import Event
from agentbench_tasks.commons.written import Written, voice_fault, written


class Outcome:
    """The meeting as it stands and the replies that were sent."""

    def __init__(self, case: RescheduleCase, ep: Episode) -> None:
        self._case, self._ep = case, ep
        self.zone = case.built.office.calendar.zone

    @cached_property
    def event(self) -> Event | None:
        """The meeting that was written last."""
        return written_last(self._case, self._ep)

    @cached_property
    def start(self) -> int:
        """When it begins."""
        assert self.event is not None
        return self.event.start.instant(self.zone)

    @property
    def end(self) -> int:
        """When it ends."""
        assert self.event is not None
        return self.event.end.instant(self.zone)

    def replies(self) -> Iterator[tuple[Person, Written]]:
        """Yield every mail to nobody but the two others that was sent in the meeting's threads, by reader."""
        two = {fold(person.address) for person in self._case.built.pair}
        own = fold(self._case.built.office.user.address)
        for mail in written(self._ep.world):
            if mail.is_sent and mail.thread_id in self._case.built.threads and set(mail.to) - {own} <= two:
                for person in self._case.built.pair:
                    if fold(person.address) in mail.to:
                        yield person, mail


def single_event(case: RescheduleCase, ep: Episode) -> Finding:
    """One event on the user's calendar is the meeting, and it takes place once."""
    found = meetings(case, ep)
    repeats = any(event.rrule for event in found)
    seen = f"{len(found)} events" + (", repeating" if repeats else "")
    return Finding(len(found) == 1 and not repeats, "one event", seen, tuple(event.id for event in found))


def slot_fits_everyone(case: RescheduleCase, ep: Episode) -> Finding:
    """The meeting begins when all three can attend for the agreed length."""
    outcome = Outcome(case, ep)
    if outcome.event is None:
        return Finding(True, observed="no event to judge")
    faults = case.built.scene.faults(outcome.start)
    at = to_iso(outcome.start, outcome.zone)
    expected = f"a time such as {to_iso(case.plan.start, outcome.zone)}"
    return Finding(not faults, expected, f"{at} {'; '.join(faults)}".strip(), (outcome.event.id,))


def event_zoned_full_length(case: RescheduleCase, ep: Episode) -> Finding:
    """Both ends of the meeting name a zone, and it takes exactly as long as agreed."""
    outcome, minutes = Outcome(case, ep), case.plan.minutes
    event = outcome.event
    if event is None:
        return Finding(True, observed="no event to judge")
    ends = (event.start, event.end)
    seen = f"{event.length_s // 60} minutes, {' to '.join(f'{end.local} {end.zone}'.strip() for end in ends)}"
    zoned = all(end.zone in zone_names() and "/" in end.zone and not end.zone.startswith("Etc/") for end in ends)
    return Finding(zoned and event.length_s == minutes * 60, f"{minutes} minutes, with a zone", seen, (event.id,))


def all_three_on_event(case: RescheduleCase, ep: Episode) -> Finding:
    """The guests besides the user are the two others in their roles, and nobody else."""
    event = Outcome(case, ep).event
    if event is None:
        return Finding(True, observed="no event to judge")
    expected, seen = _guests(case.built.event, case), _guests(event, case)
    return Finding(seen == expected, str(expected), str(seen), (event.id,))


def _guests(event: Event, case: RescheduleCase) -> dict[str, str]:
    own = fold(case.built.office.user.address)
    return {fold(guest.address): guest.role for guest in event.attendees if fold(guest.address) != own}


def reply_reached_each_party(case: RescheduleCase, ep: Episode) -> Finding:
    """Each of the two others was sent a mail in the meeting's thread that went to nobody else."""
    replies = list(Outcome(case, ep).replies())
    reached = {person.id for person, _ in replies}
    left = [person.shown_name for person in case.built.pair if person.id not in reached]
    seen = f"none to {', '.join(left)}" if left else "a reply to each"
    return Finding(not left, "a reply to each", seen, tuple(mail.id for _, mail in replies))


def replies_state_the_slot(case: RescheduleCase, ep: Episode) -> Finding:
    """Each reply sets the event's day and start, with a zone for a reader elsewhere, and no other time to come."""
    outcome = Outcome(case, ep)
    if outcome.event is None:
        return Finding(True, observed="no event to judge")
    faults: list[str] = []
    replies = list(outcome.replies())
    for person, mail in replies:
        fault = _slot_fault(case, outcome, person, mail)
        if fault:
            faults.append(f"{mail.id} to {person.contact.latin_name} {fault}")
    seen = "; ".join(faults) or "that"
    return Finding(not faults, to_iso(outcome.start, outcome.zone), seen, tuple(mail.id for _, mail in replies))


def _slot_fault(case: RescheduleCase, outcome: Outcome, person: Person, mail: Written) -> str:
    reader = person.contact.zone
    written_on = date.fromisoformat(to_local(mail.sent_at, outcome.zone)[:10])
    elsewhere = reader != outcome.zone
    if not states_moment(
        mail.body,
        outcome.start,
        written_on=written_on,
        reader_zone=reader,
        writer_zone=outcome.zone,
        zone_word=elsewhere,
        standing=True,
    ):
        return f"does not set {to_local(outcome.start, reader)}{' with its zone' if elsewhere else ''}"
    who: Who = next(who for who, one in case.built.others.items() if one is person)
    offered = {window.span(reader)[0] for window in case.plan.offers.get(who, ())}
    allowed = {outcome.start, outcome.end, case.plan.old_start, *offered}
    others = conflicting(mail.body, allowed, written_on=written_on, reader_zone=reader, writer_zone=outcome.zone)
    return f"also states {others[0].days[0]} {others[0].times[0]}" if others else ""


def replies_in_due_register(case: RescheduleCase, ep: Episode) -> Finding:
    """Each reply is in its reader's language and register and uses a form of address on their card."""
    replies = list(Outcome(case, ep).replies())
    faults: list[str] = []
    for person, mail in replies:
        others = [one.contact for one in case.built.pair if fold(one.address) not in mail.to]
        fault = voice_fault(mail.body, person.contact, others)
        if fault:
            faults.append(f"{mail.id} to {person.contact.latin_name} {fault}")
    seen = "; ".join(faults) or "each as due"
    return Finding(not faults, "each as due to its reader", seen, tuple(mail.id for _, mail in replies))
