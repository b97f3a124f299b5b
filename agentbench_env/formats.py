"""Numbers and addresses of the right shape in ranges that are never issued, by a market's `formats` and `addresses`.

In a pattern `#` stands for a digit, `%` for a digit from 1, `@` for a letter and `?` for the check characters.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Literal, Protocol, TypeVar

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_table

T = TypeVar("T")


class Numbers(Protocol):
    """What drawing a number asks of a source of random choices."""

    def int(self, low: int, high: int) -> int:
        """Draw a whole number from `low` to `high`, both included."""
        ...

    def choice(self, options: Sequence[T]) -> T:
        """Draw one of `options`."""
        ...


class _Scheme(msgspec.Struct, frozen=True):
    """How a kind of number is checked: where the check stands, its characters, and which are right for the rest."""

    place: tuple[int, int]
    alphabet: Sequence[str]
    right: Callable[[str], Sequence[str]]


def _weighted(digits: str, weights: Sequence[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


def _resident_number(body: str) -> str:
    return str((11 - _weighted(body, (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10)


def _registration_number(body: str) -> str:
    total = _weighted(body, (1, 3, 7, 1, 3, 7, 1, 3, 5)) + int(body[8]) * 5 // 10
    return str(-total % 10)


def _individual_number(body: str) -> str:
    rest = _weighted(body, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return "0" if rest <= 1 else str(11 - rest)


def _corporate_number(body: str) -> str:
    return str(9 - _weighted(body, (2, 1) * 6) % 9)


_NRIC_LETTERS = {
    "S": (0, "JZIHGFEDCBA"),
    "T": (4, "JZIHGFEDCBA"),
    "F": (0, "XWUTRQPNMLK"),
    "G": (4, "XWUTRQPNMLK"),
    "M": (3, "XWUTRQPNJLK"),
}


def _nric(body: str) -> str:
    """Return no letter at all for a series that is not issued."""
    if body[0] not in _NRIC_LETTERS:
        return ""
    start, letters = _NRIC_LETTERS[body[0]]
    return letters[(start + _weighted(body[1:], (2, 7, 6, 5, 4, 3, 2))) % 11]


# The letters in the order of their numbers 10 to 35.
_ID_CARD_LETTERS = "ABCDEFGHJKLMNPQRSTUVXYWZIO"


def _identity_card(body: str) -> str:
    number = f"{_ID_CARD_LETTERS.index(body[0]) + 10}{body[1:]}"
    return str(-_weighted(number, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1)) % 10)


def _unified_number(body: str) -> str:
    """Accept sums divisible by five, with the alternative reading of a 7 in the seventh place."""
    products = [int(digit) * weight for digit, weight in zip(body, (1, 2, 1, 2, 1, 2, 4), strict=True)]
    total = sum(product // 10 + product % 10 for product in products)
    totals = {total, total - 9} if body[6] == "7" else {total}
    return "".join(str(digit) for digit in range(10) if any((one + digit) % 5 == 0 for one in totals))


def _pin(body: str) -> str:
    return str((11 - _weighted(body, tuple(range(13, 1, -1))) % 11) % 10)


def _luhn(body: str) -> str:
    doubled = (int(digit) * 2 for digit in body[::-2])
    return str(-(sum(map(int, body[-2::-2])) + sum(number // 10 + number % 10 for number in doubled)) % 10)


def _iban(body: str) -> tuple[str]:
    number = "".join(str(int(character, 36)) for character in f"{body[2:]}{body[:2]}00")
    return (f"{98 - int(number) % 97:02d}",)


_LAST = (-1, 0)
_SCHEMES: dict[str, _Scheme] = {
    "resident_number": _Scheme(_LAST, string.digits, _resident_number),
    "registration_number": _Scheme(_LAST, string.digits, _registration_number),
    "individual_number": _Scheme(_LAST, string.digits, _individual_number),
    "corporate_number": _Scheme((0, 1), string.digits, _corporate_number),
    "nric": _Scheme(_LAST, string.ascii_uppercase, _nric),
    "identity_card": _Scheme(_LAST, string.digits, _identity_card),
    "unified_number": _Scheme(_LAST, string.digits, _unified_number),
    "pin": _Scheme(_LAST, string.digits, _pin),
    "luhn": _Scheme(_LAST, string.digits, _luhn),
    "iban": _Scheme((2, 4), tuple(f"{number:02d}" for number in range(2, 99)), _iban),
}


def is_valid(scheme: str, number: str) -> bool:
    """Return whether `number`, separators apart, carries the right check characters of the named scheme."""
    if scheme not in _SCHEMES:
        raise WrongArgument("scheme", scheme, _SCHEMES)
    rule = _SCHEMES[scheme]
    plain = _plain(number)
    start, end = rule.place[0] % len(plain), rule.place[1] or len(plain)
    return plain[start:end] in tuple(rule.right(plain[:start] + plain[end:]))


def _plain(number: str) -> str:
    return re.sub(r"[^0-9A-Z?]", "", number.upper())


class _Shape(msgspec.Struct, frozen=True):
    """A kind of number: its pattern, how it is checked, and what keeps it from ever being issued."""

    pattern: str
    never_issued: str
    source: str
    status: str
    scheme: str = ""
    check: Literal["right", "wrong"] = "right"
    sex: dict[str, tuple[str, str]] = {}
    """The digit by gender, for people born before 2000 and from 2000 on."""


_CARD = _Shape("9##############?", "first digit 9, kept for national use", "ISO/IEC 7812-1", "V", "luhn")


@cache
def _shape(market: str, kind: str) -> _Shape:
    return msgspec.convert(market_table(market, "formats")[kind], _Shape)


def _expand(pattern: str, draw: Numbers) -> str:
    return "".join(_DRAWN[character](draw) if character in _DRAWN else character for character in pattern)


_DRAWN: dict[str, Callable[[Numbers], str]] = {
    "#": lambda draw: str(draw.int(0, 9)),
    "%": lambda draw: str(draw.int(1, 9)),
    "@": lambda draw: draw.choice(string.ascii_uppercase),
}


def _number(shape: _Shape, draw: Numbers, pattern: str = "") -> str:
    text = _expand(pattern or shape.pattern, draw)
    if not shape.scheme:
        return text
    rule = _SCHEMES[shape.scheme]
    right = rule.right(_plain(text).replace("?", ""))
    check = draw.choice([mark for mark in rule.alphabet if (mark in tuple(right)) == (shape.check == "right")])
    first = text.index("?")
    return text[:first] + check + text[first + len(check) :]


def mobile(market: str, draw: Numbers) -> str:
    """Draw a mobile number as people of the market write it."""
    return _number(_shape(market, "mobile"), draw)


def landline(market: str, draw: Numbers) -> str:
    """Draw a landline number as people of the market write it."""
    return _number(_shape(market, "landline"), draw)


def national_id(market: str, draw: Numbers, birth: date, gender: Literal["female", "male"]) -> str:
    """Draw the number of a person's identity document."""
    shape = _shape(market, "national_id")
    sex = shape.sex[gender][birth.year >= 2000] if shape.sex else ""
    return _number(shape, draw, shape.pattern.format(yy=f"{birth:%y}", dd=f"{birth:%d}", sex=sex))


