"""Holds: reservations that are free to let go and expire by themselves."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.commons.values import MoneyLine

HoldState = Literal["active", "released", "converted", "expired"]


class Hold(Record, frozen=True, gc=False):
    """A slot, fare, room, seat or piece of stock that is kept at a frozen price. It reaches nobody."""

    subject_id: str
    price: Money
    lines: tuple[MoneyLine, ...]
    fee: Money
    created_at: int
    expires_at: int
    made_by: Literal["user", "assistant"] = "assistant"
    ended_as: Literal["", "released", "converted"] = ""

    def state(self, now: int) -> HoldState:
        """How the hold stands at an instant; nothing has to tick for it to expire."""
        return self.ended_as or ("active" if now < self.expires_at else "expired")

    def ended(self, how: Literal["released", "converted"]) -> Hold:
        """The hold after it was let go or turned into what it kept."""
        return msgspec.structs.replace(self, ended_as=how)
