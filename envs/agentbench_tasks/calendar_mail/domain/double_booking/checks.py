"""The checks of a double booking: the two meetings as they stand, the notes to guests, and the rule that is named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from agentbench_env.claims import Fact, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.text.facts.moments import conflicting, states_moment
from agentbench_env.text.fold import fold
from agentbench_env.verdict import Finding
from agentbench_env.zones import to_iso, to_local
from agentbench_tasks.calendar_mail.domain.double_booking.answer import DoubleBookingAnswer
from agentbench_tasks.calendar_mail.domain.double_booking.case import DoubleBookingCase, Standing, standings
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.events import Event, Occurrence
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.written import written


def one_event_moved(case: DoubleBookingCase, ep: Episode) -> Finding:
    """One of the two begins at another time, once, otherwise as it was, and clear of the other."""
    both = standings(case, ep.world)
    moved = [one for one in both if one.moved]
    ids = tuple(one.meeting.event.id for one in moved)
    if len(moved) != 1:
        return Finding(False, "one of the two moved", f"{len(moved)} moved", ids)
    other = both[1] if moved[0] is both[0] else both[0]
    faults = _changes(case, moved[0], ep)
    now, rest = moved[0].now, other.now
    if now is not None and rest is not None and now.start < rest.end and rest.start < now.end:
        faults.append("it still overlaps the other")
    return Finding(not faults, "one moved and otherwise as it was", "; ".join(faults) or "so it is", ids)


def _changes(case: DoubleBookingCase, one: Standing, ep: Episode) -> list[str]:
    """What besides its time is not as it was."""
    assert one.now is not None
    before, now = one.before, one.now
    found: list[str] = []
    if body_of(now.own.title) != body_of(before.own.title):
        found.append("it has another title")
    if _guests(now.own) != _guests(before.own):
        found.append("it has other guests")
    if now.end - now.start != before.end - before.start:
        found.append(f"it takes {(now.end - now.start) // 60} minutes")
    if bool(now.event.rrule) != bool(before.event.rrule):
        found.append("it repeats, or no longer does")
    if any(_is_copy(case, event, now) for event in ep.world.all(Event) if event.id not in ep.world.start.records):
        found.append("it stands on the calendar more than once")
    return found


def _guests(event: Event) -> dict[str, str]:
    return {fold(guest.address): guest.role for guest in event.attendees}


def _is_copy(case: DoubleBookingCase, made: Event, now: Occurrence) -> bool:
    on_own = made.calendar_id == case.built.office.calendar.id and made.status != "cancelled"
    return on_own and fold(body_of(made.title)) == fold(body_of(now.own.title))


def new_slot_free(case: DoubleBookingCase, ep: Episode) -> Finding:
    """Whatever was moved lies where all who are required can attend, within the days allowed."""
    faults: list[str] = []
    moved = [one for one in standings(case, ep.world) if one.moved]
    for one in moved:
        assert one.now is not None
        faults += [f"{to_iso(one.now.start, case.zone)} {fault}" for fault in one.meeting.scene.faults(one.now.start)]
    ids = tuple(one.meeting.event.id for one in moved)
    expected = ", ".join(to_iso(at, case.zone) for at in case.built.plan.targets)
    return Finding(not faults, f"for the lower one {expected}", "; ".join(faults) or "free for all", ids)


def other_left_intact(case: DoubleBookingCase, ep: Episode) -> Finding:
    """The one that did not move is as it was, field for field."""
    both = standings(case, ep.world)
    if sum(one.moved for one in both) != 1:
        return Finding(True, observed="none or both moved")
    other = next(one for one in both if not one.moved)
    same = other.now is not None and other.now.own == other.before.own
    return Finding(same, "as it was", "as it was" if same else "changed", (other.meeting.event.id,))


def choice_follows_rule(case: DoubleBookingCase, ep: Episode) -> Finding:
    """The one that moved is the lower one."""
    both = standings(case, ep.world)
    moved = [one for one in both if one.moved]
    if len(moved) != 1:
        return Finding(True, observed="none or both moved")
    expected, seen = case.built.lower.event.id, moved[0].meeting.event.id
    return Finding(seen == expected, expected, seen, (seen,))


def priority_rule_stated(case: DoubleBookingCase, ep: Episode) -> Finding:
    """The rule named is the first that separates the two, with its page and the fact that decides it."""
    answer = ep.answer
    assert isinstance(answer, DoubleBookingAnswer)
    rule, claim = case.built.plan.story.rule, answer.rule
    section = case.built.page.section(rule)
    if claim.value.strip() != section.id:
        return Finding(False, section.id, claim.value or "none", (claim.value,))
    place = case.built.plan.story.order.index(rule) + 1
    needs: tuple[Fact, ...] = ((f"priority.{rule}", place),)
    faults = [sources_fault(ep, claim.sources, (*needs, fact)) for fact in deciding_facts(case)]
    fault = "" if "" in faults else faults[0]
    return Finding(not fault, f"{section.id} ({rule}), with sources", fault or section.id, tuple(claim.sources))


def deciding_facts(case: DoubleBookingCase) -> list[Fact]:
    """Return the facts of which each shows why the rule separates the two."""
    story, upper = case.built.plan.story, case.built.upper
    facts: list[Fact]
    match story.rule:
        case "outside":
            guests = [person.contact for guest, person in upper.people if not guest.inside]
            facts = [("upper.outside", True), *((f"contact.{card.id}.relation", card.relation) for card in guests)]
        case "superior":
            chair = upper.people[0][1].contact
            facts = [("upper.superior", True), (f"contact.{chair.id}.relation", chair.relation)]
        case "statutory" | "room":
            facts = [(f"upper.{story.rule}", True)]
        case "required":
            facts = [("upper.required", story.upper.required), ("lower.required", story.lower.required)]
        case "booked":
            facts = [("upper.booked", story.upper.age_days), ("lower.booked", story.lower.age_days)]
    return facts


def notices_fault(ep: Episode, case: DoubleBookingCase) -> str:
    """Say which guest of what was moved has no note with the new date and time, "" if each has one."""
    missing = [
        person.contact.latin_name for one in standings(case, ep.world) if one.moved for person in _untold(case, one, ep)
    ]
    return f"no draft or mail tells {', '.join(missing)} the new date and time" if missing else ""


def _untold(case: DoubleBookingCase, one: Standing, ep: Episode) -> Iterator[Person]:
    assert one.now is not None
    mails = written(ep.world)
    today = date.fromisoformat(to_local(ep.world.now, case.zone)[:10])
    for _, person in one.meeting.people:
        text_of = (f"{mail.subject}\n{mail.body}" for mail in mails if fold(person.address) in mail.to)
        if not any(_tells(text, one, person.contact.zone, case, today) for text in text_of):
            yield person


def _tells(text: str, one: Standing, reader_zone: str, case: DoubleBookingCase, today: date) -> bool:
    """Whether a note sets the new date and time of a meeting, and leaves no other open but those of the clash."""
    assert one.now is not None
    both = case.built.both
    allowed = {one.now.start, one.now.end, *(at for meeting in both for at in meeting.span)}
    home = case.zone
    others = conflicting(text, allowed, written_on=today, reader_zone=reader_zone, writer_zone=home)
    return not others and states_moment(
        text, one.now.start, written_on=today, reader_zone=reader_zone, writer_zone=home, standing=True
    )
