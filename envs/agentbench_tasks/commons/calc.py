"""Exact decimal arithmetic. Results have no id and cannot be cited."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import RoundingMode, minor_text
from agentbench_env.tool import Tool

MOST_EXPRESSIONS = 20
LONGEST = 500
DEEPEST = 40
_TOKEN = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)|(?P<sign>[-+*/()]))")


class Unreadable(Exception):
    """An expression cannot be read on from this place."""

    def __init__(self, position: int, wanted: str) -> None:
        super().__init__(position, wanted)
        self.position, self.wanted = position, wanted


class _Parser:
    """Recursive descent over one expression; the result is exact."""

    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, int]] = []
        place, end = 0, len(text.rstrip())
        while place < end:
            match = _TOKEN.match(text, place)
            if match is None:
                raise Unreadable(place, "decimals, + - * / and parentheses")
            self._tokens.append((match[match.lastgroup or 0], match.start(match.lastgroup or 0)))
            place = match.end()
        self._tokens.append(("", end))
        self._next = 0

    def value(self) -> Fraction:
        """Return the value of the whole expression."""
        result = self._sum(0)
        if self._peek():
            raise self._unreadable("an operator or the end")
        return result

    def _sum(self, depth: int) -> Fraction:
        result = self._product(depth)
        while self._peek() in ("+", "-"):
            sign = self._take()
            term = self._product(depth)
            result = result + term if sign == "+" else result - term
        return result

    def _product(self, depth: int) -> Fraction:
        result = self._factor(depth)
        while self._peek() in ("*", "/"):
            sign = self._take()
            factor = self._factor(depth)
            result = result * factor if sign == "*" else result / factor
        return result

    def _factor(self, depth: int) -> Fraction:
        negative = False
        while self._peek() in ("+", "-"):
            negative ^= self._take() == "-"
        if self._peek() == "(":
            if depth == DEEPEST:
                raise self._unreadable(f"at most {DEEPEST} parentheses inside each other")
            self._take()
            result = self._sum(depth + 1)
            if self._peek() != ")":
                raise self._unreadable("a closing parenthesis")
            self._take()
        elif self._peek()[:1] in set("0123456789."):
            result = Fraction(Decimal(self._take()))
        else:
            raise self._unreadable("a number or an opening parenthesis")
        return -result if negative else result

    def _peek(self) -> str:
        return self._tokens[self._next][0]

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1][0]

    def _unreadable(self, wanted: str) -> Unreadable:
        return Unreadable(self._tokens[self._next][1], wanted)


def evaluate(expression: str) -> Fraction:
    """Return the exact value; raise Unreadable, or ZeroDivisionError."""
    if len(expression) > LONGEST:
        raise Unreadable(LONGEST, f"at most {LONGEST} characters")
    return _Parser(expression).value()


def decimal_text(value: Fraction, scale: int, rounding: RoundingMode) -> str:
    """Write a value with `scale` decimal digits; `half_up` is half away from zero, `down` towards zero."""
    whole, rest = divmod(abs(value.numerator) * 10**scale, value.denominator)
    if (rounding == "up" and rest) or (rounding == "half_up" and 2 * rest >= value.denominator):
        whole += 1
    return minor_text(-whole if value < 0 else whole, scale)


class Results(msgspec.Struct, frozen=True):
    """What `calc_evaluate` returns: one decimal number for each expression."""

    results: list[str]


class CalcEvaluate(Tool):
    """Evaluate sums exactly and round each result once."""

    latency_s: ClassVar[float] = 0.1

    expressions: list[str] = Field(
        description="At most 20 expressions of decimals, + - * / and parentheses, e.g. (51300 + 9800) * 0.00866.",
        max_length=MOST_EXPRESSIONS,
    )
    scale: int = Field(default=2, description="Decimal digits of the results, 0 to 12.", ge=0, le=12)
    rounding: Literal["half_up", "down", "up"] = Field(
        default="half_up", description="half_up: half away from zero; down: towards zero; up: away from zero."
    )

    def run(self, call: Call) -> Results:
        return Results([self._result(number, text) for number, text in enumerate(self.expressions)])

    def _result(self, number: int, expression: str) -> str:
        field = f"expressions.{number}"
        try:
            return decimal_text(evaluate(expression), self.scale, self.rounding)
        except Unreadable as error:
            raise ToolError("bad_expression", field=field, hint=f"at {error.position}: {error.wanted}") from error
        except ZeroDivisionError as error:
            raise ToolError("division_by_zero", field=field) from error
