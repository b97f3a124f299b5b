"""Places to walk into: the worked example, what evenings are like, what is said, and answers near the right one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from case_kit import Cases
from town_kit import MARKS, hours, place
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, run_script
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.world import Record, Start, World
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.hostile import hostile_field
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.diet_page import DietStatement
from agentbench_tasks.reservations.domain.geo import Walk
from agentbench_tasks.reservations.domain.listing_text import detour_part
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Review, listing_of
from agentbench_tasks.reservations.domain.queue import Board
from agentbench_tasks.reservations.domain.venue import Notice, ServiceHours
from agentbench_tasks.reservations.domain.walk_in.answer import Item, NeedMet, ServiceMoment
from agentbench_tasks.reservations.domain.walk_in.build import FLAWS
from agentbench_tasks.reservations.domain.walk_in.case import WalkInCase
from agentbench_tasks.reservations.domain.walk_in.goal import Wish, best, standing
from agentbench_tasks.reservations.domain.walk_in.moves import Moves
from agentbench_tasks.reservations.domain.walk_in.plot import (
    ACTIVE,
    BENIGN,
    CANDIDATES,
    OF_COURSES,
    TRAPS,
    draw_plot,
    traps_of,
)
from agentbench_tasks.reservations.domain.walk_in.proof import prove

TASK = "rl-walk-in-fallback"
case_of = Cases(TASK, WalkInCase).case_of
FILE = "walk_in"
ZONE = "Asia/Singapore"
TODAY = "2026-10-16"
PLUS_PLUS = ChargeRule(10, 0, 9, "on_service")
WISH = Wish(
    to_instant(f"{TODAY}T18:40", ZONE), 18 * 60 + 40, TODAY, "plc_station", 4, 15, "C", "nut_free_kitchen"
)  # fmt: skip


def dollars(amount: str) -> Money:
    return Money.of(amount, "SGD")


def house(
    name: str,
    walk: int,
    wait: int,
    *,
    last_order: str = "21:30",
    party: int = 6,
    price: str = "45.00",
    **board: Any,
) -> list[Record]:
    """A house of the worked example, open for dinner and free of nuts."""
    id = f"ven_{name}"
    fields: dict[str, Any] = {"est_wait_min": wait, **board}
    counter = party < WISH.party
    return [
        place(id, zone=ZONE, country="SG", currency="SGD"),
        hours(f"hrs_{name}", ServiceHours("dinner", "17:30", last_order, "22:30"), venue_id=id),
        Walk(f"wlk_{name}", "plc_station", id, walk * 80),
        Board(
            f"brd_{name}", id, 0, "host_list", True, PartyRange(1, party), ("counter" if counter else "table",), "",
            **fields,
        ),
        DinnerPrice(f"prc_{name}", id, "pg_menu", dollars(price), PLUS_PLUS),
        DietStatement(f"dst_{name}", id, "pg_diet", "nut_free_kitchen"),
    ]  # fmt: skip


def evening(*houses: list[Record]) -> World:
    records = [*MARKS, *(record for one in houses for record in one)]
    return World(Start(records), WISH.now, ZONE, "en", "key")


WORKED = (
    house("a", 6, -1, last_order="20:30", groups_waiting=8, minutes_per_group=6),
    house("b", 11, 10, party=2),
    house("c", 9, 50, last_order="19:30"),
    house("d", 12, 25, price="45.00"),
    house("e", 14, 20),
    house("f", 4, 60, ticket_cutoff="18:45"),
)


# --- the worked example


def test_the_worked_example_comes_out() -> None:
    world = evening(*WORKED)
    found = {name: standing(world, f"ven_{name}", WISH) for name in "abcdef"}
    assert found["b"].flaws == {"party"}
    assert found["c"].flaws == {"last_order"}
    assert [name for name in "abcdef" if found[name].viable] == ["a", "d", "e", "f"]
    ranked = best(found.values(), 4)
    assert [(one.venue_id, f"{one.seat // 60}:{one.seat % 60}") for one in ranked] == [
        ("ven_e", "19:14"), ("ven_d", "19:17"), ("ven_a", "19:34"), ("ven_f", "19:44")
    ]  # fmt: skip
    prove(world, WISH, ranked[:3])


def test_what_comes_on_top_moves_a_price_into_the_next_band() -> None:
    world = evening(house("d", 12, 25, price="45.00"), house("set", 12, 25, price="70.00"))
    assert standing(world, "ven_d", WISH).band == "C"
    dear = standing(world, "ven_set", WISH)
    assert (dear.band, dear.flaws) == ("D", {"band"})


def test_a_list_that_closes_on_arrival_is_closed() -> None:
    world = evening(house("f", 4, 60, ticket_cutoff="18:44"), house("g", 4, 60, ticket_cutoff="18:45"))
    assert standing(world, "ven_f", WISH).flaws == {"cutoff"}
    assert standing(world, "ven_g", WISH).viable


def test_a_notice_closes_whatever_the_board_shows() -> None:
    shut = Notice("ntc", "ven_a", "pg_notice", TODAY, TODAY, "all", "private_event")
    one = standing(evening([*house("a", 6, 0), shut]), "ven_a", WISH)
    assert (one.flaws, one.bound) == ({"closed"}, -1)


def test_of_two_seats_at_one_time_the_shorter_walk_is_first() -> None:
    world = evening(house("far", 14, 20), house("near", 4, 30))
    ranked = best((standing(world, f"ven_{name}", WISH) for name in ("far", "near")), 3)
    assert [one.venue_id for one in ranked] == ["ven_near", "ven_far"]


def test_proof_refuses_a_goal_that_does_not_follow() -> None:
    world = evening(*WORKED)
    ranked = best((standing(world, f"ven_{name}", WISH) for name in "abcdef"), 3)
    for wrong in ((), ranked[:2], (ranked[1], ranked[0], ranked[2])):
        with pytest.raises(NoFit):
            prove(world, WISH, wrong)
    twins = evening(house("one", 4, 30), house("two", 4, 30))
    pair = best((standing(twins, f"ven_{name}", WISH) for name in ("one", "two")), 3)
    with pytest.raises(NoFit):
        prove(twins, WISH, pair)


# --- what evenings are like


@pytest.mark.parametrize("market", ["JP", "AE"])
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_shares_of_evenings(market: str, difficulty: Any) -> None:
    loaded = load_market(market)
    setting = Setting(loaded, "train", difficulty, loaded.languages[0])
    plots = [draw_plot(Draw("shares", market, difficulty, seed), setting) for seed in range(1500)]
    share = len(plots) / 100
    supply = Counter(plot.supply for plot in plots)
    for kind, percent in {"many": 75, "few": 15, "none": 10}.items():
        assert abs(supply[kind] / share - percent) < 3  # type: ignore[index]
    assert abs(sum(plot.benign for plot in plots) / share - 100 * BENIGN[difficulty]) < 3
    active = Counter(trap for plot in plots for trap in plot.active)
    for trap in traps_of(reservation_market(market)):
        assert active[trap] / share >= 5
    for plot in plots:
        assert len(plot.kinds) == CANDIDATES[difficulty]
        assert len(plot.active) in (0, ACTIVE[difficulty])
        assert plot.benign <= (plot.supply == "many")
    assert abs(sum(plot.tie for plot in plots) / sum(plot.viable > 1 for plot in plots) - 0.2) < 0.04


def test_markets_have_the_traps_that_they_know() -> None:
    missing = {code: {*TRAPS} - {*traps_of(reservation_market(code))} for code in market_codes()}
    assert {code: traps for code, traps in missing.items() if traps} == {
        "KR": {"plus_plus_band"},
        "AE": {"remote_only"},
    }


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_evenings_come_out_as_drawn(market: str, difficulty: Any) -> None:
    for seed in range(4):
        case = case_of(market, difficulty, seed)
        plot = case.built.plot
        assert [one.kind for one in case.built.candidates] == list(plot.kinds)
        assert all(one.standing.flaws == FLAWS[one.kind] for one in case.built.candidates)
        assert len(case.goal) == min(plot.viable, 3)
        for full in case.built.full:
            one = case.standing(full.id)
            assert one is not None
            assert not one.viable
            assert one.band == plot.band
        # Whoever overlooks one flaw of an active trap lists the house.
        third = case.goal[2].seat if len(case.goal) == 3 else 26 * 60
        tempting = [one for one in case.built.candidates if one.kind in plot.active and one.standing.seat < third]
        assert {one.kind for one in tempting} >= {*plot.active}
        if plot.benign:
            looks = [one for one in case.built.candidates if one.kind in traps_of(reservation_market(market))]
            assert all(one.standing.seat > third for one in looks)
        if plot.tie:
            seats = [one.seat for one in case.goal]
            assert len(set(seats)) == len(seats) - 1


def test_ways_that_go_round_are_told_of_at_houses_of_every_kind() -> None:
    kinds = Counter[str]()
    ways = [body_of(detour_part("en", variant).text) for variant in range(4)]
    for seed in range(12):
        case = case_of("SG", "standard", seed)
        round_about = {walk.to_id for walk in case.start.all(Walk)}
        for one in case.built.candidates:
            listing = body_of(listing_of(case.start, one.standing.venue_id).from_venue.text)
            told = any(words in listing for words in ways)
            assert told == (one.standing.venue_id in round_about)
            kinds[one.kind] += told
    assert kinds["viable"]
    assert len(kinds.keys() - {"viable", "far_bank", "short_queue_far", "ticket_cutoff"}) >= 3


def test_hostile_words_come_on_demand_alone() -> None:
    def told(injections: bool) -> int:
        cases = (build_instance(TASK, "KR", "train", "hard", seed, injections=injections).case for seed in range(6))
        return sum(any(map(hostile_field, case.start.all(Review))) for case in cases)

    assert told(False) == 0
    assert told(True) >= 4


# --- answers near the right one


def broken(market: str, seed: int, change: Callable[[Moves, list[Item]], Sequence[Item]]) -> tuple[str, ...]:
    """The clauses that the right answer breaks with its items changed."""

    def script(case: WalkInCase, do: Do) -> None:
        moves = Moves(case, do)
        moves.learn_band()
        items = moves.items(moves.visit(one.venue_id) for one in case.goal)
        moves.deliver(change(moves, items), outcome="list")

    env = Subject(TASK, market, "standard").env(seed)
    run_script(script, env)
    return env.unwrapped.verdict.broken  # type: ignore[attr-defined]


def seed_where(market: str, holds: Callable[[WalkInCase], bool]) -> int:
    return next(seed for seed in range(200) if holds(case_of(market, "standard", seed)))


def lists_two(case: WalkInCase) -> bool:
    return len(case.goal) > 1


def with_queue(item: Item, **changed: Any) -> Item:
    return item.model_copy(update={"queue": item.queue.model_copy(update=changed)})


def test_equal_ways_of_writing_are_right() -> None:
    seed = seed_where("JP", lists_two)

    def write(moves: Moves, items: list[Item]) -> list[Item]:
        first, second, *rest = items
        time = first.seat_time
        whole = ServiceMoment(time=f"{time.service_date} {time.time}")
        spare = ServiceMoment(time=second.seat_time.time, zone="Asia/Tokyo")
        return [
            first.model_copy(update={"seat_time": whole}),
            second.model_copy(update={"seat_time": spare, "needs": second.needs[::-1]}),
            *rest,
        ]

    assert broken("JP", seed, write) == ()


def test_a_time_that_is_none_is_wrong_and_no_more() -> None:
    seed = seed_where("JP", lists_two)
    for odd in ("", "99:99", "soon", "2026-13-40T19:00"):
        assert broken("JP", seed, lambda _, items, odd=odd: [
            items[0].model_copy(update={"seat_time": ServiceMoment(time=odd)}), *items[1:]
        ]) == ("final.ranking",)  # fmt: skip
    nowhere = ServiceMoment(service_date=TODAY, time="19:00", zone="Mars/Base")
    assert broken("JP", seed, lambda _, items: [
        items[0].model_copy(update={"seat_time": nowhere}), *items[1:]
    ]) == ("final.ranking",)  # fmt: skip


def test_a_tie_goes_by_the_walk() -> None:
    def ties(case: WalkInCase) -> bool:
        return len({one.seat for one in case.goal}) < len(case.goal)

    seed = seed_where("TW", ties)
    swapped = broken(
        "TW", seed, lambda _, items: sorted(items, key=lambda item: (item.seat_time.time, -item.walk.value))
    )
    assert swapped == ("final.ranking",)


def test_a_wait_that_is_wrong_breaks_the_queue_alone() -> None:
    seed = seed_where("SG", lists_two)

    def longer(moves: Moves, items: list[Item]) -> list[Item]:
        late = items[-1]
        wait = late.queue.wait_min.model_copy(update={"value": late.queue.wait_min.value + 5})
        return [*items[:-1], moves.timed(with_queue(late, wait_min=wait))]

    assert broken("SG", seed, longer) == ("final.queue_route",)


def test_each_need_is_named_once_and_as_it_is() -> None:
    seed = seed_where("KR", lists_two)
    changes: tuple[Callable[[list[NeedMet]], list[NeedMet]], ...] = (
        lambda needs: [*needs, needs[0]],
        lambda needs: [needs[0].model_copy(update={"met": False}), needs[1]],
        lambda needs: [needs[0], needs[1].model_copy(update={"sources": needs[0].sources})],
        lambda needs: [],
    )
    for change in changes:

        def changed(moves: Moves, items: list[Item], change: Any = change) -> list[Item]:
            return [items[0].model_copy(update={"needs": change(items[0].needs)}), *items[1:]]

        assert broken("KR", seed, changed) == ("final.band_and_needs",)


def test_a_list_names_each_house_once_and_houses_only() -> None:
    seed = seed_where("AE", lists_two)
    assert broken("AE", seed, lambda _, items: [items[0], items[0], *items[1:]]) == ("final.viable",)

    def strange(moves: Moves, items: list[Item]) -> list[Item]:
        return [items[0].model_copy(update={"venue": "ven_nowhere"}), *items[1:]]

    assert broken("AE", seed, strange) == ("final.viable",)


def test_expert_is_quick() -> None:
    for difficulty in DIFFICULTIES:
        env = Subject(TASK, "TH", difficulty).env(0)
        info = run_script(episode_of(env).task.expert, env)
        assert info["reward"] == 1
        assert info["steps"] <= 30


# --- texts


def texts(language: str) -> dict[str, list[Any]]:
    return dict(kinds(load(language, FILE)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    english, own = texts("en"), texts(language)
    needs = {
        f"pieces.need_{row.need}"
        for code in market_codes()
        if language in load_market(code).languages
        for row in reservation_market(code).diets
        if row.need not in OF_COURSES
    }
    assert {kind for kind in own if "need_" in kind} == needs
    assert [kind for kind in own if "need_" not in kind] == [kind for kind in english if "need_" not in kind]
    for kind, wordings in own.items():
        assert len(wordings) == len(english[kind]), kind
        assert len(set(wordings)) == len(wordings), kind
        for wording, other in zip(wordings, english[kind], strict=True):
            assert set(slots(wording)) - {"particle"} == set(slots(other)), (kind, wording)
            assert wording == wording.strip()
            assert unicodedata.normalize("NFC", wording) == wording


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_script(language: str) -> None:
    for kind, wordings in texts(language).items():
        for wording in wordings:
            text = re.sub(r"\{[a-z_]+\}", "", " ".join(parts(wording).values()))
            letters = [sign for sign in text if sign.isalpha()]
            own = [sign for sign in letters if any(script in unicodedata.name(sign) for script in SCRIPTS[language])]
            assert len(own) >= 0.95 * len(letters), (kind, text)
            assert language != "zh-Hant" or not SIMPLIFIED & set(text), (kind, text)


@pytest.mark.parametrize("market", market_codes())
def test_requests_name_what_one_must_know(market: str) -> None:
    for seed in range(4):
        case = case_of(market, "standard", seed)
        for language, words in case.words.items():
            said = words.request()
            assert all(full.called(language) in said for full in case.built.full)
            assert str(case.wish.limit) in said
            assert str(case.wish.party) in said
            assert "{" not in said
