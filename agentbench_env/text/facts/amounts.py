"""Amounts of money in a text: with the name or sign of a currency, or a bare figure that is spoken of as a price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache
from typing import NamedTuple

from agentbench_env.market import shared_table
from agentbench_env.text.facts import bare
from agentbench_env.text.facts.figures import Figure, figures
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.plain import Plain, plain


class _Row(NamedTuple):
    codes: tuple[str, ...]
    first: bool
    unit: bool

    def read_in(self, local: str) -> tuple[str, ...]:
        if local in self.codes:
            return (local,)
        if local and self.first:
            return self.codes[:1]
        return (*self.codes, local) if local and self.unit else self.codes


class _Sign(NamedTuple):
    row: _Row
    start: int
    end: int
    """The span of the amount with its sign."""
    before: bool


class _Found(NamedTuple):
    start: int
    end: int
    values: tuple[Decimal, ...]
    codes: tuple[str, ...]


# What else may stand behind an amount whose currency was named before it: 日幣 3,000 元, S$50/-.
_CLOSING = re.compile(r" ?(?:[元圓塊块]整?|整|only(?![a-z])|ถ้วน|\.-|/-)")
_LEAD = r"(?: ?[:：]? ?|\s?(?:約|大約|共|各|about|around|~)\s?)"
_JOIN = r" ?(?:[~-]|부터|에서|から|至|到|ถึง)(?: ?(?:약|約))? ?| to | (?:الي|حتي) "
_TO_NEXT = re.compile(rf"(?:{_JOIN}| or | ?(?:或|หรือ|또는|,) ?| او )$")
_SUBUNIT = re.compile(
    r",? ?(?:and |و ?)?(\d{1,2}) ?(?:cents?|fils|satang|สตางค์|角|فلسا?|سنتا?|센트|セント)(?![A-Za-zء-ي])", re.IGNORECASE
)
_MINUS = re.compile(r"(?:^|[\s(:])-$")
# Letters or figures without a gap before a number make it a part of an id or date, unless they begin a range: 300-500.
_JOINED = re.compile(r"(?<![A-Za-z0-9,.:/_-])(?!\d[\d,]*(?:\.\d+)?-$)[,.:/_-]*[A-Za-z0-9][A-Za-z0-9,.:/_-]*$")
_SYLLABLES = re.compile(r"[일이삼사오육륙칠팔구 ]+$|[一壹][塊块]$")


@lru_cache(maxsize=512)
def amounts(text: str, local: str = "") -> tuple[Mention, ...]:
    """Find the amounts in `text`; `local` is the code of the currency that a figure without a sign is in."""
    even = plain(text)
    numbers = [number for number in figures(even.text) if not _is_syllable(even.text, number)]
    signs: list[_Sign | None] = []
    taken = 0
    for number in numbers:
        signs.append(_sign(even.text, number, taken))
        taken = max(taken, signs[-1].end if signs[-1] else 0)
    found: list[_Found] = []
    for index, number in enumerate(numbers):
        sign, values = signs[index], number.values
        if sign is None:
            sign, values = _shared(even.text, numbers, signs, index)
        if sign is not None:
            found.append(_signed(even.text, sign, values, local))
        elif local and bare.is_price(even.text, number):
            found.append(_Found(number.start, number.end, values, (local,)))
    return tuple(_mention(one, even) for one in found if not any(_inside(one, other) for other in found))


def _inside(one: _Found, other: _Found) -> bool:
    longer = other.end - other.start > one.end - one.start
    return longer and other.start <= one.start and one.end <= other.end


def _mention(one: _Found, even: Plain) -> Mention:
    values = tuple(f"{value.normalize():f} {code}" for value in one.values for code in one.codes)
    return Mention("money", values, even.start(one.start), even.end(one.end))


def _signed(even: str, sign: _Sign, values: tuple[Decimal, ...], local: str) -> _Found:
    start, end = sign.start, sign.end
    cents = _SUBUNIT.match(even, end)
    if cents:
        end, values = cents.end(), tuple(value + Decimal(cents[1]) / 100 for value in values)
    if _MINUS.search(even[max(0, start - 2) : start]):  # a minus, or the dash of a list
        start, values = start - 1, (*values, *(-value for value in values))
    return _Found(start, end, values, sign.row.read_in(local))


def _is_syllable(even: str, number: Figure) -> bool:
    """Whether a number in words is rather a syllable of other words: 이 원, 一塊."""
    written = even[number.start : number.end + 1]
    return number.worded and any(_SYLLABLES.match(part) for part in (written, written[:-1]))


def _sign(even: str, number: Figure, taken: int) -> _Sign | None:
    """Find the sign of the currency that `number` stands with; what ends at `taken` belongs to another one."""
    before, behind = _patterns()
    from_ = max(taken, number.start - 24)
    best: _Sign | None = None
    for pattern, row in before:
        match = pattern.search(even[from_ : number.start])
        if match and (best is None or from_ + match.start() < best.start):
            closing = _CLOSING.match(even, number.end)
            best = _Sign(row, from_ + match.start(), closing.end() if closing else number.end, True)
    if best is not None or _JOINED.search(even[from_ : number.start]):
        return best
    for pattern, row in behind:
        match = pattern.match(even, number.end)
        if match and (best is None or match.end() > best.end):
            best = _Sign(row, number.start, match.end(), False)
    return best


def _shared(
    even: str, numbers: Sequence[Figure], signs: Sequence[_Sign | None], index: int
) -> tuple[_Sign | None, tuple[Decimal, ...]]:
    """Find the sign that a number shares with its neighbour in a range, and what it then amounts to."""
    number = numbers[index]
    if bare.is_counted(even, number):
        return None, number.values
    for at in range(index + 1, min(index + 3, len(numbers))):
        following = signs[at]
        gap = even[number.end : following.start] if following else ""
        if following and gap and _TO_NEXT.fullmatch(gap):
            values = number.values
            mantissa = re.match(r"\d+(?:\.\d+)?(?![,\d])", even[numbers[at].start : numbers[at].end])
            if numbers[at].scaled and not number.scaled and mantissa and "," not in gap:
                scale = numbers[at].values[0] / Decimal(mantissa[0])
                values = tuple(value * scale for value in values)
            return _Sign(following.row, number.start, number.end, False), values
    for at in range(index - 1, max(index - 3, -1), -1):
        previous = signs[at]
        if previous and re.fullmatch(_JOIN, even[previous.end : number.start]):
            return _Sign(previous.row, number.start, number.end, False), number.values
    return None, number.values


@cache
def _patterns() -> tuple[tuple[tuple[re.Pattern[str], _Row], ...], tuple[tuple[re.Pattern[str], _Row], ...]]:
    before: list[tuple[re.Pattern[str], _Row]] = []
    behind: list[tuple[re.Pattern[str], _Row]] = []
    for table in shared_table("lexicons/money")["currencies"]:
        row = _Row(tuple(table["codes"]), table.get("first", False), table.get("unit", False))
        if table["before"]:
            before.append((re.compile(rf"(?<![A-Za-z$])(?:{_any(table['before'])}){_LEAD}$"), row))
        behind.append((re.compile(rf"[ -]?(?:{_any(table['behind'])})(?![A-Za-z])", re.IGNORECASE), row))
    return tuple(before), tuple(behind)


def _any(patterns: Sequence[str]) -> str:
    return "|".join(plain(pattern).text for pattern in patterns)
