"""What is so at the venue that is asked about: whether it has a table, why not, and what misleads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.reservations.domain.market import ReservationMarket, reservation_market

Reason = Literal[
    "none",
    "closed_by_notice",
    "closed_weekly_or_holiday",
    "between_services",
    "past_last_seating",
    "outside_booking_window",
    "party_not_taken_online",
    "full_for_party",
]
REASONS: tuple[Reason, ...] = get_args(Reason)
"""In the order in which the first that holds is the one to give; `none` where there is a table."""
ClosureTrap = Literal["shifted_closure", "nth_weekday", "holiday_opening", "holiday_closing", "season_hours"]
CLOSURE_TRAPS: tuple[ClosureTrap, ...] = get_args(ClosureTrap)
Trap = (
    ClosureTrap
    | Literal[
        "site_grid",
        "party_split",
        "notice",
        "superseded_hours",
        "drinks_order",
        "other_branch",
        "after_midnight",
        "phone_party",
        "weekday_hours",
    ]
)

AVAILABLE = 0.45
HOLIDAY = 0.6
"""The share of periods with a public holiday in them."""
BENIGN: dict[Difficulty, float] = {"easy": 0.30, "standard": 0.15, "hard": 0.10}
COUNTS: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
FORCED: dict[Reason, Trap] = {"closed_by_notice": "notice", "party_not_taken_online": "phone_party"}
"""What misleads wherever a reason holds."""
_LATER: dict[Difficulty, frozenset[Trap]] = {
    "easy": frozenset({"notice", "superseded_hours", "after_midnight"}),
    "standard": frozenset({"superseded_hours", "after_midnight"}),
    "hard": frozenset(),
}
"""What a difficulty does not have yet."""
_SERVED: frozenset[Reason] = frozenset(REASONS) - {"closed_by_notice", "closed_weekly_or_holiday"}
"""Where the last order is asked for in any case."""
_BEFORE_PARTY: frozenset[Reason] = frozenset(REASONS[1:7])
_FITS: dict[Trap, frozenset[Reason]] = {
    "site_grid": frozenset(REASONS),
    "party_split": frozenset({"none", "full_for_party"}),
    "shifted_closure": frozenset(REASONS),
    "nth_weekday": frozenset(REASONS),
    "holiday_opening": frozenset(REASONS),
    "holiday_closing": frozenset(REASONS),
    "season_hours": _SERVED - {"past_last_seating", "outside_booking_window"},
    "notice": frozenset(REASONS),
    "superseded_hours": frozenset(REASONS),
    "drinks_order": _SERVED,
    "other_branch": frozenset(REASONS),
    "after_midnight": _SERVED,
    "phone_party": _BEFORE_PARTY,
    "weekday_hours": _SERVED,
}
_APART: tuple[frozenset[Trap], ...] = (
    frozenset(CLOSURE_TRAPS),
    frozenset({"season_hours", "drinks_order"}),
    frozenset({"season_hours", "other_branch"}),
    # These three settle which hours the day has.
    frozenset({"season_hours", "after_midnight", "weekday_hours"}),
)
"""Of each of these sets an instance has one at most."""
_WEIGHTS: dict[Trap, float] = {
    "shifted_closure": 4,
    "holiday_opening": 4,
    "holiday_closing": 4,
    "party_split": 4,
    "phone_party": 1,
}
"""How often something misleads where it can, 2 where nothing is said: more often what seldom fits, and the reverse."""
_NEEDS_HOLIDAY: frozenset[Trap] = frozenset({"shifted_closure", "holiday_opening", "holiday_closing"})


class Plot(msgspec.Struct, frozen=True):
    """What is so, and what misleads."""

    reason: Reason
    traps: frozenset[Trap]
    holiday: bool
    """Whether the period has a public holiday in it; in a season it has what the season brings."""
    remains: bool
    """Whether an old notice and a replaced page of hours are still up, misleading or not."""

    @property
    def closure_trap(self) -> ClosureTrap | None:
        """The rule by which the closing days are not simply the same weekday."""
        return next((trap for trap in CLOSURE_TRAPS if trap in self.traps), None)


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a plot."""
    size = setting.difficulty
    reasons: list[Reason] = [reason for reason in REASONS[1:] if FORCED.get(reason) not in _LATER[size]]
    holiday = draw.chance(HOLIDAY)
    reason = "none" if draw.chance(AVAILABLE) else draw.choice(reasons)
    forced = FORCED.get(reason)
    # Reasons that mislead by themselves are never benign: the others make up for them.
    forcing = sum(reason in FORCED for reason in reasons) / len(reasons)
    benign = forced is None and draw.chance(BENIGN[size] / (1 - (1 - AVAILABLE) * forcing))
    traps: list[Trap] = [forced] if forced else []
    rules = closure_traps(reservation_market(setting.market.code))
    offered: list[Trap] = [
        trap
        for trap, reasons_of in _FITS.items()
        if reason in reasons_of
        and trap not in _LATER[size]
        and (trap not in CLOSURE_TRAPS or trap in rules)
        and (holiday or trap not in _NEEDS_HOLIDAY)
    ]
    return Plot(reason, frozenset() if benign else _traps(draw, traps, offered, COUNTS[size]), holiday, size != "easy")


def _traps(draw: Draw, traps: list[Trap], offered: Sequence[Trap], count: int) -> frozenset[Trap]:
    while len(traps) < count:
        traps.append(draw.weighted({trap: _WEIGHTS.get(trap, 2) for trap in offered if _goes_with(trap, traps)}))
    return frozenset(traps)


def _goes_with(trap: Trap, traps: Sequence[Trap]) -> bool:
    return trap not in traps and not any(trap in apart and apart & {*traps} for apart in _APART)


def closure_traps(market: ReservationMarket) -> tuple[ClosureTrap, ...]:
    """Return the closing rules of a market that a careless reader gets wrong."""
    found: set[ClosureTrap] = {"season_hours"} if market.seasons else set()
    for row in market.closures:
        match row.kind:
            case "weekly_shifted":
                found.add("shifted_closure")
            case "nth_weekday":
                found.add("nth_weekday")
            case "on_holidays":
                found.add("holiday_closing")
            case "weekly" if row.open_on_holidays:
                found.add("holiday_opening")
            case "weekly" | "period":
                pass
    return tuple(trap for trap in CLOSURE_TRAPS if trap in found)
