"""The checkers of language, register and facts, on messages with known answers."""

import datetime as dt
import json
from pathlib import Path

import pytest

from agentbench_env.market import load_market, market_codes
from agentbench_env.text.facts import states
from agentbench_env.text.language import language_of
from agentbench_env.text.registers import register_of

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
FOLDER = Path(__file__).parent / "cases" / "text"
SECOND = FOLDER.with_name("text_second")
LOCAL = {load_market(code).languages[0]: load_market(code).currency for code in market_codes()}


def of(language):
    """The messages to contacts who write `language`: the labelled corpus, then what was added to it."""
    for file in [FOLDER / f"{language}.jsonl", *sorted(FOLDER.glob(f"more-{language}-*.jsonl"))]:
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def value(fact):
    if fact["kind"] == "name":
        return fact["value"]["forms"]
    return (fact["value"]["amount"], fact["value"]["currency"]) if fact["kind"] == "money" else fact["value"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_language_of_every_message(language):
    found = {case["id"]: (language_of(case["text"]), case["lang"]) for case in of(language)}
    assert {case: pair for case, pair in found.items() if pair[0] != pair[1]} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_register_of_every_message(language):
    found = {
        case["id"]: (register_of(case["text"]), case["register"]) for case in of(language) if case["register"] != "none"
    }
    assert {case: pair for case, pair in found.items() if pair[0] != pair[1]} == {}


def judged(case, fact, language):
    """Whether the checker says of a fact what its label says."""
    found = states(
        case["text"],
        fact["kind"],
        value(fact),
        written_on=dt.date.fromisoformat(case["context_date"]),
        zone=fact["zone"],
        local=LOCAL[language],
    )
    return found == fact["stated"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["date", "time", "money", "name", "id"])
def test_facts_of_every_message(language, kind):
    asked = [(case, fact) for case in of(language) for fact in case["facts"] if fact["kind"] == kind]
    assert [(case["id"], fact) for case, fact in asked if not judged(case, fact, language)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_shares_on_messages_by_another_hand(language):
    """Forty more messages a language, by somebody who had not read the rules; the faults they showed were mended."""
    cases = [json.loads(line) for line in (SECOND / f"{language}.jsonl").read_text("utf-8").splitlines()]
    celled = [case for case in cases if case["register"] != "none"]
    facts = [(case, fact) for case in cases for fact in case["facts"]]
    assert sum(language_of(case["text"]) == case["lang"] for case in cases) >= 0.97 * len(cases)
    assert sum(register_of(case["text"]) == case["register"] for case in celled) >= 0.95 * len(celled)
    assert sum(judged(case, fact, language) for case, fact in facts) >= 0.97 * len(facts)
