"""The checks of a claim, each with an eye for one thing."""

from __future__ import annotations

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.verdict import Finding
from agentbench_tasks.commons.pages import Section
from agentbench_tasks.travel.domain.refund_claim.answer import EvidenceRow
from agentbench_tasks.travel.domain.refund_claim.case import (
    ClaimCase,
    answer_of,
    draft_heads,
    draft_of,
    heads_in,
)
from agentbench_tasks.travel.domain.refund_claim.document_writer import Need


def amount_established(case: ClaimCase, ep: Episode) -> Finding:
    """Every head and the total as the governing terms give them."""
    answer, right = answer_of(ep), case.goal.heads
    given = heads_in(answer.heads, case.currency)
    expected = _listed({kind: Money(minor, case.currency) for kind, minor in right.items()})
    if given != right:
        said = ", ".join(f"{row.kind} {row.amount.value.amount}" for row in answer.heads) or "no head"
        return Finding(False, expected, said)
    total = answer.total.minor_in(case.currency)
    return Finding(total == case.total, f"{expected}; total {Money(case.total, case.currency)}", answer.total.amount)


def _listed(heads: dict[str, Money]) -> str:
    return ", ".join(f"{kind} {money}" for kind, money in heads.items()) or "nothing"


def from_their_terms(case: ClaimCase, ep: Episode) -> Finding:
    """Each head that the terms provide for cites what it rests on there, and so does the draft."""
    goal, answer = case.goal, answer_of(ep)
    given = heads_in(answer.heads, case.currency)
    expected = "the governing version of the addressee's terms"
    for row in answer.heads:
        if row.kind not in goal.heads or row.kind not in given:
            continue
        fault = sources_fault(ep, row.amount.sources, goal.needs(row.kind), goal.barred)
        if fault:
            return Finding(False, expected, f"{row.kind}: {fault}", tuple(row.amount.sources))
    draft = draft_of(ep)
    for head in draft.heads if draft else ():
        terms = next((facts for kind, facts in goal.terms.items() if kind == head.kind), ())
        section = ep.world.find(head.basis_section_id)
        if not terms or not isinstance(section, Section):
            continue
        if section.id in goal.barred or not {key for key, _ in terms} & section.facts(ep.world).keys():
            return Finding(False, expected, f"the draft's {head.kind} rests on {section.id}", (section.id,))
    return Finding(True, expected, "the passages of the governing version")


def evidence_listed(case: ClaimCase, ep: Episode) -> Finding:
    """Exactly the papers asked for, each held or missing as it is."""
    open_needs, rows = list(case.goal.evidence), answer_of(ep).evidence
    for row in rows:
        found = next((need for need in open_needs if _meets(case, row, need)), None)
        if found is None:
            said = f"{row.requirement} {row.traveller_id} {row.status} {row.paper_id}"
            return Finding(False, "the papers asked for, as they are", " ".join(said.split()), (row.paper_id,))
        open_needs.remove(found)
    left = ", ".join(f"{need.requirement} {need.person}".strip() for need in open_needs)
    return Finding(not open_needs, "every paper asked for", f"not listed: {left}" if left else "every one")


def _meets(case: ClaimCase, row: EvidenceRow, need: Need) -> bool:
    if row.requirement != need.requirement or (need.person and case.person_of(row.traveller_id) != need.person):
        return False
    return row.paper_id in need.papers if row.status == "held" else not need.papers


def deadline_stated(case: ClaimCase, ep: Episode) -> Finding:
    """The right day, from the terms and the day on which the period begins."""
    claim, goal = answer_of(ep).deadline, case.goal
    if claim.value.strip()[:10] != goal.deadline:
        return Finding(False, goal.deadline, claim.value, tuple(claim.sources))
    faults = [sources_fault(ep, claim.sources, needs, goal.barred) for needs in goal.period]
    fault = "" if "" in faults else faults[0]
    return Finding(not fault, goal.deadline, fault or claim.value, tuple(claim.sources))


def draft_assembled(case: ClaimCase, ep: Episode) -> Finding:
    """The draft goes to the right desk about the right event, with the answer's heads and every paper that is held."""
    goal, answer, draft = case.goal, answer_of(ep), draft_of(ep)
    if draft is None:
        return Finding(False, "a saved claim", f"{answer.request_id or 'nothing'} is none")
    faults = {
        "addressee": draft.addressee_id in goal.addressees and answer.addressee_id in goal.addressees,
        "booking": draft.booking_id == goal.booking,
        "policy": not goal.policy or draft.policy_id == goal.policy,
        "event": draft.event_service_id in goal.events,
        "state": draft.state in ("draft", "submitted"),
    }
    wrong = next((name for name, holds in faults.items() if not holds), "")
    if wrong:
        return Finding(False, "the right addressee, booking and event", f"another {wrong}", (draft.id,))
    written = draft_heads(draft, ep.world)
    given = heads_in(answer.heads, case.currency)
    if {kind: money.minor for kind, money in written.items() if money.currency == case.currency} != given:
        return Finding(False, "the heads of the answer", _listed(written), (draft.id,))
    for need in goal.evidence:
        if need.papers and not set(need.papers) & set(draft.paper_ids):
            return Finding(False, "every paper that is held", f"{need.requirement} is not attached", need.papers)
    return Finding(True, "a complete draft", "a complete draft", (draft.id,))
