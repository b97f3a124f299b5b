"""Planning the days after a clash: where the moved meeting can go, what tempts elsewhere, and the blocks between."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from datetime import timedelta
from functools import reduce
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.abroad import place_of
from agentbench_tasks.calendar_mail.domain.double_booking.days import Clash, clashes_of, stale
from agentbench_tasks.calendar_mail.domain.double_booking.plot import Meeting, Story, Trap
from agentbench_tasks.calendar_mail.domain.market import office_hours, official_hours
from agentbench_tasks.calendar_mail.domain.slots import (
    GRID_S,
    Span,
    clashes,
    hours_on,
    shared,
    starts,
    week_spans,
    without,
)
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.contacts import Week

ATTEMPTS = 300
LEAD_DAYS = 30
"""How long before the clash the episode may lie; every split has days in so many."""
LATEST_DAYS = 6
"""From how many of the latest of those days today is drawn."""
Role = Literal["client", "official", "superior", "colleague", "posted"]
BlockKind = Literal["", "tentative", "third", "room", "optional"]
USER = "user"
ROOM = "room"
HIDING: dict[Trap, BlockKind] = {"tentative_counts": "tentative", "three_way": "third", "room_required": "room"}
"""The kind of block that each trap makes easy to overlook."""


class Invited(msgspec.Struct, frozen=True):
    """A guest before they have a name."""

    key: str
    role: Role
    place: str
    required: bool = True

    @property
    def inside(self) -> bool:
        """Whether they belong to the user's company."""
        return self.role not in ("client", "official")


class Block(msgspec.Struct, frozen=True):
    """A time at which somebody, or the room, is taken."""

    who: str
    start: int
    minutes: int
    kind: BlockKind = ""

    @property
    def span(self) -> Span:
        """The time."""
        return self.start, self.start + self.minutes * 60


class Plan(msgspec.Struct, frozen=True):
    """The days planned: everything that the goal rests on, names aside."""

    story: Story
    clash: Clash
    now: int
    starts: tuple[int, int]
    """When the lower and the upper meeting begin as they stand."""
    minutes: tuple[int, int]
    guests: tuple[tuple[Invited, ...], tuple[Invited, ...]]
    targets: tuple[int, ...]
    """Every start on the grid to which the lower meeting can be moved."""
    other_target: int
    """A start to which the upper one could be."""
    blocks: tuple[Block, ...]
    baits: dict[Trap, int]
    """For each trap that suggests a wrong start, such a start."""


def draw_plan(draw: Draw, setting: Setting, story: Story) -> Plan:
    """Draw days until they can be planned; raise RuntimeError if none can."""
    return first_fit(draw, lambda attempt: Planner(attempt, setting, story).plan(), ATTEMPTS)


