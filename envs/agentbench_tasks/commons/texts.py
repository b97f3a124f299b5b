"""Texts of the world: which wording with which slots, rendered only when read and the same each time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, TypeAlias

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.text import render as writing
from agentbench_env.text.template import Span, fill, slot_names


class DateSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A day, in a style of the language ("": its first one)."""

    iso: str
    style: str = ""


class RangeSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The days from `first` to `last`."""

    first: str
    last: str
    style: str = ""


class TimeSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A time of day, HH:MM."""

    clock: str
    style: str = ""


class ServiceSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A time of a service, HH:MM with hours 00 to 29."""

    clock: str
    style: str = ""


class MomentSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A local date and time, YYYY-MM-DDTHH:MM."""

    local: str
    date_style: str = ""
    time_style: str = ""


class DurationSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A length of time."""

    minutes: int


class CountSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A number with its unit: one that counts (day, night, hour, person) or a key of `units` in the common texts."""

    number: int
    unit: str


class NameSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """A name by language; a language without one uses the first."""

    names: tuple[tuple[str, str], ...]


class LinesSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Lines one below the other, each a row of pieces."""

    lines: tuple[tuple[SlotValue, ...], ...]


class SentencesSlot(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Sentences one after the other, as the language joins them."""

    sentences: tuple[SlotValue, ...]


class Text(msgspec.Struct, frozen=True, gc=False, tag=True, cache_hash=True):
    """A wording of `text/<language>/<file>.toml` and what stands in its slots.

    `kind` is the path inside the file (`pages.baggage`), `variant` the number of the wording where there are several.
    A text may stand in a slot of another; its body is what is put there.
    """

    file: str
    kind: str
    language: str
    variant: int = 0
    slots: tuple[tuple[str, SlotValue], ...] = ()

    @classmethod
    def of(cls, file: str, kind: str, language: str, variant: int = 0, **slots: SlotValue) -> Text:
        """Make a text with the slots as keywords."""
        return cls(file, kind, language, variant, tuple(slots.items()))

    @classmethod
    def fitting(cls, file: str, kind: str, language: str, variant: int = 0, **offered: SlotValue) -> Text:
        """Make a text with those of the offered slots that its wording uses."""
        names = wording_slots(file, kind, language, variant)
        return cls(file, kind, language, variant, tuple([(name, offered[name]) for name in names if name in offered]))


SlotValue: TypeAlias = (
    str
    | int
    | Money
    | DateSlot
    | RangeSlot
    | TimeSlot
    | ServiceSlot
    | MomentSlot
    | DurationSlot
    | CountSlot
    | NameSlot
    | LinesSlot
    | SentencesSlot
    | Text
)
Words: TypeAlias = str | Text


class Rendered(msgspec.Struct, frozen=True):
    """A text as it is read: title or subject, heading, body, and where each slot stands in the body.

    What stands inside a slot has a path: `orders.food` is the slot `food` of the text in `orders`, `lines.2` the third
    line in `lines`, `lines.2.food` the slot `food` of a text in it.
    """

    title: str
    heading: str
    body: str
    spans: Mapping[str, Span]


class Stated(msgspec.Struct, frozen=True, gc=False):
    """A fact that a text states, and the slot in which it does ("": the text as a whole, or a field beside it).

    The slot may be a path, as `Rendered` has them.
    """

    key: str
    value: str | int | bool
    slot: str = ""


@lru_cache(maxsize=8192)
def render(text: Text) -> Rendered:
    """Render a text."""
    wording = _wording(text)
    if isinstance(wording, str):
        wording = {"body": wording}
    slots = {name: say(value, text.language) for name, value in text.slots}
    body, spans = fill(wording["text"] if "text" in wording else wording["body"], slots)
    for name, value in text.slots:
        start = spans[name][0]
        for path, (first, last) in _places(value, text.language).items():
            spans[f"{name}.{path}"] = (start + first, start + last)
    return Rendered(wording.get("title", wording.get("subject", "")), wording.get("heading", ""), body, spans)


