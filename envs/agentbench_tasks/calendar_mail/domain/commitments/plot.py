"""The story of an audit: the project and since when, the promises made about it, and those that lie outside."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import Calendar, working_days
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.commitments.chains import (
    OPEN,
    Ask,
    Chain,
    Family,
    Fate,
    draw_chain,
)
from agentbench_tasks.calendar_mail.domain.commitments.terms import NEAR, RELATIVE, Form
from agentbench_tasks.commons.attempts import NoFit

FILE = "commitments"
FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
CHAINS = {"easy": (3, 5), "standard": (6, 10), "hard": (10, 12)}
OPEN_CHAINS = {"easy": (2, 3), "standard": (3, 6), "hard": (4, 7)}
BEATS = {"easy": (2, 3), "standard": (3, 5), "hard": (4, 6)}
THREADS = {"easy": (2, 2), "standard": (4, 5), "hard": (6, 7)}
DECOYS = {"easy": (2, 2), "standard": (2, 3), "hard": (3, 4)}
TRAP_COUNT = {"easy": 1, "standard": 2, "hard": 3}
BENIGN = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
NOTHING_OPEN = 0.03
TRIES = 60

US = "US"
"""The place of the one person abroad, whose day is still yesterday's in all markets when their afternoon ends."""
USER, COLLEAGUE, SECOND = "user", "colleague", "second"
CLIENT, CLIENT_TWO, VENDOR, FOREIGN = "client", "client_two", "vendor", "foreign"
_OTHERS = {
    USER: (CLIENT, VENDOR, COLLEAGUE, FOREIGN),
    COLLEAGUE: (USER, USER, CLIENT),
    CLIENT: (USER, USER, COLLEAGUE),
    VENDOR: (USER, USER, COLLEAGUE),
    FOREIGN: (USER,),
}
_HEIRS = {USER: (COLLEAGUE, SECOND), COLLEAGUE: (SECOND, USER), CLIENT: (CLIENT_TWO,)}

OPEN_TRAPS: dict[str, Fate] = {
    "date_moved": "moved",
    "delegated": "delegated",
    "relative_date": "promised",
    "cross_zone_day": "promised",
}
CLOSED_TRAPS: dict[str, Fate] = {
    "fulfilled_elsewhere": "elsewhere",
    "withdrawn_softly": "withdrawn",
    "condition_pending": "pending",
    "request_unanswered": "unanswered",
    "quoted_promise": "delivered",
}
TRAPS = (*OPEN_TRAPS, *CLOSED_TRAPS, "newsletter_promise")


class Plot(msgspec.Struct, frozen=True):
    """The drawn story."""

    now: int
    since: date
    traps: tuple[str, ...]
    projects: tuple[str, ...]
    """The project in question, then others."""
    chains: tuple[Chain, ...]
    """Those in scope."""
    earlier: tuple[Chain, ...]
    """Those of the same project before the day from which on it is asked."""
    others: tuple[Chain, ...]
    """Those of other projects."""
    threads: int
    """How many threads the chains in scope begin in."""
    kickoff: date
    """A day before every mail of the chains in scope, and within the scope."""
    early_kickoff: date
    """A day before every mail of the chains that lie before the scope."""
    last_day: date
    """The last day on which mails were written."""

    @property
    def open(self) -> tuple[Chain, ...]:
        """The chains in scope by which something is owed."""
        return tuple(chain for chain in self.chains if chain.goal)


class _Wish(msgspec.Struct, frozen=True):
    """A chain before its people are drawn."""

    fate: Fate
    trap: str = ""


class Lure(msgspec.Struct, frozen=True):
    """What is decided before any attempt, so that no share depends on what fits."""

    traps: tuple[str, ...]
    nothing_open: bool


def draw_lure(draw: Draw, setting: Setting) -> Lure:
    """Draw which traps bite."""
    nothing_open = draw.chance(NOTHING_OPEN)
    return Lure(_traps(draw, setting.difficulty, nothing_open), nothing_open)


def draw_plot(draw: Draw, setting: Setting, lure: Lure) -> Plot:
    """Draw a story; raise NoFit where the draws do not fit together."""
    market, difficulty = setting.market, setting.difficulty
    calendar = working_days(market.code)
    today = _working_day(draw, calendar)
    clock = f"{draw.int(8, 16):02}:{draw.int(6, 11) * 5:02}"
    since = today - timedelta(draw.int(27, 40))
    days = _mail_days(market.code, since + timedelta(1), today - timedelta(1))
    before = _mail_days(market.code, since - timedelta(32), since - timedelta(4))

    traps = lure.traps
    beats = BEATS[difficulty]
    asks = _asks(draw, _wishes(draw, difficulty, traps, lure.nothing_open), beats)
    table = shared_table(f"text/{setting.language}/{FILE}")
    families: tuple[Family, ...] = ("docs", "tasks")
    items = {family: draw.shuffled(list(table[family])) for family in families}
    conditions = draw.shuffled(list(table["conditions"]))
    projects = draw.sample(draw.pool(table["projects"]), 3)

    def chain(key: str, ask: Ask, project: str, days: Sequence[date]) -> Chain:
        conditional = ask.fate in ("pending", "condition_met")
        family: Family = "tasks" if conditional or draw.chance(0.35) else "docs"
        family = family if items[family] else ("docs" if family == "tasks" else "tasks")
        for _ in range(TRIES):
            try:
                found, goal = draw_chain(draw, key, ask, days, calendar)
            except NoFit:
                continue
            condition = conditions.pop() if conditional else ""
            return Chain(key, project, items[family].pop(), family, condition, ask.fate, found, goal)
        raise NoFit

    chains = tuple(chain(f"c{n}", ask, projects[0], days[1:]) for n, ask in enumerate(asks))
    decoys = draw.int(*DECOYS[difficulty])
    fates: tuple[Fate, ...] = ("promised", "accepted", "moved")
    outside = [
        chain(f"d{n}", _ask(draw, _Wish(draw.choice(fates)), draw.int(2, 3)),
              projects[n if n < 3 else 1] if n else projects[0], before[1:] if n == 0 else days[1:])
        for n in range(decoys)
    ]  # fmt: skip
    low, high = THREADS[difficulty]
    now = to_instant(f"{today.isoformat()}T{clock}", market.zone)
    return Plot(
        now, since, traps, tuple(projects), chains, tuple(outside[:1]), tuple(outside[1:]), draw.int(low, high),
        days[0], before[0], days[-1],
    )  # fmt: skip


