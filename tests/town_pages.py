"""Reads the figures of a rendered page of a venue back: amounts, times of day, and all other numbers."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from agentbench_env.text.facts.amounts import amounts
from agentbench_env.text.facts.dates import dates
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.times import times

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
VARIANTS = range(4)
MARKETS = {"KR": "KRW", "JP": "JPY", "SG": "SGD", "TW": "TWD", "TH": "THB", "AE": "AED"}
IN_WORDS = {
    "en": {"once": 1},
    "ar": {"مرة واحدة": 1, "ساعة واحدة": 1, "ساعتين": 2, "يوم واحد": 1, "يومين": 2, "يومَي": 2},
}
"""Numbers that are written in words."""
_WRITTEN_ON = dt.date(2026, 10, 1)
_ONE_EACH = re.compile(r"(?<![\d–])1(?:인당|건당|건에|인 |件|卓)")
"""One as a unit that is charged for: a guest, a booking, a table."""
_PHONE = re.compile(r"\+?\d[\d ]*-\d{3,}(?:-\d{4})?|@\w+")


class Figures(NamedTuple):
    """What a text says in figures, each once."""

    amounts: frozenset[Decimal]
    times: frozenset[str]
    numbers: frozenset[int]
    days: frozenset[str] = frozenset()


def figures(text: str, language: str, days: Sequence[str] = ()) -> Figures:
    """Read the figures of a text; contacts are left out, and of dates all but `days` count as numbers."""
    text = _ONE_EACH.sub("", _PHONE.sub("", text))
    times_in, amounts_in = times(text), amounts(text)
    dates_in = [one for one in dates(text, _WRITTEN_ON) if set(one.values) & set(days)]
    found = [*times_in, *amounts_in, *dates_in]
    rest = "".join(" " if _within(place, found) else sign for place, sign in enumerate(text))
    numbers = {int(number) for number in re.findall(r"\d+", rest)}
    numbers |= {number for word, number in IN_WORDS.get(language, {}).items() if word in rest}
    return Figures(
        frozenset(Decimal(one.values[0].split()[0]) for one in amounts_in),
        frozenset(one.values[0] for one in times_in),
        frozenset(numbers),
        frozenset(day for day in days if any(day in one.values for one in dates_in)),
    )


def _within(place: int, found: list[Mention]) -> bool:
    return any(one.start <= place < one.end for one in found)
