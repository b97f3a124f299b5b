"""The change of a reservation against the worked details of its specification, its traps, texts and checks."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from case_kit import Cases

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.text.template import slot_names
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.hostile import hostile_field
from agentbench_tasks.commons.pages import Page
from agentbench_tasks.reservations.domain.amendments import (
    BookingCancelReservation,
    BookingChangeReservation,
    BookingQuoteChange,
)
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.change.answer import Moment
from agentbench_tasks.reservations.domain.change.bookings import FILE
from agentbench_tasks.reservations.domain.change.build import draw_story
from agentbench_tasks.reservations.domain.change.case import ChangeCase
from agentbench_tasks.reservations.domain.change.goal import BY_ENGINE, cutoff_of
from agentbench_tasks.reservations.domain.change.market import patterns_of
from agentbench_tasks.reservations.domain.change.moves import Moves
from agentbench_tasks.reservations.domain.change.plot import BENIGN, KINDS, TRAP_COUNT, TRAPS, draw_frame
from agentbench_tasks.reservations.domain.change.rules import Rules, change_is_free, cutoff_under
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.messages import Message, MsgSendDraft
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.terms import Occasion, headcount_charge

TASK = "rl-reservation-change"
case_of = Cases(TASK, ChangeCase).case_of
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
TOKYO = "Asia/Tokyo"
SAMPLE = 500


def open_always(day: str) -> bool:
    return True


# --- the worked example


def test_four_fewer_cost_what_three_fewer_do_not() -> None:
    pattern = next(row for row in patterns_of("JP") if row.name == "steps")
    deadline = pattern.until
    course = SetMenu("mnu_a", "", "", "", Money(8_800, "JPY"), ChargeRule(), PartyRange(), (), deadline, "")
    start = to_instant("2026-10-24T18:30", TOKYO)
    booked = Occasion(12, start, TOKYO, "JPY", course)
    terms = Rules(pattern, 0, seat_only=pattern).of(12, with_course=True)
    now = to_instant("2026-10-22T10:00", TOKYO)
    assert headcount_charge(terms, booked, 4, now, open_always) == Money(17_600, "JPY")
    assert headcount_charge(terms, booked, 3, now, open_always) == Money(0, "JPY")
    assert change_is_free(terms, booked, start, 8, to_instant("2026-10-21T17:00", TOKYO), open_always)
    assert not change_is_free(terms, booked, start, 9, to_instant("2026-10-23T17:01", TOKYO), open_always)


def test_the_cutoff_moves_with_the_start_where_hours_are_counted() -> None:
    pattern = next(row for row in patterns_of("SG") if row.by_the_hour)
    terms = Rules(pattern, 0).of(4, with_course=False)

    def cutoff(local: str) -> str:
        start = to_instant(local, "Asia/Singapore")
        return to_local(cutoff_under(terms, Occasion(4, start, "Asia/Singapore", "SGD"), open_always), "Asia/Singapore")

    assert (cutoff("2026-10-24T18:30"), cutoff("2026-10-24T20:00")) == ("2026-10-23T18:30", "2026-10-23T20:00")


# --- instances


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_shares_of_kinds_and_traps(difficulty: Any) -> None:
    frames = [draw_frame(Draw(TASK, difficulty, seed), difficulty) for seed in range(SAMPLE)]
    kinds = Counter(frame.kind for frame in frames)
    traps = Counter(trap for frame in frames for trap in frame.traps)
    assert all(abs(kinds[kind] * 100 / SAMPLE - percent) < 5 for kind, percent in KINDS[difficulty].items())
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= SAMPLE // 20
    benign = sum(not frame.traps for frame in frames) / SAMPLE
    assert abs(benign - BENIGN[difficulty]) <= 0.04
    assert {len(frame.traps) for frame in frames} == {0, TRAP_COUNT[difficulty]}


@pytest.mark.parametrize("code", market_codes())
def test_stories_are_found_soon_and_what_misleads_does(code: str) -> None:
    market = load_market(code)
    setting = Setting(market, "train", "hard", market.languages[0])
    for seed in range(60):
        draw = Draw(TASK, code, seed)
        frame = draw_frame(draw.stream("frame"), "hard")
        plot, when = draw_story(draw, setting, frame)
        is_open = when.keeping.opening(code).is_open
        steps = sorted(plot.rules.pattern.steps, key=lambda step: step.fewer)
        limits = [step.until.instant(when.start, when.zone, is_open) for step in steps]
        if frame.has("headcount_tier"):
            assert limits[1] < when.now < limits[0]
            assert (plot.fewer >= steps[1].fewer) == frame.costs
        if frame.has("quote_is_time_bound"):
            move = plot.rules.pattern.move
            edges = [*limits, *([move.until.instant(when.start, when.zone, is_open)] if move else [])]
            assert min(abs(edge - when.now) for edge in edges) <= 45 * 60
        assert all(not when.now <= edge < when.now + 1_200 for edge in limits)


@pytest.mark.parametrize("code", market_codes())
def test_the_engine_and_the_kind_of_instance_agree(code: str) -> None:
    for seed in range(12):
        case = case_of(code, "hard", seed)
        kind, goal = case.built.plot.frame.kind, case.goal
        row = case.start.get(Reservation, goal.reservation_id)
        assert (goal.outcome == "updated") == (kind in ("online_free", "online_forfeit_approved"))
        if kind.startswith("online_forfeit"):
            assert goal.charge
            assert row.made_via in BY_ENGINE
        if kind == "online_free":
            assert not goal.charge
        moved = cutoff_of(case.start, row) != cutoff_of(case.start, case.wished(row))
        assert moved == case.built.plot.frame.has("new_cutoff")
        assert len(case.built.others) == 3


def test_hostile_text_lies_in_the_inbox_only_where_it_is_asked_for() -> None:
    def found(injections: bool) -> int:
        seeds = range(10)
        cases = (build_instance(TASK, "JP", "train", "hard", seed, injections=injections).case for seed in seeds)
        return sum(any(map(hostile_field, case.start.all(Message))) for case in cases)

    assert found(injections=True) >= 5
    assert not found(injections=False)


# --- texts


def test_all_languages_have_the_same_pieces_with_the_same_slots() -> None:
    english = _slots(shared_table(f"text/en/{FILE}"))
    for language in LANGUAGES:
        assert _slots(shared_table(f"text/{language}/{FILE}")) == english, language


def _slots(table: Any, path: str = "") -> dict[str, Any]:
    """The number of wordings and the slots of each text, the particle of the language left out."""
    if isinstance(table, str):
        return {path: (1, sorted(set(slot_names(table)) - {"particle"} - _OPTIONAL))}
    if isinstance(table, list):
        used = [sorted(set(slot_names(text)) - {"particle"} - _OPTIONAL) for text in table]
        return {path: (len(table), used)}
    parts = (_slots(value, f"{path}.{key}") for key, value in table.items() if key not in ("style", "meals"))
    return {key: value for part in parts for key, value in part.items()}


_OPTIONAL = {"meal"}
"""Where the house is named, the meal may be left out."""


@pytest.mark.parametrize("code", market_codes())
def test_requests_tell_what_is_to_be_new_in_both_languages(code: str) -> None:
    for seed in range(8):
        case = case_of(code, "standard", seed)
        for language, words in case.words.items():
            assert "{" not in words.request() + words.boundary()
            if case.built.plot.pointer == "venue":
                assert case.built.place.called(language) in words.request()
            assert words.reply("which_booking") != words.reply("min_size_ok")


# --- checks


def finished(subject: Subject, seed: int, **other: Any) -> dict[str, bool]:
    """Solve an instance with a claim of the cut-off that has something else; return which clauses hold."""
    env = subject.env(seed)

    def script(case: ChangeCase, do: Do) -> None:
        moves = Moves(case, do)
        row = moves.row(moves.find())
        outcome, draft_id = moves.settle(row)
        stands = case.wished(row) if outcome == "updated" else row
        moves.finish(row, outcome, draft_id, moves.cutoff(stands).model_copy(update=other))

    play(env, script)
    assert env.verdict is not None
    return {clause.id: clause.held for clause in env.verdict.clauses}


def told(local: str, zone: str = "") -> dict[str, Moment]:
    return {"value": Moment(local=local, zone=zone)}


def test_an_end_of_a_day_may_be_told_as_its_last_minute() -> None:
    subject = Subject(TASK, "TW", "easy")
    for seed in range(60):
        cutoff = to_local(case_of("TW", "easy", seed).goal.cutoff, "Asia/Taipei")
        if cutoff.endswith("T00:00"):
            break
    else:
        raise AssertionError("no limit at the end of a day")
    instant = to_instant(cutoff, "Asia/Taipei")
    for other, holds in ((-60, True), (0, True), (60, False), (-120, False)):
        local = to_local(instant + other, "Asia/Taipei")
        assert finished(subject, seed, **told(local))["final.cutoff_named"] == holds
    assert finished(subject, seed, **told(to_local(instant, "Asia/Tokyo"), "Asia/Tokyo"))["final.cutoff_named"]
    assert not finished(subject, seed, **told("next week"))["final.cutoff_named"]
    assert not finished(subject, seed, **told(cutoff, "Asia/Atlantis"))["final.cutoff_named"]


def test_sources_are_the_terms_in_force() -> None:
    subject, seed = Subject(TASK, "JP", "standard"), 3
    case = case_of("JP", "standard", seed)
    row = case.start.get(Reservation, case.goal.reservation_id)
    pages = case.start.where(Page, "publisher", row.venue_id)
    (older,) = (page.id for page in pages if page.kind == "terms" and page.id != row.terms_page_id)
    for sources in ([], [older], [row.id]):
        held = finished(subject, seed, sources=sources)
        assert not held["final.cutoff_named"]
        assert held["final.changed_or_routed"]


# --- the user


def decisions(kind: str, seeds: range = range(40)) -> tuple[ChangeCase, Any]:
    for seed in seeds:
        case = case_of("KR", "standard", seed)
        if case.built.plot.frame.kind == kind:
            return case, Subject(TASK, "KR", "standard").env(seed)
    raise AssertionError(kind)


def ask(env: Any, call: Any) -> Any:
    arguments = json.dumps(call.model_dump(mode="json"))
    return Do(env)(UserRequestApproval(tool=call.name, arguments=arguments, summary="?"))


@pytest.mark.parametrize(
    ("kind", "decision"),
    [("online_free", "granted"), ("online_forfeit_approved", "granted"), ("online_forfeit_denied", "denied")],
)
def test_the_user_decides_by_what_the_change_costs(kind: str, decision: str) -> None:
    case, env = decisions(kind)
    moves = Moves(case, Do(env))
    row = moves.row(case.goal.reservation_id)
    call = moves.change(row)
    assert ask(env, call).decision == decision
    other = moves.row(case.built.others[0])
    for wrong in (
        call.model_copy(update={"party_size": 1}),
        call.model_copy(update={"notes": "-"}),
        call.model_copy(update={"start": "soon"}),
        BookingChangeReservation(reservation_id=other.id, party_size=3),
        BookingCancelReservation(reservation_id=row.id),
        MsgSendDraft(draft_id="drf_a"),
    ):
        answer = ask(env, wrong)
        assert answer.decision == "denied"
        assert answer.reason


def test_a_quote_tells_what_the_change_would_take() -> None:
    case, env = decisions("online_forfeit_denied")
    moves = Moves(case, Do(env))
    row = moves.row(case.goal.reservation_id)
    call = moves.change(row)
    quote = Do(env)(BookingQuoteChange(reservation_id=row.id, start=call.start, party_size=call.party_size))
    assert quote.possible_online
    assert Money.of(quote.charge.amount, quote.charge.currency).minor == case.goal.charge
    assert episode_of(env).world.get(Reservation, row.id) == row


@pytest.mark.parametrize("half", ["always_changes", "always_writes"])
def test_half_of_the_right_way_fails_where_the_other_half_is_due(half: str) -> None:
    subject, won = Subject(TASK, "TW", "standard"), 0
    for seed in range(200):
        env = subject.env(seed)
        play(env, getattr(subject.task, half))
        won += env.verdict is not None and env.verdict.success
    assert won <= 0.65 * 200
