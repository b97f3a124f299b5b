"""Days written with figures and month names, and days without a month: what stands where, before it is resolved."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import NamedTuple

from agentbench_env.text.facts.numerals import ARABIC_ORDINALS, ENGLISH_ORDINALS, HAN_NUMBER, any_of, number
from agentbench_env.text.facts.scripts import matches

Reading = tuple[int | None, int | None, int]
"""Year, month and day as far as they are written."""


class Hit(NamedTuple):
    """A written day: its readings, and the side on which further days may share its month."""

    start: int
    end: int
    readings: tuple[Reading, ...]
    side: int = 0


_NAMES = {
    **{
        name: index
        for index, name in enumerate(
            ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
        )
    },
    **{
        word: index
        for index, words in enumerate(
            (
                "มกราคม มกรา ม.ค.|يناير كانون_الثاني جانفي",
                "กุมภาพันธ์ กุมภา ก.พ.|فبراير شباط فيفري",
                "มีนาคม มีนา มี.ค.|مارس اذار",
                "เมษายน เมษา เม.ย.|ابريل نيسان افريل",
                "พฤษภาคม พฤษภา พ.ค.|مايو ايار ماي",
                "มิถุนายน มิถุนา มิ.ย.|يونيو حزيران يونيه جوان",
                "กรกฎาคม กรกฎา ก.ค.|يوليو تموز يوليه جويليه",
                "สิงหาคม สิงหา ส.ค.|اغسطس اب اوت غشت",
                "กันยายน กันยา ก.ย.|سبتمبر ايلول شتنبر",
                "ตุลาคม ตุลา ต.ค.|اكتوبر تشرين_الاول",
                "พฤศจิกายน พฤศจิกา พ.ย.|نوفمبر تشرين_الثاني نونبر",
                "ธันวาคม ธันวา ธ.ค.|ديسمبر كانون_الاول دجنبر",
            ),
            1,
        )
        for word in re.split(r"[ |]", words)
    },
}
MONTHS = {name.replace("_", " "): month for name, month in _NAMES.items()}

_NATIVE = "|".join(
    re.escape(word) for word in sorted(MONTHS, key=lambda word: (-len(word), word)) if not word.isascii()
)
_LATIN = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
_MONTH = rf"(?P<mon>(?:{_NATIVE})(?![ء-ي])|(?i:{_LATIN})(?![A-Za-z])(?:\.(?= ?[\d,'(]))?)"
_YEAR = (
    r"(?:(?:-|,? ?)(?:พ\.ศ\.|ค\.ศ\.|ปี(?:นี้)?|من (?:عام|العام|سنه)|عام|لعام|سنه)? ?(?P<y>(?:1[89]|2[0-6])\d\d)(?!\d"
    r"| ?h(?:rs?|ours)?\b|[:.]\d)"
    r"|,? ?'(?P<y2>\d\d)(?!\d)|[ -](?P<y3>\d\d)(?![\d:]|\.\d| ?(?:น\.|am|pm|โมง|ทุ่ม|คน|ที่)))?"
)
_ORDINAL = r"(?: ?(?:st|nd|rd|th)\b)?"
_WEEKDAY_BETWEEN = r"(?:(?:[A-Z][a-z]+day|Mon|Tue|Wed|Thu|Fri|Sat|Sun|(?:يوم )?ال[ء-ي]{2,7}|วัน[ก-๙]+ที่|วันที่),? ?)?"
_JOIN = (
    r"(?P<j>-|~|/|,|،|\bto\b|\band\b|&|\bor\b|\buntil\b|\btill\b|\bthrough\b|ถึง|และ|หรือ|กับ"
    r"|الي|حتي|لغايه|\bو|\bاو\b)"
)
_DAY_FIRST = re.compile(
    rf"(?<![\d/.])(?<!\d[,:])(?P<d>\d{{1,2}}){_ORDINAL}(?: of| من| เดือน| شهر|،| من شهر|-)? ?(?:شهر )?{_MONTH}{_YEAR}"
    rf"|(?<!\w)(?P<ord>{any_of(ENGLISH_ORDINALS)})(?: of)? (?P<emon>{_LATIN})(?![A-Za-z])"
    rf"|(?<![ء-ي])(?:ال)?(?P<aord>{any_of(ARABIC_ORDINALS)})(?: من)?(?: شهر)? (?P<amon>{_NATIVE})(?![ء-ي])"
    r"(?:,? (?P<ay>20\d\d)(?!\d))?"
)
_BACK = re.compile(
    rf"(?<![\d/.])(?<!\d[,:])(?P<d>\d{{1,2}}){_ORDINAL}(?: ?\([^)\n]{{1,9}}\))? ?{_JOIN} ?(?:the )?{_WEEKDAY_BETWEEN}$"
)
_MONTH_FIRST = re.compile(
    rf"(?<![A-Za-z])(?P<mon>(?!may |march |mar )(?i:{_LATIN})\.?) (?:the )?(?P<d>\d{{1,2}}){_ORDINAL}"
    r"(?![\d:]|\.\d| ?(?:am|pm)\b| ?%)(?:,? (?P<y>20\d\d)(?!\d| ?h))?"
)
_ERAS = {
    "明治": 1867,
    "大正": 1911,
    "昭和": 1925,
    "平成": 1988,
    "令和": 2018,
    "R": 2018,
    "民國": 1911,
    "民国": 1911,
    "中華民國": 1911,
}
_NEAR_YEARS = {
    **dict.fromkeys(("올해", "금년", "今年", "本年"), 0),
    **dict.fromkeys(("내년", "명년", "来年", "來年", "明年"), 1),
    **dict.fromkeys(("작년", "지난해", "去年", "昨年"), -1),
}
_NEAR_MONTHS = (
    (
        re.compile(
            r"이번 ?달|이달|금월|당월|今月|本月|這個月|这个月|เดือนนี้|هذا الشهر|الشهر (?:الحالي|الجاري)|^الشهر$|هالشهر"
            r"|this month"
        ),
        0,
    ),
    (
        re.compile(
            r"다음 ?달|내달|익월|来月|來月|翌月|下個月|下个月|下月|เดือนหน้า|الشهر (?:القادم|الجاي|المقبل)|next month"
        ),
        1,
    ),
    (
        re.compile(
            r"지난 ?달|저번 ?달|전월|先月|前月|上個月|上个月|上月|เดือนที่แล้ว|เดือนก่อน|الشهر (?:الماضي|اللي فات)"
            r"|last month"
        ),
        -1,
    ),
)
_N = rf"\d{{1,2}}|{HAN_NUMBER}{{1,4}}"
_SUFFIX = r" ?[日號号일]"
_EAST = re.compile(
    rf"(?:(?:(?P<era>西元|公元|서기|中華民國|民國|民国|明治|大正|昭和|平成|令和)? ?(?P<y>\d{{1,4}}|元"
    rf"|{HAN_NUMBER}{{2,5}}) ?[年년]"
    rf"|(?P<near>{'|'.join(_NEAR_YEARS)})[의の度]?) ?)?"
    rf"(?<![\d一二三四五六七八九十.])(?P<m>\d{{1,2}}|{HAN_NUMBER}{{1,3}}) ?[月월] ?(?P<d>{_N})"
    rf"(?:{_SUFFIX}(?!間|间|간|본|정도)|(?= ?[~\-、,・/] ?(?:{_N}){_SUFFIX}))"
)
_NEAR_MONTH_DAY = re.compile(
    r"(?P<near>이번 ?달|이달|금월|당월|다음 ?달|내달|익월|지난 ?달|저번 ?달|今月|来月|翌月|先月|前月|本月|這個月"
    r"|这个月|下個月|下个月|下月|上個月|上月"
    rf")(?:의|の|的)? ?(?P<d>{_N}){_SUFFIX}(?!間|间|간)"
    r"|(?<![\d/.])(?<!\d[,:])(?P<d2>\d{1,2})(?:st|nd|rd|th)? ?(?:of |من |في |ب)?(?P<near2>(?:this|next|last) month"
    r"|هذا الشهر|هالشهر"
    r"|الشهر(?: (?:القادم|الجاي|المقبل|الماضي|الحالي|الجاري|اللي فات))?|الجاري|เดือน(?:นี้|หน้า|ที่แล้ว|ก่อน))"
)
_FIGURES = re.compile(
    r"(?<![A-Za-z\d./])(?<!\d:)(?:"
    r"(?P<y>[12]\d{3})(?P<s>[-/.]) ?(?P<m>\d{1,2})(?P=s) ?(?P<d>\d{1,2})\.?(?=T\d|(?![A-Za-z\d]|[-/]\d|\.\d))"
    r"|(?P<d4>\d{1,2})(?P<s4>[-/.])(?P<m4>\d{1,2})(?P=s4)(?P<y4>[12]\d{3})(?![\d/-])"
    r"|(?P<era>R|民國 ?)?(?P<y2>1\d\d|\d{1,2})(?P<s2>[/.])(?P<m2>\d{1,2})(?P=s2)(?P<d2>\d{1,2})(?![\d/]|\.\d)"
    r"|(?P<a>\d{1,2})/(?P<b>\d{1,2})(?![\d/:]|\.\d|-\d\d\d)"
    r"|(?P<pm>\d{1,2})\. ?(?P<pd>\d{1,2})\.? ?(?=\( ?[월화수목금토일月火水木金土日](?:曜日?|요일)?[^\d)]{0,6}\))"
    r"|(?P<km>1?\d)\. (?P<kd>[123]?\d)\.(?= ?[가-힣~(]|$)"
    r")"
)
_SHARE = re.compile(
    r" ?(?:의|로 줄|정도|이상|이하|가량|수준|を|程度|以上|以下|的(?:人|費|时|時)|左右|ページ|頁|쪽|枚|장|cup"
    r"|of (?:the|it|them|us))"
)
_FORWARD = re.compile(
    r"(?: ?\([^)\n]{1,9}\)| ?[월화수목금토일]요일| ?[月火水木金土日]曜日?)? ?"
    r"(?:-|~|、|,|・|및|부터|까지|에서|과|와|또는|이나|나|혹은|から|より|と|か|または|もしくは|及び|および|至|到"
    r"|和|與|跟|或|及) ?"
    rf"(?:(?P<d>{_N}){_SUFFIX}(?!間|间|간|이내|以内)|(?P<raw>\d{{1,2}})(?![\d:/.%]"
    rf"| ?[月월年년時时點点시分분개명個人名枚件回次階층樓元円]))"
)
_FORWARD_LATIN = re.compile(
    rf" ?(?P<j>-|~|to|and|&|or|until|through) ?(?:the )?(?P<raw>\d{{1,2}}){_ORDINAL}(?![\d:/.%]| ?(?:am|pm)\b"
    rf"| [a-z]+s\b)"
)


def written(field: str, on: dt.date) -> list[Hit]:
    """Find the days that are written with their month, in order, and those that share it."""
    raw = sorted(_written(field, on), key=lambda hit: (hit.start, -hit.end))
    kept: list[Hit] = []
    for hit in raw:
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    found = list(kept)
    for place, hit in enumerate(kept):
        before = kept[place - 1].end if place else 0
        after = kept[place + 1].start if place + 1 < len(kept) else len(field)
        found += _earlier(field, hit, before) if hit.side < 0 else _later(field, hit, after)
    return sorted(found)


def _written(field: str, on: dt.date) -> Iterator[Hit]:
    for match in matches(_DAY_FIRST, field, "latin", "thai", "arabic"):
        if match["d"]:
            day, month = int(match["d"]), _month(match["mon"])
        elif match["ord"]:
            day, month = ENGLISH_ORDINALS[match["ord"]], _month(match["emon"])
        else:
            day, month = ARABIC_ORDINALS[match["aord"]], _month(match["amon"])
        year, end = _year(match["y"] or match["ay"]), match.end()
        if match["y2"] or match["y3"]:
            year = _short_year(int(match["y2"] or match["y3"]), on, buddhist=not match["mon"].isascii())
            if year is None:
                end = match.start("y2" if match["y2"] else "y3") - 1
        yield Hit(match.start(), end, ((year, month, day),), -1)
    for match in matches(_MONTH_FIRST, field, "latin"):
        yield Hit(*match.span(), ((_year(match["y"]), _month(match["mon"]), int(match["d"])),), 2)
    for match in matches(_EAST, field, "hangul", "han"):
        year = on.year + _NEAR_YEARS[match["near"]] if match["near"] else _east_year(match["era"], match["y"])
        start = match.start("m") if year is None else match.end() - len(match[0].lstrip())
        yield Hit(start, match.end(), ((year, number(match["m"]), number(match["d"])),), 1)
    for match in _NEAR_MONTH_DAY.finditer(field):
        word = match["near"] or match["near2"]
        months = on.year * 12 + on.month - 1 + next(step for near, step in _NEAR_MONTHS if near.search(word))
        yield Hit(
            *match.span(),
            ((months // 12, months % 12 + 1, number(match["d"] or match["d2"])),),
            1 if match["near"] else -1,
        )
    yield from _in_figures(field, on)


def _in_figures(field: str, on: dt.date) -> Iterator[Hit]:
    east = re.search(r"[가-힣ぁ-ヿ一-鿿]", field) is not None
    for match in _FIGURES.finditer(field):
        readings: list[Reading] = []
        if match["y"]:
            readings.append((_year(match["y"]), int(match["m"]), int(match["d"])))
        elif match["y4"]:
            first, second = int(match["d4"]), int(match["m4"])
            readings.append(
                (_year(match["y4"]), second, first) if second <= 12 else (_year(match["y4"]), first, second)
            )
        elif match["y2"]:
            first, middle, last = (int(match[group]) for group in ("y2", "m2", "d2"))
            if match["era"] or first > 99:
                readings.append((first + _ERAS[(match["era"] or "民國").strip()], middle, last))
            elif (year := _short_year(first if east else last, on, buddhist=not east)) is not None:
                readings.append((year, middle, last if east else first))
        elif match["a"]:
            first, second = int(match["a"]), int(match["b"])
            if (first, second) == (24, 7) or (_SHARE.match(field, match.end()) and first < second):
                continue
            month_first = second > 12 or (east and first <= 12)
            readings.append((None, first, second) if month_first else (None, second, first))
        else:
            readings.append((None, int(match["pm"] or match["km"]), int(match["pd"] or match["kd"])))
        if readings:
            yield Hit(*match.span(), tuple(readings), 1)


def _earlier(field: str, hit: Hit, since: int) -> Iterator[Hit]:
    """Yield the days before a day with its month that share it: 27 to 31 July, 2 or 3 July, 4, 5 and 6 July."""
    listed = False
    start, (year, month, day) = hit.start, hit.readings[0]
    while match := _BACK.search(field[since:start]):
        if match["j"] in ",،" and not listed:
            return
        earlier = int(match["d"])
        if not 0 < earlier < day:
            return
        start, day, listed = since + match.start(), earlier, True
        yield Hit(start, since + match.end("d"), ((year, month, earlier),))


def _later(field: str, hit: Hit, until: int) -> Iterator[Hit]:
    """Yield the days after a day with its month that share it: 7월 27일~31일, 7/27-31, July 27 to 31."""
    end, (year, month, day) = hit.end, hit.readings[0]
    pattern = _FORWARD_LATIN if hit.side == 2 else _FORWARD
    while (match := pattern.match(field, end, until)) and month:
        group = "raw" if match["raw"] else "d"
        later = number(match[group])
        if match["raw"] and (
            later <= day or field[match.start() : match.start(group)].strip() not in "-~、・&andortou"
        ):
            return
        year, month = (year, month) if later >= day else (year and year + month // 12, month % 12 + 1)
        yield Hit(match.start(group), match.end(), ((year, month, later),))
        end, day = match.end(), later


def _month(word: str) -> int:
    return MONTHS.get(word) or MONTHS[word[:3].lower()]


def _year(word: str | None) -> int | None:
    if not word:
        return None
    return int(word) - 543 if int(word) >= 2400 else int(word)


def _short_year(last_two: int, on: dt.date, *, buddhist: bool) -> int | None:
    """Return the year near the day of writing that ends so in the common or the Buddhist era."""
    for year in (2000 + last_two, *((2500 + last_two - 543,) if buddhist else ())):
        if abs(year - on.year) <= 15:
            return year
    return None


def _east_year(era: str | None, word: str | None) -> int | None:
    if not word:
        return None
    count = 1 if word == "元" else number(word)
    if era in _ERAS:
        return count + _ERAS[era]
    if count < 10:
        return None
    if 100 <= count < 200:
        return count + _ERAS["民國"]
    return 2000 + count if count < 100 else _year(str(count))
