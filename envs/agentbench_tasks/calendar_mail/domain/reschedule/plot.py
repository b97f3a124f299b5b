"""The story of a meeting that has to move: who meets, which traps lie about, and what each side says of its time."""

from __future__ import annotations

from datetime import date
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.market import office_hours
from agentbench_tasks.calendar_mail.domain.reschedule.weeks import CALENDAR_TRAPS, Target
from agentbench_tasks.calendar_mail.domain.slots import Span
from agentbench_tasks.commons.contacts import Week

Pair = Literal["client_superior", "client_peer", "two_clients"]
Who = Literal["user", "a", "b"]
Change = Literal["none", "code", "sorry"]
TRAPS = (
    *CALENDAR_TRAPS,
    "window_withdrawn",
    "tentative_hold",
    "floating_block",
    "length_grew",
    "duplicate_tempts",
)
TRAP_COUNT = {"easy": 1, "standard": 2, "hard": 3}
BENIGN = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
"""Share of instances in which no trap bites."""
CHANGE = {"easy": 0.2, "standard": 0.35, "hard": 0.5}
"""Share of instances in which the user wants something added before the first reply leaves."""
PAIRS: dict[Pair, float] = {"client_superior": 0.5, "client_peer": 0.25, "two_clients": 0.25}
LONGER_BY_THE_WAY = 0.25
"""How often a mail asks for more time without that being a trap."""
LONGER = 30


class Side(msgspec.Struct, frozen=True):
    """One of the three: where they are, and in which hours they can meet."""

    who: Who
    place: str
    zone: str
    hours: Week
    abroad: bool
    outside: bool
    """Whether they are of another organisation, so that their time stands in their mails alone."""


class Window(msgspec.Struct, frozen=True):
    """A time that somebody offers, as they write it: a day and two times of day of their own zone."""

    day: str
    start: str
    end: str

    @classmethod
    def of(cls, span: Span, zone: str) -> Window:
        """Return a span as somebody in a zone writes it."""
        first, last = (to_local(instant, zone) for instant in span)
        return cls(first[:10], first[11:], last[11:])

    def span(self, zone: str) -> Span:
        """Return the instants that it means to somebody in a zone."""
        return to_instant(f"{self.day}T{self.start}", zone), to_instant(f"{self.day}T{self.end}", zone)


class Block(msgspec.Struct, frozen=True):
    """A time at which somebody inside the company is busy."""

    who: Who
    start: int
    minutes: int
    kind: Literal["", "tentative", "floating"] = ""

    @property
    def span(self) -> Span:
        """The time."""
        return self.start, self.start + self.minutes * 60


class Cast(msgspec.Struct, frozen=True):
    """Who meets, and what tempts: drawn once for an instance, whatever the attempts at its week."""

    pair: Pair
    traps: tuple[str, ...]
    """The traps that bite; none in a benign instance."""
    longer: Literal["", "aside", "line"]
    """Whether somebody asks for half an hour more, and whether in a mail of one line."""
    change: Change

    @property
    def calendar_trap(self) -> str:
        """The trap that needs a week of its own kind."""
        return next((trap for trap in self.traps if trap in CALENDAR_TRAPS), "")


def draw_cast(draw: Draw, setting: Setting) -> Cast:
    """Draw who meets and what tempts."""
    difficulty = setting.difficulty
    pair = draw.weighted(PAIRS)
    traps: list[str] = []
    if not draw.chance(BENIGN[difficulty]):
        weights = dict.fromkeys(TRAPS, 1.0)
        # Somebody at home offers no day on which everybody at home is off; other pairs make up for it.
        weights["our_holiday"] = 0.0 if pair == "client_peer" else 4 / 3
        while len(traps) < TRAP_COUNT[difficulty]:
            trap = draw.weighted(weights)
            traps.append(trap)
            for one in CALENDAR_TRAPS if trap in CALENDAR_TRAPS else (trap,):
                weights[one] = 0.0
    aside = draw.chance(LONGER_BY_THE_WAY)
    change = draw.choice(("code", "sorry")) if draw.chance(CHANGE[difficulty]) else "none"
    longer = "line" if "length_grew" in traps else "aside" if aside else ""
    return Cast(pair, tuple(traps), longer, change)  # type: ignore[arg-type]


class Plan(msgspec.Struct, frozen=True):
    """The proven week: everything that the goal rests on, people aside."""

    cast: Cast
    target: Target
    sides: tuple[Side, Side, Side]
    """The user, then the two others."""
    now: int
    old_start: int
    old_minutes: int
    minutes: int
    """The length agreed."""
    start: int
    """The one start that suits everybody."""
    offers: dict[Who, tuple[Window, ...]]
    """The windows in the first mail of each of the others who is outside, by who."""
    withdrawn: tuple[Who, Window] | None
    """The window that a later mail takes back, and whose it is."""
    blocks: tuple[Block, ...]
    baits: dict[str, int]
    """For each trap that suggests a wrong start, such a start."""

    def side(self, who: Who) -> Side:
        """Return one of the three."""
        return next(side for side in self.sides if side.who == who)

    @property
    def standing(self) -> dict[Who, tuple[Window, ...]]:
        """The windows that are still offered, by who."""
        gone = self.withdrawn
        return {
            who: tuple(one for one in windows if gone is None or (who, one) != gone)
            for who, windows in self.offers.items()
        }

    @property
    def old_day(self) -> date:
        """The day of the meeting as it stands, in the user's zone."""
        return date.fromisoformat(to_local(self.old_start, self.sides[0].zone)[:10])


def sides_of(pair: Pair, home: str, place: str) -> tuple[Side, Side, Side]:
    """Return the three of a pair type, with the user at home and somebody at a place abroad."""

    def at_home(who: Who, outside: bool) -> Side:
        return Side(who, home, load_market(home).zone, office_hours(home).meeting, False, outside)

    def away(who: Who, outside: bool) -> Side:
        return Side(who, place, place_of(place).zone, office_hours(place).meeting, True, outside)

    match pair:
        case "client_superior":
            return at_home("user", False), away("a", True), at_home("b", False)
        case "client_peer":
            return at_home("user", False), at_home("a", True), away("b", False)
        case "two_clients":
            return at_home("user", False), away("a", True), away("b", True)
