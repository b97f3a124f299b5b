"""Number words that stand in dates and times: Han, Korean, Thai, Arabic and English."""

from __future__ import annotations

import re
from itertools import product

HAN = {
    "〇": 0,
    "零": 0,
    "一": 1,
    "二": 2,
    "兩": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
HAN_NUMBER = "[〇零一二兩两三四五六七八九十廿卅百]"
KOREAN_HOURS = {
    **dict(zip(("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열"), range(1, 11), strict=True)),
    "열한": 11,
    "열두": 12,
}
_KOREAN_DIGITS = {"일": 1, "이": 2, "삼": 3, "사": 4, "오": 5, "육": 6, "칠": 7, "팔": 8, "구": 9}
THAI = {
    "ศูนย์": 0,
    "หนึ่ง": 1,
    "นึง": 1,
    "สอง": 2,
    "สาม": 3,
    "สี่": 4,
    "ห้า": 5,
    "หก": 6,
    "เจ็ด": 7,
    "แปด": 8,
    "เก้า": 9,
    "สิบ": 10,
    "สิบเอ็ด": 11,
    "สิบสอง": 12,
}
_THAI_UNIT = {**{word: value for word, value in THAI.items() if value < 10}, "เอ็ด": 1}
ENGLISH = {
    word: value
    for value, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        1,
    )
}
ENGLISH_MINUTES = {
    **{word: value for word, value in ENGLISH.items() if value >= 5},
    **{
        f"{ten}{join}{word}": base + value
        for (ten, base), (word, value), join in product(
            (("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50)), list(ENGLISH.items())[:9], (" ", "-")
        )
    },
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
}
ENGLISH_ORDINALS = {
    word: value
    for value, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
            "thirteenth",
            "fourteenth",
            "fifteenth",
            "sixteenth",
            "seventeenth",
            "eighteenth",
            "nineteenth",
            "twentieth",
        ],
        1,
    )
} | {
    f"{ten}-{word}": base + value
    for ten, base in (("twenty", 20), ("thirty", 30))
    for value, word in enumerate(
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"], 1
    )
}
# The hour of the clock is an ordinal of the feminine, the day of the month one of the masculine; chat has cardinals.
ARABIC_HOURS = {
    "الواحده": 1,
    "الثانيه عشره": 12,
    "الثانيه عشر": 12,
    "الحاديه عشره": 11,
    "الحاديه عشر": 11,
    "الثانيه": 2,
    "الثالثه": 3,
    "الرابعه": 4,
    "الخامسه": 5,
    "السادسه": 6,
    "السابعه": 7,
    "الثامنه": 8,
    "التاسعه": 9,
    "العاشره": 10,
}
ARABIC_CARDINALS = {
    **dict.fromkeys(("وحده", "واحده"), 1),
    **dict.fromkeys(("ثنتين", "تنتين", "اثنين"), 2),
    **dict.fromkeys(("ثلاثه", "ثلاث", "تلاته", "تلات"), 3),
    **dict.fromkeys(("اربعه", "اربع"), 4),
    **dict.fromkeys(("خمسه", "خمس"), 5),
    **dict.fromkeys(("سته", "ست"), 6),
    **dict.fromkeys(("سبعه", "سبع"), 7),
    **dict.fromkeys(("ثمانيه", "ثماني", "ثمان", "تمانيه", "تمنيه"), 8),
    **dict.fromkeys(("تسعه", "تسع"), 9),
    **dict.fromkeys(("عشره", "عشر"), 10),
    **dict.fromkeys(("احدعش", "حداعش", "احدي عشره", "حدعش"), 11),
    **dict.fromkeys(("اثنعش", "طنعش", "اثنا عشر", "اطنعش"), 12),
}
_ARABIC_UNITS = ("الاول", "الثاني", "الثالث", "الرابع", "الخامس", "السادس", "السابع", "الثامن", "التاسع")
ARABIC_ORDINALS = {
    **{f"{word} عشر": 10 + value for value, word in enumerate(_ARABIC_UNITS, 1) if value > 1},
    "الحادي عشر": 11,
    **{f"{word} والعشرين": 20 + value for value, word in enumerate(_ARABIC_UNITS, 1)},
    **{f"{word} والعشرون": 20 + value for value, word in enumerate(_ARABIC_UNITS, 1)},
    **dict.fromkeys(("الحادي والعشرين", "الواحد والعشرين", "الحادي والعشرون"), 21),
    **dict.fromkeys(("الحادي والثلاثين", "الواحد والثلاثين"), 31),
    **dict.fromkeys(("العشرين", "العشرون"), 20),
    **dict.fromkeys(("الثلاثين", "الثلاثون"), 30),
    "العاشر": 10,
    "اول": 1,
    **{word: value for value, word in enumerate(_ARABIC_UNITS, 1)},
}


def any_of(words: dict[str, int]) -> str:
    """Return a pattern of the words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def number(word: str) -> int:
    """Read figures or a Han number below a thousand, in either way of writing: 二十五, 廿五, 二〇二六."""
    if word.isdecimal():
        return int(word)
    if not set(word) & set("十廿卅百"):
        return int("".join(str(HAN[sign]) for sign in word))
    total = digit = 0
    for sign in word:
        if sign in HAN:
            digit = HAN[sign]
        elif sign == "百":
            total, digit = total + (digit or 1) * 100, 0
        else:
            total, digit = total + {"十": digit or 1, "廿": 2, "卅": 3}[sign] * 10, 0
    return total + digit


def korean(word: str) -> int:
    """Read a Sino-Korean number below a hundred: 삼십오."""
    tens, ten, unit = word.partition("십")
    if not ten:
        return _KOREAN_DIGITS[word]
    return _KOREAN_DIGITS.get(tens, 1) * 10 + _KOREAN_DIGITS.get(unit, 0)


def thai(word: str) -> int:
    """Read figures or a Thai number below a hundred: ยี่สิบห้า."""
    if word.isdecimal():
        return int(word)
    if word in THAI:
        return THAI[word]
    tens, _, unit = word.partition("สิบ")
    return ({"": 1, "ยี่": 2} | _THAI_UNIT)[tens] * 10 + _THAI_UNIT.get(unit, 0)


THAI_NUMBER = rf"(?:{any_of(THAI)})"
THAI_MINUTES = (
    rf"(?:(?:ยี่|สาม|สี่|ห้า)?สิบ(?:{any_of(_THAI_UNIT)})?|{any_of({w: v for w, v in THAI.items() if v < 10 and v})})"
)
KOREAN_MINUTES = r"(?:[이삼사오]?십[일이삼사오육칠팔구]?|[일이삼사오육칠팔구])"
