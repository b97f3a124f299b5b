"""The language a message is written in, by the shares of the scripts in its own words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache
from typing import Final

from agentbench_env.market import shared_table
from agentbench_env.text.own import own_text

MIXED: Final = "mixed"

_NO_WORDS: Final = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+|\b[\w-]+\.(?:pdf|docx?|xlsx?|pptx?|hwpx?|csv|txt|zip|png|jpe?g|ics|dwg|mp4|heic)\b"
    r"|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:example|com|org|net|jp|kr|tw|sg|th|ae)\b(?:/\S*)?"
    r"|株式会社|有限会社|合同会社",
    re.I | re.A,
)
_CODE: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]*[-_/]?\d[A-Za-z0-9_/.-]*|(?<![A-Za-z])(?:[A-Z]{1,5}\$?)(?![A-Za-z])")
_SCRIPTS: Final = (
    ("hangul", "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"),
    ("kana", "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"),
    ("han", "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"),
    ("thai", "\u0e01-\u0e3a\u0e40-\u0e4d"),
    ("arabic", "\u0620-\u064a\u066e-\u06d3\u06d5\u06fa-\u06ff\u0750-\u077f"),
    ("latin", "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"),
)
_SIGN: Final = re.compile("|".join(f"(?P<{name}>[{signs}])" for name, signs in _SCRIPTS))
_LATIN_RUN: Final = re.compile(
    r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f'’]*(?:[\s,;:()&/.-]{1,3}[A-Za-z\u00c0-\u024f][\w'’]*)*"
)
_FUNCTION: Final = re.compile(
    r"\b(?:the|an?|is|are|was|were|be|will|would|can|could|should|must|to|of|in|on|at|by|for|from|with|and|or|but|not|no|if|when"
    r"|before|after|until|because|as|so|that|this|these|there|it|its|we|our|us|you|your|they|them|he|she|his|her|i|me|my|please"
    r"|let|do|does|did|has|have|had|need|thanks|thank|what|who|which|how|why)\b",
    re.I,
)
_DENSITY: Final = 2.3
"""How many letters of English say what one sign of Korean, Japanese or Chinese says."""
_SENTENCE: Final = re.compile(r"[^。．.!?！？\n]+")
_CHINESE_WORDS: Final = re.compile(r"[您你妳們们這这那嗎吗呢吧還还沒没麼么已將将]|的|請|请|於|于|為|为|是|了|我|在|不")
_CHINESE_ONLY: Final = re.compile(
    r"[您你妳們们這这嗎吗呢吧沒没麼么]|(?<!目)(?<!標)的(?!中|確)|我們|請|了(?![解承])(?<!完了)(?<!終了)"
)


@lru_cache(maxsize=256)
def language_of(text: str) -> str:
    """Return the language of the writer's own words: ko, ja, zh-Hant, zh-Hans, th, ar or en, or mixed."""
    words = _NO_WORDS.sub(" ", unicodedata.normalize("NFKC", own_text(text)))
    signs = _signs(words)
    if any(signs[name] for name, _ in _SCRIPTS if name != "latin"):
        coded = _CODE.sub(" ", words)
        words, signs = coded, _signs(coded)
    found = _by_share(words, signs)
    if found == MIXED and 0 < signs["latin"] < signs.total():
        # Names of firms and products inside another language are no English; sentences are.
        signs["latin"] = _running(words)
        found = _by_share(words, signs)
    return found


def _signs(words: str) -> Counter[str]:
    return Counter(match.lastgroup or "" for match in _SIGN.finditer(words))


def _by_share(words: str, signs: Counter[str]) -> str:
    letters = signs.total()
    east = signs["kana"] + signs["han"]
    if not letters:
        return MIXED
    if signs["hangul"] >= 0.5 * letters:
        return "ko"
    if east >= 0.6 * letters:
        return _han(words, signs["kana"] / east)
    if signs["thai"] >= 0.6 * letters:
        return "th"
    if signs["arabic"] >= 0.6 * letters:
        return "ar"
    latin, rest = signs["latin"], letters - signs["latin"]
    dense = signs["hangul"] + east
    return "en" if latin >= 0.8 * letters and latin >= 0.72 * (latin + rest + (_DENSITY - 1) * dense) else MIXED


def _running(words: str) -> int:
    """The Latin letters that stand in running text: at least four words, two of them such as bind sentences."""
    found = 0
    for run in _LATIN_RUN.findall(words):
        if len(run.split()) >= 4 and (len(_FUNCTION.findall(run)) >= 2 or len(re.findall(r"\b[a-z]{3,}", run)) >= 4):
            found += _signs(run)["latin"]
    return found


def _han(words: str, kana: float) -> str:
    """Tell Japanese and both ways of writing Chinese apart, where such characters make the text."""
    if not kana:
        return _script_of_chinese(words)
    chinese = japanese = 0
    for sentence in _SENTENCE.findall(words):
        signs = _signs(sentence)
        if signs["kana"] > 0.08 * signs["han"]:
            japanese += signs["kana"] + signs["han"]
        elif signs["han"] >= 8 and len(set(_CHINESE_WORDS.findall(sentence))) >= 2:
            chinese += signs["han"]
    if chinese and chinese >= 0.25 * (chinese + japanese):
        lone = sum(_signs(words)[name] for name in ("kana",)) <= 2
        return _script_of_chinese(words) if lone or japanese < 0.1 * chinese else MIXED
    if kana >= 0.15 or not _CHINESE_ONLY.search(words):
        return "ja"
    return _script_of_chinese(words) if kana <= 0.05 else MIXED


def _script_of_chinese(words: str) -> str:
    simplified = sum(sign in _characters("simplified") for sign in words)
    if not simplified:
        return "zh-Hant"
    traditional = sum(sign in _characters("traditional") for sign in words)
    return "zh-Hans" if simplified >= 6 * traditional else MIXED


@cache
def _characters(name: str) -> frozenset[str]:
    return frozenset(shared_table("lexicons/chinese")[name]["characters"])
