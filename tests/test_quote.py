"""Enquiries to firms: the worked example, the shares, the papers."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Any

import pytest
from quote_kit import CASES, SLOT, TASK, TODAY, case_of

from agentbench_env.instance import Instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.task import DIFFICULTIES
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.reservations.domain.firm import Firm
from agentbench_tasks.reservations.domain.household import WorkHours
from agentbench_tasks.reservations.domain.places import Listing, Place
from agentbench_tasks.reservations.domain.quote.keys import VISIT
from agentbench_tasks.reservations.domain.quote.plot import BENIGN, KEY_COUNT, SENDS, TRADES, TRAP_COUNT, TRAPS
from agentbench_tasks.reservations.domain.quote.when import Free, Rule, first_window
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact
from agentbench_tasks.reservations.domain.quote_page import named

# --- the worked example


def test_the_first_window_suits_user_building_and_firm() -> None:
    week, weekdays = (1, 2, 3, 4, 5, 6, 7), (WorkHours((1, 2, 3, 4, 5), (("09:00", "17:00"),)),)
    free = [Free(date(2026, 10, 13), 9, 12), Free(date(2026, 10, 15), 9, 12), Free(date(2026, 10, 10), 9, 18)]
    rule, wednesday_to_sunday = Rule(weekdays, 3), (3, 4, 5, 6, 7)
    first = TODAY + timedelta(3)
    assert first_window(free, rule, wednesday_to_sunday, first) == SLOT
    tuesday = QuoteFact(VISIT, "2026-10-13T09:00/11:00")
    assert first_window(free, rule, week, first) == tuesday
    # Without the building it is the Saturday.
    assert first_window(free, None, wednesday_to_sunday, TODAY) == QuoteFact(VISIT, "2026-10-10T09:00/11:00")
    assert first_window(free, rule, (6, 7), first) is None
    assert first_window([Free(date(2026, 10, 15), 8, 10)], rule, week, first) is None


def test_a_window_does_not_run_over_the_break_of_the_building() -> None:
    rule = Rule((WorkHours((4,), (("10:00", "12:00"), ("14:00", "17:00"))),), 3)
    free = [Free(date(2026, 10, 15), 11, 18)]
    assert first_window(free, rule, (4,), TODAY) == QuoteFact(VISIT, "2026-10-15T14:00/16:00")


# --- instances


@pytest.mark.parametrize(("market", "difficulty"), [("KR", "easy"), ("SG", "standard"), ("AE", "hard")])
def test_shares_of_jobs_and_traps(market: str, difficulty: Any) -> None:
    trades, traps, benign, sends, tagged, first = Counter[str](), Counter[str](), 0, 0, 0, 0
    for seed in range(500):
        built = Instance(TASK, load_market(market), "train", difficulty, seed, False, "").case.built
        plot = built.plot
        trades[plot.trade] += 1
        traps.update(plot.traps)
        benign += not plot.traps
        sends += plot.sends
        listing = _listing(built.cast.target)
        skill = named("capabilities", (plot.skill,), built.town.setting.language)
        tagged += skill in listing.from_site.tags
        first += built.cast.target is max(built.cast.of_trade, key=_popularity)
        assert len(plot.traps) in (0, TRAP_COUNT[difficulty])
        assert len(plot.keys) == KEY_COUNT[difficulty]
        assert ("unknown_item" in plot.traps) == bool(plot.unknown) == bool(built.goal.open_keys)
    expected = set(TRAPS) - ({"other_home"} if difficulty == "easy" else set())
    expected -= {"two_languages"} if market != "AE" else set()
    assert set(traps) == expected | ({"unknown_item"} if difficulty == "hard" else set())
    assert min(traps.values()) >= 0.05 * 500
    assert abs(benign / 500 - BENIGN[difficulty]) <= 0.05
    assert abs(sends / 500 - SENDS) <= 0.05
    assert 0.4 <= tagged / 500 <= 0.6
    assert 0.15 <= first / 500 <= 0.42
    for trade, share in TRADES.items():
        assert abs(trades[trade] / 500 - share / 100) <= 0.06


def _listing(firm: Firm) -> Listing:
    return next(record for record in firm.records if isinstance(record, Listing))


def _popularity(firm: Firm) -> int:
    return _listing(firm).from_site.popularity


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("market", market_codes())
def test_households_and_firms_are_as_the_difficulty_says(market: str, split: str) -> None:
    for difficulty in DIFFICULTIES:
        for seed in range(8):
            case = case_of(market, difficulty, seed, split)
            built, world = case.built, case.start
            papers = world.all(Paper)
            assert 10 <= len(papers) <= 22
            others = [paper for paper in papers if paper.status in ("previous_home", "other_household")]
            assert bool(others) == (difficulty != "easy")
            firms = world.where(Place, "kind", "home_service")
            assert 6 <= len(firms) <= 10
            assert len({firm.name.local for firm in firms}) == len(firms)
            phones = [place.phone for place in world.all(Place)]
            assert all(phones.count(firm.phone) == 1 for firm in firms)
            listed = [len(firm.guide.keys) for firm in built.cast.of_trade]
            assert set(listed) == {KEY_COUNT[difficulty]}
            assert str(built.estate.home["floor"]) in built.user.home or market == "TH"


@pytest.mark.parametrize("market", market_codes())
def test_the_one_right_firm_meets_both_criteria(market: str) -> None:
    for seed in range(20):
        built = case_of(market, "hard", seed).built
        here, skill = built.quarter.area.id, built.plot.skill
        right = [
            firm.place.id
            for firm in built.cast.of_trade
            if here in firm.place.covers and skill in firm.guide.capabilities
        ]
        assert right == [built.goal.firm_id]
        assert built.cast.outside.place.district == here
        assert here not in built.cast.outside.place.covers
        assert skill not in built.cast.tagged.guide.capabilities


def test_an_enquiry_may_be_for_another_reader() -> None:
    """What a decoy firm asks is known or open just as what the right one asks."""
    for seed in range(20):
        built = case_of("TH", "hard", seed).built
        for firm in built.cast.of_trade:
            goal = built.goal_of(firm)
            assert {fact.key for fact in goal.facts} | goal.open_keys == set(firm.guide.keys) - {VISIT}
            assert goal.open_keys <= {built.plot.unknown}


def test_hostile_text_appears_only_where_it_is_asked_for() -> None:
    CASES.assert_hostile_text_comes_only_where_it_is_asked_for()
