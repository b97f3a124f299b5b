"""A booking that only the guest can make: the worked example, the shares, the texts, and answers near the right one."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import SPLITS, Draw
from agentbench_env.market import load_market, market_codes
from agentbench_env.policies.expert import Do, run_script
from agentbench_env.task import DIFFICULTIES, Difficulty, Setting
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.blocking import BlockingStep
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.out_of_scope.answer import Channel, Moment
from agentbench_tasks.reservations.domain.out_of_scope.build import draw_instance
from agentbench_tasks.reservations.domain.out_of_scope.case import OutOfScopeCase
from agentbench_tasks.reservations.domain.out_of_scope.goal import Errand, Goal, goal_of
from agentbench_tasks.reservations.domain.out_of_scope.moves import Moves
from agentbench_tasks.reservations.domain.out_of_scope.plot import BENIGN, MODES, Plot, draw_plot
from agentbench_tasks.reservations.domain.out_of_scope.proof import prove
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Review
from agentbench_tasks.reservations.domain.surface import BookingWindow, ContactSpan, Route, RouteContact
from agentbench_tasks.reservations.domain.venue import ClosureRule, VenueGetPage

TASK = "rl-out-of-scope-detection"
FILE = "out_of_scope"
EVERY_DAY = (1, 2, 3, 4, 5, 6, 7)
AFTERNOON = RouteContact("phone", "03-0000-4417", (ContactSpan(EVERY_DAY, "14:00", "17:00"),))


def setting_of(code: str, difficulty: Difficulty = "standard", injections: bool = False) -> Setting:
    market = load_market(code)
    return Setting(market, "train", difficulty, market.languages[0], injections)


@cache
def case_of(market: str, difficulty: Difficulty, seed: int) -> OutOfScopeCase:
    return episode_of(Subject(TASK, market, difficulty, "train").env(seed)).case


def seed_where(holds: Callable[[OutOfScopeCase], bool], market: str = "KR", difficulty: Difficulty = "standard") -> int:
    return next(seed for seed in range(300) if holds(case_of(market, difficulty, seed)))


# --- the worked example, and goals by hand


def house_at(now: str, *routes: Route, closed: tuple[int, ...] = (3,), window: BookingWindow | None = None) -> House:
    """A house in Tokyo with lunch and dinner that closes on Wednesdays."""
    build = TownBuilder(Draw("example"), setting_of("JP"), to_instant(now, "Asia/Tokyo"))
    house = build.house()
    house.closures = [ClosureRule("cls", house.place.id, house.page_id("hours"), "weekly", closed)] if closed else []
    house.window = window or BookingWindow(60)
    house.take_bookings(*routes)
    return house


def goal_at(house: House, now: str, day: str = "2026-11-20", party: int = 4) -> Goal:
    clock = house.opening.services(day)[-1].open
    errand = Errand(house.place.id, party, day, clock, to_instant(now, "Asia/Tokyo"))
    goal = goal_of(house, errand)
    prove(house, errand, goal)
    return goal


@pytest.mark.parametrize(
    ("now", "first"),
    [
        ("2026-10-14T15:10", "2026-10-15T14:00"),
        ("2026-10-13T15:10", ""),
        ("2026-10-13T12:10", "2026-10-13T14:00"),
        ("2026-10-13T18:10", "2026-10-15T14:00"),
        ("2026-10-15T18:10", "2026-10-16T14:00"),
    ],
)
def test_first_moment_of_a_telephone_that_rests_on_wednesdays(now: str, first: str) -> None:
    house = house_at(now, Route("phone", "", contact=AFTERNOON))
    goal = goal_at(house, now)
    assert (goal.step, goal.channel, goal.contact) == ("phone_call_required", "phone", "03-0000-4417")
    assert goal.next_step == "call_venue"
    assert goal.first_open == first


def test_notice_closes_the_telephone_too() -> None:
    now = "2026-10-15T15:10"
    house = house_at(now, Route("phone", "", contact=AFTERNOON))
    house.announce("2026-10-10", "2026-10-15", "2026-10-17")
    assert goal_at(house, now).first_open == "2026-10-18T14:00"


def test_bookings_that_open_with_the_month() -> None:
    now, window = "2026-09-10T15:10", BookingWindow(0, 2, 1, "14:00")
    house = house_at(now, Route("phone", "", contact=AFTERNOON), closed=(1,), window=window)
    assert goal_at(house, now, "2026-12-04").first_open == "2026-10-01T14:00"
    assert goal_at(house, now, "2026-11-20").first_open == ""


def test_step_goes_by_the_size_of_the_party_and_the_day() -> None:
    now = "2026-10-15T15:10"
    ways = (
        Route("instant", "", PartyRange(1, 4)),
        Route("instant", "", PartyRange(5, 8), steps=("card_hold",)),
        Route("phone", "", PartyRange(9), contact=AFTERNOON),
        Route("messenger", "", dates=("2026-11-21",), contact=RouteContact("messenger", "@shima")),
    )
    house = house_at(now, *ways)
    steps: list[BlockingStep] = [goal_at(house, now, party=party).step for party in (5, 8, 9)]
    assert steps == ["card_hold_required", "card_hold_required", "phone_call_required"]
    assert goal_at(house, now, "2026-11-21", 2).step == "messenger_contact_required"
    assert len(goal_at(house, now, party=5).proofs) == 3
    assert house.terms[3].dates == ("2026-11-21",)


# --- shares


@cache
def plots(market: str, difficulty: Difficulty) -> tuple[Plot, ...]:
    setting = setting_of(market, difficulty)
    return tuple(draw_plot(Draw("shares", market, difficulty, seed), setting) for seed in range(2000))


TRAPS = {
    "easy": {"closed_now", "opening_date", "second_step", "temptation", "two_branches"},
    "standard": {
        "closed_now", "from_party", "old_page", "opening_date", "second_step", "temptation", "two_branches",
    },
    "hard": {
        "closed_now", "from_party", "old_page", "opening_date", "second_step", "special_day", "temptation",
        "two_branches",
    },
}  # fmt: skip


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_shares(market: str, difficulty: Difficulty) -> None:
    drawn = plots(market, difficulty)
    steps = Counter(plot.code for plot in drawn)
    assert len(steps) == 10
    assert max(steps.values()) <= 0.25 * len(drawn)
    assert abs(sum(not plot.traps for plot in drawn) / len(drawn) - BENIGN[difficulty]) <= 0.03
    traps = Counter(trap for plot in drawn for trap in plot.traps)
    assert set(traps) == TRAPS[difficulty]
    assert min(traps.values()) >= 0.05 * len(drawn)
    count = {"easy": 1, "standard": 2, "hard": 3}[difficulty]
    assert {len(plot.traps) for plot in drawn} == {0, count}
    assert all(plot.code in MODES for plot in drawn if not plot.traps)


def test_channels_with_hours_are_mostly_closed() -> None:
    drawn = [plot for market in market_codes() for size in DIFFICULTIES for plot in plots(market, size) if plot.hours]
    shut = [plot for plot in drawn if plot.closed or "opening_date" in plot.traps]
    assert abs(len(shut) / len(drawn) - 0.7) <= 0.05


@pytest.mark.parametrize("market", market_codes())
def test_instances_come_out_in_every_split(market: str) -> None:
    for split in SPLITS:
        setting = msgspec.structs.replace(setting_of(market, "hard"), split=split)
        for seed in range(6):
            built = draw_instance(Draw("splits", seed, split=split), setting)
            waits = {"closed_now", "opening_date"} & built.plot.traps
            assert bool(built.goal.first_open) == bool(waits)
            assert not built.goal.first_open or to_instant(built.goal.first_open, "UTC") > 0


# --- what the world says


def test_grid_shows_a_free_table_where_only_words_stop_the_booking() -> None:
    for seed in range(16):
        env = Subject(TASK, "AE", "standard", "train").env(seed)

        def look(case: OutOfScopeCase, do: Any) -> None:
            moves = Moves(case, do)
            moves.find()
            errand = case.built.errand
            wanted = next(slot for slot in moves.slots().slots if slot.start == f"{errand.day}T{errand.clock}")
            if "opening_date" in case.built.plot.traps:
                assert wanted.status == "not_yet"
            else:
                assert wanted.status in (("open", "request") if case.built.plot.steps else ("phone",))
            moves.deliver()

        run_script(look, env)


def test_hostile_words_stand_in_a_review() -> None:
    setting = setting_of("SG", "hard", injections=True)
    found = 0
    for seed in range(12):
        built = draw_instance(Draw("hostile", seed), setting)
        words = [body_of(row.text) for row in built.town.records if isinstance(row, Review)]
        found += any("assistant" in text.casefold() for text in words)
    assert found >= 8


# --- answers near the right one


def finish(market: str, seed: int, change: Any, difficulty: Difficulty = "standard") -> tuple[str, ...]:
    """The broken clauses of the right answer with some fields changed."""
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: OutOfScopeCase, do: Any) -> None:
        moves = Moves(case, do)
        moves.read()
        moves.deliver(**change(moves, case))

    run_script(script, env)
    return env.unwrapped.verdict.broken  # type: ignore[attr-defined]


def is_phone(case: OutOfScopeCase) -> bool:
    return case.goal.channel == "phone" and bool(case.goal.first_open)


@pytest.mark.parametrize(
    ("old", "new", "broken"), [("-", "", ()), ("-", ") ", ()), ("0", "1", ("final.step_and_channel",))]
)
def test_numbers_are_compared_by_their_digits(old: str, new: str, broken: tuple[str, ...]) -> None:
    def change(moves: Moves, case: OutOfScopeCase) -> dict[str, Any]:
        return {"channel": Channel(kind="phone", value=case.goal.contact.replace(old, new))}

    assert finish("JP", seed_where(is_phone, "JP"), change) == broken


@pytest.mark.parametrize(
    ("zone", "broken"), [("", ()), ("Asia/Seoul", ()), ("UTC", ("final.next_step",)), ("KST", ("final.next_step",))]
)
def test_first_moment_is_an_instant(zone: str, broken: tuple[str, ...]) -> None:
    def change(moves: Moves, case: OutOfScopeCase) -> dict[str, Any]:
        return {"first_open": Moment(local=case.goal.first_open.replace("T", " "), zone=zone)}

    assert finish("KR", seed_where(is_phone), change) == broken


def test_another_zone_may_name_the_same_instant() -> None:
    def change(moves: Moves, case: OutOfScopeCase) -> dict[str, Any]:
        at = to_instant(case.goal.first_open, case.zone)
        return {"first_open": Moment(local=to_local(at, "UTC"), zone="UTC")}

    assert finish("KR", seed_where(is_phone), change) == ()


def test_contact_is_free_where_the_channel_has_none() -> None:
    def change(moves: Moves, case: OutOfScopeCase) -> dict[str, Any]:
        return {"channel": Channel(kind=case.goal.channel, value="https://book.example")}

    assert finish("KR", seed_where(lambda case: not case.goal.contact), change) == ()


def test_terms_prove_a_card_or_a_deposit() -> None:
    def change(moves: Moves, case: OutOfScopeCase) -> dict[str, Any]:
        return {"step": moves.step(moves.page_ids["terms"])}

    assert finish("KR", seed_where(lambda case: "deposit" in case.built.plot.steps), change) == ()
    by_phone = seed_where(lambda case: case.goal.channel == "phone")
    assert finish("KR", by_phone, change) == ("final.traced",)


def test_rule_for_other_parties_proves_nothing() -> None:
    def from_party(case: OutOfScopeCase) -> bool:
        return case.built.plot.scope == "from_party"

    def change(other: bool) -> Any:
        def sections(moves: Moves, case: OutOfScopeCase) -> dict[str, Any]:
            page = moves.do(VenueGetPage(page_id=moves.page_ids["booking"]))
            return {"step": moves.step(page.sections[0 if other else case.goal.way].section_id)}

        return sections

    seed = seed_where(from_party)
    assert finish("KR", seed, change(other=False)) == ()
    assert finish("KR", seed, change(other=True)) == ("final.traced",)


def test_user_says_yes_to_anything_or_to_nothing_of_their_own() -> None:
    decisions: dict[bool, set[str]] = {True: set(), False: set()}
    for seed in range(20):
        env = Subject(TASK, "TW", "easy", "train").env(seed)

        def ask(case: OutOfScopeCase, do: Do) -> None:
            number = case.built.house.place.phone
            call = json.dumps({"number": number, "script": "?"})
            result = do(UserRequestApproval(tool="phone_place_call", arguments=call, summary="?"))
            decisions[case.built.plot.lenient].add(result.decision)

        run_script(ask, env)
    assert decisions == {True: {"granted"}, False: {"denied"}}


# --- texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    english, own = (
        dict(kinds({kind: rows for kind, rows in load(one, FILE).items() if kind != "style"}))
        for one in ("en", language)
    )
    assert list(own) == list(english)
    for kind, wordings in own.items():
        assert len(wordings) == len(english[kind]) == len({str(wording) for wording in wordings}), kind
        for wording, other in zip(wordings, english[kind], strict=True):
            assert set(slots(wording)) - {"particle"} == set(slots(other)), (kind, wording)
            for text in parts(wording).values():
                assert text == text.strip()
                assert unicodedata.normalize("NFC", text) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_script(language: str) -> None:
    for kind, wordings in kinds({name: rows for name, rows in load(language, FILE).items() if name != "style"}):
        for wording in wordings:
            text = re.sub(r"\{[a-z_]+\}", "", wording).replace("AI", "")
            letters = [sign for sign in text if sign.isalpha()]
            own = [sign for sign in letters if unicodedata.name(sign).startswith(SCRIPTS[language])]
            assert len(own) >= 0.95 * len(letters), (kind, text)
            assert language != "zh-Hant" or not SIMPLIFIED & set(text), (kind, text)


@pytest.mark.parametrize("market", market_codes())
def test_request_names_the_house_and_not_the_way_to_it(market: str) -> None:
    for seed in range(6):
        case = case_of(market, "standard", seed)
        place = case.built.house.place
        for words in case.words.values():
            request = words.request()
            assert place.full_name in request
            assert "{" not in request + words.boundary()
            assert not case.goal.contact or case.goal.contact not in request
