"""The checks of a handover: the automatic reply as it is set, and the note as it stands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Literal

from agentbench_env.episode import Episode
from agentbench_env.text.facts import states
from agentbench_env.text.facts.moments import other_dates
from agentbench_env.text.language import MIXED, language_of
from agentbench_env.text.registers import register_of
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.handover.case import HandoverCase
from agentbench_tasks.calendar_mail.domain.handover.note import Note, note_of
from agentbench_tasks.calendar_mail.domain.mailbox import Autoreply, own_mailbox
from agentbench_tasks.calendar_mail.domain.people import registers_due
from agentbench_tasks.commons.events import When
from agentbench_tasks.commons.texts import body_of

Readers = Literal["peer", "client"]
INSIDE: Readers = "peer"
OUTSIDE: Readers = "client"
"""To whom the two texts are written, as far as the register due to them goes."""
SENTENCE = 6
"""How many words a paragraph has at least that shows in which language a text is written."""


def autoreply_window_exact(case: HandoverCase, ep: Episode) -> Finding:
    """The reply of the own mailbox is scheduled from the first period missed to the return, in the home zone."""
    mailbox, absence = own_mailbox(ep.world), case.built.plot.absence
    reply = mailbox.autoreply
    expected = f"scheduled, {_when(absence.start)} to {_when(absence.end)}"
    observed = f"{reply.status}, {_when(reply.start)} to {_when(reply.end)}"
    held = reply.status == "scheduled" and reply.start == absence.start and reply.end == absence.end
    return Finding(held, expected, observed, (mailbox.id,))


def _when(time: When | None) -> str:
    return f"{time.local} {time.zone or 'floating'}" if time else "no time"


def autoreply_language_register(case: HandoverCase, ep: Episode) -> Finding:
    """Both texts are in the local language and a register that is due, and people outside get theirs."""
    mailbox = own_mailbox(ep.world)
    reply = mailbox.autoreply
    if reply.status == "disabled":
        return Finding(True, observed="no automatic reply to judge")
    market = case.built.office.setting.market
    faults = ["people outside get none"] if reply.external_audience == "none" else []
    for relation, text in _texts(reply):
        fault = _voice_fault(text, market.prompt_languages, relation)
        faults += [f"{'inside' if relation == INSIDE else 'outside'}: {fault}"] if fault else []
    expected = f"{market.prompt_language}, inside polite or formal, outside formal, sent to people outside"
    return Finding(not faults, expected, "; ".join(faults) or "as due", (mailbox.id,))


def _texts(reply: Autoreply) -> Iterator[tuple[Readers, str]]:
    yield INSIDE, body_of(reply.internal_body)
    yield OUTSIDE, body_of(reply.external_body)


def _voice_fault(text: str, languages: tuple[str, ...], relation: Readers) -> str:
    """Say how a text fails: the first language must be there, the others may be; each is judged alone."""
    parts = _by_language(text) if len(languages) > 1 else {language_of(text): text}
    if wrong := set(parts) - set(languages) or set(languages[:1]) - set(parts):
        return f"is written in {' and '.join(parts) or 'no language'}: {', '.join(sorted(wrong))} is amiss"
    for language, part in parts.items():
        due = registers_due(relation, (language,))
        register = register_of(part, language)
        if register not in due:
            return f"is {register} in {language}, where {' or '.join(due)} is due"
    return ""


def _by_language(text: str) -> dict[str, str]:
    """Put the paragraphs of a text together by their languages.

    A name or another short line makes no language of its own, and goes with the paragraph before.
    """
    paragraphs = [(language_of(part), part) for part in text.split("\n\n") if part.strip()]
    spoken = {language for language, part in paragraphs if language != MIXED and len(part.split()) >= SENTENCE}
    parts: dict[str, list[str]] = {}
    last = next((language for language, _ in paragraphs if language in spoken), language_of(text))
    for language, part in paragraphs:
        last = language if language in spoken else last
        parts.setdefault(last, []).append(part)
    return {language: "\n\n".join(rows) for language, rows in parts.items()}


def autoreply_states_return(case: HandoverCase, ep: Episode) -> Finding:
    """Both texts state the day of return, and no day outside the absence but that one."""
    mailbox, plot = own_mailbox(ep.world), case.built.plot
    reply = mailbox.autoreply
    if reply.status == "disabled":
        return Finding(True, observed="no automatic reply to judge")
    first, back = plot.leave.first, plot.absence.back
    inside = [first + timedelta(n) for n in range((back - first).days + 1)]
    written_on = date.fromisoformat(ep.world.today)
    faults: list[str] = []
    for relation, text in _texts(reply):
        where = "inside" if relation == INSIDE else "outside"
        if not states(text, "date", back.isoformat(), written_on=written_on):
            faults.append(f"{where}: does not state {back}")
        subject = body_of(reply.internal_subject if relation == INSIDE else reply.external_subject)
        others = other_dates(f"{subject}\n{text}", inside, written_on=written_on)
        faults += [f"{where}: states {' or '.join(day.values)}" for day in others]
    return Finding(not faults, f"back on {back}", "; ".join(faults) or f"back on {back}", (mailbox.id,))


def note_to_named_colleague(case: HandoverCase, ep: Episode) -> Finding:
    """There is a note, and it goes to the colleague and nobody else."""
    note, address = note_of(case.built, ep.world), case.built.colleague.address
    if note is None:
        return Finding(False, f"a note to {address}", "no draft or sent mail lists a matter")
    return Finding(note.mail.is_to(address), address, ", ".join(note.mail.to) or "nobody", (note.mail.id,))


def note_lists_pending(case: HandoverCase, ep: Episode) -> Finding:
    """The note lists what waits for the user's decision, and nothing else."""
    note = note_of(case.built, ep.world)
    if note is None:
        return Finding(True, observed="no note to judge")
    due = {matter.code for matter in case.built.awaited}
    missing, extra = sorted(due - set(note.lists)), sorted(set(note.lists) - due)
    faults = [f"not listed: {', '.join(missing)}"] if missing else []
    faults += [f"does not wait for the user: {', '.join(extra)}"] if extra else []
    return Finding(not faults, ", ".join(sorted(due)), "; ".join(faults) or "exactly these", (note.mail.id,))


def note_names_owner(case: HandoverCase, ep: Episode) -> Finding:
    """Each matter that waits and is listed names who decides it, and nobody else but who asked for it."""
    note = note_of(case.built, ep.world)
    if note is None:
        return Finding(True, observed="no note to judge")
    faults = list(_owner_faults(case, note))
    expected = ", ".join(f"{m.code}: {m.owner.shown_name}" for m in case.built.awaited if m.owner)
    return Finding(not faults, expected, "; ".join(faults) or "as expected", (note.mail.id,))


def _owner_faults(case: HandoverCase, note: Note) -> Iterator[str]:
    names = {person.id: person.shown_name for person in case.built.owners}
    for matter in case.built.awaited:
        named = note.lists.get(matter.code)
        if named is None or matter.owner is None:
            continue
        if matter.owner.id not in named or named - {matter.owner.id, matter.requester.id}:
            yield f"{matter.code} names {' and '.join(sorted(names[id] for id in named)) or 'nobody'}"
