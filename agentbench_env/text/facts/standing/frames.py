"""Texts with a letter for each mention, so that the rules of a language can be written as patterns over its clauses.

`Not on 5 May at 3 pm, but on the 6th.` becomes `not on D at T, but on D S`: `D` a day, `T` a time, `M` an amount, `I`
an id, `S` the end of a sentence, `Q` that of a question. All other letters are small.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from agentbench_env.text.facts.mentions import Mention

LETTERS = {"date": "D", "time": "T", "money": "M", "id": "I"}
_HIDDEN = {kind: chr(0xE000 + place) for place, kind in enumerate(LETTERS)}
_SHOWN = {ord(hidden): LETTERS[kind] for kind, hidden in _HIDDEN.items()}
_LETTER = re.compile("[DTMI]")
_END = re.compile("[SQ]")


class Rule(NamedTuple):
    """One way to void a value.

    The group `old` of the pattern is what falls. With a group `new` only the kinds found there fall (a day stays when
    its hour alone is moved); with `rival` another value of the kind must stand within three sentences, and `soft` rules
    do not count inside a condition. With `back` the pattern has no `old`: the nearest value of the kinds in `new` that
    stands before it falls, at most so many sentence ends away. With `choice`, `new` is what was taken of two or more
    values that were offered before: the others fall.
    """

    pattern: re.Pattern[str]
    rival: bool = False
    soft: bool = False
    back: int = -1
    choice: bool = False


class Grammar(NamedTuple):
    """What one language knows about values that do not stand.

    `fold` is applied to the text around the mentions, `ends` finds the sentence ends (a match with a question mark
    ends a question). `kept` patterns save their group `kept`. `record` is what stands before the day or amount of
    something that has happened and so gives way to nothing, `condition` what stands before a value in a condition,
    `pair` two values to choose from or a range. `chance` is found in a sentence, up to the new value in it, that tells
    of a change which comes only with some event: the present value stands.
    """

    fold: Callable[[str], str]
    ends: re.Pattern[str]
    rules: tuple[Rule, ...]
    kept: tuple[re.Pattern[str], ...]
    record: re.Pattern[str]
    condition: re.Pattern[str]
    pair: re.Pattern[str]
    chance: re.Pattern[str] | None = None


class Shape(NamedTuple):
    """A text with letters for its mentions, and the mention behind each letter by its place."""

    text: str
    at: dict[int, Mention]


def rule(pattern: str, *, rival: bool = False, soft: bool = False, back: int = -1, choice: bool = False) -> Rule:
    """Write a rule down."""
    return Rule(re.compile(pattern), rival, soft, back, choice)


def is_void(grammar: Grammar, text: str, mention: Mention, others: Sequence[Mention]) -> bool:
    """Whether a rule of the grammar voids the mention."""
    rest = (o for o in others if o.end <= mention.start or o.start >= mention.end)
    return mention in _voided(grammar, text, frozenset((mention, *rest)))


def shape(grammar: Grammar, text: str, mentions: Iterable[Mention]) -> Shape:
    """Write a text with a letter for each mention; of mentions that overlap, the first counts."""
    pieces: list[str] = []
    taken: list[Mention] = []
    done = 0
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end, m.kind)):
        if mention.start >= done:
            pieces += [text[done : mention.start], _HIDDEN[mention.kind]]
            taken.append(mention)
            done = mention.end
    folded = grammar.fold("".join([*pieces, text[done:]]))
    ended = grammar.ends.sub(lambda end: " Q " if re.search("[?？؟]", end[0]) else " S ", folded)
    shown = re.sub(r"\s+", " ", ended).strip().translate(_SHOWN)
    return Shape(shown, dict(zip((m.start() for m in _LETTER.finditer(shown)), taken, strict=True)))


@lru_cache(maxsize=512)
def _voided(grammar: Grammar, text: str, mentions: frozenset[Mention]) -> frozenset[Mention]:
    """Those of the mentions that fall, judged together: asked for each of them, the text is read once."""
    whole = shape(grammar, text, mentions)
    kept = {
        place
        for pattern in grammar.kept
        for match in _every(pattern, whole.text)
        for place in _letters(whole.text, match.span("kept"))
    }
    fallen = {place for rule in grammar.rules for place in _fallen(grammar, rule, whole)}
    # An amount that is turned down falls where it was named before, too.
    turned = {p for rule in grammar.rules if rule.soft for p in _fallen(grammar, rule, whole) if whole.text[p] == "M"}
    fallen |= {p for p in whole.at for last in turned if p < last and whole.at[p][:2] == whole.at[last][:2]}
    return frozenset(whole.at[place] for place in fallen - kept)


def _fallen(grammar: Grammar, rule: Rule, whole: Shape) -> set[int]:
    text = whole.text
    fallen: set[int] = set()
    for match in _every(rule.pattern, text):
        groups = match.groupdict()
        new = _letters(text, match.span("new")) if groups.get("new") else []
        if new and not rule.choice and _by_chance(grammar, text, match.start("new")):
            continue
        if rule.back >= 0:
            fallen |= _before(grammar, rule, whole, match.start("new"), new)
            continue
        if rule.choice:
            fallen |= _passed_over(grammar, whole, new)
            continue
        old = _letters(text, match.span("old"))
        if rule.soft and grammar.condition.search(text[: match.start("old")]):
            continue
        if new:
            old = [place for place in old if _rivals(whole, place, new)]
        else:
            near = [place for place in old if _rivals(whole, place, _around(text, old, 0 if not rule.rival else 3))]
            old = near if near or rule.rival else _slot(text, old)
        fallen.update(place for place in old if whole.at[place].kind != "id" or _rivals(whole, place, list(whole.at)))
    return fallen


def _by_chance(grammar: Grammar, text: str, start: int) -> bool:
    """Whether the value at `start` is to come only if something happens."""
    stop = max((end.end() for end in _END.finditer(text, 0, start)), default=0)
    return grammar.chance is not None and grammar.chance.search(text[stop:start].strip()) is not None


def _before(grammar: Grammar, rule: Rule, whole: Shape, start: int, new: list[int]) -> set[int]:
    """The values of the kinds in `new` that stand nearest before `start`, with the others of their range or choice."""
    text = whole.text
    found: set[int] = set()
    for kind in {text[place] for place in new}:
        rivals = [place for place in new if text[place] == kind]
        for place in sorted((p for p in whole.at if p < start and text[p] == kind), reverse=True):
            if len(_END.findall(text[place:start])) > rule.back:
                break
            left = text[:place]
            told = grammar.record.search(left) or grammar.condition.search(left)
            if not told and _rivals(whole, place, rivals):
                found.add(place)
                found.update(p for p in whole.at if p < place and grammar.pair.fullmatch(text[p : place + 1]))
                break
    return found


def _passed_over(grammar: Grammar, whole: Shape, taken: list[int]) -> set[int]:
    """The values that stood in a choice before one of them was taken."""
    fallen: set[int] = set()
    places = sorted(whole.at)
    for first, second in itertools.pairwise(places):
        if taken and second < taken[0] and grammar.pair.fullmatch(whole.text[first : second + 1]):
            for one, other in ((first, second), (second, first)):
                if any(set(whole.at[one].values) & set(whole.at[place].values) for place in taken):
                    fallen.update([other] if _rivals(whole, other, [one]) else [])
    return fallen


def _around(text: str, old: list[int], ends: int) -> list[int]:
    """The letters in the sentence of `old`, and up to so many sentences before and after."""
    if not old:
        return []
    stops = [match.start() for match in _END.finditer(text)]
    before = [stop for stop in stops if stop < old[0]]
    after = [stop for stop in stops if stop > old[-1]]
    start = before[-1 - ends] if len(before) > ends else 0
    end = after[ends] if len(after) > ends else len(text)
    return [place for place in _letters(text, (start, end)) if place not in old]


def _slot(text: str, old: list[int]) -> list[int]:
    """The value that falls where nothing stands against it: the first one, or a day with its hour."""
    return old[:2] if [text[place] for place in old[:2]] == ["D", "T"] else old[:1]


def _rivals(whole: Shape, place: int, others: Sequence[int]) -> bool:
    """Whether one of the others is of the same kind and has another value."""
    mine = whole.at[place]
    return any(
        whole.at[other].kind == mine.kind and not set(whole.at[other].values) & set(mine.values)
        for other in others
        if other != place
    )


def _letters(text: str, span: tuple[int, int]) -> list[int]:
    return [match.start() for match in _LETTER.finditer(text, *span)] if span[0] >= 0 else []


def _every(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    """All matches, those that overlap too."""
    found: list[re.Match[str]] = []
    match = pattern.search(text)
    while match:
        found.append(match)
        match = pattern.search(text, match.start() + 1)
    return found
