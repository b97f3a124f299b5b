"""What a guest can need of a room and of the way to it, and when a stated value meets it."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Literal

import msgspec

from agentbench_env.draw import Draw

Kind = Literal[
    "door_clear_cm",
    "bath_door_clear_cm",
    "roll_in_shower",
    "step_free_route",
    "bed_height_cm",
    "turning_circle_cm",
    "under_bed_gap_cm",
    "lift_door_cm",
    "visual_alarm",
    "assistance_dog",
    "grab_bars_side",
    "quiet_floor_no_flash",
]
MEASURES: dict[Kind, tuple[tuple[int, int], ...]] = {
    "door_clear_cm": ((75, 0), (80, 0), (85, 0), (90, 0)),
    "bath_door_clear_cm": ((75, 0), (80, 0), (85, 0), (90, 0)),
    "bed_height_cm": ((42, 50), (45, 55), (48, 56), (45, 52)),
    "turning_circle_cm": ((140, 0), (150, 0)),
    "under_bed_gap_cm": ((15, 0), (18, 0)),
    "lift_door_cm": ((80, 0), (85, 0), (90, 0)),
}
"""For each measured need what can be asked: the least and, where there is one, the greatest number of centimetres."""
FEATURES: tuple[Kind, ...] = (
    "roll_in_shower",
    "step_free_route",
    "visual_alarm",
    "assistance_dog",
    "quiet_floor_no_flash",
)
SIDES = ("left", "right")
DOORS: tuple[Kind, ...] = ("door_clear_cm", "bath_door_clear_cm", "lift_door_cm")
KINDS: tuple[Kind, ...] = (*MEASURES, *FEATURES, "grab_bars_side")
OF_THE_HOUSE: frozenset[str] = frozenset({"step_free_route", "lift_door_cm", "assistance_dog"})
"""What is a matter of the house and not of one of its rooms."""
OF_THE_BED: frozenset[str] = frozenset({"bed_height_cm", "under_bed_gap_cm"})
COUNTS = {"easy": (2, 2), "standard": (3, 3), "hard": (4, 5)}
TENTHS = 100
"""A centimetre in tenths of a millimetre, the whole numbers that measures are kept in."""
TOLERANCE = Decimal("0.5")


class Need(msgspec.Struct, frozen=True, gc=False):
    """One element of the request: a kind with its limits in centimetres (0: none) or the word that is asked for."""

    kind: Kind
    low: int = 0
    high: int = 0
    word: str = ""

    def met_by(self, value: str) -> bool:
        """Whether a stated value, decimal centimetres or a word, meets it."""
        if self.kind not in MEASURES:
            return value == self.word
        number = Decimal(value)
        return self.low <= number and (not self.high or number <= self.high)


def draw_needs(draw: Draw, difficulty: str) -> tuple[Need, ...]:
    """Draw what is asked for: a door of the room or of its bathroom, and other elements."""
    count = draw.int(*COUNTS[difficulty])
    first: Kind = draw.choice(("door_clear_cm", "bath_door_clear_cm"))
    others: list[Kind] = draw.shuffled([kind for kind in KINDS if kind != first])
    if others.index("visual_alarm") < count and others.index("quiet_floor_no_flash") < count:
        others.remove("visual_alarm")
    kinds: list[Kind] = draw.shuffled([first, *others[: count - 1]])
    return tuple(_need(draw, kind) for kind in kinds)


def _need(draw: Draw, kind: Kind) -> Need:
    if kind in MEASURES:
        low, high = draw.choice(MEASURES[kind])
        return Need(kind, low, high)
    return Need(kind, word=draw.choice(SIDES) if kind == "grab_bars_side" else "yes")


def any_need(draw: Draw, kind: Kind) -> Need:
    """Return a need of a kind that nobody asks for, as a scale for what houses state of it."""
    return _need(draw, kind)


def passing(draw: Draw, need: Need) -> int | str:
    """Draw a value that meets a need: tenths of a millimetre, or a word."""
    if need.kind not in MEASURES:
        return need.word
    if need.high:
        return draw.int(need.low + 1, need.high - 1) * TENTHS
    return draw.int(need.low, need.low + max(4, need.low // 10)) * TENTHS


def failing(draw: Draw, need: Need) -> int | str:
    """Draw a value that clearly misses a need."""
    if need.kind == "grab_bars_side":
        return next(side for side in SIDES if side != need.word)
    if need.kind not in MEASURES:
        return "no"
    gap = max(3, need.low // 25)
    if need.high and draw.chance(0.5):
        return draw.int(need.high + gap, need.high + gap + 5) * TENTHS
    return draw.int(need.low - gap - 5, need.low - gap) * TENTHS


def centimetres(tenths: int) -> str:
    """Write tenths of a millimetre as decimal centimetres."""
    return f"{Decimal(tenths) / TENTHS:f}".rstrip("0").rstrip(".") if tenths % TENTHS else str(tenths // TENTHS)


def value_of(stated: int | str) -> str:
    """The canonical value of what is stated."""
    return stated if isinstance(stated, str) else centimetres(stated)


def same_value(kind: str, given: str, stated: str) -> bool:
    """Whether an answer's value is the stated one: the same word, or within half a centimetre."""
    text = given.strip().lower()
    if kind not in MEASURES:
        return text == stated
    try:
        return abs(Decimal(text.removesuffix("cm").strip()) - Decimal(stated)) <= TOLERANCE
    except InvalidOperation:
        return False
