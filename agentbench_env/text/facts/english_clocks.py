"""Hours in English, where they are bare figures more often than not."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbench_env.text.facts.clocks import Clock, half_of
from agentbench_env.text.facts.numerals import ENGLISH, ENGLISH_MINUTES, any_of
from agentbench_env.text.facts.scripts import matches

_HOUR = rf"(?:1[0-2]|[1-9]|{any_of({word: value for word, value in ENGLISH.items() if value <= 12})})"
_MINUTE = rf"(?:{any_of(ENGLISH_MINUTES)})"
_FREE = (
    r"(?= ?(?:$|[\n,;:!?)\]|*-]|\.(?!\d))| (?:on|at|tomorrow|today|tonight|this|next|sharp|in the|for|so|(?:and|or"
    r"|to|till|until)(?! \d{1,2} [a-z]*s\b)|if|but|as|with|instead|because|then"
    r"|when|latest|please|pls|lah|ok|okay|works?|is|was|should|would|will|onwards?|like|though|not|rather|after"
    r"|before|by|the|every|same|at the"
    r"|you|we|i|local|Singapore|London|SGT|Korea|Japan|Thai|UAE|Gulf|Taipei|Seoul|Dubai|Bangkok|Tokyo|(?:Mon|Tues"
    r"|Wednes|Thurs|Fri|Satur|Sun)day)\b)"
)
_LEAD = (
    r"\b(?:at|around|about|by|till|until|from|before|after|past|say|to|instead of|not|make it|nearer|closer to"
    r"|between)"
)
_EN = (
    re.compile(r"(?<![\d.:$])(?P<h>\d{1,2}) ?(?P<lhalf>[AaPp])\.?[Mm](?![A-Za-z])\.?(?!\w)"),
    re.compile(
        r"(?<![\d.:/-])(?P<hm>(?:[01]\d|2[0-4])[0-5]\d)(?= ?(?:hrs?|hours|h)\b| ?(?:-|to) ?\d{4} ?(?:hrs?|hours|h)\b)"
    ),
    re.compile(r"(?:(?<=[-~])|(?<=to ))(?P<hm>(?:[01]\d|2[0-4])[0-5]\d)(?= ?(?:hrs?|hours|h)\b)"),
    re.compile(
        rf"{_LEAD} (?:(?<=at )|(?!(?:19|20)\d\d))(?P<hm>(?:[01]\d|2[0-4])[0-5]\d)(?!\d|[.,:/]\d| ?[$%]){_FREE}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:(?P<to>half|(?:a )?quarter|{_MINUTE}|[1-5]?\d)(?: minutes)? (?P<way>past)"
        rf"|(?P<to2>(?:a )?quarter) (?P<way2>to|after)"
        rf"|(?P<to3>five|ten|twenty|twenty[- ]five)(?: minutes)? (?P<way3>to"
        rf"|after)(?= {_HOUR}{_FREE})) (?P<h>{_HOUR})(?![\w:]|\.\d)",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<h>{_HOUR}) o['’]clock", re.IGNORECASE),
    re.compile(
        rf"(?:{_LEAD} |^|, )(?P<h>{_HOUR})[ -](?P<mw>fifteen|thirty|forty-five|forty five|ten|twenty)\b{_FREE}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:at|for|by|around|about|till) half (?P<half>)(?P<h>{_HOUR})\b{_FREE}", re.IGNORECASE),
    re.compile(rf"{_LEAD} (?P<h>\d{{1,2}})\.(?P<m>[0-5]\d)(?!\d|\.\d|[%]){_FREE}", re.IGNORECASE),
    re.compile(
        r"(?:/\d{1,2}|\d(?:st|nd|rd|th)|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: 20\d\d)?"
        r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*),? (?P<h>\d{1,2})\.(?P<m>[0-5][05])(?!\d|\.\d| ?[ap]m)"
    ),
    re.compile(
        rf"(?<![\d.:/$,-])\b(?P<h>{_HOUR})(?:[.:](?P<m>[0-5]\d))?(?= (?:(?:on |this |tomorrow |[A-Z][a-z]+day )"
        r"(?:morning|afternoon|evening)|tonight|in the (?:morning|afternoon|evening)|at night)\b)"
    ),
    re.compile(
        r"(?<![\d.:$,])(?P<h>\d{1,2})\.(?P<m>[0-5][05])(?= (?:instead|tomorrow|today|tonight|sharp|in the"
        r"|this (?:morning|afternoon|evening)|to \d))"
    ),
    re.compile(
        rf"\b(?:at|around|about|by|till|until|from|before|after|nearer) (?P<h>{_HOUR})(?:-?ish)?"
        rf"(?![\w:/$%]|[.,]\d){_FREE}",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<![\d.:/$,])(?P<h>1[0-2]|[1-9])(?:[.:](?P<m>[0-5]\d))?(?= ?(?:-|to|and|or|until|till) ?(?:1[0-2]"
        r"|[1-9])(?:[.:][0-5]\d)? ?[ap]\.?m\b)",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<=\bfrom )(?P<h>{_HOUR})(?= (?:to|until|till) {_HOUR}{_FREE})", re.IGNORECASE),
    re.compile(rf"(?<=\bbetween )(?P<h>{_HOUR})(?= and {_HOUR}{_FREE})", re.IGNORECASE),
    re.compile(
        rf"\b(?:from|between) {_HOUR} (?:to|and|until|till) (?P<h>{_HOUR})(?![\w:/$%]|[.,]\d){_FREE}", re.IGNORECASE
    ),
)


def english(field: str) -> Iterator[Clock]:
    """Yield the hours of the English grammar, the surest first."""
    for pattern in _EN:
        for match in matches(pattern, field, "latin"):
            groups = match.groupdict()
            amount = groups.get("to") or groups.get("to2") or groups.get("to3")
            way = groups.get("way") or groups.get("way2") or groups.get("way3") or ""
            place = "hm" if groups.get("hm") else "" if amount else "h"
            minute, half = 0, half_of(groups["lhalf"] + "m") if groups.get("lhalf") else ""
            if groups.get("hm"):
                hour, minute, half = int(match["hm"][:2]), int(match["hm"][2:]), "fixed"
                if hour in range(1, 13) and match["hm"][0] == "1" and "at" in match[0][:3].lower():
                    half = ""
            else:
                word = match["h"].lower()
                hour = int(word) if word.isdecimal() else ENGLISH[word]
            if groups.get("m"):
                minute = int(match["m"])
            elif groups.get("mw"):
                minute = ENGLISH_MINUTES[match["mw"].lower()]
            elif groups.get("half") is not None:
                minute = 30
            elif amount:
                minute = _minutes(amount.lower())
                if way.lower() == "to":
                    hour, minute = (hour - 1 or 12), 60 - minute
            if hour <= 24 and minute < 60:
                start = match.start(place) if place else match.start()
                fixed = not half and (field[start] == "0" or hour > 12)
                yield Clock(start, match.end(), hour, minute, "fixed" if fixed else half)


def _minutes(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return {"half": 30, "quarter": 15, "a quarter": 15}.get(word) or ENGLISH_MINUTES[word]
