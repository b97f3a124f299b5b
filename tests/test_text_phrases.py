"""Apologies, mails sent in error and reasons, on texts with known answers."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentbench_env.errors import WrongArgument
from agentbench_env.market import shared_table
from agentbench_env.text.phrases import apologises, reason_in, reason_pairs, says_sent_in_error

CASES = Path(__file__).parent / "cases" / "phrases"
PARTS = ("error", "delete", "unused")
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")


def cases(language, family):
    for line in (CASES / f"{language}.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if case["family"] == family:
            yield case


@pytest.mark.parametrize("language", LANGUAGES)
def test_apologies(language):
    wrong = [case["text"] for case in cases(language, "apology") if apologises(case["text"]) != case["apologises"]]
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_to_a_wrong_recipient(language):
    found = {case["text"]: (says_sent_in_error(case["text"]), case["missing"]) for case in cases(language, "error")}
    assert {text: pair for text, pair in found.items() if sorted(pair[0]) != sorted(pair[1])} == {}


def corrections(language):
    return tomllib.loads((CASES.parent / "corrections" / f"{language}.toml").read_text("utf-8"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_part_as_professionals_write_it(language):
    """A sentence says its own part and no other."""
    for part in PARTS:
        others = [other for other in PARTS if other != part]
        texts = corrections(language)[part]
        assert len(texts) >= 12
        assert [text for text in texts if says_sent_in_error(text) != others] == [], part


@pytest.mark.parametrize("language", LANGUAGES)
def test_whole_letters_to_a_wrong_recipient(language):
    letters = corrections(language)["letters"]
    assert [letter for letter in letters if says_sent_in_error(letter)] == []


def test_either_apostrophe():
    for sign in "'\u2019":
        assert says_sent_in_error(f"It wasn{sign}t meant for you. Please delete it and don{sign}t share it.") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_words_in_another_sense(language):
    texts = corrections(language)["none"]
    assert len(texts) >= 36
    assert [text for text in texts if says_sent_in_error(text) != list(PARTS)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons(language):
    found = {
        case["text"]: (reason_in(case["text"], case["pair"]), {"inside": case["inside"], "outside": case["outside"]})
        for case in cases(language, "reason")
    }
    assert {text: pair for text, pair in found.items() if pair[0] != pair[1]} == {}


def test_every_language_has_stems_enough():
    table, reasons = shared_table("lexicons/phrases"), shared_table("lexicons/reasons")
    for family in [*(table[name] for name in ("apology", "error", "denied", "refused", "secret")), *reasons.values()]:
        assert tuple(family) == LANGUAGES
    assert reason_pairs() == ("audit", "survey", "power", "speaker", "budget")
    for pair in reasons.values():
        assert [
            row for row in pair.values() if len(row["inside"]) < 8 or len(row.get("outside", row["inside"])) < 8
        ] == []
    assert [row for row in table["apology"].values() if len(row["say"]) < 6] == []
    for row in table["error"].values():
        assert len(row["error"]) >= 6
        assert sum(row[part][0].count("|") + len(row[part]) for part in ("delete", "unused")) >= 12
    assert sorted(table["salutation"]) == sorted(LANGUAGES)


def test_patterns_have_no_capitals():
    """Folding would change them, and what an escape means with them."""

    def patterns(table) -> Iterator[str]:
        for value in table.values():
            yield from patterns(value) if isinstance(value, dict) else value

    for file in ("phrases", "reasons"):
        assert [one for one in patterns(shared_table(f"lexicons/{file}")) if one != one.lower()] == []


def test_an_unknown_reason_is_named():
    with pytest.raises(WrongArgument, match="pair is 'weather'"):
        reason_in("", "weather")


def test_only_the_writers_words_count():
    assert not apologises("Noted, thanks.\n\nOn Mon, 12 Oct 2026 at 15:12, Ann <a@b.example> wrote:\n> I am sorry.")
    assert says_sent_in_error("Hello.\n> Sent in error; please delete it and do not use it.") == [
        "error",
        "delete",
        "unused",
    ]


def test_other_mail_gives_no_confidential_reason():
    """Two thousand messages about other things: thanks, checks and budgets among them."""
    texts = [
        json.loads(line)["text"]
        for folder in ("text", "text_second")
        for file in sorted((CASES.parent / folder).glob("*.jsonl"))
        for line in file.read_text("utf-8").splitlines()
    ]
    assert len(texts) > 2000
    assert [text for text in texts if reason_in(text, "budget")["inside"]] == []
    audits = [text for text in texts if reason_in(text, "audit")["inside"]]
    assert len(audits) == 1
    assert "the audit is on 29 September" in audits[0]
