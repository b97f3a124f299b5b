"""What an instance is about: the two musts, how many guests come, which traps are laid, and how many places qualify."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.reservations.domain.market import BANDS, reservation_market
from agentbench_tasks.reservations.domain.rooms_page import Seat
from agentbench_tasks.reservations.domain.shortlist.evidence import Attribute, Room, Value
from agentbench_tasks.reservations.domain.usual import charge_rule

Trap = Literal[
    "tag_only",
    "stale_only",
    "pre_refit",
    "listing_vs_review",
    "plus_plus_band",
    "partial_room",
    "capacity",
    "tatami",
]
"""Each lays a house that meets a must only for who believes the site's tag; a review of a visit too long ago, or before
a refit; a review against the house's own words; the price before charges; in a corner behind a curtain; in too small a
room; on the floor instead of a chair.
"""
TRAPS: tuple[Trap, ...] = get_args(Trap)
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
CONTRARY: dict[Difficulty, int] = {"easy": 0, "standard": 2, "hard": 4}
"""How many further statements are contradicted, by another guest or by the house itself."""
MEMBERS: dict[Difficulty, dict[int, float]] = {
    "easy": {2: 4, 3: 4, 4: 2},
    "standard": {2: 5, 3: 4, 4: 1},
    "hard": {2: 6, 3: 4},
}
_PAIRS: dict[tuple[Attribute, Attribute], float] = {
    ("private_room", "price_band"): 4,
    ("private_room", "noise"): 3,
    ("private_room", "seating"): 3,
    ("price_band", "noise"): 3,
    ("price_band", "seating"): 2,
    ("seating", "noise"): 2,
}
_SEATS: dict[Seat, float] = {"table": 4, "counter": 2, "terrace": 2, "sofa": 2}
TAGGED_SEATS: tuple[Seat, ...] = ("counter", "terrace")
"""Seats for which the site has a tag."""


class Must(msgspec.Struct, frozen=True):
    """What a place must have: a value of `wanted`, a kind of seat among others, or a closed room for so many guests."""

    attribute: Attribute
    wanted: tuple[str, ...]
    guests: int = 0

    def is_met_by(self, value: Value | None) -> bool:
        """Whether an established value meets it; what nothing establishes does not."""
        if isinstance(value, Room):
            return value.kind in self.wanted and value.capacity >= self.guests
        if isinstance(value, tuple):
            return self.wanted[0] in value
        return value in self.wanted


class Plot(msgspec.Struct, frozen=True):
    """What an instance is about."""

    guests: int
    musts: tuple[Must, Must]
    traps: tuple[Trap, ...]
    """None where all is as it seems."""
    members: int
    contrary: int

    def must(self, attribute: Attribute) -> Must | None:
        """The must of an attribute, None if there is none."""
        return next((must for must in self.musts if must.attribute == attribute), None)

    @property
    def free(self) -> tuple[Attribute, ...]:
        """The attributes of which nothing is demanded."""
        attributes: tuple[Attribute, ...] = ("price_band", "seating", "noise", "private_room")
        return tuple(one for one in attributes if self.must(one) is None)


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw what an instance is about."""
    size, guests = setting.difficulty, draw.int(6, 10)
    rows = reservation_market(setting.market.code).charges
    adds = any(charge_rule(row).factor > 1 for row in rows)
    kinds: list[Trap] = [trap for trap in TRAPS if adds or trap != "plus_plus_band"]
    if draw.chance(BENIGN[size]):
        return Plot(guests, _draw_musts(draw, guests), (), draw.weighted(MEMBERS[size]), 0)
    first = draw.choice(kinds)
    musts = _draw_musts(draw, guests, first)
    others: list[Trap] = [trap for trap in kinds if trap != first and admits(trap, musts)]
    traps = (first, *draw.sample(others, TRAP_COUNT[size] - 1))
    return Plot(guests, musts, traps, draw.weighted(MEMBERS[size]), CONTRARY[size])


def _draw_musts(draw: Draw, guests: int, trap: Trap | None = None) -> tuple[Must, Must]:
    """Draw two musts that admit a trap."""
    while True:
        one, other = draw.weighted(_PAIRS)
        musts = _draw_must(draw, one, guests), _draw_must(draw, other, guests)
        if trap is None or admits(trap, musts):
            return musts


def _draw_must(draw: Draw, attribute: Attribute, guests: int) -> Must:
    match attribute:
        case "private_room":
            return Must(attribute, ("closed_room",), guests)
        case "price_band":
            low = draw.choice((1, 2))
            return Must(attribute, BANDS[low : low + 2])
        case "noise":
            return Must(attribute, draw.choice((("quiet",), ("quiet", "moderate"))))
        case "seating":
            return Must(attribute, (draw.weighted(_SEATS),))


def admits(trap: Trap, musts: Sequence[Must]) -> bool:
    """Whether a trap can be laid where these are the musts."""
    return trap == "plus_plus_band" or bool(baited(trap, musts))


def baited(trap: Trap, musts: Sequence[Must]) -> list[Must]:
    """The musts that a house of a trap can seem to meet."""
    by_attribute = {must.attribute: must for must in musts}
    seat = by_attribute["seating"].wanted[0] if "seating" in by_attribute else ""
    match trap:
        case "plus_plus_band":
            able = ["price_band"]
        case "partial_room" | "capacity":
            able = ["private_room"]
        case "tatami":
            able = ["seating"] if seat == "table" else []
        case "tag_only":
            able = ["price_band", "noise", "private_room", *(["seating"] if seat in TAGGED_SEATS else [])]
        case _:
            able = ["noise", "private_room", "seating"]
    return [must for must in musts if must.attribute in able]
