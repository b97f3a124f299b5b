"""Whether a form of address stands in a text, whole: not as a part of another name or word."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from agentbench_env.text.facts.plain import plain

_HANGUL, _HAN, _THAI, _ARABIC = "가-힣", "一-鿿々", "ก-๛", "ء-ي"
_TITLE_DOT = re.compile(r"\b(Mr|Mrs|Ms|Mdm|Dr|Prof|Capt|Eng)\.", re.IGNORECASE)
_LATIN_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Mdm|Madam|Dr|Prof|Professor|Sir|Aunty|Auntie|Uncle)\s", re.IGNORECASE)
# What may follow a Korean name without a space: particles, the copula, forms of address.
_KO_AFTER = (
    r"(?:이|가|은|는|을|를|와|과|의|도|만|로|으로|랑|이랑|한테|에게|께|께서|님|씨|야|아|여|이여|네|이네|하고|부터|까지|보다|처럼|마다|이나|나|든"
    r"|이라|라|이고|이며|입니다|이에요|예요|이야|인데|군|양|형|누나|언니|오빠|대리|과장|차장|부장|팀장|사원|주임|이사|상무|전무|대표|선생|교수|실장|매니저)"
)
# The copula behind an open syllable, without its 이: 현우고, 현우예요, 현우였어.
_KO_COPULA = (
    r"|(?:[고구](?:요|여)?|며|면|임|인|인[가지걸]|일)(?![가-힣])|고서|였|예|에요"
    r"|랍|래|던|거든|니까|죠|지(?:요|만)?(?![가-힣])|인[분것거]|란"
)
_KO_TITLE = re.compile(r"(?:님|씨|형|누나|언니|오빠|아|야|군|양)$")
# What ends a group of people or a greeting, so that a family name may begin behind it.
_JA_BEFORE = r"(?<![一-鿿々](?<![部課社店室係所局会長科院校者氏様行庁省町市県区課組班団館園線方内外当弊御貴と在]))"
_TH_TITLES = ("คุณ", "ท่าน", "พี่", "น้อง", "ดร.")
_TH_WORDS = "คุณ|พี่|น้อง|ท่าน|ให้|กับ|ชื่อ|ของ|และ|หา|ฝาก|บอก|ถาม|ที่|เรียน|เจอ|รับ"
# Words that may follow a Thai name without a space; any other run of letters makes it a longer name.
_TH_AFTER = (
    r"(?:ครับ|คับ|คะ|ค่ะ|ค้า|จ้า|จ้ะ|จ๊ะ|นะ|น่ะ|ขา|ด้วย|และ|กับ|หรือ|ที่|ซึ่ง|จะ|จาก|จึง|ได้|ให้|มา|ไป|ไม่|มี|เป็น|อยู่|ว่า|ใน|ก็|ก่อน|แล้ว|เลย|เอง|เท่านั้น"
    r"|ดู|แจ้ง|ส่ง|ขอ|ช่วย|โทร|ติดต่อ|ทราบ|รับ|เข้า|ออก|ต้อง|ยัง|เคย|ทำ|บอก|ถาม|ตอบ|นัด|โดย|เพื่อ|แต่|ของ|ตาม|ผ่าน|เรื่อง|เมื่อ|วัน|สะดวก|ว่าง|สบาย|ลา|หาย"
    r"|กำลัง|คือ|เขา|เค้า|ทั้ง|เห็น|คิด|อยาก|เตรียม|จอง|ซื้อ|จ่าย|โอน|ลง|ขึ้น|กลับ|ถึง|ตั้งแต่|พร้อม|เจ้า|ฝ่าย|แผนก|สามารถ|กรุณา|โปรด|รบกวน|เซ็น|ตรวจ|แทน|ต่อ|อีก|วาน|ฝาก)"
)
_TH_BEFORE = rf"(?:(?<![{_THAI}])|{'|'.join(f'(?<={word})' for word in _TH_WORDS.split('|'))})"
_PREFIX = re.compile(rf"^(?:ال|{'|'.join(map(re.escape, _TH_TITLES))})(?=.)")
"""What a form may be parted from by a blank, or changed in: the article behind li-."""
_TH_MARK = "ะ-ฺๅ็-๎"


def occurs(form: str, text: str) -> bool:
    """Whether `form` occurs in `text` as a whole."""
    return bool(spans(form, text))


def spans(form: str, text: str) -> list[tuple[int, int]]:
    """Where `form` occurs in `text` as a whole; the places are comparable between forms in the same text."""
    even = _evened(text)
    tail = _tail(form)
    # Most forms asked for do not occur, and looking for letters is far cheaper than making a pattern.
    if not tail or tail not in even.lower():
        return []
    return [match.span() for match in _pattern(form).finditer(even)]


def who(text: str, people: Mapping[str, Sequence[str]]) -> set[str]:
    """Who of `people`, each with the forms of their name, is named in `text`.

    Where a form lies inside a longer one of somebody else, only the longer one is said.
    """
    found = [(span, person) for person, forms in people.items() for form in forms for span in spans(form, text)]
    return {person for span, person in found if not any(_within(span, other) for other, _ in found)}


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= span[0] and span[1] <= other[1] and span != other


@lru_cache(maxsize=256)
def _evened(text: str) -> str:
    return _TITLE_DOT.sub(r"\1", plain(text).text)


@lru_cache(maxsize=4096)
def _tail(form: str) -> str:
    """Small letters that stand in a row wherever the form occurs, "" if it has none."""
    last = _evened(form).split()[-1:]
    if not last:
        return ""
    if re.search(rf"[{_HAN}ぁ-ヿ]", last[0]):  # with blanks between its signs
        return last[0][-1].lower()
    return _PREFIX.sub("", last[0]).lower()


@lru_cache(maxsize=1024)
def _pattern(form: str) -> re.Pattern[str]:
    even = _evened(form).strip()
    words = even.split()
    if re.search(rf"[{_HANGUL}]", even):
        return re.compile(rf"(?<![{_HANGUL}])" + _spaced(words) + _korean_end(even))
    if re.search(rf"[{_ARABIC}]", even):
        return re.compile(_arabic(words))
    if re.search(rf"[{_THAI}]", even):
        return re.compile(_thai(words))
    if re.search(rf"[{_HAN}ぁ-ヿ]", even):
        kana_title = re.search(r"(?:様|さま|さん|ちゃん|くん|君|殿|氏|先生|部長|課長|係長|社長|主任|次長)$", even)
        before = _JA_BEFORE if kana_title and re.match(rf"[{_HAN}]", even) else ""
        return re.compile(before + _spaced(list("".join(words))))
    # One lower-case word may be no name at all (mint, may); a title or a second word makes it one.
    flags = re.IGNORECASE if len(words) > 1 or _LATIN_TITLE.match(even) else 0
    body = r"\s+".join(map(re.escape, words))
    return re.compile(rf"(?<![A-Za-zÀ-ɏ]){body}(?![A-Za-zÀ-ɏ]|-[A-Za-z])", flags)


def _spaced(words: list[str]) -> str:
    return r"\s?".join(map(re.escape, words))


def _korean_end(form: str) -> str:
    if _KO_TITLE.search(form):
        return ""
    opened = (ord(form[-1]) - ord("가")) % 28 == 0
    return rf"(?=$|[^{_HANGUL}]|{_KO_AFTER}{_KO_COPULA if opened else ''})"


def _thai(words: list[str]) -> str:
    body = r"\s*".join(map(re.escape, words))
    body = re.sub(rf"^({'|'.join(map(re.escape, map(re.escape, _TH_TITLES)))})(?=.)", r"\1\\s*", body)
    # A short nickname may be a part of any word, so what stands before it counts too.
    before = _TH_BEFORE if len("".join(words)) <= 5 else ""
    # A run of more than eight letters is rather a clause than the rest of a name.
    return rf"{before}{body}(?![{_TH_MARK}])(?=$|[^{_THAI}]|{_TH_AFTER}|ๆ|[{_THAI}]{{9}})"


def _arabic(words: list[str]) -> str:
    first, *rest = map(re.escape, words)
    if first.startswith("ال"):  # with the article, li- makes it ll-
        first = rf"(?:{first}|لل{first[2:]})"
    body = r"[\s/]+".join([first, *rest])
    return rf"(?<![{_ARABIC}])(?:[وفبلك]{{0,2}}|يا){body}(?![{_ARABIC}])"
