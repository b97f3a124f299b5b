from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.money import Money
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.texts import render, say
from agentbench_tasks.reservations.domain.guides import GuidePage, guide_sections, guide_title
from agentbench_tasks.reservations.domain.market import reservation_codes, reservation_market
from agentbench_tasks.reservations.domain.town import town

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
GUIDES = {language: shared_table(f"text/{language}/reservations_guides") for language in LANGUAGES}
SCRIPTS = {"ko": "가힣", "ja": "ぁ鿿", "zh-Hant": "一鿿", "th": "ก๛", "ar": "؀ۿ", "en": "Az"}
SPOKEN = [(code, language) for code in market_codes() for language in load_market(code).languages]
PAGES: tuple[GuidePage, ...] = ("city", "writing", "labels")
TODAY = date(2026, 10, 14)
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_guide = pytest.mark.parametrize(("code", "language"), SPOKEN)


def in_script(text: str, language: str) -> bool:
    first, last = SCRIPTS[language]
    return any(first <= letter <= last for letter in text)


def pieces(node: Mapping[str, Any], path: str = "") -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for key, value in node.items():
        name = f"{path}.{key}" if path else key
        found |= {name: tuple(sorted(slot_names(value)))} if isinstance(value, str) else pieces(value, name)
    return found


def bodies(page: GuidePage, code: str, language: str, today: date = TODAY) -> dict[str, str]:
    return {name: render(text).body for name, text in guide_sections(page, code, language, today)}


@every_language
def test_guides_have_the_same_pieces_and_slots_in_every_language(language: str) -> None:
    assert pieces(GUIDES[language]) == pieces(GUIDES["en"])
    assert tuple(GUIDES[language]["pages"]) == PAGES


@every_language
def test_guides_are_written_in_their_script(language: str) -> None:
    for page in PAGES:
        assert in_script(guide_title(page, language), language)
        sections = [section for section in GUIDES[language]["pages"][page].values() if not isinstance(section, str)]
        for section in sections:
            assert set(section) == {"heading", "text"}
            assert in_script(section["heading"], language)
            bare = section["text"].replace("{lines}", "")
            assert not bare or in_script(bare, language)


@every_language
def test_every_code_has_a_name_of_its_own(language: str) -> None:
    names, codes = GUIDES[language]["names"], reservation_codes()
    assert set(names) == {"needs", "allergens", "courses", "trades", "capabilities", "quote_keys"}
    for key, rows in names.items():
        assert tuple(rows) == getattr(codes, key)
        assert len(set(rows.values())) == len(rows)


@every_guide
def test_every_section_is_filled(code: str, language: str) -> None:
    for page in PAGES:
        found = bodies(page, code, language)
        assert list(found) == [name for name in GUIDES[language]["pages"][page] if name != "title"]
        assert all(body.strip() and "{" not in body for body in found.values())


@every_guide
def test_guides_print_the_figures_of_the_market(code: str, language: str) -> None:
    market, currency = reservation_market(code), load_market(code).currency
    labels, city = bodies("labels", code, language), bodies("city", code, language)
    for edge in market.bands.edges:
        assert say(Money(edge, currency), language) in labels["bands"]
    assert labels["bands"].count("\n") == 4
    for rule in market.charges:
        assert say(Money(rule.paid, currency), language) in labels["examples"]
    assert all(fact.sentence(language) in city["deposits"] for fact in market.yardsticks)
    assert all(row.names[language] in city["districts"] for row in town(code).districts)
    for body in market.certifiers:
        assert (body.short in labels["certificates"]) != body.lax
    assert "80" in city["walking"]
    assert "600" in bodies("writing", code, language)["cancellation"]


def test_a_rule_on_trial_leaves_the_guide_when_it_ends() -> None:
    for code, language in SPOKEN:
        for habit in reservation_market(code).habits:
            if habit.valid_to:
                last = date.fromisoformat(habit.valid_to)
                assert habit.words[language] in bodies("city", code, language, last)["booking"]
                assert habit.words[language] not in bodies("city", code, language)["booking"]
