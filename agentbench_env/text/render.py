"""Dates, times, amounts, counts and headers of quoted mails as a native writes them.

The patterns stand in the tables `shared/writing/<language>.toml`.

Days and moments are ISO texts (`2026-10-09`, `2026-10-09T08:30`, `08:30`); a day may also be a `datetime.date`.
A style left out is the language's first one; `styles` lists them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from functools import cache, lru_cache
from typing import Literal, TypeVar

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import shared_table
from agentbench_env.money import digits as minor_digits

T = TypeVar("T")
Pattern = str | dict[str, str]
Unit = Literal["minute", "hour", "day", "night", "week", "month", "year", "person"]


class _Era(msgspec.Struct, frozen=True):
    name: str
    first_day: dt.date
    offset: int


class _Mail(msgspec.Struct, frozen=True):
    """What mail programs of a language put before a subject and above a quoted text."""

    reply_prefix: tuple[str, ...]
    forward_prefix: tuple[str, ...]
    quote_header: str
    forward_header: str
    day_halves: tuple[str, str] | None = None
    """The halves of the day where mail programs shorten them."""


class _ServiceStyle(msgspec.Struct, frozen=True):
    """How times of a service are written before, at and past midnight, and on the hour where that differs."""

    day: str
    midnight: str
    night: str
    day_on_the_hour: str = ""
    night_on_the_hour: str = ""


class _Language(msgspec.Struct, frozen=True):
    """The part of a language's writing table that rendering reads; a pattern may differ by plural category."""

    language: str
    plural: Literal["none", "english", "arabic"]
    months: tuple[str, ...]
    months_short: tuple[str, ...]
    weekdays: tuple[str, ...]
    weekdays_short: tuple[str, ...]
    day_halves: tuple[str, str]
    date: dict[str, str]
    date_range: dict[str, tuple[str, str, str]]
    time: dict[str, str]
    on_the_hour: dict[str, str]
    date_time: dict[str, str]
    service_time: dict[str, _ServiceStyle]
    counts: dict[Unit, Pattern]
    duration: dict[str, str]
    money: dict[str, dict[str, Pattern]]
    mail: _Mail
    noon: str = ""
    day_parts: tuple[tuple[int, str], ...] = ()
    """The parts of the day where hours of shops name them, each with its first hour."""
    myriads: tuple[str, ...] = ()
    myriad_gap: str = ""
    first_era_year: str = ""
    eras: tuple[_Era, ...] = ()
    digits: dict[str, str] = {}
    zone_words: dict[str, str] = {}


@cache
def _language(lang: str) -> _Language:
    return msgspec.convert(shared_table(f"writing/{lang}"), _Language)


def styles(
    kind: Literal["date", "time", "date_range", "service_time", "money"], lang: str, currency: str = ""
) -> tuple[str, ...]:
    """Return the styles that `lang` has for `kind`, the default first; for money those of `currency`, or of any."""
    language = _language(lang)
    if kind == "date":
        return tuple(language.date)
    if kind == "time":
        return tuple(language.time)
    if kind == "date_range":
        return tuple(language.date_range)
    if kind == "service_time":
        return tuple(language.service_time)
    if currency:
        return tuple(_row(language.money, f"currency in {lang}", currency))
    return tuple(dict.fromkeys(style for patterns in language.money.values() for style in patterns))


@lru_cache(maxsize=4096)
def date(day: dt.date | str, lang: str, style: str = "") -> str:
    """Write a day, e.g. 2026년 10월 9일(금)."""
    language = _language(lang)
    pattern = _row(language.date, f"date style in {lang}", style)
    return _in_digits(pattern.format_map(_day_fields(_as_date(day), language)), language, style)


@lru_cache(maxsize=4096)
def date_range(first: dt.date | str, last: dt.date | str, lang: str, style: str = "") -> str:
    """Write the days from `first` to `last`, both included, without repeating the month or year that they share."""
    start, end = _as_date(first), _as_date(last)
    if start > end:
        raise ValueError(f"the range starts on {start} after its end on {end}")
    language = _language(lang)
    same_month, same_year, any_days = _row(language.date_range, f"date_range style in {lang}", style)
    if start == end:
        return date(start, lang, style)
    pattern = any_days
    if start.year == end.year:
        pattern = same_month if start.month == end.month else same_year
    text = pattern.format(a=_day_fields(start, language), b=_day_fields(end, language))
    return _in_digits(text, language, style)


