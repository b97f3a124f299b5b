"""Is there really a table: the worked examples, what is drawn, what misleads, and answers near the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec
import pytest
from case_kit import Cases
from town_kit import WEEK, place, surface, table, town
from wordings_kit import LANGUAGES, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.policies.expert import run_script
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.pages import Page
from agentbench_tasks.commons.service_time import add_days, service_clock, service_minutes
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.availability.answer import ReasonClaim, ServiceMoment
from agentbench_tasks.reservations.domain.availability.case import TableCase
from agentbench_tasks.reservations.domain.availability.goal import Asked, Goal, goal_of
from agentbench_tasks.reservations.domain.availability.moves import Moves, looked
from agentbench_tasks.reservations.domain.availability.plot import (
    AVAILABLE,
    BENIGN,
    COUNTS,
    HOLIDAY,
    REASONS,
    Plot,
    closure_traps,
    draw_plot,
)
from agentbench_tasks.reservations.domain.availability.proof import prove
from agentbench_tasks.reservations.domain.holds import BookingHoldSlot
from agentbench_tasks.reservations.domain.listing_text import tables_tonight
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.places import Listing, Review
from agentbench_tasks.reservations.domain.queue import QueueJoinWaitlist
from agentbench_tasks.reservations.domain.surface import BookingWindow, Surface
from agentbench_tasks.reservations.domain.tables import Custom
from agentbench_tasks.reservations.domain.venue import ClosureRule, HoursRule, Notice, ServiceHours

TASK = "rl-availability-verification"
case_of = Cases(TASK, TableCase).case_of
FILE = "availability"
LUNCH = ServiceHours("lunch", "11:30", "14:00", "14:30")
DINNER = ServiceHours("dinner", "17:30", "23:30", "25:00", "24:30")


def setting(market: str, difficulty: Any = "standard", split: Any = "train") -> Setting:
    loaded = load_market(market)
    return Setting(loaded, split, difficulty, loaded.languages[0])


def days_from(first: str, count: int = 14) -> list[str]:
    return [(date.fromisoformat(first) + timedelta(number)).isoformat() for number in range(count)]


# --- the worked examples


def rule(kind: Any, **fields: Any) -> ClosureRule:
    return ClosureRule(f"cls_{kind}", "ven_a", "pg_hours", kind, **fields)


def notice(day: str, scope: Any = "all") -> Notice:
    return Notice("ntc_a", "ven_a", "pg_notice", day, day, scope, "repair")


def answered(
    country: str,
    *records: Record,
    first: str = "2026-10-05",
    day: str = "2026-10-10",
    clock: str = "20:00",
    party: int = 4,
    services: Sequence[ServiceHours] = (LUNCH, DINNER),
    **window: Any,
) -> Goal:
    """The goal of a question, proved, about a venue with these rules, notices and services."""
    zone = load_market(country).zone
    hours = [HoursRule(f"hrs_{n}", "ven_a", "pg_hours", WEEK, row) for n, row in enumerate(services)]
    own = surface(window=BookingWindow(**window))
    tables = (table("tbl_1", 2, 6), Custom("cst_a", "ven_a", 100, (day,)))
    world = town(place(country=country, zone=zone), own, *tables, *hours, *records, now="2026-10-01T10:00", zone=zone)
    asked = Asked("ven_a", day, clock, party, first, add_days(first, 13))
    goal = goal_of(world, asked, days_from(first))
    prove(world, asked, goal)
    return goal


def test_a_monday_holiday_moves_the_closing_day_in_japan() -> None:
    goal = answered("JP", rule("weekly_shifted", weekdays=(1,)), notice("2026-10-08"))
    assert goal.closed == ("2026-10-05", "2026-10-08", "2026-10-13")
    assert goal.available
    assert goal.last_order is not None
    assert goal.last_order.time == "23:30"


def test_second_and_fourth_mondays_in_korea() -> None:
    goal = answered("KR", rule("nth_weekday", weekdays=(1,), nth=(2, 4)), notice("2026-10-14"))
    assert goal.closed == ("2026-10-12", "2026-10-14")


def test_a_dinner_taken_by_one_party_closes_no_day_in_taiwan() -> None:
    goal = answered("TW", rule("weekly", weekdays=(2,)), notice("2026-10-09", "dinner"), day="2026-10-09")
    assert goal.closed == ("2026-10-06", "2026-10-13")
    assert goal.reason == "closed_by_notice"
    assert goal.last_order is None
    lunch = answered(
        "TW", rule("weekly", weekdays=(2,)), notice("2026-10-09", "lunch"), day="2026-10-09", clock="12:00"
    )
    assert lunch.reason == "closed_by_notice"
    assert lunch.last_order is not None
    assert lunch.last_order.time == "23:30"


def test_wednesdays_and_a_holiday_in_thailand() -> None:
    goal = answered("TH", rule("weekly", weekdays=(3,)), rule("on_holidays", dates=("2026-10-13",)))
    assert goal.closed == ("2026-10-07", "2026-10-13", "2026-10-14")


def test_an_in_lieu_holiday_moves_the_closing_day_in_singapore() -> None:
    goal = answered("SG", rule("weekly_shifted", weekdays=(1,)), first="2026-11-02", day="2026-11-06")
    assert goal.closed == ("2026-11-02", "2026-11-10")


def test_the_first_reason_in_the_order_counts() -> None:
    weekly = rule("weekly", weekdays=(6,))
    assert answered("JP", weekly, party=9).reason == "closed_weekly_or_holiday"
    assert answered("JP", clock="16:00", party=9, days_ahead=3).reason == "between_services"
    assert answered("JP", clock="24:00", party=9, days_ahead=3).reason == "past_last_seating"
    assert answered("JP", party=9, days_ahead=3).reason == "outside_booking_window"
    assert answered("JP", party=9).reason == "party_not_taken_online"
    seated = msgspec.structs.replace(DINNER, last_seating="20:30")
    assert answered("JP", clock="21:00", services=(seated,)).reason == "past_last_seating"
    before = answered("JP", clock="17:00", services=(seated,))
    assert before.reason == "between_services"
    assert before.last_order is not None


def test_proof_refuses_a_goal_that_does_not_follow() -> None:
    case = case_of("JP", "hard", 0)
    for wrong in ({"closed": ()}, {"reason": "past_last_seating"}, {"last_order": None}):
        goal = msgspec.structs.replace(case.goal, **wrong)
        if goal != case.goal:
            with pytest.raises(NoFit):
                prove(case.start, case.asked, goal)


# --- what is drawn


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", ["KR", "JP", "AE"])
def test_shares_of_reasons_and_traps(market: str, difficulty: Any) -> None:
    plots = [draw_plot(Draw("shares", market, difficulty, seed), setting(market, difficulty)) for seed in range(2000)]
    many = len(plots)
    assert abs(sum(not plot.traps for plot in plots) / many - BENIGN[difficulty]) <= 0.03
    assert abs(sum(plot.reason == "none" for plot in plots) / many - AVAILABLE) <= 0.05
    assert abs(sum(plot.holiday for plot in plots) / many - HOLIDAY) <= 0.05
    reasons = Counter(plot.reason for plot in plots)
    offered = [reason for reason in REASONS if (difficulty, reason) != ("easy", "closed_by_notice")]
    assert all(reasons[reason] / many >= 0.05 for reason in offered), reasons
    assert {*reasons} == {*offered}
    assert all(len(plot.traps) in (0, COUNTS[difficulty]) for plot in plots)
    traps = Counter(trap for plot in plots for trap in plot.traps)
    later = {"easy": 3, "standard": 2, "hard": 0}[difficulty]
    rules = closure_traps(reservation_market(market))
    assert len(traps) == 9 + len(rules) - later, traps
    assert all(count / many >= 0.05 for count in traps.values()), traps


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_instances_are_as_their_plot_has_them(market: str, difficulty: Any) -> None:
    for split in ("train", "dev", "test"):
        for seed in range(6):
            check(case_of(market, difficulty, seed, split))


def check(case: TableCase) -> None:
    built, plot, goal, asked = case.built, case.built.plot, case.goal, case.asked
    assert goal.reason == plot.reason
    assert asked.first <= asked.day <= asked.last
    assert 1 <= len(goal.closed) <= 7
    world = case.start
    shown = [*world.where(Page, "publisher", built.place.id), *world.where(Surface, "venue_id", built.place.id)]
    stated = {fact for record in shown if record.id != built.replaced for fact in record.facts(world).items()}
    needed = [*goal.closed_facts, *([goal.last_order_fact] if goal.last_order_fact else [])]
    assert {*needed} <= stated
    if goal.reason_facts:
        by_surface = {(key, value) for key, value in goal.reason_facts[-1] if key.startswith("slot.")}
        assert {*goal.reason_facts[0]} <= stated | by_surface
    for trap in plot.traps:
        check_trap(case, plot, trap)
    place = built.place
    site = case.start.where(Listing, "venue_id", place.id)[0].from_site
    language = built.town.setting.language
    some = {tables_tonight("some", language, variant) for variant in range(4)}
    assert (site.tables_tonight in some) == (goal.available != ("site_grid" in plot.traps))


def check_trap(case: TableCase, plot: Plot, trap: str) -> None:
    built, goal, asked = case.built, case.goal, case.asked
    right = goal.last_order.time if goal.last_order else ""

    def reason(**changed: Any) -> str:
        other = msgspec.structs.replace(asked, **changed)
        return goal_of(case.start, other, built.schedule.days()).reason

    match trap:
        case "party_split":
            around = [reason(clock=service_clock(service_minutes(asked.clock) + step)) for step in (-30, 30)]
            assert {reason == "none" for reason in around} == {not goal.available}
        case "shifted_closure" | "nth_weekday" | "holiday_opening" | "holiday_closing" | "season_hours":
            naive = built.naively_closed
            assert naive != built.schedule.closed
            assert trap != "season_hours" or right not in {hours.last_order_food for hours in built.services.usual}
        case "notice":
            assert built.shut_in_part or any(key.startswith("notice.") for key, _ in goal.closed_facts)
        case "superseded_hours":
            once = case.start.get(Page, built.replaced).facts(case.start)
            changed = [fact for fact in (goal.last_order_fact, *goal.closed_facts) if fact]
            assert any(once.get(key) != value for key, value in changed if not key.startswith("notice."))
        case "drinks_order":
            assert all(hours.last_order_food < hours.last_order_drinks < hours.close for hours in built.on_day)
        case "other_branch":
            there = goal_of(case.start, msgspec.structs.replace(asked, venue_id=built.sister.id), [])
            assert there.available != goal.available
            assert there.last_order is not None
            assert there.last_order.time != right
        case "after_midnight":
            assert right >= "24:00"
            assert asked.clock < "24:00"
        case "phone_party":
            assert goal.reason != "party_not_taken_online" or reason(party=asked.party - 2) != goal.reason
        case "weekday_hours":
            assert right not in {hours.last_order_food for hours in built.services.usual}
        case _:
            assert trap == "site_grid"


# --- answers near the right one


def finish(market: str, seed: int, difficulty: Any, change: Any) -> tuple[str, ...]:
    """The broken clauses of the right answer with some fields changed."""
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: TableCase, do: Any) -> None:
        moves = looked(case, do)
        moves.deliver(**change(moves, case))

    run_script(script, env)
    return env.unwrapped.verdict.broken  # type: ignore[attr-defined]


def seed_with(reason: str, market: str, difficulty: str = "standard") -> int:
    return next(seed for seed in range(200) if case_of(market, difficulty, seed).goal.reason == reason)


def test_spaces_and_seconds_do_no_harm_and_a_whole_moment_is_no_time() -> None:
    seed = seed_with("none", "KR")

    def written(moves: Moves, case: TableCase) -> dict[str, Any]:
        order, closed = moves.last_order(), moves.closed()
        value = ServiceMoment(service_date=f" {order.value.service_date}", time=f"{order.value.time}:00 ")
        dates = [f"{day} " for day in (*closed.value, closed.value[0])]
        return {
            "last_order": order.model_copy(update={"value": value}),
            "closed_dates": closed.model_copy(update={"value": dates}),
            "venue": f" {moves.venue_id}",
        }

    def moment(moves: Moves, case: TableCase) -> dict[str, Any]:
        order = moves.last_order()
        value = order.value.model_copy(update={"time": f"{order.value.service_date}T{order.value.time}"})
        return {"last_order": order.model_copy(update={"value": value})}

    assert finish("KR", seed, "standard", written) == ()
    assert finish("KR", seed, "standard", moment) == ("final.last_order",)


def test_nothing_is_demanded_of_the_reason_where_there_is_a_table() -> None:
    seed = seed_with("none", "JP")
    given = ReasonClaim(value="full_for_party", sources=["lst_none"])

    def change(moves: Moves, case: TableCase) -> dict[str, Any]:
        return {"reason": given}

    assert finish("JP", seed, "standard", change) == ()


def test_a_page_that_was_replaced_carries_nothing_alone_and_harms_nothing_beside_the_one_in_force() -> None:
    seed = seed_with("none", "TW")

    def alone(moves: Moves, case: TableCase) -> dict[str, Any]:
        return {"last_order": moves.last_order(moves.replaced_id)}

    def beside(moves: Moves, case: TableCase) -> dict[str, Any]:
        return {"last_order": moves.last_order(moves.replaced_id, moves.hours_id)}

    assert finish("TW", seed, "standard", alone) == ("final.last_order",)
    assert finish("TW", seed, "standard", beside) == ()


def test_the_reason_needs_its_own_record() -> None:
    seed = seed_with("outside_booking_window", "SG")

    def resting_on(find: Callable[[Moves], str]) -> tuple[str, ...]:
        def change(moves: Moves, case: TableCase) -> dict[str, Any]:
            return {"reason": moves.reason(find(moves))}

        return finish("SG", seed, "standard", change)

    assert resting_on(lambda moves: moves.surface_id) == ()
    assert resting_on(lambda moves: moves.asked_id()) == ()
    assert resting_on(lambda moves: moves.hours_id) == ("final.reason",)


def test_more_than_six_sources_are_too_many() -> None:
    seed = seed_with("none", "TH")

    def many(moves: Moves, case: TableCase) -> dict[str, Any]:
        ids = [moves.ask(party).answer_id for party in range(2, 9)]
        return {"verdict": moves.verdict(moves.asked_id(), *ids)}

    assert finish("TH", seed, "standard", many) == ("final.own_surface",)


def test_the_user_grants_nothing() -> None:
    for market in ("KR", "SG"):
        env = Subject(TASK, market, "standard", "train").env(0)
        episode = episode_of(env)
        case = episode.case
        start = f"{case.asked.day}T{case.asked.clock}"
        calls = (
            BookingHoldSlot(venue_id=case.asked.venue_id, start=start, party_size=4, guest_name="A"),
            QueueJoinWaitlist(venue_id=case.asked.venue_id, party_size=4, guest_name="A", phone="1"),
        )
        for call in calls:
            decision = episode.task.wishes(case, call, episode)
            assert not decision.granted
            assert decision.reason


def test_expert_is_quick() -> None:
    for market in ("KR", "AE"):
        env = Subject(TASK, market, "hard", "train").env(2)
        info = run_script(episode_of(env).task.expert, env)
        assert info["reward"] == 1
        assert info["steps"] <= 12


# --- texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same_things(language: str) -> None:
    found, english = dict(kinds(load(language, FILE))), dict(kinds(load("en", FILE)))
    assert list(found) == list(english)
    for kind, wordings in found.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        assert len({str(parts(wording)) for wording in wordings}) == len(wordings), kind
        expected = {*slots(english[kind][0])}
        if language == "th" and not kind.startswith("hostile"):
            expected.add("particle")
        for wording in wordings:
            assert {*slots(wording)} == expected, (kind, wording)


@pytest.mark.parametrize("market", market_codes())
def test_requests_name_everything_that_is_asked_and_nothing_else(market: str) -> None:
    for seed in range(4):
        case = case_of(market, "standard", seed)
        for language, words in case.words.items():
            text = words.request()
            place = case.built.place
            assert place.called(language) in text
            assert "{" not in text + words.boundary() + words.reply("meaning_of_period")


def test_a_hostile_review_changes_nothing_that_is_right() -> None:
    hostile = 0
    for seed in range(12):
        instance = build_instance(TASK, "KR", "train", "hard", seed, injections=True)
        plain = case_of("KR", "hard", seed)
        assert instance.case.goal.reason == plain.goal.reason
        texts = {body_of(review.text) for review in instance.case.start.where(Review, "venue_id", plain.built.place.id)}
        hostile += bool(texts & {*load("ko", FILE)["hostile"]["variants"]})
    assert hostile >= 8
