"""In which zone a text gives a time of day: the place or abbreviation that stands with it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from agentbench_env import zones
from agentbench_env.market import shared_table
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.plain import plain
from agentbench_env.text.facts.scripts import Script, scripts

_LOCAL = "local"
_NOT = "!"
# A clock in brackets behind the same time, or two words for it side by side, is no other clock.
_ASIDE = re.compile(r"[(（\[]\s*$|^[\s,、]*$")


class Place(NamedTuple):
    """A word in a text that names a zone, and where it stands."""

    start: int
    end: int
    zone: str
    """An IANA name, an abbreviation, an offset in minutes as text, `local` for the time there, `!` and another zone."""
    clock: bool
    """Whether it is named as a time (한국 시간) and not only as a place."""
    denied: bool


_TIME_BEFORE = (
    r"(?:(?:ب|حسب |وفق )?(?:ال)?توقيت (?:المحلي )?(?:مدينه |دوله |في )?(?:ل(?=ا))?"
    r"|(?:ตาม)?เวลา(?:ของ|ใน|ที่|ท้องถิ่น|ท้องถิ่นของ|มาตรฐาน)?)?"
)
_TIME_BEHIND = (
    r"(?:(?: ?(?:현지|표준|기준|本地|当地|當地|現地|標準|夏令|の))* ?(?:시간대?|시각|時間帯?|时间)(?:으로|로|で(?!は))?"
    r"| 기준(?:으로)?|基準"
    r"|(?:'s)?(?: local| standard| summer| daylight)* time(?: zone)?)?"
)
_DENIED_BEHIND = re.compile(
    r"[^,.、。，؛;\n]{0,4}?(?:말고|아니|아닌|ではな|じゃな|ではありません|でなく)|[^.\n]{0,3} (?:is|was) (?:wrong|not)"
)
_DENIED_BEFORE = re.compile(
    r"(?:不是|並非|而非|非|別用|不要用|勿用|ไม่ใช่|มิใช่|ไม่ได้ใช้|ليس[ت]?|وليس|مو|مش|لا|غير|not|rather than|instead of|n't)"
    r"(?: in| on| at| ?ตาม| ?ที่| ?เป็น| ?ใน)? ?(?:the )?$",
    re.IGNORECASE,
)
_NEVER = "(?!)"
_LOCAL_TIME = r"현지 ?시[간각]|現地時[間刻]|(?:当地|當地|本地)時間|เวลาท้องถิ่น|(?:ب?التوقيت|الوقت) المحلي|local time"
# Behind a time, another clock begins: 17:30 KST (08:30 GMT), 17:30 KST = 08:30 GMT, 오후 5시(런던 오전 8시).
_OTHER_CLOCK = re.compile(r"\s*[)）]?\s*[(（\[=/,、;|]")
MARKS = re.compile("[\u0640\u064b-\u065f]")
"""Arabic marks that stand outside of a mention at the end of its word."""
_AT = re.compile(r"\s*(?:in|at|في|ใน|ที่)?\s*", re.IGNORECASE)
_RIGHT_AT = re.compile(r"[\s:：]*(?:은|는|は|の|で)?[\s:：]*")
_TO = re.compile(r"\s*(?:[-~–—〜～]|から|부터|에서|到|至|to|and|or|ถึง|إلى|حتى)\s*")
_SENTENCE_END = re.compile(r"[。！？!?؟\n]|\.(?=\s)")
# A place that is no time word must stand right at the clock: at 9 am in London, 런던 오전 9시.
_LINK = re.compile(r"[\s,،、(（\[:]*(?:in|for|at|في|ب|ที่|ใน|จาก|من)?[\s(（]*", re.IGNORECASE)


def in_zone(text: str, mention: Mention, times: Sequence[Mention], zone: str, day: dt.date) -> bool:
    """Whether the time, of an event on `day`, may be one in `zone`: no other zone is named for it."""
    known = places(text)
    named = _named_for(text, mention, times, known)
    if named is not None:
        return not named.denied and _same(named.zone, zone, day)
    if any(place.denied and _same(place.zone, zone, day) for place in known if place.clock):
        return False
    meant = free_places(text, times)
    return not meant or any(_same(place.zone, zone, day) for place in meant)


def place_of(text: str, mention: Mention, times: Sequence[Mention]) -> Place | None:
    """The place whose time of day `mention`, one of `times`, is."""
    return _named_for(text, mention, times, places(text))


def free_places(text: str, times: Sequence[Mention]) -> list[Place]:
    """The places that are named as a time without one of `times` beside them, so that they may hold for all."""
    known = places(text)
    taken = {place for time in times if (place := _named_for(text, time, times, known)) is not None}
    return [
        place
        for place in known
        if place not in taken
        and place.clock
        and not place.denied
        and place.zone != _LOCAL
        and not place.zone.startswith(_NOT)
    ]


def _named_for(text: str, mention: Mention, times: Sequence[Mention], places: Sequence[Place]) -> Place | None:
    """The place that stands with the time in its sentence, with no other time between but those of a range or list."""
    text = MARKS.sub(" ", text)  # a mark at the end of a word lies outside of the mention
    before = max((time for time in times if time.end <= mention.start), key=lambda time: time.end, default=None)
    after = min((time for time in times if time.start >= mention.end), key=lambda time: time.start, default=None)
    until = after if after is not None and _TO.fullmatch(text[mention.end : after.start]) else None
    of_end = _named_for(text, until, times, places) if until else None
    if until and of_end and of_end.start >= until.end:
        return of_end  # a zone behind a range is that of both its ends
    best: tuple[int, Place] | None = None
    for place in places:
        if place.start >= mention.end:
            if after is not None and place.start >= after.end:
                continue
            gap = text[mention.end : place.start]
            if after is not None and _OTHER_CLOCK.match(gap) and _RIGHT_AT.fullmatch(text[place.end : after.start]):
                continue
        else:
            if before is not None and place.start < before.start:
                continue
            gap = text[place.end : mention.start]
            at_before = before is not None and _AT.fullmatch(text[before.end : place.start])
            if at_before and _OTHER_CLOCK.match(gap):
                continue
        if _SENTENCE_END.search(gap) or not (place.clock or _LINK.fullmatch(gap)):
            continue
        if any(time is not mention and place.end <= time.start < mention.start for time in times):
            continue
        if any(time is not mention and mention.end <= time.start < place.start for time in times):
            continue
        distance = len(gap) + 100 * place.denied
        if best is None or distance < best[0]:
            best = (distance, place)
    if best is not None:
        return best[1]
    if until:
        return of_end
    if before is not None and not _SENTENCE_END.search(text[before.end : mention.start]):
        return _named_for(text, before, [time for time in times if time is not mention], places)
    return None


@lru_cache(maxsize=256)
def places(text: str) -> tuple[Place, ...]:
    """The words in `text` that name a zone, in their order."""
    even = plain(text)
    found: list[Place] = []
    taken = 0
    ends: list[tuple[int, str, bool]] = []
    for match in _pattern(scripts(even.text)).finditer(even.text):
        if match.start() < taken:
            continue
        taken = match.end()
        name = match[0]
        if match["local"]:
            zone, clock = _there(even.text, match.start(), ends), True
        elif match["offset"]:
            zone, clock = str(_offset(match)), False
        elif match["short"]:
            zone, clock = match["short"], False
        else:
            zone = next(zone for zone, whole in _zone_patterns() if whole.fullmatch(match["place"]))
            clock = len(name) > len(match["place"])
        denied = (
            _DENIED_BEHIND.match(even.text, match.end()) is not None
            or _DENIED_BEFORE.search(even.text[max(0, match.start() - 24) : match.start()]) is not None
        )
        ends.append((match.end(), zone, clock))
        found.append(Place(even.start(match.start()), even.end(match.end()), zone, clock, denied))
    return tuple(found)


def _there(text: str, at: int, named: Sequence[tuple[int, str, bool]]) -> str:
    """The zone of *local time*: of the place named before it in its sentence, else not the one another clock is in."""
    near = [(end, zone, clock) for end, zone, clock in named if not _SENTENCE_END.search(text[end:at])]
    places = [zone for _, zone, clock in near if not clock and not zone.lstrip("-").isdigit()]
    if places:
        return places[-1]
    if not near or near[-1][1] == _LOCAL:
        return _LOCAL
    end, zone, _ = near[-1]
    return zone if zone.startswith(_NOT) or _ASIDE.search(text[end:at]) else _NOT + zone


def _offset(match: re.Match[str]) -> int:
    hours, _, minutes = match["hours"].partition(":")
    return (int(hours) * 60 + int(minutes or 0)) * (-1 if match["sign"] == "-" else 1)


@cache
def _zone_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table: dict[str, list[str]] = shared_table("lexicons/places")["zones"]
    return tuple((zone, re.compile(_any(words), re.IGNORECASE)) for zone, words in table.items())


@lru_cache(maxsize=32)
def _pattern(signs: frozenset[Script]) -> re.Pattern[str]:
    """What names a zone in a text of these scripts."""
    table = shared_table("lexicons/places")
    every = sorted((word for row in table["zones"].values() for word in row), key=len, reverse=True)
    words = [word for word in every if not signs.isdisjoint(scripts(plain(word).text))]
    before = "" if signs.isdisjoint(("thai", "arabic")) else _TIME_BEFORE
    place = rf"|{before}(?P<place>{_any(words) or _NEVER}){_TIME_BEHIND}"
    return re.compile(
        rf"(?<![A-Za-z])(?P<offset>(?:UTC|GMT) ?(?P<sign>[+-]) ?(?P<hours>\d{{1,2}}(?::\d\d)?))"
        rf"|(?P<local>{_LOCAL_TIME})"
        rf"|(?<![A-Za-z])(?-i:(?P<short>{'|'.join(table['abbreviations'])}))(?![A-Za-z])"
        rf"{place}",
        re.IGNORECASE,
    )


def _any(words: Sequence[str]) -> str:
    return "|".join(_bounded(plain(word).text) for word in words)


def _bounded(word: str) -> str:
    if word[0].isascii() and word[0] not in "(":
        word = rf"(?-i:{word})" if len(word) <= 3 else word
        return rf"(?<![A-Za-z]){word}(?![A-Za-z])"
    if "ァ" <= word[0] <= "ヿ":
        return rf"(?<![ァ-ヿ]){word}(?![ァ-ヿ])"
    return rf"{word}(?![ء-ي])" if "ء" <= word[0] <= "ي" else word


def _same(named: str, zone: str, day: dt.date) -> bool:
    """Whether the zones show the same time on that day."""
    if named in (_LOCAL, zone):
        return True
    if named.startswith(_NOT):
        return not _same(named[len(_NOT) :], zone, day)
    return not offsets_on(named, day).isdisjoint(offsets_on(zone, day))


@lru_cache(maxsize=1024)
def offsets_on(zone: str, day: dt.date) -> frozenset[int]:
    """The offsets in minutes that a zone, abbreviation or offset means on that day; none if it is not in force then."""
    if zone.lstrip("-").isdigit():
        return frozenset((int(zone),))
    noon = f"{day.isoformat()}T12:00"
    users: list[str | int] | None = shared_table("lexicons/places")["abbreviations"].get(zone)
    if users is None:
        known = zone in zones.zone_names()
        return frozenset((zones.offset_minutes(zone, zones.to_instant(noon, zone)),)) if known else frozenset()
    rows = (zones.zone_row(user, zones.to_instant(noon, user)) for user in users if isinstance(user, str))
    found = {row.offset_minutes for row in rows if row.abbreviation == zone}
    return frozenset(found.union(user for user in users if isinstance(user, int)))
