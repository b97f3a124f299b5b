"""What a booking costs if nobody comes: the worked examples, the traps, the pages, and the texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from case_kit import Cases
from town_kit import DINNER, hours
from wordings_kit import LANGUAGES, assert_own_script, assert_says_the_same, kinds, load

from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes
from agentbench_env.money import Money
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.pages import Page, body, fact_span, sections_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.deposits.blocks import FIRST, in_print
from agentbench_tasks.reservations.domain.deposits.case import DepositCase
from agentbench_tasks.reservations.domain.deposits.goal import Goal, facts_of, goal_of
from agentbench_tasks.reservations.domain.deposits.plot import BLOCKS, COUNT, FREE, OLDER, PAYS, available, draw_plot
from agentbench_tasks.reservations.domain.deposits.proof import prove
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import Surface, route_for
from agentbench_tasks.reservations.domain.terms import (
    Charge,
    DepositRule,
    NoShow,
    Occasion,
    Terms,
    Tier,
    no_show_total,
    terms_for,
)
from agentbench_tasks.reservations.domain.venue import ClosureRule, Opening, open_days

TASK = "rl-deposit-and-policy-check"
case_of = Cases(TASK, DepositCase).case_of
FILE = "deposits"
LONGEST_QUOTE = 400
FINAL = ChargeRule()
PLUS_PLUS = ChargeRule(10, 0, 9, "on_service")
SERVICE = ChargeRule(10, 0, 0, "on_service", "floor")
MONDAYS = ClosureRule("cls_a", "ven_a", "pg_hours", "weekly_shifted", (1,))


def setting(market: str, difficulty: Any = "standard", split: Any = "train") -> Setting:
    loaded = load_market(market)
    return Setting(loaded, split, difficulty, loaded.languages[0])


def business(n: int) -> CutoffRule:
    return CutoffRule("business_days_before_at", n, "21:00")


# --- the worked examples

DAY = "2026-10-15"
"""A Thursday."""


def menu(price: int, currency: str, charges: ChargeRule = FINAL) -> SetMenu:
    deadline = CutoffRule("days_before_at", 3, "17:00")
    return SetMenu("mnu_a", "ven_a", "pg_menu", "Course", Money(price, currency), charges, ANY_PARTY, (), deadline, "")


def occasion(market: str, guests: int, price: int = 0, charges: ChargeRule = FINAL, room: bool = False) -> Occasion:
    rules = load_market(market)
    course = menu(price, rules.currency, charges) if price else None
    return Occasion(guests, to_instant(f"{DAY}T19:00", rules.zone), rules.zone, rules.currency, course, room)


def house(market: str, terms: list[Terms], closures: tuple[ClosureRule, ...]) -> Any:
    place = SimpleNamespace(country=market)
    return SimpleNamespace(terms=terms, closures=closures, notices=[], seasons=[], place=place)


def found(market: str, asked: Occasion, closures: tuple[ClosureRule, ...] = (), **fields: Any) -> Goal:
    """The goal of terms for an occasion, proved."""
    terms = Terms("trm_a", "ven_a", "pg_terms", **fields)
    goal = goal_of(terms, asked, Opening(market, [hours("hrs_a", DINNER)], closures).is_open)
    prove(house(market, [terms], closures), asked, DAY, goal, asked.start - 20 * 24 * 3600)
    return goal


def ends(goal: Goal, market: str) -> str:
    return to_local(goal.free_until, load_market(market).zone) if goal.free_until is not None else "never"


def test_five_days_of_opening_before_a_thursday_is_the_friday_before() -> None:
    asked = occasion("JP", 6, 16_500, SERVICE, room=True)
    rules: dict[str, Any] = {
        "tiers": (Tier(business(5)), Tier(business(3), Charge("pct", 50, "course"))),
        "no_show": NoShow(Charge("pct", 100, "course_plus_room")),
        "room_fee": 5_500,
        "charges": SERVICE,
    }
    goal = found("JP", asked, (MONDAYS,), **rules)
    assert ends(goal, "JP") == "2026-10-09T21:00"
    assert (goal.kind, goal.no_show.minor, goal.exposure.minor) == ("none", 104_500, 104_500)
    assert ends(found("JP", asked, **rules), "JP") == "2026-10-10T21:00"
    added = NoShow(Charge("pct", 100, "course_plus_room", charges_added=True))
    assert found("JP", asked, (MONDAYS,), **{**rules, "no_show": added}).no_show.minor == 114_950


def test_the_rest_of_a_deposit_comes_back_or_bounds_the_charge() -> None:
    asked = occasion("KR", 4, 150_000)
    tiers = (Tier(CutoffRule("days_before_at", 2, "21:00")),)
    deposit = DepositRule("charged", "per_head", 100_000, surplus_returned=True)
    goal = found("KR", asked, deposit=deposit, tiers=tiers, no_show=NoShow(Charge("pct", 40, "total")))
    assert (goal.deposit.minor, goal.no_show.minor, goal.exposure.minor) == (400_000, 240_000, 240_000)
    assert ends(goal, "KR") == "2026-10-13T21:00"
    small = DepositRule("charged", "per_head", 50_000, surplus_returned=True)
    capped = found("KR", asked, deposit=small, tiers=tiers, no_show=NoShow(Charge("pct", 40, "total"), "deposit"))
    assert (capped.no_show.minor, capped.exposure.minor) == (200_000, 200_000)


def test_the_whole_set_price_with_service_and_tax_is_rounded_once() -> None:
    goal = found(
        "SG",
        occasion("SG", 7, 8_800, PLUS_PLUS),
        deposit=DepositRule("charged", "per_head", 3_000),
        tiers=(Tier(CutoffRule("hours_before", 48)),),
        no_show=NoShow(Charge("pct", 100, "course", charges_added=True)),
        charges=PLUS_PLUS,
    )
    assert (goal.deposit.minor, goal.no_show.minor, goal.exposure.minor) == (21_000, 73_858, 73_858)
    assert ends(goal, "SG") == "2026-10-13T19:00"


def test_a_hold_is_no_payment_and_a_day_ends_at_midnight() -> None:
    goal = found(
        "TW",
        occasion("TW", 10),
        deposit=DepositRule("hold", "per_head", 500, credited=False),
        tiers=(Tier(CutoffRule("day_start", 1)), Tier(CutoffRule("day_start", 0), Charge("pct", 50, "deposit"))),
        no_show=NoShow(Charge("pct", 100, "deposit"), "deposit"),
        average_spend=900,
    )
    assert (goal.kind, goal.deposit.minor, goal.no_show.minor, goal.exposure.minor) == ("hold", 5_000, 5_000, 5_000)
    assert ends(goal, "TW") == "2026-10-14T00:00"


def test_a_deposit_that_is_never_returned_is_the_loss() -> None:
    goal = found(
        "TH",
        occasion("TH", 12),
        deposit=DepositRule("charged", "per_head", 50_000),
        no_show=NoShow(Charge("pct", 100, "deposit"), "deposit"),
        average_spend=90_000,
    )
    assert ends(goal, "TH") == "never"
    assert (goal.deposit.minor, goal.no_show.minor, goal.exposure.minor) == (600_000, 600_000, 600_000)


def test_a_charge_in_addition_comes_on_top_of_what_was_prepaid() -> None:
    goal = found(
        "AE",
        occasion("AE", 8, 39_500),
        deposit=DepositRule("charged", "pct_of_course", 50),
        tiers=(Tier(CutoffRule("hours_before", 48)),),
        no_show=NoShow(Charge("per_head", 20_000), offset="in_addition"),
    )
    assert (goal.basis, goal.deposit.minor, goal.no_show.minor) == ("pct_of_course", 158_000, 160_000)
    assert goal.exposure.minor == 318_000


def test_proof_refuses_a_goal_that_does_not_follow() -> None:
    asked = occasion("KR", 4, 150_000)
    terms = Terms("trm_a", "ven_a", "pg_terms", no_show=NoShow(Charge("pct", 40, "total")))
    goal = goal_of(terms, asked, lambda day: True)
    now = asked.start - 20 * 24 * 3600
    prove(house("KR", [terms], ()), asked, DAY, goal, now)
    wrong = Money(1, "KRW")
    for change in ({"deposit": wrong}, {"no_show": wrong}, {"exposure": wrong}, {"free_until": now}):
        with pytest.raises(NoFit):
            prove(house("KR", [terms], ()), asked, DAY, msgspec.structs.replace(goal, **change), now)
    larger = msgspec.structs.replace(terms, party=PartyRange(5, 0))
    for blocks in ([terms, terms], [larger]):
        with pytest.raises(NoFit):
            prove(house("KR", blocks, ()), asked, DAY, goal, now)


# --- what is drawn


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", ["SG", "KR"])
def test_shares_of_traps(market: str, difficulty: Any) -> None:
    where = setting(market, difficulty)
    plots = [draw_plot(Draw("story", market, difficulty, seed), where) for seed in range(2000)]
    share = {name: sum(getattr(plot, name) for plot in plots) / len(plots) for name in ("free", "pays")}
    assert abs(share["free"] - FREE) <= 0.03
    assert abs(share["pays"] - PAYS) <= 0.03
    for plot in plots:
        assert len(plot.traps) == (0 if plot.free else COUNT[difficulty])
        assert (plot.blocks, plot.older) == (BLOCKS[difficulty], OLDER[difficulty])
    laid = Counter(trap for plot in plots for trap in plot.traps)
    assert set(laid) == set(available(where))
    assert all(laid[trap] / len(plots) >= 0.05 for trap in laid), laid
    kinds = Counter(plot.wanted.kind for plot in plots)
    assert all(kinds[kind] / len(plots) >= 0.2 for kind in ("none", "hold", "charged")), kinds


def test_the_first_block_seldom_governs() -> None:
    for count in BLOCKS.values():
        places = Counter(
            in_print(Draw("print", count, seed), [Terms("t", "v", "p")] * count).index(0) for seed in range(500)
        )
        assert places[0] / 500 <= FIRST + 0.04
        assert len(places) == count


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_engine_page_and_goal_agree(market: str, difficulty: Any) -> None:
    for seed in range(12):
        case = case_of(market, difficulty, seed)
        built, world = case.built, case.start
        place, asked = built.place, built.occasion
        assert terms_for(world, place.id, asked) == built.rules
        surface = world.where(Surface, "venue_id", place.id)[0]
        route = route_for(world, surface, asked.party_size, asked.start)
        steps = {"none": (), "hold": ("card_hold",), "charged": ("deposit",)}
        assert route is not None
        assert route.steps == steps[built.rules.deposit.kind]
        assert goal_of(built.rules, asked, open_days(world, place.id)) == case.goal
        assert facts_of(built.rules, asked) == built.facts
        assert [other.full_name for other in world.all(Place)].count(place.full_name) == 1
        for key in (built.facts.deposit[0], built.facts.cutoff[0], built.facts.no_show[0]):
            assert case.block.facts(world)[key[0]] == key[1]
            start, end = fact_span(case.block, key[0])
            assert 0 < end - start <= LONGEST_QUOTE
        others = [goal_of(terms, asked, open_days(world, place.id)) for terms in built.terms if terms != built.rules]
        assert len(others) == BLOCKS[difficulty] - 1
        assert case.goal not in others
        assert built.plot.free == (case.goal.exposure.minor == case.goal.deposit.minor == 0)


@pytest.mark.parametrize("market", market_codes())
def test_traps_bite(market: str) -> None:
    for seed in range(40):
        case = case_of(market, "hard", seed)
        built, goal = case.built, case.goal
        rules, asked = built.rules, built.occasion
        if "hold_not_paid" in built.plot.traps:
            assert goal.exposure == goal.no_show
        if "deposit_counts" in built.plot.traps:
            assert rules.deposit.kind == "charged"
            assert goal.no_show.minor
        if "per_head_vs_total" in built.plot.traps:
            assert rules.deposit.basis == "per_head"
        if "business_days" in built.plot.traps:
            naive = rules.tiers[0].until.instant(asked.start, asked.zone, lambda day: True)
            assert goal.free_until is not None
            assert goal.free_until < naive
        if "same_day_meaning" in built.plot.traps:
            assert goal.free_until is not None
            assert asked.start - goal.free_until < 24 * 3600
        if "service_on_charge" in built.plot.traps:
            charge = rules.no_show.charge
            other = msgspec.structs.replace(charge, charges_added=not charge.charges_added)
            misread = msgspec.structs.replace(rules, no_show=msgspec.structs.replace(rules.no_show, charge=other))
            assert abs(no_show_total(misread, asked).minor - goal.no_show.minor) >= 10


@pytest.mark.parametrize("market", market_codes())
def test_terms_that_were_replaced_say_so_by_their_dates_alone(market: str) -> None:
    for seed in range(10):
        case = case_of(market, "hard", seed)
        built, world = case.built, case.start
        pages = [world.get(Page, id) for id in (built.page_id, *built.older_ids)]
        assert len(pages) == 1 + OLDER["hard"]
        today = built.town.today.isoformat()
        assert pages[0].effective_from <= today
        assert not pages[0].effective_to
        for later, earlier in pairwise(pages):
            assert later.supersedes == earlier.id
            assert earlier.effective_to < later.effective_from
        block = case.block
        latest = sections_of(world, built.older_ids[0])[built.governing]
        assert ("old_version" in built.plot.traps) <= (block.facts(world) != latest.facts(world))
        assert body(block) != ""


def test_the_other_branch_has_terms_of_its_own() -> None:
    for market in market_codes():
        case = case_of(market, "easy", 1)
        place, world = case.built.place, case.start
        others = [other for other in world.where(Place, "group_id", place.group_id) if other.id != place.id]
        assert len(others) == 1
        terms = world.where(Terms, "venue_id", others[0].id)
        assert len({(t.party, t.weekdays, t.booked, t.room) for t in terms}) == len(terms) == BLOCKS["easy"]


# --- texts


def texts(language: str) -> dict[str, list[Any]]:
    table = load(language, FILE)
    return dict(kinds({kind: rows for kind, rows in table.items() if kind != "style"}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    assert_says_the_same(texts(language), texts("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_script(language: str) -> None:
    assert_own_script(texts(language), language)


@pytest.mark.parametrize("market", market_codes())
def test_requests_name_what_is_booked(market: str) -> None:
    for seed in range(6):
        case = case_of(market, "standard", seed)
        for language, words in case.words.items():
            said = words.request()
            assert case.built.place.called(language) in said
            assert "{" not in said
            assert all(words.reply(topic) for topic in ("course", "room", "party_size_final", "other"))
