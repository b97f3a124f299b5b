"""Group pre-orders against the worked example of their specification, their traps, texts and checks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any

import msgspec
import pytest
import town_kit as kit
from case_kit import Cases, broken
from town_texts import LANGUAGES, pieces

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import Draw
from agentbench_env.instance import Instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.money import Money
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.text.language import language_of
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import Text, body_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule, moved_to_open_day
from agentbench_tasks.reservations.domain.group_preorder.answer import PreorderAnswer
from agentbench_tasks.reservations.domain.group_preorder.case import PreorderCase
from agentbench_tasks.reservations.domain.group_preorder.chat import FILE
from agentbench_tasks.reservations.domain.group_preorder.market import habits_of
from agentbench_tasks.reservations.domain.group_preorder.moves import Moves
from agentbench_tasks.reservations.domain.group_preorder.needs import ALLERGENS, Need, suits
from agentbench_tasks.reservations.domain.group_preorder.orders import Serving
from agentbench_tasks.reservations.domain.group_preorder.plot import (
    BENIGN,
    CORRECTIONS,
    NEEDS,
    PEOPLE,
    TRAP_COUNT,
    TRAPS,
    draw_plot,
)
from agentbench_tasks.reservations.domain.group_preorder.user import decide
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice
from agentbench_tasks.reservations.domain.menus import Dish, preorder_deadline
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft, Thread
from agentbench_tasks.reservations.domain.preorder import PreorderSubmitSheet
from agentbench_tasks.reservations.domain.town import town
from agentbench_tasks.reservations.domain.venue import ClosureRule, HoursRule, Opening, VenueGetPage

TASK = "rl-group-preorder-prep"
CASES = Cases(TASK, PreorderCase)
case_of, seed_of, played = CASES.case_of, CASES.seed_of, partial(CASES.played, Moves)
Told = Callable[[PreorderCase], bool]
Order = Callable[[Moves, list[Serving]], list[Serving]]


def with_trap(trap: str) -> Told:
    return lambda case: trap in case.built.plot.traps


# --- the worked example


def test_the_bill_is_rounded_once_with_tax_on_service() -> None:
    charges = ChargeRule(service_pct=10, tax_pct=7, mode="on_service")
    printed = Money(8 * 129_000 + 59_000 + 2 * 35_000, "THB")
    assert printed.wire().amount == "11610.00"
    assert charges.paid(printed).wire().amount == "13664.97"


def test_a_deadline_on_a_closing_day_moves_to_the_open_day_before() -> None:
    closed = ClosureRule("cls", "ven", "pg", "weekly", (3,))
    opening = Opening("TH", [HoursRule("hrs", "ven", "pg", kit.WEEK, kit.DINNER)], [closed])
    start = kit.at("2026-11-14T18:00", "Asia/Bangkok")
    due = CutoffRule("days_before_at", 3, "17:00").instant(start, "Asia/Bangkok", opening.is_open)
    assert to_local(due, "Asia/Bangkok") == "2026-11-11T17:00"
    assert moved_to_open_day("2026-11-11", opening.is_open) == "2026-11-10"


# --- needs


def dish(*contains: str, traces: tuple[str, ...] = (), diets: tuple[str, ...] = ()) -> Dish:
    return Dish("dsh", "ven", "x", contains, traces, diets)


@pytest.mark.parametrize(
    ("need", "served", "fits"),
    [
        (Need("peanut"), dish(traces=("peanut",)), True),
        (Need("peanut", severe=True), dish(traces=("peanut",)), False),
        (Need("peanut"), dish("peanut"), False),
        (Need("vegan"), dish(), False),
        (Need("vegan"), dish(diets=("vegan",)), True),
        (Need("vegetarian_ovo_lacto"), dish("egg", diets=("vegetarian_ovo_lacto",)), True),
        (Need("vegetarian_ovo_lacto"), dish(diets=("vegan",)), True),
        (Need("vegetarian_ovo_lacto"), dish("fish"), False),
        (Need("no_pungent"), dish(diets=("vegan",)), False),
        (Need("no_pungent"), dish(diets=("vegan", "no_pungent")), True),
        (Need("halal_meat"), dish("beef", diets=("halal_meat",)), True),
        (Need("halal_meat"), dish("beef"), False),
        (Need("halal_meat"), dish("fish"), True),
        (Need("halal_meat"), dish("fish", diets=("alcohol",)), False),
        (Need("alcohol"), dish(diets=("alcohol",)), False),
        (Need("beef"), dish("beef", diets=("halal_meat",)), False),
        (Need("pork"), dish("beef"), True),
    ],
)
def test_what_is_against_a_need(need: Need, served: Dish, fits: bool) -> None:
    assert suits(served, (need,)) == fits


# --- fixtures


@pytest.mark.parametrize("market", market_codes())
def test_cards_offer_something_to_choose_in_every_course(market: str) -> None:
    habits = habits_of(market)
    codes = {*ALLERGENS, "beef", "pork", "chicken"}
    for row in habits.cards:
        cuisine = row.whole(market, soup=True)
        assert len(cuisine.dishes) == len({each.name for each in cuisine.all_dishes})
        courses = Counter(each.course for each in cuisine.all_dishes)
        assert set(courses) == {"starter", "soup", "main", "dessert"}
        assert min(courses.values()) >= 2
        assert "soup" not in {each.course for each in row.whole(market, soup=False).all_dishes}
        known = {name for each in cuisine.all_dishes for name in each.name}
        assert row.harmless_names <= known
        for each in cuisine.all_dishes:
            assert {*each.contains, *each.may_contain} <= codes
            assert not {*each.contains} & {*each.may_contain}
            assert ("pork" in each.contains) == ("pork" in each.diets)
            if "vegan" in each.diets:
                assert not {*each.contains} & {
                    "egg",
                    "milk",
                    "fish",
                    "crustacean",
                    "mollusc",
                    "beef",
                    "pork",
                    "chicken",
                }
        assert row.cuisine in {each.code for each in town(market).cuisines}


# --- instances


@pytest.mark.parametrize(("market", "difficulty"), [("SG", "standard"), ("KR", "hard")])
def test_shares_of_traps(market: str, difficulty: Any) -> None:
    traps, benign, children = Counter[str](), 0, 0
    for seed in range(500):
        plot = Instance(TASK, load_market(market), "train", difficulty, seed, False, "").case.built.plot
        assert len(plot.traps) in (0, TRAP_COUNT[difficulty])
        traps.update(plot.traps)
        benign += not plot.traps
        children += plot.child is not None
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= 0.05 * 500
    assert abs(benign / 500 - BENIGN[difficulty]) <= 0.03
    assert children >= 0.1 * 500


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_every_trap_has_its_share_of_the_stories(difficulty: Any) -> None:
    setting = Setting(load_market("TH"), "train", difficulty, "th")
    plots = [draw_plot(Draw("shares", seed), setting) for seed in range(4_000)]
    traps = Counter(trap for plot in plots for trap in plot.traps)
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= 0.05 * 4_000
    assert abs(sum(not plot.traps for plot in plots) / 4_000 - BENIGN[difficulty]) <= 0.02


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("market", market_codes())
def test_instances_are_as_the_difficulty_says(market: str, split: str) -> None:
    for difficulty in ("easy", "standard", "hard"):
        for seed in range(4):
            case = case_of(market, difficulty, seed, split)
            built, now = case.built, case.start.now
            plot, table, card = built.plot, built.table, built.card
            assert len(table.guests) == built.own.party_size == PEOPLE[difficulty]
            added = sum(guest.changed == "added" for guest in table.guests)
            assert sum(bool(guest.needs) for guest in table.guests) == NEEDS[difficulty] + added
            changed = sum(bool(guest.changed) for guest in table.guests)
            assert changed == (CORRECTIONS[difficulty] if "late_correction" in plot.traps else 0)
            assert sum(guest.private for guest in table.guests) == 1
            assert 3 <= len(card.menu.courses) <= 4
            assert built.evening.deadline >= now + 4 * 3600
            assert preorder_deadline(case.start, card.menu, built.own.start) == built.evening.deadline
            last = max(message.sent_at for message in case.start.all(Message) if message.stated)
            assert last <= now
            mains = {card.course_of(named): named for guest in table.coming for named in guest.named}
            assert card.menu.main_course in mains
            dear = {dish_id for dish_id in card.mains if card.dishes[dish_id].supplement}
            asked = {named for guest in table.coming for named in guest.named if suits(card.dishes[named], guest.needs)}
            assert bool(dear & asked) == ("supplement" in plot.traps)


@pytest.mark.parametrize("market", market_codes())
def test_traps_are_laid_as_they_are_named(market: str) -> None:
    seen = Counter[str]()
    for seed in range(25):
        case = case_of(market, "hard", seed)
        built, plot = case.built, case.built.plot
        zone, card = built.place.zone, built.card
        raw = card.menu.deadline.instant(built.evening.start, zone, lambda day: True)
        if card.menu.deadline.kind != "business_days_before_at":
            assert (raw != built.evening.deadline) == ("deadline_shift" in plot.traps)
        assert bool(card.menu.most_different_mains) == ("table_rule" in plot.traps)
        assert any(not guest.coming for guest in built.table.guests) == ("dropout" in plot.traps)
        quoted = [m for m in case.start.all(Message) if isinstance(m.body, Text) and m.body.kind == "chat.old_menu"]
        assert bool(quoted) == ("older_menu" in plot.traps)
        assert built.older_deadline > built.evening.deadline
        conflict = any(
            not suits(card.dishes[named], guest.needs)
            for guest in built.table.guests
            for named in guest.named
            if not guest.changed
        )
        assert conflict == bool({"named_dish_conflict", "older_menu"} & {*plot.traps})
        seen.update(plot.traps)
    assert len(seen) == len(TRAPS)


@pytest.mark.parametrize("market", market_codes())
def test_messages_come_in_an_order_that_makes_sense(market: str) -> None:
    answered = 0
    for seed in range(12):
        case = case_of(market, "standard", seed)
        user = case.built.user.person_id
        told = said(case, case.built.title)
        kinds_told = [(kind_of(message), person) for person, message in told]
        assert kinds_told[0] == ("chat.opening", user)
        for guest in case.built.table.guests:
            if guest.private:
                promised = next(message for _, message in told if kind_of(message) == "chat.private")
                assert all(message.sent_at > promised.sent_at for _, message in said(case, guest.name.native))
        for (kind, _), after in pairwise(kinds_told):
            if kind in ("chat.child", "chat.child_of_some_age"):
                answered += 1
                assert after == ("chat.child_welcome", user)
        assert sum(kind == "chat.child_welcome" for kind, _ in kinds_told) == (case.built.plot.child is not None)
    assert answered


def said(case: PreorderCase, title: str) -> list[tuple[str, Message]]:
    people = {guest.name.native: guest.person_id for guest in case.built.table.guests}
    thread = next(one for one in case.start.all(Thread) if one.title == title)
    messages = [message for message in case.start.all(Message) if message.thread_id == thread.id]
    return [(people[one.sender.name], one) for one in sorted(messages, key=lambda one: (one.sent_at, one.id))]


def kind_of(message: Message) -> str:
    assert isinstance(message.body, Text)
    return message.body.kind


@pytest.mark.parametrize("market", market_codes())
def test_somebody_chooses_by_the_page_that_was_replaced(market: str) -> None:
    case = case_of(market, "hard", seed_of(market, "hard", with_trap("older_menu")))
    table, card = case.built.table, case.built.card
    (misled,) = (guest for guest in table.guests if guest.misled)
    (dish_id,), (need,) = misled.named, misled.needs
    assert need.code in card.dishes[dish_id].contains
    tables = {
        section.page_id: str(fact.value).split(",")
        for section in case.start.all(Section)
        for fact in section.stated
        if fact.key == f"contains.{dish_id}"
    }
    (newer,) = (case.start.get(Page, page_id) for page_id in tables if case.start.get(Page, page_id).supersedes)
    assert need.code in tables.pop(newer.id)
    assert need.code not in tables.pop(newer.supersedes)
    assert not tables


@pytest.mark.parametrize("market", market_codes())
def test_dinner_costs_about_as_much_as_the_set(market: str) -> None:
    for seed in range(6):
        built = case_of(market, "standard", seed).built
        (dinner,) = (
            one for one in built.town.records if isinstance(one, DinnerPrice) and one.venue_id == built.place.id
        )
        assert 75 <= 100 * dinner.price.minor / built.card.menu.price.minor <= 115


def test_what_is_left_open_is_known_to_the_user_alone() -> None:
    seed = seed_of("SG", "standard", lambda case: bool(case.built.table.severe_id))
    case = case_of("SG", "standard", seed)
    guest = case.guest(case.built.table.severe_id)
    assert guest is not None
    reply = case.words["en"].reply("severity_of_x")
    assert guest.name.native in reply
    assert ("not even traces" in reply.lower()) == guest.needs[0].severe
    seed = seed_of("SG", "standard", lambda case: case.built.plot.child is not None and not case.built.plot.child.told)
    case = case_of("SG", "standard", seed)
    child = case.built.plot.child
    assert child is not None
    assert str(child.age) in case.words["en"].reply("kid_age")
    told = seed_of("SG", "standard", lambda case: not case.built.plot.traps)
    assert not re.search(r"\d", case_of("SG", "standard", told).words["en"].reply("kid_age"))


def test_hostile_text_appears_only_where_it_is_asked_for() -> None:
    CASES.assert_hostile_text_comes_only_where_it_is_asked_for()


# --- texts


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_pieces_and_slots(language: str) -> None:
    table = shared_table(f"text/{language}/{FILE}")
    found, other = pieces(table), pieces(shared_table(f"text/en/{FILE}"))
    # Friends call one another by family name in one language and by given name in the next.
    assert found.pop(".form.called")[1] <= {"family", "given"}
    assert found == {path: piece for path, piece in other.items() if path != ".form.called"}
    for kind, piece in table["chat"].items():
        if "variants" in piece:
            assert len(set(piece["variants"])) == 4, kind


@pytest.mark.parametrize("market", market_codes())
def test_requests_tell_neither_needs_nor_dishes(market: str) -> None:
    for seed in range(10):
        case = case_of(market, "standard", seed)
        built = case.built
        for language, words in case.words.items():
            request = words.request()
            assert built.place.full_name in request
            assert body_of(built.card.menu.name) in request
            assert built.title in request
            assert "{" not in request + words.boundary()
            assert not any(body_of(one.name) in request for one in built.card.dishes.values())
            assert language_of(words.boundary()) == language
            for topic in ("kid_age", "who_is_x", "severity_of_x", "other"):
                assert "{" not in words.reply(topic)


@pytest.mark.parametrize("market", market_codes())
def test_chats_are_in_the_language_of_the_market(market: str) -> None:
    for seed in range(6):
        case = case_of(market, "hard", seed)
        thread = next(one for one in case.start.all(Thread) if one.title == case.built.title)
        said = [message for message in case.start.all(Message) if message.thread_id == thread.id]
        text = "\n".join(body_of(message.body) for message in said)
        assert "{" not in text
        for guest in case.built.table.guests:
            text = text.replace(guest.name.native, "").replace(guest.name.latin, "")
        assert language_of(text) == case.built.town.setting.language


def test_the_user_grants_nothing() -> None:
    env = Subject(TASK, "KR", "easy").env(0)
    episode = episode_of(env)
    calls = [PreorderSubmitSheet(sheet_id="sht_x"), MsgSendDraft(draft_id="drf_x")]
    decisions = [decide(episode.case, call, episode) for call in calls]
    assert not any(decision.granted for decision in decisions)
    assert len({decision.reason for decision in decisions}) == 2


# --- near misses of the checks


def ordered(market: str, difficulty: Any, seed: int, order: Order) -> set[str]:
    return broken(played(market, difficulty, seed, lambda moves: moves.solve(order=order)))


def test_a_variant_of_the_dish_that_is_asked_for_in_vain_will_do() -> None:
    def with_variant(case: PreorderCase) -> bool:
        return next(variants(case), None) is not None

    seed = seed_of("SG", "hard", with_variant)
    person_id, place, dish_id = next(variants(case_of("SG", "hard", seed)))

    def order(moves: Moves, servings: list[Serving]) -> list[Serving]:
        return [one.but(place, dish_id) if one.person_id == person_id and not one.child else one for one in servings]

    assert ordered("SG", "hard", seed, order) == set()


def variants(case: PreorderCase) -> Any:
    card = case.built.card
    for guest in case.built.table.coming:
        for named in guest.named:
            place = card.course_of(named)
            if suits(card.dishes[named], guest.needs) or (
                place == card.menu.main_course and card.menu.most_different_mains
            ):
                continue
            for variant in card.dishes[named].variants:
                if suits(card.dishes[variant.dish_id], guest.needs):
                    yield guest.person_id, place, variant.dish_id


def test_a_line_twice_is_refused_and_a_stranger_has_none() -> None:
    def order(moves: Moves, servings: list[Serving]) -> list[Serving]:
        return [*servings, msgspec.structs.replace(servings[0], child=True)]

    seed = seed_of("JP", "easy", lambda case: case.built.plot.child is None)
    assert ordered("JP", "easy", seed, order) == {"final.covers_everyone"}


def test_a_young_child_may_have_the_set_of_the_others() -> None:
    def young(case: PreorderCase) -> bool:
        plot = case.built.plot
        return plot.child is not None and plot.child.told and plot.child.age <= plot.kid_up_to and not plot.traps

    seed = seed_of("TH", "standard", young)

    def order(moves: Moves, servings: list[Serving]) -> list[Serving]:
        other = next(one for one in servings if not one.child)
        return [
            msgspec.structs.replace(one, menu_id=other.menu_id, dish_ids=other.dish_ids) if one.child else one
            for one in servings
        ]

    assert ordered("TH", "standard", seed, order) == set()


def test_a_grown_up_has_no_set_for_children() -> None:
    seed = seed_of("TH", "standard", lambda case: any(guest.child for guest in case.built.table.coming))

    def order(moves: Moves, servings: list[Serving]) -> list[Serving]:
        kid = moves.offered.kid
        assert kid is not None
        free = next(
            guest.person_id for guest in moves.table.coming if not guest.named and not guest.needs and not guest.child
        )
        dishes = tuple(course.dish_ids[0] for course in kid.courses)
        return [
            Serving(free, False, kid.menus[0].menu_id, dishes) if (one.person_id, one.child) == (free, False) else one
            for one in servings
        ]

    def fits(case: PreorderCase) -> bool:
        table = case.built.table
        free = [guest for guest in table.coming if not guest.named and not guest.needs and not guest.child]
        return bool(free) and any(guest.child for guest in table.coming)

    seed = seed_of("TH", "standard", fits)
    assert ordered("TH", "standard", seed, order) == {"final.set_rules"}


def test_only_the_older_page_carries_no_price_and_does_no_harm_beside_the_new_one() -> None:
    seed = seed_of("SG", "standard", lambda case: case.built.plot.older_menu)

    def cites(newest: bool) -> set[str]:
        def script(moves: Moves) -> None:
            def change(answer: PreorderAnswer) -> PreorderAnswer:
                pages = [page for page in moves.listing.pages if page.kind == "menu"]
                for page in pages:
                    moves.do(VenueGetPage(page_id=page.page_id))
                pages.sort(key=lambda page: page.published)
                sources = [page.page_id for page in (pages if newest else pages[:1])]
                total = answer.total.model_copy(update={"sources": sources})
                return answer.model_copy(update={"total": total})

            moves.solve(change)

        return broken(played("SG", "standard", seed, script))

    assert cites(True) == set()
    assert cites(False) == {"final.priced"}


def test_a_call_note_or_a_message_to_another_house_is_no_draft_to_the_venue() -> None:
    def script(moves: Moves) -> None:
        def draft(moves: Moves, body: str, sheet_id: str) -> str:
            call = MsgSaveDraft(
                body=body, channel="call_note", recipient_id=moves.row.venue_id, attachment_ids=[sheet_id]
            )
            return moves.do(call).draft_id

        moves.solve(draft=draft)

    assert broken(played("AE", "easy", 0, script)) == {"final.draft_for_user"}
