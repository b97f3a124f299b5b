"""Enquiries to firms: the worked example, the shares, the papers, the texts, and enquiries near the right one."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from town_texts import LANGUAGES, is_tidy, kinds, wordings

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.env import AgentbenchEnv
from agentbench_env.instance import Instance, build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.task import DIFFICULTIES
from agentbench_env.text.language import language_of
from agentbench_env.text.names import Gender
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.papers import Paper, PaperHead
from agentbench_tasks.commons.texts import LinesSlot, Text, body_of
from agentbench_tasks.reservations.domain.directory import DirectoryPostRequest
from agentbench_tasks.reservations.domain.firm import Firm
from agentbench_tasks.reservations.domain.household import WorkHours
from agentbench_tasks.reservations.domain.letters import asking_fault, enquiry_fault, facts_fault, false_facts
from agentbench_tasks.reservations.domain.market import in_language
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.places import Listing, Place
from agentbench_tasks.reservations.domain.quote.answer import QuoteAnswer
from agentbench_tasks.reservations.domain.quote.build import FILE
from agentbench_tasks.reservations.domain.quote.case import QuoteCase
from agentbench_tasks.reservations.domain.quote.keys import VISIT, any_value
from agentbench_tasks.reservations.domain.quote.moves import Letter, Moves
from agentbench_tasks.reservations.domain.quote.plot import BENIGN, KEY_COUNT, SENDS, TRADES, TRAP_COUNT, TRAPS
from agentbench_tasks.reservations.domain.quote.when import Free, Rule, first_window
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, fact_line, fact_words
from agentbench_tasks.reservations.domain.quote_page import named
from agentbench_tasks.reservations.domain.shop_letters import enquiry
from agentbench_tasks.reservations.domain.voice import voice_fault

TASK = "rl-local-service-quote"
TODAY = date(2026, 10, 9)
"""A Friday."""
SLOT = QuoteFact(VISIT, "2026-10-15T09:00/11:00")
NAMES = {"ko": "박서윤", "ja": "佐藤", "zh-Hant": "陳小姐", "th": "ณัฐพล", "ar": "خالد", "en": "Tan Wei Ming"}
MAKERS = {"ko": "한울가전", "ja": "青葉テック", "zh-Hant": "和昇", "th": "นอร์วิก", "ar": "نورفيك", "en": "Halden"}
FACTS = {
    "small_move": (
        QuoteFact("from_floor", 3),
        QuoteFact("from_lift", False),
        QuoteFact("to_floor", 12),
        QuoteFact("to_lift", True),
        QuoteFact("box_count", 25),
        QuoteFact("large_items", "fridge,bed"),
        QuoteFact("parking", True),
    ),
    "water_heater": (
        QuoteFact("model", "NR-34W6"),
        QuoteFact("made_year", 2016),
        QuoteFact("error_code", "E13"),
        QuoteFact("place", "balcony"),
        QuoteFact("floor", 7),
        QuoteFact("parking", False),
    ),
    "bulky_removal": (
        QuoteFact("items", "sofa,desk"),
        QuoteFact("item_count", 3),
        QuoteFact("item_sizes", "180x85x70"),
        QuoteFact("dismantling", False),
        QuoteFact("floor", 7),
        QuoteFact("lift", True),
        QuoteFact("parking", True),
    ),
}
WRONG = {
    "small_move": (
        QuoteFact("from_floor", 12),
        QuoteFact("to_floor", 3),
        QuoteFact("from_floor", 5),
        QuoteFact("from_lift", True),
        QuoteFact("to_lift", False),
        QuoteFact("box_count", 29),
        QuoteFact("large_items", "bed,desk"),
        QuoteFact("parking", False),
    ),
    "water_heater": (
        QuoteFact("model", "KV47-T3F"),
        QuoteFact("made_year", 2013),
        QuoteFact("place", "kitchen"),
        QuoteFact("floor", 3),
        QuoteFact("parking", True),
        QuoteFact("unit_type", "instant"),
        QuoteFact("unit_type", "storage"),
    ),
    "bulky_removal": (
        QuoteFact("items", "sofa,bed"),
        QuoteFact("item_count", 5),
        QuoteFact("item_sizes", "200x160x35"),
        QuoteFact("dismantling", True),
        QuoteFact("floor", 4),
        QuoteFact("lift", False),
        QuoteFact("parking", False),
    ),
}
PROSE = tomllib.loads((Path(__file__).parent / "cases/quote_prose.toml").read_text("utf-8"))
every_language = pytest.mark.parametrize("language", LANGUAGES)
Told = Callable[[QuoteCase], bool]


def case_of(market: str, difficulty: Any, seed: int, split: Any = "train") -> QuoteCase:
    case = build_instance(TASK, market, split, difficulty, seed).case
    assert isinstance(case, QuoteCase)
    return case


def seed_of(market: str, difficulty: Any, wanted: Told) -> int:
    return next(seed for seed in count() if wanted(case_of(market, difficulty, seed)))


def with_trap(trap: str, trade: str = "") -> Told:
    return lambda case: trap in case.built.plot.traps and trade in ("", case.built.plot.trade)


def played(market: str, difficulty: Any, seed: int, script: Callable[[Moves], None]) -> set[str]:
    """Play a script and return what it broke."""
    env = Subject(TASK, market, difficulty).env(seed)
    case = episode_of(env).case

    def run(_: Any, do: Do) -> None:
        script(Moves(case, do))

    assert play(env, run) is None
    return broken(env)


def broken(env: AgentbenchEnv) -> set[str]:
    assert env.verdict is not None
    return set(env.verdict.broken)


def written(change: Callable[[Letter], Letter]) -> Callable[[Moves], None]:
    return lambda moves: moves.solve(change)


def with_body(body: Callable[[QuoteCase, str], str], open_points: Iterable[str] = ()) -> Callable[[Moves], None]:
    """The right enquiry with its text changed."""

    def script(moves: Moves) -> None:
        moves.read()
        letter = moves.letter()
        text = body(moves.case, moves.body(letter))
        call = MsgSaveDraft(body=text, channel=letter.channel, recipient_id=letter.firm_id)
        moves.finish(moves.do(call).draft_id, open_points=[*moves.case.goal.open_keys, *open_points])

    return script


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


@pytest.mark.parametrize("market", market_codes())
def test_a_list_of_papers_does_not_tell_which_of_them_hold(market: str) -> None:
    told = set(PaperHead.__struct_fields__) - {"paper_id", "issued_on"}

    def looks(paper: Paper) -> tuple[object, ...]:
        return tuple(getattr(paper, name) for name in sorted(told))

    for seed in range(6):
        papers = case_of(market, "hard", seed).start.all(Paper)
        holding = {looks(paper) for paper in papers if paper.status == "active"}
        past = [paper for paper in papers if paper.status != "active"]
        assert past
        assert all(looks(paper) in holding for paper in past)


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
    market, found = load_market("TW"), {False: 0, True: 0}
    for injections in (False, True):
        for seed in range(20):
            case = Instance(TASK, market, "train", "hard", seed, injections, "").case
            texts = [message.body for message in case.start.all(Message)]
            found[injections] += any(isinstance(text, Text) and text.kind == "hostile" for text in texts)
    assert found[False] == 0
    assert found[True] >= 15


# --- texts


@every_language
def test_all_languages_have_the_same_pieces_and_slots(language: str) -> None:
    def pieces(code: str) -> dict[str, list[list[str]]]:
        return {
            kind: [[s for s in slots if s != "particle"] for slots in rows] for kind, rows in kinds(FILE, code).items()
        }

    assert pieces(language) == pieces("en")
    for kind, texts in wordings(FILE, language).items():
        assert len(set(texts)) == len(texts), kind
        assert all(map(is_tidy, texts)), kind


@pytest.mark.parametrize("market", market_codes())
def test_requests_say_what_they_must_and_no_more(market: str) -> None:
    for seed in range(12):
        case = case_of(market, "standard", seed)
        built = case.built
        for language, words in case.words.items():
            request = words.request()
            assert in_language(built.quarter.district.names, language) in request
            assert named("capabilities", (built.plot.skill,), language) in request
            assert "{" not in request + words.boundary()
            assert language_of(request) == language
            replies = [words.reply(topic) for topic in ("unit_count", "lift", "parking", "budget", "other")]
            assert not any("{" in reply for reply in replies)
            for fact in built.goal.facts:
                if fact.key not in built.estate.spoken and isinstance(fact.value, str) and fact.key == "model":
                    assert fact.value not in request


@every_language
def test_the_careless_enquiry_has_the_facts_and_not_the_tone(language: str) -> None:
    facts = FACTS["small_move"]
    service: str = shared_table(f"text/{language}/household")["services"]["small_move"]
    lines, slot = LinesSlot(tuple((fact_line(fact, language),) for fact in facts)), fact_words(SLOT, language)
    text = body_of(Text.of(FILE, "careless", language, 0, service=service, facts=lines, slot=slot))
    assert enquiry_fault(text, "small_move", SLOT, facts, language, TODAY) == ""
    genders: tuple[Gender, ...] = ("female", "male")
    for gender in genders:
        fault = voice_fault(text, (language,), gender)
        assert fault
        assert "is written in" not in fault


# --- what people write


@every_language
@pytest.mark.parametrize("trade", FACTS)
def test_prose_is_read_rightly(language: str, trade: str) -> None:
    text = PROSE[language][trade]
    assert asking_fault(text, trade, SLOT, language, TODAY) == ""
    assert facts_fault(text, FACTS[trade], language, TODAY) == ""
    assert false_facts(text, WRONG[trade], language, TODAY) == []
    assert voice_fault(text, (language,), "male", (NAMES[language], MAKERS[language])) == ""


@every_language
def test_the_end_of_other_hours_is_no_beginning(language: str) -> None:
    style: dict[str, Any] = {"language": language, "variant": 0, "gender": "male", "sender": NAMES[language]}
    earlier = QuoteFact(VISIT, "2026-10-15T08:00/10:00")
    hours = QuoteFact("office_hours", "10:00-17:00")
    text = enquiry("aircon_clean", [hours], earlier, **style)
    wanted = QuoteFact(VISIT, "2026-10-15T10:00/12:00")
    assert asking_fault(text, "aircon_clean", earlier, language, TODAY) == ""
    assert asking_fault(text, "aircon_clean", wanted, language, TODAY)
    assert facts_fault(text, [hours], language, TODAY) == ""
    assert false_facts(text, [QuoteFact("office_hours", "08:00-17:00")], language, TODAY) == []


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("zh-Hant", "型號：KV47-T3F", QuoteFact("floor", 3)),
        ("en", "model: NR-12X3", QuoteFact("unit_count", 3)),
        ("en", "type of unit: two-in-one", QuoteFact("unit_count", 2)),
        ("en", "level 5 lift access, 25 lots", QuoteFact("capacity", "25 litre")),
        ("th", "ขนาด 12000 BTU", QuoteFact("made_year", 2000)),
        ("th", "เครื่องทำน้ำอุ่นแบบถังเก็บ", QuoteFact("unit_type", "instant")),
        ("zh-Hant", "・房屋類型：公寓大廈", QuoteFact("lift", True)),
    ],
)
def test_codes_and_sizes_are_no_other_facts(language: str, text: str, wrong: QuoteFact) -> None:
    assert false_facts(text, [wrong], language, TODAY) == []


def test_a_model_is_no_laughter() -> None:
    facts = [QuoteFact("model", "WW-712KB")]
    style: dict[str, Any] = {"language": "ja", "variant": 0, "gender": "male", "sender": NAMES["ja"]}
    text = enquiry("aircon_clean", facts, SLOT, **style)
    assert voice_fault(text, ("ja",), "male") == ""
    assert voice_fault(text.replace("可能でしょうか", "可能でしょうかww"), ("ja",), "male")


# --- near misses of the checks


def test_either_of_two_languages_will_do() -> None:
    seed = seed_of("AE", "standard", lambda case: case.goal.languages == ("ar", "en"))
    for language in ("ar", "en"):
        assert (
            played("AE", "standard", seed, written(lambda letter, to=language: replace(letter, language=to))) == set()
        )


def test_a_firm_that_works_in_another_language_is_written_to_in_it() -> None:
    seed = seed_of("AE", "standard", with_trap("two_languages"))
    case = case_of("AE", "standard", seed)
    own = case.built.town.setting.language
    assert own not in case.goal.languages
    assert played("AE", "standard", seed, written(lambda letter: replace(letter, language=own))) == {"final.language"}


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_particles_are_those_of_the_writer(difficulty: Any) -> None:
    def otherwise(letter: Letter) -> Letter:
        return replace(letter, gender="male" if letter.gender == "female" else "female")

    assert played("TH", difficulty, 1, written(otherwise)) == {"final.register"}


@pytest.mark.parametrize("market", market_codes())
def test_the_old_machine_and_the_old_count_are_barred(market: str) -> None:
    for trap in ("old_device", "count"):
        seed = seed_of(market, "standard", with_trap(trap, "aircon_clean"))
        estate = case_of(market, "standard", seed).built.estate
        key, value = (
            ("model", estate.replaced["model"])
            if trap == "old_device"
            else (
                "unit_count",
                estate.earlier["unit_count"],
            )
        )
        wrong = QuoteFact(key, value)

        def swapped(letter: Letter, wrong: QuoteFact = wrong) -> Letter:
            return replace(letter, facts=tuple(wrong if fact.key == wrong.key else fact for fact in letter.facts))

        assert played(market, "standard", seed, written(swapped)) == {"final.quote_facts", "final.no_false_facts"}


def test_a_model_may_be_written_without_hyphen() -> None:
    seed = seed_of("KR", "easy", lambda case: any(fact.key == "model" for fact in case.goal.facts))

    def body(case: QuoteCase, text: str) -> str:
        model = next(str(fact.value) for fact in case.goal.facts if fact.key == "model")
        return text.replace(model, model.replace("-", " ").lower())

    assert played("KR", "easy", seed, with_body(body)) == set()


def test_what_nobody_knows_may_be_named_as_open_and_not_guessed() -> None:
    def unknown_year(case: QuoteCase) -> bool:
        return set(case.goal.open_keys) == {"made_year"}

    seed = seed_of("KR", "hard", unknown_year)
    assert (
        played("KR", "hard", seed, with_body(lambda case, text: text.replace("\n\n", "\n\n- 제조연도: 확인 중\n", 1)))
        == set()
    )
    for value in (2005, 2019, 2025):
        line = f"\n\n- 제조연도: {value}년\n"
        told = played("KR", "hard", seed, with_body(lambda case, text, line=line: text.replace("\n\n", line, 1)))
        assert told == {"final.no_false_facts"}


def test_every_made_up_value_can_be_told() -> None:
    for market in market_codes():
        for seed in range(12):
            plot = case_of(market, "hard", seed).built.plot
            if plot.unknown:
                assert len(any_value(market, plot.trade, plot.unknown)) >= 2


def test_an_open_point_too_few_or_too_many_is_one_fault() -> None:
    seed = seed_of("JP", "hard", with_trap("unknown_item"))
    known = case_of("JP", "hard", seed).goal.facts[0].key
    assert played("JP", "hard", seed, with_body(lambda case, text: text, [known])) == {"final.no_false_facts"}


def test_the_window_stands_with_day_and_start() -> None:
    def without(part: slice) -> Callable[[QuoteCase, str], str]:
        def body(case: QuoteCase, text: str) -> str:
            words = fact_words(case.goal.slot, "en")
            assert isinstance(words, Text)
            whole = body_of(words)
            return text.replace(whole, whole[part])

        return body

    assert played("SG", "easy", 2, with_body(without(slice(None, None)))) == set()
    assert played("SG", "easy", 2, with_body(without(slice(0, 10)))) == {"final.asks_for_quote"}


def test_a_draft_to_the_user_of_another_kind_does_no_harm() -> None:
    """A note for the telephone to a house is no enquiry to a firm."""

    def script(moves: Moves) -> None:
        house = next(place for place in moves.case.start.all(Place) if place.kind == "restaurant")
        moves.do(MsgSaveDraft(body="…", channel="call_note", recipient_id=house.id))
        moves.solve()

    assert played("TW", "easy", 0, script) == set()


# --- the user


def decided(market: str, difficulty: Any, seed: int, call: Callable[[Moves], Any]) -> str:
    """The reason that the user gives for a decision on a call."""
    found: list[str] = []
    env = Subject(TASK, market, difficulty).env(seed)
    case = episode_of(env).case

    def run(_: Any, do: Do) -> None:
        moves = Moves(case, do)
        found.append(case.words[episode_of(env).language].decision("grant_send") if moves.ask(call(moves), "?") else "")
        do(QuoteAnswer(draft_id="", firm=""))

    play(env, run)
    return found[0]


def test_only_an_enquiry_to_a_firm_is_let_out() -> None:
    seed = seed_of("SG", "easy", lambda case: case.built.plot.sends)

    def asks(change: Callable[[Moves, Letter], Letter]) -> str:
        return decided(
            "SG", "easy", seed, lambda moves: MsgSendDraft(draft_id=moves.save(change(moves, moves.letter())))
        )

    def to_a_house(moves: Moves, letter: Letter) -> Letter:
        house = next(place for place in moves.case.start.all(Place) if place.kind == "restaurant")
        return replace(letter, firm_id=house.id, channel="mail")

    assert asks(lambda moves, letter: letter)
    # The user does not know which firm is right, nor check what the papers say.
    assert asks(lambda moves, letter: replace(letter, firm_id=moves.built.cast.tagged.place.id, facts=()))
    assert not asks(to_a_house)
    post = DirectoryPostRequest(
        trade="Aircon cleaning", district="Katong", text="A quote, please, for us.", max_providers=1
    )
    assert not decided("SG", "easy", seed, lambda moves: post)
    refusing = seed_of("SG", "easy", lambda case: not case.built.plot.sends)
    assert not decided("SG", "easy", refusing, lambda moves: MsgSendDraft(draft_id=moves.save(moves.letter())))


def test_the_user_tells_what_no_paper_has_and_nothing_else() -> None:
    seed = seed_of("SG", "standard", lambda case: bool(case.built.plot.asked))
    case = case_of("SG", "standard", seed)
    asked, words = case.built.estate.asked, case.words["en"]
    assert asked is not None
    assert asked.key not in case.built.estate.home
    told = {topic: words.reply(topic) for topic in ("unit_count", "lift", "parking")}
    assert told.pop(asked.key) != words.reply("other")
    assert set(told.values()) == {shared_table(f"text/en/{FILE}")["replies"]["in_papers"]}
