"""Forwarding, moving and deleting mails."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.subject import forwarded_subject
from agentbench_env.tool import Effect, Tool
from agentbench_tasks.calendar_mail.domain.mailbox import own_mailbox
from agentbench_tasks.commons.drafts import LONGEST_BODY, Addresses, check_addresses
from agentbench_tasks.commons.messages import Address, Message, enclosed, find_mail, printed
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.texts import title_of
from agentbench_tasks.commons.values import Done, Prose


class Forwarded(msgspec.Struct, frozen=True):
    """What `mail_forward_message` returns."""

    message_id: str


class MailForwardMessage(Tool):
    """Forward a mail with its whole text and its files. It reaches every address in `to` at once."""

    effect: ClassVar[Effect] = "send"
    latency_s: ClassVar[float] = 1.2

    message_id: str = Field(description="Id of the message.")
    to: Addresses = Field(description="Addresses of the recipients, at most 10.")
    comment: Prose = Field(
        default="", description="Text above the forwarded mail, at most 5,000 characters.", max_length=LONGEST_BODY
    )

    def run(self, call: Call) -> Forwarded:
        world = call.world
        mail = find_mail(world, self.message_id)
        check_addresses(self.to, "to")
        if not self.to:
            raise ToolError("empty_recipients", field="to", hint="at least one address")
        language = own_mailbox(world).default_language
        people = list(dict.fromkeys(self.to))
        sent = world.put(
            Message(
                world.new_id("msg"),
                mail.thread_id,
                "sent",
                world.settings["mailbox"],
                tuple(Address(address) for address in people),
                world.now,
                world.zone,
                forwarded_subject(title_of(mail.subject), language),
                self.comment,
                in_reply_to=mail.id,
                attachment_ids=mail.attachment_ids,
                kind="forward",
                language=language,
                quotes=mail.id,
            )
        )
        content = f"{title_of(sent.subject)}\n{printed(sent, world)}"
        enclosures = enclosed(world, sent.attachment_ids)
        for address in people:
            send_out(
                call,
                "forward",
                **msgspec.structs.asdict(recipient_at(world, address)),
                subject_id=sent.id,
                content=content,
                enclosures=enclosures,
            )
        call.show(sent.id)
        return Forwarded(sent.id)


class MailMoveMessage(Tool):
    """Put a mail into another folder of the user's."""

    effect: ClassVar[Effect] = "own"
    latency_s: ClassVar[float] = 0.3

    message_id: str = Field(description="Id of the message.")
    folder: Literal["inbox", "archive", "trash", "spam"] = Field(description="inbox, archive, trash or spam.")

    def run(self, call: Call) -> Done:
        mail = find_mail(call.world, self.message_id)
        if mail.folder == self.folder:
            call.happened("read")
        else:
            call.world.put(msgspec.structs.replace(mail, folder=self.folder))
        return Done()


class MailDeleteMessage(Tool):
    """Delete a mail from the user's mailbox for good. Copies that others have stay where they are."""

    effect: ClassVar[Effect] = "commit"
    latency_s: ClassVar[float] = 0.3

    message_id: str = Field(description="Id of the message.")

    def run(self, call: Call) -> Done:
        mail = find_mail(call.world, self.message_id)
        # It stays as a record that no tool finds: later mails may quote it.
        call.world.put(msgspec.structs.replace(mail, folder=""))
        return Done()
