"""Ids in a text: order, ticket and invoice numbers, flights, booking codes."""

from __future__ import annotations

import re

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.plain import Plain, plain

# A token with a digit in it; what joins its parts belongs to it, so that A-12 is not in A-120 or in A-12-3.
_TOKEN = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z_-]*\d)[A-Za-z0-9]+(?:[-_/][A-Za-z0-9]+)*(?![A-Za-z0-9])")
# A bare year or a day in figures is no id that could take the place of another one.
_YEAR_OR_DAY = re.compile(r"20[123]\d|25[678]\d|\d{1,2}[/-]\d{1,2}(?:[/-]\d{2,4})?|\d{4}[/-]\d{1,2}[/-]\d{1,2}")


def ids(text: str) -> list[Mention]:
    """Find what looks like an id: letters and at least three digits, or more than one part."""
    even = plain(text)
    found: list[Mention] = []
    for token in _TOKEN.finditer(even.text):
        digits = sum(character.isdigit() for character in token[0])
        letters = any(character.isalpha() for character in token[0])
        year = _YEAR_OR_DAY.fullmatch(token[0]) is not None
        if not year and (digits >= 4 or (digits >= 2 and (letters or "-" in token[0]))):
            found.append(_mention(even, token[0], *token.span()))
    return found


def places(text: str, wanted: str) -> list[Mention]:
    """Find the id `wanted` as a whole."""
    even = plain(text)
    sought = plain(wanted).text.strip()
    if not sought or sought not in even.text:
        return []
    # A bare number is also no id where it is a part of a larger or finer one.
    more = r"|[.,]\d" if sought.isdigit() else ""
    whole = re.compile(
        rf"(?<![A-Za-z0-9])(?<![A-Za-z0-9][-_.]){re.escape(sought)}(?![A-Za-z0-9]|[-_][A-Za-z0-9]{more})"
    )
    return [_mention(even, sought, *match.span()) for match in whole.finditer(even.text)]


def _mention(even: Plain, value: str, start: int, end: int) -> Mention:
    return Mention("id", (value,), even.start(start), even.end(end))
