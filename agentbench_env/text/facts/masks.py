"""Figures that are neither dates nor times: ids, telephone numbers, amounts, versions, shares. They become blanks."""

from __future__ import annotations

import re
from functools import lru_cache

MASK = "\ufffc"
"""Stands for a masked character; no grammar matches it."""

_TOKEN = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z_/.-]*\d)[A-Za-z0-9]+(?:[-_/.][A-Za-z0-9]+)*(?![A-Za-z0-9])")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_WEEKDAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_PART = re.compile(
    rf"\d{{1,4}}(?:am|pm|a|p|st|nd|rd|th|hrs?|h|ish)?|[0-5]\dZ|m|{_MONTH}|{_WEEKDAY}|\d{{1,2}}{_MONTH}|{_MONTH}\d{{1,2}}",
    re.IGNORECASE,
)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}|R\d{1,2}[./]\d{1,2}[./]\d{1,2}")
_SEGMENT = re.compile(r"\d{1,4}(?:[./]\d{1,4}){0,2}")
_THREE = re.compile(r"[12]\d{3}-\d{1,2}-\d{1,2}|\d{1,2}-\d{1,2}-[12]\d{3}|1\d\d-\d{1,2}-\d{1,2}")
_HOURS = re.compile(r"(?:[01]\d|2[0-4])[0-5]\d-(?:[01]\d|2[0-4])[0-5]\d")

_CODES = (
    "KRW|JPY|SGD|TWD|NTD|NT|THB|AED|USD|AUD|NZD|MYR|OMR|EUR|GBP|CNY|RMB|VND|IDR|PHP|HKD|SAR|BHD|KWD|QAR|RM|Rp|Dhs?\\.?"
)
_NUMBER = r"\d(?:[\d,.]*\d)?"
_FIGURES = re.compile(
    "|".join(
        (
            # telephone numbers
            r"\+\d[\d ()-]{6,}\d",
            r"(?<!\d)\(?0\d{1,3}\)?[- ]\d{3,4}[- ]\d{3,4}(?!\d)",
            r"(?<![\d./:-])[689]\d{3} \d{4}(?!\d| ?h)",
            # amounts, shares, measures
            rf"(?:[$₩¥€£฿₫₱]|(?<![A-Za-z])(?:{_CODES})) ?{_NUMBER}",
            # but not the minutes of a time before a name: 19:00 원세린
            rf"(?<!\d)(?<!\d:){_NUMBER} ?[십백천만억조千百万萬億兆]{{0,3}} ?(?:원(?!래|인|칙|본|서|격|활|하|장|생)|엔"
            rf"|円|元(?!年|旦|日)|塊|圓)",
            rf"{_NUMBER} ?(?:달러|바트|디르함|유로|バーツ|ドル|ユーロ|泰銖|บาท|ดอลลาร์|ล้าน|พันบาท|هزار)",
            rf"{_NUMBER} ?(?:درهم|دراهم|ريال|دولار|دينار|دنانير|جنيه|يورو|الف|مليون)",
            rf"{_NUMBER} ?(?:dollars?|bucks|baht|dirhams?|yen|cents|million|billion|per ?cent|percent"
            rf"|k(?!\w))(?![a-z])",
            rf"{_NUMBER} ?(?:[%٪]|퍼센트|프로(?![가-힣])|パーセント|เปอร์เซ็นต์|في الميه|بالميه)",
            rf"{_NUMBER} ?(?:kg|km|cm|mm|GB|MB|TB|kWh|inch(?:es)?|㎡|m²|평|坪)(?![a-z])",
            # versions and sections
            r"(?<![A-Za-z])(?:v|ver\.|version|release|section|clause|chapter|para|paragraph|article"
            r"|no\.) ?\d+(?:\.\d+)*",
            r"(?:버전|バージョン|版本|第|เวอร์ชัน|เลขที่|หมายเลข|الاصدار|رقم) ?\d+(?:\.\d+)+",
            # addresses without a scheme, and file names
            r"(?<![\w.])[A-Za-z][\w-]*(?:\.[\w-]+)*\.[A-Za-z]{2,}(?:/[^\s)\]」』。、，]*)?",
            r"[\w-]+\.(?:pdf|docx?|xlsx?|pptx?|zip|jpe?g|png|csv|hwp)(?![A-Za-z])",
            # a sum of thousands
            r"(?<![\d.])\d{1,3}(?:,\d{3})+(?:\.\d+)?",
        )
    ),
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def masked(even: str) -> str:
    """Blank the figures in an evened text that name no day and no hour; the length stays."""
    without_ids = _TOKEN.sub(lambda match: MASK * len(match[0]) if _is_id(match[0]) else match[0], even)
    return _FIGURES.sub(lambda match: re.sub(r"[^\n]", MASK, match[0]), without_ids)


def _is_id(token: str) -> bool:
    if _MOMENT.fullmatch(token):
        return False
    if re.search(r"\d{5}", token) or "_" in token:
        return True
    parts = re.split(r"[-/.]", token)
    if not all(_PART.fullmatch(part) for part in parts):
        return True
    if re.search(r"[A-Za-z]", token):
        return False
    segments = token.split("-")
    if len(segments) == 3:
        return not _THREE.fullmatch(token)
    if not all(_SEGMENT.fullmatch(segment) for segment in segments) or len(segments) > 2:
        return True
    if token.replace("-", "").isdigit() and len(segments) == 2:
        return max(map(len, segments)) > 2 and not _HOURS.fullmatch(token)
    return False
