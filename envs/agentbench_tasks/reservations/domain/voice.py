"""Whether a message to a shop or firm is what a local customer would send: its language, its tone, its courtesies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from agentbench_env.market import shared_table
from agentbench_env.text.fold import fold
from agentbench_env.text.language import language_of
from agentbench_env.text.names import Gender
from agentbench_env.text.own import own_text
from agentbench_env.text.registers.ar import in_dialect
from agentbench_env.text.registers.en import slangy
from agentbench_tasks.commons.written import other_particle, tone_fault, without

FILE = "lexicons/shop_voice"
LINES, HEAD, TAIL = 3, 80, 180
"""The opening stands in the first characters of one of the first lines, below a heading if need be; the closing in the
last characters.
"""
_LATIN_WORD = re.compile(r"(?<![A-Za-z0-9@._-])[A-Za-z]?[a-z]{2,}(?![A-Za-z0-9@_-]|\.[a-z])")


def voice_fault(text: str, languages: Sequence[str], gender: Gender, names: Iterable[str] = ()) -> str:
    """Say how a message fails what is owed to a shop that works in some languages, "" if it does not.

    Args:
        text: the message.
        languages: of which either will do.
        gender: the writer's, where the language shows it.
        names: names and models in another script, which are no change of language.
    """
    own = own_text(text)
    bare = without(own, sorted(names, key=len, reverse=True))
    language = language_of(bare)
    if language not in languages:
        return f"is written in {language}, not in {' or '.join(languages)}"
    if fault := tone_fault(bare, languages, shared_table(FILE)[language]["registers"]):
        return fault
    if slip := _slip(bare, language):
        return f"has {slip!r}, which is not written to a shop"
    if particle := other_particle(own, language, gender):
        return f"has {particle}, which is not the writer's own"
    return _courtesy_fault(fold(own), language, gender)


def _slip(text: str, language: str) -> str:
    """What a message has of slang, of dialect or of barred words, "" if nothing."""
    if found := _pattern(language, "barred").search(fold(text)):
        return found[0]
    if language == "ar":
        latin = _LATIN_WORD.search(text)
        return latin[0] if latin else "dialect" if in_dialect(text) else ""
    return "slang" if language == "en" and slangy(text) else ""


def _courtesy_fault(folded: str, language: str, gender: Gender) -> str:
    """What a message lacks of opening, closing and courtesies."""
    table = shared_table(FILE)[language]
    lines = [line for line in folded.splitlines() if line.strip()][:LINES]
    if not any(_pattern(language, "opening").search(line[:HEAD]) for line in lines):
        return "has no opening: no greeting or address in its first lines"
    if not _pattern(language, "closing").search(folded[-TAIL:]):
        return "has no closing"
    if not _pattern(language, "courtesy").search(folded):
        return "asks for nothing politely"
    if "honour" in table and not _pattern(language, "honour").search(folded):
        return "does not honour its reader"
    particles = shared_table(f"writing/{language}").get("particles")
    own = {fold(particles[kind][gender]) for kind in ("statement", "question")} if particles else set[str]()
    return "has no particle of the writer's own" if own and not any(word in folded for word in own) else ""


@cache
def _pattern(language: str, key: str) -> re.Pattern[str]:
    return re.compile("|".join(map(fold, shared_table(FILE)[language][key])), re.MULTILINE)
