"""Forwarding, moving and deleting mails, and setting the automatic reply."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.subject import forwarded_subject
from agentbench_env.tool import Effect, Tool
from agentbench_tasks.calendar_mail.domain.mail_read import AutoreplySetting, open_mailbox, setting
from agentbench_tasks.calendar_mail.domain.mailbox import Audience, Autoreply, AutoreplyStatus, own_mailbox
from agentbench_tasks.commons.drafts import LONGEST_BODY, Addresses, check_addresses
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.messages import Address, Message, enclosed, find_mail, printed
from agentbench_tasks.commons.outbound import recipient_at, send_out
from agentbench_tasks.commons.texts import title_of
from agentbench_tasks.commons.values import Done, Prose, json_length

MOST_OF_REPLY = 4_000
"""Characters of JSON that the texts of an automatic reply take at most: one result prints all mailboxes."""


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
    idempotent: ClassVar[bool] = True
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
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 0.3

    message_id: str = Field(description="Id of the message.")

    def run(self, call: Call) -> Done:
        mail = find_mail(call.world, self.message_id)
        # It stays as a record that no tool finds: later mails may quote it.
        call.world.put(msgspec.structs.replace(mail, folder=""))
        return Done()


class MailSetAutoreply(Tool):
    """Set the automatic reply of a mailbox; the setting replaces the one before as a whole."""

    effect: ClassVar[Effect] = "own"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 0.6

    mailbox_id: str = Field(description="Id of the mailbox.")
    status: AutoreplyStatus = Field(description="disabled; scheduled: from start to end; always: from now on.")
    start: Time = Field(default=Time(), description="From when on a scheduled reply is sent.")
    end: Time = Field(default=Time(), description="Until when a scheduled reply is sent, exclusive.")
    internal_subject: Prose = Field(default="", description="Subject for people of the organisation.", max_length=200)
    internal_body: Prose = Field(default="", description="Text for people of the organisation.", max_length=2_000)
    external_subject: Prose = Field(default="", description="Subject for everybody else.", max_length=200)
    external_body: Prose = Field(default="", description="Text for everybody else.", max_length=2_000)
    external_audience: Audience = Field(
        default="none",
        description="Who of everybody else is answered. none: nobody; contacts: people in the address book; all.",
    )

    def run(self, call: Call) -> AutoreplySetting:
        mailbox = open_mailbox(call.world, self.mailbox_id)
        start, end = self.start.read("start"), self.end.read("end")
        for field, time in (("start", start), ("end", end)):
            if time is None and self.status == "scheduled":
                raise ToolError("invalid_argument", field=field, hint="a scheduled reply needs start and end")
        if start and end and end.instant(mailbox.zone) <= start.instant(mailbox.zone):
            raise ToolError("end_before_start", field="end", hint="after start")
        texts = (self.internal_subject, self.internal_body, self.external_subject, self.external_body)
        if json_length(texts) > MOST_OF_REPLY:
            raise ToolError("too_long", field="external_body", hint="shorter texts")
        autoreply = Autoreply(self.status, start, end, *texts, self.external_audience)
        call.world.put(msgspec.structs.replace(mailbox, autoreply=autoreply))
        call.show(mailbox.id)
        return setting(autoreply)
