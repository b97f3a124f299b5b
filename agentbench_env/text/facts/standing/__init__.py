"""Whether a mentioned value still stands: the rules of each language, found by the language of the text."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Sequence
from functools import cache

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.language import language_of

Rule = Callable[[str, Mention, Sequence[Mention]], bool]
_MODULES = {"ko": "ko", "ja": "ja", "zh-Hant": "zh", "zh-Hans": "zh", "th": "th", "ar": "ar", "en": "en"}
_SCRIPTS = (
    ("ko", re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")),
    ("th", re.compile(r"[ก-๛]")),
    ("ar", re.compile(r"[ء-ي]")),
    ("ja", re.compile(r"[ぁ-ヿ]")),
    ("zh-Hant", re.compile(r"[一-鿿]")),
    ("en", re.compile(r"[A-Za-z]")),
)
_SENTENCE_END = re.compile(r"[.!?](?=\s)|[。！？؟\n]")


def voided(text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether `text` denies, replaces, declines or withdraws `mention`; `others` are the other mentions in it."""
    return _rule(_MODULES[spoken_at(text, mention.start)])(text, mention, others)


def spoken_at(text: str, position: int) -> str:
    """The language of the text, or in a mixed one the language of the sentence around `position`."""
    language = language_of(text)
    if language in _MODULES:
        return language
    start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, position)), default=0)
    end = _SENTENCE_END.search(text, position)
    return script_of(text[start : end.start() if end else len(text)])


def script_of(text: str) -> str:
    """Guess the language of `text` from its script: the one that most letters are in, kana before Han."""
    counts = {language: len(letters.findall(text)) for language, letters in _SCRIPTS}
    if counts["ja"]:
        counts["ja"] += counts["zh-Hant"]
    counts["en"] //= 3  # a Latin word is about three times as long as one in the other scripts
    return max(counts, key=lambda language: counts[language])


@cache
def _rule(module: str) -> Rule:
    return importlib.import_module(f"{__name__}.{module}").voided
