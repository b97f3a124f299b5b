"""Names of the days of the week, with the words that say which week, and today, tomorrow and the like."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import NamedTuple

from agentbench_env.text.facts.scripts import Script, matches


class DayWord(NamedTuple):
    """A weekday or relative word: the days it may mean, and whether it says them without a date beside it.

    `bare` is the name of a weekday without a word for the week.
    """

    start: int
    end: int
    weekday: int | None
    days: tuple[dt.date, ...]
    free: bool
    bare: bool = False


_THIS, _NEXT, _AFTER_NEXT, _LAST, _PAST, _COMING, _EITHER, _EVERY, _BARE = range(9)

_WEEKS: dict[str, int] = {
    **dict.fromkeys(
        ("이번주", "금주", "이번", "今週", "這", "这", "這個", "这个", "本", "this", "of this week", "this week"), _THIS
    ),
    **dict.fromkeys(("هذا", "هال", "من هذا الاسبوع", "هالاسبوع", "هذا الاسبوع"), _THIS),
    **dict.fromkeys(("นี้", "สัปดาห์นี้", "อาทิตย์นี้"), _THIS),
    **dict.fromkeys(
        ("다음주", "담주", "내주", "차주", "来週", "來週", "翌週", "次週", "下", "下個", "下个", "next"), _NEXT
    ),
    **dict.fromkeys(("of next week", "next week", "week", "หน้า", "สัปดาห์หน้า", "อาทิตย์หน้า"), _NEXT),
    **dict.fromkeys(
        ("من الاسبوع المقبل", "من الاسبوع القادم", "الاسبوع القادم", "الاسبوع المقبل", "الاسبوع الجاي"), _NEXT
    ),
    **dict.fromkeys(("다다음주", "再来週", "下下", "下下個", "下下个"), _AFTER_NEXT),
    **dict.fromkeys(("지난주", "저번주", "先週", "上", "上個", "上个", "last week", "of last week"), _LAST),
    **dict.fromkeys(("지난", "저번", "last", "ที่แล้ว", "ที่ผ่านมา", "الماضي", "اللي فات", "الفايت"), _PAST),
    **dict.fromkeys(("돌아오는", "오는", "今度", "coming", "this coming"), _COMING),
    **dict.fromkeys(("다음", "次", "次回", "القادم", "المقبل", "الجاي", "التالي", "the following"), _EITHER),
    **dict.fromkeys(("매주", "毎週", "每", "每個", "每个", "每週", "逢", "隔", "every", "each", "كل", "ทุก"), _EVERY),
}

_KO = re.compile(
    r"(?:(?P<w>다다음 ?주|다음 ?주|담주|이번 ?주|지난 ?주|저번 ?주|매주|금주|내주|차주|돌아오는|오는|다음|이번|지난"
    r"|저번) ?)?"
    r"(?<![가-힣])(?P<d>[월화수목금토일])(?:요일|욜)"
    r"|(?P<w2>다다음 ?주|다음 ?주|담주|이번 ?주|금주|차주|지난 ?주) ?(?P<d2>[월화수목금토일])(?![가-힣])"
)
_JA = re.compile(
    r"(?:(?P<w>再来週|来週|翌週|次週|今週|先週|今度|次回|次|毎週"
    r"|第[1-5一二三四五])の? ?)?(?P<d>[月火水木金土日])曜日?"
)
_ZH = re.compile(
    r"(?P<w>下下個?|下下个?|下個|下个|下|這個|这个|這|这|本|上個|上个|上|每個|每个|每|逢|隔)? ?"
    r"(?<![一二兩两三四五六七八九十數幾几\d])(?P<x>週|周|星期|禮拜|礼拜)(?P<d>[一二三四五六日天])(?![十百千個个])"
)
_TH_NAMES = {"จันทร์": 0, "อังคาร": 1, "พุธ": 2, "พฤหัสบดี": 3, "พฤหัสฯ": 3, "พฤหัส": 3, "ศุกร์": 4, "เสาร์": 5, "อาทิตย์": 6}
_TH = re.compile(
    rf"(?P<e>ทุก)?(?P<p>วัน)?(?P<d>{'|'.join(_TH_NAMES)})"
    r"(?: ?(?P<w>สัปดาห์หน้า|สัปดาห์นี้|อาทิตย์หน้า|อาทิตย์นี้|นี้|หน้า(?!ที่|ร้าน|ตึก|บ้าน|ห้อง|ประตู|โรง|อาคาร|สถานี|ทาง"
    r"|งาน|หมู่)|ที่แล้ว|ที่ผ่านมา))?"
    r"|(?<![ก-๙])(?P<s>พฤ|อา|จ|อ|พ|ศ|ส)\.(?= ?\d)|\((?P<s2>พฤ|อา|จ|อ|พ|ศ|ส)\.?\)"
)
_TH_SHORT = {"จ": 0, "อ": 1, "พ": 2, "พฤ": 3, "ศ": 4, "ส": 5, "อา": 6}
_AR_NAMES = {
    **dict.fromkeys(("اثنين", "اتنين"), 0),
    **dict.fromkeys(("ثلاثاء", "ثلاثا", "تلاتا"), 1),
    **dict.fromkeys(("اربعاء", "اربعا"), 2),
    "خميس": 3,
    "جمعه": 4,
    "سبت": 5,
    "احد": 6,
}
_AR = re.compile(
    r"(?<![ء-ي])(?:(?P<e>كل) )?[وف]?(?:(?:يوم|ليوم|بيوم) )?(?:(?P<w>هذا) )?(?P<p>بال|كال|عال|هال|ال|لل)"
    rf"(?P<d>{'|'.join(sorted(_AR_NAMES, key=len, reverse=True))})(?![ء-ي])"
    r"(?: (?P<w2>القادم|المقبل|الجاي|التالي|هذا الاسبوع|هذا(?! [ا-ي])|من هذا الاسبوع|هالاسبوع|الماضي|اللي فات|الفايت"
    r"|(?:من )?الاسبوع (?:المقبل|القادم|الجاي))(?![ء-ي]))?"
)
_AR_OTHERS = re.compile(r"(?:لنا|نحن|كلا|هذين|بين|صلاه|خطبه) $")
_EN_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_EN = re.compile(
    r"(?<!\w)(?:(?P<w>(?i:every|each|this coming|this|next|last|coming|the following)) )?"
    r"(?P<d>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?P<short>Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|MON|TUE|WED|THU|FRI|SAT|SUN)\.?)(?![\w'])"
    r"(?: (?P<w2>of next week|next week|of this week|this week|of last week|last week|week))?"
)
_BRACKET = re.compile(
    r"\( ?(?:(?:週|周|星期|禮拜|礼拜)?(?P<e>[月火水木金土日월화수목금토일一二三四五六天])(?:曜日?"
    r"|요일)?)(?:[ ・,、/·][^)\n]{0,8})? ?\)"
)
# A lone Han figure or sign behind a date in figures, as chat has it: 6/13 六, 早上.
_LONE = re.compile(r"(?<=\d) (?P<d>[一二三四五六日])(?=[,、 早上下中晚]|$)")
_SIGNS = {
    sign: index for signs in ("月火水木金土日", "월화수목금토일", "一二三四五六天") for index, sign in enumerate(signs)
}

_DAYS: tuple[tuple[Script, str, int], ...] = (
    ("hangul", r"(?<![가-힣])(?:오늘(?!날)|금일)", 0),
    ("hangul", r"(?<![가-힣])(?:내일 ?모레|낼모레|모레)", 2),
    ("hangul", r"(?<![가-힣])(?:내일|명일|낼(?!모레))(?! ?모레)", 1),
    ("hangul", r"(?<![가-힣])글피", 3),
    ("hangul", r"(?<![가-힣])(?:어제|어젯밤|전일)", -1),
    ("hangul", r"(?<![가-힣])(?:그저께|그제)", -2),
    ("han", r"(?<!一)(?:今日(?!的|この)|本日|今夜|今晩|今朝|今天|今晚|今早)", 0),
    ("han", r"明日(?![香菜花])|明天|明早|明晚|明朝(?!代)|明晩|あした(?!か)|(?<![ぁ-ん])あす(?=[はのもにか、])", 1),
    ("han", r"明後日|明后日|あさって|(?<![大先])(?:後天|后天)", 2),
    ("han", r"大後天|大后天|しあさって|明々後日", 3),
    ("han", r"(?<!一)昨日|昨天|昨夜|昨晩|昨晚|きのう", -1),
    ("han", r"一昨日|おととい|(?<![大])前天", -2),
    ("han", r"大前天", -3),
    ("thai", r"วันนี้|คืนนี้|เย็นนี้|เช้านี้|บ่ายนี้|ค่ำนี้|เมื่อเช้า", 0),
    ("thai", r"(?:วัน)?พรุ่งนี้|พรุ้งนี้|วันพรุ่ง", 1),
    ("thai", r"มะรืน(?:นี้)?", 2),
    ("thai", r"เมื่อวานซืน", -2),
    ("thai", r"เมื่อวาน(?!ซืน)(?:นี้)?|(?<!เมื่อ)วานนี้|เมื่อคืน", -1),
    ("arabic", r"(?<![ء-ي])[وفل]?بعد (?:غد|بكره|بكرا|باجر|باكر)(?![ء-ي])", 2),
    ("arabic", r"(?<![ء-ي])(?<!بعد )[وفبلك]?(?:غدا|الغد|لغد|(?:يوم )?غد|بكره|بكرا|باجر)(?![ء-ي])", 1),
    ("arabic", r"(?<![ء-ي])[وفبل]?(?:الليله|هالليله|النهارده)(?![ء-ي])", 0),
    (
        "arabic",
        r"(?<![ء-ي])(?<!نفس )(?<!هذا )(?<!ذلك )(?<!ذاك )(?<!طوال )(?<!طول )(?<!كل )(?<!ذات )(?<!في )[وفبل]?"
        r"(?:اليوم|لليوم)(?![ء-ي])(?! (?:نفسه|ذاته|الذي|اللي|التالي|السابق|المحدد|الواحد|الاول|الثان"
        r"|الاخير|المقرر))",
        0,
    ),
    ("arabic", r"(?<![ء-ي])(?<!اول )(?<!قبل )[وف]?(?:امس|البارحه|مبارح|امبارح)(?![ء-ي])", -1),
    ("arabic", r"(?<![ء-ي])[وف]?(?:اول|قبل) (?:امس|البارحه)(?![ء-ي])", -2),
    ("latin", r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b", 0),
    ("latin", r"\b(?:day|night) after (?:tomorrow|tmrw?|tmw)\b", 2),
    ("latin", r"(?<!after )\b(?:tomorrow|tmrw?|tmw|2moro)\b", 1),
    ("latin", r"\bday before yesterday\b", -2),
    ("latin", r"(?<!before )\b(?:yesterday|last night)\b", -1),
)
_RELATIVE: tuple[tuple[Script, re.Pattern[str], int], ...] = tuple(
    (script, re.compile(pattern, re.IGNORECASE), offset) for script, pattern, offset in _DAYS
)


def day_words(field: str, written_on: dt.date) -> list[DayWord]:
    """Find the weekdays and relative words in a masked text."""
    found: list[DayWord] = [*_weekdays(field, written_on)]
    for script, pattern, offset in _RELATIVE:
        day = written_on + dt.timedelta(days=offset)
        found += (DayWord(*match.span(), day.weekday(), (day,), True) for match in matches(pattern, field, script))
    return sorted(found, key=lambda word: (word.start, -word.end))


def _weekdays(field: str, on: dt.date) -> Iterator[DayWord]:
    for match in matches(_KO, field, "hangul"):
        week = (match["w"] or match["w2"] or "").replace(" ", "")
        yield _word(match, _SIGNS[match["d"] or match["d2"]], week, on)
    for match in matches(_JA, field, "han"):
        yield _word(match, _SIGNS[match["d"]], "毎週" if (match["w"] or "").startswith("第") else match["w"], on)
    for match in matches(_ZH, field, "han"):
        yield _word(match, _SIGNS[match["d"]], match["w"], on)
    for match in matches(_TH, field, "thai"):
        if not match["d"]:
            yield _word(match, _TH_SHORT[match["s"] or match["s2"]], "", on, free=False)
            continue
        weekday = _TH_NAMES[match["d"]]
        sure = bool(match["p"]) or (weekday not in (0, 6)) or (weekday == 0 and bool(match["w"]))
        yield _word(match, weekday, match["e"] or match["w"], on, free=sure)
    for match in matches(_AR, field, "arabic"):
        week = match["e"] or match["w"] or match["w2"] or ("هال" if match["p"] == "هال" else "")
        yield _word(match, _AR_NAMES[match["d"]], week, on, free=not _AR_OTHERS.search(field, 0, match.start()))
    for match in matches(_EN, field, "latin"):
        week = match["w"] or match["w2"]
        sure = not match["short"] or bool(week) or bool(re.match(r" (?:at )?\d", field[match.end() :]))
        yield _word(match, _EN_NAMES.index(match["d"][:3].lower()), week, on, free=sure)
    for match in matches(_BRACKET, field, "hangul", "han"):
        yield _word(match, _SIGNS[match["e"]], "", on, free=False)
    for match in matches(_LONE, field, "han"):
        yield _word(match, _SIGNS[match["d"]], "", on, free=False)


def _word(match: re.Match[str], weekday: int, week: str | None, on: dt.date, *, free: bool = True) -> DayWord:
    kind = _WEEKS.get((week or "").lower(), _BARE)
    return DayWord(*match.span(), weekday, _days(weekday, kind, on), free and kind != _EVERY, kind == _BARE)


def _days(weekday: int, kind: int, on: dt.date) -> tuple[dt.date, ...]:
    own_week = on + dt.timedelta(days=weekday - on.weekday())
    ahead = on + dt.timedelta(days=(weekday - on.weekday() - 1) % 7 + 1)
    week = dt.timedelta(days=7)
    if kind == _THIS:
        return (own_week,) if own_week >= on else (own_week, own_week + week)
    if kind in (_NEXT, _AFTER_NEXT):
        return (own_week + week * (kind - _THIS),)
    if kind == _LAST:
        return (own_week - week,)
    if kind == _PAST:
        return tuple(dict.fromkeys((ahead - week if ahead - week < on else ahead - 2 * week, own_week - week)))
    if kind == _COMING:
        return (ahead,)
    if kind == _EITHER:
        return tuple(dict.fromkeys((ahead, own_week + week)))
    return (on, ahead) if weekday == on.weekday() else (ahead,)
