"""Money in whole minor units, and the one function that rounds."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal
from functools import lru_cache
from typing import Literal

import msgspec

RoundingMode = Literal["half_up", "down", "up"]

MOST_DIGITS = 17
"""Larger amounts in minor units would not fit into 64 bits."""
MOST_MINOR = 10 ** (MOST_DIGITS + 1)

# ISO 4217 minor-unit digits, but TWD and IDR: nobody has priced in their hundredths for decades.
_DIGITS = {"KRW": 0, "JPY": 0, "TWD": 0, "VND": 0, "IDR": 0, "OMR": 3, "BHD": 3, "KWD": 3}
_ROUNDING = {"half_up": ROUND_HALF_UP, "down": ROUND_DOWN, "up": ROUND_UP}


def digits(currency: str) -> int:
    """Return how many minor-unit digits `currency` (an ISO 4217 code) has in this suite."""
    return _DIGITS.get(currency, 2)


class Amount(msgspec.Struct, frozen=True, gc=False):
    """Money on the wire: a decimal string in major units and the currency's ISO code."""

    amount: str
    currency: str


class Money(msgspec.Struct, frozen=True, gc=False):
    """An amount in whole minor units (cents, fils, won) of one currency."""

    minor: int
    currency: str

    @classmethod
    def of(cls, amount: str | int | Decimal, currency: str) -> Money:
        """Read an amount in major units; raise ValueError if it is no number or finer than the minor unit."""
        try:
            scaled = Decimal(str(amount).replace(",", "")).scaleb(digits(currency))
        except ArithmeticError as error:
            raise ValueError(f"{amount!r} is not an amount; a decimal number such as '1234.50' would be") from error
        if scaled.is_finite() and scaled.adjusted() > MOST_DIGITS:
            raise ValueError(f"{amount!r} is too large an amount")
        if not scaled.is_finite() or scaled != scaled.to_integral_value():
            raise ValueError(f"{amount!r} {currency} has more than {digits(currency)} decimal digits")
        return cls(int(scaled), currency)

    @property
    def decimal(self) -> Decimal:
        """The amount in major units."""
        return Decimal(self.minor).scaleb(-digits(self.currency))

    def wire(self) -> Amount:
        """The amount as tools print it."""
        return Amount(minor_text(self.minor, digits(self.currency)), self.currency)

    def __add__(self, other: Money) -> Money:
        if other.currency != self.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return Money(self.minor + other.minor, self.currency)

    def __str__(self) -> str:
        return f"{minor_text(self.minor, digits(self.currency))} {self.currency}"


@lru_cache(maxsize=4096)
def minor_text(minor: int, places: int) -> str:
    """Write `minor` units with `places` decimal digits, e.g. (123450, 2) as '1234.50'."""
    if not places:
        return str(minor)
    sign = "-" if minor < 0 else ""
    whole, part = divmod(abs(minor), 10**places)
    return f"{sign}{whole}.{part:0{places}d}"


def round_to(value: Decimal, step: Decimal | str = "1", mode: RoundingMode = "half_up") -> Decimal:
    """Round `value` to a multiple of `step`; `half_up` is half away from zero, `down` towards zero."""
    unit = Decimal(step)
    return (value / unit).quantize(Decimal(1), rounding=_ROUNDING[mode]) * unit


def convert(money: Money, rate: Decimal, unit: int, currency: str) -> Money:
    """Convert at `unit` units of money's currency = `rate` of `currency`: multiply, round once, half up."""
    above, below = rate.as_integer_ratio()
    above *= abs(money.minor) * 10 ** digits(currency)
    below *= unit * 10 ** digits(money.currency)
    minor = (2 * above + below) // (2 * below)
    if minor >= MOST_MINOR:
        raise ValueError(f"{money} is too large an amount to convert to {currency}")
    return Money(-minor if money.minor < 0 else minor, currency)
