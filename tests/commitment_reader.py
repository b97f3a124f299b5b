"""Reads the mails of an audit as a person does: from their own words, senders and dates alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.text import render as writing
from agentbench_env.text.korean import particle
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import body_of

BOTH = ("을(를)", "은(는)", "이(가)")
SLOT = re.compile(r"\\{(\w+)\\}")
SILENT = ("kickoff", "info", "for_project", "robot_promise", "robot_plain", "robot_hostile")
"""Kinds that say nothing about a single promise."""


class Reading(NamedTuple):
    """What a mail says: its kind, the thing that it is about, by when, and who is to take over."""

    kind: str
    item: str
    when: str
    name: str


@cache
def patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The sentences of a language as expressions, by kind."""
    table: Any = shared_table(f"text/{language}/commitments")
    items = {family: table[family] for family in ("docs", "tasks")}
    rows = [(kind, text) for kind, row in table["mails"].items() if kind not in SILENT for text in row["variants"]]
    # A mail under a subject that says nothing names its project in a second sentence.
    project = "|".join(SLOT.sub(".+?", re.escape(text)) for text in table["mails"]["for_project"]["variants"])
    tail = f"(?:\\s*(?:{project}))?"
    return tuple((kind, re.compile(_pattern(text, kind, items, table["conditions"], tail))) for kind, text in rows)


def _pattern(text: str, kind: str, items: Any, conditions: Any, tail: str) -> str:
    families = [kind.rpartition("_")[2]] if kind.endswith(("_docs", "_tasks")) else list(items)
    names = {
        "particle": ("ครับ", "ค่ะ"),
        "ask": ("ครับ", "คะ"),
        "me": ("ผม", "ดิฉัน"),
        "item": [word for family in families for word in items[family].values()],
        "condition": list(conditions.values()),
    }
    escaped = re.escape(text)
    for both in BOTH:
        forms = "|".join({particle("가", both), particle("각", both)})
        escaped = escaped.replace(re.escape(both), f"(?:{forms})")

    def group(match: re.Match[str]) -> str:
        slot = match[1]
        words = names.get(slot)
        inside = "|".join(sorted(map(re.escape, words), key=len, reverse=True)) if words else ".+?"
        return f"(?P<{slot}>{inside})" if slot in ("item", "when", "name") else f"(?:{inside})"

    return f"(?m)^{SLOT.sub(group, escaped)}{tail}$"


def read(mail: Message) -> set[Reading]:
    """Return all that a mail's own words can be taken for."""
    found: set[Reading] = set()
    for kind, pattern in patterns(mail.language):
        for match in pattern.finditer(body_of(mail.body)):
            groups = match.groupdict()
            when = groups.get("when", "")
            if not when or _forms(when, mail.language):
                found.add(Reading(kind, groups["item"], when, groups.get("name", "")))
    return found


@cache
def _forms(when: str, language: str) -> tuple[tuple[str, str], ...]:
    """The forms that a phrase can be one of, each with what stands in its slot."""
    table: Any = shared_table(f"text/{language}/commitments")["when"]
    found: dict[tuple[str, str], None] = {}
    for form, row in table.items():
        for text in row["variants"]:
            match = re.fullmatch(SLOT.sub("(?P<x>.+?)", re.escape(text)), when)
            if match and _fits(form, slot := match.groupdict().get("x", ""), language):
                found[form, slot] = None
    return tuple(found)


def _fits(form: str, slot: str, language: str) -> bool:
    match form:
        case "date":
            return slot in _dates(language)
        case "weekday":
            return slot in _weekdays(language)
        case "working":
            return slot.isdecimal()
        case _:
            return True


@cache
def _dates(language: str) -> dict[str, str]:
    styles = shared_table(f"text/{language}/commitments")["form"]["date_styles"]
    days = [date(2026, 1, 1) + timedelta(n) for n in range(365)]
    return {writing.date(day, language, style): day.isoformat() for day in days for style in styles}


@cache
def _weekdays(language: str) -> dict[str, int]:
    week = [date(2026, 1, 5) + timedelta(n) for n in range(7)]
    return {
        writing.weekday(day, language, style): n  # type: ignore[arg-type]
        for style in ("long", "short")
        for n, day in enumerate(week)
    }


def days_of(when: str, mail: Message, country: str) -> set[str]:
    """The days that a phrase can mean where and when its mail was written; "" for no day."""
    return set(_days(when, mail, country))


def _days(when: str, mail: Message, country: str) -> Iterator[str]:
    written = date.fromisoformat(to_local(mail.sent_at, mail.zone)[:10])
    monday = written - timedelta(written.weekday())
    for form, slot in _forms(when, mail.language):
        match form:
            case "none":
                yield ""
            case "date":
                yield _dates(mail.language)[slot]
            case "tomorrow" | "day_after":
                yield (written + timedelta(1 if form == "tomorrow" else 2)).isoformat()
            case "weekday":
                yield (monday + timedelta(_weekdays(mail.language)[slot])).isoformat()
            case "next_monday":
                yield (monday + timedelta(7)).isoformat()
            case "month_end":
                yield ((written.replace(day=28) + timedelta(4)).replace(day=1) - timedelta(1)).isoformat()
            case _:
                yield working_days(country).add_open(written, int(slot)).isoformat()
