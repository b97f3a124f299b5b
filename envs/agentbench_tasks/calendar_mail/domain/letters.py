"""Mails as people of an office write them: greeting, text and closing in the writer's language, rendered when read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.people import Person, address_forms
from agentbench_tasks.commons.texts import SentencesSlot, SlotValue, Text

FILE = "office_mail"
Tone = Literal["formal", "polite", "plain"]
WORDINGS = (0, 1, 2, 3)
_CELLS: dict[str, tuple[str, str, str]] = {
    "ko": ("formal", "polite", "plain"),
    "ja": ("keigo", "desumasu", "plain"),
    "zh-Hant": ("respectful", "neutral", "casual"),
    "th": ("formal", "polite", "casual"),
    "ar": ("formal", "friendly", "friendly"),
    "en": ("formal", "friendly", "friendly"),
}
_TONES: tuple[Tone, ...] = ("formal", "polite", "plain")


def cell_of(tone: Tone, language: str) -> str:
    """Return the language's register for a tone."""
    return _CELLS[language][_TONES.index(tone)]


def tone_between(writer: Person, reader: Person) -> Tone:
    """Return the tone in which two people usually write: formal across organisations, polite inside, plain to friends.

    What stands on a card is what its person is to the user.
    """
    if "friend" in (writer.contact.relation, reader.contact.relation):
        return "plain"
    return "polite" if writer.contact.is_internal and reader.contact.is_internal else "formal"


def particles_of(gender: str, language: str) -> dict[str, str]:
    """Return the slots that depend on a writer's gender, for languages that have them."""
    table = shared_table(f"writing/{language}").get("particles", {})
    kinds = (("particle", "statement"), ("ask", "question"), ("me", "first_person"))
    return {slot: table[kind][gender] for slot, kind in kinds if table}


def particles(writer: Person) -> dict[str, SlotValue]:
    """Return the slots that depend on the writer's own gender, for languages that have them."""
    return dict(particles_of(writer.name.gender, writer.language))


def form_for(reader: Person, writer: Person) -> str:
    """Return how a person is usually addressed by another one in that one's language.

    What stands on a card is what its person is to the user, so it says nothing about others to whom they write.
    """
    relation = reader.contact.relation
    if relation == "self" or (reader.contact.is_internal and not writer.contact.is_internal):
        relation = "client" if tone_between(writer, reader) == "formal" else "peer"
    return address_forms(reader.name, relation, reader.contact.title, (writer.language,))[0]


def letter(
    draw: Draw, writer: Person, reader: Person | None, sentences: Sequence[SlotValue], tone: Tone | None = None
) -> Text:
    """Return a mail's body: sentences between a greeting and a closing; without reader, one to all colleagues."""
    tone = tone or ("polite" if reader is None else tone_between(writer, reader))
    cell, language = cell_of(tone, writer.language), writer.language
    offered = {**particles(writer), "signature": writer.shown_name}
    kind = "group_greeting.inside"
    if reader is not None:
        offered["name"] = form_for(reader, writer)
        offered["honour"] = shared_table("address_forms")["honour"].get(language, {}).get(reader.name.gender, "")
        kind = f"greeting.{cell}"
    return Text.of(
        FILE,
        "letter.full",
        language,
        greeting=Text.fitting(FILE, kind, language, draw.variant(WORDINGS), **offered),
        text=SentencesSlot(tuple(sentences)),
        closing=Text.fitting(FILE, f"closing.{cell}", language, draw.variant(WORDINGS), **offered),
    )
