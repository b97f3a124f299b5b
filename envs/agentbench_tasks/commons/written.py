"""What the assistant wrote in an episode: mails left as drafts and mails sent, read alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.text.address import address_form_ok
from agentbench_env.text.fold import fold
from agentbench_env.text.language import language_of
from agentbench_env.text.own import own_text
from agentbench_env.text.registers import register_of
from agentbench_env.world import World
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.drafts import Draft
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import body_of, title_of


class Written(msgspec.Struct, frozen=True):
    """A mail that the assistant wrote."""

    id: str
    to: tuple[str, ...]
    """Every address in to, cc and bcc, folded."""
    subject: str
    body: str
    attachment_ids: tuple[str, ...]
    thread_id: str
    sent_at: int
    """The instant at which it left, 0 for a draft."""

    @property
    def is_sent(self) -> bool:
        """Whether it left."""
        return self.sent_at > 0

    def is_to(self, *addresses: str) -> bool:
        """Whether it goes to exactly these addresses."""
        return set(self.to) == set(map(fold, addresses))


def written(world: World) -> list[Written]:
    """Return every mail of the episode that stands as a draft or was sent, in the order in which they were made."""
    known = world.start.records
    drafts = [_of_draft(draft, world) for draft in world.all(Draft) if draft.id not in known]
    return [_of_message(mail) for mail in world.all(Message) if mail.id not in known] + drafts


def _of_draft(draft: Draft, world: World) -> Written:
    answered = world.find(draft.in_reply_to)
    thread = answered.thread_id if isinstance(answered, Message) else ""
    everybody = _folded((*draft.to, *draft.cc, *draft.bcc))
    return Written(draft.id, everybody, draft.subject, draft.body, draft.attachment_ids, thread, 0)


def _of_message(mail: Message) -> Written:
    everybody = _folded([person.address for person in (*mail.to, *mail.cc, *mail.bcc)])
    return Written(
        mail.id,
        everybody,
        title_of(mail.subject),
        body_of(mail.body),
        mail.attachment_ids,
        mail.thread_id,
        mail.sent_at,
    )


def _folded(addresses: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(fold, addresses)))


def voice_fault(text: str, reader: Contact, others: Sequence[Contact] = ()) -> str:
    """Say how a mail fails what is owed to its reader, "" if it does not: language, register, form of address.

    It may speak of the others, but its greeting may not name them.
    """
    if fault := tone_fault(text, reader.languages, reader.register_due):
        return fault
    forms = [other.address_forms for other in others]
    if not address_form_ok(text, reader.address_forms, forms, third_person=True):
        return f"greets somebody else, or by none of the accepted forms of address: {', '.join(reader.address_forms)}"
    return ""


def tone_fault(text: str, languages: Sequence[str], registers: Sequence[str]) -> str:
    """Say how a text is in none of these languages or, in one of them, in none of these registers; "" if it is."""
    language = language_of(text)
    if language not in languages:
        return f"is written in {language}, not in {' or '.join(languages)}"
    register = register_of(text, language)
    if register not in registers:
        return f"is {register}, where {' or '.join(registers)} is due"
    return ""


def other_particle(text: str, language: str, gender: str) -> str:
    """Return a particle or pronoun of the other gender than the writer's, "" if there is none."""
    particles = shared_table(f"writing/{language}").get("particles", {})
    kinds = (particles[kind] for kind in ("statement", "first_person")) if particles else ()
    words = (word for by_gender in kinds for other, word in by_gender.items() if other != gender)
    return next((word for word in words if word in own_text(text)), "")


def without(text: str, names: Iterable[str]) -> str:
    """Take names and titles out of a text, whose script is no change of language."""
    for name in names:
        text = text.replace(name, "") if name else text
    return text
