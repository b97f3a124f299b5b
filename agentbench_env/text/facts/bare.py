"""Figures without a currency: whether one is spoken of as a price, and is no count, clock, day or number."""

from __future__ import annotations

import re
from decimal import Decimal

from agentbench_env.market import shared_table
from agentbench_env.text.facts.figures import Figure
from agentbench_env.text.facts.plain import plain


def _pattern(key: str) -> re.Pattern[str]:
    patterns: list[str] = shared_table("lexicons/prices")[key]
    return re.compile("|".join(plain(pattern).text for pattern in patterns), re.IGNORECASE)


# Words of prices and of paying, anywhere in the same sentence.
_PRICE = _pattern("price")
# Marks right before or behind the figure that it is a price for one.
_EACH_BEFORE = _pattern("each_before")
_EACH_BEHIND = _pattern("each_behind")
# What counts something else, right behind.
_COUNTED = _pattern("counted")
# An English noun or month behind a figure makes it a count; these words do not.
_UNCOUNTED = "|".join(shared_table("lexicons/prices")["uncounted"])
_EN_COUNTED = re.compile(rf" (?!(?:{_UNCOUNTED})\b)[A-Za-z]{{2,}}", re.IGNORECASE)
# What numbers something else, right before: an id, an extension, a floor, a day, an hour.
_NUMBERED = _pattern("numbered")
_DAY_OR_CLOCK = re.compile(r"(?<=\d)[:/-]$|(?:^|[^\d])[:/]$|[A-Za-z0-9][-_.]?$|\d ?-$")
_BEHIND_CLOCK = re.compile(r"[:/]\d|-\d|-?[A-Za-z]|\.\d|,\d")
_SENTENCE_START = re.compile(r"[。！？!?؟；;\n]|\.(?=\s)")


def is_price(text: str, number: Figure) -> bool:
    """Whether `number` in the plain text is an amount by the words around it."""
    before, behind = text[max(0, number.start - 24) : number.start], text[number.end : number.end + 24]
    value = number.values[0]
    if _DAY_OR_CLOCK.search(before) or _BEHIND_CLOCK.match(behind) or _NUMBERED.search(before):
        return False
    if is_counted(text, number):
        return False
    written = text[number.start : number.end]
    if (number.worded and not (number.scaled and value >= 100)) or _looks_like_year(written, value):
        return False
    grouped = "," in written and not number.worded
    each = _EACH_BEFORE.search(before) is not None or _EACH_BEHIND.match(behind) is not None
    if value < 10 and not each:
        return False
    return grouped or each or _PRICE.search(_sentence(text, number)) is not None


def is_counted(text: str, number: Figure) -> bool:
    """Whether something other than money is counted or dated with `number`."""
    behind = text[number.end : number.end + 24]
    return _COUNTED.match(behind) is not None or _EN_COUNTED.match(behind) is not None


def _looks_like_year(written: str, value: Decimal) -> bool:
    return written.isdigit() and len(written) == 4 and (2015 <= value <= 2035 or 2558 <= value <= 2578)


def _sentence(text: str, number: Figure) -> str:
    start = max((end.end() for end in _SENTENCE_START.finditer(text, 0, number.start)), default=0)
    end = _SENTENCE_START.search(text, number.end)
    return text[start : end.start() if end else len(text)]
