"""Spans of time as sets: what they share, what is left of them, and the hours in which a person can meet.

A span runs from one instant to another, the end excluded. Sets of spans are in order and do not touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import lru_cache

from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.contacts import Contact, Week

Span = tuple[int, int]
GRID_S = 1_800
"""The grid on which meetings of an office begin."""


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return the same times as a set."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            start, end = found[-1][0], max(end, found.pop()[1])
        if start < end:
            found.append((start, end))
    return found


def shared(first: Sequence[Span], second: Sequence[Span]) -> list[Span]:
    """Return the times that lie in both sets."""
    both: list[Span] = []
    for start, end in first:
        for other, until in second:
            if end <= other:
                break
            if start < until:
                both.append((max(start, other), min(end, until)))
    return both


def without(spans: Sequence[Span], taken: Iterable[Span]) -> list[Span]:
    """Return the times of a set that lie in none of the spans taken."""
    left: list[Span] = []
    cuts = merged(taken)
    for start, end in spans:
        for first, last in cuts:
            if last <= start:
                continue
            if end <= first:
                break
            if start < first:
                left.append((start, first))
            start = last
        if start < end:
            left.append((start, end))
    return left


def holds(spans: Iterable[Span], start: int, end: int) -> bool:
    """Whether the time from `start` to `end` lies inside one of the spans."""
    for first, last in spans:  # noqa: SIM110
        if first <= start and end <= last:
            return True
    return False


def clashes(spans: Iterable[Span], start: int, end: int) -> bool:
    """Whether the time from `start` to `end` overlaps one of the spans."""
    for first, last in spans:  # noqa: SIM110
        if first < end and start < last:
            return True
    return False


def starts(spans: Iterable[Span], length_s: int, step_s: int = GRID_S) -> list[int]:
    """Return the instants on the grid at which something as long can begin inside one of the spans."""
    return [at for first, last in spans for at in range(-(-first // step_s) * step_s, last - length_s + 1, step_s)]


@lru_cache(maxsize=8192)
def hours_on(week: Week, day: date, zone: str) -> tuple[Span, ...]:
    """Return the hours of a day by a week's hours, in a zone; none on a weekday that the week leaves out."""
    text, weekday = day.isoformat(), day.isoweekday()
    return tuple(
        (to_instant(f"{text}T{start}", zone), to_instant(f"{text}T{end}", zone))
        for row in week
        if row.weekday == weekday
        for start, end in row.spans
    )


def week_spans(week: Week, zone: str, country: str, days: Iterable[date]) -> list[Span]:
    """Return the hours of a week on those of the days that are working days of a country."""
    calendar = working_days(country)
    return [span for day in days if calendar.is_open(day) for span in hours_on(week, day, zone)]


def meeting_spans(person: Contact, days: Iterable[date]) -> list[Span]:
    """Return when a person can meet on those of the days, dates of the person's own zone, on which they work."""
    return week_spans(person.meeting_hours, person.zone, person.country, days)
