"""Moments in a text: a day together with a time of day and the zone it is told in, and what may be told of them.

A time without a zone word is the reader's, or the writer's where another word of the message names a zone. Only what
is certain is a conflict: a bare day or hour never is, nor a time that stands too far from its day.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from agentbench_env import zones
from agentbench_env.market import shared_table
from agentbench_env.text.facts import mentions
from agentbench_env.text.facts.dates import figured, misnamed
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.pairing import Pair, pairs
from agentbench_env.text.facts.standing import voided
from agentbench_env.text.facts.zoned import free_places, offsets_on, place_of, places
from agentbench_env.text.own import own_text
from agentbench_env.text.phrases import turns_down

_EPOCH = dt.datetime(1970, 1, 1)
# 17:30:00+09:00, 08:30Z
_ISO_OFFSET = re.compile(r"(?::\d\d)?(?:\.\d+)?(?:(?P<z>Z)(?![A-Za-z])|(?P<sign>[+-])(?P<h>\d\d):?(?P<m>\d\d)(?!\d))")
# A time to answer by tells of no event.
_BY_BEHIND = re.compile(r"\s*(?:\([^)\n]{0,20}\)\s*)?(?:까지|안으로|이내|전까지|までに|まで|前|以前|之前)")
_BY_BEFORE = re.compile(
    r"(?:\b(?:by|before|no later than|until)|ภายใน(?:วันที่)?|ก่อน|قبل|حتى|في موعد أقصاه|最晚於?|至遲)[^.。!?\n]{0,6}$",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"회신|답변|답장|답을|알려|연락|말씀|확인|회답|返信|回答|連絡|返事|お知らせ|一報|回覆|回信|告知|通知|確認|ตอบ|แจ้ง|ยืนยัน"
    r"|الرد|إبلاغ|إفادت|تأكيد|إعلام|الإجابة"
    r"|\b(?:let (?:me|us) know|repl|respon|confirm|answer|feedback|get back|hear from|tell)",
    re.IGNORECASE,
)
_BESIDE = 60
"""How many characters before and behind a moment may turn it down."""
_SENTENCE_END = re.compile(r"[。！？!?؟\n]|(?<!น)\.(?=\s|$)")
_SIDE_GAP = re.compile(r"[\s,،(（\[:]*(?:at|in|on|by|는|은|에|で|は|の|ب)?[\s(（]*", re.IGNORECASE)


class Moment(NamedTuple):
    """A day and a time of day that stand together in a text.

    `days` and `times` are the readings that fit, ISO days and HH:MM. `zone` is what the words name: an IANA zone, an
    abbreviation, an offset in minutes as text, or "" where they name none.
    """

    days: tuple[str, ...]
    times: tuple[str, ...]
    zone: str
    start: int
    end: int
    aside: bool
    """Whether it is another clock beside a time of the same day, so that its own day may be the one before or after."""
    sure: bool
    """Whether day and time stand so close that they can only belong together."""
    misnamed: bool
    """Whether the day of the week beside the day is wrong."""
    loose: bool
    """Whether the day is told by a word such as Friday alone."""

    def is_at(self, instant: int, zone: str) -> bool:
        """Whether it means the instant, read in `zone` where it names none."""
        asked = self.zone or zone
        return any(not self._readings(day).isdisjoint(_local(instant, asked, day)) for day in self._days())

    def _days(self) -> Iterable[str]:
        for text in self.days:
            day = dt.date.fromisoformat(text)
            for step in (0, -1, 1) if self.aside else (0,):
                yield (day + dt.timedelta(days=step)).isoformat()

    def _readings(self, day: str) -> set[str]:
        found = {f"{day}T{time}" for time in self.times if time < "24"}
        following = (dt.date.fromisoformat(day) + dt.timedelta(days=1)).isoformat()
        return found | {f"{following}T{int(time[:2]) - 24:02d}{time[2:]}" for time in self.times if time >= "24"}


def _local(instant: int, zone: str, day: str) -> set[str]:
    """The local readings of the instant that a zone, an abbreviation or an offset in minutes gives on the day."""
    if zone in zones.zone_names():
        return {zones.to_local(instant, zone)}
    offsets = offsets_on(zone, dt.date.fromisoformat(day))
    return {(_EPOCH + dt.timedelta(seconds=instant + offset * 60)).isoformat()[:16] for offset in offsets}


@lru_cache(maxsize=256)
def moments(text: str, *, written_on: dt.date, writer_zone: str, reader_zone: str = "") -> tuple[Moment, ...]:
    """Find the days with a time in the writer's own words, in their order; the end of a range is none of its own."""
    own = own_text(text)
    found = mentions(own, written_on=written_on)
    wrong = {(day.start, day.end): day for day in misnamed(own, written_on)}
    days = sorted([*(one for one in found if one.kind == "date"), *wrong.values()], key=lambda day: day.start)
    times = [one for one in found if one.kind == "time"]
    told = [*figured(own, written_on), *wrong.values()]
    dayless = _without(own, days)
    sides = {"writer": writer_zone, "reader": reader_zone}
    result: list[Moment] = []
    for pair in pairs(own, days, times):
        if not pair.ends:
            result.append(_moment(dayless, pair, times, sides, wrong, told, result))
    return tuple(result)


