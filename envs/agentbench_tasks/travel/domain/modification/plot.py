"""What kind of instance it is: what was booked, through whom, which way is cheaper, and what could mislead."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.travel.domain.modification.market import trips

Kind = Literal["air", "ground", "stay"]
Fate = Literal["change", "rebook", "blocked", "credit"]
"""Which way is cheaper, or why one is: no change is allowed (`blocked`), or no money comes back (`credit`)."""
First = Literal["limit", "price"]
Sectors = Literal["only", "second", "both"]
"""Which sectors move: the only one, the second of two, or both."""

KINDS: dict[Kind, float] = {"air": 0.5, "stay": 0.4, "ground": 0.1}
HARD_KINDS: dict[Kind, float] = {"air": 0.7, "stay": 0.2, "ground": 0.1}
BLOCKED = 0.1
CREDIT = {"easy": 0.05, "standard": 0.05, "hard": 0.25}
CHANGE = 0.5
"""The share of instances in which changing is cheaper."""
PRICE_FIRST = 0.4
CROSSES = {"easy": 0.0, "standard": 0.25, "hard": 0.8}


class Shape(msgspec.Struct, frozen=True, gc=False):
    """The kind of an instance, fixed before anything is priced."""

    kind: Kind
    agency: bool
    fate: Fate
    first: First
    """Whether the limit in the terms or the validity of the price ends first on the cheaper way."""
    sectors: Sectors
    crosses: bool
    """Whether a day on which a departure charge changes lies between the old and the new date, where there is one."""
    falls: bool
    """Whether the new price is lower than the old one."""
    older: bool
    """Whether newer terms are published that the booking does not fall under."""
    suppliers: bool
    """Whether the user names the supplier's own reference although an agency sold the booking."""
    holds: bool
    """Whether the user would agree to a free hold."""

    @property
    def winner(self) -> Literal["change", "rebook"]:
        """The way with the lower outlay."""
        return "change" if self.fate in ("change", "credit") else "rebook"


def draw_shape(draw: Draw, setting: Setting) -> Shape:
    """Draw the kind of an instance."""
    level = setting.difficulty
    kinds = dict(HARD_KINDS if level == "hard" else KINDS)
    if not trips(setting.market.code, "ground"):
        del kinds["ground"]
    kind: Kind = "stay" if level == "easy" else draw.weighted(kinds)
    agency = level == "hard" or (level == "standard" and draw.chance(0.5))
    # A train's fees are too small a part of its price for the form of the refund to decide which way is cheaper.
    credit = 0.0 if kind == "ground" else CREDIT[level]
    fates: dict[Fate, float] = {
        "blocked": BLOCKED,
        "credit": credit,
        "change": CHANGE - credit,
        "rebook": 1 - BLOCKED - CHANGE,
    }
    several: dict[Sectors, float] = {"only": 0.6, "second": 0.2, "both": 0.2}
    fate = draw.weighted(fates)
    sectors: Sectors = "only" if kind == "stay" else "both" if level == "hard" else draw.weighted(several)
    return Shape(
        kind,
        agency,
        fate,
        "price" if draw.chance(PRICE_FIRST) else "limit",
        sectors,
        kind == "air" and draw.chance(CROSSES[level]),
        draw.chance(1.0 if kind == "ground" else 0.5) if fate == "rebook" else draw.chance(0.3),
        level != "easy" and draw.chance(0.5),
        agency and draw.chance(0.5),
        draw.chance(0.1),
    )
