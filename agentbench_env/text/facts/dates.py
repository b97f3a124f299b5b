"""Dates in a text: absolute, by weekday, by a day of the month or a word such as tomorrow, in all languages at once."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from agentbench_env.text.facts.masks import masked
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.monthdays import MONTHS, Hit, Reading, written
from agentbench_env.text.facts.numerals import HAN_NUMBER, number
from agentbench_env.text.facts.plain import plain
from agentbench_env.text.facts.scripts import Script, matches
from agentbench_env.text.facts.weekdays import DayWord, day_words

_LENGTHS = (
    r"(?! ?(?:간|이내|동안|후|뒤|만에|안에|연속|정도|가량|이상|넘|걸[려리린릴립렸]"
    r"|소요|내에|내로|째|치|분의|전부터)|이 ?(?:소요"
    r"|걸|지나|남|경과)"
    r"|이나 ?(?:걸|지|기|남|늦)|이면 ?(?:도|되|됩|돼|충|끝|받))"
)
_KO_AFTER = (
    r"(?=$|[^가-힣]|에|은|는|이|을|까지|부터|로|자|날|의|과|와|도|쯤|경|전|인|입|하|밤|저녁|아침|오전|오후|점심|낮"
    r"|새벽|중|께|마감|예정|만|랑|보다"
    r"|[월화수목금토일]요일)"
)
_ALONE: dict[Script, tuple[str, ...]] = {
    "hangul": (
        r"(?<![\d./월年년-])(?<!\d[~,:])(?<!월 )(?<!영업일 )(?<!최대 )(?<!최소 )(?<!최장 )(?<!기준 )(?<!약 )(?<!총 )"
        r"(?<!박)(?<!박 )(?<!제)"
        rf"(?P<d>\d{{1,2}}) ?일{_KO_AFTER}{_LENGTHS}",
    ),
    "han": (
        rf"(?<![\d./月年一二三四五六七八九十廿第約约近共滿满每毎各逾達翌前計延中編-])"
        r"(?<!月 )(?<!\d[~,:])(?<!最大)(?<!営業)(?<!あと)(?<!第 )(?<!前 )"
        rf"(?:(?<![路街巷弄段坊里村號室])(?<![路街巷弄段] )(?P<d>\d{{1,2}}|(?:二?十|廿"
        rf"|三十){HAN_NUMBER}?)(?P<s> ?[日號号])|(?P<k>[二三四五六七八九])[號号])"
        r"(?! ?(?:間|前|後|后|以內|以内|之內|内|內|ほど|程度|くらい|ぐらい|かか|分|目|連続|連|ごと|毎|おき|あたり"
        r"|当たり|本|数|帰|遊|游|份|線|出口"
        r"|門|樓|楼|車|房|桌|機|机|月台|碼|码|球|電池|店|櫃|館|廳|會議|座|床|箱|棟|院|公路|次|期|班|員|營業|工作"
        r"|營|夜|券|曆|常|用|元|円|で(?:き|終|届|仕)))",
        r"(?<![\d./月年第約约-])(?<!\d[~,:])(?P<d>\d{1,2})(?=(?:日?と|[、・]) ?\d{1,2}"
        r" ?[日號号](?!間|间|以|内|內|後|后|で[き終届]))",
    ),
    "thai": (
        r"วันที่ ?(?P<d>\d{1,2})(?![\d:/]|\.\d)",
        r"(?:วัน(?:จันทร์|อังคาร|พุธ|พฤหัสบดี|พฤหัส|ศุกร์|เสาร์|อาทิตย์)|อังคาร|พุธ|พฤหัส|ศุกร์|อาทิตย์(?=ที่)"
        r"|เสาร์) ?(?:ที่)? ?(?P<d>\d{1,2})(?![\d:/.]| ?(?:โมง|ทุ่ม|คน|ชั่วโมง|ที่|นาที))",
    ),
    "arabic": (
        r"(?<![ء-ي])[وفبل]?(?:يوم|ليوم|تاريخ|بتاريخ|ليله)(?: ال)? ?(?P<d>\d{1,2})(?![\d:/]|[.,]\d| ?(?:ايام|يوم"
        r"|عمل|الف|محرم|صفر|ربيع"
        r"|جماد|رجب|شعبان|رمضان|شوال|ذو|ذي))",
        r"(?<![ء-ي])[وف]?(?:قبل|بعد|حتي|من|الي|لين) ال ?(?P<d>\d{1,2})(?![\d:/]|[.,]\d| ?[ء-ي]{3})",
        r"(?<![ء-ي])(?:ال|لل|بال)(?:اثنين|ثلاثاء|اربعاء|خميس|جمعه|سبت|احد)[،,]? (?P<d>\d{1,2})(?![\d:/]|[.,]\d"
        r"| ?(?:ص|م|الصبح|صباحا|العصر|مساء))",
        r"يومي (?P<d>\d{1,2}) ?و ?\d{1,2}(?!\d| ?:)",
        r"يومي \d{1,2} ?و ?(?P<d>\d{1,2})(?!\d| ?:)",
    ),
    "latin": (
        r"(?i:\bthe) (?P<d>\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|level|quarter|time|anniversary|edition|draft"
        r"|batch|payment|inst|century|place"
        r"|grade|street|avenue|road|version|attempt|item|page|para|row|copy|reminder|party|person|round|year|week"
        r"|month|prize|half"
        r"|line|chapter|question|shift|session|slot|option|one|birthday|storey|block|unit|test|visit|stage|phase"
        r"|of (?!this|next|the)))",
        r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,?(?: the)? (?P<d>\d{1,2})(?:st|nd|rd|th)\b",
        r"\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?P<d>\d{1,2})(?=[,)]|$"
        r"|\.?(?:\n|$| [A-Z])| at )",
        r"\b(?:by|on|until|till|before|after|from|to|and|since) (?P<d>\d{1,2})(?:st|nd|rd|th)\b(?=[ ,.)!?]?(?:$"
        r"|[ ,.)!?\n](?:at|to|and|or|for|please|$)?))",
    ),
}
_DAYS_ALONE: tuple[tuple[Script, re.Pattern[str]], ...] = tuple(
    (script, re.compile(pattern)) for script, patterns in _ALONE.items() for pattern in patterns
)
_PAIRS = tuple(pattern for _, pattern in _DAYS_ALONE if pattern.pattern.startswith("يومي"))
_ONE_DAY = re.compile(r"1 ?(?:日|일)(?= ?(?:中|\d|\ufffc|あたり|当|一|がか|も|限|を|한도|이용|최대|평균|권|당))")
_PAST = re.compile(r"(?:지난|去る|去る |เมื่อ|上個?月|الماضي|last) ?$")
_MONTH_NAME = "|".join(re.escape(word) for word in sorted(MONTHS, key=len, reverse=True) if not word.isascii())
_MONTH_END = re.compile(
    r"(?<![가-힣])(?:(?P<this>이번 ?달 ?말|이달 ?말|금월 ?말|월말)|(?P<next>다음 ?달 ?말|내달 ?말"
    r"|익월 ?말))(?!고사|[가-힣]*평가)"
    r"|(?P<next2>来月末|翌月末|下個?月底|下个?月底)|(?P<this2>今月末|(?:這個?|本|这个?)月底"
    r"|(?<![\d一二三四五六七八九十])月(?:末|底))"
    rf"|(?P<m>\d{{1,2}}|{HAN_NUMBER}{{1,2}}) ?[月월] ?[末底말](?!고사)"
    rf"|สิ้นเดือน(?: ?(?:(?P<next3>หน้า)|(?P<m2>{_MONTH_NAME})))?(?P<this3>)"
    rf"|(?<![ء-ي])[بلو]?(?:نهايه|اخر) (?:شهر )?(?:(?P<m3>{_MONTH_NAME})|(?P<next4>الشهر (?:القادم|المقبل|الجاي))"
    r"|(?P<this4>(?:هذا )?الشهر))(?![ء-ي])"
    r"|(?i:\bend of (?:(?P<next5>next month)|(?P<this5>(?:the|this) month)"
    r"|(?P<m4>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b|\b(?P<this6>month[- ]end)\b)"
)
_BESIDE = re.compile(r"[ ,،、(:]{0,3}(?:the |ที่ ?|الموافق |يوم |بتاريخ |即|는 |のうち)?")
_BESIDE_RIGHT = re.compile(r"[ ,،]{0,2}\(?|の")
_PREFIX = re.compile(r"(?:วันที่|เมื่อวันที่|(?<![ء-ي])(?:يوم|بتاريخ|تاريخ)|\bthe) ?$")


_DAY_ENDS = re.compile(r"[\d日号號일] ?\(?$")


def dates(text: str, written_on: dt.date) -> list[Mention]:
    """Find the days that `text`, written on the day given, mentions, in their order."""
    return _mentions(text, [span for span in _spans(masked(plain(text).text), written_on) if span.days])


def figured(text: str, written_on: dt.date) -> list[Mention]:
    """Find the days that are told by more than a word such as Friday or tomorrow."""
    return _mentions(
        text, [span for span in _spans(masked(plain(text).text), written_on) if span.days and span.figured]
    )


def misnamed(text: str, written_on: dt.date) -> list[Mention]:
    """Find the days beside which a wrong day of the week stands; their values are the days by their figures."""
    spans = _spans(masked(plain(text).text), written_on)
    return _mentions(text, [span._replace(days=span.figured) for span in spans if not span.days and span.figured])


def day_spans(field: str, written_on: dt.date) -> list[tuple[int, int]]:
    """Return where days stand in a masked text."""
    return [(span.start, span.end) for span in _spans(field, written_on) if span.days]


class _Span(NamedTuple):
    """A written day: what it means, and what its figures alone would mean."""

    start: int
    end: int
    days: tuple[dt.date, ...]
    figured: tuple[dt.date, ...]


def _mentions(text: str, spans: Iterable[_Span]) -> list[Mention]:
    even = plain(text)
    return [
        Mention("date", tuple(dict.fromkeys(day.isoformat() for day in days)), even.start(start), even.end(end))
        for start, end, days, _ in spans
    ]


@lru_cache(maxsize=256)
def _spans(field: str, on: dt.date) -> tuple[_Span, ...]:
    hits = written(field, on)
    hits = [*_with_years(field, hits)]
    known = {(hit.start, hit.end): _with_month(hit.readings, on) for hit in hits}
    open_year = {(hit.start, hit.end) for hit in hits if not hit.readings[0][0]}
    taken = [*known]
    for hit in _alone(field, taken):
        known[hit.start, hit.end] = _without_month(field, hit, known, on)
    known.update(_month_ends(field, [*known], on))
    words = day_words(field, on)
    result = [
        _Span(*_beside(field, span, days, _other_years(days, on) if span in open_year else (), words), days)
        for span, days in sorted(known.items())
    ]
    spans = [(span.start, span.end) for span in result]
    for word in words:
        if word.free and word.days and not _crosses(spans, word.start, word.end):
            spans.append((word.start, word.end))
            result.append(_Span(word.start, word.end, word.days, ()))
    return tuple(sorted(result))


def _with_month(readings: tuple[Reading, ...], on: dt.date) -> tuple[dt.date, ...]:
    days = ((_day(year, month, day) if year else _nearest(month, day, on)) for year, month, day in readings if month)
    return tuple(day for day in days if day)


def _nearest(month: int, day: int, on: dt.date) -> dt.date | None:
    days = [found for step in range(-4, 5) if (found := _day(on.year + step, month, day))]
    return min(days, key=lambda found: abs(found - on), default=None)


def _day(year: int, month: int, day: int) -> dt.date | None:
    if not (1 <= year <= 9999 and 1 <= month <= 12):
        return None
    return dt.date(year, month, day) if 1 <= day <= calendar.monthrange(year, month)[1] else None


def _with_years(field: str, hits: list[Hit]) -> Iterator[Hit]:
    """Give the ends of a range the year that only one of them names."""
    for place, hit in enumerate(hits):
        (year, month, day), *others = hit.readings
        if not year and not others and month:
            for other in (*hits[place + 1 : place + 2], *hits[max(place - 1, 0) : place]):
                other_year, other_month, other_day = other.readings[0]
                gap = field[hit.end : other.start] if other.start > hit.start else field[other.end : hit.start]
                if other_year and other_month and _is_range(gap):
                    later = (month, day) > (other_month, other_day)
                    step = -later if other.start > hit.start else not later and (month, day) != (other_month, other_day)
                    hit = hit._replace(readings=((other_year + int(step), month, day),))
                    break
        yield hit


def _is_range(gap: str) -> bool:
    return len(gap) <= 24 and bool(
        re.fullmatch(
            r"(?: ?\([^)\n]{1,6}\)| ?[월화수목금토일]요일)? ?(?:-|~|to|until|till|부터|から|至|到|ถึง|الي|حتي|،|,)"
            r" ?(?:(?:วัน[ก-๙]+ที่|วันที่|يوم|ال[ء-ي]+|[A-Z][a-z]+),? ?){0,2}",
            gap,
        )
    )


def _alone(field: str, taken: list[tuple[int, int]]) -> Iterator[Hit]:
    taken = [*taken]
    for script, pattern in _DAYS_ALONE:
        for match in matches(pattern, field, script):
            group = "d" if match["d"] else "k"
            start, end = match.span() if match.re not in _PAIRS else match.span(group)
            start += len(match[0]) - len(match[0].lstrip())
            day = number(match[group])
            if not 1 <= day <= 31 or _crosses(taken, start, end) or _ONE_DAY.match(field, start):
                continue
            taken.append((start, end))
            yield Hit(start, end, ((None, None, day),))


def _without_month(
    field: str, hit: Hit, known: dict[tuple[int, int], tuple[dt.date, ...]], on: dt.date
) -> tuple[dt.date, ...]:
    """Return the next such day; the month of a date just before it may be meant too."""
    day = hit.readings[0][2]
    past = _PAST.search(_PREFIX.sub("", field[: hit.start])) or _PAST.search(field[: hit.start])
    months = range(on.year * 12 + on.month - 1, on.year * 12 + on.month + 12)
    if past:
        months = range(months[0], months[0] - 12, -1)
    ways = (found for month in months if (found := _day(month // 12, month % 12 + 1, day)))
    days = [next(found for found in ways if (found <= on if past else found >= on))]
    before = [(span, values) for span, values in known.items() if span[1] <= hit.start and values]
    if before:
        span, values = max(before)
        gap = field[span[1] : hit.start]
        if len(gap) < 60 and not re.search(r"[。.!?！？\n](?:\s|$)|[。！？\n]", gap):
            same = _day(values[0].year, values[0].month, day)
            days += [same] if same else []
    return tuple(days)


def _month_ends(
    field: str, taken: list[tuple[int, int]], on: dt.date
) -> Iterator[tuple[tuple[int, int], tuple[dt.date, ...]]]:
    for match in _MONTH_END.finditer(field):
        if _crosses(taken, *match.span()):
            continue
        groups = {name: word for name, word in match.groupdict().items() if word is not None}
        named = next((word for name, word in groups.items() if name.startswith("m")), "")
        if named:
            month = MONTHS.get(named.lower()) or number(named)
            first = _nearest(month, 1, on) if 1 <= month <= 12 else None
            year = first.year if first else 0
        else:
            months = on.year * 12 + on.month - 1 + any(name.startswith("next") for name in groups)
            year, month = months // 12, months % 12 + 1
        if year:
            yield match.span(), (dt.date(year, month, calendar.monthrange(year, month)[1]),)


def _other_years(days: tuple[dt.date, ...], on: dt.date) -> tuple[dt.date, ...]:
    """Return the same days of the years beside, as far as one would still write them without the year."""
    others = (_day(day.year + step, day.month, day.day) for day in days for step in (1, -1))
    return tuple(other for other in others if other and abs((other - on).days) <= 300)


def _beside(
    field: str, span: tuple[int, int], days: tuple[dt.date, ...], others: tuple[dt.date, ...], words: list[DayWord]
) -> tuple[int, int, tuple[dt.date, ...]]:
    """Take in the weekday or relative word beside a date; a day whose weekday is wrong is none."""
    whole = start, end = span
    for word in words:
        bracket = field[word.start] == "(" or field[word.start - 1 : word.start] == "("
        if word.end <= start:
            gap, left = field[word.end : start], True
            # 4月13日(月)、4月14日: a weekday in brackets belongs to the day before it.
            if bracket and _DAY_ENDS.search(field, 0, word.start):
                continue
            if not _BESIDE.fullmatch(gap):
                continue
        elif word.start >= end:
            gap, left = field[end : word.start], False
            if not _BESIDE_RIGHT.fullmatch(gap):
                continue
        elif word.start < start < word.end or word.start < end < word.end:
            whole = (min(whole[0], word.start), max(whole[1], word.end))
            continue
        else:
            continue
        right = tuple(day for day in days if day.weekday() == word.weekday)
        right = right or tuple(day for day in others if day.weekday() == word.weekday)
        named = left and "(" not in gap and ("," not in gap or re.search(r"[A-Za-zก-๙ء-ي]$", field[: word.end]))
        if right or bracket or (named and word.bare):
            if not right and not word.bare:
                continue
            days = right
            whole = (min(whole[0], word.start), max(whole[1], word.end))
    if "(" in field[whole[0] : whole[1]] and field[whole[1] : whole[1] + 1] == ")":
        whole = (whole[0], whole[1] + 1)
    return *whole, days


def _crosses(spans: Iterable[tuple[int, int]], start: int, end: int) -> bool:
    return any(start < other_end and other_start < end for other_start, other_end in spans)
