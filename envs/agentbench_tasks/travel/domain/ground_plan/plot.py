"""The story of a ground plan: where, when, from which hour to which, for whom, and how many places of what kind."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 20)
"""In-world "now" lies between these days."""
LAST_TRIP = date(2026, 11, 27)
WISHES = {"easy": 5, "standard": 7, "hard": 10}
DAYS = {"easy": 2, "standard": 3, "hard": 4}
MISFITS: dict[str, dict[int, float]] = {
    "easy": {0: 0.4, 1: 0.6},
    "standard": {0: 0.4, 1: 0.45, 2: 0.15},
    "hard": {0: 0.2, 1: 0.3, 2: 0.5},
}
APPOINTMENTS = {"easy": (1, 1), "standard": (1, 2), "hard": (1, 2)}
BOAT_CHANCE = {"easy": 0.0, "standard": 0.4, "hard": 0.6}
SLOT_CHANCE = {"easy": 0.3, "standard": 0.6, "hard": 0.9}
HOLIDAY_CHANCE = 0.45


class Plot(msgspec.Struct, frozen=True):
    """The drawn story. Times are minutes of a day."""

    now: int
    days: tuple[date, ...]
    leave: int
    back: int
    margin: int
    party: int
    wishes: int
    misfits: int
    appointments: int
    on_paper: bool
    """Whether the list of places is a paper or stands in the request."""


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story."""
    difficulty, zone = setting.difficulty, setting.market.zone
    length = DAYS[difficulty]
    first = _first_day(draw, setting, length)
    start = first - timedelta(draw.int(3, 9))
    now = to_instant(f"{start.isoformat()}T{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}", zone)
    low, high = APPOINTMENTS[difficulty]
    return Plot(
        now,
        tuple(first + timedelta(number) for number in range(length)),
        draw.choice((510, 540, 570)),
        draw.choice((1140, 1170, 1200)),
        draw.choice((5, 10, 15)),
        draw.int(1, 3),
        WISHES[difficulty],
        draw.weighted(MISFITS[difficulty]),
        draw.int(low, high),
        draw.chance(0.5),
    )


def _first_day(draw: Draw, setting: Setting, length: int) -> date:
    """A day of the split's weeks; often one from which the trip touches a holiday or the days after it."""
    start = FIRST_DAY + timedelta(9)
    rows = setting.market.holidays(start, LAST_TRIP - timedelta(length))
    holidays = [row.date for row in rows if row.status == "confirmed" and "private" in row.applies_to]
    near = draw.pool(list(dict.fromkeys(holidays)))
    if near and draw.chance(HOLIDAY_CHANCE):
        return max(start, draw.choice(near) + timedelta(draw.int(1 - length, 1)))
    return draw.day(start, LAST_TRIP - timedelta(length))
