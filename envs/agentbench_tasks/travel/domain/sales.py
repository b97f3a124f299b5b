"""When a ground operator opens a travel day for sale (ta.md R2, as data in each market's `rail.toml`)."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any

from agentbench_env.market import market_table
from agentbench_env.zones import to_instant

FRIDAY = 4


@cache
def sale_rules(market: str) -> dict[str, Mapping[str, Any]]:
    """Return the market's sale rules by carrier code."""
    return {row["carrier"]: row for row in market_table(market, "rail")["sale_rules"]}


def opens_at(rule: Mapping[str, Any], day: date, share_of_run: float, zone: str) -> int:
    """Return the instant at which a travel day goes on sale."""
    return to_instant(opening(rule, day, share_of_run), zone)


def opening(rule: Mapping[str, Any], day: date, share_of_run: float) -> str:
    """Return the local time at which a travel day goes on sale."""
    for period in (*rule.get("holiday_periods", ()), *rule.get("blocks", ())):
        if period["from_date"] <= day.isoformat() <= period["to_date"]:
            opens: str = period["opens_at"]
            return opens
    return f"{_opening_day(rule, day, share_of_run).isoformat()}T{rule['at']}"


def _opening_day(rule: Mapping[str, Any], day: date, share_of_run: float) -> date:
    if rule["kind"] == "months_before":
        month = day.year * 12 + day.month - 1 - rule["months"]
        year, month = divmod(month, 12)
        last = monthrange(year, month + 1)[1]
        if day.day <= last:
            return date(year, month + 1, day.day)
        return date(year, month + 1, last) if rule["missing_day"] == "last_of_month" else day.replace(day=1)
    if rule["kind"] == "run_share":
        return day - timedelta(next(days for below, days in rule["shares"] if share_of_run < below))
    if rule.get("friday_rule") and day.weekday() > FRIDAY:
        # A Friday opens its own Friday, Saturday and Sunday together.
        day -= timedelta(day.weekday() - FRIDAY)
    if rule["kind"] == "days_before":
        return day - timedelta(rule["days"])
    raise ValueError(f"no block of {rule['carrier']} holds {day}")
