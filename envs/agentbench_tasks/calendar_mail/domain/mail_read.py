"""Reading what the commons' mail tools do not show: whole threads, deliveries, mailboxes."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.subject import subject_root
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_env.zones import to_iso
from agentbench_tasks.calendar_mail.domain.mailbox import (
    Autoreply,
    Delivery,
    Mailbox,
    MailSystem,
    deliveries_of,
    find_own_mail,
)
from agentbench_tasks.commons.messages import MailText, Message, in_full
from agentbench_tasks.commons.texts import body_of, title_of
from agentbench_tasks.commons.values import Zoned, fitting

THREAD_PAGE = 10


class Thread(msgspec.Struct, frozen=True):
    """What `mail_get_thread` returns."""

    thread_id: str
    subject: str
    messages: list[MailText]
    total: int
    next_page_token: str


class MailGetThread(Tool):
    """Read the mails of a thread in full, the oldest first; a page has ten or as many as fit.

    They stay as unread as they were. The subject is the first mail's without its marks of replies and forwarding.
    """

    latency_s: ClassVar[float] = 0.8

    thread_id: str = Field(description="Id of the thread.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> Thread:
        world = call.world
        found = world.where(Message, "thread_id", self.thread_id)
        mails = [mail for mail in found if mail.channel == "mail" and mail.folder]
        if not mails:
            raise ToolError("unknown_id", field="thread_id", hint="a thread_id of mail_search_messages")
        mails.sort(key=lambda mail: (mail.sent_at, mail.id))
        rows, token = fitting(mails, self.page_token, lambda mail: in_full(mail, world), THREAD_PAGE)
        for row in rows:
            call.show(row.message_id)
        return Thread(self.thread_id, subject_root(title_of(mails[0].subject)), rows, len(mails), token)


class DeliveryRow(msgspec.Struct, frozen=True):
    """What became of a mail at one recipient."""

    delivery_id: str
    recipient: str
    recipient_system: str
    same_org: bool
    same_system: bool
    delivered_at: str
    read_state: str
    read_at: str
    recall: str


class Deliveries(msgspec.Struct, frozen=True):
    """What `mail_get_delivery` returns."""

    message_id: str
    deliveries: list[DeliveryRow]


class MailGetDelivery(Tool):
    """Look up where a mail of the user's own went, and whether it was read.

    `read_state` is read, unread or, for recipients on another mail system, unknown. `recall` is recalled or failed
    after an attempt to recall the mail, otherwise empty.
    """

    message_id: str = Field(description="Id of a mail that the user sent.")

    def run(self, call: Call) -> Deliveries:
        world = call.world
        mail = find_own_mail(world, self.message_id)
        found = deliveries_of(world, mail)
        for delivery in found:
            if world.find(delivery.id) is None:
                world.stamp(delivery)
            call.show(delivery.id)
        return Deliveries(mail.id, [_row(delivery, world) for delivery in found])


def _row(delivery: Delivery, world: World) -> DeliveryRow:
    return DeliveryRow(
        delivery.id,
        delivery.recipient,
        delivery.recipient_system,
        delivery.same_org,
        delivery.same_system,
        to_iso(delivery.delivered_at, world.zone),
        delivery.read_state,
        to_iso(delivery.read_at, world.zone) if delivery.read_at else "",
        delivery.recall,
    )


class AutoreplySetting(msgspec.Struct, frozen=True):
    """The automatic reply of a mailbox as tools print it; a time that is not set is empty."""

    status: str
    start: Zoned | str
    end: Zoned | str
    internal_subject: str
    internal_body: str
    external_subject: str
    external_body: str
    external_audience: str


class MailboxRow(msgspec.Struct, frozen=True):
    """A mailbox and its settings."""

    mailbox_id: str
    address: str
    kind: str
    zone: str
    mail_system_id: str
    mail_system: str
    default_language: str
    signature: str
    autoreply: AutoreplySetting


class Mailboxes(msgspec.Struct, frozen=True):
    """What `mail_get_mailbox` returns."""

    mailboxes: list[MailboxRow]


class MailGetMailbox(Tool):
    """Look up the user's own mailbox and the shared ones: address, zone, mail system, signature, automatic reply."""

    latency_s: ClassVar[float] = 0.4

    mailbox_id: str = Field(default="", description="Id of the mailbox; empty for the own and every shared one.")

    def run(self, call: Call) -> Mailboxes:
        world = call.world
        if self.mailbox_id:
            found = [open_mailbox(world, self.mailbox_id)]
        else:
            found = [mailbox for mailbox in world.all(Mailbox) if _is_open(mailbox, world)]
        for mailbox in found:
            call.show(mailbox.id)
        return Mailboxes([_mailbox_row(mailbox, world) for mailbox in found])


def open_mailbox(world: World, id: str) -> Mailbox:
    """Return a mailbox that the user may open; refuse the call with `no_access` for another person's own."""
    mailbox = world.get(Mailbox, id, "mailbox_id")
    if not _is_open(mailbox, world):
        raise ToolError("no_access", field="mailbox_id", hint="a mailbox_id of mail_get_mailbox")
    return mailbox


def _is_open(mailbox: Mailbox, world: World) -> bool:
    return mailbox.kind == "shared" or mailbox.id == world.settings["mailbox_id"]


def _mailbox_row(mailbox: Mailbox, world: World) -> MailboxRow:
    return MailboxRow(
        mailbox.id,
        mailbox.address,
        mailbox.kind,
        mailbox.zone,
        mailbox.mail_system_id,
        body_of(world.get(MailSystem, mailbox.mail_system_id).name),
        mailbox.default_language,
        body_of(mailbox.signature),
        setting(mailbox.autoreply),
    )


def setting(autoreply: Autoreply) -> AutoreplySetting:
    """Return an automatic reply as tools print it."""
    return AutoreplySetting(
        autoreply.status,
        autoreply.start.wire() if autoreply.start else "",
        autoreply.end.wire() if autoreply.end else "",
        body_of(autoreply.internal_subject),
        body_of(autoreply.internal_body),
        body_of(autoreply.external_subject),
        body_of(autoreply.external_body),
        autoreply.external_audience,
    )