def _without(text: str, days: Sequence[Mention]) -> str:
    """The text with blanks for its days, so that a place behind one still stands at its time."""
    for day in days:
        start = day.start - (3 if text[: day.start].endswith(" on ") else 0)
        text = text[:start] + re.sub(r"[^\n()（）]", " ", text[start : day.end]) + text[day.end :]
    return text


def _moment(
    text: str,
    pair: Pair,
    times: Sequence[Mention],
    sides: dict[str, str],
    wrong: Collection[tuple[int, int]],
    figured_days: Sequence[Mention],
    earlier: Sequence[Moment],
) -> Moment:
    day = pair.days[-1]
    zone = _zone(text, pair.time, times, sides)
    others = {other.zone for other in earlier[-3:]}
    inside = text.count("(", day.end, pair.time.start) > text.count(")", day.end, pair.time.start)
    return Moment(
        days=tuple(dict.fromkeys(value for one in pair.days for value in one.values)),
        times=pair.time.values,
        zone=zone,
        start=min(day.start, pair.time.start),
        end=max(day.end, pair.time.end),
        aside=pair.beside and (inside or (bool(zone) and others != {zone})),
        sure=pair.sure and (bool(zone) or not inside),
        misnamed=(day.start, day.end) in wrong,
        loose=not any(one.start <= day.start < one.end for one in figured_days),
    )


def _zone(text: str, time: Mention, times: Sequence[Mention], sides: dict[str, str]) -> str:
    """What the words beside a time say of its zone."""
    written = _ISO_OFFSET.match(text, time.end) or _ISO_OFFSET.search(text[time.start : time.end])
    if written:
        if written["z"]:
            return "0"
        minutes = int(written["h"]) * 60 + int(written["m"])
        return str(-minutes if written["sign"] == "-" else minutes)
    side = _side(text, time, times)
    if side:
        return sides[side]
    place = place_of(text, time, times)
    if place is None:
        return _column(text, time)
    return "" if place.denied or place.zone == "local" or place.zone.startswith("!") else place.zone


def _column(text: str, time: Mention) -> str:
    """The zone at the head of the column in which a time stands, where it stands in a table."""
    start = text.rfind("\n", 0, time.start) + 1
    if not text[start:].lstrip().startswith("|"):
        return ""
    head = start
    while head and text[text.rfind("\n", 0, head - 1) + 1 :].lstrip().startswith("|"):
        head = text.rfind("\n", 0, head - 1) + 1
    cells = text[head:].split("\n", 1)[0].split("|")
    column = text.count("|", start, time.start)
    found = places(cells[column]) if head < start and column < len(cells) else ()
    return found[0].zone if found else ""


def _side(text: str, time: Mention, times: Sequence[Mention]) -> str:
    """Whether the time is said to be the reader's or the writer's own: your time, 저희 시간."""
    since = max((one.end for one in times if one.end <= time.start), default=0)
    for side in ("reader", "writer"):
        for match in _sides(side).finditer(text, since):
            gap = text[time.end : match.start()] if match.start() >= time.end else text[match.end() : time.start]
            behind = match.start() >= time.end
            taken = not behind and since and not text[since : match.start()].strip(" ,(")
            if _SIDE_GAP.fullmatch(gap) and (behind or match.end() <= time.start) and not taken:
                return side
    return ""


@cache
def _sides(side: str) -> re.Pattern[str]:
    words: list[str] = shared_table("lexicons/places")["sides"][side]
    return re.compile("|".join(words), re.IGNORECASE)


