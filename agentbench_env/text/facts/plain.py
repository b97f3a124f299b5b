"""A text made plain for the grammars: digits, width, dashes and Arabic spelling evened out, positions kept."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_EVEN = {
    **dict.fromkeys("آأإٱ", "ا"),
    "ى": "ي",
    "ئ": "ي",
    "ة": "ه",
    "ؤ": "و",
    "ی": "ي",
    "ک": "ك",
    "٬": ",",
    "،": ",",
    "٫": ".",
    "؟": "?",
    "؛": ";",
    "臺": "台",
    "\u00a0": " ",
    "\u2009": " ",
    "\u202f": " ",
    **dict.fromkeys("‐‑‒–−﹣－", "-"),
    **dict.fromkeys("〜～∼", "~"),
}
_ADDRESS = re.compile(r"(?:https?://|www\.)[^\s)>」』】、。]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.IGNORECASE)


class Plain(NamedTuple):
    """The evened text, and for each of its characters (and its end) the position in the text given."""

    text: str
    positions: tuple[int, ...]

    def start(self, index: int) -> int:
        """The position in the given text at which the character `index` stands."""
        return self.positions[index]

    def end(self, index: int) -> int:
        """The position in the given text just behind the character before `index`."""
        return self.positions[index - 1] + 1 if index else 0


@lru_cache(maxsize=256)
def plain(text: str) -> Plain:
    """Even out `text` character by character; marks without a glyph go, addresses become blanks."""
    kept: list[str] = []
    positions: list[int] = []
    masked = _ADDRESS.sub(lambda match: " " * len(match[0]), text)
    for position, character in enumerate(masked):
        even = _evened(character) if character not in "，،" or _groups(masked, position) else character
        if even:
            kept.append(even)
            positions.append(position)
    positions.append(len(text))
    return Plain("".join(kept), tuple(positions))


def _groups(text: str, position: int) -> bool:
    """Whether the comma stands between digits of its own script, so that it groups them."""
    beside = text[max(0, position - 1) : position], text[position + 1 : position + 2]
    return all(digit.isdecimal() and not digit.isascii() for digit in beside)


@lru_cache(maxsize=8192)
def _evened(character: str) -> str:
    if character.isascii():
        return character
    if character in _EVEN:
        return _EVEN[character]
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    category = unicodedata.category(character)
    if category == "Cf" or character == "ـ" or "ً" <= character <= "ٟ" or character == "ٰ":
        return ""
    wide = unicodedata.normalize("NFKC", character)
    return _EVEN.get(wide, wide) if len(wide) == 1 else character
