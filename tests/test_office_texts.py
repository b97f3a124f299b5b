"""The office texts: every language says the same things in its own script; letters keep the register they claim."""

import datetime as dt
import itertools
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SLOT, kinds, load, parts, slots

from agentbench_env.market import shared_table
from agentbench_env.text.facts import mentions
from agentbench_env.text.language import language_of
from agentbench_env.text.registers import register_of
from agentbench_env.text.template import fill, slot_names

FILES = ("office", "office_mail")
ALL = {(language, file): dict(kinds(load(language, file))) for language in LANGUAGES for file in FILES}
CASES = [pytest.param(language, file, id=f"{language}-{file}") for language, file in ALL]

# English is read in two markets, and the rules of the second stand beside those of the first.
ENGLISH_ONLY = re.compile(r"pages\.(holidays\.substitute|absence\.state)_ae\.")
OWN_CELLS = re.compile(r"(greeting|closing)\.")
CELLS = {
    "ko": ("formal", "polite", "plain"),
    "ja": ("keigo", "desumasu", "plain"),
    "zh-Hant": ("respectful", "neutral", "casual"),
    "th": ("formal", "polite", "casual"),
    "ar": ("formal", "friendly"),
    "en": ("formal", "friendly"),
}
AMONG_PEERS = {
    "ko": "polite",
    "ja": "desumasu",
    "zh-Hant": "neutral",
    "th": "polite",
    "ar": "friendly",
    "en": "friendly",
}
MORE_SLOTS = {
    ("th", "polite", "greeting"): {"particle"},
    ("th", "polite", "closing"): {"particle"},
    ("ar", "formal", "greeting"): {"honour"},
}
BY_COLLEAGUES = ("small_talk", "thanks", "lunch", "birthday")
# Pages that show words of other languages or the values of fields.
FOREIGN_WORDS = re.compile(r"pages\.(guide|holidays\.rows|holidays\.rule|classes\.kinds)\b|letter\.|words\.")
WORDS = tomllib.loads((Path(__file__).parent / "cases" / "office_texts.toml").read_text(encoding="utf-8"))
ASKED: dict[str, str] = WORDS["asked"]
SAMPLES: dict[str, dict[str, str]] = WORDS["samples"]


def said(language: str, template: str, **given: str) -> str:
    """A template with the sample's words in its slots."""
    words = SAMPLES[language] | given
    return fill(template, {name: words[name] for name in slot_names(template)})[0]


def background(language: str) -> Iterator[tuple[str, dict[str, str]]]:
    for kind, rows in load(language, "office_mail")["background"].items():
        for row in rows["variants"]:
            yield kind, row


@pytest.mark.parametrize(("language", "file"), CASES)
def test_same_kinds_and_slots_as_english(language: str, file: str) -> None:
    english = {kind: wordings for kind, wordings in ALL["en", file].items() if not OWN_CELLS.match(kind)}
    if language != "en":
        english = {kind: wordings for kind, wordings in english.items() if not ENGLISH_ONLY.match(kind)}
    texts = {kind: wordings for kind, wordings in ALL[language, file].items() if not OWN_CELLS.match(kind)}
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        expected = set(slots(english[kind][0]))
        if language == "th" and kind.removeprefix("background.") in BY_COLLEAGUES:
            expected.add("particle")
        assert len(wordings) == (4 if file == "office_mail" and not kind.startswith("letter.") else 1), kind
        for wording in wordings:
            assert set(slots(wording)) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_salutations_and_closings_of_every_register(language: str) -> None:
    mail = load(language, "office_mail")
    for part, slot in (("greeting", "name"), ("closing", "signature")):
        assert tuple(mail[part]) == CELLS[language]
        for register, rows in mail[part].items():
            expected = {slot} | MORE_SLOTS.get((language, register, part), set())
            assert len(rows["variants"]) == 4
            assert all(set(slot_names(row)) == expected for row in rows["variants"]), (part, register)


@pytest.mark.parametrize(("language", "file"), CASES)
def test_wordings_differ_and_are_tidy(language: str, file: str) -> None:
    for kind, wordings in ALL[language, file].items():
        assert len({str(wording) for wording in wordings}) == len(wordings), kind
        for wording in wordings:
            for name, text in parts(wording).items():
                assert text
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                assert not re.search(r"[{}]", SLOT.sub("", text)), kind
                if name == "subject" or kind.endswith((".title", ".heading")):
                    assert not slots(text), f"{kind}: slots stand in texts only"


@pytest.mark.parametrize(("language", "file"), CASES)
def test_script(language: str, file: str) -> None:
    for kind, wordings in ALL[language, file].items():
        least = 0.15 if kind.startswith("pages.guide.") else 0.6 if FOREIGN_WORDS.match(kind) else 0.95
        for wording in wordings:
            for text in parts(wording).values():
                signs = [re.split("[ -]", unicodedata.name(sign))[0] for sign in SLOT.sub("", text) if sign.isalpha()]
                own = sum(sign in SCRIPTS[language] for sign in signs)
                assert own >= least * len(signs), (kind, text)


def test_traditional_chinese() -> None:
    simplified = set(shared_table("lexicons/chinese")["simplified"]["characters"])
    for file in FILES:
        for kind, wordings in ALL["zh-Hant", file].items():
            if kind != "pages.guide.formal_ja.text":
                assert not simplified & set(str(wordings)), kind