def business_id(market: str, draw: Numbers) -> str:
    """Draw the number under which a business is registered."""
    return _number(_shape(market, "business_id"), draw)


def bank_account(market: str, draw: Numbers) -> str:
    """Draw an account number with its bank's code, an IBAN where the market uses them."""
    return _number(_shape(market, "bank_account"), draw)


def bank_code(market: str) -> str:
    """Return the code of the market's one fictional clearing bank."""
    return _shape(market, "bank_code").pattern


def certificate(market: str, draw: Numbers) -> str:
    """Draw the number of a certificate or receipt."""
    return _number(_shape(market, "certificate"), draw)


def card_number(draw: Numbers) -> str:
    """Draw a payment card number of 16 digits."""
    return _number(_CARD, draw)


class _Addresses(msgspec.Struct, frozen=True):
    keys: tuple[str, ...]
    fill: dict[Literal["flat", "house"], dict[str, str]]
    labels: dict[str, tuple[str, ...]]
    buildings: tuple[str | dict[str, str], ...]
    rows: tuple[dict[str, str | dict[str, str]], ...]


@cache
def _addresses(market: str) -> _Addresses:
    return msgspec.convert(market_table(market, "addresses"), _Addresses)


def draw_address(market: str, draw: Numbers, kind: Literal["flat", "house"], language: str = "") -> dict[str, str]:
    """Draw a home address: a real district and road, an invented building and number, keyed as the market keys them."""
    table = _addresses(market)
    language = _language_of(table, language)
    values: dict[str, str | dict[str, str]] = {**table.fill[kind], **draw.choice(table.rows)}
    if values.get("building_name"):
        values["building_name"] = draw.choice(table.buildings)
    texts = {key: value if isinstance(value, str) else value[language] for key, value in values.items()}
    return {key: _expand(texts[key], draw) for key in table.keys if texts.get(key)}


def address_lines(
    market: str, address: Mapping[str, str], language: str = "", *, name: str = "", phone: str = ""
) -> tuple[str, ...]:
    """Write `address` as a label, line by line; lines for which nothing is known are left out."""
    table = _addresses(market)
    known = {**dict.fromkeys(table.keys, ""), **address, "name": name, "phone": phone}
    labels = table.labels[_language_of(table, language)]
    lines = (_OPTIONAL.sub(lambda match: _first_known(match[1], known), line) for line in labels)
    return tuple(text for line in lines if (text := line.format_map(known).strip()))


def _language_of(table: _Addresses, language: str) -> str:
    language = language or next(iter(table.labels))
    if language not in table.labels:
        raise WrongArgument("language of an address", language, table.labels)
    return language


# Alternatives in brackets: the first one whose keys are all known stands.
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_KEY = re.compile(r"\{(\w+)\}")


def _first_known(alternatives: str, known: Mapping[str, str]) -> str:
    for text in alternatives.split("|"):
        if all(known.get(key) for key in _KEY.findall(text)):
            return text
    return ""
