"""The case of a check of terms, and what checks and policies read from it."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.pages import Section, sections_of
from agentbench_tasks.reservations.domain.deposits.answer import PolicyCheck
from agentbench_tasks.reservations.domain.deposits.build import Built
from agentbench_tasks.reservations.domain.deposits.goal import Goal
from agentbench_tasks.reservations.domain.deposits.words import Words


class DepositCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal

    @property
    def block(self) -> Section:
        """The section of the terms page that governs."""
        return sections_of(self.start, self.built.page_id)[self.built.governing]

    @property
    def replaced(self) -> frozenset[str]:
        """The ids of the pages of terms that were replaced, and of their sections."""
        pages = self.built.older_ids
        return frozenset((*pages, *(section.id for page in pages for section in sections_of(self.start, page))))


def answer_of(ep: Episode) -> PolicyCheck:
    """The delivered answer."""
    assert isinstance(ep.answer, PolicyCheck)
    return ep.answer
