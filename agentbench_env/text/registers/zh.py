"""The register of a message in traditional Chinese: respectful, neutral, casual or mixed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_REPORTED: Final = re.compile(
    r"(?:(?:說|問|喊|講|抱怨|反映|留言|表示)(?:道|著|過|了)?\s*[:,]?\s*|(?:寫|回|提到|回答|寫著|寫道)\s*)[「『“\"][^」』”\"]*[」』”\"]"
)
_SUBJECT: Final = re.compile(r"^\s*(?:主旨|主題|Subject|Re|回覆)\s*:.*$", re.M | re.I)
_SPAN: Final = re.compile(r"(?<=[\d)一二三四五六日點時分元月])\s*[~〜]\s*(?=[\d(上下早晚中週星一二三四五六七八九十])")

_HONOURED: Final = re.compile(r"您")
_GREETED: Final = re.compile(r"您(?:們)?好")
_HOUSE: Final = re.compile(
    r"貴(?:公司|方|戶|校|單位|店|行|所|院|府|部門|部|會|處|局|館|司|客|團|社|廠|中心|事務所|機關|飯店|餐廳)|貴賓|\s貴\s?公司"
)
_YOU: Final = re.compile(r"[你妳]")

_FORMULAS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"敬請",
        r"煩請",
        r"懇請",
        r"(?<!嚴)(?<!拘)謹(?!慎|記)",
        r"見諒",
        r"包涵|海涵",
        r"不便之處",
        r"感謝您",
        r"謝謝您",
        r"麻煩您",
        r"勞煩",
        r"承蒙",
        r"如蒙",
        r"撥冗",
        r"特此",
        r"敝(?:公司|司|校|店|所|行|處|單位|人|會|館)",
        r"敬祝",
        r"[順敬]頌",
        r"商祺|商安",
        r"[時台大教道勛文鈞崇]綏|時祺|[台教道勛鈞]安",
        r"此致",
        r"敬上|謹上|敬啟|謹啟|拜啟",
        r"請您|請貴",
        r"致歉",
        r"歉意",
        r"[鈞台]鑒|鈞啟",
        r"惠(?:賜|予|示|請|允)",
        r"尚祈|敬祈|諒察|鑒諒",
        r"不勝感[激荷]",
        r"恭請|敬邀|敬覆|敬悉|敬候|靜候",
    )
)
_NO_COURTESY: Final = re.compile(
    r"[申邀聘宴報]請|請[假客款帖安]|[想要來我你他她]請(?:你|妳|他|她|大家|我|客)?(?:吃|喝|看電影)|請[你妳他她我大家]*(?:吃|喝)"
    r"|(?:很|好|太|超|有點|惹|怕|嫌|真|蠻|滿|最|這麼|那麼|不)麻煩|麻煩(?:死|事|的是|啊)"
)
_COURTESY: Final = re.compile(r"請|謝謝|感謝|麻煩|抱歉|不好意思")
_NO_MARK: Final = re.compile(
    r"耶誕|耶穌|耶魯|耶和華|耶路|啦啦隊|啦啦操|哈密|哈爾|哈佛|哈利|哈根|哈瓦|哈薩|哈雷|哈尼|哈芝|蘇哈|哈士奇|哈日|囉嗦|耶加|阿拉|卡啦|啦舞|莫耶|巴哈|馬哈|可可亞|法雅|咖哩|喔喔奶"
)
_MARK: Final = re.compile(
    r"哈囉|哈+|嘿+|囉+|嘍|喔+|噢+|哦+|啦+|耶+|欸+|誒+|唷+|呦+|齁+|ㄏ+|[~〜]+|(?<![A-Za-z0-9])(?<![A-Za-z0-9][-_/])[xX][dD]+(?![A-Za-z0-9]|[-_/][A-Za-z0-9])"
)


def register(text: str) -> str:
    """Return the cell of the writer's own text: respectful, neutral, casual or mixed."""
    words = _SUBJECT.sub("", unicodedata.normalize("NFKC", text))
    words = _SPAN.sub("-", _REPORTED.sub("", words))
    honoured = len(_HONOURED.findall(words))
    greeted = len(_GREETED.findall(words))
    formulas = sum(bool(formula.search(words)) for formula in _FORMULAS)
    marks = len(_MARK.findall(_NO_MARK.sub("", words)))
    courteous = bool(_COURTESY.search(_NO_COURTESY.sub("", words)))
    if honoured or formulas >= 2:
        if _YOU.search(words) or marks >= 2 or (marks and (honoured > greeted or formulas >= 2)):
            return "mixed"
        return "respectful" if formulas >= 2 else "neutral"
    if courteous and marks < 2:
        return "neutral"
    return "neutral" if formulas or (marks < 2 and _HOUSE.search(words)) else "casual"
