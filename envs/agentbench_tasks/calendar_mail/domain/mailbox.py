"""Mailboxes, the system that they are on, and what became of the mails that the user sent."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.world import Record, World
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.events import When
from agentbench_tasks.commons.messages import Message, find_mail
from agentbench_tasks.commons.outbound import recipient_at
from agentbench_tasks.commons.texts import Words, body_of

Rule = Literal["portal", "works", "undo", "closed", "tenant"]
ReadState = Literal["read", "unread", "unknown"]
AutoreplyStatus = Literal["disabled", "scheduled", "always"]
Audience = Literal["none", "contacts", "all"]


class MailSystem(Record, frozen=True, gc=False):
    """A mail service, and by which rule it takes mails back; `recall` has the rules."""

    name: Words
    rule: Rule
    read_switch: bool = True
    """Whether the administrator lets mails be recalled that were read (`tenant`)."""
    recall_switch: bool = True
    """Whether the administrator lets mails be recalled at all (`tenant`)."""
    delay_s: int = 0
    """How long a mail waits before it leaves (`undo`)."""
    window_s: int = 0
    """How long after sending a mail can be recalled even if it was read (`works`)."""
    help_page_id: str = ""


class Autoreply(msgspec.Struct, frozen=True, gc=False):
    """The automatic reply of a mailbox."""

    status: AutoreplyStatus = "disabled"
    start: When | None = None
    """From when on it answers, and until when (exclusive), where it is `scheduled`."""
    end: When | None = None
    internal_subject: Words = ""
    internal_body: Words = ""
    external_subject: Words = ""
    external_body: Words = ""
    external_audience: Audience = "none"
    """Who outside the organisation is answered."""


class Mailbox(Record, frozen=True, gc=False):
    """A mailbox of the user's own or one that several people share."""

    address: str
    kind: Literal["personal", "shared"]
    zone: str
    mail_system_id: str
    default_language: str
    signature: Words = ""
    autoreply: Autoreply = Autoreply()

    def facts(self, world: World) -> dict[str, object]:
        """Its address, its zone, and the mail system that it is on."""
        return {
            f"mailbox.{self.id}.address": self.address,
            f"mailbox.{self.id}.zone": self.zone,
            f"mailbox.{self.id}.mail_system": self.mail_system_id,
        }


class Delivery(Record, frozen=True, gc=False):
    """What became of one of the user's mails at one recipient."""

    message_id: str
    recipient: str
    """The address."""
    recipient_system: str
    """The name of the mail system that the address is on, "" if unknown."""
    same_system: bool
    same_org: bool
    delivered_at: int
    read_state: ReadState
    """`unknown` whenever the recipient is on another system."""
    read_at: int = 0
    recall: Literal["", "recalled", "failed"] = ""
    """How the last attempt to take it back ended, "" if there was none."""

    def facts(self, world: World) -> dict[str, object]:
        """Where it went and whether it was read, under keys that end in message and address."""
        about = f"{self.message_id}.{self.recipient}"
        return {
            f"read_state.{about}": self.read_state,
            f"same_system.{about}": self.same_system,
            f"same_org.{about}": self.same_org,
            f"delivered_at.{about}": self.delivered_at,
        }


class SharedFolder(Record, frozen=True, gc=False):
    """A folder for files; what is put there reaches everybody who can open it."""

    name: Words
    audience: Words
    """Who can open it, in words."""
    reaches: tuple[str, ...] = ()
    """The addresses of those who can open it besides the user."""


def own_mailbox(world: World) -> Mailbox:
    """Return the user's own mailbox."""
    return world.get(Mailbox, world.settings["mailbox_id"])


def own_system(world: World) -> MailSystem:
    """Return the mail system that the user's own mailbox is on."""
    return world.get(MailSystem, own_mailbox(world).mail_system_id)


def find_own_mail(world: World, id: str) -> Message:
    """Return a mail that the user sent; refuse the call if there is none with this id or somebody else sent it."""
    mail = find_mail(world, id)
    if fold(mail.sender.address) != fold(world.settings["mailbox"].address):
        raise ToolError("not_own_message", field="message_id", hint="a mail that the user sent")
    return mail


def deliveries_of(world: World, mail: Message) -> list[Delivery]:
    """Return what became of a mail of the user's, one delivery a recipient in the order of its header.

    Of a recipient without a record, which is every one of a mail sent just now, the address book tells the system.
    """
    known = {fold(delivery.recipient): delivery for delivery in world.where(Delivery, "message_id", mail.id)}
    people = {fold(person.address): person.address for person in (*mail.to, *mail.cc, *mail.bcc)}
    return [known.get(key) or _unrecorded(world, mail, address) for key, address in people.items()]


def _unrecorded(world: World, mail: Message, address: str) -> Delivery:
    recipient = recipient_at(world, address)
    contact = world.find(recipient.recipient_id)
    system = contact.mail_system if isinstance(contact, Contact) else ""
    same_system = system == body_of(own_system(world).name)
    return Delivery(
        world.stamp_id("dlv", mail.id, fold(address)),
        mail.id,
        address,
        system,
        same_system,
        recipient.internal,
        mail.sent_at,
        "unread" if same_system else "unknown",
    )
