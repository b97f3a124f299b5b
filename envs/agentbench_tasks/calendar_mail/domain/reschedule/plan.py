"""Planning the week: the right start first, then what tempts elsewhere, then the blocks that leave only the one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import reduce

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.reschedule.plot import (
    LONGER,
    Block,
    Cast,
    Plan,
    Side,
    Who,
    Window,
    sides_of,
)
from agentbench_tasks.calendar_mail.domain.reschedule.weeks import longest_hours, shift_s, targets, week_days
from agentbench_tasks.calendar_mail.domain.slots import (
    GRID_S,
    Span,
    clashes,
    hours_on,
    merged,
    shared,
    starts,
    week_spans,
    without,
)
from agentbench_tasks.commons.attempts import NoFit, first_fit

ATTEMPTS = 200
WINDOWS = {"easy": 3, "standard": 4, "hard": 6}
"""How many windows somebody outside offers."""
MOST_BLOCKS = 14
FIRST_DAY = date(2026, 2, 2)
LEAD_DAYS = 30
"""How long before the old day the episode may lie; every split has days in so many."""
LATEST_DAYS = 6
"""From how many of the latest of those days today is drawn."""
_DAY = 86_400


def draw_plan(draw: Draw, setting: Setting, cast: Cast) -> Plan:
    """Draw weeks until one can be planned; raise RuntimeError if none of 200 can."""
    return first_fit(draw, lambda attempt: Planner(attempt, setting, cast).plan(), ATTEMPTS)


class Planner:
    """One attempt at a week."""

    def __init__(self, draw: Draw, setting: Setting, cast: Cast) -> None:
        self._draw, self._cast, self._difficulty = draw, cast, setting.difficulty
        self._home, self._zone = setting.market.code, setting.market.zone
        self._target = draw.choice(targets(self._home, cast.calendar_trap))
        self._sides = sides_of(cast.pair, self._home, self._target.place)
        self._old_minutes = draw.choice((45, 60))
        self._minutes = self._old_minutes + (LONGER if cast.longer else 0)
        self._length = self._minutes * 60
        self._shift = shift_s(self._target.place, self._target.monday - timedelta(6), self._target.monday)
        days = _around(self._target.days)
        self._usual = {side.who: week_spans(side.hours, side.zone, side.place, days) for side in self._sides}
        self._start = 0
        self._baits: dict[str, int] = {}
        self._offers: dict[Who, list[Span]] = {}
        self._withdrawn: tuple[Who, Span] | None = None
        self._blocks: list[Block] = []

    def plan(self) -> Plan:
        """Plan the week."""
        draw = self._draw
        by_day = self._by_day(self._open(), self._length)
        days = sorted(by_day)
        if len(days) < 2:
            raise NoFit
        # Neither the first day of the week nor the first window that anybody offers is ever right.
        right = draw.choice(days[1:])
        self._start = draw.choice(by_day[right])
        old_start, now = self._before()
        if self._start == old_start + 7 * _DAY:
            raise NoFit
        self._lay_baits({day: by_day[day] for day in days if day != right})
        for side in self._sides:
            if side.outside:
                self._offers[side.who] = self._windows(side, days, right)
        if "window_withdrawn" in self._baits:
            self._withdraw()
        self._fill_calendars()
        self._check()
        zones = {side.who: side.zone for side in self._sides}
        gone = self._withdrawn
        return Plan(
            self._cast,
            self._target,
            self._sides,
            now,
            old_start,
            self._old_minutes,
            self._minutes,
            self._start,
            {who: tuple(Window.of(span, zones[who]) for span in spans) for who, spans in self._offers.items()},
            (gone[0], Window.of(gone[1], zones[gone[0]])) if gone else None,
            tuple(sorted(self._blocks, key=lambda block: block.start)),
            dict(self._baits),
        )

    # --- the week before

    def _before(self) -> tuple[int, int]:
        """The start of the meeting as it stands, on a day of the week before, and the instant of the episode."""
        draw, ours = self._draw, working_days(self._home)
        earlier = week_days(self._target.monday - timedelta(7))
        hours = [week_spans(side.hours, side.zone, side.place, _around(earlier)) for side in self._sides]
        by_day = self._by_day(reduce(shared, hours), self._old_minutes * 60)
        days = sorted(by_day.keys() - {earlier[0]})
        if not days:
            raise NoFit
        old, weeks = draw.choice(days), draw.pool(range(4))
        own = [
            day
            for day in (old - timedelta(n) for n in range(1, LEAD_DAYS + 1))
            if day >= FIRST_DAY and ours.is_open(day) and day.toordinal() // 7 % 4 in weeks
        ]
        if not own:
            raise NoFit
        today = draw.choice(own[:LATEST_DAYS])
        clock = f"{draw.int(8, 17):02}:{draw.int(0, 5) * 5:02}"
        return draw.choice(by_day[old]), to_instant(f"{today.isoformat()}T{clock}", self._zone)

    # --- who can meet when

    def _hours(self, side: Side, without_trap: str = "") -> list[Span]:
        """When somebody can meet, or could but for a trap."""
        bait, shift = self._target.bait, 0
        spans = self._usual[side.who]
        if without_trap == ("their_holiday" if side.abroad else "our_holiday"):
            assert bait is not None
            spans = merged([*spans, *hours_on(longest_hours(side.place, bait), bait, side.zone)])
        if without_trap == "dst_shift" and side.abroad:
            shift = self._shift
        if side.who in self._offers:
            offered = self._offers[side.who]
            if self._withdrawn and self._withdrawn[0] == side.who and without_trap != "window_withdrawn":
                offered = [span for span in offered if span != self._withdrawn[1]]
            spans = shared(spans, offered)
        # Clocks that are still read as they stood before the change show everything earlier or later.
        return [(start + shift, end + shift) for start, end in spans]

    def _open(self, without_trap: str = "") -> list[Span]:
        """When all three can meet, or could but for a trap."""
        spans = reduce(shared, (self._hours(side, without_trap) for side in self._sides))
        kind = {"tentative_hold": "tentative", "floating_block": "floating"}.get(without_trap)
        return without(spans, (block.span for block in self._blocks if block.kind != kind))

    def _found(self, without_trap: str = "") -> list[int]:
        """Every start that suits all three, or would but for a trap."""
        length = self._old_minutes * 60 if without_trap == "length_grew" else self._length
        return starts(self._open(without_trap), length)

    def _by_day(self, spans: Sequence[Span], length: int) -> dict[date, list[int]]:
        found: dict[date, list[int]] = {}
        for start in starts(spans, length):
            found.setdefault(date.fromisoformat(to_local(start, self._zone)[:10]), []).append(start)
        return found

    # --- what tempts

    def _lay_baits(self, by_day: dict[date, list[int]]) -> None:
        """Choose a wrong start for each trap that suggests one, each on a day of its own."""
        draw, left = self._draw, dict(by_day)
        for trap in self._cast.traps:
            if trap in ("our_holiday", "their_holiday"):
                assert self._target.bait is not None
                usual = self._by_day(self._open(trap), self._length).get(self._target.bait, [])
                known = left.pop(self._target.bait, [])
                options = [start for start in usual if start not in known]
            elif trap in ("window_withdrawn", "tentative_hold", "floating_block", "length_grew"):
                if not left:
                    raise NoFit
                options = left.pop(draw.choice(sorted(left)))
            else:
                continue
            if not options:
                raise NoFit
            start = self._baits[trap] = draw.choice(options)
            if trap in ("tentative_hold", "floating_block"):
                kind = "tentative" if trap == "tentative_hold" else "floating"
                self._blocks.append(Block("user", start, -(-self._minutes // 30) * 30, kind))

    def _windows(self, side: Side, days: Sequence[date], right: date) -> list[Span]:
        """The windows that somebody offers: around the right start, around what tempts, and some for nothing."""
        draw = self._draw
        hours = {
            day: hours_on(longest_hours(side.place, day) if day == self._target.bait else side.hours, day, side.zone)
            for day in self._target.days
        }
        found = [self._around(self._start, self._length, hours[right])]
        for trap, start in self._baits.items():
            day = date.fromisoformat(to_local(start, self._zone)[:10])
            if trap == "length_grew":
                # The window ends where the meeting would, were it as short as before.
                end = start + -(-self._old_minutes // 30) * GRID_S
                found.append(self._around(start, self._old_minutes * 60, hours[day], latest=end))
            else:
                found.append(self._around(start, self._length, hours[day]))
        taken = {to_local(first, self._zone)[:10] for first, _ in found}
        free = [day for day in days if day.isoformat() not in taken]
        earlier = [day for day in free if day < right]
        order = draw.shuffled(free)
        if not any(day < right.isoformat() for day in taken) and earlier:
            order = [earlier[0], *(day for day in order if day != earlier[0])]
        for day in (*order, *draw.shuffled(days)):
            if len(found) >= WINDOWS[self._difficulty]:
                break
            found += self._another(side, day, found)
        return sorted(found)

    def _around(self, start: int, length: int, hours: Sequence[Span], latest: int = 0) -> Span:
        """A window of the writer's hours that holds a meeting, with up to an hour before and after it."""
        for first, last in hours:
            end = start + -(-length // GRID_S) * GRID_S
            if first <= start and start + length <= last:
                low = max(first, start - self._draw.int(0, 2) * GRID_S)
                return low, min(last, latest or end + self._draw.int(0, 2) * GRID_S)
        raise NoFit

    def _another(self, side: Side, day: date, found: Sequence[Span]) -> list[Span]:
        """One more window on a day, apart from those there are; none if there is no room."""
        room = without(hours_on(side.hours, day, side.zone), ((start - GRID_S, end + GRID_S) for start, end in found))
        room = [(start, end) for start, end in room if end - start >= 4 * GRID_S]
        if not room:
            return []
        first, last = self._draw.choice(room)
        start = first + self._draw.int(0, (last - first) // GRID_S - 3) * GRID_S
        return [(start, min(last, start + self._draw.int(3, 6) * GRID_S))]

    def _withdraw(self) -> None:
        """Take a window back in which everybody could have met."""
        start = self._baits["window_withdrawn"]
        who = self._draw.choice(sorted(self._offers))
        for span in self._offers[who]:
            if span[0] <= start and start + self._length <= span[1]:
                self._withdrawn = (who, span)

    # --- what blocks

    def _fill_calendars(self) -> None:
        """Make those inside the company busy until one start is left, and a little more."""
        draw = self._draw
        kept = [(self._start, self._start + self._length)]
        for trap, start in self._baits.items():
            kept.append((start, start + (self._old_minutes * 60 if trap == "length_grew" else self._length)))
        if "dst_shift" in self._cast.traps:
            stale = [start for start in self._found("dst_shift") if start not in self._found()]
            if not stale:
                raise NoFit
            start = self._baits["dst_shift"] = stale[0]
            kept.append((start, start + self._length))
        insiders: list[Who] = [side.who for side in self._sides if not side.outside]
        left = self._open()
        taken = [*kept, *(block.span for block in self._blocks)]
        for _ in range(MOST_BLOCKS):
            wrong = [start for start in starts(left, self._length) if start != self._start]
            if not wrong:
                break
            start = draw.choice(wrong)
            cells = range(start, start + self._length, GRID_S)
            free = [cell for cell in cells if not clashes(kept, cell, cell + GRID_S)]
            if not free:
                raise NoFit
            cell, more = draw.choice(free), draw.int(0, 2)
            end = cell + GRID_S
            while more and not clashes(taken, end, end + GRID_S):
                end, more = end + GRID_S, more - 1
            self._blocks.append(Block(draw.choice(insiders), cell, (end - cell) // 60))
            left = without(left, [(cell, end)])
            taken.append((cell, end))

    def _check(self) -> None:
        """Reject a week in which a trap does not bite, or in which a common guess is right."""
        if self._found() != [self._start]:
            raise NoFit
        for trap in self._baits:
            if not set(self._found(trap)) - {self._start}:
                raise NoFit
        if "dst_shift" in self._cast.traps and self._found("dst_shift")[0] == self._start:
            raise NoFit
        for spans in self._offers.values():
            if spans[0][0] <= self._start < spans[0][1]:
                raise NoFit


def _around(days: Sequence[date]) -> Sequence[date]:
    """The days, and one more on each side: dates abroad may run one day ahead or behind."""
    return days[0] - timedelta(1), *days, days[-1] + timedelta(1)
