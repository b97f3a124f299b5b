"""Mails as people of an office write them: greeting, text and closing in the writer's language, rendered when read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Literal

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.people import Person, address_forms
from agentbench_tasks.commons.texts import SentencesSlot, SlotValue, Text

FILE = "office_mail"
Tone = Literal["formal", "polite", "plain"]
WORDINGS = (0, 1, 2, 3)
_CELLS: dict[str, dict[Tone, str]] = {
    "ko": {"formal": "formal", "polite": "polite", "plain": "plain"},
    "ja": {"formal": "keigo", "polite": "desumasu", "plain": "plain"},
    "zh-Hant": {"formal": "respectful", "polite": "neutral", "plain": "casual"},
    "th": {"formal": "formal", "polite": "polite", "plain": "casual"},
    "ar": {"formal": "formal", "polite": "friendly", "plain": "friendly"},
    "en": {"formal": "formal", "polite": "friendly", "plain": "friendly"},
}


def cell_of(tone: Tone, language: str) -> str:
    """Return the language's register for a tone."""
    return _CELLS[language][tone]


def tone_between(writer: Person, reader: Person) -> Tone:
    """Return the tone in which two people usually write: formal across organisations, polite inside, plain to friends.

    What stands on a card is what its person is to the user.
    """
    if "friend" in (writer.contact.relation, reader.contact.relation):
        return "plain"
    return "polite" if writer.contact.is_internal and reader.contact.is_internal else "formal"


@cache
def particles_of(gender: str, language: str) -> Mapping[str, str]:
    """Return the slots that depend on a writer's gender, for languages that have them."""
    table = shared_table(f"writing/{language}").get("particles", {})
    kinds = (("particle", "statement"), ("ask", "question"), ("me", "first_person"))
    return {slot: table[kind][gender] for slot, kind in kinds if table}


def particles(writer: Person) -> Mapping[str, str]:
    """Return the slots that depend on the writer's own gender, for languages that have them."""
    return particles_of(writer.name.gender, writer.language)


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
    language = writer.language
    cell, kind, name, honour = cell_of(tone, language), "group_greeting.inside", "", ""
    if reader is not None:
        kind, name = f"greeting.{cell}", form_for(reader, writer)
        honour = _honour(language, reader.name.gender)
    gender = writer.name.gender
    greeting = _line(kind, language, draw.variant(WORDINGS), gender, name, honour)
    closing = _line(f"closing.{cell}", language, draw.variant(WORDINGS), gender, signature=writer.shown_name)
    slots = (("greeting", greeting), ("text", SentencesSlot(tuple(sentences))), ("closing", closing))
    return Text(FILE, "letter.full", language, 0, slots)


@cache
def _honour(language: str, gender: str) -> str:
    return shared_table("address_forms")["honour"].get(language, {}).get(gender, "")


@lru_cache(maxsize=1024)
def _line(
    kind: str, language: str, variant: int, gender: str, name: str = "", honour: str = "", signature: str = ""
) -> Text:
    """Return a greeting or a closing; most letters of a world share theirs with others."""
    slots = particles_of(gender, language)
    return Text.fitting(FILE, kind, language, variant, **slots, name=name, honour=honour, signature=signature)
