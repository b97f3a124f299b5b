"""Chains: what became of one promise, mail by mail, and how it stands at the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import Calendar
from agentbench_tasks.calendar_mail.domain.commitments.terms import LAST_DAY, NO_TERM, Form, Term, dated, relative
from agentbench_tasks.commons.attempts import NoFit

Kind = Literal[
    "request", "promise", "accept", "soft", "decline", "conditional", "cond_true", "cond_wait", "move", "deliver",
    "withdraw", "delegate", "takeover", "restate", "remind", "thank", "quote",
]  # fmt: skip
Fate = Literal[
    "promised", "accepted", "moved", "delegated", "condition_met",
    "delivered", "elsewhere", "withdrawn", "pending", "unanswered", "declined",
]  # fmt: skip
Family = Literal["docs", "tasks"]
OPEN: tuple[Fate, ...] = ("promised", "accepted", "moved", "delegated", "condition_met")
BY_OTHER: frozenset[Kind] = frozenset({"request", "remind", "thank", "cond_true", "cond_wait"})
"""What the person writes to whom something is promised."""
SETTING: frozenset[Kind] = frozenset({"request", "promise", "conditional", "move", "takeover"})
"""Kinds of mail that set a date."""
AGREEING: frozenset[Kind] = frozenset({"accept", "cond_true", "restate"})
"""Kinds of mail with which a day named before is taken on or said again; nobody does so when it is over."""
TAKING: frozenset[Kind] = frozenset({"promise", "accept", "conditional", "move", "takeover", "restate"})
"""Kinds of mail in whose own words somebody promises."""


class Beat(msgspec.Struct, frozen=True):
    """One mail of a chain: what it does, who writes it to whom, on which day, and what day it names."""

    kind: Kind
    writer: str
    reader: str
    day: date
    """In the writer's own zone."""
    cc: tuple[str, ...] = ()
    term: Term = NO_TERM
    heir: str = ""
    """Who is to take over."""
    late: bool = False
    """Whether it is written so late that the user's day is already the next one."""


class Goal(msgspec.Struct, frozen=True):
    """How an open promise stands: who owes it, and by when ("" if no day was named)."""

    owner: str
    deadline: str


class Chain(msgspec.Struct, frozen=True):
    """What became of one promise."""

    key: str
    project: str
    item: str
    family: Family
    condition: str
    fate: Fate
    beats: tuple[Beat, ...]
    goal: Goal | None
    """None where nothing is owed any more, or yet."""


class Ask(msgspec.Struct, frozen=True):
    """What a chain is to be: its fate, its people, its words, how long it is."""

    fate: Fate
    owner: str
    other: str
    heir: str
    """Who is asked to take over; "" where nobody is."""
    answers_heir: bool
    """Whether the heir agrees."""
    beats: int
    dated: bool
    forms: tuple[Form, ...] = ()
    """Words that count from the day of writing, one of which names the day in force."""
    late: bool = False
    quoted: bool = False
    """Whether a later mail quotes the promise."""

    @property
    def owed_by(self) -> str:
        """Who owes it at the end, if anybody does."""
        return self.heir if self.heir and self.answers_heir else self.owner


def draw_kinds(draw: Draw, ask: Ask) -> list[Kind]:
    """Draw the kinds of mail of a chain, in order."""
    by_request = draw.chance(0.5) and not ask.forms
    first: list[Kind] = ["request", "accept"] if by_request else ["promise"]
    core: dict[Fate, list[Kind]] = {
        "promised": ["promise"],
        "accepted": ["request", "accept"],
        "moved": [*first, "move"],
        "delegated": [*first, "delegate", *(["takeover"] if ask.answers_heir else [])],
        "condition_met": ["conditional", "cond_true"],
        "delivered": [*first, "deliver"],
        "elsewhere": [*first, "deliver"],
        "withdrawn": [*first, "withdraw"],
        "pending": ["conditional"],
        "unanswered": ["request", *(["soft"] if draw.chance(0.5) else [])],
        "declined": ["request", "decline"],
    }  # fmt: skip
    kinds = list(core[ask.fate])
    # A day that is to be counted from words is not said again by its date.
    restates = ask.dated and not ask.forms
    while len(kinds) < ask.beats:
        fitting = [(place, found) for place in range(1, len(kinds) + 1) if (found := _fillers(kinds, place, restates))]
        if not fitting:
            break
        place, found = draw.choice(fitting)
        kinds.insert(place, draw.choice(found))
    return [*kinds, "quote"] if ask.quoted else kinds


