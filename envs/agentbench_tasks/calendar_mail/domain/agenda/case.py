"""The case of a brief, and what the checks read from the answer."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_tasks.calendar_mail.domain.agenda.answer import DailyAgendaBrief, MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.build import Built
from agentbench_tasks.calendar_mail.domain.agenda.thread import Goal
from agentbench_tasks.calendar_mail.domain.agenda.words import Words


class AgendaCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    built: Built
    start: World
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def goals(self) -> tuple[Goal, ...]:
        """What is right, meeting by meeting."""
        return self.built.goals


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
