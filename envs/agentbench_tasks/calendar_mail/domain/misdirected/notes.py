"""The two kinds of corrections as they stand, and what is wrong with one of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from agentbench_env.text.facts import ids, states
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text
from agentbench_env.text.phrases import says_sent_in_error
from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.misdirected.built import Built, KeyFact
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.messages import enclosed
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.written import Written, voice_fault

SHORTEST_COPY = 12
"""How many characters a sentence has at least that counts as copied from the mail."""


def leaks(note: Written, built: Built, written_on: date) -> str:
    """Say what a note gives away of the mail that went astray, "" if nothing."""
    if note.attachment_ids:
        return "encloses a file"
    text = f"{note.subject}\n{note.body}"
    repeated = sorted({item.kind for item in built.items if item.is_in(text, written_on)})
    if repeated:
        return f"repeats {', '.join(repeated)}"
    if own_text(note.body).strip() != note.body.strip():
        return "quotes a mail"
    folded = fold(note.body)
    if any(sentence in folded for sentence in _sentences(built)):
        return "copies a sentence of the mail"
    return ""


def _sentences(built: Built) -> Iterable[str]:
    """The sentences of the mail that say something, folded."""
    sentences = (fold(body_of(item.sentence)) for item in built.items)
    return (sentence for sentence in sentences if len(sentence) >= SHORTEST_COPY)


def correction_fault(note: Written, reader: Person, others: Iterable[Person]) -> str:
    """Say what a note to a wrong recipient lacks, "" if nothing: what it has to say, and how."""
    missing = says_sent_in_error(note.body)
    if missing:
        return f"does not say: {', '.join(missing)}"
    return voice_fault(note.body, reader.contact, [other.contact for other in others if other is not reader])


def resend_fault(note: Written, built: Built, world: World, written_on: date) -> str:
    """Say what a mail to the intended person lacks of what the reply was to carry, "" if nothing."""
    left_out = untold(note, built, written_on)
    if left_out:
        return f"does not tell {', '.join(left_out)}"
    wanted = {file.content_hash for file in built.files}
    found = enclosed(world, note.attachment_ids)
    carried = {"" if isinstance(file, Paper) else file.content_hash for file in found}
    if carried != wanted:
        return "does not carry the files of the reply" if wanted - carried else "carries a file that was not in it"
    return voice_fault(note.body, built.intended.contact, [person.contact for person in built.wrong])


def untold(note: Written, built: Built, written_on: date) -> list[str]:
    """What a mail leaves out of what the reply told in the user's own words."""
    text = f"{note.subject}\n{note.body}"
    facts = [fact.value for fact in built.facts if not _tells(text, fact, written_on)]
    return facts + [f"{item.kind} {item.value}" for item in built.told if not item.is_in(text, written_on)]


def _tells(text: str, fact: KeyFact, written_on: date) -> bool:
    if fact.kind == "date":
        return states(text, "date", fact.value, written_on=written_on)
    if fact.kind == "link":
        return fold(fact.value) in fold(text)
    # A reference that stands there is given, whatever is said around it.
    return bool(ids.places(text, fact.value))
