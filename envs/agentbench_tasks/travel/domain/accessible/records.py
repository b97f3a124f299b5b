"""Keys and places of what listings state: one line of a text states one fact.

A key names what it is about, a house or a room, and the kind of need; a measure of a frame instead of the clear
opening, a statement of conformity, or praise has a key of its own.
"""

from __future__ import annotations

from agentbench_env.text.template import Span
from agentbench_tasks.commons.texts import LinesSlot, Text, render, say
from agentbench_tasks.travel.domain.records_stays import ListingSection

FRAME = "frame"
CONFORMS = "conforms"
PRAISE = "praise"
FULL_STOPS = ".。．"


def key_of(subject: str, kind: str) -> str:
    """The key of what is stated of a house or room."""
    return f"{subject}.{kind}"


def kind_of(key: str) -> tuple[str, str]:
    """Return the kind that a key is about, and `frame` where it is about the frame; the subject is left out."""
    kind, _, rest = key.partition(".")[2].partition(".")
    return kind, rest


def lines_of(section: ListingSection) -> list[tuple[Text, Span]]:
    """Return the lines of a section in the order of its facts, each with where it stands in the body."""
    if not isinstance(section.text, Text):
        return []
    slot = dict(section.text.slots).get("lines")
    if not isinstance(slot, LinesSlot):
        return []
    place = render(section.text).spans["lines"][0]
    found: list[tuple[Text, Span]] = []
    for line in slot.lines:
        (text,) = line
        assert isinstance(text, Text)
        length = len(say(text, section.language))
        found.append((text, (place, place + length)))
        place += length + 1
    return found


def fact_span(section: ListingSection, key: str) -> Span:
    """Return where a section states a fact: the measure in its line or, where there is none, the line itself."""
    keys = [fact.key for fact in section.stated]
    text, (start, end) = lines_of(section)[keys.index(key)]
    inside = render(text).spans.get("measure")
    if inside is not None:
        return start + inside[0], start + inside[1]
    line = render(text).body
    return start, end - (len(line) - len(line.rstrip(FULL_STOPS)))
