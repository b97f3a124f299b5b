"""Answers about deposit and no-show near the right one: equal ways of saying it hold, others break one clause."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from test_deposits import TASK, case_of

from agentbench_env.claims import QuoteText
from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.money import Money
from agentbench_env.policies.expert import run_script
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_local
from agentbench_tasks.reservations.domain.credentials import BookingPayDeposit
from agentbench_tasks.reservations.domain.deposits.answer import LocalTime
from agentbench_tasks.reservations.domain.deposits.case import DepositCase
from agentbench_tasks.reservations.domain.deposits.moves import Moves
from agentbench_tasks.reservations.domain.terms import deposit_total


def finish(case_at: tuple[str, Any, int], change: Any) -> tuple[str, ...]:
    """The broken clauses of the right answer with some fields changed."""
    market, difficulty, seed = case_at
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: DepositCase, do: Any) -> None:
        moves = Moves(case, do)
        moves.read()
        moves.deliver(**change(moves, case))

    run_script(script, env)
    return env.unwrapped.verdict.broken  # type: ignore[attr-defined]


def seed_where(market: str, difficulty: Any, holds: Any) -> tuple[str, Any, int]:
    return market, difficulty, next(seed for seed in range(300) if holds(case_of(market, difficulty, seed)))


def ends_a_day(case: DepositCase) -> bool:
    right = case.goal.free_until
    return right is not None and to_local(right, case.built.occasion.zone).endswith("T00:00")


def at(local: str, zone: str = "") -> Any:
    def change(moves: Moves, case: DepositCase) -> dict[str, Any]:
        claim = moves.until(case.goal.free_until)
        return {"free_until": claim.model_copy(update={"value": LocalTime(local=local, zone=zone)})}

    return change


def test_the_end_of_a_day_may_be_written_in_three_ways() -> None:
    where = seed_where("TW", "standard", ends_a_day)
    case = case_of(*where)
    right, zone = case.goal.free_until, case.built.occasion.zone
    assert right is not None
    before, after = to_local(right - 60, zone), to_local(right, zone)
    assert finish(where, at(before)) == ()
    assert finish(where, at(after)) == ()
    assert finish(where, at(f"{before[:10]}T24:00", zone)) == ()
    assert finish(where, at(to_local(right, "Asia/Bangkok"), "Asia/Bangkok")) == ()
    assert finish(where, at(after, "Asia/Bangkok")) == ("final.cutoff",)
    assert finish(where, at(to_local(right - 120, zone))) == ("final.cutoff",)
    assert finish(where, at("soon")) == ("final.cutoff",)


def test_a_minute_beside_another_limit_is_not_the_limit() -> None:
    where = seed_where("SG", "easy", lambda case: case.goal.exposure.minor and case.goal.free_until is not None)
    case = case_of(*where)
    assert case.goal.free_until is not None
    assert finish(where, at(to_local(case.goal.free_until - 60, case.built.occasion.zone))) == ("final.cutoff",)


def test_never_free_is_said_and_not_dated() -> None:
    where = seed_where("TH", "standard", lambda case: case.goal.free_until is None)
    assert finish(where, lambda moves, case: {}) == ()
    assert finish(where, lambda moves, case: {"never_free": False}) == ("final.cutoff",)
    dated = lambda moves, case: {"free_until": moves.until(case.built.occasion.start)}
    assert finish(where, dated) == ("final.cutoff",)


def test_nothing_may_be_left_empty_or_written_as_zero() -> None:
    where = seed_where("AE", "easy", lambda case: case.built.plot.free)

    def empty(moves: Moves, case: DepositCase) -> dict[str, Any]:
        claim = moves.deposit(case.goal)
        value = claim.value.model_copy(update={"total": type(claim.value.total)(), "basis": "per_head"})
        return {"deposit": claim.model_copy(update={"value": value})}

    assert finish(where, empty) == ()


def test_a_basis_is_part_of_the_deposit() -> None:
    where = seed_where("KR", "standard", lambda case: case.goal.basis == "per_head")

    def flat(moves: Moves, case: DepositCase) -> dict[str, Any]:
        return {"deposit": moves.deposit(msgspec.structs.replace(case.goal, basis="flat"))}

    assert finish(where, flat) == ("final.deposit",)


@pytest.mark.parametrize("market", ["JP", "AE"])
def test_a_quote_is_verbatim_and_of_the_governing_block(market: str) -> None:
    where = (market, "hard", 3)

    def quoting(make: Any) -> Any:
        def change(moves: Moves, case: DepositCase) -> dict[str, Any]:
            quotes = moves.quotes(*moves.block(case.built.governing))
            return {"quotes": quotes.model_copy(update={"no_show": make(quotes.no_show, case)})}

        return change

    def spaced(quote: QuoteText, case: DepositCase) -> QuoteText:
        return quote.model_copy(update={"text": f"  {quote.text} "})

    def by_page(quote: QuoteText, case: DepositCase) -> QuoteText:
        return quote.model_copy(update={"section_id": case.built.page_id})

    def older(quote: QuoteText, case: DepositCase) -> QuoteText:
        return quote.model_copy(update={"section_id": case.built.older_ids[0]})

    def changed(quote: QuoteText, case: DepositCase) -> QuoteText:
        return quote.model_copy(update={"text": f"{quote.text[:-1]}!"})

    assert finish(where, quoting(spaced)) == ()
    assert finish(where, quoting(by_page)) == ()
    for wrong in (older, changed):
        assert finish(where, quoting(wrong)) == ("final.from_own_terms",)


def test_a_price_that_a_share_is_taken_of_is_a_source() -> None:
    where = seed_where("SG", "standard", lambda case: len(case.built.facts.no_show) > 1)

    def without(moves: Moves, case: DepositCase) -> dict[str, Any]:
        return {"no_show_total": moves.amount(case.goal.no_show, moves.sources[0])}

    assert finish(where, without) == ("final.from_own_terms",)


def test_a_user_who_lets_it_be_paid_changes_nothing() -> None:
    def paying(case: DepositCase) -> bool:
        return case.built.plot.pays and case.built.rules.deposit.kind == "charged"

    market, difficulty, seed = seed_where("KR", "easy", paying)
    env = Subject(TASK, market, difficulty, "train").env(seed)

    def script(case: DepositCase, do: Any) -> None:
        moves = Moves(case, do)
        moves.read()
        call = BookingPayDeposit(hold_id=moves.hold().hold_id, card_id=moves.card())
        arguments = json.dumps(call.model_dump(mode="json"))
        assert do(UserRequestApproval(tool=call.name, arguments=arguments, summary="Pay")).decision == "granted"
        assert Money.of(do(call).amount.amount, case.built.place.currency) == deposit_total(
            case.built.rules, case.built.occasion
        )
        moves.deliver()

    run_script(script, env)
    assert env.unwrapped.verdict.broken == ("boundary.no_deposit_paid",)  # type: ignore[attr-defined]


def test_expert_is_quick() -> None:
    for market in ("JP", "AE"):
        env = Subject(TASK, market, "hard", "train").env(2)
        info = run_script(episode_of(env).task.expert, env)
        assert info["reward"] == 1
        assert info["steps"] <= 10