def test_japanese_has_kana() -> None:
    for file in FILES:
        for kind, wordings in ALL["ja", file].items():
            text = SLOT.sub("", "".join("".join(parts(wording).values()) for wording in wordings))
            kana = sum(unicodedata.name(sign).startswith(("HIRAGANA", "KATAKANA")) for sign in text if sign.isalpha())
            if len(text) > 20 and not kind.startswith("pages.guide."):
                assert kana >= 0.15 * len(text), kind


@pytest.mark.parametrize("file", FILES)
def test_arabic_letters_and_marks(file: str) -> None:
    for kind, wordings in ALL["ar", file].items():
        text = str(wordings)
        # No Persian kaf or yeh, no presentation forms, a tatweel only before words of other scripts, no Latin marks.
        assert not re.search("[\u06a9\u06cc\ufb50-\ufdff\ufe70-\ufefc]|\u0640(?! )", text), kind
        assert not re.search(r"[\u0621-\u064a\u064b][,;?]", text), kind


@pytest.mark.parametrize("file", FILES)
def test_thai_letters_and_particles(file: str) -> None:
    for kind, wordings in ALL["th", file].items():
        text = str(wordings)
        assert not re.search("เเ|\u0e4d\u0e32|[\u0e48-\u0e4b]{2}", text), kind
        # A question takes another particle than a statement, of a woman.
        assert not re.search(r"(ไหม|มั้ย|หรือ|หรือเปล่า|นะ)\{particle\}", text), kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_guide_names_what_each_register_asks_for(language: str) -> None:
    guide = load(language, "office")["pages"]["guide"]
    for target, words in ASKED.items():
        missing = [word for word in words.split() if word not in guide[f"formal_{target}"]["text"]]
        assert not missing, target


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_stand_on_the_pages(language: str) -> None:
    office = load(language, "office")
    names, pages = office["names"], office["pages"]
    lines = pages["classes"]["kinds"]["text"].splitlines()
    assert len(lines) == len(names["items"]) + 1 == 14
    for line, name in zip(lines, names["items"].values(), strict=False):
        assert line.startswith((f"{name}:", f"{name}："))
    for rule, name in names["rules"].items():
        assert pages["priority"][rule]["heading"].lower() == name.lower()
    for table in names.values():
        assert len(set(table.values())) == len(table)


def letters(language: str) -> Iterator[tuple[str, str]]:
    """Every salutation with every closing around texts of its register, as (register, letter)."""
    mail, sample = load(language, "office_mail"), SAMPLES[language]
    by_colleagues = [said_by_him(language, row["text"]) for kind, row in background(language) if kind in BY_COLLEAGUES]
    for register, rows in mail["greeting"].items():
        familiar = register in ("plain", "casual", "friendly")
        texts = [sample["familiar" if familiar else "formal"]]
        if register == AMONG_PEERS[language]:
            texts = by_colleagues
        closings = mail["closing"][register]["variants"]
        for opening, text, closing in itertools.product(rows["variants"], texts, closings):
            addressed = said_by_him(language, opening, name=sample["friend" if familiar else "name"])
            signed = said_by_him(language, closing)
            yield register, fill(mail["letter"]["full"], {"greeting": addressed, "text": text, "closing": signed})[0]


def said_by_him(language: str, template: str, name: str = "") -> str:
    """A template as a man writes it; without `name` a colleague is named in it."""
    return said(language, template, particle="ครับ", name=name or SAMPLES[language]["colleague"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_letters_are_in_the_register_they_claim(language: str) -> None:
    for register, letter in letters(language):
        assert language_of(letter) == language, letter
        assert register_of(letter, language) == register, letter


@pytest.mark.parametrize("language", LANGUAGES)
def test_general_salutations_fit_an_automatic_reply(language: str) -> None:
    mail = load(language, "office_mail")
    top = CELLS[language][0]
    for opening in mail["group_greeting"]["outside"]["variants"]:
        for closing in mail["closing"][top]["variants"]:
            letter = f"{opening}\n\n{SAMPLES[language]['formal']}\n\n{said(language, closing)}"
            assert register_of(letter, language) == top, letter


@pytest.mark.parametrize("language", LANGUAGES)
def test_mail_to_all_colleagues_keeps_a_register_of_its_language(language: str) -> None:
    mail, peers = load(language, "office_mail"), AMONG_PEERS[language]
    texts = [said_by_him(language, row["text"]) for kind, row in background(language) if kind in BY_COLLEAGUES]
    openings, closings = mail["group_greeting"]["inside"]["variants"], mail["closing"][peers]["variants"]
    for opening, text, closing in itertools.product(openings, texts, closings):
        letter = f"{opening}\n\n{text}\n\n{said_by_him(language, closing)}"
        assert register_of(letter, language) in (CELLS[language][0], peers), letter


@pytest.mark.parametrize("language", LANGUAGES)
def test_background_mail_is_in_its_language_and_states_nothing_of_its_own(language: str) -> None:
    written_on = dt.date(2026, 10, 12)
    for kind, row in background(language):
        text = said_by_him(language, row["text"])
        assert language_of(text) == language_of(row["subject"]) == language, row
        bare = fill(row["text"], dict.fromkeys(slot_names(row["text"]), "—"))[0]
        told = [mention for mention in mentions(bare, written_on=written_on) if not _is_today(mention, written_on)]
        assert not told, (kind, row)


def _is_today(mention: Any, written_on: dt.date) -> bool:
    """ "Today" and "at noon" say no more than that people eat lunch."""
    return (mention.kind == "date" and written_on.isoformat() in mention.values) or mention.kind == "time"
