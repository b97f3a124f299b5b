"""The travel texts: every language says the same things, four ways each, in its own script."""

import re
import unicodedata

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

FILES = ("travel", "two_leg", "accessible", "common")
PARTICLE_KINDS = re.compile(r"pieces\.(open|mode|answer_format|approval_probe|boundary)|replies|decisions")

ALL = {(language, file): dict(kinds(load(language, file))) for language in LANGUAGES for file in FILES}
CASES = [pytest.param(language, file, id=f"{language}-{file}") for language, file in ALL]


@pytest.mark.parametrize(("language", "file"), CASES)
def test_same_kinds_and_slots_as_english(language: str, file: str) -> None:
    texts, english = ALL[language, file], ALL["en", file]
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        expected = sorted(set(slots(english[kind][0])))
        if language == "th" and PARTICLE_KINDS.match(kind):
            expected = sorted([*expected, "particle"])
        for wording in wordings:
            assert sorted(slots(wording)) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()


@pytest.mark.parametrize(("language", "file"), CASES)
def test_wordings_differ_and_are_tidy(language: str, file: str) -> None:
    for kind, wordings in ALL[language, file].items():
        bodies = [parts(wording).get("body") or parts(wording)["text"] for wording in wordings]
        assert len(set(bodies)) == len(bodies), kind
        for wording in wordings:
            for name, text in parts(wording).items():
                assert text
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                assert not re.search(r"[{}]", SLOT.sub("", text)), kind
                if name not in ("text", "body"):
                    assert not slots(text), f"{kind}: slots stand in text and body only"


@pytest.mark.parametrize(("language", "file"), CASES)
def test_script(language: str, file: str) -> None:
    for kind, wordings in ALL[language, file].items():
        for wording in wordings:
            for text in parts(wording).values():
                names = [re.split("[ -]", unicodedata.name(c))[0] for c in SLOT.sub("", text) if c.isalpha()]
                own = sum(name in SCRIPTS[language] for name in names)
                assert own >= 0.95 * len(names), (kind, text)
                assert names or slots(text), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), (kind, SIMPLIFIED & set(text))


def test_japanese_has_kana() -> None:
    for file in FILES:
        for kind, wordings in ALL["ja", file].items():
            text = SLOT.sub("", "".join("".join(parts(wording).values()) for wording in wordings))
            kana = sum(unicodedata.name(c).startswith(("HIRAGANA", "KATAKANA")) for c in text if c.isalpha())
            if len(text) > 20:
                assert kana >= 0.15 * len(text), kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_written_out_in_text(language: str) -> None:
    for wording in ALL[language, "travel"]["pages.sale_calendar_run_share"]:
        numbers = set(re.findall(r"\d+", wording["text"]))
        assert numbers - {"1", "2"} == {"25", "60", "30", "90"}
    for wording in ALL[language, "travel"]["pages.child_fares"]:
        said = wording["title"] + wording["heading"] + wording["text"]
        assert "12" in said or "11" in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_units_and_form(language: str) -> None:
    common = load(language, "common")
    assert list(common["units"]) == ["kg"]
    assert "{n}" in common["units"]["kg"]
    assert set(common["form"]) == {"sentence_join", "pair_join", "list_join"}
    assert common["form"]["sentence_join"] == ("" if language in ("ja", "zh-Hant") else " ")


def test_thai_questions_never_take_the_particle() -> None:
    for kind, wordings in ALL["th", "two_leg"].items():
        for wording in wordings:
            assert not re.search(r"(ไหม|หรือ|นะ)\{particle\}", wording), kind
