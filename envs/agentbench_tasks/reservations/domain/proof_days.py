"""On which days a house is closed, as proofs reckon it: with no code of the engine that they check."""

from __future__ import annotations

from datetime import date, timedelta

from agentbench_env.market import load_country
from agentbench_tasks.reservations.domain.venue import ClosureRule

_DAY = timedelta(1)


def closes(rule: ClosureRule, day: date, country: str) -> bool:
    """Whether a rule closes a house on a day."""
    text, on = day.isoformat(), day.isoweekday() in rule.weekdays
    match rule.kind:
        case "on_holidays":
            return text in rule.dates
        case "period":
            return rule.from_date <= text <= rule.to_date
        case "nth_weekday":
            return on and -(-day.day // 7) in rule.nth
        case "weekly":
            return on and not (rule.open_on_holidays and _is_holiday(day, country))
        case "weekly_shifted":
            before = day - _DAY
            moved = before.isoweekday() in rule.weekdays and _is_holiday(before, country)
            return moved or (on and not _is_holiday(day, country))


def _is_holiday(day: date, country: str) -> bool:
    rows = load_country(country).holidays(day, day)
    return any(row.status == "confirmed" and "private" in row.applies_to for row in rows)
