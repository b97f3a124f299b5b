"""Hours as the six languages write them, before the half of the day is settled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from agentbench_env.text.facts.numerals import (
    ARABIC_CARDINALS,
    ARABIC_HOURS,
    HAN_NUMBER,
    KOREAN_HOURS,
    KOREAN_MINUTES,
    THAI_MINUTES,
    THAI_NUMBER,
    any_of,
    korean,
    number,
    thai,
)
from agentbench_env.text.facts.scripts import matches

Half = Literal["", "am", "pm", "noon", "morning", "evening", "night", "fixed"]


class Clock(NamedTuple):
    """A written hour; `half` is what is said of the half of the day, `fixed` if the figures leave no choice."""

    start: int
    end: int
    hour: int
    minute: int
    half: Half


HALVES: dict[str, Half] = {
    **dict.fromkeys(
        ("오전", "새벽", "午前", "未明", "早朝", "明け方", "上午", "凌晨", "清晨", "ก่อนเที่ยง", "صباحا", "فجرا", "الفجر"),
        "am",
    ),
    **dict.fromkeys(("am", "ص", "قبل الظهر", "الضحي", "ضحي", "منتصف الليل", "بعد منتصف الليل"), "am"),
    **dict.fromkeys(
        ("오후", "午後", "下午", "午后", "บ่าย", "หลังเที่ยง", "عصرا", "العصر", "عصر", "بعد الظهر", "pm", "afternoon"), "pm"
    ),
    **dict.fromkeys(("낮", "점심", "昼", "お昼", "中午", "午間", "ظهرا", "الظهر", "ظهر", "noon"), "noon"),
    **dict.fromkeys(
        ("아침", "朝", "今朝", "明朝", "早上", "早晨", "今早", "明早", "一早", "เช้า", "morning"), "morning"
    ),
    **dict.fromkeys(("الصبح", "الصباح", "صباح"), "morning"),
    **dict.fromkeys(
        ("저녁", "夕方", "夕", "傍晚", "เย็น", "ค่ำ", "مساء", "المساء", "المغرب", "مغربا", "العشاء", "العشا", "م"),
        "evening",
    ),
    "evening": "evening",
    **dict.fromkeys(
        (
            "밤",
            "심야",
            "夜",
            "晩",
            "今夜",
            "今晩",
            "明晩",
            "深夜",
            "夜中",
            "晚上",
            "晚間",
            "晚",
            "今晚",
            "明晚",
            "夜間",
        ),
        "night",
    ),
    **dict.fromkeys(("半夜", "夜里", "คืน", "ليلا", "الليل", "بالليل", "ليل", "الليله", "night", "tonight"), "night"),
}
_EAST_HALF = "|".join(sorted((word for word in HALVES if re.match(r"[가-힣ぁ-ヿ一-鿿]", word)), key=len, reverse=True))
_BEFORE = (
    rf"(?:(?P<half>(?i:(?<![A-Za-z])[ap]\.?m\.?)|{_EAST_HALF})(?:에는|에|중|では|に|の|は|的)?[ 、,]{{0,2}}"
    r"(?:약|한|대략|늦어도|約|约|大約|大概|差不多|是|在|到)? ?)?"
)
_ARABIC_HALF = (
    r"(?: ?(?:في |ب)?(?P<ahalf>(?:بعد )?منتصف الليل|"
    r"قبل الظهر|بعد الظهر|صباحا|الصباح|الصبح|صباح|ظهرا|الظهر|ظهر|عصرا|العصر|عصر|مساء"
    r"|المساء|ليلا|الليل|بالليل|ليل"
    r"|فجرا|الفجر|المغرب|مغربا|العشاء|العشا|الضحي|ضحي|(?P<letter>[صم]))(?![ء-ي]))"
)
_LATIN_HALF = r"(?: ?(?P<lhalf>[AaPp])(?:\.[Mm]\.|[Mm](?![A-Za-z]))(?!\w))"
_THAI_CLOCK = r"(?P<th> ?น(?:\.|าฬิกา)(?! ?ส)|(?= ?(?:-|ถึง) ?\d{1,2}[.:][0-5]\d ?น\.))"

_COLON = re.compile(
    rf"{_BEFORE}(?<![\d.+])(?<!\d:)(?<!(?:UTC|GMT)-)(?P<h>\d{{1,2}}):(?P<m>[0-5]\d)(?::[0-5]\d)?(?![\d:])"
    rf"(?:{_LATIN_HALF}|{_ARABIC_HALF}|{_THAI_CLOCK})?"
)
_DOT = re.compile(
    rf"{_BEFORE}(?P<lead>(?:เวลา|ตั้งแต่|ช่วง|รอบ|الساعه|الساعه:"
    rf"|حتي الساعه) ?)?(?<![\d.:$])(?P<h>\d{{1,2}})\.(?P<m>[0-5]\d)(?!\d|\.\d)"
    rf"(?:{_LATIN_HALF}|{_ARABIC_HALF}|{_THAI_CLOCK})?"
)
_KOREAN = re.compile(
    rf"{_BEFORE}(?P<h>(?<![\d.])\d{{1,2}}|(?P<w>(?:(?<![가-힣])|(?<=[전후녁밤벽낮심침]))(?:{any_of(KOREAN_HOURS)}))) ?"
    r"시(?!간|즌|리즈|험|점|작|대|세|장|설|행|각|청|내|민|립|외|스|술|선|그|디|키|동|기|정|속|범|단|추)"
    rf"(?: ?(?:(?P<m>\d{{1,2}}|{KOREAN_MINUTES}) ?분(?!기|량|야|의|간)|(?P<hm>반)(?!대|영|응|납|환|품|장)))?"
    # Words are hours only where what follows them is a particle or a blank.
    r"(?(w)(?=$|[^가-힣]|에|부터|까지|쯤|경|로|으로|은|는|이|가|를|을|도|만|와|과|전|정각|예|라|면|넘|요|야|여|인|였|입|니"
    r"|지|던|든|거|더|엔|보다|말고|하|나|랑|께|발|출|시|걸|꺼|차|타|회|집|마))"
)
_HAN = re.compile(
    rf"{_BEFORE}(?<![\d.一二三四五六七八九十百千第幾几每])(?P<h>\d{{1,2}}|{HAN_NUMBER}{{1,3}}) ?(?P<u>[時时點点])"
    r"(?!間|间|点|期|代|計|給|短|差|刻|折|々|點|数|數|心|餐|名|播|擊|子|燈|滿|段|效|限|常|候|機|机)"
    rf"(?: ?(?:(?P<m>\d{{1,2}}|{HAN_NUMBER}{{1,3}}) ?分(?P<ago> ?前)?|(?P<hm>半)(?!年|月|身|價|数|數|径|分)"
    rf"|(?P<q>[一三1３3]) ?刻"
    rf"|(?P<bm>[0-5]\d|[二三四五]?十{HAN_NUMBER}?)(?! ?[分人個个位枚名元円塊項件月日號号年時时點点種条條片台]|\d)"
    rf"|整|鐘|钟))?"
)
_NO_HOUR = re.compile(
    r" ?(?:建議|建议|說明|说明|注意|問題|问题|疑問|意見|意见|事項|事情|原因|理由|補充|补充|更正|提醒|要求|好處"
    r"|如下|紅利|共識|結論|差異|請求|希望|心得|疑慮|重點|以上(?:說|皆)|多點|點)"
)
_ONE = re.compile(r"[一1][點点時时](?=半|鐘|整|\d|[二三四五]?十|左右|見|開|到|前|集合|後)")


# 오후 3~4시, 9～18時: the first figure of a range.
_FIRST = re.compile(
    rf"{_BEFORE}(?<![\d./:월月일日-])(?P<h>1?\d|2[0-3])(?= ?[~-] ?\d{{1,2}} ?[시時时點点](?!간|間|间|數|数))"
)


def clocks(field: str) -> Iterator[Clock]:
    """Yield the hours of all grammars; some lie inside others."""
    yield from _in_figures(field)
    for match in matches(_KOREAN, field, "hangul"):
        hour = int(match["h"]) if match["h"].isdecimal() else KOREAN_HOURS[match["h"]]
        minute = 30 if match["hm"] else 0
        if match["m"]:
            minute = int(match["m"]) if match["m"].isdecimal() else korean(match["m"])
        yield from _made(match, hour, minute, half_of(match["half"]), match["h"])
    for match in matches(_FIRST, field, "hangul", "han"):
        yield from _made(match, int(match["h"]), 0, half_of(match["half"]), match["h"])
    for match in matches(_HAN, field, "han"):
        yield from _han(field, match)
    for match in matches(_TH_WORDS, field, "thai"):
        yield from _thai(match)
    for match in matches(_AR_WORDS, field, "arabic"):
        yield from _arabic(match)
    for pattern in _AR_BARE:
        for match in matches(pattern, field, "arabic"):
            yield Clock(*match.span("h"), int(match["h"]), 0, "")
    for pattern in _NAMED:
        for match in pattern[0].finditer(field):
            yield Clock(*match.span(), pattern[1], 0, "fixed")


def _in_figures(field: str) -> Iterator[Clock]:
    for match in _COLON.finditer(field):
        half: Half = half_of(match["half"] or (match["lhalf"] and f"{match['lhalf']}m") or match["ahalf"])
        fixed: Half = "fixed" if match["th"] is not None else ""
        yield from _made(match, int(match["h"]), int(match["m"]), half or fixed, match["h"], figures=True)
    for match in _DOT.finditer(field):
        half = half_of(match["half"] or (match["lhalf"] and f"{match['lhalf']}m") or match["ahalf"])
        if half or match["lead"] or match["th"] is not None:
            fixed = "fixed" if match["th"] is not None or (match["lead"] and "ا" not in match["lead"]) else ""
            yield from _made(match, int(match["h"]), int(match["m"]), half or fixed, match["h"])


def _made(
    match: re.Match[str], hour: int, minute: int, half: Half, written: str, *, figures: bool = False
) -> Iterator[Clock]:
    if hour <= (29 if figures else 24) and minute < 60:
        # A leading nought belongs to the clock of 24 hours.
        fixed = not half and (written[0] in "0零〇" or hour > 12)
        start = match.end() - len(match[0].lstrip(" 、,"))
        if (match.groupdict().get("half") or "")[:1] in ("今", "明"):
            start = match.start("h")  # 今夜 is a day of its own
        yield Clock(
            start, match.end() - len(match[0]) + len(match[0].rstrip()), hour, minute, "fixed" if fixed else half
        )


def half_of(word: str | None) -> Half:
    """Return what a word such as 오후, 午後 or pm says of the half of the day."""
    return HALVES.get((word or "").lower().replace(".", ""), "")


def _han(field: str, match: re.Match[str]) -> Iterator[Clock]:
    hour, half = number(match["h"]), half_of(match["half"])
    if not half and match["u"] in "點点":
        if _NO_HOUR.match(field, match.end()) or (match["h"] in "一1" and not _ONE.match(field, match.start("h"))):
            return
        if (
            re.search(r"(?:[有這以下差早晚快慢多少小大好高低]|以下|共|加|扣|集|滿) ?$", field[: match.start()])
            and match["h"] in "一1"
        ):
            return
    if not half and match["u"] in "時时" and match["h"] == "一":
        return
    minute = 30 if match["hm"] else 0
    if match["q"]:
        minute = 15 if match["q"] in "一1" else 45
    if match["m"] or match["bm"]:
        minute = number(match["m"] or match["bm"])
    if match["ago"]:
        # Five minutes before ten, or before five past ten.
        total = hour * 60 - minute
        yield from _made(match, total // 60, total % 60, half, match["h"])
        if minute % 10:
            return
    yield from _made(match, hour, minute, half, match["h"])


_TN = rf"(?P<{{}}>\d{{{{1,2}}}}|{THAI_NUMBER})"
_TM = (
    rf"(?: ?(?:(?P<{{}}>ครึ่ง)|(?P<{{}}>\d{{{{1,2}}}}(?= ?นาที)"
    rf"|{THAI_MINUTES}(?![ก-๙]*(?:คน|ชั่วโมง|วัน|บาท|ที่)))(?: ?นาที)?))?"
)
_TH_WORDS = re.compile(
    r"(?:"
    rf"บ่าย ?{_TN.format('a')}(?: ?โมง)?(?:ตรง)?{_TM.format('ah', 'am')}"
    rf"|(?P<b>บ่ายโมง)(?:ตรง)?{_TM.format('bh', 'bm')}"
    rf"|(?<![ก-๙])(?:(?P<pre>เช้า|เย็น) ?)?(?<!ชั่ว){_TN.format('c')} ?(?:โมง|นาฬิกา)(?!ยาม)(?:ตรง)? ?(?P<ch>เช้า"
    rf"|เย็น)?{_TM.format('cc', 'cm')} ?(?P<ch2>เช้า|เย็น)?"
    rf"|(?<!ชั่ว)(?<=[ก-๙]){_TN.format('d')} ?โมง(?!ยาม)(?:ตรง)? ?(?P<dh>เช้า"
    rf"|เย็น)?{_TM.format('dc', 'dm')} ?(?P<dh2>เช้า|เย็น)?"
    rf"|{_TN.format('e')} ?ทุ่ม(?!เท|ทุน)(?:ตรง)?{_TM.format('eh', 'em')}"
    rf"|(?P<f>ทุ่ม)(?!เท|ทุน)(?:นึง|หนึ่ง)?{_TM.format('fh', 'fm')}"
    rf"|ตี ?{_TN.format('g')}(?: ?โมง)?(?![ก-๙]*(?:บาท|คน))(?:ตรง)?{_TM.format('gh', 'gm')}"
    rf"|เที่ยง(?P<i>คืน)(?:ตรง)?{_TM.format('ih', 'im')}"
    r"|(?P<k>เที่ยง)(?!คืน|ธรรม|แท้|ตรงไป)(?:วัน(?!ที่|จันทร์|อังคาร|พุธ|พฤหัส|ศุกร์|เสาร์|อาทิตย์"
    r"|นี้))?(?:ตรง)?(?: ?(?P<kh>ครึ่ง)(?!ชั่ว))?"
    r"|(?<![ก-๙])(?P<l>โมงเช้า)"
    r")"
)


def _thai(match: re.Match[str]) -> Iterator[Clock]:
    def minute(half: str, words: str) -> int:
        return 30 if match[half] else thai(match[words]) if match[words] else 0

    half: Half = "fixed"
    if match["a"]:
        hour, past = thai(match["a"]) + 12, minute("ah", "am")
        if hour > 18:
            return
    elif match["b"]:
        hour, past = 13, minute("bh", "bm")
    elif match["c"] or match["d"]:
        letter = "c" if match["c"] else "d"
        hour, past = thai(match[letter]), minute(f"{letter}c", f"{letter}m")
        word = match[f"{letter}h"] or match[f"{letter}h2"] or (match["pre"] if letter == "c" else "") or ""
        if hour > 24:
            return
        if word == "เย็น":
            hour += 12 if hour < 12 else 0
        elif word == "เช้า":
            hour += 6 if hour < 6 else 0
        elif hour < 6:
            hour += 12
        elif hour < 9:
            half = ""
    elif match["e"] or match["f"]:
        letter = "e" if match["e"] else "f"
        hour, past = 18 + (thai(match["e"]) if match["e"] else 1), minute(f"{letter}h", f"{letter}m")
        if hour > 24:
            return
    elif match["g"]:
        hour, past = thai(match["g"]), minute("gh", "gm")
        if hour > 6:
            return
    elif match["i"]:
        hour, past = 0, minute("ih", "im")
    elif match["k"]:
        hour, past = 12, 30 if match["kh"] else 0
    else:
        hour, past = 7, 0
    if past < 60:
        yield Clock(match.start(), match.end() - len(match[0]) + len(match[0].rstrip()), hour % 24, past, half)


_AR_MINUTES = (
    r"(?: ?(?:(?P<half>و ?(?:ال)?(?:نصف|نص))(?![ء-ي])|(?P<quarter>و ?(?:ال)?ربع)(?![ء-ي])"
    r"|(?P<third>و ?(?:ال)?(?:ثلث|تلت))(?![ء-ي])"
    r"|(?P<less>الا ?(?:ال)?(?P<lw>ربعا?|ثلثا?|تلت|خمس(?: دقايق)?|عشر(?:ه)?(?: دقايق)?))(?![ء-ي])"
    r"|و ?(?P<m>\d{1,2}(?= ?دق)|خمس|عشر|عشره|عشرين|عشرون|خمس وعشرين|اربعين|خمسين)"
    r" ?(?P<unit>دقيقه|دقايق|دقاءق)?(?![ء-ي\d])))?"
)
_AR_HOUR = rf"(?P<h>\d{{1,2}}|{any_of(ARABIC_HOURS)}|{any_of(ARABIC_CARDINALS)})"
_AR_WORDS = re.compile(
    rf"(?<![ء-ي\d.,:/])(?:[وفبل]?(?:ال)?(?P<lead>ساعه|تمام(?: الساعه)?)(?: الان)?:? ?|(?P<loose>[وبل](?=ال[ء-ي])"
    rf"|[ول](?= ?\d))?)(?<![\d.:])"
    rf"{_AR_HOUR}(?![\d:/]|[.,]\d)(?![ء-ي]){_AR_MINUTES}{_ARABIC_HALF}?(?![ء-ي])"
)
_AR_MINUTE_WORDS = {
    "خمس": 5,
    "عشر": 10,
    "عشره": 10,
    "عشرين": 20,
    "عشرون": 20,
    "خمس وعشرين": 25,
    "اربعين": 40,
    "خمسين": 50,
}
_AR_BARE = (
    re.compile(
        r"بين (?:الساعه )?(?:1[0-2]|[1-9])(?::[0-5]\d)? ?و ?(?:الساعه )?(?P<h>1[0-2]|[1-9])(?= ?(?:[.?!,\n]|$))"
    ),
    re.compile(r"(?<![ء-ي])[ومب]?بين (?P<h>1[0-2]|[1-9])(?= ?و ?(?:1[0-2]|[1-9]) (?:ال[عصمظل]|صباحا|مساء|ظهرا|عصرا))"),
    re.compile(
        r"(?<![ء-ي])[وف]?(?:[يتن](?:بدا|فتح|قفل|سكر|خلص|نتهي|غلق)|اخلص|دوام[ء-ي]*|الدوام|من|بعد|قبل)(?: (?:من|ع"
        r"|علي))? (?P<h>1[0-2]|[1-9])"
        r"(?= ?(?:و[يتن](?:خلص|سكر|قفل|نتهي|غلق)|(?:ل|الي|حتي|لين) ?(?:1[0-2]|[1-9])(?: [ءا]ل(?:عصر|صبح|ليل|مغرب"
        r"|ظهر)| ?[.?!\n]|$))| ?[?!]| ?$)"
    ),
    re.compile(
        r"(?<![ء-ي\d])(?:من )?(?P<h>1[0-2]|[1-9])(?= ?(?:-|ل|الي|حتي|لين) ?(?:الساعه )?(?:1[0-2]|[1-9])(?::[0-5]\d)?"
        r" ?(?:العصر|الصبح|صباحا|مساء|ظهرا|الظهر|عصرا|ليلا|بالليل|المغرب|[صم](?![ء-ي])))"
    ),
)


_AR_ONE_HOUR = re.compile(r"[وفبل]?ساعه واحده")


def _arabic(match: re.Match[str]) -> Iterator[Clock]:
    # Without the article it is a length of time: ساعة واحدة, but الساعة الواحدة.
    if _AR_ONE_HOUR.match(match[0]):
        return
    word, half = match["h"], half_of(match["ahalf"])
    minutes = any(match[group] for group in ("half", "quarter", "third", "less"))
    sure = (
        match["lead"] or (half and not match["letter"]) or (minutes and (word.isdecimal() or word in ARABIC_CARDINALS))
    )
    if (not sure and not (minutes and word in ARABIC_HOURS)) or (
        match["m"] and not match["unit"] and not match["lead"]
    ):
        return
    hour = int(word) if word.isdecimal() else ARABIC_HOURS.get(word) or ARABIC_CARDINALS[word]
    minute = 30 * bool(match["half"]) + 15 * bool(match["quarter"]) + 20 * bool(match["third"])
    if match["m"]:
        minute = int(match["m"]) if match["m"].isdecimal() else _AR_MINUTE_WORDS[match["m"]]
    if match["less"]:
        less = {"رب": 15, "ثل": 20, "تل": 20, "خم": 5, "عش": 10}[match["lw"][:2]]
        hour, minute = (hour - 1 or 12), 60 - less
    yield from _made(match, hour, minute, half, word)


_NAMED = (
    (re.compile(r"(?<![가-힣])정오(?!표|차|류|탈)|正午|\b(?:12 ?)?(?:noon|midday)\b", re.IGNORECASE), 12),
    (re.compile(r"中午(?! ?(?:\d{1,2}|[一十兩])[點点時:]|吃|用餐|休息)"), 12),
    (re.compile(r"(?<![ء-ي])[وبل]?(?:منتصف النهار|(?:قبل|حتي|لحد|لين|الي|من|عند) الظهر)(?![ء-ي])"), 12),
    (
        re.compile(
            r"(?<![가-힣])자정(?! ?능력|작용)|午夜|\b(?:12 ?)?midnight\b|(?<![ء-ي])[وبل]?منتصف الليل", re.IGNORECASE
        ),
        0,
    ),
)
