"""The case of a current file, and what the checks read from the answer."""

from __future__ import annotations

from agentbench_env.episode import Episode
from agentbench_tasks.calendar_mail.domain.versions.answer import LatestAttachment
from agentbench_tasks.calendar_mail.domain.versions.build import Built
from agentbench_tasks.calendar_mail.domain.versions.goal import Goal
from agentbench_tasks.calendar_mail.domain.versions.words import Words
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.messages import Attachment, Message


class VersionsCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance fixes."""

    @property
    def goal(self) -> Goal:
        """What is right."""
        return self.built.goal

    @property
    def thread_id(self) -> str:
        """The thread."""
        return self.built.mails[0].thread_id

    def content(self, id: str) -> str:
        """The content of an attachment of the thread, "" for anything else."""
        known = {file for mail in self.built.mails for file in mail.attachment_ids}
        file = self.start.find(id) if id in known else None
        return file.document if isinstance(file, Attachment) else ""

    def opened(self, ids: list[str], ep: Episode) -> list[str]:
        """Sources in which an attachment that was never opened stands for the message that lists it."""
        return [id if id in ep.shown else self._listed(id, ep) for id in ids]

    def listed(self, ids: list[str], ep: Episode) -> list[str]:
        """Sources in which every attachment stands for the message that lists it."""
        return [self._listed(id, ep) for id in ids]

    def _listed(self, id: str, ep: Episode) -> str:
        mails = (mail.id for mail in self.start.all(Message) if id in mail.attachment_ids and mail.id in ep.shown)
        return next(mails, id)


def answer_of(ep: Episode) -> LatestAttachment:
    """The delivered answer."""
    assert isinstance(ep.answer, LatestAttachment)
    return ep.answer
