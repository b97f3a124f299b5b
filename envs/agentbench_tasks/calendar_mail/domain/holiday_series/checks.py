"""What must hold at the end of a repeating slot."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.text.fold import fold
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.holiday_series.answer import ExcludedDate, HolidaySeriesAnswer
from agentbench_tasks.calendar_mail.domain.holiday_series.case import HolidaySeriesCase, dates_of, made
from agentbench_tasks.commons.days import Holiday, day_off_key
from agentbench_tasks.commons.events import Event

LEAST_INSTANCES = 3


def series_exists(case: HolidaySeriesCase, ep: Episode) -> Finding:
    """One series with the right start, length and zone."""
    request, zone = case.plot.request, ep.world.zone
    series = [event for event in made(case, ep) if event.rrule]
    expected = f"one series at {request.clock} for {request.minutes} minutes in {zone}"
    if len(series) != 1:
        return Finding(False, expected, f"{len(series)} series", tuple(event.id for event in series))
    event = series[0]
    count = len(list(dates_of(event, zone)))
    held = (
        event.start.local[11:16] == request.clock
        and event.start.zone == zone
        and event.length_s == request.minutes * 60
        and count >= LEAST_INSTANCES
    )
    observed = (
        f"{event.start.local} {event.start.zone or 'floating'}, {event.length_s // 60} minutes, {count} instances"
    )
    return Finding(held, expected, observed, (event.id,))


def holidays_excluded(case: HolidaySeriesCase, ep: Episode) -> Finding:
    """No instance on a public holiday."""
    excluded = set(case.plot.series.excluded) | _days_off(case)
    wrong = sorted({day for event in made(case, ep) for day in dates_of(event, ep.world.zone)} & excluded)
    return Finding(not wrong, "none on a public holiday", _listed(wrong) or "none", _ids(made(case, ep)))


def _days_off(case: HolidaySeriesCase) -> set[date]:
    rows = case.office.setting.market.holidays(date(2026, 1, 1), date(2026, 12, 31))
    return {row.date for row in rows if row.status == "confirmed" and "private" in row.applies_to}


def other_dates_kept(case: HolidaySeriesCase, ep: Episode) -> Finding:
    """Every other date once, and none besides."""
    off = _days_off(case)
    found = sorted(day for event in made(case, ep) for day in dates_of(event, ep.world.zone) if day not in off)
    wanted = list(case.plot.series.kept)
    missing, extra = sorted(set(wanted) - set(found)), sorted(set(found) - set(wanted))
    observed = f"missing: {_listed(missing) or 'none'}; besides: {_listed(extra) or 'none'}; {len(found)} in all"
    return Finding(found == wanted, f"{len(wanted)} dates: {_listed(wanted)}", observed, _ids(made(case, ep)))


def exclusions_stated(case: HolidaySeriesCase, ep: Episode) -> Finding:
    """The dates left out, each with its name and the row that makes it a day off."""
    assert isinstance(ep.answer, HolidaySeriesAnswer)
    rows = ep.answer.excluded
    wanted, given = case.plot.series.excluded, sorted(row.date.value.strip() for row in rows)
    expected = _listed(wanted)
    if given != [day.isoformat() for day in wanted]:
        return Finding(False, expected, ", ".join(given) or "none")
    faults = [fault for row in rows if (fault := _row_fault(case, ep, row))]
    return Finding(not faults, expected, "; ".join(faults) or expected)


def _row_fault(case: HolidaySeriesCase, ep: Episode, row: ExcludedDate) -> str:
    day = row.date.value.strip()
    need = (day_off_key(case.country, day, "private"), True)
    for sources in (row.date.sources, row.name.sources):
        fault = sources_fault(ep, sources, [need])
        if fault:
            return f"{day}: {fault}"
    cited = [ep.record(id) for id in (*row.date.sources, *row.name.sources)]
    days = [one for one in cited if isinstance(one, Holiday) and one.date == day and one.status == "confirmed"]
    names = {fold(name) for one in days for name in (one.name_local, one.name_en)}
    return "" if fold(row.name.value) in names else f"{day}: {row.name.value!r} is not what the cited row calls it"


def _listed(days: Iterable[date]) -> str:
    return ", ".join(day.isoformat() for day in days)


def _ids(events: Iterable[Event]) -> tuple[str, ...]:
    return tuple(event.id for event in events)
