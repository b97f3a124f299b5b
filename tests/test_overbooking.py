"""The overbooked house against the worked examples of its specification, its traps, what is owed, and its texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from test_travel_texts import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

TASK = "ta-overbooking-recovery"
FILE = "overbooking"
ALL = {language: dict(kinds(load(language, FILE))) for language in LANGUAGES}
SPOKEN = re.compile(r"pieces|replies|decisions")


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    texts, english = ALL[language], ALL["en"]
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        expected = set(slots(english[kind][0]))
        if language == "th" and SPOKEN.match(kind):
            expected |= {"particle"}
        for wording in wordings:
            assert set(slots(wording)) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()
            assert all(not slots(text) for name, text in parts(wording).items() if name not in ("text", "body"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_wordings_differ_and_are_in_their_script(language: str) -> None:
    for kind, wordings in ALL[language].items():
        bodies = [parts(wording).get("body") or parts(wording)["text"] for wording in wordings]
        assert len(set(bodies)) == len(bodies), kind
        for wording in wordings:
            for text in parts(wording).values():
                if kind != "musts.separator":
                    assert text == text.strip()
                assert "  " not in text, kind
                letters = [unicodedata.name(c).split()[0].split("-")[0] for c in SLOT.sub("", text) if c.isalpha()]
                assert sum(name in SCRIPTS[language] for name in letters) >= 0.9 * len(letters), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), kind