def _working_day(draw: Draw, calendar: Calendar) -> date:
    for _ in range(TRIES):
        day = draw.day(FIRST_DAY, LAST_DAY)
        if calendar.is_open(day) and calendar.is_settled(day):
            return day
    raise NoFit


def _mail_days(home: str, first: date, last: date) -> Sequence[date]:
    """The days on which both the user's market and the place abroad are at work."""
    days = _days_at_work(home)
    return days[bisect_left(days, first) : bisect_right(days, last)]


@cache
def _days_at_work(home: str) -> tuple[date, ...]:
    calendar, abroad, first = working_days(home), working_days(US), date(2026, 1, 1)
    days = (first + timedelta(n) for n in range((LAST_DAY - first).days + 1))
    return tuple(day for day in days if calendar.is_open(day) and calendar.is_settled(day) and abroad.is_open(day))


def _traps(draw: Draw, difficulty: str, nothing_open: bool) -> tuple[str, ...]:
    if draw.chance(BENIGN[difficulty]):
        return ()
    kinds = [trap for trap in TRAPS if not nothing_open or trap not in OPEN_TRAPS]
    return tuple(draw.sample(kinds, TRAP_COUNT[difficulty]))


def _wishes(draw: Draw, difficulty: str, traps: Sequence[str], nothing_open: bool) -> list[_Wish]:
    """Draw the fates of the chains in scope: those of the traps, then plain ones."""
    due = [_Wish(OPEN_TRAPS[trap], trap) for trap in traps if trap in OPEN_TRAPS]
    done = [_Wish(CLOSED_TRAPS[trap], trap) for trap in traps if trap in CLOSED_TRAPS]
    count = draw.int(*CHAINS[difficulty])
    due_count = 0 if nothing_open else min(draw.int(*OPEN_CHAINS[difficulty]), count - max(1, len(done)))
    due_count = max(due_count, len(due))
    if difficulty != "easy":
        due += [wish for wish in due if len(due) < due_count - 1 and draw.chance(0.4)]
        done += [wish for wish in done if len(done) < count - due_count and draw.chance(0.4)]
    while len(due) < due_count:
        due.append(_Wish(draw.weighted({"promised": 45, "accepted": 40, "condition_met": 15})))
    while len(done) < max(1, count - due_count):
        done.append(_Wish("declined" if done and draw.chance(0.3) else "delivered"))
    return draw.shuffled([*due, *done])


def _asks(draw: Draw, wishes: Sequence[_Wish], beats: tuple[int, int]) -> list[Ask]:
    """Draw what the chains in scope are to be, so that not all that is open is owed on one side."""
    for _ in range(TRIES):
        asks = [_ask(draw, wish, draw.int(*beats)) for wish in wishes]
        by_user = [ask.owed_by == USER for ask in asks if ask.fate in OPEN]
        if len(by_user) < 2 or len(set(by_user)) > 1:
            return asks
    raise NoFit


def _ask(draw: Draw, wish: _Wish, beats: int) -> Ask:
    """Draw the people of a chain, and what its mails are to say."""
    fate, trap = wish.fate, wish.trap
    owners: dict[str, float] = {USER: 36, CLIENT: 22, COLLEAGUE: 14, VENDOR: 14, FOREIGN: 14}
    if fate == "delegated":
        owners = {owner: owners[owner] for owner in _HEIRS}
    if trap == "relative_date":
        del owners[FOREIGN]
    owner = FOREIGN if trap == "cross_zone_day" else draw.weighted(owners)
    other = draw.choice(_OTHERS[owner])
    heir = ""
    if fate == "delegated":
        heir = draw.choice([one for one in _HEIRS[owner] if one != other])
    dated = fate not in ("promised", "accepted", "delegated") or bool(trap and trap != "delegated") or draw.chance(0.75)
    forms: tuple[Form, ...] = {"relative_date": RELATIVE, "cross_zone_day": NEAR}.get(trap, ())
    return Ask(
        fate, owner, other, heir, draw.chance(0.7), beats, dated, forms, trap == "cross_zone_day",
        quoted=trap == "quoted_promise",
    )  # fmt: skip
