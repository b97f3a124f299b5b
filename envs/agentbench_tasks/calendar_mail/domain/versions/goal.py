"""What is right in a thread: the current content, who first brought each one and when, and what it replaces."""

from __future__ import annotations

import msgspec

from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.versions.beats import BRANCH, WRONG, version
from agentbench_tasks.calendar_mail.domain.versions.plot import Plot
from agentbench_tasks.commons.messages import Message


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a content came from."""

    message_id: str
    sender_id: str
    """The card of who sent it."""
    on: str
    """The day in the user's zone."""
    on_there: str
    """The day in the sender's zone."""


class Goal(msgspec.Struct, frozen=True):
    """The right outcome; contents are named as `Attachment.document` names them."""

    current: str
    replaced: frozenset[str]
    """The versions that were current before."""
    aside: frozenset[str]
    """What never became a version: withdrawn, or made from an old one. It may be listed and may be left out."""
    origins: dict[str, Origin]
    only_here: bool
    """Whether nothing but the day in the user's zone is right."""

    def days(self, content: str) -> tuple[str, ...]:
        """The days that are right for the mail that first brought a content."""
        origin = self.origins[content]
        return (origin.on,) if self.only_here else (origin.on, origin.on_there)


def goal_of(plot: Plot, first_with: dict[str, Message], ids: dict[str, str], zone: str) -> Goal:
    """Return what is right; `ids`: the cards of people by address."""
    versions = [version(number) for number in range(1, plot.versions + 1)]
    aside = frozenset({BRANCH, WRONG} & first_with.keys())
    origins = {
        content: Origin(
            mail.id, ids[mail.sender.address], to_local(mail.sent_at, zone)[:10], to_local(mail.sent_at, mail.zone)[:10]
        )
        for content, mail in first_with.items()
        if content in versions or content in aside
    }
    return Goal(versions[-1], frozenset(versions[:-1]), aside, origins, plot.has("day_edge"))
