"""Where a mention stands in a Korean, Japanese or Chinese text: its sentence, its neighbours, what follows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from agentbench_env.text.facts.mentions import Mention

_END = re.compile(r"[。．！？!?\n]+|\.(?![\w.])|(?<=[ㅋㅎㅠㅜ])\s(?![ㅋㅎㅠㅜ])|…+\s")
_ARROW = re.compile(r"\s*(?:에서|から|由|從)?\s*(?:→|⇒|➡️?|▶|⟶|=>|-{1,2}>|≫|»)\s*")
_SLOT = re.compile(r"\s*(?:[(（][^()（）\n]{0,6}[)）])?\s*(?:의|の|的|에|、|,|,)?\s*(?:[a-zA-Z가-힣]{2,4} 시간 )?")
# What may stand between a value and the particle or verb that rules it: a weekday in brackets, a part of the day.
SKIP = (
    r"[\s*_~」』”’\"']*(?:[(（][^()（）\n]{0,14}[)）])?[\s*_」』”’\"']*"
    r"(?:오전|오후|아침|점심|저녁|밤|새벽|쯤|경|정도|정각|짜리|午前中?|午後|朝|昼|夜|夕方|ごろ|頃|ちょうど"
    r"|上午|下午|中午|早上|晚上|晚間|左右|整)?[\s*_]*"
)


@dataclass(frozen=True)
class Setting:
    """A mention among the others of its text."""

    text: str
    mention: Mention
    others: tuple[Mention, ...]
    joint: re.Pattern[str]

    @cached_property
    def sentence(self) -> tuple[int, int]:
        """Start and end of the sentence the mention stands in."""
        start, end = 0, len(self.text)
        for stop in _END.finditer(self.text):
            if stop.end() <= self.mention.start:
                start = stop.end()
            elif stop.start() >= self.mention.end:
                end = stop.end() if stop.group().strip() else stop.start()
                break
        return start, end

    @cached_property
    def run(self) -> tuple[int, int]:
        """Span of the slot or list that the mention is part of: a day with its hour, values joined by *and* or *or*."""
        start, end = self.mention.start, self.mention.end
        for other in self.others:
            if other.start >= end and self._joined(self.text[end : other.start], other, forward=True):
                end = other.end
        for other in reversed(self.others):
            if other.end <= start and self._joined(self.text[other.end : start], other, forward=False):
                start = other.start
        return start, end

    def _joined(self, gap: str, other: Mention, *, forward: bool) -> bool:
        kinds = (self.mention.kind, other.kind) if forward else (other.kind, self.mention.kind)
        if kinds == ("date", "time") and _SLOT.fullmatch(gap):
            return True
        if not forward and kinds != ("date", "time"):
            return False
        return other.kind != "money" and self.joint.fullmatch(gap) is not None

    @cached_property
    def head(self) -> str:
        """The sentence before the slot."""
        return self.text[self.sentence[0] : self.run[0]]

    @cached_property
    def lead(self) -> str:
        """The sentence before the slot, from the last mention of the same kind on."""
        starts = [o.end for o in self.others if o.end <= self.run[0] and o.kind == self.mention.kind]
        return self.text[max([self.sentence[0], *starts]) : self.run[0]]

    @cached_property
    def tail(self) -> str:
        """The sentence after the slot."""
        return self.text[self.run[1] : self.sentence[1]]

    @cached_property
    def close(self) -> str:
        """The sentence after the slot, as far as the next mention of any kind."""
        ends = [o.start for o in self.others if o.start >= self.run[1]]
        return self.text[self.run[1] : min([self.sentence[1], *ends])]

    @cached_property
    def near(self) -> str:
        """The sentence after the slot, as far as the next mention of the same kind."""
        ends = [o.start for o in self.others if o.start >= self.run[1] and o.kind == self.mention.kind]
        return self.text[self.run[1] : min([self.sentence[1], *ends])]

    @cached_property
    def peers(self) -> tuple[Mention, ...]:
        """Mentions of the same kind with another value, in the order of the text."""
        mine = set(self.mention.values)
        return tuple(o for o in self.others if o.kind == self.mention.kind and not mine & set(o.values))

    @cached_property
    def later(self) -> tuple[Mention, ...]:
        """Peers after the slot in the same sentence."""
        return tuple(o for o in self.peers if self.run[1] <= o.start < self.sentence[1])

    @cached_property
    def earlier(self) -> tuple[Mention, ...]:
        """Peers before the slot in the same sentence."""
        return tuple(o for o in self.peers if self.sentence[0] <= o.start and o.end <= self.run[0])

    @cached_property
    def following(self) -> tuple[str, ...]:
        """The next two sentences."""
        start, found = self.sentence[1], list[str]()
        for stop in _END.finditer(self.text, start):
            if self.text[start : stop.start()].strip():
                found.append(self.text[start : stop.end()])
            start = stop.end()
            if len(found) == 2:
                return tuple(found)
        return (*found, self.text[start:]) if self.text[start:].strip() else tuple(found)

    def after(self, peer: Mention) -> str:
        """The text after a peer, as far as the end of its sentence."""
        end = peer.end
        for other in self.others:
            if other.start >= end and (peer.kind, other.kind) == ("date", "time"):
                if _SLOT.fullmatch(self.text[end : other.start]):
                    end = other.end
                break
        stop = _END.search(self.text, end)
        return self.text[end : stop.end() if stop else len(self.text)]

    def between(self, peer: Mention) -> str:
        """The text between the slot and a later peer, or a former peer and the slot."""
        if peer.start >= self.run[1]:
            return self.text[self.run[1] : peer.start]
        return self.text[peer.end : self.run[0]]

    def soon(self) -> tuple[Mention, ...]:
        """Peers in the next two sentences."""
        end = self.sentence[1] + sum(map(len, self.following)) + 4
        return tuple(o for o in self.peers if self.sentence[1] <= o.start < end)

    @cached_property
    def hour_only(self) -> bool:
        """Whether the mention is a day whose hour alone gives way to another hour."""
        if self.mention.kind != "date":
            return False
        rest = [o for o in self.others if o.start >= self.mention.end and o.kind != "money"]
        if not rest or rest[0].kind != "time" or rest[0].end > self.run[1]:
            return False
        beyond = [o for o in rest if o.start >= self.run[1]]
        return bool(beyond) and beyond[0].kind == "time"

    def said(self) -> str:
        """The words of the mention itself."""
        return self.text[self.mention.start : self.mention.end]


def setting(text: str, mention: Mention, others: Sequence[Mention], joint: re.Pattern[str]) -> Setting:
    """The setting of a mention; `joint` is what may join the values of a list."""
    rest = {o for o in others if o.end <= mention.start or o.start >= mention.end}
    return Setting(text, mention, tuple(sorted(rest, key=lambda o: (o.start, o.end))), joint)


def struck(place: Setting) -> bool:
    """Whether the value is struck out, or an arrow leads from it to another of its kind."""
    before, after = place.text[: place.mention.start], place.text[place.mention.end :]
    if re.search(r"~~[^~\n]*$", before) and re.match(r"[^~\n]*~~", after) and before.count("~~") % 2:
        return True
    for peer in place.later:
        gap = place.text[place.run[1] : peer.start]
        if _ARROW.match(re.sub(rf"^{SKIP}", "", gap)) and len(gap) < 24:
            return True
    return False


Question = Callable[[Setting], bool]


@dataclass(frozen=True)
class Grammar:
    """How one language takes a value back: each question asks it of a mention in its place."""

    joint: re.Pattern[str]
    overridden: Question
    denied: Question
    declined: Question
    moved: Question
    moved_later: Question
    former: Question
    dropped: Question

    def voids(self, text: str, mention: Mention, others: Sequence[Mention]) -> bool:
        """Whether a text takes this mention back, where it stands or where its value is named again."""
        place = setting(text, mention, others, self.joint)
        if self._gone(place):
            return True
        for other in place.others:
            if other.kind == mention.kind and other.start > mention.start and set(other.values) == set(mention.values):
                again = setting(text, other, others, self.joint)
                if not again.hour_only and any(
                    asked(again) for asked in (self.denied, self.moved, self.former, self.overridden)
                ):
                    return True
        return False

    def _gone(self, place: Setting) -> bool:
        if struck(place) or self.overridden(place):
            return True
        if (self.denied(place) or self.declined(place)) and not place.hour_only:
            return True
        return any(asked(place) for asked in (self.moved, self.moved_later, self.former, self.dropped))
