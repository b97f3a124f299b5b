"""The checks of a misdirected reply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial

from agentbench_env.claims import Fact, sources_fault
from agentbench_env.episode import Episode
from agentbench_env.lineage import Entry
from agentbench_env.text.fold import fold
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.misdirected.answer import DisclosedItem, MisdirectedAnswer, WrongRecipient
from agentbench_tasks.calendar_mail.domain.misdirected.case import MisdirectedCase
from agentbench_tasks.calendar_mail.domain.misdirected.notes import correction_fault, leaks, resend_fault
from agentbench_tasks.calendar_mail.domain.misdirected.pages import class_key, recall_key
from agentbench_tasks.calendar_mail.domain.misdirected.threads import (
    MISDIRECTED,
    asker_key,
    item_key,
    recipient_key,
)
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.written import Written, written


def _answer(ep: Episode) -> MisdirectedAnswer:
    assert isinstance(ep.answer, MisdirectedAnswer)
    return ep.answer


def disclosed_items_exact(case: MisdirectedCase, ep: Episode) -> Finding:
    """The kinds are those that got out, each at its place and with a source."""
    rows, goal = _answer(ep).disclosed, case.goal.items
    named = [row.item for row in rows]
    faults = [f"{kind} is left out" for kind in goal if kind not in named]
    faults += [f"{kind} did not get out" for kind in dict.fromkeys(named) if kind not in goal]
    faults += [f"{kind} is listed twice" for kind in dict.fromkeys(named) if named.count(kind) > 1]
    faults += [fault for row in rows if row.item in goal and (fault := _item_fault(case, ep, row))]
    # The list claims to be complete, which nobody can say of a file that was never opened.
    faults += [f"{file.filename} was never opened" for file in case.built.openable if file.id not in ep.shown]
    if _answer(ep).message_id != case.goal.message_id:
        faults.insert(0, "another mail is named")
    expected = f"{', '.join(f'{kind} ({place})' for kind, place in goal.items())}; every file opened that opens"
    return Finding(not faults, expected, "; ".join(faults) or "as expected", (case.goal.message_id,))


def _item_fault(case: MisdirectedCase, ep: Episode, row: DisclosedItem) -> str:
    place = case.goal.items[row.item]
    if row.where != place:
        return f"{row.item} stood in {place}, not in {row.where}"
    fault = sources_fault(ep, row.sources, [(item_key(row.item, place), True)])
    return f"{row.item}: {fault}" if fault else ""


def exposure_rated(case: MisdirectedCase, ep: Episode) -> Finding:
    """The wrong recipients with their read states, and the highest class, each with a source."""
    answer, goal = _answer(ep), case.goal
    named = [fold(row.address.value) for row in answer.wrong_recipients]
    faults: list[str] = []
    if sorted(named) != sorted(map(fold, goal.wrong)):
        faults.append(f"names {', '.join(named) or 'nobody'}")
    else:
        faults += [fault for row in answer.wrong_recipients if (fault := _recipient_fault(case, ep, row))]
    claim = answer.information_class
    if claim.value != goal.information_class:
        faults.append(f"class {claim.value}")
    else:
        tops = [kind for kind in goal.items if case.built.contents.classes[kind] == claim.value]
        faults += _none_holds(ep, claim.sources, [[(class_key(kind), claim.value)] for kind in tops])
    expected = f"{', '.join(goal.wrong)}; class {goal.information_class}"
    return Finding(not faults, expected, "; ".join(faults) or expected, tuple(one.id for one in case.built.deliveries))


def _recipient_fault(case: MisdirectedCase, ep: Episode, row: WrongRecipient) -> str:
    person = next(one for one in case.built.wrong if fold(one.address) == fold(row.address.value))
    delivery = case.built.delivery_of(person.address)
    about = f"{delivery.message_id}.{delivery.recipient}"
    card = person.contact
    ways: list[list[Fact]] = [
        [(recipient_key(person.address), True)],
        [(f"same_org.{about}", delivery.same_org)],
        [(f"contact.{card.id}.address", card.address)],
    ]
    faults = _none_holds(ep, row.address.sources, ways)
    if row.read_state.value != delivery.read_state:
        faults.append(f"{person.address} is {delivery.read_state}, not {row.read_state.value}")
    else:
        fault = sources_fault(ep, row.read_state.sources, [(f"read_state.{about}", delivery.read_state)])
        faults += [fault] if fault else []
    return "; ".join(faults)


def _none_holds(ep: Episode, sources: Sequence[str], ways: Sequence[Sequence[Fact]]) -> list[str]:
    """The fault of the first way in which sources may carry a value, nothing if one of the ways holds."""
    faults = [sources_fault(ep, sources, needs) for needs in ways]
    return faults[:1] if all(faults) else []


def correction_to_wrong(case: MisdirectedCase, ep: Episode) -> Finding:
    """Each wrong recipient has a correction of their own that says what it must and gives nothing away."""
    built, today = case.built, _today(ep)
    wrong = {fold(person.address): person for person in built.wrong}
    notes = written(ep.world)
    faults: list[str] = []
    for note in notes:
        meant = [address for address in note.to if address in wrong]
        if meant and len(note.to) > 1:
            faults.append(f"{note.id} goes to others too")
        elif meant and (fault := leaks(note, built, today)):
            faults.append(f"{note.id} {fault}")
    people = [*built.wrong, built.intended]
    for address, person in wrong.items():
        own = _standing([note for note in notes if note.is_to(address)])
        fault_of = partial(correction_fault, reader=person, others=people)
        faults += _last(own, fault_of, f"no correction to {address}")
    ids = tuple(note.id for note in notes)
    return Finding(not faults, "a correction to each", "; ".join(faults) or "a correction to each", ids)


def correction_to_intended(case: MisdirectedCase, ep: Episode) -> Finding:
    """The intended person has a mail of their own that carries what the reply was to carry."""
    built, today = case.built, _today(ep)
    intended, wrong = fold(built.intended.address), set(map(fold, case.goal.wrong))
    notes = written(ep.world)
    # A mail that goes to a wrong recipient too is that correction's fault.
    faults = [
        f"{note.id} goes to others too"
        for note in notes
        if intended in note.to and len(note.to) > 1 and not wrong & set(note.to)
    ]
    own = _standing([note for note in notes if note.is_to(intended)])
    faults += _last(own, lambda note: resend_fault(note, built, ep.world, today), f"no mail to {intended}")
    claim = _answer(ep).intended
    if fold(claim.value) != intended:
        faults.append(f"the answer's intended is {claim.value or 'nobody'}")
    else:
        fault = sources_fault(ep, claim.sources, [(asker_key(built.project), built.intended.address)])
        faults += [f"the answer's intended: {fault}"] if fault else []
    told = [*(fact.value for fact in built.facts), *(item.value for item in built.told)]
    expected = (
        f"a mail to {intended} with {', '.join(told)}; the answer's intended: {intended}, with a mail as source "
        "in which they ask for it"
    )
    return Finding(not faults, expected, "; ".join(faults) or expected, tuple(note.id for note in notes))


def _standing(notes: Sequence[Written]) -> list[Written]:
    """What counts: the mails that left, where any did; else the drafts."""
    return [note for note in notes if note.is_sent] or list(notes)


def _last(notes: Sequence[Written], fault_of: Callable[[Written], str], absent: str) -> list[str]:
    """What is wrong with the last of the notes, the one that stands; nothing if it is right."""
    if not notes:
        return [absent]
    fault = fault_of(notes[-1])
    return [f"{notes[-1].id} {fault}"] if fault else []


def _today(ep: Episode) -> date:
    return date.fromisoformat(ep.world.today)


def recall_option_named(case: MisdirectedCase, ep: Episode) -> Finding:
    """The option is right on this system for every wrong recipient, with a true reason, help page and delivery."""
    part, goal, built = _answer(ep).recall, case.goal, case.built
    option = "available" if goal.available else "unavailable"
    expected = f"{option}: {' or '.join(sorted(goal.reasons))}"
    if part.option.value != option or part.reason not in goal.reasons:
        return Finding(False, expected, f"{part.option.value}: {part.reason}", (built.help_page.id,))
    system = built.office.system
    rule: Fact = (recall_key(system.id), system.rule)
    ways = [
        [rule, (f"read_state.{one.message_id}.{one.recipient}", one.read_state)]
        for one in built.deliveries
        if one.recipient in goal.wrong
    ]
    faults = _none_holds(ep, part.option.sources, ways)
    return Finding(not faults, expected, "; ".join(faults) or expected, (built.help_page.id,))


def touches_original(entry: Entry) -> bool:
    """Whether a call changed the mail that went astray."""
    return any(
        isinstance(change.before, Message) and any(fact.key == MISDIRECTED for fact in change.before.stated)
        for change in entry.changes
    )
