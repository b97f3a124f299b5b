"""From the printed price to what is paid: service, fees and tax, added and rounded once on the party's bill."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Literal

import msgspec

from agentbench_env.money import Money, round_to

ChargeMode = Literal["final", "on_service", "each_on_net", "compounded"]
Rounding = Literal["floor", "half_up"]


class ChargeRule(msgspec.Struct, frozen=True, gc=False):
    """How a printed price becomes what is paid; the rates are whole percents.

    Modes:
        final: the printed price is what is paid.
        on_service: service on the price, then tax on price and service.
        each_on_net: service, fee and tax each on the printed price.
        compounded: service and fee on the printed price, then tax on all of it.
    """

    service_pct: int = 0
    fee_pct: int = 0
    tax_pct: int = 0
    mode: ChargeMode = "final"
    rounding: Rounding = "half_up"

    @property
    def factor(self) -> Decimal:
        """By what the printed price is multiplied, exactly."""
        return _factor(self)

    def paid(self, printed: Money, exempt: Money | None = None) -> Money:
        """Return what is paid for a party's printed prices; `exempt` is a part of them that stays as printed."""
        rest = exempt.minor if exempt else 0
        return self.rounded((printed.minor - rest) * self.factor + rest, printed.currency)

    def rounded(self, minor: Decimal, currency: str) -> Money:
        """Round an exact number of minor units as the venue does."""
        return Money(int(round_to(minor, mode="down" if self.rounding == "floor" else "half_up")), currency)


@lru_cache(maxsize=1024)
def _factor(rule: ChargeRule) -> Decimal:
    if rule.mode == "final":
        return Decimal(1)
    added = 100 + rule.service_pct + rule.fee_pct
    if rule.mode == "each_on_net":
        return Decimal(added + rule.tax_pct) / 100
    return Decimal(added * (100 + rule.tax_pct)) / 10_000
