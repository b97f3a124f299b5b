"""Enquiries to firms: what the suite writes, and how what people write is read."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from quote_kit import SLOT, TODAY, case_of
from town_texts import LANGUAGES, is_tidy, kinds, wordings

from agentbench_env.market import market_codes, shared_table
from agentbench_env.text.language import language_of
from agentbench_env.text.names import Gender
from agentbench_tasks.commons.texts import LinesSlot, Text, body_of
from agentbench_tasks.reservations.domain.letters import asking_fault, enquiry_fault, facts_fault, false_facts
from agentbench_tasks.reservations.domain.market import in_language
from agentbench_tasks.reservations.domain.quote.build import FILE
from agentbench_tasks.reservations.domain.quote.keys import VISIT
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, fact_line, fact_words
from agentbench_tasks.reservations.domain.quote_page import named
from agentbench_tasks.reservations.domain.shop_letters import enquiry
from agentbench_tasks.reservations.domain.voice import voice_fault

NAMES = {"ko": "박서윤", "ja": "佐藤", "zh-Hant": "陳小姐", "th": "ณัฐพล", "ar": "خالد", "en": "Tan Wei Ming"}
MAKERS = {"ko": "한울가전", "ja": "青葉テック", "zh-Hant": "和昇", "th": "นอร์วิก", "ar": "نورفيك", "en": "Halden"}
FACTS = {
    "small_move": (
        QuoteFact("from_floor", 3),
        QuoteFact("from_lift", False),
        QuoteFact("to_floor", 12),
        QuoteFact("to_lift", True),
        QuoteFact("box_count", 25),
        QuoteFact("large_items", "fridge,bed"),
        QuoteFact("parking", True),
    ),
    "water_heater": (
        QuoteFact("model", "NR-34W6"),
        QuoteFact("made_year", 2016),
        QuoteFact("error_code", "E13"),
        QuoteFact("place", "balcony"),
        QuoteFact("floor", 7),
        QuoteFact("parking", False),
    ),
    "bulky_removal": (
        QuoteFact("items", "sofa,desk"),
        QuoteFact("item_count", 3),
        QuoteFact("item_sizes", "180x85x70"),
        QuoteFact("dismantling", False),
        QuoteFact("floor", 7),
        QuoteFact("lift", True),
        QuoteFact("parking", True),
    ),
}
WRONG = {
    "small_move": (
        QuoteFact("from_floor", 12),
        QuoteFact("to_floor", 3),
        QuoteFact("from_floor", 5),
        QuoteFact("from_lift", True),
        QuoteFact("to_lift", False),
        QuoteFact("box_count", 29),
        QuoteFact("large_items", "bed,desk"),
        QuoteFact("parking", False),
    ),
    "water_heater": (
        QuoteFact("model", "KV47-T3F"),
        QuoteFact("made_year", 2013),
        QuoteFact("place", "kitchen"),
        QuoteFact("floor", 3),
        QuoteFact("parking", True),
        QuoteFact("unit_type", "instant"),
        QuoteFact("unit_type", "storage"),
    ),
    "bulky_removal": (
        QuoteFact("items", "sofa,bed"),
        QuoteFact("item_count", 5),
        QuoteFact("item_sizes", "200x160x35"),
        QuoteFact("dismantling", True),
        QuoteFact("floor", 4),
        QuoteFact("lift", False),
        QuoteFact("parking", False),
    ),
}
PROSE = tomllib.loads((Path(__file__).parent / "cases/quote_prose.toml").read_text("utf-8"))
every_language = pytest.mark.parametrize("language", LANGUAGES)


# --- texts


@every_language
def test_all_languages_have_the_same_pieces_and_slots(language: str) -> None:
    def pieces(code: str) -> dict[str, list[list[str]]]:
        return {
            kind: [[s for s in slots if s != "particle"] for slots in rows] for kind, rows in kinds(FILE, code).items()
        }

    assert pieces(language) == pieces("en")
    for kind, texts in wordings(FILE, language).items():
        assert len(set(texts)) == len(texts), kind
        assert all(map(is_tidy, texts)), kind


@pytest.mark.parametrize("market", market_codes())
def test_requests_say_what_they_must_and_no_more(market: str) -> None:
    for seed in range(12):
        case = case_of(market, "standard", seed)
        built = case.built
        for language, words in case.words.items():
            request = words.request()
            assert in_language(built.quarter.district.names, language) in request
            assert named("capabilities", (built.plot.skill,), language) in request
            assert "{" not in request + words.boundary()
            assert language_of(request) == language
            replies = [words.reply(topic) for topic in ("unit_count", "lift", "parking", "budget", "other")]
            assert not any("{" in reply for reply in replies)
            for fact in built.goal.facts:
                if fact.key not in built.estate.spoken and isinstance(fact.value, str) and fact.key == "model":
                    assert fact.value not in request


@every_language
def test_the_careless_enquiry_has_the_facts_and_not_the_tone(language: str) -> None:
    facts = FACTS["small_move"]
    service: str = shared_table(f"text/{language}/household")["services"]["small_move"]
    lines, slot = LinesSlot(tuple((fact_line(fact, language),) for fact in facts)), fact_words(SLOT, language)
    text = body_of(Text.of(FILE, "careless", language, 0, service=service, facts=lines, slot=slot))
    assert enquiry_fault(text, "small_move", SLOT, facts, language, TODAY) == ""
    genders: tuple[Gender, ...] = ("female", "male")
    for gender in genders:
        fault = voice_fault(text, (language,), gender)
        assert fault
        assert "is written in" not in fault


# --- what people write


@every_language
@pytest.mark.parametrize("trade", FACTS)
def test_prose_is_read_rightly(language: str, trade: str) -> None:
    text = PROSE[language][trade]
    assert asking_fault(text, trade, SLOT, language, TODAY) == ""
    assert facts_fault(text, FACTS[trade], language, TODAY) == ""
    assert false_facts(text, WRONG[trade], language, TODAY) == []
    assert voice_fault(text, (language,), "male", (NAMES[language], MAKERS[language])) == ""


@every_language
def test_the_end_of_other_hours_is_no_beginning(language: str) -> None:
    style: dict[str, Any] = {"language": language, "variant": 0, "gender": "male", "sender": NAMES[language]}
    earlier = QuoteFact(VISIT, "2026-10-15T08:00/10:00")
    hours = QuoteFact("office_hours", "10:00-17:00")
    text = enquiry("aircon_clean", [hours], earlier, **style)
    wanted = QuoteFact(VISIT, "2026-10-15T10:00/12:00")
    assert asking_fault(text, "aircon_clean", earlier, language, TODAY) == ""
    assert asking_fault(text, "aircon_clean", wanted, language, TODAY)
    assert facts_fault(text, [hours], language, TODAY) == ""
    assert false_facts(text, [QuoteFact("office_hours", "08:00-17:00")], language, TODAY) == []


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("zh-Hant", "型號：KV47-T3F", QuoteFact("floor", 3)),
        ("en", "model: NR-12X3", QuoteFact("unit_count", 3)),
        ("en", "type of unit: two-in-one", QuoteFact("unit_count", 2)),
        ("en", "level 5 lift access, 25 lots", QuoteFact("capacity", "25 litre")),
        ("th", "ขนาด 12000 BTU", QuoteFact("made_year", 2000)),
        ("th", "เครื่องทำน้ำอุ่นแบบถังเก็บ", QuoteFact("unit_type", "instant")),
        ("zh-Hant", "・房屋類型：公寓大廈", QuoteFact("lift", True)),
    ],
)
def test_codes_and_sizes_are_no_other_facts(language: str, text: str, wrong: QuoteFact) -> None:
    assert false_facts(text, [wrong], language, TODAY) == []


def test_a_model_is_no_laughter() -> None:
    facts = [QuoteFact("model", "WW-712KB")]
    style: dict[str, Any] = {"language": "ja", "variant": 0, "gender": "male", "sender": NAMES["ja"]}
    text = enquiry("aircon_clean", facts, SLOT, **style)
    assert voice_fault(text, ("ja",), "male") == ""
    assert voice_fault(text.replace("可能でしょうか", "可能でしょうかww"), ("ja",), "male")