class Planner:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting, story: Story) -> None:
        self._draw, self._story = draw, story
        self._home, self._zone = setting.market.code, setting.market.zone
        self._clash = draw.choice(clashes_of(self._home, story.kind))
        self._minutes = draw.choice((45, 60, 60, 90)), draw.choice((60, 60, 90))
        self._length = self._minutes[0] * 60
        self._guests = self._invite("l", story.lower), self._invite("u", story.upper)
        days = self._clash.days
        first, last = self._clash.on - timedelta(1), days[-1] + timedelta(1)
        self._around = [first + timedelta(n) for n in range((last - first).days + 1)]
        self._days = {day.isoformat() for day in days}
        self._baits: dict[Trap, int] = {}
        self._blocks: list[Block] = []
        self._targets: list[int] = []
        self._known: dict[tuple[tuple[tuple[str, bool], ...], Trap | None], list[Span]] = {}
        """Hours that were worked out before."""

    def plan(self) -> Plan:
        """Plan the days."""
        begin = self._clashing()
        self._fill_the_day(begin)
        by_day = self._by_day(self._open(), begin[0])
        right = self._draw.choice(sorted(by_day))
        self._targets = [self._draw.choice(by_day[right])]
        if self._draw.chance(0.4) and len(by_day) > 1:
            other = self._draw.choice([day for day in sorted(by_day) if day != right])
            self._targets = sorted([*self._targets, self._draw.choice(by_day[other])])
        self._lay_baits()
        self._fill_calendars()
        if "optional_person" in self._story.traps:
            optional = [guest for guest in self._guests[0] if not guest.required]
            for start in self._targets:
                self._blocks.append(Block(optional[0].key, start, _on_grid(self._minutes[0]), "optional"))
        other_target = self._check()
        return Plan(
            self._story,
            self._clash,
            self._now(),
            begin,
            self._minutes,
            self._guests,
            tuple(self._targets),
            other_target,
            tuple(sorted(self._blocks, key=lambda block: (block.start, block.who))),
            dict(self._baits),
        )

    # --- who is invited

    def _invite(self, prefix: str, meeting: Meeting) -> tuple[Invited, ...]:
        home, roles = self._home, list[tuple[Role, str]]()
        if meeting.organiser != "user":
            roles.append((meeting.organiser, home))
        if meeting.abroad:
            roles.append(("client" if meeting.outside else "posted", self._clash.place))
        elif meeting.outside:
            roles.append(("official" if prefix == "u" and self._draw.chance(0.4) else "client", home))
        while len(roles) < meeting.required:
            roles.append(("colleague", home))
        required = [Invited(f"{prefix}{n}", role, place) for n, (role, place) in enumerate(roles)]
        optional = [Invited(f"{prefix}o{n}", "colleague", home, False) for n in range(meeting.optional)]
        return *required, *optional

    def _week(self, place: str, official: bool) -> tuple[Week, str]:
        if official:
            return official_hours(place).meeting, load_market(place).zone
        zone = load_market(place).zone if place == self._home else place_of(place).zone
        return office_hours(place).meeting, zone

    # --- the clash

    def _clashing(self) -> tuple[int, int]:
        """When the two meetings begin: both in everybody's hours, at the same time or half an hour apart."""
        draw, on = self._draw, {self._clash.on.isoformat()}
        lower, upper = (
            starts(self._on(on, self._shared_hours(guests)), minutes * 60)
            for guests, minutes in zip(self._guests, self._minutes, strict=True)
        )
        apart = draw.choice((0, 0, GRID_S, -GRID_S))
        both = [(at, at + apart) for at in lower if at + apart in upper]
        if not both:
            raise NoFit
        return draw.choice(both)

    def _fill_the_day(self, begin: tuple[int, int]) -> None:
        """Leave the user no time on the day of the clash after it."""
        at = max(start + _on_grid(minutes) * 60 for start, minutes in zip(begin, self._minutes, strict=True))
        hours = hours_on(office_hours(self._home).meeting, self._clash.on, self._zone)
        end = hours[-1][1]
        while at < end:
            minutes = min(self._draw.choice((90, 120, 150)), -(-(end - at) // 60))
            self._blocks.append(Block(USER, at, minutes))
            at += minutes * 60

    def _now(self) -> int:
        ours, weeks = working_days(self._home), self._draw.pool(range(4))
        days = (self._clash.on - timedelta(n) for n in range(1, LEAD_DAYS + 1))
        own = [day for day in days if ours.is_open(day) and day.toordinal() // 7 % 4 in weeks]
        if not own:
            raise NoFit
        today = self._draw.choice(own[:LATEST_DAYS])
        clock = f"{self._draw.int(8, 16):02}:{self._draw.int(0, 11) * 5:02}"
        return to_instant(f"{today.isoformat()}T{clock}", self._zone)

    # --- who can meet when

    def _shared_hours(self, guests: Sequence[Invited], trap: Trap | None = None) -> list[Span]:
        """When the user and all who are required can meet by their hours, or could but for a trap."""
        people = [Invited(USER, "colleague", self._home), *(guest for guest in guests if guest.required)]
        # Hours go by the place alone, but for officials.
        kinds = tuple(sorted({(guest.place, guest.role == "official") for guest in people}))
        if (kinds, trap) not in self._known:
            self._known[kinds, trap] = reduce(shared, (self._hours(*kind, trap) for kind in kinds))
        return self._known[kinds, trap]

    def _hours(self, place: str, official: bool, trap: Trap | None) -> list[Span]:
        week, zone = self._week(place, official)
        spans = week_spans(week, zone, place, self._around)
        bait = self._clash.bait
        if trap == "holiday_inside" and bait is not None and not working_days(place).is_open(bait):
            spans = sorted([*spans, *hours_on(week, bait, zone)])
        if trap == "dst_guest" and place != self._home:
            # Clocks that are still read as on the day of the clash show everything earlier or later.
            return stale(spans, place, self._clash.on)
        return spans

    def _open(self, trap: Trap | None = None) -> list[Span]:
        """When the lower meeting can take place, or could but for a trap."""
        spans = self._shared_hours(self._guests[0], trap)
        hidden = ("optional", HIDING.get(trap, "optional") if trap else "optional")
        return without(spans, (block.span for block in self._blocks if block.kind not in hidden))

    def _found(self, trap: Trap | None = None) -> list[int]:
        days = self._days | ({self._clash.bait.isoformat()} if self._clash.bait and trap == "holiday_inside" else set())
        return starts(self._on(days, self._open(trap)), self._length)

    def _on(self, days: Container[str], spans: Sequence[Span]) -> list[Span]:
        """Those of the spans, each of them within one day at home, that lie on one of the days."""
        return [span for span in spans if to_local(span[0], self._zone)[:10] in days]

    def _by_day(self, spans: Sequence[Span], begin: int) -> dict[str, list[int]]:
        """The starts of each day, but for the same time of day as before, which everybody would try first."""
        found: dict[str, list[int]] = {}
        clock = to_local(begin, self._zone)[10:]
        for start in starts(self._on(self._days, spans), self._length):
            day, time = (local := to_local(start, self._zone))[:10], local[10:]
            if time != clock:
                found.setdefault(day, []).append(start)
        if not found:
            raise NoFit
        return found

    # --- what tempts

    def _lay_baits(self) -> None:
        """Choose a wrong start for each trap that suggests one, none of them at the same time as another."""
        taken = [(start, start + self._length) for start in self._targets]
        for trap in self._story.traps:
            if trap == "holiday_inside":
                known = set(self._found())
                options = [at for at in self._found(trap) if at not in known]
            elif trap in HIDING:
                options = [at for at in self._found() if not clashes(taken, at - GRID_S, at + self._length + GRID_S)]
            else:
                continue
            if not options:
                raise NoFit
            start = self._baits[trap] = self._draw.choice(options)
            taken.append((start, start + self._length))
            if trap in HIDING:
                who = ROOM if trap == "room_required" else USER
                self._blocks.append(Block(who, start, _on_grid(self._minutes[0]), HIDING[trap]))

    # --- what blocks

    def _fill_calendars(self) -> None:
        """Make the user and the insiders required busy until the right starts are left."""
        draw = self._draw
        kept = [(start, start + self._length) for start in (*self._targets, *self._baits.values())]
        if "dst_guest" in self._story.traps:
            real = self._shared_hours(self._guests[0])
            seeming = [
                at for at in self._found("dst_guest")
                if not any(first <= at and at + self._length <= last for first, last in real)
                and not clashes(kept, at, at + self._length)
            ]  # fmt: skip
            if not seeming:
                raise NoFit
            self._baits["dst_guest"] = start = draw.choice(seeming)
            kept.append((start, start + self._length))
        people = [USER, *(guest.key for guest in self._guests[0] if guest.required and guest.inside)]
        wanted = _cells(kept)
        taken = wanted | _cells(block.span for block in self._blocks)
        wrong = [start for start in self._found() if start not in self._targets]
        while wrong:
            start = draw.choice(wrong)
            free = [cell for cell in range(start, start + self._length, GRID_S) if cell not in wanted]
            if not free:
                raise NoFit
            cell, more = draw.choice(free), draw.int(1, 5)
            end = cell + GRID_S
            while more and end not in taken:
                end, more = end + GRID_S, more - 1
            self._blocks.append(Block(draw.choice(people), cell, (end - cell) // 60))
            taken.update(range(cell, end, GRID_S))
            wrong = [at for at in wrong if at + self._length <= cell or end <= at]

    def _check(self) -> int:
        """Reject days on which a trap does not bite or a common guess is right; return a start for the upper one."""
        if self._found() != self._targets:
            raise NoFit
        if any(not set(self._found(trap)) - set(self._targets) for trap in self._baits):
            raise NoFit
        hours = self._on(self._days, self._shared_hours(()))
        own = without(hours, (block.span for block in self._blocks if block.who == USER))
        if starts(own, self._length)[0] in self._targets:
            raise NoFit
        spans = shared(own, self._shared_hours(self._guests[1]))
        right = [(start, start + self._length) for start in self._targets]
        length = self._minutes[1] * 60
        others = [at for at in starts(spans, length) if not clashes(right, at, at + length)]
        if not others:
            raise NoFit
        return self._draw.choice(others)


def _cells(spans: Iterable[Span]) -> set[int]:
    """The beginnings of the half hours of which something is taken."""
    return {cell for start, end in spans for cell in range(start // GRID_S * GRID_S, end, GRID_S)}


def _on_grid(minutes: int) -> int:
    return -(-minutes // 30) * 30
