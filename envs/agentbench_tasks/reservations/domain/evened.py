"""Text of a message with every number in digits, so that one pattern finds a fact in whatever words it is told."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from agentbench_env.market import shared_table
from agentbench_env.text.facts.figures import figures
from agentbench_env.text.facts.plain import plain
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text

FILE = "lexicons/quote_facts"
_WITH_LETTER = re.compile(r"[0-9.,]+ ?[a-z]")


@lru_cache(maxsize=256)
def evened(text: str, language: str) -> str:
    """Return the writer's own words folded line by line, with digits for ordinals and numbers in words."""
    return "\n".join(_line(line, language) for line in own_text(text).splitlines())


def _line(line: str, language: str) -> str:
    line = fold(line)
    ordinals = _ordinals(language)
    if ordinals:
        numbers = {word: str(place) for place, word in enumerate(_words(language), 1)}
        line = ordinals.sub(lambda match: numbers[match[0]], line)
    even = plain(line).text
    pieces: list[str] = []
    at = 0
    for figure in figures(even):
        written = even[figure.start : figure.end]
        # A letter behind digits is a unit here: 2.4m is a height.
        if figure.start >= at and len(set(figure.values)) == 1 and not _WITH_LETTER.fullmatch(written):
            pieces += (even[at : figure.start], f"{figure.values[0].normalize():f}")
            at = figure.end
    return fold("".join((*pieces, even[at:])))


@cache
def _ordinals(language: str) -> re.Pattern[str] | None:
    words = sorted(_words(language), key=len, reverse=True)
    behind: str = shared_table(FILE)["ordinals_before"].get(language, r"(?!\w)")
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)}){fold(behind)}") if words else None


@cache
def _words(language: str) -> tuple[str, ...]:
    return tuple(fold(word) for word in shared_table(FILE)["ordinals"].get(language, ()))


@cache
def number_pattern(pattern: str, number: str) -> re.Pattern[str]:
    """Return a pattern of the lexicon for a number, which is no part of a larger or finer one."""
    return re.compile(fold(pattern).replace("{n}", rf"(?<![0-9])(?<![0-9][.:-]){re.escape(number)}(?![0-9]|[.:][0-9])"))
