"""The checks of a brief; what is said about a meeting that is left out is judged by the first one alone."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

from agentbench_env.claims import sources_fault
from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.agenda.answer import MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase, brief_for, briefs_of, is_about
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import body_of


def every_meeting_covered(case: AgendaCase, ep: Episode) -> Finding:
    """The items are exactly the meetings of tomorrow."""
    items = briefs_of(ep)
    counts = [sum(is_about(item, goal) for item in items) for goal in case.goals]
    missing = [goal.event_id for goal, count in zip(case.goals, counts, strict=True) if count != 1]
    extra = [item.event_id for item in items if not any(is_about(item, goal) for goal in case.goals)]
    observed = f"missing or twice: {', '.join(missing) or 'none'}; no meetings: {', '.join(extra) or 'none'}"
    return Finding(not missing and not extra, f"{len(case.goals)} meetings", observed, (*missing, *extra))


def thread_paired(case: AgendaCase, ep: Episode) -> Finding:
    """Each thread is the one that the meeting came from, by a mail of it."""

    def fault(goal: Goal, item: MeetingBrief) -> str:
        if item.thread.value != goal.thread_id:
            return f"{item.thread.value or 'no thread'} is not {goal.thread_id}"
        return sources_fault(ep, item.thread.sources, ((f"thread.{goal.key}", goal.thread_id),))

    return _each(case, ep, fault)


def open_question_right(case: AgendaCase, ep: Episode) -> Finding:
    """Each quote is of the open question, from the own text of a cited mail."""

    def fault(goal: Goal, item: MeetingBrief) -> str:
        sources = item.open_question.sources
        wrong = sources_fault(ep, sources, ((f"asks.{goal.key}.{goal.open}", True),))
        if wrong:
            return wrong
        mail = ep.world.find(goal.asked_in[goal.open])
        assert isinstance(mail, Message)
        return quote_fault(item.open_question.value, body_of(mail.body), goal)

    return _each(case, ep, fault)


def quote_fault(quote: str, own_text: str, goal: Goal) -> str:
    """Say why a quote is not of the open question, "" if it is: half of it at least, and nothing of another one."""
    passage, whole = letters(quote), letters(own_text)
    first = whole.find(passage)
    if not passage or first < 0:
        return "the quote does not stand in the mail"
    last = first + len(passage)
    for kind, text in goal.sentences.items():
        sentence = letters(body_of(text))
        at = whole.find(sentence)
        if at < 0:
            continue
        common = min(last, at + len(sentence)) - max(first, at)
        if kind == goal.open and 2 * common < len(sentence):
            return "the quote has less than half of the open question"
        if kind != goal.open and common > 0:
            return "the quote has words of another question"
    return ""


def letters(text: str) -> str:
    """Fold compatibility forms and leave out spaces and punctuation."""
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign)[0] in "LMNS")


def read_first_right(case: AgendaCase, ep: Episode) -> Finding:
    """Each attachment has the content that was last named to be read first, by the mail that says so or brings it."""

    def fault(goal: Goal, item: MeetingBrief) -> str:
        given, wanted = ep.world.find(item.read_first.value), ep.world.find(goal.files[goal.document])
        assert isinstance(wanted, Attachment)
        if not isinstance(given, Attachment) or given.content_hash != wanted.content_hash:
            return f"{item.read_first.value or 'nothing'} is not {goal.document}"
        needs = ((f"read.{goal.key}", goal.document), (f"brought.{goal.document}", True))
        faults = [sources_fault(ep, item.read_first.sources, (need,)) for need in needs]
        return "" if "" in faults else faults[0]

    return _each(case, ep, fault)


def _each(case: AgendaCase, ep: Episode, fault: Callable[[Goal, MeetingBrief], str]) -> Finding:
    """Judge the item of every meeting that has one; whether each has one is judged by the first clause."""
    items = [(goal, item) for goal in case.goals if (item := brief_for(goal, ep)) is not None]
    faults = [f"{goal.event_id}: {wrong}" for goal, item in items if (wrong := fault(goal, item))]
    return Finding(not faults, "right for every meeting covered", "; ".join(faults) or f"{len(items)} right")
