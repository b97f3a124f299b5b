"""What is to be changed, drawn before any house: the kind of instance, what misleads, parties and terms."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.booking_records import MadeVia
from agentbench_tasks.reservations.domain.change.market import Pattern, patterns_of
from agentbench_tasks.reservations.domain.change.rules import Rules
from agentbench_tasks.reservations.domain.market import reservation_market

Kind = Literal["online_free", "online_forfeit_approved", "online_forfeit_denied", "route_by_channel", "slot_full_route"]
Trap = Literal["headcount_tier", "two_bookings", "new_cutoff", "quote_is_time_bound", "course_fixed", "site_button"]
Change = Literal["time", "size", "both", "day"]
Pointer = Literal["day", "venue"]
Meal = Literal["lunch", "dinner"]
Channel = Literal["phone", "messenger"]
_ROUTED: dict[Kind, float] = {"route_by_channel": 20, "slot_full_route": 10}
KINDS: dict[Difficulty, dict[Kind, float]] = {
    "easy": {"online_free": 40, "online_forfeit_approved": 15, "online_forfeit_denied": 15, **_ROUTED},
    "standard": {"online_free": 35, "online_forfeit_approved": 15, "online_forfeit_denied": 20, **_ROUTED},
    "hard": {"online_free": 25, "online_forfeit_approved": 20, "online_forfeit_denied": 25, **_ROUTED},
}
"""How the change can be made, in a hundred instances: the harder, the more often it costs something."""
FORFEITS: frozenset[Kind] = frozenset({"online_forfeit_approved", "online_forfeit_denied"})
ONLINE: frozenset[Kind] = frozenset((*FORFEITS, "online_free"))
TRAPS: dict[Trap, float] = {
    "headcount_tier": 1.4,
    "two_bookings": 1,
    "new_cutoff": 1,
    "quote_is_time_bound": 1.4,
    "course_fixed": 1,
    "site_button": 1,
}
"""How often each trap is drawn, against the others that can be laid."""
_OF_CHARGES: frozenset[Trap] = frozenset({"headcount_tier", "quote_is_time_bound"})
"""Traps about what a change costs, which bite where the engine takes it."""
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
OTHERS: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
"""How many other bookings of the user's are still to come."""
NAMESAKES: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 4}
PARTY = (2, 12)
_BY_HAND: dict[MadeVia, float] = {"phone": 45, "messenger": 40, "concierge": 15}
_BEYOND_LIMIT = 0.35
"""The share of the instances routed by channel in which the engine does not take the new size."""
_MORE = 0.3
"""The share of changes of size, where either will do, in which more guests come."""
_DINNER = 0.75


class Frame(msgspec.Struct, frozen=True):
    """What is settled before anything is tried."""

    kind: Kind
    traps: tuple[Trap, ...]

    @property
    def costs(self) -> bool:
        """Whether the change takes a charge."""
        return self.kind in FORFEITS

    def has(self, trap: Trap) -> bool:
        """Whether this misleads."""
        return trap in self.traps


class Plot(msgspec.Struct, frozen=True):
    """The drawn story, without its times."""

    frame: Frame
    made_via: MadeVia
    change: Change
    party: int
    new_party: int
    rules: Rules
    most: int
    """The largest party that the engine takes."""
    contact: Channel
    """Where the terms say that changes go."""
    pointer: Pointer
    """By what the user names the booking: its day and meal, or the house."""
    meal: Meal
    with_course: bool

    @property
    def fewer(self) -> int:
        """How many guests fewer come; below 0, how many more."""
        return self.party - self.new_party

    @property
    def fewer_cost(self) -> bool:
        """Whether the charge, where there is one, is for missing guests."""
        return any(step.fewer <= self.fewer for step in self.rules.pattern.steps)


def draw_frame(draw: Draw, difficulty: Difficulty) -> Frame:
    """Draw how the change can be made and what makes the instance hard, in no order; nothing does in a benign one."""
    kind = draw.weighted(KINDS[difficulty])
    if draw.chance(BENIGN[difficulty]):
        return Frame(kind, ())
    left: dict[Trap, float] = {
        trap: weight for trap, weight in TRAPS.items() if kind in ONLINE or trap not in _OF_CHARGES
    }
    traps: list[Trap] = []
    while len(traps) < TRAP_COUNT[difficulty]:
        traps.append(draw.weighted(left))
        del left[traps[-1]]
    return Frame(kind, tuple(trap for trap in get_args(Trap) if trap in traps))


