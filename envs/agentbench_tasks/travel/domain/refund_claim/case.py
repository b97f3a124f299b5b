"""The case of a claim, and how answers and drafts are read."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.world import World
from agentbench_tasks.travel.domain.claims import ClaimDraft
from agentbench_tasks.travel.domain.refund_claim.answer import ClaimAnswer, HeadRow
from agentbench_tasks.travel.domain.refund_claim.goal import Goal
from agentbench_tasks.travel.domain.refund_claim.papers import Papers
from agentbench_tasks.travel.domain.refund_claim.plot import Plot
from agentbench_tasks.travel.domain.refund_claim.terms import HeadKind
from agentbench_tasks.travel.domain.refund_claim.words import Words


class ClaimCase(msgspec.Struct, frozen=True):
    """Everything that an instance of the claim fixes."""

    plot: Plot
    papers: Papers
    goal: Goal
    currency: str
    start: World
    words: dict[str, Words]
    """The user's sentences by language."""
    wrong: dict[str, dict[HeadKind, int]]
    """Heads as common mistakes would have them, by mistake."""

    @property
    def total(self) -> int:
        """All heads together, in minor units."""
        return sum(self.goal.heads.values())

    def person_of(self, id: str) -> str:
        """Return the person that an id of a profile or a holder stands for, "" for nobody of the party."""
        return next((one.id for one in self.papers.people if id in (one.id, one.profile_id)), "")


def answer_of(ep: Episode) -> ClaimAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, ClaimAnswer)
    return ep.answer


def heads_in(rows: Sequence[HeadRow], currency: str) -> dict[str, int | None]:
    """Return the heads of an answer that are not nil; None for one that is no amount or stands there twice."""
    found: dict[str, int | None] = {}
    for row in rows:
        amount = row.amount.value.minor_in(currency)
        found[row.kind] = None if row.kind in found else amount
    return {kind: minor for kind, minor in found.items() if minor != 0}


def draft_heads(draft: ClaimDraft, world: World) -> dict[str, Money]:
    """Return the heads of a draft that are not nil, added up by kind."""
    found: dict[str, Money] = {}
    for head, money in zip(draft.heads, draft.amounts(world), strict=True):
        found[head.kind] = found[head.kind] + money if head.kind in found else money
    return {kind: money for kind, money in found.items() if money.minor}


def draft_of(ep: Episode) -> ClaimDraft | None:
    """The claim that the answer names, if it is there and was not dropped."""
    found = ep.world.find(answer_of(ep).request_id)
    return found if isinstance(found, ClaimDraft) else None
