"""The texts of booking and terms pages: every language says the same things in its own script, four ways each."""

from __future__ import annotations

import re
import unicodedata

import pytest
from town_pages import LANGUAGES
from wordings_kit import SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

FILES = ("town_booking", "town_terms", "town_conditions")
WORDS = {
    "town_booking": (),
    "town_terms": ("charge", "base", "each", "charges", "fewer", "times"),
    "town_conditions": None,
}
"""The tables of a file that hold phrases of one wording; None for all."""
ALL = {
    (language, file): dict(kinds({key: value for key, value in load(language, file).items() if key != "days"}))
    for language in LANGUAGES
    for file in FILES
}
CASES = [pytest.param(language, file, id=f"{language}-{file}") for language, file in ALL]


@pytest.mark.parametrize(("language", "file"), CASES)
def test_same_kinds_and_slots_as_english(language: str, file: str) -> None:
    texts, english, words = ALL[language, file], ALL["en", file], WORDS[file]
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        assert len(wordings) == (1 if words is None or kind.split(".")[0] in words else 4), kind
        for wording in wordings:
            assert sorted(slots(wording)) == sorted(slots(english[kind][0])), (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()


@pytest.mark.parametrize(("language", "file"), CASES)
def test_wordings_differ_and_are_tidy(language: str, file: str) -> None:
    for kind, wordings in ALL[language, file].items():
        assert len({str(wording) for wording in wordings}) == len(wordings), kind
        for wording in wordings:
            for text in parts(wording).values():
                assert text, kind
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                assert not re.search(r"[{}]", SLOT.sub("", text)), kind


@pytest.mark.parametrize(("language", "file"), CASES)
def test_script(language: str, file: str) -> None:
    for kind, wordings in ALL[language, file].items():
        for text in (text for wording in wordings for text in parts(wording).values()):
            bare = re.sub(r"VAT|GST|SMS", "", SLOT.sub("", text))
            names = [re.split("[ -]", unicodedata.name(sign))[0] for sign in bare if sign.isalpha()]
            assert all(name in SCRIPTS[language] for name in names), (kind, text)
            assert language != "zh-Hant" or not SIMPLIFIED & set(text), (kind, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_weekday_has_a_name(language: str) -> None:
    days = load(language, "town_conditions")["days"]
    assert len(set(days["names"])) == len(set(days["ends"])) == 7


def test_a_thai_shop_keeps_its_particle() -> None:
    for file in FILES:
        for kind, wordings in ALL["th", file].items():
            if len(wordings) == 4:
                spoken = ["".join(parts(wording).values()) for wording in wordings]
                assert "ครับ" not in spoken[0] + spoken[2] + spoken[3], kind
                assert not re.search("ค่ะ|คะ(?!แนน)", spoken[1] + spoken[2] + spoken[3]), kind


def test_a_korean_shop_keeps_its_style() -> None:
    for file in FILES:
        for kind, wordings in ALL["ko", file].items():
            if len(wordings) == 4:
                assert not re.search(r"요[.]", parts(wordings[0])["text"] + parts(wordings[3])["text"]), kind
                assert "니다." not in parts(wordings[1])["text"], kind