def _fillers(kinds: list[Kind], place: int, restates: bool) -> list[Kind]:
    """What could be written at a place without changing how things stand."""
    before, after = kinds[place - 1], kinds[place] if place < len(kinds) else None
    match before:
        case "deliver" | "withdraw" | "decline":
            found: list[Kind] = ["thank"]
        case "request" | "soft":
            found = [] if after == "accept" else ["remind"]
        case "conditional":
            found = ["cond_wait"]
        case "cond_true":
            found = ["remind"]
        case "promise" | "accept" | "move" | "takeover":
            found = ["thank", "remind"]
        case "thank":
            found = ["remind"] if kinds[place - 2] in TAKING else []
        case "remind":
            stands = any(kind in ("promise", "accept", "cond_true") for kind in kinds[:place])
            found = ["restate"] if restates and stands and after != "restate" else []
        case _:
            found = []
    return [kind for kind in found if kind != after]


class _Writer:
    """Goes through a chain's mails and keeps how things stand."""

    def __init__(self, draw: Draw, ask: Ask, calendar: Calendar, agreed_on: date) -> None:
        self._draw, self._ask, self._calendar, self._agreed_on = draw, ask, calendar, agreed_on
        self.owner, self.deadline = ask.owner, ""
        self.holds = False

    def beat(self, kind: Kind, day: date, decides: bool) -> Beat:
        """Write one mail. `decides`: whether it names the day in force at the end."""
        ask = self._ask
        term = self._term(kind, day, decides)
        writer, reader, cc = self.owner, ask.other, ()
        if kind in BY_OTHER:
            writer, reader = ask.other, self.owner
        elif kind == "delegate":
            cc = (ask.heir,)
        elif kind == "takeover":
            writer, cc, self.owner = ask.heir, (ask.owner,), ask.heir
        elif kind == "quote":
            writer, reader = (ask.other, self.owner) if self._draw.chance(0.5) else (self.owner, ask.other)
        if kind in SETTING and (kind != "takeover" or term.iso):
            self.deadline = term.iso
        self.holds = kind not in ("deliver", "withdraw") and (
            self.holds or kind in ("promise", "accept", "cond_true", "takeover")
        )
        late = decides and ask.late
        return Beat(kind, writer, reader, day, cc, term, ask.heir if kind == "delegate" else "", late)

    def _term(self, kind: Kind, day: date, decides: bool) -> Term:
        ask = self._ask
        if kind == "restate":
            return dated(self._draw, date.fromisoformat(self.deadline))
        if kind not in SETTING or not (ask.dated or kind in ("move", "takeover", "conditional")):
            return NO_TERM
        if decides and ask.forms:
            term = relative(self._draw, ask.forms, day, self._calendar)
            if term is None or (self.deadline and term.iso <= self.deadline):
                raise NoFit
            return term
        if kind == "takeover" and self.deadline > day.isoformat() and self._draw.chance(0.5):
            return dated(self._draw, date.fromisoformat(self.deadline))
        return dated(self._draw, self._later(day))

    def _later(self, day: date) -> date:
        """A working day after a day, after the one named before, and after that on which it was agreed to."""
        first = max(day, self._agreed_on, date.fromisoformat(self.deadline or day.isoformat()))
        chosen = self._calendar.shift(first + timedelta(self._draw.int(2, 16)), "next")
        if chosen > LAST_DAY:
            raise NoFit
        return chosen


def draw_chain(
    draw: Draw, key: str, ask: Ask, days: Sequence[date], calendar: Calendar
) -> tuple[tuple[Beat, ...], Goal | None]:
    """Draw the mails of a chain on some of the days, each on a later one, and how it stands at the end."""
    kinds = draw_kinds(draw, ask)
    spare = len(days) - len(kinds)
    if spare < 0:
        raise NoFit
    # Days on or after one another, each then moved on by as many as have come before it.
    places = sorted(draw.int(0, spare) for _ in kinds)
    chosen = [days[place + number] for number, place in enumerate(places)]
    agreed_on = max((day for kind, day in zip(kinds, chosen, strict=True) if kind in AGREEING), default=chosen[0])
    writer = _Writer(draw, ask, calendar, agreed_on)
    last = max((place for place, kind in enumerate(kinds) if kind in SETTING), default=-1)
    beats = tuple(
        writer.beat(kind, day, place == last) for place, (kind, day) in enumerate(zip(kinds, chosen, strict=True))
    )
    goal = Goal(writer.owner, writer.deadline) if writer.holds else None
    if (goal is not None) != (ask.fate in OPEN):
        raise AssertionError(f"{key} has the fate {ask.fate} and comes to {goal}")
    return beats, goal
