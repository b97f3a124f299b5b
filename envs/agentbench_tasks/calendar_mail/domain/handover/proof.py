"""The proof that the goal follows from the records: counted day by day and mail by mail, with nothing of the plot."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from agentbench_env.market import HolidayRow, load_market, market_table
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.events import Event
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.pages import Section

if TYPE_CHECKING:
    from agentbench_tasks.calendar_mail.domain.handover.build import Built


def prove(built: Built) -> None:
    """Find window, waiting matters and who decides them from the records; raise NoFit where the goal is another."""
    office = built.office
    user = office.user.contact
    window = _window(office.records, user, office.setting.market.code)
    absence = built.plot.absence
    if window != (absence.start.local, absence.end.local):
        raise NoFit(f"the records give {window}, the plot {absence}")
    goal = {matter.code: matter.owner.id for matter in built.matters if matter.owner is not None}
    found = _owners(office.records, user.id, built.colleague.id, office.setting.market.code)
    if found != goal:
        raise NoFit(f"the records give {found}, the plot {goal}")


def _window(records: Iterable[Record], user: Contact, market: str) -> tuple[str, str]:
    mails = [record for record in records if isinstance(record, Message) and "leave.first" in _facts(record)]
    last = _facts(max(mails, key=lambda mail: mail.sent_at))
    hours = {day.weekday: day.spans for day in user.working_week}
    rows = load_market(market).holidays(date(2026, 1, 1), date(2027, 1, 31))
    closed = {row.date for row in rows if _closes(row)}
    day = date.fromisoformat(str(last["leave.last"])) + timedelta(1)
    while day.isoweekday() not in hours or day in closed:
        day += timedelta(1)
    first = date.fromisoformat(str(last["leave.first"]))
    sections = [record for record in records if isinstance(record, Section)]
    noon = next(str(fact.value) for section in sections for fact in section.stated if fact.key == "half_day")
    begins = noon if last["leave.half"] else hours[first.isoweekday()][0][0]
    return f"{first}T{begins}", f"{day}T{hours[day.isoweekday()][0][0]}"


def _closes(row: HolidayRow) -> bool:
    return row.status == "confirmed" and "private" in row.applies_to


def _owners(records: Iterable[Record], user: str, colleague: str, market: str) -> dict[str, str]:
    """Return who decides each matter of which the last request to the user came after the last decision of anybody."""
    stated: list[tuple[int, str, Any]] = []
    writer: dict[str, str] = {}
    limits: list[tuple[int, str]] = []
    deputy = ""
    people = {record.address: record.id for record in records if isinstance(record, Contact)}
    for record in records:
        if isinstance(record, Message | Event | Section):
            for fact in record.stated:
                at = record.sent_at if isinstance(record, Message) else 1 << 40 if isinstance(record, Event) else 0
                kind, _, code = fact.key.partition(".")
                stated.append((at, fact.key, fact.value))
                if kind == "ask" and isinstance(record, Message):
                    writer[code] = people[record.sender.address]
                if kind == "limit":
                    limits.append((int(fact.value), code))
                if kind == "deputy":
                    deputy = str(fact.value)
    stated.sort(key=lambda fact: fact[0])
    at = {key: (when, value) for when, key, value in stated}
    row = next(row for row in market_table(market, "money")["consumption_tax"] if row["kind"] == "standard")
    found: dict[str, str] = {}
    for key, (when, asked) in at.items():
        kind, _, code = key.partition(".")
        if kind != "ask" or asked != user or at.get(f"decided.{code}", (0, ""))[0] > when:
            continue
        if f"agrees.{code}" in at:
            found[code] = str(at[f"agrees.{code}"][1])
            continue
        amount = Decimal(str(at.get(f"amount.{code}", (0, 0))[1]))
        if not at.get(f"includes_tax.{code}", (0, True))[1]:
            amount *= 1 + Decimal(row["pct"]) / 100
        person = next(person for limit, person in sorted(limits) if amount <= limit)
        found[code] = deputy if person == colleague == writer[code] else person
    return found


def _facts(mail: Message) -> dict[str, Any]:
    return {fact.key: fact.value for fact in mail.stated}