def states_moment(
    text: str,
    instant: int,
    *,
    written_on: dt.date,
    reader_zone: str,
    writer_zone: str,
    zone_word: bool = False,
    standing: bool = False,
) -> bool:
    """Whether the writer's own words give the instant as a day with a time.

    With `zone_word` it has to be in a zone they name, with `standing` in words that do not turn it down.
    """
    found = moments(text, written_on=written_on, writer_zone=writer_zone, reader_zone=reader_zone)
    for_all = _for_all(text, written_on)
    open_zones = _open_zones(found, for_all, reader_zone, writer_zone)
    return any(
        _may_be(moment, instant, for_all if zone_word else open_zones)
        or (moment.zone != "" and moment.is_at(instant, moment.zone))
        for moment in found
        if not moment.misnamed and not (standing and _is_refused(text, moment, written_on))
    )


def _is_refused(text: str, moment: Moment, written_on: dt.date) -> bool:
    """Whether both the day and the time are denied, replaced or declined; one alone leaves it open."""
    own = own_text(text)
    if turns_down(own[: moment.start][-_BESIDE:], own[moment.end :][:_BESIDE]):
        return True
    found = mentions(own, written_on=written_on)
    parts = [one for one in found if moment.start <= one.start and one.end <= moment.end and one.kind != "money"]
    return bool(parts) and all(voided(own, one, [other for other in found if other is not one]) for one in parts)


def conflicting(
    text: str, allowed: Collection[int], *, written_on: dt.date, reader_zone: str, writer_zone: str
) -> list[Moment]:
    """The moments after the day of writing that are certainly none of the instants allowed, or misname their day."""
    found = moments(text, written_on=written_on, writer_zone=writer_zone, reader_zone=reader_zone)
    open_zones = _open_zones(found, _for_all(text, written_on), reader_zone, writer_zone)
    result: list[Moment] = []
    own = own_text(text)
    for moment in found:
        if not moment.sure or min(moment.days) <= written_on.isoformat() or _is_deadline(own, moment):
            continue
        if moment.misnamed or not any(_may_be(_loosened(moment), instant, open_zones) for instant in allowed):
            result.append(moment)
    return result


def _may_be(moment: Moment, instant: int, open_zones: Iterable[str]) -> bool:
    return any(moment.is_at(instant, zone) for zone in open_zones)


def _for_all(text: str, written_on: dt.date) -> tuple[str, ...]:
    """The zones that are named for all times: All times are Korea time."""
    own = own_text(text)
    times = [one for one in mentions(own, written_on=written_on) if one.kind == "time"]
    return tuple(dict.fromkeys(place.zone for place in free_places(own, times)))


def _open_zones(found: Sequence[Moment], for_all: Sequence[str], reader_zone: str, writer_zone: str) -> tuple[str, ...]:
    """The zones in which a time without a zone word may be read: the writer's only beside a word for some zone."""
    named = bool(for_all) or any(moment.zone for moment in found)
    return tuple(dict.fromkeys([reader_zone, *([writer_zone] if named else []), *for_all]))


def _is_deadline(own: str, moment: Moment) -> bool:
    """Whether an answer is asked for by then: Please let me know by noon on 28 October."""
    start = max((end.end() for end in _SENTENCE_END.finditer(own[: moment.start])), default=0)
    end = _SENTENCE_END.search(own, moment.end)
    until = end.start() if end else len(own)
    if not (_BY_BEHIND.match(own, moment.end) or _BY_BEFORE.search(own[start : moment.start])):
        return False
    return _ANSWER.search(own[start : moment.start] + own[moment.end : until]) is not None


def _loosened(moment: Moment) -> Moment:
    """Let a weekday that stands without figures mean that day of the weeks around as well."""
    if not moment.loose:
        return moment
    days = [dt.date.fromisoformat(day) for day in moment.days]
    weeks = [(day + dt.timedelta(days=7 * step)).isoformat() for day in days for step in (-1, 0, 1, 2, 3)]
    return moment._replace(days=tuple(dict.fromkeys(weeks)))


def other_dates(text: str, allowed: Collection[str | dt.date], *, written_on: dt.date) -> list[Mention]:
    """The days in the writer's own words that are none of those allowed; a word such as Friday alone is no such day."""
    own = own_text(text)
    days = {day if isinstance(day, str) else day.isoformat() for day in allowed}
    others = [day for day in figured(own, written_on) if days.isdisjoint(day.values)]
    return sorted([*others, *misnamed(own, written_on)], key=lambda day: day.start)
