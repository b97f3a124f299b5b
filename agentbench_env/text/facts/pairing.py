"""Which day a time of day in a text belongs to: the one before it in its sentence, or one that follows at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.zoned import MARKS, places


class Pair(NamedTuple):
    """A time with its day; `days` are those that may be meant, more than one in a list or range of days."""

    time: Mention
    days: tuple[Mention, ...]
    ends: bool
    """Whether it is the end of a range that began with another time."""
    beside: bool
    """Whether the day was said with another time before, of which this one may be another clock."""
    sure: bool
    """Whether the time stands so near to the day that nothing else can be meant, and is no end of a range either."""


# The end of a sentence; a point before a small letter or behind the Thai น. ends none.
_END = re.compile(r"[。！？!?؟]|(?<!น)\.(?=\s+[^a-z\s]|\s*$)|\n\s*\n")
_LINE = re.compile(r"\n")
# What may stand on a line before its time: a bullet and a short label.
_LABEL = re.compile(
    r"\s*(?:[-*•·▪◦■□●○※>|(（\d.)]+\s*)?(?:[^\s:：][^:：\n]{0,30}[:：|]\s*(?:同日|当日|當天|같은 날)?\s*)?[(（]?\s*"
    r"(?:(?:from|at|من|في|عند|ตั้งแต่|เวลา|الساعة)\s+){0,2}"
)
_WIDE, _WIDE_EAST = 44, 22
_EAST = re.compile(r"[가-힣ぁ-ヿ一-鿿]")
# A day right behind a time: at 09:00 in London on Tuesday 27 October.
_ON = re.compile(
    r"[\s,،()（）\[\]/=|-]*(?:(?:on|of|in|for|at|to|until|till|and|from|or|which is|local|time|the"
    r"|call|يوم|في|من|إلى|الى|حتى|و|تاريخ|بتاريخ"
    r"|ใน|ของ|ถึง|วันที่|น\.|น|ตาม)?[\s,،()（）\[\]/=|–-]*){0,5}",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\s*(?:น\.)?[\s)）]*(?:[-~–—〜～−]|to\b|until\b|till\b|through\b|부터|에서|から|より|至|到|ถึง|จนถึง|إلى|الى|حتى|حتي|لغاية)[\s,،]*"
    r"(?:ถึง|เวลา|الساعة|약|about|around)?[\s(（]*"
)
_BETWEEN = re.compile(r"(?:\bbetween|بين(?: الساعة)?|ระหว่าง(?:เวลา)?)\s*$", re.IGNORECASE)
_AND = re.compile(r"\s*(?:น\.)?\s*(?:and|และ|กับ|و|والساعة)\s*(?:الساعة)?\s*", re.IGNORECASE)
_ENDS_BEHIND = re.compile(
    r"\s*(?:\([^)\n]{0,12}\)|น\.)?\s*(?:까지|まで|為止|结束|結束|종료|에 ?종료|에 ?끝"
    r"|終了|に終|に終了)"
)
_ENDS_BEFORE = re.compile(
    r"(?:\b(?:until|till|to|ends?|ending|finish\w*|finishes)(?: (?:at|by|around))?|จนถึง|ถึง|สิ้นสุด(?:เวลา)?|เสร็จ(?:เวลา)?"
    r"|(?:حتى|حتي|إلى|الى|[وي]?(?:ت|ي)?نتهي|لينتهي)(?: (?:في|عند))?(?: الساعة)?)\s*(?:เวลา)?\s*$",
    re.IGNORECASE,
)
_LISTED = re.compile(
    r"\s*(?:[-~–—〜～,、،・·/&]|와|과|및|또는|이나|부터|에서|と|または|か|から|及|和|與|或|至|到|และ|หรือ|ถึง|และวัน|to|and|or|until|إلى|الى"
    r"|حتى|أو|او|و)?\s*(?:the|يوم|วัน|วันที่)?\s*",
    re.IGNORECASE,
)
# Words between two times that say either a range or what was moved to what; a verb of moving leaves it open.
_EITHER = re.compile(r"에서|から|より|\bto\b|إلى|الى|ถึง|到|至", re.IGNORECASE)
_MOVED = re.compile(
    r"변경|옮|미루|미뤄|앞당|조정|연기|바꾸|바꿔|変更|移|延期|繰り|ずら|調整|改|順延|提前|延後|更動|เลื่อน|เปลี่ยน|ย้าย|نقل|تغيير|تأجيل|تقديم|تعديل"
    r"|\b(?:mov|shift|chang|reschedul|push|br[io](?:ng|ught)|postpon|bump|put back|switch|swap)",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"\s*(?:까지|まで|為止)")
_NEAR, _NEAR_EAST = 44, 26
_CLAUSE = re.compile(
    r"[;；]|\b(?:because|but|though|although|since|while|if|so|please)\b|지만|때문|므로|니 |으며"
    r"|,\s*(?:제|저|이)|ため|ので|が、|ですが|因|但|所以|請|请"
    r"|เพราะ|แต่|เนื่องจาก|กรุณา|หาก|لأن|لكن|بسبب|إذا|يرجى",
    re.IGNORECASE,
)


def pairs(text: str, days: Sequence[Mention], times: Sequence[Mention]) -> list[Pair]:
    """Give each of `times` in `text` its day out of `days`; a time without one is left out. Both stand in order."""
    text = MARKS.sub(" ", text)
    found: list[Pair] = []
    for time in times:
        day, follows = _day_of(text, time, days, times)
        if day is None:
            continue
        before = [pair for pair in found if day in pair.days] or found[-1:]
        # A range may end on another day than it began.
        begins = time.start if follows or any(day in pair.days for pair in found) else day.start
        ends = any(_ends(text, pair.time, time, begins) for pair in before[-1:])
        moved = ends and _moved(text, before[-1].time, time)
        ends = ends and not moved
        beside = not ends and any(day in pair.days for pair in found)
        gap = _bare(text, (time.end, day.start) if follows else (day.end, time.start), times)
        near = _NEAR_EAST if _EAST.search(gap) else _NEAR
        sure = not (moved and begins == time.start) and len(gap.strip()) <= near and not _CLAUSE.search(gap)
        found.append(Pair(time, _listed(text, day, days, times), ends, beside, sure))
    return found


def _day_of(text: str, time: Mention, days: Sequence[Mention], times: Sequence[Mention]) -> tuple[Mention | None, bool]:
    """The day of a time, and whether it stands behind it."""
    before = max((day for day in days if day.start <= time.start), key=lambda day: day.end, default=None)
    after = min((day for day in days if day.start >= time.end), key=lambda day: day.start, default=None)
    if before is not None and not _joined(text, before.end, time.start):
        before = None
    if after is not None and not (
        _joined(text, time.end, after.start) and _ON.fullmatch(_bare(text, (time.end, after.start), times))
    ):
        after = None
    if before is None or after is None:
        return before or after, before is None
    # Both: the one beside it wins.
    between = any(before.end <= one.start < time.start for one in times)
    close = not between and len(_bare(text, (before.end, time.start), times).strip(" ,،、(（")) <= 12
    return (before, False) if close else (after, True)


def _joined(text: str, start: int, end: int) -> bool:
    """Whether the two places stand in one sentence, or in lines of one list of labels."""
    gap = text[start:end]
    if _END.search(gap):
        return False
    breaks = [start + match.start() for match in _LINE.finditer(gap)]
    if not breaks:
        return True
    wrapped = all(_wrapped(text, at) for at in breaks)
    return wrapped or (len(breaks) <= 3 and _LABEL.fullmatch(text[breaks[-1] + 1 : end]) is not None)


def _wrapped(text: str, at: int) -> bool:
    """Whether the line that ends at `at` is broken only for its width."""
    line = text[text.rfind("\n", 0, at) + 1 : at].strip()
    return len(line) >= (_WIDE_EAST if _EAST.search(line) else _WIDE)


def _bare(text: str, span: tuple[int, int], times: Sequence[Mention]) -> str:
    """What stands in the span besides other times and names of zones."""
    start, end = span
    taken = [(one.start, one.end) for one in (*times, *places(text)) if start <= one.start and one.end <= end]
    kept: list[str] = []
    for one, other in sorted(taken):
        if one >= start:
            kept.append(text[start:one])
        start = max(start, other)
    return "".join([*kept, text[start:end]])


def _ends(text: str, first: Mention, second: Mention, start: int) -> bool:
    """Whether the second time, or the day at `start` that it is told with, ends the range that the first begins."""
    if first.end > start:
        return False
    gap = _bare(text, (first.end, start), ())
    if _RANGE.fullmatch(gap):
        return True
    if _AND.fullmatch(gap) and _BETWEEN.search(text[: first.start]):
        return True
    if start != second.start or not _joined(text, first.end, second.start):
        return False
    return bool(_ENDS_BEHIND.match(text, second.end) or _ENDS_BEFORE.search(text[max(0, start - 30) : start]))


def _moved(text: str, first: Mention, second: Mention) -> bool:
    """Whether the two times may be the old and the new one of a move, rather than a range."""
    if not _EITHER.search(text, first.end, second.start) or _UNTIL.match(text, second.end):
        return False
    start = max((end.end() for end in _END.finditer(text[: first.start])), default=0)
    end = _END.search(text, second.end)
    return _MOVED.search(text, start, end.start() if end else len(text)) is not None


def _listed(text: str, day: Mention, days: Sequence[Mention], times: Sequence[Mention]) -> tuple[Mention, ...]:
    """The day with those listed right before it: 30일과 31일 오후 5시."""
    chain = [day]
    for other in reversed([one for one in days if one.end <= day.start]):
        gap = text[other.end : chain[0].start]
        if any(other.end <= time.start < chain[0].start for time in times) or not _LISTED.fullmatch(gap):
            break
        chain.insert(0, other)
    return tuple(chain)
