"""Recurrence rules of RFC 5545 on whole days: a series keeps the wall-clock time of its start.

The start of a series is its first instance, whether the rule names its day or not, and COUNT counts it. Days are
numbers (`date.toordinal`), local readings and dates are text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec

from agentbench_env.zones import first_instant, to_instant, to_local, zone_row

Frequency = Literal["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]
FREQUENCIES: tuple[Frequency, ...] = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
WEEKDAYS: tuple[str, ...] = tuple(re.findall("[A-Z]{2}", "MO TU WE TH FR SA SU"))
"""In one text, for the code of a day alone may be that of a market."""
MOST_DAYS = 1_000_000
_UNTIL = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?:T([0-9]{2})([0-9]{2})([0-9]{2})(Z?))?")
_BY_DAY = re.compile(rf"([+-]?[0-9]{{1,2}})?({'|'.join(WEEKDAYS)})")
_NUMBER = re.compile(r"[+-]?[0-9]{1,7}")


class BadRule(ValueError):
    """A rule that cannot be read or does not fit the start of its series; the message says what would be right."""


class Rule(msgspec.Struct, frozen=True, gc=False):
    """A recurrence rule. Weekdays are numbers, Monday 0; the ordinal 0 in `by_day` means every one."""

    freq: Frequency
    interval: int = 1
    count: int = 0
    """How many instances there are, those excluded later included; 0: no limit."""
    until: str = ""
    """The last instant or reading, as the rule writes it; "": no limit."""
    by_day: tuple[tuple[int, int], ...] = ()
    by_month_day: tuple[int, ...] = ()
    by_month: tuple[int, ...] = ()
    by_set_pos: tuple[int, ...] = ()
    week_start: int = 0

    def text(self) -> str:
        """The rule as it is written."""
        by_day = [f"{ordinal or ''}{WEEKDAYS[weekday]}" for ordinal, weekday in self.by_day]
        parts = {
            "FREQ": self.freq,
            "INTERVAL": self.interval if self.interval > 1 else "",
            "COUNT": self.count or "",
            "UNTIL": self.until,
            "BYMONTH": ",".join(map(str, self.by_month)),
            "BYMONTHDAY": ",".join(map(str, self.by_month_day)),
            "BYDAY": ",".join(by_day),
            "BYSETPOS": ",".join(map(str, self.by_set_pos)),
            "WKST": WEEKDAYS[self.week_start] if self.week_start else "",
        }
        return ";".join(f"{name}={value}" for name, value in parts.items() if value)

    @property
    def names_days(self) -> bool:
        """Whether it says itself on which days instances fall, rather than to repeat the day of the start."""
        return bool(self.by_day or self.by_month_day or self.by_month)


# --- reading


@lru_cache(maxsize=4096)
def read_rule(text: str) -> Rule:
    """Read the value of an RRULE, with or without the name of the property before it."""
    parts: dict[str, str] = {}
    for part in text.strip().upper().removeprefix("RRULE:").split(";"):
        name, equals, value = part.partition("=")
        if not equals or not value or name in parts:
            raise BadRule("parts NAME=VALUE, each once, with ; between them")
        parts[name] = value
    freq: Frequency | None = next((known for known in FREQUENCIES if known == parts.get("FREQ")), None)
    if freq is None:
        raise BadRule(f"FREQ is one of {', '.join(FREQUENCIES)}")
    del parts["FREQ"]
    rule = Rule(
        freq,
        _numbers(parts, "INTERVAL", 1, 999, "1")[0],
        _numbers(parts, "COUNT", 1, MOST_DAYS, "0")[0],
        _until(parts.pop("UNTIL", "")),
        tuple(_by_day(part) for part in _list(parts, "BYDAY")),
        _numbers(parts, "BYMONTHDAY", -31, 31),
        _numbers(parts, "BYMONTH", 1, 12),
        _numbers(parts, "BYSETPOS", -366, 366),
        _weekday(parts.pop("WKST", "MO")),
    )
    if parts:
        raise BadRule(f"{next(iter(parts))} is not supported here")
    _check_parts(rule)
    return rule


def _list(parts: dict[str, str], name: str, default: str = "") -> list[str]:
    text = parts.pop(name, default)
    return text.split(",") if text else []


def _numbers(parts: dict[str, str], name: str, low: int, high: int, default: str = "") -> tuple[int, ...]:
    given = name in parts
    texts = _list(parts, name, default)
    if given and not all(_NUMBER.fullmatch(text) and low <= int(text) <= high and int(text) for text in texts):
        raise BadRule(f"{name} holds numbers from {low} to {high}, not 0")
    if given and default and len(texts) > 1:
        raise BadRule(f"{name} holds one number")
    return tuple(map(int, texts))


def _by_day(text: str) -> tuple[int, int]:
    found = _BY_DAY.fullmatch(text)
    if found is None or (found[1] and not 1 <= abs(int(found[1])) <= 53):
        raise BadRule("BYDAY holds days such as TU, 1MO or -1FR")
    return int(found[1] or 0), WEEKDAYS.index(found[2])


def _weekday(text: str) -> int:
    if text not in WEEKDAYS:
        raise BadRule(f"WKST is one of {', '.join(WEEKDAYS)}")
    return WEEKDAYS.index(text)


def _until(text: str) -> str:
    if text:
        found = _UNTIL.fullmatch(text)
        try:
            if found is None:
                raise ValueError(text)
            clock = f"{found[4]}:{found[5]}:{found[6]}" if found[4] else "00:00"
            to_instant(f"{found[1]}-{found[2]}-{found[3]}T{clock}", "UTC")
        except ValueError:
            raise BadRule("UNTIL is a time such as 20261222T010000Z") from None
    return text


def _check_parts(rule: Rule) -> None:
    if rule.count and rule.until:
        raise BadRule("COUNT or UNTIL, not both")
    if any(ordinal for ordinal, _ in rule.by_day) and rule.freq not in ("MONTHLY", "YEARLY"):
        raise BadRule("BYDAY with a number only where FREQ is MONTHLY or YEARLY")
    if rule.by_month_day and rule.freq == "WEEKLY":
        raise BadRule("BYMONTHDAY not where FREQ is WEEKLY")
    if rule.by_set_pos and not rule.names_days:
        raise BadRule("BYSETPOS only beside another BY part")


def check_start(rule: Rule, start: str, zone: str) -> None:
    """Refuse a rule whose UNTIL has not the form that the start asks for: a start with a zone needs a UTC instant."""
    if not rule.until:
        return
    if len(start) == 10:
        form, fits = "20261222", len(rule.until) == 8
    elif zone:
        form, fits = "20261222T010000Z (UTC)", rule.until.endswith("Z")
    else:
        form, fits = "20261222T100000 (local)", len(rule.until) == 15
    if not fits:
        raise BadRule(f"for this start UNTIL is written like {form}")
    if last_day(rule, start, zone) < day_of(start):
        raise BadRule("UNTIL is not before the start")


# --- series


def series(rule: Rule, start: str, zone: str, last: int) -> list[int]:
    """Return the days, up to `last`, of the series that starts at a reading ("2026-10-30T17:30") or date.

    A day on which the zone's clocks skip the reading is no instance and is not counted.
    """
    skipped: frozenset[int] = skipped_days(start[10:], zone) if zone else frozenset()
    return days(rule, day_of(start), last_day(rule, start, zone, last), skipped)


def days(rule: Rule, first: int, last: int, skipped: Collection[int] = frozenset()) -> list[int]:
    """Return the days of a rule from `first`, which is always one, to `last`. COUNT is applied, UNTIL is not."""
    if last < first:
        return []
    most = rule.count or MOST_DAYS
    if rule.freq == "WEEKLY" and not rule.by_month and not rule.by_set_pos and not skipped:
        return [first, *_weekly(rule, first, last)][:most]
    found = [first]
    for day in _matching(rule, first, last):
        if len(found) == most or day > last:
            break
        if day > first and day not in skipped:
            found.append(day)
    return found


def _weekly(rule: Rule, first: int, last: int) -> Iterable[int]:
    week, offsets = _week_of(rule, first)
    step = 7 * rule.interval
    if len(offsets) == 1:
        begin = week + offsets[0]
        return range(begin if begin > first else begin + step, last + 1, step)
    return (
        day for monday in range(week, last + 1, step) for offset in offsets if first < (day := monday + offset) <= last
    )


def _week_of(rule: Rule, day: int) -> tuple[int, list[int]]:
    """The first day of the week around a day, and how many days after it the rule's weekdays are."""
    weekdays = {weekday for _, weekday in rule.by_day} or {weekday_of(day)}
    offsets = sorted((weekday - rule.week_start) % 7 for weekday in weekdays)
    return day - (weekday_of(day) - rule.week_start) % 7, offsets


