"""Sending mail where houses answer: a house that is written to replies by mail and may add to its listing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import msgspec

from agentbench_env.episode import Call
from agentbench_env.text.fold import fold
from agentbench_tasks.commons.drafts import MailSendDraft, Sent
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.travel.domain.records_stays import ListingSection

Replies = Mapping[str, tuple[Message, ListingSection | None]]


class HouseMailSendDraft(MailSendDraft):
    """Send a draft: it reaches every address in to, cc and bcc at once."""

    name: ClassVar[str] = MailSendDraft.name

    def run(self, call: Call) -> Sent:
        sent = super().run(call)
        world = call.world
        replies: Replies = world.settings["house_replies"]
        for address in sent.delivered_to:
            reply, section = replies.get(fold(address), (None, None))
            if reply is not None and world.find(reply.id) is None:
                world.put(msgspec.structs.replace(reply, sent_at=world.now, is_read=False))
            if section is not None and world.find(section.id) is None:
                world.put(section)
        return sent
