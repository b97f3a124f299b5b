"""Korean particles after a word that is known only when a text is written.

A template writes both forms, as forms and notices do where nobody can know: `{name}을(를)`. `particle` picks the one
that a reader would say, by the last sound of what stands before it: ‘{name}’을(를), {name}({date})을(를).
"""

from __future__ import annotations

import re
from typing import Final

_FORMS: Final = {
    "을(를)": ("을", "를"),
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "과(와)": ("과", "와"),
    "와(과)": ("과", "와"),
    "이(라)": ("이라", "라"),
    "(이)라": ("이라", "라"),
    "(으)로": ("으로", "로"),
    "아(야)": ("아", "야"),
}
_CLOSING: Final = re.compile(r"[’”'\"」』》〉)\]]*")
_RIEUL: Final = 8
"""The place of ㄹ among the finals of a syllable."""
_SPOKEN: Final = {
    **dict(zip("0123456789", ("영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"), strict=True)),
    **dict(zip("lmnr", ("엘", "엠", "엔", "알"), strict=True)),
}
"""How digits and the letters whose names end in a consonant are said."""
_UNITS: Final = {"%": "퍼센트", "mm": "미터", "cm": "미터", "km": "미터", "m": "미터", "kg": "그램", "g": "그램"}
_UNIT: Final = re.compile(f"(?:^|[0-9.,]) ?({'|'.join(_UNITS)})$")


def particle(word: str, rest: str, before: str = "") -> str:
    """Return `rest` with the particle at its beginning, if it is given in both forms, chosen for `word`.

    Marks that close a quotation or a bracket may stand in front of it. Behind a bracket it goes by what stood before
    the bracket, in `before`, the text so far with the word at its end.
    """
    end = _CLOSING.match(rest).end()  # type: ignore[union-attr]
    closing, rest = rest[:end], rest[end:]
    if ")" in closing and "(" in before:
        word = before[: before.rindex("(")]
    for both, (closed, opened) in _FORMS.items():
        if rest.startswith(both):
            final = _final(word)
            bare = not final or (both == "(으)로" and final == _RIEUL)
            return closing + (opened if bare else closed) + rest[len(both) :]
    return closing + rest


def _final(word: str) -> int:
    """The final consonant of the last sound of a word, by its place among the finals; 0 for none."""
    unit = _UNIT.search(word.lower())
    spoken = _UNITS[unit[1]] if unit else word.lower()
    last = next((sign for sign in reversed(spoken) if sign.isalnum()), "")
    code = ord(_SPOKEN.get(last, last) or "가") - ord("가")
    return code % 28 if 0 <= code < 11172 else 0
