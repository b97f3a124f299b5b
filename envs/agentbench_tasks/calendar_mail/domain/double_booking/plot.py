"""The story of two meetings at one time, drawn before any name: what each is like, which rule separates them, traps."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.calendar_mail.domain.double_booking.days import Kind

Rule = Literal["outside", "statutory", "superior", "room", "required", "booked"]
Organiser = Literal["user", "superior", "colleague"]
Deadline = Literal["", "statutory", "contract"]
Sending = Literal["send", "leave", "old_time"]
Trap = Literal[
    "optional_person", "series_instance", "earlier_booked_decoy", "many_guests_decoy", "holiday_inside",
    "tentative_counts", "room_required", "three_way", "dst_guest",
]  # fmt: skip

RULES: tuple[Rule, ...] = ("outside", "statutory", "superior", "room", "required", "booked")
TRAPS: tuple[Trap, ...] = (
    "optional_person", "series_instance", "earlier_booked_decoy", "many_guests_decoy", "holiday_inside",
    "tentative_counts", "room_required", "three_way", "dst_guest",
)  # fmt: skip
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
"""Share of instances in which no trap bites."""
DECIDING: dict[Difficulty, tuple[int, int]] = {"easy": (1, 1), "standard": (2, 3), "hard": (3, 5)}
"""Between which places of the page's list the rule stands that separates the two."""
SENDING: dict[Sending, float] = {"send": 0.5, "leave": 0.3, "old_time": 0.2}
OTHERS_ORGANISER = 0.16
"""How often somebody else organises the meeting that stays, where the rules do not ask for it: three in ten in all."""
AGAINST = {"outside": 0.7, "statutory": 0.7, "room": 0.6, "required": 0.7, "booked": 0.7}
"""How often a rule below the one that decides points the other way."""
TOGETHER = 0.5
"""How often a rule that does not separate the two finds something in both of them rather than in none."""
REQUIRED: dict[Difficulty, tuple[int, int]] = {"easy": (2, 2), "standard": (2, 3), "hard": (3, 4)}
MORE_REQUIRED = 2
MANY_OPTIONAL = 8
LINKED = 0.5
"""How often the description of a meeting refers to a mail."""


class Meeting(msgspec.Struct, frozen=True):
    """What one of the two meetings is like."""

    outside: bool
    """Whether a client or official is on the guest list."""
    deadline: Deadline
    """What kind of date it is bound to, "" if none."""
    organiser: Organiser
    room: bool
    """Whether it needs the room of which there is only one."""
    required: int
    """How many people besides the user are required."""
    optional: int
    age_days: int
    """How many days ago it was entered in the calendar."""
    abroad: bool = False
    """Whether one of those required works abroad."""
    weekly: bool = False
    linked: bool = False
    """Whether its description refers to a mail, in which its date would stand."""


class Story(msgspec.Struct, frozen=True):
    """The two meetings, the house's rules, and what tempts: drawn once, whatever the attempts at the days."""

    order: tuple[Rule, ...]
    """The rules of the page."""
    rule: Rule
    """The one that the two were drawn to be separated by."""
    lower: Meeting
    upper: Meeting
    traps: tuple[Trap, ...]
    """The traps that bite; none in a benign instance."""
    kind: Kind
    """What is special about the days."""
    sending: Sending


def draw_story(draw: Draw, setting: Setting) -> Story:
    """Draw a story."""
    difficulty = setting.difficulty
    traps = draw_traps(draw.stream("traps"), difficulty)
    place = draw.int(*DECIDING[difficulty])
    deciding: list[Rule] = [one for one in RULES if _may_decide(one, traps)]
    rule: Rule = draw.choice(deciding)
    order = _order(draw.stream("order"), rule, place, traps)
    kind: Kind = "clock_change" if "dst_guest" in traps else "plain"
    if "holiday_inside" in traps:
        kind = draw.choice(("home_holiday", "holiday_abroad"))
    lower, upper = _meetings(draw.stream("meetings"), difficulty, order, rule, traps, kind)
    return Story(order, rule, lower, upper, traps, kind, draw.weighted(SENDING))


