"""One way to make spellings comparable: for search, matching, quotes and word lists alike."""

from __future__ import annotations

import re
import unicodedata

_LETTERS = {
    **dict.fromkeys("آأإٱ", "ا"),
    "ى": "ي",
    "ة": "ه",
    "ؤ": "و",
    "ئ": "ي",
    "臺": "台",
    "ヶ": "ケ",
}
# Arabic vowel and Quranic marks, tatweel; then marks without a glyph: soft hyphen, joiners, direction marks.
_DROPPED = (
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
    "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
)
# The last alternative is any decimal digit that is not ASCII.
_FOLDED = re.compile(rf"[{''.join(_LETTERS)}]|[{_DROPPED}]|[^\D0-9]")


def fold(text: str) -> str:
    """Even out case, width, digits, Arabic spelling, a few Han and kana variants and white space.

    Folding splits the Thai vowel sign AM, so a word list must be folded before it is compared with folded text.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    text = unicodedata.normalize("NFKC", text).lower()
    folded = _FOLDED.sub(_replacement, text)
    if folded != text:  # a mark that went may have kept two characters from composing
        folded = unicodedata.normalize("NFKC", folded).lower()
    return " ".join(folded.split())


def _replacement(match: re.Match[str]) -> str:
    character = match[0]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    return _LETTERS.get(character, "")
