"""What is drawn of the story: who asks for what, which conditions tell the blocks of terms apart, and what misleads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.reservations.domain.market import reservation_market

Trap = Literal[
    "party_tier",
    "course_tier",
    "old_version",
    "per_head_vs_total",
    "service_on_charge",
    "deposit_counts",
    "hold_not_paid",
    "business_days",
    "same_day_meaning",
]
"""What is laid in some instances. The other branch and the figures of the public guide lie in all of them."""
Split = Literal["party", "booked", "weekdays", "room"]
"""A condition that tells blocks of terms apart."""
Kind = Literal["none", "hold", "charged"]
Cut = Literal["hours", "same_day", "days", "day_start", "business", "never", "always"]
"""How the end of free cancelling is counted: in hours, many or few, in days, in days of opening, or not at all."""
Form = Literal["none", "per_head", "menu", "total", "deposit"]
"""What is charged if nobody comes: nothing, a sum a head, a share of the menus or of the bill, or the deposit."""

TRAPS: tuple[Trap, ...] = get_args(Trap)
_EVERY_SPLIT: tuple[Split, ...] = get_args(Split)
COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
"""How many traps are laid."""
BLOCKS: dict[Difficulty, int] = {"easy": 2, "standard": 3, "hard": 4}
OLDER: dict[Difficulty, int] = {"easy": 0, "standard": 1, "hard": 2}
"""How many versions of the terms were replaced."""
FREE = 0.2
"""Share of instances in which nothing is asked and nothing charged."""
PAYS = 0.3
"""Share of users who would let a deposit be paid if asked."""
NEVER = 0.08
"""Share of terms by which cancelling always costs something."""
CARD_ONLY = 0.2
"""Share of cards on which no amount is held, where the charge does not depend on one."""
CUTS: dict[Difficulty, dict[Cut, float]] = {
    "easy": {"hours": 1},
    "standard": {"days": 45, "day_start": 30, "hours": 15, "business": 10},
    "hard": {"business": 55, "days": 20, "day_start": 15, "hours": 10},
}
KINDS: dict[Kind, float] = {"none": 25, "hold": 35, "charged": 40}
FORMS: dict[Kind, dict[Form, float]] = {
    "none": {"per_head": 40, "menu": 35, "total": 25},
    "hold": {"deposit": 30, "per_head": 20, "menu": 30, "total": 20},
    "charged": {"deposit": 25, "per_head": 25, "menu": 25, "total": 25},
}
_EXCLUDE: dict[Trap, Trap] = {
    "deposit_counts": "hold_not_paid",
    "hold_not_paid": "deposit_counts",
    "business_days": "same_day_meaning",
    "same_day_meaning": "business_days",
}
_SPLITS: dict[Trap, Split] = {"party_tier": "party", "course_tier": "booked"}
_CUTS: dict[Trap, Cut] = {"business_days": "business", "same_day_meaning": "same_day"}


_SMALL, _LARGE = (2, 4), (6, 10)
"""Sizes of parties on either side of where blocks that go by the number of guests are cut."""


class Wanted(msgspec.Struct, frozen=True):
    """What the terms of a block must be like; figures are drawn later."""

    kind: Kind
    cut: Cut
    form: Form
    per_head: bool = False
    """Whether a deposit is asked for each guest."""
    card_only: bool = False
    """Whether a card is kept without an amount being held on it."""


NOTHING = Wanted("none", "always", "none")


class Plot(msgspec.Struct, frozen=True):
    """The story."""

    free: bool
    traps: tuple[Trap, ...]
    splits: tuple[Split, ...]
    """One or two conditions; the first tells all blocks apart, the second those of one half or of both."""
    blocks: int
    older: int
    wanted: Wanted
    party_size: int
    with_course: bool
    with_room: bool
    pays: bool

    @property
    def is_large(self) -> bool:
        """Whether the party is on the upper side where blocks go by the number of guests."""
        return self.party_size > _SMALL[1]


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story."""
    difficulty = setting.difficulty
    free = draw.chance(FREE)
    traps = () if free else tuple(_traps(draw, setting))
    blocks = BLOCKS[difficulty]
    splits = _splits(draw, traps, blocks)
    size = draw.int(*(_LARGE if draw.chance(0.7) else _SMALL))
    wanted = NOTHING if free else _wanted(draw, traps, difficulty)
    return Plot(
        free,
        traps,
        splits,
        blocks,
        OLDER[difficulty],
        wanted,
        size,
        with_course=draw.chance(0.7),
        with_room=draw.chance(0.45),
        pays=draw.chance(PAYS),
    )


