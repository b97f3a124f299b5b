"""What a household has and firms ask about: a value for each key of a firm's list, drawn from the market's table."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, kind_of

_LETTERS = tuple(letter for letter in string.ascii_uppercase if letter not in "IOQ")
_SIGN = re.compile(r"[@#]")
_MODEL = "model"


class Belongings(msgspec.Struct, frozen=True):
    """The table `household` of a market; floors and years are from and to, both ends included."""

    makers: tuple[str, ...]
    floors: tuple[int, int]
    ceiling: tuple[str, ...]
    models: tuple[str, ...]
    """Patterns of letters (@) and digits (#)."""
    errors: tuple[str, ...]
    years: tuple[int, int]
    trades: dict[str, dict[str, tuple[str | int, ...]]]
    """By trade and key, what its value is drawn from."""


@cache
def belongings(code: str) -> Belongings:
    """Return what households of a market have."""
    return msgspec.convert(market_table(code, "household"), Belongings)


def draw_facts(draw: Draw, code: str, trade: str, keys: Iterable[str]) -> list[QuoteFact]:
    """Draw a value for each key that a household answers by itself; times and building rules are left to the plot."""
    facts = (draw_fact(draw, code, trade, key) for key in keys)
    return [fact for fact in facts if fact is not None]


def draw_fact(draw: Draw, code: str, trade: str, key: str) -> QuoteFact | None:
    """Draw a value of a key, None for one that is no matter of the household: a time, or the hours of the building."""
    table = belongings(code)
    own = table.trades[trade].get(key)
    if own is not None:
        return QuoteFact(key, draw.choice(own))
    match kind_of(key):
        case "yes_no":
            return QuoteFact(key, draw.chance(0.5))
        case "floor":
            return QuoteFact(key, draw.int(*table.floors))
        case "year":
            return QuoteFact(key, draw.int(*table.years))
        case "count":
            return QuoteFact(key, draw.int(2, 6))
        case "code":
            return QuoteFact(key, drawn_code(draw, table.models if key == _MODEL else table.errors))
        case "name":
            return QuoteFact(key, draw.choice(table.makers))
        case "measure":
            return QuoteFact(key, f"{draw.choice(table.ceiling)} metre")
        case _:
            return None


def drawn_code(draw: Draw, patterns: tuple[str, ...]) -> str:
    """Draw a model or an error code of one of the patterns."""
    return _SIGN.sub(
        lambda sign: draw.choice(_LETTERS) if sign[0] == "@" else str(draw.int(1, 9)), draw.choice(patterns)
    )
