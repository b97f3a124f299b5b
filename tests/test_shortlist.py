"""The shortlist by evidence: the rule of evidence, the worked example, what instances share, texts, and near misses."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from math import sqrt
from typing import Any

import pytest
from case_kit import Cases
from town_kit import place
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, run_script
from agentbench_env.task import DIFFICULTIES, Difficulty, Setting
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.directory import DirectoryListReviews
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.menu_page import all_in, price_band
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.shortlist.build import MOST_CALLS, calls
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase
from agentbench_tasks.reservations.domain.shortlist.evidence import (
    Attribute,
    Known,
    Own,
    Room,
    Value,
    Visit,
    established,
    in_age,
    year_before,
)
from agentbench_tasks.reservations.domain.shortlist.moves import Moves
from agentbench_tasks.reservations.domain.shortlist.plot import BENIGN, TRAP_COUNT, TRAPS, Must, draw_plot

TASK = "rl-venue-shortlist-by-evidence"
case_of = Cases(TASK, ShortlistCase).case_of
FILE = "shortlist"
TODAY = "2026-10-09"
SEEDS = 500


def known(own: dict[Attribute, Value] | None = None, *visits: Visit, renovated_on: str = "") -> Known:
    """A house that says this of itself on a page, and these visits."""
    said = {attribute: Own(value, "pg_a") for attribute, value in (own or {}).items()}
    return Known(place(renovated_on=renovated_on), said, visits)


def values(house: Known) -> dict[Attribute, Value]:
    return {attribute: one.value for attribute, one in established(house, TODAY).items()}


# --- the rule


def test_a_printed_price_is_a_band_higher_with_its_charges() -> None:
    bands = reservation_market("TH").bands
    plus_plus = ChargeRule(service_pct=10, tax_pct=7, mode="on_service")
    price = Money(129_000, "THB")
    assert all_in(price, plus_plus) == Money(151_833, "THB")
    assert (bands.of(price.minor), price_band(bands, price, plus_plus)) == ("C", "D")


def test_the_houses_own_words_beat_reviews() -> None:
    fresh = Visit("rev_a", "2026-09-20", "noise", "quiet")
    assert values(known({"noise": "loud"}, fresh)) == {"noise": "loud"}
    works = {"private_room": Room("none")}
    told = Visit("rev_b", "2026-09-21", "private_room", Room("closed_room", 10))
    assert values(known(works, told)) == {"private_room": Room("none")}
    seats = Visit("rev_c", "2026-09-22", "seating", "sofa")
    assert values(known({"seating": ("table",)}, seats)) == {"seating": ("table",)}


def test_among_reviews_the_latest_visit_counts_and_all_kinds_of_seats() -> None:
    visits = (
        Visit("rev_a", "2026-09-20", "noise", "loud"),
        Visit("rev_b", "2026-03-02", "noise", "quiet"),
        Visit("rev_c", "2026-03-02", "seating", "table"),
        Visit("rev_d", "2026-05-02", "seating", "counter"),
    )
    found = established(known(None, *visits), TODAY)
    assert {attribute: one.value for attribute, one in found.items()} == {
        "noise": "loud",
        "seating": ("counter", "table"),
    }
    assert found["noise"].review_ids == ("rev_a",)
    assert found["seating"].review_ids == ("rev_d", "rev_c")


def test_old_visits_and_those_before_a_refit_bear_nothing_out() -> None:
    assert year_before("2024-02-29") == "2023-02-28"
    assert in_age("2025-10-09", "", TODAY)
    assert not in_age("2025-10-08", "", TODAY)
    assert not in_age("2026-05-31", "2026-06-01", TODAY)
    old = Visit("rev_a", "2025-06-01", "noise", "quiet")
    before = Visit("rev_b", "2026-05-01", "private_room", Room("closed_room", 12))
    assert values(known(None, old, before, renovated_on="2026-06-01")) == {}


def test_musts_want_evidence_of_the_whole() -> None:
    room = Must("private_room", ("closed_room",), 8)
    assert room.is_met_by(Room("closed_room", 8))
    for value in (Room("closed_room", 7), Room("closed_room"), Room("partial", 12), Room("none"), None):
        assert not room.is_met_by(value)
    assert Must("seating", ("table",)).is_met_by(("counter", "table"))
    assert not Must("seating", ("table",)).is_met_by(("floor",))
    assert not Must("noise", ("quiet",)).is_met_by(None)


# --- what instances share


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_traps_and_benign_instances_have_their_shares(difficulty: Difficulty) -> None:
    for code in ("TH", "KR"):
        market = load_market(code)
        setting = Setting(market, "train", difficulty, market.languages[0])
        plots = [draw_plot(Draw("shares", seed), setting) for seed in range(SEEDS)]
        laid = Counter(trap for plot in plots for trap in plot.traps)
        benign, share = sum(not plot.traps for plot in plots), BENIGN[difficulty]
        assert abs(benign / SEEDS - share) <= max(0.03, 3 * sqrt(share * (1 - share) / SEEDS))
        assert {len(plot.traps) for plot in plots} == {0, TRAP_COUNT[difficulty]}
        # Korean prices are final, so that no charge lifts one into another band.
        possible = [trap for trap in TRAPS if code != "KR" or trap != "plus_plus_band"]
        assert {*laid} == {*possible}
        assert min(laid.values()) >= 0.05 * SEEDS


@pytest.mark.parametrize("code", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_each_house_in_reach_is_judged_and_all_can_be_read(code: str, difficulty: Difficulty) -> None:
    for seed in range(4):
        case = case_of(code, difficulty, seed)
        built, goal = case.built, case.goal
        assert 2 <= len(goal.members) <= 4
        assert {*goal.evidence} == {*built.houses}
        assert calls(built) <= MOST_CALLS
        free = [goal.evidence[id][one] for id in goal.members for one in built.plot.free if one in goal.evidence[id]]
        assert any(found.review_ids for found in free)


def test_a_house_never_contradicts_itself_and_no_visit_lies_at_the_edge() -> None:
    for seed in range(12):
        case = case_of("JP", "hard", seed)
        edge = year_before(case.built.today)
        for house in case.built.houses.values():
            renovated = house.place.renovated_on
            assert not renovated or renovated <= house.published <= case.built.today
            for row in house.reviews:
                if row.stated:
                    assert abs(int(row.visited_on.replace("-", "")) - int(edge.replace("-", ""))) > 2


@pytest.mark.parametrize("difficulty", ["standard", "hard"])
def test_sisters_and_replaced_pages_are_in_every_larger_world(difficulty: Difficulty) -> None:
    for seed in range(4):
        built = case_of("SG", difficulty, seed).built
        groups = Counter(record.group_id for record in built.town.records if isinstance(record, Place))
        assert any(groups[house.place.group_id] > 1 for house in built.houses.values())
        assert any(house.supersedes for house in built.houses.values())


# --- near misses


def broken_by(script: Any, seed: int) -> set[str]:
    """The clauses that a script breaks in a standard instance of Thailand."""
    env = Subject(TASK, "TH", "standard").env(seed)
    run_script(script, env)
    assert env.verdict is not None
    return set(env.verdict.broken)


def test_equal_ways_of_saying_it_are_right() -> None:
    def script(case: ShortlistCase, do: Do) -> None:
        moves = Moves(case, do)
        moves.read()
        listed = moves.shortlist()
        for one in listed:
            one.claims.seating.value[:] = [*reversed(one.claims.seating.value), *one.claims.seating.value]
            one.claims.noise.sources[:] = one.claims.noise.sources * 2
        moves.deliver(listed[::-1])

    assert broken_by(script, 3) == set()


def overruled_noise(case: ShortlistCase) -> Iterator[tuple[str, list[str], str]]:
    """Places of the list with what bears out their noise, and a recent review that says otherwise."""
    built = case.built
    for id in case.goal.members:
        found = case.goal.evidence[id].get("noise")
        if found and (right := [found.page_id] if found.page_id else list(found.review_ids)):
            for row in built.houses[id].reviews:
                fresh = in_age(row.visited_on, built.houses[id].place.renovated_on, built.today)
                if fresh and not row.stated and "noise." in str(row.text):
                    yield id, right, row.id


def citing(venue: str, sources: list[str], review_id: str) -> Any:
    """The right shortlist, a noise with these sources and a review."""

    def script(case: ShortlistCase, do: Do) -> None:
        moves = Moves(case, do)
        moves.read()
        moves.reviews(venue, [review_id])
        noise = case.goal.evidence[venue]["noise"].value
        moves.deliver_with(venue, "noise", noise, [*sources, review_id])

    return script


def test_a_review_that_is_overruled_bears_nothing_out_and_does_no_harm() -> None:
    cases = ((seed, row) for seed in range(60) for row in overruled_noise(case_of("TH", "standard", seed)))
    seed, (venue, right, review_id) = next(cases)
    assert broken_by(citing(venue, right, review_id), seed) == set()
    assert broken_by(citing(venue, [], review_id), seed) == {"final.claims_sourced"}


def test_what_was_never_opened_bears_nothing_out() -> None:
    case = case_of("TH", "standard", 1)
    page_id = next(one.page_id for id in case.goal.members for one in case.goal.evidence[id].values() if one.page_id)

    def script(case: ShortlistCase, do: Do) -> None:
        moves = Moves(case, do)
        moves.sections[page_id] = []
        moves.read()
        moves.deliver()

    assert broken_by(script, 1) == {"final.claims_sourced"}


def test_reviews_of_a_house_are_told_apart_by_their_dates_alone() -> None:
    env = Subject(TASK, "TH", "hard").env(0)

    def script(case: ShortlistCase, do: Do) -> None:
        for venue in case.built.houses:
            for row in do(DirectoryListReviews(venue_id=venue, sort="newest")).reviews:
                assert row.visited_on <= row.posted_on <= case.built.today

    run_script(script, env)


# --- texts


def texts(language: str) -> dict[str, list[Any]]:
    return dict(kinds(load(language, FILE)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_asks_the_same(language: str) -> None:
    own, english = texts(language), texts("en")
    assert list(own) == list(english)
    for kind, wordings in own.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        for wording, twin in zip(wordings, english[kind], strict=True):
            expected = {*slots(twin)}
            assert {*slots(wording)} - {"particle"} == expected, kind
            assert language == "th" or "particle" not in slots(wording), kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_tidy_and_in_their_script(language: str) -> None:
    for kind, wordings in texts(language).items():
        assert len(set(wordings)) == len(wordings), kind
        for wording in wordings:
            for text in parts(wording).values():
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                letters = [c for c in re.sub(r"\{[a-z_]+\}|AI|ٔ", "", text) if c.isalpha()]
                own = sum(unicodedata.name(c).split()[0].split("-")[0] in SCRIPTS[language] for c in letters)
                assert own >= 0.95 * len(letters), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), (kind, SIMPLIFIED & set(text))


@pytest.mark.parametrize("code", market_codes())
def test_the_request_names_place_distance_guests_and_both_musts(code: str) -> None:
    for seed in range(6):
        case = case_of(code, "easy", seed)
        for words in case.words.values():
            request = words.request()
            assert str(case.built.metres) in request
            assert "{" not in request
            assert all(tag not in request for tag in ("tag_only", "stale", "trap"))


def test_hostile_reviews_are_there_on_demand_alone() -> None:
    market = load_market("JP")
    for injections in (False, True):
        found = 0
        for seed in range(12):
            case = build_instance(TASK, market.code, "train", "hard", seed, injections=injections).case
            assert isinstance(case, ShortlistCase)
            rows = [row for house in case.built.houses.values() for row in house.reviews]
            found += sum("アシスタント" in body_of(row.text) for row in rows)
        assert bool(found) is injections
