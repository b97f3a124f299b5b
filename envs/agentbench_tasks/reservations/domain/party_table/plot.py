"""What is asked for and what stands in its way, drawn before any house: party, evening, need, ceiling, traps, step."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_country
from agentbench_env.money import Money
from agentbench_env.task import Difficulty, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain.blocking import BlockingStep
from agentbench_tasks.reservations.domain.diet_page import CERTIFIED_NEEDS, DietLevel
from agentbench_tasks.reservations.domain.market import Hours, ReservationMarket, reservation_market

Trap = Literal[
    "implied_label", "stale_certificate", "other_branch_certificate", "scope", "pairs_only", "kitchen_closed",
    "plus_plus", "card_from_n",
]  # fmt: skip
Stop = Literal["card_hold", "deposit", "sms_code", "call_back", "phone", "messenger"]
STEPS: dict[Stop | Literal[""], BlockingStep] = {
    "": "none",
    "card_hold": "card_hold_required",
    "deposit": "deposit_payment_required",
    "sms_code": "verification_code_required",
    "call_back": "call_back_required",
    "phone": "phone_call_required",
    "messenger": "messenger_contact_required",
}
_CERTIFICATES: tuple[Trap, Trap] = ("stale_certificate", "other_branch_certificate")
_OTHERS: dict[Trap, float] = {
    "scope": 1,
    "pairs_only": 1,
    "kitchen_closed": 1,
    "stale_certificate": 1,
    "other_branch_certificate": 1,
    "plus_plus": 1,
    "card_from_n": 1.3,
}
"""How often each trap is drawn, against the others; a blocked booking has no card as a trap."""
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
BLOCKED: dict[Difficulty, float] = {"easy": 0.15, "standard": 0.25, "hard": 0.35}
LURED: dict[Difficulty, float] = {"easy": 0.45, "standard": 0.65, "hard": 0.7}
"""Share of instances with traps in which the first hit only sounds as if it met the need."""
PARTIES = (4, 5, 5, 6, 6, 7, 8, 9)
LEAD = (3, 21)
FIRST, LAST = date(2026, 2, 24), date(2026, 12, 11)
STARTS = ("18:00", "18:30", "19:00", "19:30")
WINDOW = 60
"""Minutes from the earliest start that is asked for to the latest one."""
LEAVES_TIME = 30
"""Minutes that lie between the latest start and the last order of food."""
CONFIRMS = 0.5


class Theme(msgspec.Struct, frozen=True):
    """What an instance is about; it stays when an attempt at building it fails."""

    need: str
    traps: tuple[Trap, ...]
    stop: Stop | Literal[""]
    """What stops the booking at the only house that fits; "" where it can be held."""
    confirms: bool
    """Whether the user wants the table confirmed once it is shown."""

    @property
    def step(self) -> BlockingStep:
        """What stops the booking."""
        return STEPS[self.stop]

    @property
    def level(self) -> DietLevel:
        """How strongly the need is to be proven."""
        return "certified" if self.need in CERTIFIED_NEEDS.values() else "declared"


class Plot(msgspec.Struct, frozen=True):
    """The drawn story."""

    theme: Theme
    now: int
    today: str
    day: str
    earliest: str
    latest: str
    """The first and the last start that the user takes, as service times."""
    party: int
    ceiling: Money | None
    """What a head may cost with everything in it, None for any price."""
    tables_only: bool
    """Whether the party wants tables and not the counter."""

    @property
    def lead(self) -> int:
        """How many days ahead the dinner is."""
        return (date.fromisoformat(self.day) - date.fromisoformat(self.today)).days

    def after(self, minutes: int) -> str:
        """The service time so many minutes after the earliest start."""
        return service_clock(service_minutes(self.earliest) + minutes)


def draw_theme(draw: Draw, setting: Setting) -> Theme:
    """Draw need, traps, step and wish."""
    market = reservation_market(setting.market.code)
    stop = draw.choice(_stops(market)) if draw.chance(BLOCKED[setting.difficulty]) else ""
    traps = _draw_traps(draw, setting.difficulty, market, open_to_all=not stop)
    needs = [row.need for row in market.diets]
    certified = bool({*traps} & {*_CERTIFICATES})
    options = [need for need in needs if not certified or need in CERTIFIED_NEEDS.values()]
    return Theme(draw.choice(options), traps, stop, draw.chance(CONFIRMS))


def _stops(market: ReservationMarket) -> list[Stop]:
    """What may stop a booking here: codes only where engines of the market send some."""
    codes: list[Stop] = ["sms_code"] if market.routes.mix["code"] else []
    return ["card_hold", "deposit", "call_back", "phone", "messenger", *codes]


def _draw_traps(draw: Draw, difficulty: Difficulty, market: ReservationMarket, open_to_all: bool) -> tuple[Trap, ...]:
    if draw.chance(BENIGN[difficulty]):
        return ()
    barred: set[Trap] = set()
    if not any(row.need in CERTIFIED_NEEDS.values() for row in market.diets):
        barred |= {*_CERTIFICATES}
    if difficulty == "easy" or all(row.mode == "final" for row in market.charges):
        barred.add("plus_plus")
    if not open_to_all:
        barred.add("card_from_n")
    left: dict[Trap, float] = {trap: weight for trap, weight in _OTHERS.items() if trap not in barred}
    traps: list[Trap] = ["implied_label"] if draw.chance(LURED[difficulty]) else []
    while len(traps) < TRAP_COUNT[difficulty]:
        trap = draw.weighted(left)
        del left[trap]
        traps.append(trap)
        # Where there is room for both, a certificate of another branch comes with one that is stale.
        other = _CERTIFICATES[trap == _CERTIFICATES[0]] if trap in _CERTIFICATES else None
        if difficulty == "hard" and other in left and len(traps) < TRAP_COUNT[difficulty]:
            del left[other]
            traps.append(other)
    return tuple(sorted(traps))


def draw_plot(draw: Draw, setting: Setting, theme: Theme) -> Plot:
    """Draw when, how many and for how much; raise NoFit if the day cannot be."""
    code, zone = setting.market.code, setting.market.zone
    day = draw.day(FIRST, LAST)
    today = day - timedelta(draw.int(*LEAD))
    if _is_unsettled(code, day):
        raise NoFit
    clock = f"{draw.int(9, 19):02}:{draw.int(0, 11) * 5:02}"
    earliest = draw.choice(evenings(code))
    hard = setting.difficulty == "hard"
    return Plot(
        theme,
        to_instant(f"{today.isoformat()}T{clock}", zone),
        today.isoformat(),
        day.isoformat(),
        earliest,
        service_clock(service_minutes(earliest) + WINDOW),
        draw.choice(PARTIES),
        None if setting.difficulty == "easy" else _draw_ceiling(draw, code, setting.market.currency),
        hard,
    )


def _is_unsettled(code: str, day: date) -> bool:
    """Whether it is not certain that the day, or the one before it, is a public holiday."""
    rows = load_country(code).holidays(day - timedelta(1), day)
    return any(row.status == "estimate" and "private" in row.applies_to for row in rows)


@cache
def evenings(code: str) -> tuple[str, ...]:
    """The earliest starts that can be asked for in a market: more than one pattern of hours serves them."""
    return tuple(start for start in STARTS if len(dinners(code, start)) > 1)


@cache
def dinners(code: str, earliest: str) -> tuple[Hours, ...]:
    """The dinner hours of a market that serve every start of a window without haste."""
    last = service_clock(service_minutes(earliest) + WINDOW + LEAVES_TIME)
    options = reservation_market(code).hours.options("dinner")
    return tuple(hours for hours in options if hours.open <= earliest and last <= hours.last_food)


def _draw_ceiling(draw: Draw, code: str, currency: str) -> Money:
    """Draw a round sum between what a plain and what a fine dinner costs."""
    edges = reservation_market(code).bands.edges
    step = 10 ** (len(str(edges[1])) - 1)
    return Money(edges[1] + step * draw.int(1, (edges[3] - edges[1]) // step), currency)
