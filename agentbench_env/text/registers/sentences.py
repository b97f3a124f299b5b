"""The sentences of a message, with what a register needs to know of the place where each stands."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LISTED: Final = re.compile(
    r"^\s*(?:[-–—*•·・‧●○■□◆◇▶▪◦※→]+\s*|\(?\d{1,2}[.)、．]\s*(?!\d)|\d{1,2}\)\s*|[①-⑳]\s*|[가-하][.)]\s|\|)"
)
_SUBJECT: Final = re.compile(r"^\s*(?:제목|件名|主旨|主題|Subject|Re|Fw|Fwd|회신|전달|回覆|轉寄)\s*[:：]", re.I)
_ENDS: Final = "。．!?！？؟…\uff61"
_CLOSERS: Final = "\"'”’」』】)）〉》*_~～^"
_BREAK: Final = re.compile(
    rf"(?:[{_ENDS}]+|\.+(?=[\s{re.escape(_CLOSERS)}]|$|(?<=[가-힣]\.)(?=[가-힣])))[{re.escape(_CLOSERS)}{_ENDS}]*"
)
_SPEAKING: Final = re.compile(r"[{\u2600-\u27bf\U0001f300-\U0001faff}]|[ㅋㅎㅠㅜ]+|\(笑\)|笑|ww+|[~～♪^]+$")


class Sentence(NamedTuple):
    """A sentence: its words, whether it is an entry of a list without an end of its own, and how its line goes on.

    `ended` says that a sign ends it, `wrapped` that its line breaks off without one and another line follows at once.
    """

    text: str
    listed: bool
    ended: bool
    wrapped: bool
    last: bool


def sentences(text: str, *, wide: int) -> list[Sentence]:
    """Return the sentences of a text; an open line of at least `wide` characters may go on in the next one."""
    found: list[Sentence] = []
    lines = text.split("\n")
    filled = [place for place, line in enumerate(lines) if line.strip()]
    for place in filled:
        line = lines[place].strip()
        if _SUBJECT.match(line) or (line.startswith("|") and line.endswith("|")):
            continue
        listed = bool(_LISTED.match(line))
        line = _LISTED.sub("", line)
        follows = place + 1 < len(lines) and bool(lines[place + 1].strip()) and not _LISTED.match(lines[place + 1])
        start = 0
        for match in _BREAK.finditer(line):
            _add(found, line[start : match.start()], match[0], listed=False, wrapped=False, last=False)
            start = match.end()
        rest = line[start:]
        wrapped = follows and len(line) >= wide and not _SPEAKING.search(rest[-8:])
        _add(found, rest, "", listed=listed, wrapped=wrapped, last=place == filled[-1])
    return found


def _add(found: list[Sentence], text: str, end: str, *, listed: bool, wrapped: bool, last: bool) -> None:
    if text.strip():
        found.append(Sentence(text.strip(), listed, bool(end), wrapped, last))
