"""What a firm wants to know before it quotes: how each fact is printed, and whether a message states it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.text.facts import mentions, states
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text
from agentbench_tasks.commons.texts import DateSlot, SentencesSlot, SlotValue, Text, TimeSlot
from agentbench_tasks.reservations.domain.evened import FILE, evened, number_pattern

TEXTS = "household"
_SIDES = ("from_", "to_")
_REACH = 30
"""Characters around a thing within which it is denied."""
_STOP = re.compile(r"[\n,.。、;]")
_TO = 12
"""Characters at most between the two ends of hours."""
_HALF_DAY = 4 * 60
_APART = re.compile(r"[\n,、，،;；。]")
_LABEL = re.compile(r"[^:]{0,14}:")
_NOT_IN_CODE = re.compile(r"[\s_-]+")


class QuoteFact(msgspec.Struct, frozen=True, gc=False):
    """A value of one of the keys that firms ask for.

    Counts, years and floors are numbers, what is or is not the case is a bool; the rest is text: `wall` of the closed
    lists, `9000 btu`, `bed,sofa`, `150x80x70`, `2026-10-15T09:00/11:00`, `09:00-17:00`, a day, a model.
    """

    key: str
    value: str | int | bool


def kind_of(key: str) -> str:
    """Return what kind of value a key has."""
    return shared_table(FILE)["kinds"][key]


def label(key: str, language: str) -> str:
    """Return what a key is called."""
    return shared_table(f"text/{language}/reservations_guides")["names"]["quote_keys"][key]


def fact_line(fact: QuoteFact, language: str) -> Text:
    """Return a fact as a line of a letter or a paper."""
    return Text.of(TEXTS, "lines.fact", language, label=label(fact.key, language), value=fact_words(fact, language))


def fact_words(fact: QuoteFact, language: str) -> SlotValue:
    """Return how a value is printed."""
    key, value = fact.key, fact.value
    match kind_of(key):
        case "count":
            return Text.of(TEXTS, f"counted.{key}", language, n=value)
        case "year":
            return Text.of(TEXTS, "lines.year", language, n=printed_year(int(value), language))
        case "floor":
            return Text.of(TEXTS, "lines.floor", language, n=value)
        case "yes_no":
            row = _table(language)["yes_no"][_base(key)]
            return row["yes"] if value else row["no"]
        case "choice":
            return _alternatives(_table(language)["choices"][key][str(value)])[0]
        case "items":
            names = (_alternatives(_table(language)["choices"]["item"][code])[0] for code in str(value).split(","))
            return shared_table(f"text/{language}/{TEXTS}")["lines"]["join"].join(names)
        case "measure":
            number, unit = str(value).split()
            return Text.of(TEXTS, "lines.measure", language, n=number, unit=_units(unit, language)[0])
        case "slot":
            day, (start, end) = _slot(str(value))
            return Text.of(
                TEXTS, "lines.slot", language, day=DateSlot(day, "month_day"), start=TimeSlot(start), end=TimeSlot(end)
            )
        case "day":
            return DateSlot(str(value))
        case "hours":
            pieces = (span.split("-") for span in str(value).split(","))
            return SentencesSlot(tuple(span_text(start, end, language) for start, end in pieces))
        case _:
            return str(value).replace("x", "×") if kind_of(key) == "sizes" else str(value)


def span_text(start: str, end: str, language: str) -> Text:
    """Return the hours from one time to another."""
    return Text.of(TEXTS, "lines.span", language, start=TimeSlot(start), end=TimeSlot(end))


def printed_year(year: int, language: str) -> int:
    """Return a year as papers of the language print it."""
    return year + shared_table(FILE)["printed_year"].get(language, 0)


def states_quote_fact(text: str, fact: QuoteFact, language: str, written_on: date) -> bool:
    """Whether a message in a language states the fact, in any words that a customer there would use."""
    match kind_of(fact.key):
        case "count":
            return _states_count(text, fact.key, int(fact.value), language)
        case "year":
            return _years(language, int(fact.value)).search(evened(text, language)) is not None
        case "floor":
            places = number_pattern(_table(language)["floor"], str(fact.value)).finditer(evened(text, language))
            return any(_on_side(evened(text, language), match, fact.key, language) for match in places)
        case "yes_no":
            return bool(fact.value) in _told(text, fact.key, language)
        case "choice":
            return _names_choice(text, fact.key, str(fact.value), language)
        case "items":
            return all(_names_choice(text, "item", code, language) for code in str(fact.value).split(","))
        case "measure":
            return _states_measure(text, str(fact.value), language)
        case "slot":
            day, (start, _) = _slot(str(fact.value))
            return (
                states(text, "date", day, written_on=written_on)
                and states(text, "time", start, written_on=written_on)
                and _begins(text, start, written_on)
            )
        case "day":
            return states(text, "date", str(fact.value), written_on=written_on)
        case "hours":
            told = [(first.values, last.values) for first, last in _hours(text, written_on) if last]
            spans = [span.split("-") for span in str(fact.value).split(",")]
            return all(any(opens in first and closes in last for first, last in told) for opens, closes in spans)
        case "sizes":
            return re.search(_sizes(str(fact.value)), evened(text, language)) is not None
        case "name":
            return fold(str(fact.value)) in fold(own_text(text))
        case _:
            return has_code(text, str(fact.value))


def _begins(text: str, clock: str, written_on: date) -> bool:
    """Whether hours of no more than half a day begin at a time, or it stands alone."""
    return any(
        clock in first.values and (last is None or _is_short(first, last)) for first, last in _hours(text, written_on)
    )


def _is_short(first: Mention, last: Mention) -> bool:
    return any(0 < _minutes(end) - _minutes(start) <= _HALF_DAY for start in first.values for end in last.values)


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _hours(text: str, written_on: date) -> list[tuple[Mention, Mention | None]]:
    """The times in a message, those that stand close together as the two ends of hours."""
    own = own_text(text)
    times = [one for one in mentions(own, written_on=written_on) if one.kind == "time"]
    found: list[tuple[Mention, Mention | None]] = []
    while times:
        first, *times = times
        between = own[first.end : times[0].start] if times else "\n"
        linked = len(between) <= _TO and _APART.search(between) is None
        found.append((first, times.pop(0) if linked else None))
    return found


def has_code(text: str, code: str) -> bool:
    """Whether a text has a model, code or reference; hyphens, blanks and width make no difference."""
    wanted = _NOT_IN_CODE.sub("", fold(code))
    parts = r"[\s_-]*".join(map(re.escape, wanted))
    return re.search(rf"(?<![a-z0-9]){parts}(?![a-z0-9])", fold(_hyphens(own_text(text)))) is not None


def _hyphens(text: str) -> str:
    return "".join("-" if unicodedata.category(sign) == "Pd" else sign for sign in text)


def _table(language: str) -> Mapping[str, Any]:
    return shared_table(FILE)[language]


def _base(key: str) -> str:
    """The key without the side of a move."""
    return key.removeprefix("from_").removeprefix("to_") if key.startswith(_SIDES) else key


def _alternatives(words: str) -> list[str]:
    return words.split("|")


def _slot(value: str) -> tuple[str, tuple[str, str]]:
    start, end = value.split("/")
    return start[:10], (start[11:], end)


def _states_count(text: str, key: str, number: int, language: str) -> bool:
    table, even = _table(language), evened(text, language)
    pattern = number_pattern(table["counts"][key], str(number))
    other = _pattern(table["not_count"])
    found = (match.start() for match in pattern.finditer(even))
    if any(key != "unit_count" or other.search(even[:at]) is None for at in found):
        return True
    dual = table.get("duals", {}).get(key) if number == 2 else None
    return dual is not None and _pattern(rf"(?<!\w){dual}(?!\w)").search(even) is not None


def _told(text: str, key: str, language: str) -> set[bool]:
    """What a message says of whether something is the case."""
    table = _table(language)
    # A label only asks: "parking possible or not: no".
    even = _pattern(table["whether"]).sub("", evened(text, language))
    thing = _pattern(table["yes_no"][_base(key)]["it"])
    places = (match for match in thing.finditer(even) if _on_side(even, match, key, language))
    return set(_denials(even, places, language))


def _denials(even: str, places: Iterator[re.Match[str]], language: str) -> Iterator[bool]:
    table = _table(language)
    for place in places:
        before = even[max(0, place.start() - _REACH) : place.start()]
        behind = even[place.end() : place.end() + _REACH]
        stop = _STOP.search(behind)
        behind = behind[: stop.start()] if stop else behind
        if _pattern(table["open"]).search(behind):
            continue
        if _pattern(table["no_before"]).search(before):
            yield False
        elif "yes_after" in table:  # the verb comes last: what is said first of the thing counts
            no, yes = _pattern(table["no_after"]).search(behind), _pattern(table["yes_after"]).search(behind)
            yield no is None or (yes is not None and yes.start() < no.start())
        elif colon := _LABEL.match(behind):
            yield _pattern(table["no"]).search(behind, colon.end()) is None
        else:
            yield _pattern(table["no_after"]).match(behind) is None


def _on_side(even: str, thing: re.Match[str], key: str, language: str) -> bool:
    """Whether what stands at a place is of the home that the key speaks of; of any, where a key names no side."""
    if not key.startswith(_SIDES):
        return True
    table, wanted, at = _table(language), key[: key.index("_") + 1], thing.start()
    # A particle behind it counts first, where the language has such.
    for side in _SIDES:
        after = table.get(f"{side}after")
        if after and _pattern(after).match(even, thing.end()):
            return side == wanted
    start = even.rfind("\n", 0, at) + 1
    end = even.find("\n", at)
    line = even[start : end if end >= 0 else len(even)]
    marks = [
        (abs(match.start() - (at - start)) + (_REACH if match.start() > at - start else 0), side)
        for side in _SIDES
        for match in _pattern(table[f"{side}side"]).finditer(line)
    ]
    return not marks or min(marks)[1] == wanted


def _names_choice(text: str, key: str, code: str, language: str) -> bool:
    folded = fold(own_text(text))
    if key != "item":  # a label that names the choices chooses none
        folded = folded.replace(fold(f"{label(key, language)}:"), " ")
    rows: Mapping[str, str] = _table(language)["choices"][key]
    words = [fold(word) for word in _alternatives(rows[code])]
    longer = {
        fold(other)
        for name, row in rows.items()
        if name != code
        for other in _alternatives(row)
        if any(word in fold(other) and word != fold(other) for word in words)
    }
    for other in sorted(longer, key=len, reverse=True):
        folded = folded.replace(other, " ")
    return any(_word(word).search(folded) for word in words)


@cache
def _word(word: str) -> re.Pattern[str]:
    bounded = rf"(?<![a-z0-9]){re.escape(word)}(?![a-z])" if word[0].isascii() else re.escape(word)
    return re.compile(bounded)


def _states_measure(text: str, value: str, language: str) -> bool:
    number, unit = value.split()
    words = "|".join(re.escape(fold(word)) for word in _units(unit, language))
    even = evened(text, language)
    if number_pattern(rf"{{n}}[ -]?(?:{words})(?![a-z])", number).search(even):
        return True
    if unit != "metre":
        return False
    return number_pattern("{n} ?(?:cm|센티|センチ|公分|ซม|سم)", f"{float(number) * 100:.0f}").search(even) is not None


def _units(unit: str, language: str) -> list[str]:
    return _alternatives(shared_table(FILE)["units"][unit][language])


@cache
def _years(language: str, year: int) -> re.Pattern[str]:
    pattern = fold(_table(language)["years"]).replace("{y}", rf"(?<![0-9]){year}").replace("{yy}", f"{year % 100:02}")
    return re.compile(re.sub(r"\{e(-?\d+)\}", lambda match: rf"(?<![0-9]){year - int(match[1])}", pattern))


def _sizes(value: str) -> str:
    return r"[^0-9\n]{1,10}".join(value.split("x"))


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(fold(pattern))