@cache
def wording_slots(file: str, kind: str, language: str, variant: int = 0) -> tuple[str, ...]:
    """Return the names of the slots of a wording."""
    wording = _wording(Text(file, kind, language, variant))
    if isinstance(wording, Mapping):
        wording = wording["text"] if "text" in wording else wording["body"]
    return slot_names(wording)


def _wording(text: Text) -> Any:
    found: Any = shared_table(f"text/{text.language}/{text.file}")
    for part in text.kind.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise WrongArgument(f"text kind in {text.language}/{text.file}", text.kind, found)
        found = found[part]
    if isinstance(found, Mapping) and "variants" in found:
        return found["variants"][text.variant]
    return found


def say(value: SlotValue, language: str) -> str:
    """Write a slot's value in a language."""
    match value:
        case str():
            return value
        case int():
            return str(value)
        case Money(minor, currency):
            return writing.money(minor, currency, language)
        case DateSlot(iso, style):
            return writing.date(iso, language, style)
        case RangeSlot(first, last, style):
            return writing.date_range(first, last, language, style)
        case TimeSlot(clock, style):
            return writing.time(clock, language, style)
        case ServiceSlot(clock, style):
            return writing.service_time(clock, language, style)
        case MomentSlot(local, date_style, time_style):
            return writing.date_time(local, language, date_style, time_style)
        case DurationSlot(minutes):
            return writing.duration(minutes, language)
        case CountSlot(number, "minute" | "hour" | "day" | "night" | "week" | "month" | "year" | "person" as unit):
            return writing.count(number, unit, language)
        case CountSlot(number, unit):
            return _counted(number, unit, language)
        case NameSlot(names):
            return dict(names).get(language, names[0][1])
        case LinesSlot(lines):
            return "\n".join("".join(say(piece, language) for piece in line) for line in lines)
        case SentencesSlot(sentences):
            return _sentence_join(language).join(say(sentence, language) for sentence in sentences)
        case Text():
            return render(value).body


def _places(value: SlotValue, language: str) -> Mapping[str, Span]:
    """Where the pieces of a slot's value stand in it, by their path."""
    match value:
        case Text():
            return render(value).spans
        case LinesSlot(rows):
            gap = 1
        case SentencesSlot(sentences):
            rows, gap = [(sentence,) for sentence in sentences], len(_sentence_join(language))
        case _:
            return {}
    spans: dict[str, Span] = {}
    place = 0
    for number, row in enumerate(rows):
        begin = place
        for piece in row:
            for path, (first, last) in _places(piece, language).items():
                spans[f"{number}.{path}"] = (place + first, place + last)
            place += len(say(piece, language))
        spans[str(number)] = (begin, place)
        place += gap
    return spans


def _sentence_join(language: str) -> str:
    return shared_table(f"text/{language}/common")["form"]["sentence_join"]


def _counted(number: int, unit: str, language: str) -> str:
    form: str = shared_table(f"text/{language}/common")["units"][unit]
    return form.replace("{n}", str(number))


def title_of(words: Words) -> str:
    """The title or subject: a plain text is one itself."""
    return words if isinstance(words, str) else render(words).title


def body_of(words: Words) -> str:
    """The body: a plain text is one itself."""
    return words if isinstance(words, str) else render(words).body


def span_of(words: Words, fact: Stated) -> Span:
    """Return where the body states a fact."""
    if isinstance(words, str) or not fact.slot:
        return 0, len(body_of(words))
    return render(words).spans[fact.slot]


def keys_between(words: Words, stated: Iterable[Stated], start: int, end: int) -> tuple[str, ...]:
    """Return the keys of the facts whose statement ends in `[start, end)` of the body, or stands beside the text.

    What stands beside the text, in the fields of the record, is printed with its beginning.
    """
    return tuple(fact.key for fact in stated if (start < span_of(words, fact)[1] <= end if fact.slot else start == 0))
