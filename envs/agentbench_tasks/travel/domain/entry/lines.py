"""Sentences of entry rules as pages print them, with the facts that they state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.texts import CountSlot, DateSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.entry.rules import (
    Country,
    Document,
    Item,
    Requirement,
    Row,
    Value,
    nationalities,
)

FILE = "entry"
Tail = Literal["scope_all", "scope_ordinary", "yields"]
PAGE: dict[Requirement, str] = {
    "visa_or_stay": "stay",
    "passport_validity": "validity",
    "prearrival": "arrival",
    "transit_permission": "transit",
}


class Line(msgspec.Struct, frozen=True, gc=False):
    """One sentence of rules and its surroundings: the kind of page section, of sentence, and of what follows it."""

    page: str
    rule: str
    tail: Tail = "scope_all"
    whom: Literal["some", "all", "rest"] = "all"
    names: tuple[str, ...] = ()
    value: Value = Value("")
    until: str = ""
    what: str = ""
    day: str = ""
    hours: int = 0
    stated: tuple[Stated, ...] = ()

    def stating(self, *facts: Stated) -> Line:
        """Return the line with further facts."""
        return msgspec.structs.replace(self, stated=self.stated + facts)


def of_row(country: Country, row: Row, tail: Tail) -> Line:
    """Return the line that states a row of the rules to all whom it concerns."""
    item, concerned = Item(country.code, row.requirement), country.concerned(row)
    rest = any(other.nationalities for other in country.rows if other.requirement == row.requirement)
    whom = "some" if row.nationalities or row.others else "rest" if rest else "all"
    names = row.nationalities + row.others
    line = Line(PAGE[row.requirement], row.kind, tail, whom, names, row.value, row.until)
    return line.stating(*_facts(item, concerned, row.value, row.until), *_tail_facts(item, tail))


def of_value(
    item: Item, kind: str, value: Value, nationality: str, tail: Tail, until: str = "", page: str = ""
) -> Line:
    """Return a line that states a value to one nationality, on a section of another kind if `page` names one."""
    line = Line(page or PAGE[item.requirement], kind, tail, "some", (nationality,), value, until)
    return line.stating(*_facts(item, (nationality,), value, until), *_tail_facts(item, tail))


def free_transit(item: Item, hours: int, value: Value, tail: Tail) -> Line:
    """Return the line on transit without immigration."""
    line = Line("transit", "transit_free", tail, hours=hours, value=value)
    return line.stating(*_facts(item, nationalities(), value, ""), *_tail_facts(item, tail))


def discretion(item: Item, tail: Tail) -> Line:
    """Return the line that leaves a requirement to the officer."""
    line = Line(PAGE[item.requirement], "discretion", tail, what=item.requirement)
    return line.stating(Stated(f"{item.about}.open", "discretion", "rule"), *_tail_facts(item, tail))


def revision(item: Item, day: str, tail: Tail) -> Line:
    """Return the line that announces new provisions from a day on."""
    line = Line("notice", "revision", tail, what=item.requirement, day=day)
    return line.stating(Stated(f"{item.about}.revised", day, "rule"), *_tail_facts(item, tail))


def _facts(item: Item, concerned: tuple[str, ...], value: Value, until: str) -> list[Stated]:
    facts = [Stated(item.key(nationality), str(value), "rule") for nationality in concerned]
    if until:
        facts += [Stated(f"{item.key(nationality)}.until", until, "rule") for nationality in concerned]
    return facts


def _tail_facts(item: Item, tail: Tail) -> list[Stated]:
    if tail == "yields":
        return [Stated(f"{item.about}.yields", True)]
    covered: Document = "ordinary" if tail == "scope_ordinary" else "emergency"
    return [Stated(f"{item.about}.covers", covered)]


def section_text(line: Line, country: str, language: str, variants: tuple[int, int], asof: DateSlot) -> Text:
    """Write a line in a language: the wording of the section and that of the sentence."""
    rule = rule_text(line, language, variants[1])
    name = country_name(country, language)
    if line.page in ("commercial", "forum"):
        slots: tuple[tuple[str, SlotValue], ...] = (("country", name), ("rule", rule))
    else:
        lead = Text(FILE, "leads.official", language, 0, (("country", name), ("asof", asof)))
        slots = (("lead", lead), ("rule", rule), ("tail", Text(FILE, f"tails.{line.tail}", language)))
    return Text(FILE, f"pages.{line.page}", language, variants[0], slots)


def rule_text(line: Line, language: str, variant: int) -> Text:
    """Write the sentence of a line."""
    table = shared_table(f"text/{language}/{FILE}")
    wanted = slot_names(table["rules"][line.rule]["variants"][variant])
    slots: dict[str, SlotValue] = {}
    for name in wanted:
        slots[name] = _slot(name, line, language, table)
    return Text(FILE, f"rules.{line.rule}", language, variant, tuple(slots.items()))


def _slot(name: str, line: Line, language: str, table: Mapping[str, Mapping[str, str]]) -> SlotValue:
    match name:
        case "who":
            joint = table["who"]["joint"].join(table["countries"][code] for code in line.names)
            return table["who"][line.whom].replace("{names}", joint)
        case "days":
            return CountSlot(int(line.value.number), "day")
        case "months":
            return CountSlot(int(line.value.number), "month")
        case "form":
            return line.value.form
        case "until":
            return DateSlot(line.until)
        case "date":
            return DateSlot(line.day)
        case "hours":
            return CountSlot(line.hours, "hour")
        case _:
            return table["what"][line.what]


def country_name(code: str, language: str) -> str:
    """Return a country's name in a language."""
    name: str = shared_table(f"text/{language}/{FILE}")["countries"][code]
    return name
