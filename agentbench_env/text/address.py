"""Whether a message addresses its reader by a form on the card, or an automatic reply all its readers at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from agentbench_env.market import shared_table
from agentbench_env.text.facts import names
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text

_GREETING_END: Final = re.compile(r"[。.!?！？؟\n]")
_READER: Final = "reader"
_SUBJECT: Final = re.compile(r"^\s*(?:제목|件名|主旨|เรื่อง|الموضوع|Subject)\s*[:：][^\n]*\n", re.IGNORECASE)
# A point of a title ends no greeting: Mr. Tan.
_TITLE: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Mdm|Dr|Prof|Eng)$", re.IGNORECASE)


def address_form_ok(
    text: str, forms: Sequence[str], others: Sequence[Sequence[str]] = (), *, third_person: bool = False
) -> bool:
    """Whether the writer's own words address the reader by one of `forms` and no other guest by one of theirs.

    Where the form of one lies inside a longer form of another, only the longer one is said. A form that is the reader's
    too is nobody else's. With `third_person` the message may speak of the others, and only its greeting may not name
    them.
    """
    own = own_text(text)
    accepted = {fold(form) for form in forms}
    guests = {str(place): [form for form in guest if fold(form) not in accepted] for place, guest in enumerate(others)}
    people = {_READER: forms, **guests}
    if _READER not in names.who(own, people):
        return False
    return names.who(_greeting(own) if third_person else own, people) <= {_READER}


def addresses_everybody(text: str, language: str) -> bool:
    """Whether an automatic reply opens with a salutation for anybody, in the language given."""
    words: list[str] = shared_table("lexicons/phrases")["salutation"][language]
    start = fold(own_text(text)[:160])
    return any(_folded(word) in start for word in words)


def _greeting(text: str) -> str:
    """The first line or sentence of a text, without a line for the subject."""
    text = re.sub(
        r"^\s*(?:제목|件名|主旨|เรื่อง|الموضوع|Subject)\s*[:：][^\n]*\n", "", text, flags=re.IGNORECASE
    ).lstrip()
    for end in _GREETING_END.finditer(text):
        if not (end[0] == "." and _TITLE.search(text[: end.start()])):
            return text[: end.start()]
    return text


@cache
def _folded(word: str) -> str:
    return fold(word)
