"""Enquiries to firms: those that are near the right one, and what the user says to them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace
from quote_kit import TASK, case_of, played, seed_of, with_body, with_trap, written

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.market import market_codes, shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.task import DIFFICULTIES
from agentbench_tasks.commons.texts import Text, body_of
from agentbench_tasks.reservations.domain.directory import DirectoryPostRequest
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.quote.answer import QuoteAnswer
from agentbench_tasks.reservations.domain.quote.build import FILE
from agentbench_tasks.reservations.domain.quote.case import QuoteCase
from agentbench_tasks.reservations.domain.quote.keys import any_value
from agentbench_tasks.reservations.domain.quote.moves import Letter, Moves
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, fact_words

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
