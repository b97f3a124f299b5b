"""Which scripts a text is written in, so that no grammar is tried that cannot match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

Script = Literal["hangul", "han", "thai", "arabic", "latin"]

_SIGNS: Final[dict[Script, re.Pattern[str]]] = {
    "hangul": re.compile(r"[가-힣]"),
    "han": re.compile(r"[ぁ-ヿ一-鿿々〇]"),  # with kana, which stand beside Han in Japanese
    "thai": re.compile(r"[ก-๛]"),
    "arabic": re.compile(r"[ء-ي]"),
    "latin": re.compile(r"[A-Za-z]"),
}


@lru_cache(maxsize=256)
def scripts(field: str) -> frozenset[Script]:
    """The scripts of which an evened text (see `plain`) has a letter."""
    return frozenset(script for script, sign in _SIGNS.items() if sign.search(field))


def matches(pattern: re.Pattern[str], field: str, *needs: Script) -> Iterator[re.Match[str]]:
    """The matches of a pattern, each of which has a letter of one of these scripts."""
    return iter(()) if scripts(field).isdisjoint(needs) else pattern.finditer(field)
