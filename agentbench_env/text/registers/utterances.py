"""What is taken out of a text before its words are looked at: addresses, codes and other people's short words."""

from __future__ import annotations

import re

_TAIL = "pdf|xlsx?|docx?|pptx?|csv|txt|zip|png|jpe?g|heic|dwg|ics|mp4"
_CODES = re.compile(
    r"https?://[^\s<>\"'()\u0600-\u06ff\u0e00-\u0e7f]+|www\.[\w./-]+"
    r"|[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"
    rf"|[A-Za-z0-9\u0621-\u064a_()-]+(?:\.[A-Za-z0-9\u0621-\u064a_()-]+)*\.(?:{_TAIL})\b"
    r"|(?<![A-Za-z0-9])(?=[A-Z0-9/-]*\d)[A-Z0-9]+(?:[-/][A-Z0-9]+)+(?![A-Za-z0-9])",
    re.ASCII,
)
_SPEECH = re.compile(r"\"([^\"\n]+)\"|“([^”\n]+)”|«([^»\n]+)»|‘([^’\n]{3,})’")


def without_codes(text: str) -> str:
    """Replace web and mail addresses, file names and codes by a neutral sign."""
    return _CODES.sub("·", text)


def without_speech(text: str, saying: re.Pattern[str]) -> str:
    """Drop quoted words of somebody else: short beside the writer's own, and brought in by a word of saying.

    A draft in quotation marks is what the writer offers as a text, so it stays.
    """

    def shortened(match: re.Match[str]) -> str:
        before = text[max(0, match.start() - 40) : match.start()]
        own = len(text) - len(match[0])
        return "·" if len(match[0]) <= own and saying.search(before) else match[0]

    return _SPEECH.sub(shortened, text)
