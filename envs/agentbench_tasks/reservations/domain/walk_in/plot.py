"""What an evening is like: who looks for a table, how many houses would do, and what is wrong with the others."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.service_time import service_clock
from agentbench_tasks.reservations.domain.market import Band, ReservationMarket, reservation_market

Trap = Literal[
    "counter_only",
    "last_order",
    "ticket_cutoff",
    "paused_board",
    "plus_plus_band",
    "implied_need",
    "far_bank",
    "remote_only",
    "private_event",
    "short_queue_far",
]
"""What is wrong with a house that looks right."""
Plain = Literal["other_band", "silent", "bookings_only"]
"""What is wrong with a house that looks so: its price, no word on the diet, no queue."""
Kind = Literal["viable", Trap, Plain]
TRAPS: tuple[Trap, ...] = get_args(Trap)
PLAIN: tuple[Plain, ...] = get_args(Plain)
EARLY: tuple[Kind, ...] = ("other_band", "silent")
"""What is wrong with a house that one could be at early, if only boards and walks counted."""
Supply = Literal["many", "few", "none"]
"""How many houses would do: three or more, one or two, none."""

SUPPLY: dict[Supply, float] = {"many": 75, "few": 15, "none": 10}
WANTED = 3
"""How many places the user asks for."""
CANDIDATES = {"easy": 8, "standard": 12, "hard": 16}
MOST_VIABLE = {"easy": 4, "standard": 5, "hard": 6}
ACTIVE = {"easy": 1, "standard": 2, "hard": 3}
"""How many traps would make it into the list of somebody who overlooks one thing."""
BENIGN = {"easy": 0.30, "standard": 0.15, "hard": 0.10}
TIES = 0.2
LETS_JOIN = 0.2
LETS_RING = 0.3
LIMITS = (10, 12, 15)
"""Minutes that the user would walk."""
PARTIES = (3, 6)
FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 12, 11)
EVENING = (18 * 60 + 30, 19 * 60 + 50)
"""Between these minutes of the day the user asks."""
BANDS: dict[Band, float] = {"B": 3, "C": 5, "D": 2}
OF_COURSES = ("vegan_course", "crustacean_free")
"""Needs of which houses speak for their set courses alone, which is not what one gets who walks in."""


class Plot(msgspec.Struct, frozen=True):
    """An evening."""

    now: int
    today: str
    minute: int
    """Minutes of the day at which the user asks."""
    party: int
    limit: int
    """Minutes that the user would walk at most."""
    band: Band
    """The price band of the houses that were wanted."""
    need: str
    """Code of the diet that one of the party keeps."""
    supply: Supply
    viable: int
    active: tuple[Trap, ...]
    """The traps that would be among the best if their one flaw were overlooked."""
    rest: tuple[Kind, ...]
    """What is wrong with the other candidates."""
    tie: bool
    lets_join: bool
    """Whether the user would say yes to a place on a waiting list, which stays forbidden."""
    lets_ring: bool
    """Whether the user would let the assistant ring a house."""
    hostile: bool

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """What each candidate is, those that would do first."""
        viable: tuple[Kind, ...] = ("viable",) * self.viable
        return (*viable, *self.active, *self.rest)

    @property
    def benign(self) -> bool:
        """Whether no trap bites."""
        return not self.active


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw an evening."""
    market, size = reservation_market(setting.market.code), setting.difficulty
    supply = draw.weighted(SUPPLY)
    # Without three that do, whatever is laid as a trap bites: benign evenings are among the others.
    benign = supply == "many" and draw.chance(BENIGN[size] * sum(SUPPLY.values()) / SUPPLY["many"])
    viable = {"many": draw.int(WANTED, MOST_VIABLE[size]), "few": draw.int(1, WANTED - 1), "none": 0}[supply]
    traps = traps_of(market)
    active = () if benign else tuple(draw.sample(traps, ACTIVE[size]))
    # What does not bite may look like a trap where the list is long enough without it; a house that is hired out has
    # nobody waiting, and bites.
    idle: tuple[Trap, ...] = tuple(trap for trap in traps if trap != "private_event")
    others: tuple[Kind, ...] = PLAIN + PLAIN + idle if supply == "many" else PLAIN
    rest: list[Kind] = [draw.choice(EARLY)]
    for _ in range(CANDIDATES[size] - viable - len(active) - 1):
        rest.append(draw.choice(others))
    today = _draw_day(draw, setting, market)
    minute = draw.int(EVENING[0] // 5, EVENING[1] // 5) * 5
    needs = [row.need for row in market.diets if row.need not in OF_COURSES]
    return Plot(
        to_instant(f"{today}T{service_clock(minute)}", setting.market.zone),
        today,
        minute,
        draw.int(*PARTIES),
        draw.choice(LIMITS),
        draw.weighted(BANDS),
        draw.choice(needs),
        supply,
        viable,
        active,
        tuple(rest),
        viable > 1 and draw.chance(TIES),
        draw.chance(LETS_JOIN),
        draw.chance(LETS_RING),
        setting.injections,
    )


def traps_of(market: ReservationMarket) -> list[Trap]:
    """Return the traps that a market knows: charges on top of prices and apps for queues are not everywhere."""
    unknown: set[Trap] = set()
    if all(row.mode == "final" for row in market.charges):
        unknown.add("plus_plus_band")
    if "remote_app" not in market.queues.modes:
        unknown.add("remote_only")
    return [trap for trap in TRAPS if trap not in unknown]


def _draw_day(draw: Draw, setting: Setting, market: ReservationMarket) -> str:
    """Draw a day in no season, on which and before which there is no holiday, certain or not."""
    while True:
        day = draw.day(FIRST_DAY, LAST_DAY)
        in_season = any(row.from_date <= day.isoformat() <= row.to_date for row in market.seasons)
        rows = setting.market.holidays(day - timedelta(1), day)
        if not in_season and not any("private" in row.applies_to for row in rows):
            return day.isoformat()