def available(setting: Setting) -> list[Trap]:
    """Return the traps that market and difficulty allow."""
    adds = any(row.mode != "final" for row in reservation_market(setting.market.code).charges)
    barred = {
        "old_version": not OLDER[setting.difficulty],
        "business_days": "business" not in CUTS[setting.difficulty],
        "service_on_charge": not adds,
    }
    return [trap for trap in TRAPS if not barred.get(trap, False)]


def _traps(draw: Draw, setting: Setting) -> Iterator[Trap]:
    left = COUNT[setting.difficulty]
    laid: set[Trap] = set()
    for trap in draw.shuffled(available(setting)):
        if left and _EXCLUDE.get(trap) not in laid:
            laid.add(trap)
            left -= 1
            yield trap


def _splits(draw: Draw, traps: tuple[Trap, ...], blocks: int) -> tuple[Split, ...]:
    splits: list[Split] = []
    for trap in traps:
        if trap in _SPLITS:
            splits.append(_SPLITS[trap])
    for split in draw.shuffled(_EVERY_SPLIT):
        if split not in splits:
            splits.append(split)
    # What decides by which route one books comes first: the ways of booking of a page must not overlap.
    return tuple(sorted(splits[: 1 if blocks == 2 else 2], key=("party", "weekdays", "booked", "room").index))


def _wanted(draw: Draw, traps: tuple[Trap, ...], difficulty: Difficulty) -> Wanted:
    """Draw what the governing block is like, so that each trap bites."""
    told: list[Cut] = [_CUTS[trap] for trap in traps if trap in _CUTS]
    cut = told[0] if told else _any_cut(draw, difficulty)
    kinds: dict[Kind, float] = KINDS
    if "deposit_counts" in traps:
        kinds = {"charged": 1}
    elif "hold_not_paid" in traps:
        kinds = {"hold": 1}
    elif "per_head_vs_total" in traps:
        kinds = {"hold": 1, "charged": 1}
    kind = draw.weighted(kinds)
    forms: dict[Form, float] = dict(FORMS[kind])
    if "service_on_charge" in traps:
        forms = {"menu": 1}
    elif "deposit_counts" in traps:
        del forms["deposit"]
    elif cut == "never" and kind == "charged":
        forms = {"deposit": 1}
    form, per_head = draw.weighted(forms), "per_head_vs_total" in traps
    return Wanted(
        kind, cut, form, per_head, not per_head and "hold_not_paid" not in traps and _card_only(draw, kind, form)
    )


def _card_only(draw: Draw, kind: Kind, form: Form) -> bool:
    return kind == "hold" and form != "deposit" and draw.chance(CARD_ONLY)


def _any_cut(draw: Draw, difficulty: Difficulty) -> Cut:
    return "never" if draw.chance(NEVER) else draw.weighted(CUTS[difficulty])


def any_wanted(draw: Draw, kind: Kind, difficulty: Difficulty, may_be_free: bool) -> Wanted:
    """Draw what the terms of another block are like."""
    if kind == "none" and may_be_free and draw.chance(0.3):
        return NOTHING
    form = draw.weighted(FORMS[kind])
    return Wanted(kind, _any_cut(draw, difficulty), form, card_only=_card_only(draw, kind, form))
