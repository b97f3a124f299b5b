"""Times of day in a text, in all languages at once; both ends of a range share what is said of the half of the day."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

from agentbench_env.text.facts.clocks import HALVES, Clock, Half, clocks
from agentbench_env.text.facts.dates import day_spans
from agentbench_env.text.facts.english_clocks import english
from agentbench_env.text.facts.masks import masked
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.plain import plain

_RANGE = re.compile(
    r"(?: ?น\.)? ?(?:-|~|to|until|till|through|and|부터|에서|から|より|至|到|ถึง|الي|حتي|لين|ل|و) ?"
    r"(?:(?:الساعه|ال|เวลา|about|around|約|大約|約)? ?)?"
)
_OPEN = re.compile(r"(?:to|and|에서|و)")
_WORDS = "|".join(
    sorted((re.escape(word) for word in HALVES if len(word) > 1 and word not in ("am", "pm")), key=len, reverse=True)
)
_HALF_BEFORE = re.compile(
    rf"(?<![ء-يA-Za-z])(?P<half>{_WORDS})(?:(?<![ء-ي])|(?![ء-ي]))(?P<gap>(?:[ ,،、()|]|에는|에|の|に|は|的|at"
    rf"|around|about|from|by|on|يوم|في|تمام|الساعه|عند"
    r"|เวลา|ตอน|ประมาณ|약|쯤|約|约|大約|今天|기준)*)$",
    re.IGNORECASE,
)
_HALF_AFTER = re.compile(
    r",?(?: (?:tomorrow|today|on|this|in|the|at|next|same|that|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)){0,4} "
    r"(?P<half>morning|afternoon|evening|night|tonight)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def times(text: str) -> tuple[Mention, ...]:
    """Find the times of day that `text` mentions, in order; both halves fit where nothing tells them apart."""
    even = plain(text)
    field = masked(even.text)
    found = _separate(field)
    ways = [_readings(clock) for clock in found]
    for place, clock in enumerate(found):
        if not clock.half and (half := _nearby(field, clock, found[place - 1].end if place else 0)):
            ways[place] = _readings(clock._replace(half=half))
    for place in range(len(found) - 1):
        ways[place], ways[place + 1] = _shared(field, found[place], found[place + 1], ways[place], ways[place + 1])
    return tuple(
        Mention("time", _written(clock, minutes), even.start(clock.start), even.end(clock.end))
        for clock, minutes in zip(found, ways, strict=True)
    )


def _separate(field: str) -> list[Clock]:
    """Keep of the hours that cross the longest; the English ones yield to all others."""
    kept: list[Clock] = []
    for group in (clocks(field), english(field)):
        for clock in sorted(group, key=lambda clock: clock.start - clock.end):
            if not any(clock.start < other.end and other.start < clock.end for other in kept):
                kept.append(clock)
    return sorted(kept)


def _readings(clock: Clock) -> tuple[int, ...]:
    """Return the minutes of the day that the hour may be."""
    hour = clock.hour
    if clock.half == "fixed" or hour > 12 or (hour == 0 and not clock.half):
        hours: tuple[int, ...] = (hour % 24,)
    elif not clock.half:
        hours = (hour, (hour + 12) % 24)
    elif clock.half == "am":
        hours = (hour % 12,)
    elif clock.half == "pm":
        hours = (hour % 12 + 12,)
    elif clock.half == "noon":
        hours = (hour if hour >= 10 else hour + 12,)
    elif clock.half == "morning":
        hours = (hour,) if hour < 12 else (0, 12)
    elif clock.half == "evening":
        hours = (hour + 12,) if hour < 12 else (0, 12)
    else:
        hours = (hour % 12,) if hour == 12 or hour < 5 else (hour + 12,)
    return tuple(one * 60 + clock.minute for one in hours)


def _nearby(field: str, clock: Clock, since: int) -> Half:
    """Return what a word some way before or after the hour says of the half of the day."""
    after = _HALF_AFTER.match(field, clock.end)
    if after:
        return HALVES[after["half"].lower()]
    since = max(since, field.rfind("\n", 0, clock.start) + 1, clock.start - 60)
    before = field[since : clock.start]
    # Any day will do to see where dates stand.
    for start, end in reversed(day_spans(before, dt.date(2026, 1, 1))):
        if not re.search(_WORDS, before[start:end], re.IGNORECASE):
            before = before[:start] + before[end:]
    match = _HALF_BEFORE.search(before)
    return HALVES.get(match["half"].lower(), "") if match else ""


def _shared(
    field: str, first: Clock, second: Clock, start: tuple[int, ...], end: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Settle the open end of a range by the other: the nearest hour before or after it."""
    gap = field[first.end : second.start]
    if len(gap) > 16 or not _RANGE.fullmatch(gap) or (len(start) == 1) == (len(end) == 1):
        return start, end
    day = 24 * 60
    if len(start) == 1:
        if _OPEN.fullmatch(gap.strip()) and first.half == "fixed":
            return start, end
        return start, (min(end, key=lambda one: (one - start[0]) % day or day),)
    return (min(start, key=lambda one: (end[0] - one) % day or day),), end


def _written(clock: Clock, minutes: tuple[int, ...]) -> tuple[str, ...]:
    values = [f"{one // 60:02d}:{one % 60:02d}" for one in minutes]
    if clock.hour >= 24:
        values.append(f"{clock.hour:02d}:{clock.minute:02d}")
    return tuple(dict.fromkeys(values))