def draw_traps(draw: Draw, difficulty: Difficulty) -> tuple[Trap, ...]:
    """Draw what makes an instance hard, in no order; nothing does in a benign one."""
    if draw.chance(BENIGN[difficulty]):
        return ()
    # One span of days is special in one way only, so these two are drawn more often.
    left: dict[Trap, float] = dict.fromkeys(TRAPS, 1.0)
    left["holiday_inside"] = left["dst_guest"] = 1.3
    traps: list[Trap] = []
    while len(traps) < TRAP_COUNT[difficulty]:
        trap = draw.weighted(left)
        traps.append(trap)
        for taken in ("holiday_inside", "dst_guest") if trap in ("holiday_inside", "dst_guest") else (trap,):
            del left[taken]
    return tuple(sorted(traps))


def _may_decide(rule: Rule, traps: tuple[Trap, ...]) -> bool:
    """Whether a rule can separate the two although these traps make rules point the other way."""
    if rule == "booked":
        return "earlier_booked_decoy" not in traps
    return rule != "room" or "room_required" not in traps


def _order(draw: Draw, rule: Rule, place: int, traps: tuple[Trap, ...]) -> tuple[Rule, ...]:
    """The rules as the page has them, the deciding one in its place; now and then one below it is left out."""
    # Two meetings were never entered at the same time, nor can both have the one room.
    fixed = {rule, "booked", *(("room",) if "room_required" in traps else ())}
    free: list[Rule] = [one for one in RULES if one not in fixed]
    above = draw.sample(free, place - 1)
    rest: list[Rule] = [one for one in RULES if one != rule and one not in above]
    below = draw.shuffled(rest)
    needed = ("booked",) if "earlier_booked_decoy" in traps else ()
    if len(below) > 1 and draw.chance(0.5):
        below.remove(next(one for one in below if one not in needed))
    return (*above, rule, *below)


def _meetings(
    draw: Draw, difficulty: Difficulty, order: tuple[Rule, ...], rule: Rule, traps: tuple[Trap, ...], kind: Kind
) -> tuple[Meeting, Meeting]:
    """The two meetings: alike by the rules above, separated by the one that decides, then drawn."""
    above = order[: order.index(rule)]

    def pair(one: Rule) -> tuple[bool, bool]:
        """Whether the lower and the upper meeting have what a rule asks for."""
        if one == rule:
            return False, True
        if one == "room" and "room_required" in traps:
            return True, False
        both = one != "room" and draw.chance(TOGETHER)
        if one not in above and draw.chance(AGAINST[one]):
            return True, False
        return both, both

    outside, deadline, room = pair("outside"), pair("statutory"), pair("room")
    base = draw.int(*REQUIRED[difficulty])
    more = pair("required")
    required = [base + MORE_REQUIRED * (mine > other) for mine, other in (more, more[::-1])]
    weekly = "series_instance" in traps
    late, early = draw.int(35, 45) if weekly else draw.int(8, 16), draw.int(60, 90) if weekly else draw.int(24, 60)
    lower_first = "earlier_booked_decoy" in traps or pair("booked")[0]
    kinds: list[Deadline] = [draw.choice(("statutory", "contract")) if bound else "" for bound in deadline]
    optional = [draw.int(0, 2), draw.int(0, 2)]
    if "many_guests_decoy" in traps:
        optional[0] = MANY_OPTIONAL
    elif "optional_person" in traps:
        optional[0] = max(1, optional[0])
    ages = (early, late) if lower_first else (late, early)
    linked = [draw.chance(LINKED), draw.chance(LINKED)]
    lower = Meeting(
        outside[0], kinds[0], "user", room[0], required[0], optional[0], ages[0],
        kind in ("holiday_abroad", "clock_change"), weekly, linked[0],
    )  # fmt: skip
    organiser = _organiser(draw, above, rule)
    upper = Meeting(
        outside[1], kinds[1], organiser, room[1], required[1], optional[1], ages[1], linked=linked[1]
    )  # fmt: skip
    return lower, upper


def _organiser(draw: Draw, above: tuple[Rule, ...], rule: Rule) -> Organiser:
    if rule == "superior":
        return "superior"
    if not draw.chance(OTHERS_ORGANISER):
        return "user"
    return "colleague" if "superior" in above or draw.chance(0.5) else "superior"
