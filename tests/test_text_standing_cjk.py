"""Whether a mentioned day, hour or amount still stands in Korean, Japanese and Chinese texts."""

import datetime as dt
import json
from pathlib import Path

import pytest

from agentbench_env.text.facts import mentions
from agentbench_env.text.facts.standing import ja, ko, zh
from agentbench_env.text.own import own_text

FOLDER = Path(__file__).parent / "cases" / "text"
RULES = {"ko": (ko.voided, "KRW"), "ja": (ja.voided, "JPY"), "zh-Hant": (zh.voided, "TWD")}


def cases(language):
    for file in [FOLDER / f"{language}.jsonl", *sorted(FOLDER.glob(f"more-{language}-standing*.jsonl"))]:
        for line in file.read_text("utf-8").splitlines():
            case = json.loads(line)
            if case["lang"] == language:
                yield case


def wanted(fact):
    return "{amount} {currency}".format(**fact["value"]) if fact["kind"] == "money" else fact["value"]


def judged(language):
    """Each fact whose value is mentioned, and whether a mention of it stands; a zone is not looked at."""
    voided, local = RULES[language]
    for case in cases(language):
        own = own_text(case["text"])
        found = mentions(own, written_on=dt.date.fromisoformat(case["context_date"]), local=local)
        for fact in case["facts"]:
            if fact["kind"] not in ("date", "time", "money") or (fact["zone"] and not fact["stated"]):
                continue
            hits = [m for m in found if m.kind == fact["kind"] and wanted(fact) in m.values]
            if hits:
                stands = any(not voided(own, hit, [o for o in found if o is not hit]) for hit in hits)
                yield case["id"], wanted(fact), fact["stated"], stands


@pytest.mark.parametrize("language", RULES)
def test_no_value_that_stands_is_voided(language):
    assert [row for row in judged(language) if row[2] and not row[3]] == []


@pytest.mark.parametrize("language", RULES)
def test_values_taken_back_are_voided(language):
    assert [row for row in judged(language) if not row[2] and row[3]] == []


@pytest.mark.parametrize("language", RULES)
def test_most_values_of_the_cases_are_found(language):
    facts = [
        f for case in cases(language) for f in case["facts"] if f["stated"] and f["kind"] in ("date", "time", "money")
    ]
    assert len([row for row in judged(language) if row[2]]) > 0.9 * len(facts)


@pytest.mark.parametrize("language", RULES)
def test_a_single_mention_without_context_stands(language):
    for case in cases(language):
        for line in ["10/8", "10月8日", "10월 8일"]:
            (only,) = mentions(line, written_on=dt.date.fromisoformat(case["context_date"]))
            assert not RULES[language][0](line, only, [])
        break
