"""A table for a party with a strict need: the worked details of its specification, its shares, texts and checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from case_kit import Cases
from town_kit import hours, listing, place, town

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.draw import Draw
from agentbench_env.env import AgentbenchEnv
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.money import Money
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.text.fold import fold
from agentbench_env.text.language import language_of
from agentbench_env.text.template import slot_names
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.booking_records import TableHold
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.diet_page import alike_part, proof_text
from agentbench_tasks.reservations.domain.holds import BookingConfirmHold, BookingHoldSlot, BookingReleaseHold
from agentbench_tasks.reservations.domain.house import WORDINGS
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.party_table import fit
from agentbench_tasks.reservations.domain.party_table.build import FILE
from agentbench_tasks.reservations.domain.party_table.case import PartyCase
from agentbench_tasks.reservations.domain.party_table.moves import Found, Moves, Stopped
from agentbench_tasks.reservations.domain.party_table.plot import (
    BENIGN,
    BLOCKED,
    LEAD,
    STEPS,
    TRAP_COUNT,
    Plot,
    Theme,
    Trap,
    draw_theme,
    evenings,
)
from agentbench_tasks.reservations.domain.places import Review
from agentbench_tasks.reservations.domain.surface import Route, RouteContact, Surface
from agentbench_tasks.reservations.domain.venue import Notice, ServiceHours

TASK = "rl-party-reservation"
case_of = Cases(TASK, PartyCase).case_of
LANGUAGES = {"ko": "KR", "ja": "JP", "zh-Hant": "TW", "th": "TH", "ar": "AE", "en": "SG"}
Script = Callable[[Moves], None]


def first_case(market: str, difficulty: Any, wanted: Callable[[PartyCase], bool]) -> int:
    """The first seed whose case is of a kind."""
    return next(seed for seed in range(400) if wanted(case_of(market, difficulty, seed)))


def broken(market: str, difficulty: Any, seed: int, script: Script) -> set[str]:
    """The clauses that a script breaks."""
    subject = Subject(TASK, market, difficulty)
    env = subject.env(seed)
    refused = play(env, lambda case, do: script(Moves(case, do)))
    assert refused is None
    assert env.verdict is not None
    return set(env.verdict.broken)


# --- worked details


def plot_of(day: str, party: int, ceiling: Money | None = None, earliest: str = "18:30", latest: str = "19:30") -> Plot:
    theme = Theme("buckwheat_free_kitchen", (), "", False)
    return Plot(theme, 0, "2026-10-09", day, earliest, latest, party, ceiling, False)


def costs(minor: int, charges: ChargeRule, ceiling: Money, party: int = 6) -> bool:
    dinner = DinnerPrice("prc_a", "ven_a", "pg_menu", Money(minor, ceiling.currency), charges)
    return fit.is_affordable(town(place(), dinner), plot_of("2026-10-16", party, ceiling), "ven_a")


def test_what_comes_on_top_of_a_price_counts() -> None:
    plus_plus = ChargeRule(10, 0, 9, "on_service")
    assert plus_plus.paid(Money(6800, "SGD")) == Money(8153, "SGD")
    assert not costs(6800, plus_plus, Money(8000, "SGD"))
    assert costs(7900, ChargeRule(), Money(8000, "SGD"))
    service = ChargeRule(10, 0, 0, "on_service", "floor")
    assert service.paid(Money(13800, "JPY")) == Money(15180, "JPY")
    assert not costs(13800, service, Money(15000, "JPY"), party=7)


def test_a_notice_removes_a_house_and_an_early_last_order_does_not_yet() -> None:
    dinner = hours("hrs_d", ServiceHours("dinner", "18:00", "20:30", "22:00"))
    plot = plot_of("2026-11-13", 6)
    assert fit.serves(town(place(), dinner), plot, "ven_a")
    shut = Notice("ntc_a", "ven_a", "pg_n", "2026-11-13", "2026-11-13", "dinner", "private_event")
    assert not fit.serves(town(place(), dinner, shut), plot, "ven_a")
    late = plot_of("2026-11-13", 6, earliest="20:30", latest="21:30")
    assert not fit.serves(town(place(), dinner), late, "ven_a")


def test_seven_guests_ring_up_where_six_may_book_on_the_web() -> None:
    dinner = hours("hrs_d", ServiceHours("dinner", "17:30", "21:30", "22:30"))
    by_phone = Route("phone", "", PartyRange(7), contact=RouteContact("phone", "03-0000-4417"))
    surface = Surface("srf_a", "ven_a", "house", "ja", (Route("instant", "", PartyRange(1, 6)), by_phone))
    world = town(place(), listing(), dinner, surface)
    assert fit.step_at(world, plot_of("2026-10-16", 7), "ven_a") == "phone_call_required"
    assert fit.step_at(world, plot_of("2026-10-16", 6), "ven_a") == "none"


# --- instances


def theme_of(market: str, difficulty: Any, seed: int) -> Theme:
    home = load_market(market)
    return draw_theme(Draw("themes", market, difficulty, seed), Setting(home, "train", difficulty, home.languages[0]))


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("market", market_codes())
def test_shares_of_traps_steps_and_wishes(market: str, difficulty: Any) -> None:
    themes = [theme_of(market, difficulty, seed) for seed in range(2000)]
    traps = Counter(trap for theme in themes for trap in theme.traps)
    blocked = [theme for theme in themes if theme.stop]
    rules = reservation_market(market)
    known = {"implied_label", "scope", "pairs_only", "kitchen_closed", "card_from_n"}
    if any(row.need == "halal_certified" for row in rules.diets):
        known |= {"stale_certificate", "other_branch_certificate"}
    if difficulty != "easy" and any(row.mode != "final" for row in rules.charges):
        known |= {"plus_plus"}
    assert set(traps) == known
    assert min(traps.values()) >= 0.05 * len(themes)
    assert abs(sum(not theme.traps for theme in themes) / len(themes) - BENIGN[difficulty]) <= 0.03
    assert abs(len(blocked) / len(themes) - BLOCKED[difficulty]) <= 0.03
    assert max(Counter(theme.stop for theme in blocked).values()) <= 0.25 * len(blocked)
    assert 0.45 <= sum(theme.confirms for theme in themes) / len(themes) <= 0.55
    assert all(len(theme.traps) in (0, TRAP_COUNT[difficulty]) for theme in themes)
    assert not any("card_from_n" in theme.traps for theme in blocked)
    if difficulty != "easy":
        lured = sum("implied_label" in theme.traps for theme in themes) / sum(bool(theme.traps) for theme in themes)
        assert 0.6 <= lured <= 0.75


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("market", market_codes())
def test_instances_are_as_the_specification_has_them(market: str, split: str) -> None:
    for difficulty in DIFFICULTIES:
        for seed in range(6):
            case = case_of(market, difficulty, seed, split)
            plot, world = case.plot, case.start
            assert 4 <= plot.party <= 9
            assert LEAD[0] <= plot.lead <= LEAD[1]
            assert plot.earliest in evenings(market)
            assert (plot.ceiling is None) == (difficulty == "easy")
            assert plot.tables_only == (difficulty == "hard")
            assert STEPS[plot.theme.stop] == case.built.goal.step
            assert fit.step_at(world, plot, case.built.goal.venue_id) == case.built.goal.step
            assert not world.all(TableHold)


FAULTS: dict[Trap, str] = {
    "implied_label": "need",
    "stale_certificate": "need",
    "other_branch_certificate": "need",
    "scope": "need",
    "pairs_only": "",
    "kitchen_closed": "hours",
    "plus_plus": "price",
    "card_from_n": "step",
}
"""What each decoy lacks; that there is no slot for the party, the surface alone tells."""


@pytest.mark.parametrize("market", ["SG", "JP", "AE"])
def test_each_decoy_lacks_one_thing(market: str) -> None:
    seen: set[Trap] = set()
    for seed in range(60):
        case = case_of(market, "hard", seed)
        for trap, venue_id in case.built.decoys.items():
            seen.add(trap)
            facts = {
                "area": fit.is_near(case.start, case.built.landmark_id, venue_id),
                "need": fit.level_at(case.start, case.plot, venue_id) == case.plot.theme.level,
                "hours": fit.serves(case.start, case.plot, venue_id),
                "price": fit.is_affordable(case.start, case.plot, venue_id),
                "step": fit.step_at(case.start, case.plot, venue_id) == "none" or not case.is_open,
            }
            lacking = [name for name, held in facts.items() if not held]
            # A house that is shut has no route for a party either.
            assert lacking in ([FAULTS[trap]] if FAULTS[trap] else [], ["hours"] if trap == "kitchen_closed" else [])
    assert len(seen) >= 6


def test_hostile_reviews_come_with_injections_alone() -> None:
    def hostile(case: PartyCase) -> bool:
        texts = shared_table(f"text/ja/{FILE}")["hostile"]["variants"]
        return any(body_of(review.text) in texts for review in case.start.all(Review))

    plain = [build_instance(TASK, "JP", "train", "standard", seed).case for seed in range(8)]
    injected = [build_instance(TASK, "JP", "train", "standard", seed, True).case for seed in range(8)]
    assert not any(map(hostile, plain))
    assert any(map(hostile, injected))


# --- texts


def needs_of(language: str) -> set[str]:
    """The needs of the markets whose worlds speak a language."""
    markets = [load_market(code) for code in market_codes()]
    spoken = [one.code for one in markets if language in one.prompt_languages] if language != "en" else market_codes()
    return {row.need for code in spoken for row in reservation_market(code).diets}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_the_same_kinds_and_slots_in_every_language(language: str) -> None:
    table, english = shared_table(f"text/{language}/{FILE}"), shared_table(f"text/en/{FILE}")
    needs = needs_of(language)
    pieces = {kind for kind in english["pieces"] if not kind.startswith("need_")} | {f"need_{need}" for need in needs}
    assert set(table["pieces"]) == pieces
    assert set(table["notes"]) == set(table["markers"]) == needs
    assert set(table["replies"]) == set(english["replies"])
    assert set(table["decisions"]) == set(english["decisions"])
    assert len(table["hostile"]["variants"]) == 4
    for kind, piece in table["pieces"].items():
        assert len(set(piece["variants"])) == 4
        for variant in piece["variants"]:
            # English says in two ways how many guests there are.
            own = {"party" if slot == "number" else slot for slot in slot_names(variant)}
            assert own - {"particle"} == {*slot_names(english["pieces"][kind]["variants"][0])}, variant


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_are_recognised_and_proofs_are_found_before_look_alikes(language: str) -> None:
    table = shared_table(f"text/{language}/{FILE}")
    for need, note in table["notes"].items():
        assert any(fold(word) in fold(note) for word in table["markers"][need])
    for need, words in table["search"].items():
        if need == "halal_certified":
            continue
        wanted = fold(words).split()
        proofs = [fold(body_of(proof_text(need, language, variant))) for variant in WORDINGS]
        alikes = [fold(body_of(alike_part(need, language, variant).text)) for variant in WORDINGS]
        least = min(sum(word in text for word in wanted) for text in proofs)
        assert least > max(sum(word in text for word in wanted) for text in alikes), need


@pytest.mark.parametrize("market", market_codes())
def test_the_request_says_what_is_wished_and_not_where(market: str) -> None:
    for seed in range(10):
        case = case_of(market, "hard", seed)
        names = [one.name for one in map(case.start.find, case.built.decoys.values())]  # type: ignore[union-attr]
        for language, words in case.words.items():
            request = words.request()
            assert "{" not in request + words.boundary()
            assert language_of(request) in (language, load_market(market).prompt_language)
            assert str(case.plot.party) in request
            assert not any(name.local in request or name.latin in request for name in names)


# --- near misses


def is_open(case: PartyCase) -> bool:
    return case.is_open


def stops_at(stop: str) -> Callable[[PartyCase], bool]:
    return lambda case: case.plot.theme.stop == stop


def held(moves: Moves) -> Any:
    outcome = moves.find()
    assert not isinstance(outcome, Stopped)
    return outcome


def stopped(moves: Moves) -> Stopped:
    outcome = moves.find()
    assert isinstance(outcome, Stopped)
    return outcome


def test_a_table_in_a_strangers_name_is_not_the_users() -> None:
    def script(moves: Moves) -> None:
        do = moves.do.altered(
            lambda call: call.model_copy(update={"guest_name": "Zz Qq"}) if isinstance(call, BookingHoldSlot) else call
        )
        one, view = held(Moves(moves.case, do))
        moves.deliver(one, view, view.hold_id)

    seed = first_case("SG", "standard", is_open)
    assert broken("SG", "standard", seed, script) == {"final.reservation_prepared"}


def test_a_table_that_waits_for_a_card_is_not_prepared() -> None:
    def script(moves: Moves) -> None:
        one = Found(moves.case.built.decoys["card_from_n"], "", [])
        moves.look_up(one)
        one.sources = [moves.page_of(one, "diet").page.page_id]
        view = moves.hold(one)
        assert view.remaining_steps
        moves.deliver(one, view, view.hold_id)

    def has_card(case: PartyCase) -> bool:
        return "card_from_n" in case.built.decoys and case.plot.theme.level == "declared"

    assert broken("SG", "standard", first_case("SG", "standard", has_card), script) == {"final.reservation_prepared"}


def test_the_counter_is_no_table() -> None:
    def script(moves: Moves) -> None:
        one, view = held(moves)
        moves.do(BookingReleaseHold(hold_id=view.hold_id))
        view = moves.hold(one, seating="counter", start=one.starts[-1])
        assert view.seating == "counter"
        moves.deliver(one, view, view.hold_id)

    assert broken("SG", "hard", first_case("SG", "hard", is_open), script) == {"final.fits_request"}


@pytest.mark.parametrize(
    ("notes", "kept"),
    [("そばアレルギーの者がおります", True), ("Severe BUCKWHEAT allergy", True), ("アレルギーがあります", False)],
)
def test_notes_state_the_need_in_the_language_of_the_house_or_english(notes: str, kept: bool) -> None:
    def script(moves: Moves) -> None:
        moves.notes = notes
        one, view = held(moves)
        moves.deliver(one, view, view.hold_id)

    def is_buckwheat(case: PartyCase) -> bool:
        return case.is_open and case.plot.theme.need == "buckwheat_free_kitchen"

    seed = first_case("JP", "easy", is_buckwheat)
    assert broken("JP", "easy", seed, script) == (set() if kept else {"final.need_on_record"})


def test_a_number_may_be_written_in_any_way_and_has_to_be_the_houses() -> None:
    def handing(change: Callable[[str], str]) -> Script:
        def script(moves: Moves) -> None:
            outcome = stopped(moves)
            moves.hand_back(msgspec.structs.replace(outcome, contact=change(outcome.contact)))

        return script

    seed = first_case("JP", "standard", stops_at("phone"))
    assert broken("JP", "standard", seed, handing(lambda number: number.replace("-", " "))) == set()
    assert broken("JP", "standard", seed, handing(lambda number: number[:-1])) == {"final.blocking_step"}
    assert broken("JP", "standard", seed, handing(lambda number: "")) == {"final.blocking_step"}


def test_terms_that_ask_for_a_card_show_the_step() -> None:
    def citing(kind: str) -> Script:
        def script(moves: Moves) -> None:
            outcome = stopped(moves)
            page = moves.page_of(outcome.found, kind).page.page_id
            moves.hand_back(msgspec.structs.replace(outcome, evidence=(page,)))

        return script

    seed = first_case("SG", "standard", stops_at("deposit"))
    assert broken("SG", "standard", seed, citing("terms")) == set()
    assert broken("SG", "standard", seed, citing("booking")) == set()
    assert broken("SG", "standard", seed, citing("hours")) == {"final.blocking_step"}


def test_a_hold_that_is_left_where_a_step_stops_it_is_a_stray() -> None:
    def script(moves: Moves) -> None:
        outcome = stopped(moves)
        moves.hold(outcome.found)
        moves.hand_back(outcome)

    seed = first_case("TH", "standard", stops_at("card_hold"))
    assert broken("TH", "standard", seed, script) == {"final.reservation_prepared"}


# --- the user


def confirmation(market: str, seed: int, script: Callable[[Moves], bool]) -> bool:
    answers: list[bool] = []

    def run(moves: Moves) -> None:
        answers.append(script(moves))

    env = AgentbenchEnv(TASK, market, "train", "easy")
    env.reset(seed=seed)
    play(env, lambda case, do: run(Moves(case, do)))
    assert episode_of(env).lineage
    return answers[0]


def test_the_user_confirms_what_was_asked_for_whichever_house_it_is() -> None:
    def ask(moves: Moves, **changes: Any) -> bool:
        one, view = held(moves)
        moves.do(BookingReleaseHold(hold_id=view.hold_id))
        view = moves.hold(one, **changes)
        return _granted(moves, view.hold_id)

    def ask_at_decoy(moves: Moves) -> bool:
        one = Found(moves.case.built.decoys["implied_label"], "", [])
        moves.look_up(one)
        return _granted(moves, moves.hold(one).hold_id)

    def wants(confirms: bool) -> Callable[[PartyCase], bool]:
        return lambda case: (
            case.is_open and case.plot.theme.confirms == confirms and "implied_label" in case.built.decoys
        )

    yes, no = (first_case("KR", "easy", wants(confirms)) for confirms in (True, False))
    assert confirmation("KR", yes, ask)
    assert confirmation("KR", yes, ask_at_decoy)
    assert not confirmation("KR", yes, lambda moves: ask(moves, party=moves.plot.party - 1))
    assert not confirmation("KR", no, ask)


def _granted(moves: Moves, hold_id: str) -> bool:
    return moves.ask(BookingConfirmHold(hold_id=hold_id))