def _matching(rule: Rule, first: int, last: int) -> Iterator[int]:
    """The days that the rule names, period by period, from the period of `first` to that of `last`."""
    for period in _periods(rule, first, last):
        if rule.by_set_pos:
            length = len(period)
            places = {n - 1 if n > 0 else length + n for n in rule.by_set_pos}
            period = [period[place] for place in sorted(places) if 0 <= place < length]
        yield from period


def _periods(rule: Rule, first: int, last: int) -> Iterator[list[int]]:
    start = date.fromordinal(first)
    match rule.freq:
        case "DAILY":
            for day in range(first, last + 1, rule.interval):
                yield [day] if _is_named(rule, day) else []
        case "WEEKLY":
            week, offsets = _week_of(rule, first)
            for monday in range(week, last + 1, 7 * rule.interval):
                yield [day for n in offsets if _in_months(rule, (day := monday + n))]
        case "MONTHLY":
            number = start.year * 12 + start.month - 1
            while _month(number)[0] <= last:
                year_month = number % 12 + 1
                yield _days_of_month(rule, number, start.day) if year_month in (rule.by_month or (year_month,)) else []
                number += rule.interval
        case "YEARLY":
            year = start.year
            while date(year, 1, 1).toordinal() <= last:
                yield _days_of_year(rule, year, start)
                year += rule.interval


