"""What tests of the texts of houses have in common: the languages of the markets, and reading rendered parts again."""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections.abc import Mapping
from typing import Any

from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.text.facts.dates import dates
from agentbench_env.text.facts.times import times
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.texts import Stated, Words, body_of, span_of

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
VARIANTS = range(4)
SPOKEN = [(code, language) for code in market_codes() for language in load_market(code).languages]
"""Each market with each of its languages."""


def kinds(file: str, language: str) -> dict[str, list[list[str]]]:
    """By kind, the slots of each wording of a file."""
    return {kind: [sorted(slot_names(text)) for text in texts] for kind, texts in wordings(file, language).items()}


def pieces(table: Any, path: str = "") -> dict[str, tuple[int, frozenset[str]]]:
    """By path, how many wordings each piece of a table has and the slots of them all, but for particles."""
    if isinstance(table, Mapping):
        return {here: piece for name, child in table.items() for here, piece in pieces(child, f"{path}.{name}").items()}
    texts = table if isinstance(table, list) else [table]
    return {path: (len(texts), frozenset(slot for text in texts for slot in slot_names(text)) - {"particle"})}


def wordings(file: str, language: str) -> dict[str, list[str]]:
    """By kind, the wordings of a file; heading and text are kinds of their own."""
    found: dict[str, list[str]] = {}

    def walk(node: Mapping[str, Any], path: str) -> None:
        for name, value in node.items():
            here = f"{path}.{name}".lstrip(".")
            if name == "variants":
                rows = [row if isinstance(row, Mapping) else {"text": row} for row in value]
                for piece in rows[0]:
                    found[f"{path}.{piece}"] = [row[piece] for row in rows]
            elif isinstance(value, Mapping):
                walk(value, here)
            else:
                found[here] = list(value) if isinstance(value, list) else [value]

    walk(shared_table(f"text/{language}/{file}"), "")
    return found


def is_tidy(text: str) -> bool:
    """Whether a wording has no stray blanks and is in composed form."""
    return text == text.strip() and "  " not in text and unicodedata.normalize("NFC", text) == text


def passage(words: Words, fact: Stated) -> str:
    """The words with which a text states a fact."""
    start, end = span_of(words, fact)
    return body_of(words)[start:end]


def clocks(text: str) -> list[tuple[str, ...]]:
    """The times in a text, each with its readings."""
    return [mention.values for mention in times(text)]


def says_clock(text: str, clock: str) -> bool:
    """Whether a passage is this service time and nothing else of a time."""
    found = clocks(text)
    return len(found) == 1 and f"{int(clock[:2]) % 24:02d}{clock[2:]}" in found[0]


def days(text: str, written_on: str) -> list[str]:
    """The days in a text, ranges with all of theirs."""
    return [day for mention in dates(text, dt.date.fromisoformat(written_on)) for day in mention.values]
