"""Values as tools take and print them: times with a zone, money lines, dates, pages of rows and of text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Annotated, Literal, TypeVar

import msgspec
from pydantic import AfterValidator

from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.zones import to_local
from agentbench_tasks.commons.texts import Words, body_of

S = TypeVar("S")
T = TypeVar("T")
Language = Literal["any", "ko", "ja", "zh-Hant", "th", "ar", "en"]

ROW = "id"
"""What a list row that prints no fact shows of its record: `call.show(record.id, ROW)`."""


class Zoned(msgspec.Struct, frozen=True, gc=False):
    """An instant on the wire: the local reading and its IANA zone."""

    local: str
    zone: str


def zoned(instant: int, zone: str) -> Zoned:
    """Return the instant as tools print it."""
    return Zoned(to_local(instant, zone), zone)


class MoneyLineRow(msgspec.Struct, frozen=True, gc=False):
    """A money line as tools print it."""

    line_id: str
    code: str
    label: str
    qty: str
    unit_price: str
    amount: Amount
    source_id: str


class MoneyLine(msgspec.Struct, frozen=True, gc=False):
    """One line of a quote, bill or refund; the lines of a total add up to it exactly."""

    line_id: str
    code: str
    label: Words
    amount: Money
    source_id: str = ""
    qty: str = "1"
    unit_price: str = ""

    def wire(self) -> MoneyLineRow:
        """The line as tools print it."""
        label = body_of(self.label)
        return MoneyLineRow(
            self.line_id, self.code, label, self.qty, self.unit_price, self.amount.wire(), self.source_id
        )


def total(lines: Iterable[MoneyLine], currency: str) -> Money:
    """Return the sum of lines in `currency`."""
    amount = Money(0, currency)
    for line in lines:
        amount += line.amount
    return amount


class Done(msgspec.Struct, frozen=True):
    """What a call returns that has nothing to report."""

    status: str = "ok"


def _readable(text: str) -> str:
    if any(character < " " and character not in "\n\t" for character in text):
        raise ValueError("The text holds a control character")
    return text


Prose = Annotated[str, AfterValidator(_readable)]
"""Text that the assistant writes and that some tool prints again."""


def read_date(text: str, field: str) -> date:
    """Read an ISO date; refuse the call otherwise."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise ToolError("invalid_argument", field=field, hint="a date, YYYY-MM-DD")
    return day


def read_days(from_date: str, to_date: str, most: int) -> tuple[date, date]:
    """Read the days `from_date` to `to_date`, both included; refuse the call if they are more than `most`."""
    first, last = read_date(from_date, "from_date"), read_date(to_date, "to_date")
    if last < first:
        raise ToolError("invalid_argument", field="to_date", hint="not before from_date")
    if (last - first).days >= most:
        raise ToolError("range_too_long", field="to_date", hint=f"at most {most} days")
    return first, last


def json_length(value: object) -> int:
    """Return how many characters a value has as JSON."""
    return len(msgspec.json.encode(value).decode())


def fitting(
    records: Sequence[S], token: str, row: Callable[[S], T], most_rows: int, most_characters: int = 14_000
) -> tuple[list[T], str]:
    """Return the rows of one page, as many as fit into a result, and the token of the next page."""
    start = _place(token, len(records))
    rows: list[T] = []
    size = 0
    for record in records[start : start + most_rows]:
        printed = row(record)
        size += json_length(printed)
        if rows and size > most_characters:
            break
        rows.append(printed)
    return rows, _token(start + len(rows), len(records))


def text_page(text: str, token: str, most: int) -> tuple[int, int, str]:
    """Return start and end of one page of a long text, and the token of the next page."""
    start = _place(token, len(text))
    end = min(start + most, len(text))
    return start, end, _token(end, len(text))


def _place(token: str, length: int) -> int:
    start = int(token[1:]) if re.fullmatch("p[1-9][0-9]{0,8}", token) else 0
    if (token and not start) or (start and start >= length):
        raise ToolError("invalid_argument", field="page_token", hint="the next_page_token of the page before")
    return start


def _token(end: int, length: int) -> str:
    return f"p{end}" if end < length else ""
