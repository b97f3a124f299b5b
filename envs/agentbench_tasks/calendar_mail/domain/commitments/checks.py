"""The checks of an audit: one asks which promises are listed, others whose they are, by when, and on which mails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.commitments.answer import Commitment, CommitmentList
from agentbench_tasks.calendar_mail.domain.commitments.case import CommitmentCase, Due


def _items(ep: Episode) -> list[Commitment]:
    assert isinstance(ep.answer, CommitmentList)
    return ep.answer.commitments


def _matched(case: CommitmentCase, ep: Episode) -> Iterator[tuple[Commitment, Due]]:
    for item in _items(ep):
        due = case.due_in(item.promise_source.strip())
        if due is not None:
            yield item, due


def _opened(case: CommitmentCase, ep: Episode) -> bool:
    """Whether any mail in scope was shown in full."""
    inside = {chain.key for chain in case.plot.chains}
    return any(chain in inside and ep.shown.get(id, ()) is None for id, chain in case.mails.chain_of.items())


def all_outstanding_listed(case: CommitmentCase, ep: Episode) -> Finding:
    """Each open promise has an item; that there is none is only said by who has opened some of the mail."""
    if not case.due and not _items(ep) and not _opened(case, ep):
        return Finding(False, "mail of the project opened", "no mail of the project was opened")
    listed = {due.chain for _, due in _matched(case, ep)}
    missing = [due.promised_in[-1] for due in case.due.values() if due.chain not in listed]
    return Finding(not missing, f"{len(case.due)} promises listed", f"not listed: {missing}", tuple(missing))


def no_invented_items(case: CommitmentCase, ep: Episode) -> Finding:
    """Each item rests on a mail of an open promise's chain, and no two on the same chain."""
    invented = [item.promise_source for item in _items(ep) if case.due_in(item.promise_source.strip()) is None]
    counts = Counter(due.chain for _, due in _matched(case, ep))
    twice = [chain for chain, count in counts.items() if count > 1]
    observed = f"rest on no open promise: {invented}; listed twice: {len(twice)}"
    return Finding(not invented and not twice, "open promises, each once", observed, tuple(invented))


def owner_right(case: CommitmentCase, ep: Episode) -> Finding:
    """Each matched item names who owes it now."""
    for item, due in _matched(case, ep):
        if item.owner.strip() != due.owner:
            return Finding(False, due.owner, f"{item.promise_source}: {item.owner}", (item.promise_source,))
    return Finding(True, "the owner of each promise", "the owner of each promise")


def deadline_right(case: CommitmentCase, ep: Episode) -> Finding:
    """Each matched item has the day in force, or none where none was named."""
    for item, due in _matched(case, ep):
        if item.deadline.strip() != due.deadline:
            observed = f"{item.promise_source}: {item.deadline or 'no day'}"
            return Finding(False, due.deadline or "no day", observed, (item.promise_source,))
    return Finding(True, "the day in force of each promise", "the day in force of each promise")


def source_right(case: CommitmentCase, ep: Episode) -> Finding:
    """Each matched item cites a mail that names the day in force, or the promise where no day was named."""
    for item, due in _matched(case, ep):
        cited = [source.strip() for source in (item.promise_source, *item.sources)]
        # A day that was moved contradicts nothing beside the mail that moved it; alone it carries nothing.
        fault = sources_fault(ep, cited, [due.needs], barred=due.outdated)
        if fault:
            return Finding(False, f"one of {', '.join(due.carriers)}", f"{item.promise_source}: {fault}", tuple(cited))
    return Finding(True, "mails that carry each promise", "mails that carry each promise")