def _is_named(rule: Rule, day: int) -> bool:
    if rule.by_day and weekday_of(day) not in (weekday for _, weekday in rule.by_day):
        return False
    if not rule.by_month_day:
        return _in_months(rule, day)
    this = date.fromordinal(day)
    length = _month(this.year * 12 + this.month - 1)[1]
    return _in_months(rule, day) and (this.day in rule.by_month_day or this.day - length - 1 in rule.by_month_day)


def _in_months(rule: Rule, day: int) -> bool:
    return not rule.by_month or date.fromordinal(day).month in rule.by_month


def _days_of_month(rule: Rule, number: int, day_of_start: int) -> list[int]:
    begin, length = _month(number)
    return _both(rule, _numbered(rule, begin, length, day_of_start), begin, length)


def _days_of_year(rule: Rule, year: int, start: date) -> list[int]:
    if rule.by_month:
        months = sorted(set(rule.by_month))
        return [day for month in months for day in _days_of_month(rule, year * 12 + month - 1, start.day)]
    begin = date(year, 1, 1).toordinal()
    months = range(12) if rule.by_month_day or rule.by_day else (start.month - 1,)
    days = [day for month in months for day in _numbered(rule, *_month(year * 12 + month), start.day)]
    return _both(rule, days, begin, date(year + 1, 1, 1).toordinal() - begin)