@lru_cache(maxsize=4096)
def time(clock: str, lang: str, style: str = "") -> str:
    """Write a time of day; the clock styles keep service hours past midnight such as 24:47."""
    language = _language(lang)
    pattern = _row(language.time, f"time style in {lang}", style)
    if clock[3:5] == "00":
        pattern = language.on_the_hour.get(style or next(iter(language.time)), pattern)
    return _in_digits(pattern.format_map(_time_fields(clock, language)), language, style)


@lru_cache(maxsize=4096)
def service_time(clock: str, lang: str, style: str = "") -> str:
    """Write a time of a service, whose hours may go on past midnight: 25:30 is 25:30, 翌1:30 or 1.30am."""
    language = _language(lang)
    patterns = _row(language.service_time, f"service_time style in {lang}", style)
    if clock == "24:00":
        return patterns.midnight
    sharp = clock[3:5] == "00"
    if clock < "24:00":
        pattern = (sharp and patterns.day_on_the_hour) or patterns.day
    else:
        pattern = (sharp and patterns.night_on_the_hour) or patterns.night
    return pattern.format_map(_time_fields(clock, language))


def date_time(moment: str, lang: str, date_style: str = "", time_style: str = "") -> str:
    """Write a local date and time such as 2026-10-09T08:30."""
    day, clock = date(moment[:10], lang, date_style), time(moment[11:16], lang, time_style)
    join = _language(lang).date_time["join"]
    if join == "{date}{time}" and day[-1].isdecimal() and clock[0].isdecimal():
        join = "{date} {time}"
    return join.format(date=day, time=clock)


@lru_cache(maxsize=4096)
def quote_header(moment: str, sender: str, lang: str) -> str:
    """Write the line that a mail program puts above the mail that is answered: when it was written, and by whom."""
    language = _language(lang)
    return language.mail.quote_header.format(sender=sender, **_mail_fields(moment, language))


@lru_cache(maxsize=4096)
def forward_header(moment: str, sender: str, to: str, subject: str, lang: str) -> str:
    """Write the lines that a mail program puts above a forwarded mail."""
    language = _language(lang)
    header = language.mail.forward_header
    return header.format(sender=sender, to=to, subject=subject, **_mail_fields(moment, language))


def subject_prefixes(kind: Literal["reply", "forward"], lang: str) -> tuple[str, ...]:
    """Return what mail programs put before the subject of a reply or a forwarded mail, the usual one first."""
    mail = _language(lang).mail
    return mail.reply_prefix if kind == "reply" else mail.forward_prefix


def zone_words(zone: str, lang: str) -> str:
    """Name the time of a zone by its place, e.g. 런던 시간; only the zones in play have words."""
    return _row(_language(lang).zone_words, f"zone in {lang}", zone)


def weekday(day: dt.date | str, lang: str, style: Literal["long", "short"] = "long") -> str:
    """Name the day of the week."""
    language = _language(lang)
    names = language.weekdays if style == "long" else language.weekdays_short
    return names[_as_date(day).weekday()]


def money(amount: int | str | Decimal, currency: str, lang: str, style: str = "") -> str:
    """Write an amount: a whole number counts minor units, a text or Decimal major units."""
    places = minor_digits(currency)
    value = Decimal(amount).scaleb(-places) if isinstance(amount, int) else Decimal(amount)
    return _money(value, currency, lang, style)


@lru_cache(maxsize=8192)
def _money(value: Decimal, currency: str, lang: str, style: str) -> str:
    language = _language(lang)
    patterns = _row(language.money, f"currency in {lang}", currency)
    pattern = _plural(_row(patterns, f"money style for {currency} in {lang}", style), abs(value), language)
    places = minor_digits(currency)
    whole = value == value.to_integral_value()
    # A price finer than the minor unit keeps its digits.
    own_places = -int(value.normalize().as_tuple().exponent)
    full = f"{abs(value):,.{max(places, own_places, 0)}f}"
    text = pattern.format(
        amount=full,
        short=f"{abs(value):,.0f}" if whole else full,
        myriad=_in_myriads(int(abs(value)), language),
    )
    return _in_digits(f"-{text}" if value < 0 else text, language, style)