def draw_plot(draw: Draw, setting: Setting, frame: Frame) -> Plot:
    """Draw a story; raise NoFit if this attempt leads to none."""
    pattern = _pattern(draw, setting.market.code, frame)
    by_hand = frame.kind == "route_by_channel" and not draw.chance(_BEYOND_LIMIT)
    beyond = frame.kind == "route_by_channel" and not by_hand
    change = _change(draw, frame, pattern, beyond)
    party, new_party = _parties(draw, frame, pattern, change, beyond)
    most = _most(draw, setting.market.code, party, new_party, beyond)
    with_course = frame.has("course_fixed")
    return Plot(
        frame,
        draw.weighted(_BY_HAND) if by_hand else draw.choice(("engine", "engine", "aggregator")),
        change,
        party,
        new_party,
        Rules(
            pattern,
            _split(draw, frame, change, pattern, party, new_party),
            _limits_without_course(draw, setting.market.code, pattern) if with_course else None,
        ),
        most,
        draw.choice(("phone", "messenger")),
        draw.choice(("day", "venue")),
        "dinner" if draw.chance(_DINNER) else "lunch",
        with_course,
    )


def _pattern(draw: Draw, code: str, frame: Frame) -> Pattern:
    rows = [row for row in patterns_of(code) if len(row.steps) > 1 or not frame.has("headcount_tier")]
    return rows[draw.weighted({place: row.weight for place, row in enumerate(rows)})]


def _limits_without_course(draw: Draw, code: str, pattern: Pattern) -> Pattern:
    """The pattern whose limits hold for bookings without a course."""
    return draw.choice([row for row in patterns_of(code) if row.until != pattern.until])


def _change(draw: Draw, frame: Frame, pattern: Pattern, beyond: bool) -> Change:
    """Draw what is to be new; the cut-off moves with it where that is meant to mislead, and only there."""
    options: set[Change] = {"time", "size", "both", "day"}
    if beyond or frame.has("headcount_tier"):
        options -= {"time", "day"}
    if not frame.has("new_cutoff"):
        options -= {"time", "both", "day"} if pattern.by_the_hour else {"day"}
    if pattern.move is None and (frame.costs or frame.has("quote_is_time_bound")):
        options -= {"time", "day"}
    if not options:
        raise NoFit
    return draw.choice(sorted(options))


def _parties(draw: Draw, frame: Frame, pattern: Pattern, change: Change, beyond: bool) -> tuple[int, int]:
    if change in ("time", "day"):
        party = draw.int(2, 10)
        return party, party
    fewest, *larger = sorted(step.fewer for step in pattern.steps)
    counts = frame.costs or frame.has("headcount_tier") or frame.has("quote_is_time_bound")
    if beyond or (change == "size" and frame.kind == "slot_full_route") or (not counts and draw.chance(_MORE)):
        party = draw.int(2, 8)
        return party, party + draw.int(1, 4)
    least, most = (fewest, fewest + 4) if counts else (1, 5)
    if frame.has("headcount_tier"):
        least, most = (larger[0], larger[0] + 2) if frame.costs else (fewest, larger[0] - 1)
    fewer = draw.int(least, most)
    party = draw.int(fewer + PARTY[0], PARTY[1])
    return party, party - fewer


def _most(draw: Draw, code: str, party: int, new_party: int, beyond: bool) -> int:
    if beyond:
        return draw.int(party, new_party - 1)
    return max(party, new_party, draw.choice(reservation_market(code).routes.online_max))


def _split(draw: Draw, frame: Frame, change: Change, pattern: Pattern, party: int, new_party: int) -> int:
    """Draw the line between small and large parties: between the old size and the new one if that is to matter."""
    low, high = sorted((party, new_party))
    moves_anyway = change == "day" or (change != "size" and pattern.by_the_hour)
    if frame.has("new_cutoff") and not moves_anyway:
        if low == high:
            raise NoFit
        return draw.int(low, high - 1)
    beside = [0, high + draw.int(0, 2)] + ([low - 1] if low > PARTY[0] else [])
    return draw.choice(beside)
