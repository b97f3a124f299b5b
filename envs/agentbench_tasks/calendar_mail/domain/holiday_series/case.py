"""The case of a repeating slot, and the series as the episode made it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_env.zones import first_instant, last_instant
from agentbench_tasks.calendar_mail.domain.holiday_series.plot import Plot
from agentbench_tasks.calendar_mail.domain.holiday_series.words import Words
from agentbench_tasks.calendar_mail.domain.office import Office
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.events import Event, occurrences


class HolidaySeriesCase(msgspec.Struct, frozen=True):
    """Everything that an instance of a repeating slot fixes."""

    plot: Plot
    office: Office
    start: World
    title: str
    colleagues: tuple[Person, Person]
    """The two that may be invited where the user wants it."""
    client: Person
    """Somebody outside who may take part one day."""
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def country(self) -> str:
        """The code under which the days of the place are listed."""
        return self.office.setting.market.code


def made(case: HolidaySeriesCase, ep: Episode) -> list[Event]:
    """Return the events that the episode made on the user's own calendar."""
    events = ep.world.where(Event, "calendar_id", case.office.calendar.id)
    return [event for event in events if event.id not in ep.world.start.records]


def dates_of(event: Event, zone: str) -> Iterator[date]:
    """Yield the local dates on which an event takes place."""
    for one in occurrences(event, first_instant(), last_instant(), zone):
        if one.own.status != "cancelled":
            yield date.fromisoformat(one.begins.local[:10])
