"""Changing series of events: one instance, those from one on, or all. Pure functions on records."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from agentbench_tasks.commons.events import (
    Attendee,
    Event,
    Override,
    Response,
    When,
    excluded_start,
    same_address,
    series_days,
    times_at,
)
from agentbench_tasks.commons.recurrence import BadRule, day_of, day_text, ending_on, last_day, read_rule

OWN_FIELDS = ("title", "description", "location", "attendees", "status", "transparency")
replace = msgspec.structs.replace


def shifted(when: When, days: int) -> When:
    """Return a time so many days later by the calendar."""
    return replace(when, local=f"{day_text(day_of(when.local) + days)}{when.local[10:]}")


def with_instance(event: Event, original: str, own: Event) -> Event:
    """Return the series with an instance that has these fields and this time."""
    fields: dict[str, Any] = {name: getattr(own, name) for name in OWN_FIELDS}
    changed = {name: value for name, value in fields.items() if value != getattr(event, name)}
    if (own.start, own.end) != times_at(event, original):
        changed |= {"start": own.start, "end": own.end}
    overrides = tuple(other for other in event.overrides if other.original_start != original)
    if changed:
        overrides += (Override(original_start=original, **changed),)
    return replace(event, overrides=overrides)


def without_instance(event: Event, original: str) -> Event:
    """Return the series with one instance taken out."""
    overrides = tuple(own for own in event.overrides if own.original_start != original)
    return replace(event, overrides=overrides, cancelled=(*event.cancelled, original))


def ended_before(event: Event, original: str) -> Event:
    """Return the series as it is up to the instance, which is not the first one, and without it."""
    days = series_days(event.rrule, event.start)
    last = days[bisect_left(days, day_of(original)) - 1]
    rule = ending_on(read_rule(event.rrule), last, event.start.local, event.start.zone)
    return _part(replace(event, rrule=rule.text()), lambda start: start < original)


def starting_at(event: Event, original: str) -> Event:
    """Return the series from the instance on."""
    rule = read_rule(event.rrule)
    if rule.count:
        before = bisect_left(series_days(event.rrule, event.start), day_of(original))
        rule = replace(rule, count=rule.count - before)
    start, end = times_at(event, original)
    series = replace(event, start=start, end=end, rrule=rule.text())
    return _part(series, lambda start: start >= original)


def _part(event: Event, within: Callable[[str], bool]) -> Event:
    """Keep the exceptions that lie within the series; exclusions that match nothing stay on both sides."""
    exdates = tuple(date for date in event.exdates if within(excluded_start(event.start, date) or event.start.local))
    overrides = tuple(own for own in event.overrides if within(own.original_start))
    cancelled = tuple(start for start in event.cancelled if within(start))
    return replace(event, exdates=exdates, overrides=overrides, cancelled=cancelled)


def moved(event: Event, start: When, end: When, rrule: str = "") -> Event:
    """Return the event at another time; a series ends on the same instance as before, and its exceptions stay ones.

    An instance that has a time of its own keeps it.
    A series whose rule names its days cannot be moved to other days without another rule: `BadRule`.
    """
    if not event.rrule or (start, end) == (event.start, event.end):
        return replace(event, start=start, end=end, rrule=rrule or event.rrule)
    days = day_of(start.local) - day_of(event.start.local)
    rule = read_rule(event.rrule)
    if days and rule.names_days and not rrule:
        raise BadRule("give a rule that names the new days as well")
    if rule.until and not rrule:
        last = last_day(rule, event.start.local, event.start.zone)
        rule = ending_on(rule, last + days, start.local, start.zone)

    def again(original: str) -> str:
        return f"{day_text(day_of(original) + days)}{start.local[10:]}"

    exdates = (
        When(again(original), start.zone) if (original := excluded_start(event.start, date)) else date
        for date in event.exdates
    )
    return replace(
        event,
        start=start,
        end=end,
        rrule=rrule or rule.text(),
        exdates=tuple(exdates),
        overrides=tuple(replace(own, original_start=again(own.original_start)) for own in event.overrides),
        cancelled=tuple(map(again, event.cancelled)),
    )


def excluding(event: Event, added: Sequence[When], removed: Sequence[When]) -> Event:
    """Return the series with more and fewer exclusions; to remove one brings back what was taken out at that time."""

    back = {excluded_start(event.start, date) for date in removed} - {""}
    kept = (date for date in event.exdates if date not in removed and excluded_start(event.start, date) not in back)
    exdates = tuple(dict.fromkeys((*kept, *added)))
    return replace(event, exdates=exdates, cancelled=tuple(start for start in event.cancelled if start not in back))


def responding(event: Event, address: str, response: Response) -> Event:
    """Return the event, and every instance that has guests of its own, with a guest's answer."""

    def answered(guests: tuple[Attendee, ...]) -> tuple[Attendee, ...]:
        return tuple(
            replace(guest, response=response) if same_address(guest.address, address) else guest for guest in guests
        )

    overrides = (
        own if own.attendees is None else replace(own, attendees=answered(own.attendees)) for own in event.overrides
    )
    return replace(event, attendees=answered(event.attendees), overrides=tuple(overrides))
