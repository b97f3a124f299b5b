"""What happens before a leave: its days, which traps are set, and what becomes of each matter."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import Calendar, working_days
from agentbench_env.task import Difficulty, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.abroad import places
from agentbench_tasks.calendar_mail.domain.handover.leave import Absence, Leave, absence_of, leaves
from agentbench_tasks.calendar_mail.domain.market import office_hours, office_market
from agentbench_tasks.commons.attempts import NoFit

Trap = Literal[
    "holiday_tail",
    "half_day",
    "prompt_vs_hr",
    "limit",
    "already_reassigned",
    "answered_elsewhere",
    "reopened",
    "not_mine",
    "fyi",
    "shared_mailbox",
    "travel_zone",
]
Fate = Literal[
    "asked",
    "discussed",
    "declined",
    "own_request",
    "limit",
    "reassigned",
    "reopened",
    "answered",
    "elsewhere",
    "by_invite",
    "not_mine",
    "not_mine_either",
    "fyi",
    "fyi_done",
]
"""What became of a matter. Waiting: asked; discussed, where the user asked back; declined, where a colleague did not
take it over; own_request of the colleague who takes over; above the limit; reassigned; reopened. Not waiting: answered
in its thread, elsewhere or by an accepted invitation; asked of somebody else, in copy or beside the user; for
information."""

WINDOW_TRAPS: tuple[Trap, ...] = ("holiday_tail", "half_day", "prompt_vs_hr")
OTHER_TRAPS: tuple[Trap, ...] = (
    "limit",
    "already_reassigned",
    "answered_elsewhere",
    "reopened",
    "not_mine",
    "fyi",
    "shared_mailbox",
    "travel_zone",
)
BENIGN: dict[Difficulty, float] = {"easy": 0.30, "standard": 0.15, "hard": 0.10}
WAITING: dict[Difficulty, int] = {"easy": 3, "standard": 5, "hard": 8}
MATTERS: dict[Difficulty, tuple[int, int]] = {"easy": (12, 13), "standard": (13, 16), "hard": (16, 18)}
CHANGES: dict[Difficulty, float] = {"easy": 0.20, "standard": 0.35, "hard": 0.50}
OWN_REQUEST = 0.5
"""Share of easy instances with a trap in which the colleague asks for a decision; beyond easy, somebody else than the
colleague always decides something, by this if by nothing else."""
SENDS = 0.4
"""Share of users who let the note go once they have seen it."""
LEAD = (3, 30)
"""How many days before the leave the story plays; four weeks, so that a split has days of its own before any leave."""

_LIMITS: tuple[Fate, ...] = ("limit", "limit")
_ELSEWHERE: tuple[Fate, ...] = ("elsewhere", "by_invite")
_ALWAYS: tuple[Fate, ...] = ("answered", "not_mine", "fyi")
_USUAL: tuple[Fate, ...] = ("answered", "answered", "not_mine", "fyi")
_PLAIN: tuple[Fate, ...] = ("asked", "asked", "discussed")
_PLAIN_WITH_TRAPS: tuple[Fate, ...] = (*_PLAIN, "declined")


class Plot(msgspec.Struct, frozen=True):
    """The story: which leave, when it is told, and what is odd about it."""

    now: int
    today: date
    leave: Leave
    told: Leave
    """The leave as the user tells it: without the half-day, and with the last day that was asked for first."""
    absence: Absence
    traps: tuple[Trap, ...]
    waiting: tuple[Fate, ...]
    others: tuple[Fate, ...]
    current_zone: str
    """Where the user is now, "" for at home."""
    sends: bool
    """Whether the user lets the note go."""
    adds: bool
    """Whether the user wants something added to the note first."""


def draw_plot(draw: Draw, setting: Setting, traps: tuple[Trap, ...]) -> Plot:
    """Draw a story with these traps; raise NoFit if this attempt leads to none."""
    market = setting.market
    calendar = working_days(market.code)
    leave = draw.choice(leaves(market.code, tail="holiday_tail" in traps, half="half_day" in traps))
    told = Leave(leave.first, leave.last)
    if "prompt_vs_hr" in traps:
        told = Leave(leave.first, _other_last(draw, leave, calendar))
    today = _today(draw.stream("now"), leave, calendar)
    clock = draw.int(8 * 60, 17 * 60 + 29)
    working, half_day = office_hours(market.code).working, office_market(market.code).absence.pm_half_day
    user = draw.stream("user")
    sends = user.chance(SENDS)
    return Plot(
        to_instant(f"{today}T{clock // 60:02}:{clock % 60:02}", market.zone),
        today,
        leave,
        told,
        absence_of(leave, calendar, working, half_day, market.zone),
        traps,
        *_fates(draw.stream("fates"), setting.difficulty, traps),
        draw.choice([place.zone for place in places() if place.zone]) if "travel_zone" in traps else "",
        sends,
        sends and user.chance(CHANGES[setting.difficulty]),
    )


def draw_traps(draw: Draw, difficulty: Difficulty) -> tuple[Trap, ...]:
    """Draw what misleads."""
    if draw.chance(BENIGN[difficulty]):
        return ()
    if difficulty == "easy":
        return (draw.choice((*WINDOW_TRAPS, *OTHER_TRAPS)),)
    first = draw.choice(WINDOW_TRAPS)
    if difficulty == "standard":
        return (first, draw.choice(OTHER_TRAPS))
    rest: list[Trap] = [trap for trap in (*WINDOW_TRAPS, *OTHER_TRAPS) if trap != first]
    second, third = draw.sample(rest, 2)
    return (first, second, third)


def _other_last(draw: Draw, leave: Leave, calendar: Calendar) -> date:
    """The last day that the user still has in mind: a working day more or fewer than was granted."""
    after = leave.full_days(calendar)[0] < leave.last
    return calendar.add_open(leave.last, draw.choice((1, -1)) if after else 1)


def _today(draw: Draw, leave: Leave, calendar: Calendar) -> date:
    nearest, furthest = (leave.first - timedelta(days) for days in LEAD)
    day = draw.day(furthest, nearest)
    if not (calendar.is_open(day) and calendar.is_settled(day)) or calendar.add_open(day, 2) >= leave.first:
        raise NoFit("nobody is at work on this day, or the leave is too near")
    return day


def _fates(draw: Draw, difficulty: Difficulty, traps: tuple[Trap, ...]) -> tuple[tuple[Fate, ...], tuple[Fate, ...]]:
    """Return what became of the matters that wait, and of those that do not."""
    hard = difficulty == "hard"
    waiting: list[Fate] = []
    if "limit" in traps:
        waiting += _LIMITS[: 2 if hard else 1]
    if "already_reassigned" in traps:
        waiting.append("reassigned")
    if traps and not waiting and (difficulty != "easy" or draw.chance(OWN_REQUEST)):
        waiting.append("own_request")
    if "reopened" in traps:
        waiting.append("reopened")
    plain = _PLAIN_WITH_TRAPS if traps else _PLAIN
    waiting.extend(draw.choice(plain) for _ in range(WAITING[difficulty] - len(waiting)))
    others: list[Fate] = [*_ALWAYS]
    if "answered_elsewhere" in traps:
        others += draw.sample(_ELSEWHERE, 2 if hard else 1)
    if "not_mine" in traps:
        others.append("not_mine_either")
    if "fyi" in traps:
        others.append("fyi_done")
    total = draw.int(*MATTERS[difficulty]) - len(waiting)
    others.extend(draw.choice(_USUAL) for _ in range(total - len(others)))
    return tuple(waiting), tuple(others)
