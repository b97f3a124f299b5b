"""What makes an instance hard, drawn before any house: who eats along, and what misleads."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting

Trap = Literal[
    "may_contain",
    "hidden_allergen",
    "late_correction",
    "dropout",
    "kid_age",
    "supplement",
    "table_rule",
    "deadline_shift",
    "older_menu",
    "named_dish_conflict",
]
TRAPS: tuple[Trap, ...] = get_args(Trap)
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
PEOPLE: dict[Difficulty, int] = {"easy": 6, "standard": 9, "hard": 14}
"""How many are in the conversation, the user too."""
NEEDS: dict[Difficulty, int] = {"easy": 2, "standard": 4, "hard": 6}
"""How many of them may not eat everything."""
CORRECTIONS: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 4}
"""How many change what they said, where somebody does."""
DROPOUTS: dict[Difficulty, int] = {"easy": 1, "standard": 1, "hard": 2}
WITH_OLDER_MENU: tuple[Difficulty, ...] = ("standard", "hard")
"""Where the page of the menu has taken the place of another in any case."""
_LEFT_TO_THE_USER = 0.4
"""How often only the user knows how severe an allergy is, or how old a child."""
_CHILD_COMES = 0.3
"""How often a child is brought that the set for children is for, where that misleads nobody."""
KID_AGE = (6, 12)
"""Between which ages the set for children ends."""
YOUNGEST, OLDEST = 4, 15
FEWEST_KINDS, MOST_KINDS = 2, 3
"""How many different mains a table may have where that is limited."""


class Child(msgspec.Struct, frozen=True):
    """A child whom somebody brings."""

    age: int
    told: bool
    """Whether the conversation says how old it is; else the user knows."""


class Plot(msgspec.Struct, frozen=True):
    """The drawn story."""

    traps: tuple[Trap, ...]
    people: int
    needs: int
    corrections: int
    dropouts: int
    severity_told: bool
    """Whether the severe allergy is called severe in the conversation; else the user knows."""
    severe: bool
    """Whether an allergy of which only the user knows is severe."""
    kid_up_to: int
    child: Child | None
    most_mains: int
    """How many different mains the table may have, 0 for any."""
    older_menu: bool
    """Whether an older page of the menu can still be read."""
    soup: bool
    """Whether the set has a soup."""


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story."""
    difficulty = setting.difficulty
    benign = draw.chance(BENIGN[difficulty])
    traps = () if benign else tuple(draw.sample(TRAPS, TRAP_COUNT[difficulty]))
    kid_up_to = draw.int(*KID_AGE)
    return Plot(
        tuple(trap for trap in TRAPS if trap in traps),
        PEOPLE[difficulty],
        NEEDS[difficulty],
        CORRECTIONS[difficulty] if "late_correction" in traps else 0,
        DROPOUTS[difficulty] if "dropout" in traps else 0,
        "may_contain" not in traps or not draw.chance(_LEFT_TO_THE_USER),
        draw.chance(0.7),
        kid_up_to,
        _child(draw, kid_up_to, "kid_age" in traps),
        draw.int(FEWEST_KINDS, MOST_KINDS) if "table_rule" in traps else 0,
        "older_menu" in traps or difficulty in WITH_OLDER_MENU,
        difficulty != "easy",
    )


def _child(draw: Draw, up_to: int, trap: bool) -> Child | None:
    """Draw a child: too old for the set for children, or of an age that only the user knows, where that is the trap."""
    if not trap:
        return Child(draw.int(YOUNGEST, up_to), True) if draw.chance(_CHILD_COMES) else None
    if draw.chance(_LEFT_TO_THE_USER):
        return Child(draw.int(YOUNGEST, OLDEST), False)
    return Child(draw.int(up_to + 1, OLDEST), True)
