"""When the table is booked for, what of that is to be new, and when the errand comes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_country
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import add_days, service_clock, service_instant, service_minutes
from agentbench_tasks.reservations.domain.change.plot import Meal, Plot
from agentbench_tasks.reservations.domain.change.rules import change_is_free, cutoff_under
from agentbench_tasks.reservations.domain.keeping import Keeping
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.openings import draw_closure, draw_services
from agentbench_tasks.reservations.domain.terms import Occasion
from agentbench_tasks.reservations.domain.venue import Opening, ServiceHours

FIRST, LAST = date(2026, 2, 24), date(2026, 12, 8)
EARLIEST, LATEST = "08:00", "21:30"
"""Between which hours of the market the errand comes."""
LAST_CLOCK = "20:30"
MOST_DAYS = 12
"""How long before the booking it comes at most."""
GUARD_S = 1_200
"""Nothing that an answer rests on changes within these seconds of the start."""
CLEAR_S = 3_600
"""How far a limit is from the start of an instance in which time does not press."""
ENGINE_CLOSES_S = 4 * 3_600
"""How long before a booking the errand comes at least: engines close some hours before the start."""
TRIES = 40


class When(msgspec.Struct, frozen=True):
    """The times of an instance."""

    keeping: Keeping
    day: str
    clock: str
    new_day: str
    new_clock: str
    now: int
    zone: str

    @property
    def start(self) -> int:
        """The instant that is booked."""
        return service_instant(self.day, self.clock, self.zone)

    @property
    def new_start(self) -> int:
        """The instant that is wished."""
        return service_instant(self.new_day, self.new_clock, self.zone)


def draw_keeping(draw: Draw, setting: Setting) -> Keeping:
    """Draw when a house that serves lunch and dinner is open."""
    market = reservation_market(setting.market.code)
    services = draw_services(draw, market.hours, ("lunch", "dinner"))
    return Keeping(tuple(services), draw_closure(draw, market, "", "", ""))


def clocks_of(services: Sequence[ServiceHours], meal: Meal) -> list[str]:
    """Return when a party may sit down to a meal; none if it is not served."""
    hours = next((hours for hours in services if hours.service == meal), None)
    if hours is None:
        return []
    first, last = service_minutes(hours.open), service_minutes(min(hours.last_start, LAST_CLOCK))
    return [service_clock(minutes) for minutes in range(first, last + 1, 30)]


def draw_when(draw: Draw, setting: Setting, plot: Plot) -> When:
    """Draw the times; raise NoFit if this attempt leads to none."""
    code, zone = setting.market.code, setting.market.zone
    keeping = draw_keeping(draw, setting)
    opening = keeping.opening(code)
    day = draw.day(FIRST, LAST).isoformat()
    new_day = add_days(day, draw.choice((1, 2, 3))) if plot.change == "day" else day
    clocks, new_clocks = (clocks_of(opening.services(one), plot.meal) for one in (day, new_day))
    if not clocks or not new_clocks or _unsettled(code, add_days(day, -MOST_DAYS), new_day):
        raise NoFit
    clock = draw.choice(clocks)
    others = [one for one in new_clocks if one != clock]
    moved = plot.change in ("time", "both")
    if (moved and not others) or (not moved and clock not in new_clocks):
        raise NoFit
    when = When(keeping, day, clock, new_day, draw.choice(others) if moved else clock, 0, zone)
    return msgspec.structs.replace(when, now=_Moment(plot, when, opening, setting.market.currency).draw(draw))


def _unsettled(code: str, first: str, last: str) -> bool:
    """Whether a day that is not yet certain to be a public holiday could decide what is an open day."""
    rows = load_country(code).holidays(date.fromisoformat(first), date.fromisoformat(last))
    return any(row.status == "estimate" for row in rows)


class _Moment:
    """Finds the instant at which the errand comes."""

    def __init__(self, plot: Plot, when: When, opening: Opening, currency: str) -> None:
        self._plot, self._when, self._opening = plot, when, opening
        self._before = Occasion(plot.party, when.start, when.zone, currency)
        self._terms = plot.rules.of(plot.party, plot.with_course)
        is_open = opening.is_open
        after = Occasion(plot.new_party, when.new_start, when.zone, currency)
        cutoffs = [
            cutoff_under(self._terms, self._before, is_open),
            cutoff_under(plot.rules.of(plot.new_party, plot.with_course), after, is_open),
        ]
        if (cutoffs[0] != cutoffs[1]) != plot.frame.has("new_cutoff"):
            raise NoFit
        starts = (when.start, when.new_start)
        limits = {rule.instant(start, when.zone, is_open) for rule in plot.rules.limits() for start in starts}
        self._edges = sorted(limits)
        if plot.rules.seat_only and self._decoys() & set(cutoffs):
            raise NoFit

    def _decoys(self) -> set[int]:
        """The cut-offs of bookings without a course."""
        plot, before = self._plot, self._before
        return {
            cutoff_under(plot.rules.of(n, False), before, self._opening.is_open) for n in (plot.party, plot.new_party)
        }

    def draw(self, draw: Draw) -> int:
        """Draw the instant; raise NoFit if none fits."""
        first = min(self._when.start, self._when.new_start)
        pressing = self._plot.frame.has("quote_is_time_bound")
        for _ in range(TRIES):
            if pressing:
                away = draw.int(21, 45) * 60
                now = self._limit() + (away if self._plot.frame.costs else -away)
            else:
                day = add_days(self._when.day, -draw.int(0, MOST_DAYS))
                now = service_instant(day, f"{draw.int(8, 21):02}:{draw.int(0, 59):02}", self._when.zone)
            if EARLIEST <= to_local(now, self._when.zone)[11:] <= LATEST and now + ENGINE_CLOSES_S <= first:
                if self._fits(now, pressing):
                    return now
            elif pressing:
                break
        raise NoFit

    def _limit(self) -> int:
        """The limit that decides what the change costs."""
        start, zone, is_open = self._when.start, self._when.zone, self._opening.is_open
        steps = [step for step in self._plot.rules.pattern.steps if step.fewer <= self._plot.fewer]
        if steps and self._plot.change in ("size", "both"):
            return max(steps, key=lambda step: step.fewer).until.instant(start, zone, is_open)
        assert self._plot.rules.pattern.move is not None
        return self._plot.rules.pattern.move.until.instant(start, zone, is_open)

    def _fits(self, now: int, pressing: bool) -> bool:
        if any(now <= edge < now + GUARD_S for edge in self._edges):
            return False
        plot, frame = self._plot, self._plot.frame
        if frame.kind in ("route_by_channel", "slot_full_route"):
            return True
        free = change_is_free(
            self._terms, self._before, self._when.new_start, plot.new_party, now, self._opening.is_open
        )
        if free == frame.costs:
            return False
        return self._between(now) == frame.has("headcount_tier") and (pressing or self._is_clear(now))

    def _between(self, now: int) -> bool:
        """Whether the limit for many fewer guests has passed, and that for a few has not."""
        steps = self._plot.rules.pattern.steps
        limits = [step.until.instant(self._when.start, self._when.zone, self._opening.is_open) for step in steps]
        return min(limits) < now < max(limits)

    def _is_clear(self, now: int) -> bool:
        """Whether no limit of the change is near."""
        if not self._plot.fewer_cost and self._plot.rules.pattern.move is None:
            return True
        return abs(now - self._limit()) >= CLEAR_S
