"""When the firm can come: what the user, the building and the firm have free, and the first window of all three."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.household import WorkHours
from agentbench_tasks.reservations.domain.market import BuildingRule, reservation_market
from agentbench_tasks.reservations.domain.quote.plot import Plot
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact

FIRST, LAST = date(2026, 2, 16), date(2026, 11, 27)
WINDOW_HOURS = 2
AHEAD = 13
"""How many days ahead the user knows what is free."""
MOST_TRIES = 60
_MORNINGS, _AFTERNOONS = ((8, 12), (9, 12), (10, 13)), ((13, 17), (14, 18))
_WHOLE = ((9, 18), (10, 17))
_DAYS: dict[str, tuple[int, int]] = {"easy": (3, 3), "standard": (3, 4), "hard": (4, 4)}
_SATURDAY = 6


class Free(msgspec.Struct, frozen=True):
    """Hours of a day that are free."""

    day: date
    opens: int
    closes: int

    @property
    def fact(self) -> QuoteFact:
        """As letters print such hours."""
        return window(self.day, self.opens, self.closes)


class Rule(msgspec.Struct, frozen=True):
    """When firms may work in the building, and how many days before it must be told."""

    hours: tuple[WorkHours, ...]
    notice_days: int

    def spans(self, weekday: int) -> list[tuple[int, int]]:
        """The hours of a weekday in which work may be done."""
        spans = (span for row in self.hours if weekday in row.weekdays for span in row.spans)
        return [(int(opens[:2]), int(closes[:2])) for opens, closes in spans]


class When(msgspec.Struct, frozen=True):
    """The times of an errand."""

    now: int
    today: date
    free: tuple[Free, ...]
    rule: Rule
    older: Rule | None
    """The rule that the one in force replaced, where there was one."""
    visit_days: tuple[int, ...]
    """ISO weekdays on which the right firm visits."""
    move_day: date

    def slot(self, visit_days: Sequence[int]) -> QuoteFact | None:
        """The first window that suits the user, the building and a firm that visits on these weekdays."""
        return first_window(self.free, self.rule, visit_days, self.today + timedelta(self.rule.notice_days))


def window(day: date, opens: int, closes: int) -> QuoteFact:
    """Hours of a day as a fact."""
    return QuoteFact("visit_slot", f"{day.isoformat()}T{opens:02}:00/{closes:02}:00")


def first_window(free: Sequence[Free], rule: Rule | None, visit_days: Sequence[int], first: date) -> QuoteFact | None:
    """Return the first two hours that begin on the hour and suit everybody, None if there are none.

    `rule` None stands for a building without one; before the day `first` nobody may come.
    """
    for one in sorted(free, key=lambda one: (one.day, one.opens)):
        weekday = one.day.isoweekday()
        if one.day < first or weekday not in visit_days:
            continue
        for opens, closes in rule.spans(weekday) if rule else [(0, 24)]:
            start = max(one.opens, opens)
            if start + WINDOW_HOURS <= min(one.closes, closes):
                return window(one.day, start, start + WINDOW_HOURS)
    return None


def draw_when(draw: Draw, setting: Setting, plot: Plot) -> When:
    """Draw the times; raise NoFit if none of some tries has the traps that the plot asks for, and no others."""
    for _ in range(MOST_TRIES):
        when = _draw(draw, setting)
        if _fits(when, plot, setting):
            return when
    raise NoFit


def _draw(draw: Draw, setting: Setting) -> When:
    market = setting.market
    today = draw.day(FIRST, LAST)
    row = reservation_market(market.code).building
    rule = _rule(draw, row)
    older = _rule(draw, row, row.notice_days + 2) if setting.difficulty == "hard" else None
    now = to_instant(f"{today.isoformat()}T{draw.int(8, 20):02}:{draw.int(0, 59):02}", market.zone)
    days = draw.sample(range(2, AHEAD + 1), draw.int(*_DAYS[setting.difficulty]))
    free = tuple(_free(draw, today + timedelta(ahead)) for ahead in sorted(days))
    visit_days = tuple(sorted(draw.sample(range(1, 8), draw.int(4, 6))))
    return When(now, today, free, rule, older, visit_days, today + timedelta(AHEAD + draw.int(4, 12)))


def _free(draw: Draw, day: date) -> Free:
    spans = _WHOLE if day.isoweekday() >= _SATURDAY else draw.choice((_MORNINGS, _AFTERNOONS))
    return Free(day, *draw.choice(spans))


def _rule(draw: Draw, row: BuildingRule, notice_days: int = 0) -> Rule:
    """Draw a rule: the usual one of the market, an hour later in the morning or an hour earlier at the end."""
    later, earlier = draw.choice((0, 0, 1)), draw.choice((0, 0, 1))
    hours = [WorkHours(row.spans.weekdays, _shifted(row.spans.hours, later, earlier))]
    if row.saturday:
        hours.append(WorkHours((_SATURDAY,), _shifted(row.saturday, later, 0)))
    return Rule(tuple(hours), notice_days or row.notice_days)


def _shifted(hours: Sequence[str], later: int, earlier: int) -> tuple[tuple[str, str], ...]:
    spans = [(int(span[:2]), int(span[6:8])) for span in hours]
    spans[0] = (spans[0][0] + later, spans[0][1])
    spans[-1] = (spans[-1][0], spans[-1][1] - earlier)
    return tuple((f"{opens:02}:00", f"{closes:02}:00") for opens, closes in spans)


def _fits(when: When, plot: Plot, setting: Setting) -> bool:
    slot = when.slot(when.visit_days)
    if slot is None or len({one.day for one in when.free}) < len(when.free):
        return False
    # Whether firms work on a public holiday is printed nowhere.
    if setting.market.holidays(when.today, when.free[-1].day):
        return False
    # However one counts the days before which the building must be told, the same window comes out.
    days, told = when.rule.notice_days, [when.today + timedelta(when.rule.notice_days + 1)]
    told.append(_working_days_on(when.today, days + 1))
    if any(first_window(when.free, when.rule, when.visit_days, first) != slot for first in told):
        return False
    careless = first_window(when.free, None, when.visit_days, when.today)
    return (careless != slot) is ("building_hours" in plot.traps)


def _working_days_on(day: date, count: int) -> date:
    while count:
        day += timedelta(1)
        count -= day.isoweekday() < _SATURDAY
    return day
