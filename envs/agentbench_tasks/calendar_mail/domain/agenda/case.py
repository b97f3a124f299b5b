"""The case of a brief, and what the checks read from the answer."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_tasks.calendar_mail.domain.agenda.answer import DailyAgendaBrief, MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.build import Built
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.calendar_mail.domain.agenda.words import Words
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import SentencesSlot, Text, body_of


class Said(msgspec.Struct, frozen=True, gc=False):
    """What the words of a mail do: ask or answer something, name a file to read, say when a meeting is."""

    act: str
    """asks, answers, read or placed."""
    about: str
    """The kind of a question, "" otherwise."""
    value: str
    """The local time and the zone of a meeting, "" otherwise."""
    key: str
    """What the thread that it is about goes by: two mails that speak of the same thread have the same."""


class AgendaCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What is right, meeting by meeting."""
        return self.built.goals

    def said(self, message_id: str) -> list[Said]:
        """What the own words of a mail say, for those who read it."""
        found: list[Said] = []
        for fact in self.start.get(Message, message_id).stated:
            act, key, about = (*fact.key.split("."), "", "")[:3]
            if act in ("asks", "answers", "read", "placed"):
                found.append(Said(act, about, str(fact.value) if act == "placed" else "", key))
        return found

    def sentence(self, message_id: str, kind: str) -> str:
        """The sentence of a mail that asks something."""
        letter = self.start.get(Message, message_id).body
        assert isinstance(letter, Text)
        sentences = next(slot.sentences for _, slot in letter.slots if isinstance(slot, SentencesSlot))
        asking = (one for one in sentences if isinstance(one, Text) and one.kind == f"questions.{kind}")
        return body_of(next(asking))


def briefs_of(ep: Episode) -> list[MeetingBrief]:
    """The items of the delivered answer."""
    assert isinstance(ep.answer, DailyAgendaBrief)
    return ep.answer.meetings


def brief_for(goal: Goal, ep: Episode) -> MeetingBrief | None:
    """The item about a meeting, None if there is none."""
    return next((one for one in briefs_of(ep) if is_about(one, goal)), None)


def is_about(item: MeetingBrief, goal: Goal) -> bool:
    """Whether an item is about a meeting; the id of a series stands for its instance."""
    return item.event_id in (goal.event_id, goal.event_id.partition("@")[0])