def _numbered(rule: Rule, begin: int, length: int, day_of_start: int) -> list[int]:
    """The days of a month that BYMONTHDAY names; without it, and without BYDAY, the day of the start."""
    if not rule.by_month_day and (rule.by_day or day_of_start > length):
        return []
    numbers = {n if n > 0 else length + 1 + n for n in rule.by_month_day or (day_of_start,)}
    return [begin + n - 1 for n in sorted(numbers) if 1 <= n <= length]


def _both(rule: Rule, days: list[int], begin: int, length: int) -> list[int]:
    """The days of a month or year that BYDAY names too; its ordinals count in that span."""
    if not rule.by_day:
        return days
    named: set[int] = set()
    for ordinal, weekday in rule.by_day:
        each = range(begin + (weekday - weekday_of(begin)) % 7, begin + length, 7)
        place = ordinal - 1 if ordinal > 0 else ordinal
        if not ordinal:
            named.update(each)
        elif -len(each) <= place < len(each):
            named.add(each[place])
    return [day for day in days if day in named] if rule.by_month_day else sorted(named)


@lru_cache(maxsize=2048)
def _month(number: int) -> tuple[int, int]:
    """First day and length of a month; months are numbered through, year * 12 + month - 1."""
    begin = date(number // 12, number % 12 + 1, 1).toordinal()
    return begin, date((number + 1) // 12, (number + 1) % 12 + 1, 1).toordinal() - begin


# --- ends, gaps, days as text


def ending_on(rule: Rule, day: int, start: str, zone: str) -> Rule:
    """Return the rule of a series with this start, ended by an UNTIL at the instance of the day."""
    reading = f"{day_text(day)}{start[10:]}"
    if zone:
        reading = to_local(to_instant(reading, zone), "UTC")
    until = re.sub("[-:]", "", reading)
    return msgspec.structs.replace(rule, count=0, until=f"{until}00{'Z' if zone else ''}" if "T" in until else until)


def last_day(rule: Rule, start: str, zone: str, last: int = MOST_DAYS) -> int:
    """The last day on which UNTIL lets an instance fall, at most `last`."""
    return min(last, _until_day(rule.until, start, zone, last)) if rule.until else last


def _until_day(until: str, start: str, zone: str, last: int) -> int:
    """The last day that UNTIL admits, exact where it lies between the start and `last`."""
    reading = f"{until[:4]}-{until[4:6]}-{until[6:8]}"
    day, clock = day_of(reading), start[10:]
    # Far from the series the zone makes no difference, and readings at the ends of time cannot be shifted.
    if not clock or not day_of(start) - 1 <= day <= last + 1:
        return day
    reading += f"T{until[9:11]}:{until[11:13]}"
    if not zone:
        return day if clock <= reading[10:] else day - 1
    instant = to_instant(reading, "UTC")
    day = day_of(to_local(instant, zone))
    return day if to_instant(f"{day_text(day)}{clock}", zone) <= instant else day - 1


@lru_cache(maxsize=1024)
def skipped_days(clock: str, zone: str) -> frozenset[int]:
    """Return the days on which the clocks of a zone never show the time "T02:30"."""
    if not clock:
        return frozenset()
    found: list[int] = []
    change = zone_row(zone, first_instant()).next
    while change is not None:
        for reading in (change.local_before, change.local_after):
            if change.local_before <= f"{reading[:10]}{clock}" < change.local_after:
                found.append(day_of(reading))
        change = zone_row(zone, change.instant).next
    return frozenset(found)


def weekday_of(day: int) -> int:
    """The weekday of a day, Monday 0."""
    return (day - 1) % 7


@lru_cache(maxsize=4096)
def _day(text: str) -> int:
    day = date.fromisoformat(text)
    if day.isoformat() != text:
        raise ValueError(text)
    return day.toordinal()


def day_of(reading: str) -> int:
    """The day of a date or local reading."""
    return _day(reading[:10])


@lru_cache(maxsize=4096)
def day_text(day: int) -> str:
    """The ISO date of a day."""
    return date.fromordinal(day).isoformat()
