"""Numbers in a text, in digits, in words and in both: 1억 2,350만, 六千二, สามพันห้า, مليون ومئتي ألف, 1.25 million."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from agentbench_env.market import shared_table
from agentbench_env.text.facts.plain import plain

Token = tuple[str, Decimal]


class Figure(NamedTuple):
    """A number in the plain text: its span there, its readings, and whether words or units help to write it."""

    start: int
    end: int
    values: tuple[Decimal, ...]
    worded: bool
    """Written in words alone, so that it may as well be a part of other words."""
    scaled: bool
    """Written with a unit such as 만 or thousand."""


_DIGITS = r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?"


def _words(family: str) -> dict[str, Token]:
    """Read the table of a family of languages; spellings are evened out as those of texts are."""
    table: dict[str, Token] = {}
    for kind, rows in shared_table("lexicons/numbers")[family].items():
        for row in rows:
            names, _, value = row.partition("=")
            for name in names.split():
                table[plain(name.replace("_", " ")).text] = (kind, Decimal(value))
    return table


_EAST = _words("east")
_THAI = _words("thai")
_ARABIC = _words("arabic")
_ENGLISH = _words("english")


def _longest_first(table: dict[str, Token]) -> str:
    return "|".join(map(re.escape, sorted(table, key=len, reverse=True)))


_NUMBER = re.compile(_DIGITS)
_HAN = "".join(name for name in _EAST if not "가" <= name <= "힣")
_HANGUL = "".join(name for name in _EAST if "가" <= name <= "힣")
_EAST_UNITS = "".join(name for name, (kind, _) in _EAST.items() if kind != "digit")
_THAI_UNITS = "ร้อย|พัน|หมื่น|แสน|ล้าน"
_SHORT = "k|m|mn|bn|mil|mio"
_ENGLISH_WORD = _longest_first({name: token for name, token in _ENGLISH.items() if name not in _SHORT.split("|")})
_ARABIC_UNIT = _longest_first({name: token for name, token in _ARABIC.items() if token[0] in ("unit", "section")})
_ARABIC_WORD = _longest_first(_ARABIC).replace("\\ ", " ")
_FAMILIES: tuple[tuple[re.Pattern[str], dict[str, Token]], ...] = (
    (
        re.compile(
            rf"(?:{_DIGITS}) ?[{_EAST_UNITS}]"
            # Behind a unit, 이 with an ending is the copula or a particle, not two: 8만이면.
            rf"(?:(?!이(?:면|고|나|라|야|에|었|며|니|지|래|든|요|다)|일(?:까|지))[{_HAN}{_HANGUL}]"
            rf"|(?<=\d) [{_EAST_UNITS}]| ?(?:{_DIGITS})(?= ?[{_EAST_UNITS}]|(?![\d,]*[:/.-]?\d)))*"
            rf"|[{_HAN}]+"
            # Sino-Korean digits are syllables of many words: only before the name of a currency.
            rf"|(?<![가-힣])[{_HANGUL}]+(?: [{_HANGUL}]+)*(?= ?(?:원|엔|달러|유로|바트))"
        ),
        _EAST,
    ),
    (
        re.compile(
            rf"(?:(?:{_DIGITS}) ?(?:{_THAI_UNITS})|(?<!เรียบ)(?:{_longest_first(_THAI)}))"
            rf"(?:{_longest_first(_THAI)}|(?:{_DIGITS})(?={_THAI_UNITS}))*"
        ),
        _THAI,
    ),
    (
        re.compile(
            rf"(?<!\w)(?:و|ب|ل|ال)?(?P<number>(?:{_DIGITS}) (?:{_ARABIC_UNIT})(?!\w)|(?:{_ARABIC_WORD})(?!\w))"
            rf"(?: و ?(?:{_ARABIC_WORD}|{_DIGITS})(?!\w)| (?:{_ARABIC_WORD})(?!\w))*"
        ),
        _ARABIC,
    ),
    (
        re.compile(
            rf"(?<![A-Za-z])(?:(?:{_DIGITS})[- ]?(?:{_SHORT}|{_ENGLISH_WORD})|{_ENGLISH_WORD}"
            rf"|(?:half )?an? (?:hundred|thousand|million|billion|grand))(?![A-Za-z])"
            rf"(?:(?: and |[- ])(?:{_ENGLISH_WORD})(?![A-Za-z]))*",
            re.IGNORECASE,
        ),
        _ENGLISH,
    ),
)
_TOKENS = {
    id(table): re.compile(rf"(?P<digits>{_DIGITS})|(?P<word>{_longest_first(table)})", re.IGNORECASE)
    for _, table in _FAMILIES
}
_HALF = re.compile(r"half an?", re.IGNORECASE)


def figures(text: str) -> list[Figure]:
    """Find the numbers in a plain text (see `plain`), in their order; the longest reading of a place wins."""
    found: list[Figure] = []
    for run, table in _FAMILIES:
        for match in run.finditer(text):
            start = match.start()
            if table is _ARABIC:  # what is prefixed to the number is no part of it
                start = match.start("number")
            tokens = list(_read(text[start : match.end()], table))
            values = tuple(
                value
                for choice in _approximate(tokens)
                for value in _evaluate(choice, table is _EAST or table is _THAI, match[0][-1].isdigit())
            )
            if values:
                digits = any(character.isdigit() for character in match[0])
                found.append(Figure(start, match.end(), values, not digits, True))
    covered = [(figure.start, figure.end) for figure in found if not figure.worded]
    for match in _NUMBER.finditer(text):
        if not any(start <= match.start() < end for start, end in covered):
            found.append(Figure(*match.span(), (Decimal(match[0].replace(",", "")),), False, False))
    return sorted(found)


def _read(run: str, table: dict[str, Token]) -> Iterator[Token]:
    half = _HALF.match(run)
    if half:
        yield "digit", Decimal("0.5")
    for match in _TOKENS[id(table)].finditer(run, half.end() if half else 0):
        if match["digits"]:
            yield "digit", Decimal(match["digits"].replace(",", ""))
        else:
            yield table[match["word"].lower()]


def _approximate(tokens: list[Token]) -> list[list[Token]]:
    """Tell the two numbers of 三四千, one digit behind the next lower one before a unit; other numbers are one."""
    for at in range(len(tokens) - 2):
        (kind, low), (next_kind, high), (last_kind, _) = tokens[at : at + 3]
        if kind == next_kind == "digit" and last_kind in ("unit", "section") and 0 < low < high == low + 1 < 10:
            return [tokens[: at + 1] + tokens[at + 2 :], tokens[:at] + tokens[at + 1 :]]
    return [tokens]


def _evaluate(tokens: Sequence[Token], short: bool, figure_last: bool) -> tuple[Decimal, ...]:
    """Add up a number: digits times units, sections times 만, 萬, thousand and the like.

    `short`: whether a last digit may stand for tenths of the unit before it. `figure_last`: whether it is a figure.
    """
    total = section = Decimal(0)
    current: Decimal | None = None
    last_unit = Decimal(0)
    plain_zero = False
    for kind, value in tokens:
        if kind == "unit":
            if current is None:
                current = Decimal(1)
            section += current * value
            current, last_unit = None, value
        elif kind == "section":
            section += current or 0
            total += (section or Decimal(1)) * value
            section, current, last_unit = Decimal(0), None, value
        elif kind == "half":
            total += value * (last_unit or 1)
        else:
            plain_zero = plain_zero or not value
            section += current or 0
            current = value
        if kind != "digit":
            plain_zero = False
    exact = total + section + (current or 0)
    if not exact:
        return ()
    # A single digit behind a unit counts tenths of it: 六千二 is 6,200, สามพันห้า 3,500. Behind a hundred both are said,
    # and a figure is written for either: 1万1円 is 10,001 yen on a bill.
    if (
        short
        and current is not None
        and 0 < current < 10
        and last_unit >= 100
        and not plain_zero
        and current == int(current)
    ):
        shortened = exact - current + current * last_unit / 10
        return (shortened,) if last_unit >= 1000 and not figure_last else (shortened, exact)
    return (exact,)
