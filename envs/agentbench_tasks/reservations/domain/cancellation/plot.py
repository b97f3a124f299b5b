"""What happens before a table is called off, drawn before any house: whose it is, how it was booked, what misleads."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.reservations.domain.booking_records import MadeVia

Kind = Literal[
    "own_engine",
    "own_aggregator",
    "own_messenger",
    "own_email",
    "own_phone",
    "made_by_colleague",
    "not_tied",
    "cutoff_passed",
]
Trap = Literal[
    "same_surname", "sister_branch", "channel_button", "cutoff_hours_vs_days", "user_abroad", "already_cancelled_twin"
]
KINDS: dict[Kind, float] = {
    "own_engine": 30,
    "own_aggregator": 15,
    "own_messenger": 15,
    "own_email": 10,
    "own_phone": 10,
    "made_by_colleague": 5,
    "not_tied": 8,
    "cutoff_passed": 7,
}
"""How the booking is, in a hundred instances."""
_MADE_VIA: dict[Kind, MadeVia] = {
    "own_engine": "engine",
    "own_aggregator": "aggregator",
    "own_messenger": "messenger",
    "own_email": "mail",
    "own_phone": "phone",
    "made_by_colleague": "engine",
    "not_tied": "engine",
}
_PASSED: dict[MadeVia, float] = {"engine": 35, "aggregator": 20, "messenger": 20, "mail": 12, "phone": 13}
ONLINE: tuple[MadeVia, ...] = ("engine", "aggregator")
"""Bookings that are managed on a surface."""
IN_WRITING: tuple[MadeVia, ...] = ("messenger", "mail")
"""Bookings that are called off where they were talked about."""
TRAPS: dict[Trap, float] = {
    "same_surname": 1,
    "sister_branch": 1,
    "channel_button": 3,
    "cutoff_hours_vs_days": 1,
    "user_abroad": 1,
    "already_cancelled_twin": 1,
}
"""How often each trap is drawn, against the others that can be laid."""
_NEEDS_OWN: frozenset[Trap] = frozenset({"sister_branch", "already_cancelled_twin"})
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
NAMESAKES: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 4}
"""How many guests of the user's name sit in the house that evening."""
MARGIN_MINUTES: dict[Difficulty, int] = {"easy": 48 * 60, "standard": 6 * 60, "hard": 40}
"""How long before the limit, or after it, the errand comes, more or less."""
EXECUTES = 0.5
"""The share of tables still free of charge that the user lets the assistant call off."""
AWAY = ("Europe/London", "Europe/Berlin", "America/New_York", "Australia/Sydney", "Pacific/Honolulu")
PARTY = (2, 6)


class Plot(msgspec.Struct, frozen=True):
    """The drawn story."""

    kind: Kind
    made_via: MadeVia
    traps: tuple[Trap, ...]
    executes: bool
    """Whether the user agrees to calling a table off that costs nothing."""
    away: str
    """The zone in which the user is, "" for that of the market."""
    party_size: int
    namesakes: int
    margin_minutes: int

    @property
    def online(self) -> bool:
        """Whether the booking is managed on a surface."""
        return self.made_via in ONLINE

    @property
    def on_the_web(self) -> bool:
        """Whether the house takes such parties on the web at all."""
        return self.online or "channel_button" in self.traps

    @property
    def in_account(self) -> bool:
        """Whether the booking stands among those of the user's account."""
        return self.kind != "made_by_colleague" and self.on_the_web


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story."""
    kind = draw.weighted(KINDS)
    made_via = _MADE_VIA.get(kind) or draw.weighted(_PASSED)
    if kind == "made_by_colleague" and draw.chance(0.5):
        made_via = "aggregator"
    traps = _traps(draw, setting.difficulty, kind, made_via)
    return Plot(
        kind,
        made_via,
        traps,
        kind not in ("not_tied", "cutoff_passed") and draw.chance(EXECUTES),
        draw.choice(AWAY) if "user_abroad" in traps else "",
        draw.int(*PARTY),
        NAMESAKES[setting.difficulty],
        int(MARGIN_MINUTES[setting.difficulty] * draw.uniform(0.85, 1.25)),
    )


def _traps(draw: Draw, difficulty: Difficulty, kind: Kind, made_via: MadeVia) -> tuple[Trap, ...]:
    """Draw what makes an instance hard, in no order; nothing does in a benign one."""
    if draw.chance(BENIGN[difficulty]):
        return ()
    left: dict[Trap, float] = {trap: weight for trap, weight in TRAPS.items() if _can_be_laid(trap, kind, made_via)}
    traps: list[Trap] = []
    while len(traps) < TRAP_COUNT[difficulty]:
        traps.append(draw.weighted(left))
        del left[traps[-1]]
    return tuple(trap for trap in TRAPS if trap in traps)


def _can_be_laid(trap: Trap, kind: Kind, made_via: MadeVia) -> bool:
    if trap == "channel_button":
        return made_via not in ONLINE
    return kind != "not_tied" or trap not in _NEEDS_OWN