def count(number: int, unit: Unit, lang: str) -> str:
    """Write a number of hours, days, nights, people and the like."""
    language = _language(lang)
    return _plural(language.counts[unit], Decimal(number), language).format(n=number)


def duration(minutes: int, lang: str) -> str:
    """Write a length of time in hours and minutes."""
    hours, rest = divmod(minutes, 60)
    if not hours:
        return count(rest, "minute", lang)
    if not rest:
        return count(hours, "hour", lang)
    join = _language(lang).duration["join"]
    return join.format(hours=count(hours, "hour", lang), minutes=count(rest, "minute", lang))


def _as_date(day: dt.date | str) -> dt.date:
    return dt.date.fromisoformat(day[:10]) if isinstance(day, str) else day


def _day_fields(day: dt.date, language: _Language) -> Mapping[str, str | int]:
    era, era_year = "", day.year
    for row in language.eras:
        if row.first_day <= day:
            era, era_year = row.name, day.year - row.offset
    return {
        "year": day.year,
        "month": day.month,
        "day": day.day,
        "mm": f"{day.month:02d}",
        "dd": f"{day.day:02d}",
        "month_name": language.months[day.month - 1],
        "mon": language.months_short[day.month - 1],
        "weekday": language.weekdays[day.weekday()],
        "wd": language.weekdays_short[day.weekday()],
        "era": era,
        "era_year": language.first_era_year if era_year == 1 and language.first_era_year else era_year,
        "era_yy": f"{era_year % 100:02d}",
    }


def _time_fields(clock: str, language: _Language) -> Mapping[str, str | int]:
    hour, minute = int(clock[:2]), int(clock[3:5])
    of_day = hour % 24
    return {
        "H": hour,
        "HH": f"{hour:02d}",
        "next": of_day,
        "next2": f"{of_day:02d}",
        "h": of_day % 12 or 12,
        "h0": of_day % 12,
        "h12": of_day - 12 if of_day > 12 else of_day,
        "m": minute,
        "mm": f"{minute:02d}",
        "half": language.noon if of_day == 12 and language.noon else language.day_halves[of_day >= 12],
        "part": next((word for first, word in reversed(language.day_parts) if first <= of_day), ""),
    }


def _mail_fields(moment: str, language: _Language) -> Mapping[str, str | int]:
    fields = {**_day_fields(_as_date(moment), language), **_time_fields(moment[11:16], language)}
    halves = language.mail.day_halves
    return {**fields, "half": halves[moment[11:13] >= "12"]} if halves else fields


def _row(table: Mapping[str, T], place: str, key: str) -> T:
    """Return `table[key]`, the first row for an empty key."""
    try:
        return table[key or next(iter(table))]
    except KeyError:
        raise WrongArgument(place, key, table) from None


def _plural(pattern: Pattern, number: Decimal, language: _Language) -> str:
    if isinstance(pattern, str):
        return pattern
    return pattern.get(_category(number, language.plural), pattern["other"])


def _category(number: Decimal, rule: str) -> str:
    """Return the CLDR plural category of `number`; fractions are always `other`."""
    if number == 1:
        return "one"
    if rule == "arabic" and number == number.to_integral_value():
        if number == 2:
            return "two"
        last_two = int(number) % 100
        if 3 <= last_two <= 10:
            return "few"
        if last_two >= 11:
            return "many"
    return "other"


def _in_myriads(number: int, language: _Language) -> str:
    """Write `number` by ten-thousands, e.g. 165000 as 16만 5,000."""
    parts: list[str] = []
    for unit in ("", *language.myriads):
        number, part = divmod(number, 10_000)
        if part:
            parts.append(f"{part:,}{unit}")
    return language.myriad_gap.join(reversed(parts)) or "0"


def _in_digits(text: str, language: _Language, style: str) -> str:
    own = language.digits.get(style)
    return text.translate(str.maketrans("0123456789,.", own)) if own else text
