"""What the tests of enquiries to firms share: a day, a slot, and scripts that send a changed enquiry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any

from case_kit import Cases, broken

from agentbench_tasks.reservations.domain.messages import MsgSaveDraft
from agentbench_tasks.reservations.domain.quote.case import QuoteCase
from agentbench_tasks.reservations.domain.quote.keys import VISIT
from agentbench_tasks.reservations.domain.quote.moves import Letter, Moves
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact

TASK = "rl-local-service-quote"
TODAY = date(2026, 10, 9)
"""A Friday."""
SLOT = QuoteFact(VISIT, "2026-10-15T09:00/11:00")
CASES = Cases(TASK, QuoteCase)
case_of, seed_of = CASES.case_of, CASES.seed_of
Told = Callable[[QuoteCase], bool]


def with_trap(trap: str, trade: str = "") -> Told:
    return lambda case: trap in case.built.plot.traps and trade in ("", case.built.plot.trade)


def played(market: str, difficulty: Any, seed: int, script: Callable[[Moves], None]) -> set[str]:
    """Play a script and return what it broke."""
    return broken(CASES.played(Moves, market, difficulty, seed, script))


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
