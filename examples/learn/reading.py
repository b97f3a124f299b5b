"""What an episode has shown so far, as values to point at and facts to go by. Everything here comes from observations.

The reading of English is given, not learnt: dates, times and numbers of people become values, and deadlines in a text
become moments. Which of them is meant is for the policy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

FIND, PAGE, DRAFT, CHANGE = (
    "booking_find_reservations",
    "venue_get_page",
    "msg_save_draft",
    "booking_change_reservation",
)
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
DAY = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)})[a-z]*")
CLOCK = re.compile(r"\b(\d{1,2})(?:[:.](\d\d))? ?(am|pm)\b")
PEOPLE = re.compile(r"\b(\d+) people\b")
HOURS_BEFORE = re.compile(r"(\d+) hours before")
DAYS_BEFORE = re.compile(r"by (\d{1,2}(?:[:.]\d\d)? ?[ap]m)(?: on the day|, (\d+) days) before")
UP_TO, OR_MORE = re.compile(r"up to (\d+) guests"), re.compile(r"(\d+) or more guests")
FACT = re.compile(r"[a-z][a-z_]{0,29}")
AMOUNT = re.compile(r"-?\d+(\.\d+)?")


class Deadline(NamedTuple):
    """A sentence that names a deadline, and the moment that it comes to for a booking."""

    moment: str
    sentence: str
    fits: bool
    """Whether the section that it stands in is about bookings of this size, with or without a set menu."""


class Reading:
    """The brief and all results so far.

    Args:
        brief: the first observation's content.
    """

    def __init__(self, brief: str) -> None:
        body = json.loads(brief)
        self.request: str = body["request"]
        self.now: str = body["now"]["local"]
        self.words = stems(self.request)
        self.days = [self._date(found) for found in DAY.finditer(self.request)]
        self.clocks = [clock_of(found[0]) for found in CLOCK.finditer(self.request)]
        self.people = [int(found[1]) for found in PEOPLE.finditer(self.request)]
        self.bookings: dict[str, dict[str, Any]] = {}
        """By id, each as it was shown last."""
        self.pages: dict[str, list[str]] = {}
        """The texts of the sections of a page, by its id."""
        self.draft_id = ""
        self.last_tool = ""
        self._facts: dict[str, list[str]] = {}

    def see(self, tool: str, content: str) -> None:
        """Take a result of a tool."""
        result = json.loads(content)
        self.last_tool = tool
        told = [f"error={result['error']}"] if "error" in result else list(facts_of(result))
        self._facts[tool] = ["called", *told]
        for row in [*result.get("reservations", ()), result]:
            if "reservation_id" in row and "start" in row:
                self.bookings[row["reservation_id"]] = row
        if "sections" in result:
            self.pages[result["page"]["page_id"]] = [section["text"] for section in result["sections"]]
        self.draft_id = result.get("draft_id", self.draft_id)

    def facts(self, booking: dict[str, Any] | None) -> list[str]:
        """Return what is known now: short values of the last result of each tool and of the booking in question."""
        known = [f"last={self.last_tool}"]
        known += [f"{tool}:{fact}" for tool, told in self._facts.items() for fact in told]
        return known + ([f"booking:{fact}" for fact in facts_of(booking)] if booking else [])

    def contact(self, booking: dict[str, Any]) -> str:
        """Return what the terms of a booking say in a line on changing and cancelling."""
        lines = [line for text in self.pages.get(booking["terms_page_id"], ()) for line in text.split("\n")]
        return next((line for line in lines if {"chang", "cance"} <= stems(line)), "")

    def deadlines(self, booking: dict[str, Any]) -> list[Deadline]:
        """Return the deadlines in the terms of a booking, for its time as it stands."""
        start = datetime.fromisoformat(booking["start"]["local"])
        found: dict[Deadline, None] = {}
        for text in self.pages.get(booking["terms_page_id"], ()):
            fits = _fits(text.split("\n")[0], booking)
            for sentence in re.split(r"\n|(?<=[.:]) ", text):
                if moment := _moment(sentence, start):
                    found[Deadline(moment.isoformat(timespec="minutes"), sentence, fits)] = None
        return list(found)

    def _date(self, found: re.Match[str]) -> str:
        """The next such day from today on."""
        year, month, day = int(self.now[:4]), MONTHS.index(found[2]) + 1, int(found[1])
        return next(date for date in (f"{y}-{month:02}-{day:02}" for y in (year, year + 1)) if date >= self.now[:10])


def stems(text: str) -> set[str]:
    """Return the words of a text, each cut to its first letters."""
    return {word[:5] for word in re.findall(r"[a-z]+", text.lower())}


def clock_of(text: str) -> str:
    """Read `7:30 pm` as `19:30`."""
    found = CLOCK.fullmatch(text)
    assert found
    return f"{int(found[1]) % 12 + 12 * (found[3] == 'pm'):02}:{found[2] or '00'}"


def facts_of(value: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield a record's flags, codes and whether its amounts are nothing, e.g. `charge.amount=0`."""
    for key, one in value.items():
        if key.endswith("_id"):
            continue
        if isinstance(one, dict):
            yield from facts_of(one, f"{prefix}{key}.")
        elif isinstance(one, bool) or (isinstance(one, str) and FACT.fullmatch(one)):
            yield f"{prefix}{key}={one}"
        elif key == "amount" and AMOUNT.fullmatch(one):
            yield f"{prefix}{key}={'some' if float(one) else '0'}"


def _moment(sentence: str, start: datetime) -> datetime | None:
    if found := HOURS_BEFORE.search(sentence):
        return start - timedelta(hours=int(found[1]))
    if found := DAYS_BEFORE.search(sentence):
        day = start - timedelta(days=int(found[2] or 1))
        return datetime.fromisoformat(f"{day:%Y-%m-%d}T{clock_of(found[1])}")
    return None


def _fits(head: str, booking: dict[str, Any]) -> bool:
    size = booking["party_size"]
    most, least = UP_TO.search(head), OR_MORE.search(head)
    menu = "without a set menu" not in head if booking["course_id"] else "with a set menu" not in head
    return menu and not (most and size > int(most[1])) and not (least and size < int(least[1]))
