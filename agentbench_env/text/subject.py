"""Subjects of mails: the marks that mail programs put before them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from agentbench_env.text.render import subject_prefixes

_LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
_OTHERS = ("RE:", "Fw:", "Fwd:", "답장:", "답글:", "返信:", "転送:", "回信:", "轉發:", "回复:", "转发:", "AW:", "WG:")
"""Marks of programs that the tables do not name."""


@lru_cache(maxsize=4096)
def subject_root(subject: str) -> str:
    """Return a subject without the marks of replies and forwarded mails at its beginning, in any language."""
    return _marks().sub("", subject).strip()


def forwarded_subject(subject: str, lang: str) -> str:
    """Return the subject under which a mail is forwarded; one that is marked so already stays as it is."""
    marks = [mark.casefold() for language in _LANGUAGES for mark in subject_prefixes("forward", language)]
    if subject.strip().casefold().startswith(tuple(marks)):
        return subject
    return f"{subject_prefixes('forward', lang)[0]} {subject}"


@cache
def _marks() -> re.Pattern[str]:
    kinds = ("reply", "forward")
    known = [mark for language in _LANGUAGES for kind in kinds for mark in subject_prefixes(kind, language)]
    words = sorted({mark.rstrip(":") for mark in (*known, *_OTHERS)}, key=lambda word: (-len(word), word))
    return re.compile(rf"^(?:\s*(?:{'|'.join(map(re.escape, words))})\s*(?:\[\d+\])?\s*[:：])+", re.I)
