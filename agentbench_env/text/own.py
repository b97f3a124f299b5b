"""The writer's own words in a message: what stands before a quoted or forwarded mail, without lines that quote."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_QUOTED: Final = re.compile(r"^[ \t\u200e\u200f]*(?:\|[ \t]*)?[>＞]")
_WROTE: Final = re.compile(
    r"(?:님이|님께서|이\(가\)|가|이)\s*(?:작성|쓴 글|썼습니다|보낸 메일)|(?:寫道|写道|寫|のメール|は書きました"
    r"|wrote|writes"
    r"|เขียนว่า|เขียน|كتبت?)\s*[:：]\s*$|(?:^|[,،]\s*|م،?\s*)كتبت?\s",
    re.I,
)
_ADDRESS: Final = re.compile(r"<[^<>\n]{1,80}>|\[mailto:")
_CLOCK: Final = re.compile(r"\d{1,2}\s*[:.：時时点點시]\s*\d{2}|\d{4}\s*[年년/.-]")
_RULED: Final = re.compile(
    r"^\s*[-—–_=*]{2,}\s*(?:원본 ?메시지|원본 ?메일|전달된 ?메시지|전달된 ?메일|원문"
    r"|Original (?:Message|Appointment)|Forwarded (?:message|by)"
    r"|(?:元の|転送)(?:メッセージ|メール|された)|(?:原始|原|轉寄|轉發|转发|原始邮件)(?:的)?(?:郵件|邮件|訊息|信件|信息)?"
    r"|(?:ข้อความ|อีเมล)(?:ต้นฉบับ|ที่ส่งต่อ|เดิม)|(?:ال)?رسالة (?:ال)?(?:أصلية|اصلية|محولة|معاد توجيهها|مُعاد توجيهها))"
    r"[^-—–_=*\n]{0,60}(?:[-—–_=*]{2,}\s*)?$",
    re.I,
)
_BEGIN: Final = re.compile(
    r"^\s*(?:Begin forwarded message|전달된 메시지 시작|転送されたメッセージ|開始轉寄郵件)\s*[:：]\s*$", re.I
)
_SENDER: Final = re.compile(
    r"^\s*\*?(?:보낸 ?사람|발신|差出人|送信者|寄件者|寄件人|发件人|จาก|من|المرسل|From)\*?\s*[:：]\*?\s*\S", re.I
)
_SENT: Final = re.compile(
    r"^\s*\*?(?:보낸 ?날짜|날짜|발신일|日時|送信日時|日付|寄件日期|日期|傳送時間|发送时间"
    r"|วันที่|ส่งเมื่อ|(?:ال)?تاريخ|تم الإرسال|أرسلت|Sent|Date)\*?\s*[:：]",
    re.I,
)
_TO: Final = re.compile(
    r"^\s*\*?(?:받는 ?사람|수신|제목|宛先|件名"
    r"|收件者|收件人|主旨|主题|主題|ถึง|เรื่อง|إلى|الموضوع|To|Cc|Subject)\*?\s*[:：]",
    re.I,
)


@lru_cache(maxsize=256)
def own_text(text: str) -> str:
    """Return what the writer of a message says: cut at the header of a quoted or forwarded mail, without `>` lines.

    Where a message begins with such a header, and the quoted lines are marked, the answer below them is the writer's.
    """
    lines = text.split("\n")
    kept: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if _QUOTED.match(line):
            place += 1
            continue
        length = _header(lines, place, bool("".join(kept).strip()))
        if length:
            rest = lines[place + length :]
            marked = next((quoted for quoted in rest if quoted.strip()), "")
            if "".join(kept).strip() or not _QUOTED.match(marked):
                break
            place += length
            continue
        kept.append(line)
        place += 1
    return "\n".join(kept).strip("\n")


def _header(lines: list[str], place: int, preceded: bool) -> int:
    """The number of lines that a header of a quote takes from `place` on; 0 where none begins."""
    line = lines[place]
    if _RULED.match(line) or _BEGIN.match(line):
        return 1
    if _is_written_line(line):
        return 1
    following = lines[place + 1] if place + 1 < len(lines) else ""
    if following.strip() and _CLOCK.search(line) and not _ends(line) and _is_written_line(f"{line} {following}"):
        return 2
    if preceded and _SENDER.match(line):
        block = lines[place + 1 : place + 5]
        if any(_SENT.match(other) for other in block) and any(_TO.match(other) for other in block):
            return 1
    return 0


def _ends(line: str) -> bool:
    return line.rstrip().endswith((".", "。", "!", "?", "؟", "！", "？"))


def _is_written_line(line: str) -> bool:
    """Whether a line says who wrote what follows, and when."""
    bare = line.strip()
    if not bare.endswith((":", "：")) or len(bare) > 240 or not _CLOCK.search(bare):
        return False
    return bool(_ADDRESS.search(bare) or _WROTE.search(bare))
