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
_BID = re.compile(
    r"(?: ?(?:정도|쯤))?(?:에|으로|이?면|까지|은)?(?: [가-힣]{1,5})?? ?(?:안 ?(?:될|되|돼)|될까|되나|되죠|가능"
    r"|주시|주실|주세|줘|줄게"
    r"|팔|파[실시]|살게|살 ?수|삽니다|사고 ?싶|드릴|어떠|어때|어떨|어떤|네고|쿨|가져갈|구매|넘[겨길]|거래|내놓|콜)"
)
_NO_GOODS = re.compile(r"관객|구독|팔로|인구|조회|주행|키로|킬로|방문|회원|다운로드|누적|판매|참가|독자|만보|걸음")
# หมื่นห้า, พันสอง: a digit for tenths of the unit before it is the way to say prices.
_TENTHS = re.compile(r"(?:พัน|หมื่น|แสน|ล้าน)(?:หนึ่ง|สอง|สาม|สี่|ห้า|หก|เจ็ด|แปด|เก้า)$")
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
    if number.worded and _TENTHS.search(written):
        return True
    if (number.worded and not (number.scaled and value >= 100)) or _looks_like_year(written, value):
        return False
    grouped = "," in written and not number.worded
    each = _EACH_BEFORE.search(before) is not None or _EACH_BEHIND.match(behind) is not None
    if value < 10 and not each:
        return False
    return grouped or each or _PRICE.search(_sentence(text, number)) is not None or _is_bid(text, number)


def _is_bid(text: str, number: Figure) -> bool:
    """Whether a Korean figure in ten thousands is what somebody would give or take for goods: 4만에 안 될까요."""
    if text[number.end - 1 : number.end] not in ("만", "천"):
        return False
    return _BID.match(text, number.end) is not None and not _NO_GOODS.search(text[: number.start][-12:])


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
