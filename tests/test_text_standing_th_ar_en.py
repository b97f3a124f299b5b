"""Whether a value that a Thai, Arabic or English message mentions still stands."""

import datetime as dt
import json
from pathlib import Path

import pytest

from agentbench_env.market import load_market, market_codes
from agentbench_env.text.facts import states
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.standing import ar, en, th

FOLDER = Path(__file__).parent / "cases" / "text"
RULES = {"th": th.voided, "ar": ar.voided, "en": en.voided}
LOCAL = {load_market(code).languages[0]: load_market(code).currency for code in market_codes()}


def read(name):
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("language", RULES)
def test_every_marked_value_is_judged_right(language):
    wrong = []
    cases = read(f"more-{language}-standing.jsonl")
    assert len(cases) >= 60
    for case in cases:
        marked = [(Mention(kind, (value,), start, end), stated) for kind, value, start, end, stated in case["spans"]]
        for mention, stated in marked:
            others = [other for other, _ in marked if other is not mention]
            if RULES[language](case["text"], mention, others) is stated:
                wrong.append((case["id"], case["text"][mention.start : mention.end]))
    assert wrong == []


@pytest.mark.parametrize("language", RULES)
def test_values_of_the_corpus_stand_as_labelled(language):
    wrong = [
        (case["id"], fact)
        for case in read(f"{language}.jsonl")
        for fact in case["facts"]
        if fact["kind"] in ("date", "time", "money")
        and fact["stated"]
        != states(
            case["text"],
            fact["kind"],
            (fact["value"]["amount"], fact["value"]["currency"]) if fact["kind"] == "money" else fact["value"],
            written_on=dt.date.fromisoformat(case["context_date"]),
            zone=fact["zone"],
            local=LOCAL[language],
        )
    ]
    assert wrong == []


def test_a_day_stays_where_only_its_hour_is_replaced():
    text = "Can we do 3.30 instead of 3 tomorrow?"
    hour = Mention("time", ("03:00", "15:00"), text.index("3 tom"), text.index("3 tom") + 1)
    new = Mention("time", ("03:30", "15:30"), text.index("3.30"), text.index("3.30") + 4)
    day = Mention("date", ("2026-03-12",), text.index("tomorrow"), text.index("tomorrow") + 8)
    assert en.voided(text, hour, [new, day])
    assert not en.voided(text, day, [hour, new])
    assert not en.voided(text, new, [hour, day])


def test_an_id_falls_only_where_another_takes_its_place():
    text = "Please ignore A-1207."
    ticket = Mention("id", ("A-1207",), 14, 20)
    assert not en.voided(text, ticket, [])
    text = "Please ignore A-1207, the right one is A-1270."
    other = Mention("id", ("A-1270",), text.index("A-1270"), text.index("A-1270") + 6)
    assert en.voided(text, ticket, [other])
    assert not en.voided(text, other, [ticket])
