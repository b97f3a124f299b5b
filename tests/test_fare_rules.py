"""The comparison of fare rules against the worked example of its specification, its traps, and its texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import Any

import msgspec
import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject, play
from agentbench_env.instance import build_instance
from agentbench_env.market import market_codes
from agentbench_env.money import Money
from agentbench_tasks.commons.pages import Page, body, sections_of
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.travel.domain.fare_rules.case import FareRuleCase
from agentbench_tasks.travel.domain.fare_rules.plot import EASY_TRAPS, TRAPS, NoFit
from agentbench_tasks.travel.domain.fare_rules.proof import prove
from agentbench_tasks.travel.domain.fare_rules.terms import (
    NEVER,
    Ask,
    BrandRules,
    Edition,
    Note,
    Outcome,
    Peak,
    Step,
    outcome,
)
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Bag, Fare, Offer, Tariff

TASK = "ta-fare-rule-comparison"
ASK = Ask(days=10, persons=1, sectors=2, changed=2, depart_on="2026-10-16", dest="OSA")
F1 = BrandRules(
    (Step(0, NEVER),), "sector", (Step(0, 100),), 2500, True, "cash", "fare_forfeited", 0, True, 0, 0, 7
)  # fmt: skip
F2 = BrandRules(
    (Step(30, 4000), Step(10, 6000), Step(0, 9000)), "sector", (Step(10, 40), Step(0, 80)), 0, True, "cash", "fee",
    7500, False, 1, 20, 7,
)  # fmt: skip
BOOK = Edition("X9X.rules.1", "issue", "2026-01-01", {"Light": F1, "Flex": F2}, refund_per_sector=False)


def said(brand: str, edition: Edition = BOOK, ask: Ask = ASK, fare: int = 31800, charges: int = 9400) -> Outcome:
    return outcome(edition, brand, "X9X.bags", ask, fare, charges)


def case_of(market: str, difficulty: str, seed: int) -> FareRuleCase:
    return build_instance(TASK, market, "train", difficulty, seed).case  # type: ignore[arg-type]


# --- the worked example


def test_worked_example() -> None:
    f1, f2 = said("Light", fare=17400), said("Flex")
    assert (f1.change_fee, f1.refund, f1.form) == (NEVER, 6900, "cash")
    assert (f2.change_fee, f2.refund) == (12000, 28480)
    assert (f1.no_show, f1.onward_cancelled) == ("fare_forfeited", True)
    assert (f2.no_show, f2.no_show_fee, f2.onward_cancelled) == ("fee", 7500, False)
    assert f2.keys == {
        "change": ("X9X.rules.1.change.Flex",),
        "cancel": ("X9X.rules.1.cancel.Flex",),
        "bag": ("X9X.bags.bag.Flex",),
        "no_show": ("X9X.rules.1.no_show.Flex",),
    }


@pytest.mark.parametrize(("days", "fee", "refund"), [(30, 8000, 28480), (11, 12000, 28480), (9, 18000, 15760)])
def test_the_last_day_of_a_step_belongs_to_it(days: int, fee: int, refund: int) -> None:
    found = said("Flex", ask=msgspec.structs.replace(ASK, days=days))
    assert (found.change_fee, found.refund) == (fee, refund)


@pytest.mark.parametrize(
    ("unit", "changed", "fee"), [("sector", 1, 6000), ("ticket", 2, 6000), ("half", 2, 6000), ("half", 1, 3000)]
)
def test_what_a_fee_is_for(unit: Any, changed: int, fee: int) -> None:
    brands = {"Flex": msgspec.structs.replace(F2, unit=unit)}
    found = said(
        "Flex",
        msgspec.structs.replace(BOOK, brands=brands),
        msgspec.structs.replace(ASK, changed=changed, persons=3),
    )
    assert found.change_fee == 3 * fee


def test_exceptions_replace_the_table_and_a_service_fee_is_added() -> None:
    replaced = msgspec.structs.replace
    assert said("Flex", replaced(BOOK, note=Note("Flex", "no", 0, "OSA"))).change_fee == NEVER
    assert said("Flex", replaced(BOOK, note=Note("Flex", "fee", 100, "OSA"))).change_fee == 200
    assert said("Flex", replaced(BOOK, note=Note("Flex", "fee", 100, "TYO"))).change_fee == 12000
    assert said("Flex", replaced(BOOK, note=Note("Flex", "credit", 0, "OSA"))).form == "credit"
    peak = replaced(BOOK, peak=Peak("2026-10-16", "2026-10-20", 7000), service_fee=500)
    assert said("Flex", peak).change_fee == 14500
    assert said("Flex", peak).keys["change"] == ("X9X.rules.1.peak", "X9X.rules.1.service_fee")
    assert said("Light", peak).change_fee == NEVER


def test_any_number_of_pieces_is_never_charged() -> None:
    tariff = Tariff("trf", "X9X", "SGD", ((20, 4000), (25, 5000)), 0, 0, 75, 24)
    fare = Fare("fare", "svc", "X9X", "Flex", "economy", Money(10000, "SGD"), (), -1, 20, True, 9)
    assert quote_lines(fare, tariff, 1, (), (Bag(20, 3),), "none")[1] == Money(10000, "SGD")
    assert quote_lines(fare, tariff, 1, (), (Bag(25, 1),), "none")[1] == Money(15000, "SGD")


# --- instances


@pytest.mark.parametrize("market", market_codes())
def test_traps_and_shapes_come_in_their_shares(market: str) -> None:
    traps, counts = Counter[str](), Counter[str]()
    seeds = 100
    for seed in range(seeds):
        built = case_of(market, "hard", seed).built
        traps.update(set(built.traps))
        plot = built.plot
        shapes = {
            "benign": not plot.traps,
            "shortlist": plot.scope == "shortlist",
            "return": bool(plot.back_on),
            "child": bool(plot.party.child_ages),
            "two editions": any(rules.governing != rules.current for rules in built.rules),
        }
        counts.update(name for name, there in shapes.items() if there)
        assert len(built.candidates) == 7
        assert len({one.option.fare.carrier for one in built.candidates}) == 4
    for trap in TRAPS:
        assert traps[trap] / seeds >= 0.05, trap
    assert 0.02 <= counts["benign"] / seeds <= 0.2
    assert 0.35 <= counts["shortlist"] / seeds <= 0.65
    assert 0.55 <= counts["return"] / seeds <= 0.96
    assert 0.4 <= counts["child"] / seeds <= 0.8
    assert counts["two editions"] / seeds >= 0.1


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_the_cheapest_is_the_strictest_and_never_the_cheapest_on_the_search(market: str, difficulty: str) -> None:
    outside = 0
    for seed in range(30):
        case = case_of(market, difficulty, seed)
        built, start = case.built, case.start
        first, rest = built.candidates[0], built.candidates[1:]
        assert all(one.price * 100 >= first.price * 103 for one in rest)
        assert all(one.outcome.kept_percent <= first.outcome.kept_percent for one in rest)
        assert first.outcome.no_show == "fare_forfeited"
        route = built.plot.route
        outside += not built.plot.carriers[0].sold_via_search(route.start, route.end)
        rows = [o for o in start.all(Offer) if o.cities == (route.start, route.end, built.plot.depart_on)]
        lowest = min(rows, key=lambda row: row.shown.minor, default=None)
        assert len(rows) < 2 or lowest is None or lowest.fare_id != first.option.fare.id
        if difficulty == "easy":
            assert set(built.traps) <= EASY_TRAPS
            assert all(rules.governing == rules.current for rules in built.rules)
    assert outside >= 18


def test_the_proof_refuses_what_is_not_so() -> None:
    built = case_of("SG", "standard", 0).built
    rules = {one.carrier.code: one for one in built.rules}
    prove(built.plot, rules, built.candidates)
    with pytest.raises(NoFit):
        prove(built.plot, rules, built.candidates[::-1])
    first = built.candidates[0]
    wrong = msgspec.structs.replace(
        first, outcome=msgspec.structs.replace(first.outcome, refund=first.outcome.refund + 1)
    )
    with pytest.raises(NoFit):
        prove(built.plot, rules, (wrong, *built.candidates[1:]))


@pytest.mark.parametrize("market", market_codes())
def test_everything_that_counts_is_written_where_it_can_be_found(market: str) -> None:
    for seed in range(12):
        case = case_of(market, "hard", seed)
        start = case.start
        stated = {
            fact.key for page in start.all(Page) for section in sections_of(start, page.id) for fact in section.stated
        }
        for one in case.built.candidates:
            assert {key for keys in one.outcome.keys.values() for key in keys} <= stated
        for page in start.all(Page):
            assert all(body(section) for section in sections_of(start, page.id))
        papers = [body_of(paper.text) for paper in start.all(Paper) if paper.kind == "shortlist"]
        assert len(papers) == (case.built.plot.scope == "shortlist")
        for option in case.built.listed:
            assert f"{option.service.number} {option.fare.brand}" in papers[0]
        request = case.words["en"].request()
        for carrier in case.built.plot.carriers if not papers else ():
            assert f"({carrier.code})" in request


def test_a_service_stands_for_its_fares_only_once_they_were_shown() -> None:
    subject = Subject(TASK, "SG", "easy")
    env = subject.env(0)
    play(env, subject.task.asks_first_and_writes_zeros)  # type: ignore[attr-defined]
    assert env.verdict is not None
    assert env.verdict.success


# --- texts

ENGLISH = dict(kinds(load("en", "fare_rules")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_say_the_same_in_their_own_script(language: str) -> None:
    texts = dict(kinds(load(language, "fare_rules")))
    assert list(texts) == list(ENGLISH)
    for kind, wordings in texts.items():
        assert len(wordings) == len(ENGLISH[kind]) in (1, 4), kind
        bodies = [parts(wording)["text"] for wording in wordings]
        assert len(set(bodies)) == len(bodies), kind
        for wording in wordings:
            found = set(slots(wording)) - ({"particle"} if language == "th" else set())
            assert found == set(slots(ENGLISH[kind][0])), (kind, wording)
            assert parts(wording).keys() == parts(ENGLISH[kind][0]).keys()
            for text in parts(wording).values():
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                names = [re.split("[ -]", unicodedata.name(c))[0] for c in SLOT.sub("", text) if c.isalpha()]
                assert sum(name in SCRIPTS[language] for name in names) >= 0.9 * len(names), (kind, text)
                assert language != "zh-Hant" or not SIMPLIFIED & set(text), (kind, text)


@pytest.mark.parametrize("market", market_codes())
def test_the_request_names_all_that_is_asked(market: str) -> None:
    for seed in range(6):
        case = case_of(market, "standard", seed)
        for words in case.words.values():
            request = words.request()
            assert str(case.built.plot.days) in request
            assert "{" not in request + words.boundary()
            for topic in ("when_change", "sectors", "shortlist", "credit_ok", "other"):
                assert "{" not in words.reply(topic)
