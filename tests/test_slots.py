"""Spans of time as sets, and the hours in which people can meet."""

from __future__ import annotations

from datetime import date

from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.market import office_hours
from agentbench_tasks.calendar_mail.domain.slots import (
    clashes,
    holds,
    hours_on,
    merged,
    shared,
    starts,
    week_spans,
    without,
)


def test_sets_of_spans() -> None:
    assert merged([(5, 9), (1, 3), (3, 4), (8, 12), (20, 20)]) == [(1, 4), (5, 12)]
    assert shared([(0, 10), (20, 30)], [(5, 25), (28, 40)]) == [(5, 10), (20, 25), (28, 30)]
    assert without([(0, 10), (20, 30)], [(2, 4), (8, 22), (30, 35)]) == [(0, 2), (4, 8), (22, 30)]
    assert holds([(0, 10)], 0, 10)
    assert not holds([(0, 5), (5, 10)], 4, 6)
    assert clashes([(0, 10)], 9, 12)
    assert not clashes([(0, 10)], 10, 12)


def test_starts_lie_on_the_grid() -> None:
    assert starts([(100, 9_000)], 3_600) == [1_800, 3_600, 5_400]
    assert starts([(0, 3_599)], 3_600) == []


def test_hours_are_local_and_end_where_the_week_does() -> None:
    week = office_hours("GB-ENG").meeting
    # The clocks of London go back on Sunday, 25 October 2026.
    for day, hour in ((date(2026, 10, 23), "16:00"), (date(2026, 10, 26), "17:00")):
        ((start, _),) = hours_on(week, day, "Europe/London")
        assert to_local(start, "Asia/Seoul") == f"{day}T{hour}"
    assert hours_on(week, date(2026, 10, 25), "Europe/London") == ()


def test_nobody_meets_on_a_holiday() -> None:
    days = [date(2026, 8, 31), date(2026, 9, 1)]
    assert len(week_spans(office_hours("GB-ENG").meeting, "Europe/London", "GB-ENG", days)) == 1
