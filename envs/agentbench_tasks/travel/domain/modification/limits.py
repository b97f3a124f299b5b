"""The present of an instance, and how limits and validities lie ahead of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.modification.deal import Moved
from agentbench_tasks.travel.domain.modification.plot import Shape

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
HOUR = 3600
NEAREST_S, FARTHEST_S = 5 * HOUR, 6 * 24 * HOUR
LIVES_H = (6, 8, 12, 18, 24, 36, 48, 60, 72)
APART_S = 2 * HOUR
"""Limit and validity of the cheaper way end at least this far from each other."""
BEFORE_TURN = 27
"""How many days before a charge changes the present may lie: every split has weeks among them."""


class Horizon(msgspec.Struct, frozen=True, gc=False):
    """The present, and the span in which limits may end."""

    now: int

    @classmethod
    def drawn(cls, draw: Draw, setting: Setting, turn: date | None) -> Horizon:
        """Draw the present, with `turn` in the weeks before that day."""
        first, last = (turn - timedelta(BEFORE_TURN), turn - timedelta(1)) if turn else (FIRST_DAY, LAST_DAY)
        day = draw.day(max(first, FIRST_DAY), last)
        clock = f"{draw.int(8, 18):02}:{draw.int(0, 11) * 5:02}"
        return cls(to_instant(f"{day.isoformat()}T{clock}", setting.market.zone))

    def holds(self, limit: int) -> bool:
        """Whether a limit lies in the span."""
        return NEAREST_S <= limit - self.now <= FARTHEST_S

    def day(self, zone: str) -> date:
        """The date in a zone."""
        return date.fromisoformat(to_local(self.now, zone)[:10])

    def lives(self, draw: Draw, shape: Shape, moved: Sequence[Moved]) -> tuple[int, int]:
        """Draw how long prices of actions and quotes are valid, so that what is to end first does.

        Raise NoFit where none fits.
        """
        change = shape.winner == "change"
        limit = min(one.change_limit if change else one.cancel_limit for one in moved) - self.now
        earlier = [hours for hours in LIVES_H if hours * HOUR <= limit - APART_S]
        later = [hours for hours in LIVES_H if hours * HOUR >= limit + APART_S]
        found = earlier if shape.first == "price" else later
        if not found:
            raise NoFit
        one, other = draw.choice(found), draw.choice(LIVES_H)
        if change:
            return one * HOUR, other * HOUR
        other = other if other >= one else one
        actions, quotes = draw.shuffled((one, other))
        return actions * HOUR, quotes * HOUR
