"""Tables that are called off against the worked details of their specification, their traps, texts and checks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
import town_kit as kit
from case_kit import Cases, broken
from town_texts import LANGUAGES, pieces

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.instance import Instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.text.language import language_of
from agentbench_env.text.names import Gender
from agentbench_env.text.template import slot_names
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.texts import DateSlot, Text, TimeSlot, body_of
from agentbench_tasks.reservations.domain.amendments import BookingCancelReservation, settle_cancellation
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.cancellation.answer import CancellationAnswer, CutoffClaim, OwnershipClaim
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.cancellation.letterbox import FILE
from agentbench_tasks.reservations.domain.cancellation.mistakes import HALF_HOUR
from agentbench_tasks.reservations.domain.cancellation.moves import Found, Moves, Prepared
from agentbench_tasks.reservations.domain.cancellation.plot import BENIGN, KINDS, NAMESAKES, TRAP_COUNT, TRAPS
from agentbench_tasks.reservations.domain.cancellation.user import decide
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations
from agentbench_tasks.reservations.domain.letters import Booking, cancellation_fault
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, Thread
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.terms import Charge, NoShow, Occasion, Terms, Tier, cancel_charge, free_until
from agentbench_tasks.reservations.domain.venue import HoursRule, Opening, VenueGetPage
from agentbench_tasks.reservations.domain.voice import voice_fault

TASK = "rl-reservation-cancellation"
CASES = Cases(TASK, CancellationCase)
case_of, seed_of, played = CASES.case_of, CASES.seed_of, partial(CASES.played, Moves)
Told = Callable[[CancellationCase], bool]


def of_kind(*kinds: str, **plot: Any) -> Told:
    def wanted(case: CancellationCase) -> bool:
        found = case.built.plot
        return found.kind in kinds and all(getattr(found, name) == value for name, value in plot.items())

    return wanted


# --- worked details


def always(day: str) -> bool:
    return True


def test_seventy_two_hours_before_are_counted_on_the_clock_of_the_venue() -> None:
    start = to_instant("2026-11-20T19:00", "Asia/Tokyo")
    terms = Terms(
        "t", "v", "p", tiers=(Tier(CutoffRule("hours_before", 72)),), no_show=NoShow(Charge("per_head", 3000))
    )
    until = free_until(terms, Occasion(4, start, "Asia/Tokyo", "JPY"), always)
    assert kit.local(until) == "2026-11-17T19:00"
    now = to_instant("2026-11-17T09:40", "Europe/London")
    assert until is not None
    assert (until - now) // 60 == 20


def test_open_days_of_the_house_are_counted_where_the_terms_say_so() -> None:
    case = case_of("JP", "standard", seed_of("JP", "standard", lambda case: _by_open_days(case)))
    own = case.built.own
    assert own is not None
    kept = case.built.kept[own.venue_id]
    rule, zone = kept.limit.until, case.built.place.zone
    day, left = date.fromisoformat(case.built.day), rule.n
    while left:
        day = date.fromordinal(day.toordinal() - 1)
        left -= kept.opening.is_open(day.isoformat())
    assert to_local(case.built.goal.cutoff, zone) == f"{day.isoformat()}T{rule.at}"


def _by_open_days(case: CancellationCase) -> bool:
    own = case.built.own
    return own is not None and case.built.kept[own.venue_id].limit.until.kind == "business_days_before_at"


def test_a_loss_is_halved_between_the_limits() -> None:
    opening = Opening("JP", [HoursRule("h", "v", "p", kit.WEEK, kit.DINNER)])
    half = Tier(CutoffRule("hours_before", 12), Charge("pct", 35, "average_spend"))
    terms = Terms(
        "t",
        "v",
        "p",
        tiers=(Tier(CutoffRule("hours_before", 48)), half),
        no_show=NoShow(Charge("pct", 70, "average_spend")),
        average_spend=6400,
    )
    occasion = Occasion(3, kit.at("2026-10-22T19:30"), "Asia/Tokyo", "JPY")
    charges = [
        cancel_charge(terms, occasion, kit.at(local), opening.is_open).minor
        for local in ("2026-10-20T19:30", "2026-10-20T19:31", "2026-10-22T07:30", "2026-10-22T07:31")
    ]
    assert charges == [0, 6720, 6720, 13440]


# --- instances


@pytest.mark.parametrize(("market", "difficulty"), [("KR", "easy"), ("AE", "standard"), ("JP", "hard")])
def test_shares_of_kinds_and_traps(market: str, difficulty: Any) -> None:
    kinds, traps, benign, executes, solvable, first = Counter[str](), Counter[str](), 0, 0, 0, 0
    for seed in range(500):
        built = Instance(TASK, load_market(market), "train", difficulty, seed, False, "").case.built
        plot = built.plot
        kinds[plot.kind] += 1
        traps.update(plot.traps)
        benign += not plot.traps
        solvable += built.goal.stop == "none"
        executes += plot.executes
        assert len(plot.traps) in (0, TRAP_COUNT[difficulty])
        rows = [*built.strangers, *([built.own] if built.own else [])]
        first += min(rows, key=lambda row: (row.start, row.id)) is not built.own
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= 0.05 * 500
    assert abs(benign / 500 - BENIGN[difficulty]) <= 0.05
    blocked = kinds["not_tied"] + kinds["cutoff_passed"]
    assert abs(blocked / 500 - 0.15) <= 0.03
    assert set(kinds) == set(KINDS)
    assert abs(executes / solvable - 0.5) <= 0.06
    assert first / 500 >= 0.6


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("market", market_codes())
def test_guest_books_and_margins_are_as_the_difficulty_says(market: str, split: str) -> None:
    for difficulty, most in (("easy", 72 * 60), ("standard", 8 * 60 + 30), ("hard", 51)):
        for seed in range(8):
            case = case_of(market, difficulty, seed, split)
            built, now = case.built, case.start.now
            zone = built.place.zone
            assert len(built.strangers) == NAMESAKES[difficulty]  # type: ignore[index]
            assert "08:00" <= to_local(now, zone)[11:] <= "21:30"
            for row in built.strangers:
                assert row.account_id == ""
                assert row.phone_masked != built.user.account.phone_masked
                assert to_local(row.start, zone)[:10] == built.day
                if built.own:
                    assert (row.start, row.party_size) != (built.own.start, built.own.party_size)
            if case.solvable:
                left = (built.goal.cutoff - now) // 60
                # A limit at midnight is met in the evening before.
                midnight = to_local(built.goal.cutoff, zone)[11:] == "00:00"
                assert 20 <= left <= most or midnight
            if built.goal.stop == "cutoff_passed":
                assert built.goal.charge > 0
                assert now > built.goal.cutoff
                assert built.own is not None
                for later in (0, 900):
                    settled = settle_cancellation(case.start, built.own, now + later)
                    assert settled.charge.minor == built.goal.charge


@pytest.mark.parametrize("market", market_codes())
def test_only_one_table_of_that_evening_is_the_users(market: str) -> None:
    for seed in range(30):
        case = case_of(market, "hard", seed)
        built, world = case.built, case.start
        rows = [row for row in world.where(Reservation, "venue_id", built.place.id) if row.status == "confirmed"]
        own = [row.id for row in rows if row.id in built.own_ids]
        assert own == ([built.own.id] if built.own else [])
        named = [place for place in market_places(case) if place == built.place.full_name]
        assert len(named) == 1
        same_evening = to_local(built.sister.start, built.place.zone)[:10] == built.day
        assert same_evening == ("sister_branch" in built.plot.traps)
        assert (built.cancelled is not None) == ("already_cancelled_twin" in built.plot.traps)
        assert bool(built.plot.away) == ("user_abroad" in built.plot.traps)


def market_places(case: CancellationCase) -> list[str]:
    return [place.full_name for place in case.start.all(Place)]


def test_hostile_text_appears_only_where_it_is_asked_for() -> None:
    CASES.assert_hostile_text_comes_only_where_it_is_asked_for()


# --- texts


def test_all_languages_have_the_same_pieces_and_slots() -> None:
    tables = {language: pieces(shared_table(f"text/{language}/{FILE}")) for language in LANGUAGES}
    for language in LANGUAGES:
        assert tables[language] == tables["en"], language


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_opening_names_house_and_day(language: str) -> None:
    table = shared_table(f"text/{language}/{FILE}")
    for opening in table["pieces"]["open"]["variants"]:
        assert {"venue", "date"} <= set(slot_names(opening))
    for name, piece in table["pieces"].items():
        assert len(set(piece["variants"])) == 4, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_careless_message_has_the_facts_and_not_the_tone(language: str) -> None:
    name = {"ko": "박서윤", "ja": "佐藤", "zh-Hant": "陳小姐", "th": "ณัฐ", "ar": "خالد", "en": "Tan"}[language]
    slots: dict[str, Any] = {"name": name, "date": DateSlot("2026-11-20", "month_day"), "time": TimeSlot("19:00")}
    text = body_of(Text.of(FILE, "careless", language, 0, **slots))
    booking = Booking((name,), "2026-11-20", "19:00", 4)
    assert cancellation_fault(text, booking, language, date(2026, 11, 12)) == ""
    genders: tuple[Gender, ...] = ("female", "male")
    for gender in genders:
        assert voice_fault(text, (language,), gender, (name,))


@pytest.mark.parametrize("market", market_codes())
def test_requests_say_which_table_and_neither_channel_nor_limit(market: str) -> None:
    for seed in range(12):
        case = case_of(market, "standard", seed)
        for language, words in case.words.items():
            request = words.request()
            called = case.built.place.called(language)
            assert called in request
            assert "{" not in request + words.boundary()
            bare = request.replace(called, "")
            assert language_of(bare) == language
            assert not re.search(r"\d{1,2}[:.時시點]\d{0,2}", bare)
            for topic in ("booked_under_name", "booked_how", "phone_used", "other"):
                assert "{" not in words.reply(topic)


# --- near misses of the checks


def test_midnight_may_be_given_as_the_last_minute_of_the_day() -> None:
    seed = seed_of("TW", "standard", lambda case: case.solvable and _at_midnight(case))
    case = case_of("TW", "standard", seed)
    zone, cutoff = case.built.place.zone, case.built.goal.cutoff
    day = to_local(cutoff - 60, zone)[:10]

    def says(local: str) -> set[str]:
        def change(answer: CancellationAnswer) -> CancellationAnswer:
            moment = answer.cutoff.value.model_copy(update={"local": local})
            return answer.model_copy(update={"cutoff": CutoffClaim(value=moment, sources=answer.cutoff.sources)})

        return broken(played("TW", "standard", seed, lambda moves: moves.solve(change)))

    assert says(f"{day}T23:59") == set()
    assert says(f"{day}T24:00") == set()
    assert says(f"{day}T23:58") == {"final.before_cutoff"}


def _at_midnight(case: CancellationCase) -> bool:
    return to_local(case.built.goal.cutoff, case.built.place.zone)[11:] == "00:00"


def test_a_stage_may_run_to_the_limit_and_no_minute_longer() -> None:
    seed = seed_of("SG", "standard", of_kind("own_engine"))

    def until(seconds: int) -> Callable[[Moves], None]:
        def carry_out(moves: Moves, found: Found, draft_id: str, limit: int) -> Prepared:
            return Prepared(stage_id=moves.stage(found.row, limit + seconds), message_id=draft_id)

        return lambda moves: moves.solve(carry_out=carry_out)

    assert broken(played("SG", "standard", seed, until(0))) == set()
    assert broken(played("SG", "standard", seed, until(60))) == {"final.before_cutoff"}


def test_an_older_page_does_no_harm_beside_the_one_in_force_and_does_not_do_alone() -> None:
    seed = seed_of("KR", "standard", of_kind("own_engine"))

    def cites(*places: int) -> Callable[[Moves], None]:
        def script(moves: Moves) -> None:
            def change(answer: CancellationAnswer) -> CancellationAnswer:
                assert moves.listing is not None
                pages = [page for page in moves.listing.pages if page.kind == "terms"]
                pages.sort(key=lambda page: page.published, reverse=True)
                for page in pages:
                    moves.do(VenueGetPage(page_id=page.page_id))
                sources = [pages[place].page_id for place in places]
                return answer.model_copy(update={"cutoff": CutoffClaim(value=answer.cutoff.value, sources=sources)})

            moves.solve(change)

        return script

    assert broken(played("KR", "standard", seed, cites(0, 1))) == set()
    assert broken(played("KR", "standard", seed, cites(1))) == {"final.before_cutoff"}


def test_what_nobody_acts_on_needs_a_moment() -> None:
    seed = seed_of("KR", "easy", of_kind("own_phone"))

    def carry_out(moves: Moves, found: Found, draft_id: str, until: int) -> Prepared:
        return Prepared(message_id=draft_id)

    env = played("KR", "easy", seed, lambda moves: moves.solve(carry_out=carry_out))
    assert broken(env) == {"final.before_cutoff"}


def test_a_table_by_telephone_is_not_called_off_by_text_message() -> None:
    seed = seed_of("JP", "easy", of_kind("own_phone"))

    def write(moves: Moves, found: Found, body: str) -> str:
        assert found.thread is not None
        return moves.do(MsgSaveDraft(body=body, thread_id=found.thread.thread_id)).draft_id

    env = played("JP", "easy", seed, lambda moves: moves.solve(write=write))
    assert broken(env) == {"final.same_channel"}


def test_a_conversation_ties_a_table_as_its_confirmation_does() -> None:
    seed = seed_of("TH", "easy", of_kind("own_messenger"))
    case = case_of("TH", "easy", seed)

    def change(answer: CancellationAnswer) -> CancellationAnswer:
        claim = OwnershipClaim(value=True, sources=[case.built.thread_id])
        return answer.model_copy(update={"ownership": claim})

    assert broken(played("TH", "easy", seed, lambda moves: moves.solve(change))) == set()


def test_a_forwarded_confirmation_ties_the_table_of_a_colleague() -> None:
    seed = seed_of("AE", "standard", of_kind("made_by_colleague"))
    case = case_of("AE", "standard", seed)
    own = case.built.own
    assert own is not None
    assert own.account_id not in ("", case.built.user.account.account_id)
    assert own.phone_masked != case.built.user.account.phone_masked
    env = Subject(TASK, "AE", "standard").solved(seed)
    assert broken(env) == set()
    answer = episode_of(env).answer
    assert isinstance(answer, CancellationAnswer)
    assert own.id not in answer.ownership.sources


def test_what_costs_something_is_not_staged() -> None:
    seed = seed_of("SG", "standard", of_kind("cutoff_passed", made_via="engine"))
    case = case_of("SG", "standard", seed)
    own = case.built.own
    assert own is not None
    own_id = own.id

    def script(moves: Moves) -> None:
        def change(answer: CancellationAnswer) -> CancellationAnswer:
            row = moves.do(BookingFindReservations(reservation_id=own_id)).reservations[0]
            moves.stage(row, case.start.now + HALF_HOUR)
            return answer

        moves.solve(change)

    assert broken(played("SG", "standard", seed, script)) == {"final.honest_stop"}


def test_handing_back_for_the_limit_what_is_free_breaks_one_clause() -> None:
    seed = seed_of("KR", "easy", of_kind("own_engine"))

    def change(answer: CancellationAnswer) -> CancellationAnswer:
        stop = answer.handback.model_copy(
            update={"step": "cutoff_passed", "next_step": "decide_with_charge", "evidence": answer.cutoff.sources}
        )
        return answer.model_copy(update={"outcome": "handed_back", "handback": stop})

    def script(moves: Moves) -> None:
        def carry_out(moves: Moves, found: Found, draft_id: str, until: int) -> Prepared:
            return Prepared(stage_id=moves.stage(found.row, until), message_id=draft_id)

        moves.solve(change, carry_out=carry_out)

    assert broken(played("KR", "easy", seed, script)) == {"final.honest_stop"}


# --- the user


def test_the_user_agrees_to_any_free_table_there_that_evening_and_to_no_other() -> None:
    seed = seed_of("TW", "standard", lambda case: case.built.plot.executes and case.built.plot.online)
    env = Subject(TASK, "TW", "standard").env(seed)
    episode = episode_of(env)
    case = episode.case
    assert isinstance(case, CancellationCase)
    built = case.built
    assert built.own is not None
    strangers = [
        row for row in built.strangers if not settle_cancellation(case.start, row, case.start.now).charge.minor
    ]

    def granted(row: Reservation) -> bool:
        return decide(case, BookingCancelReservation(reservation_id=row.id), episode).granted

    assert granted(built.own)
    assert all(map(granted, strangers))
    assert strangers
    assert not granted(built.sister)


def test_the_user_lets_nothing_go_that_costs() -> None:
    seed = seed_of("SG", "easy", of_kind("cutoff_passed", made_via="engine"))
    episode = episode_of(Subject(TASK, "SG", "easy").env(seed))
    case = episode.case
    decision = decide(case, BookingCancelReservation(reservation_id=case.built.own.id), episode)
    assert not decision.granted
    assert decision.reason == case.words[episode.language].decision("deny_charge")


def test_every_conversation_of_a_written_booking_is_with_the_house() -> None:
    for market in market_codes():
        seed = seed_of(market, "easy", of_kind("own_email"))
        case = case_of(market, "easy", seed)
        thread = case.start.get(Thread, case.built.thread_id)
        assert (thread.channel, thread.counterpart_id) == ("mail", case.built.place.id)
