"""This domain's front of the message store: every channel, drafts for each, and notes to read out on the telephone."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World, content_digest
from agentbench_env.zones import to_iso
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.messages import Address, Attachment, Channel, Message, printed
from agentbench_tasks.commons.outbound import Enclosure, send_out
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.values import ROW, Prose, fitting
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.preorder_records import Sheet
from agentbench_tasks.reservations.domain.providers import reach_venue

THREADS_PER_PAGE = 15
MESSAGES_PER_PAGE = 10
LONGEST_BODY = 5_000


class Participant(msgspec.Struct, frozen=True, gc=False):
    """Somebody in a thread and the address from which they write there."""

    person_id: str
    name: str
    address: str


class Thread(Record, frozen=True, gc=False):
    """A conversation in one channel with a venue, a contact or a group; of a group the user is a participant too."""

    channel: Channel
    counterpart_id: str
    """Id of the venue or contact, "" for a group."""
    title: str
    participants: tuple[Participant, ...]


class MessageDraft(Record, frozen=True, gc=False):
    """A message that is not sent yet, or a note for the user to read out."""

    thread_id: str
    channel: Channel
    recipient_id: str
    subject: str
    body: str
    attachment_ids: tuple[str, ...]
    made_by: Literal["user", "assistant"] = "assistant"

    binds: ClassVar[bool] = True


class ThreadHead(msgspec.Struct, frozen=True):
    """A thread as a list prints it."""

    thread_id: str
    channel: str
    counterpart_id: str
    title: str
    last_at: str
    messages: int


class ThreadHeads(msgspec.Struct, frozen=True):
    """What `msg_list_threads` returns."""

    threads: list[ThreadHead]
    total: int
    next_page_token: str


class MsgListThreads(Tool):
    """List the user's conversations in all channels, the latest first. Every word must occur in title or messages."""

    query: str = Field(default="", description="Words; empty for all.", max_length=400)
    channel: Literal["any", Channel] = Field(
        default="any", description="mail, messenger, web_form, sms or call_note (notes to read out); any for all."
    )
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> ThreadHeads:
        world, words = call.world, fold(self.query).split()
        found = [
            (messages[-1].sent_at if messages else 0, thread, messages)
            for thread in world.all(Thread)
            if self.channel in ("any", thread.channel)
            for messages in [_messages(world, thread)]
            if not words or _contains(thread, messages, words)
        ]
        found.sort(key=lambda row: (-row[0], row[1].id))
        rows, token = call.page(found, self.page_token, THREADS_PER_PAGE)
        for _, thread, _ in rows:
            call.show(thread.id, ROW)
        return ThreadHeads([_thread_head(thread, last, ms, world) for last, thread, ms in rows], len(found), token)


def _messages(world: World, thread: Thread) -> list[Message]:
    """The messages of a thread, oldest first."""
    messages = [m for m in world.where(Message, "thread_id", thread.id) if m.folder or m.channel != "mail"]
    return sorted(messages, key=lambda message: (message.sent_at, message.id))


def _contains(thread: Thread, messages: list[Message], words: list[str]) -> bool:
    text = fold("\n".join((thread.title, *(body_of(message.body) for message in messages))))
    return all(word in text for word in words)


def _thread_head(thread: Thread, last: int, messages: list[Message], world: World) -> ThreadHead:
    at = to_iso(last, messages[-1].zone) if messages else ""
    return ThreadHead(thread.id, thread.channel, thread.counterpart_id, thread.title, at, len(messages))


class MessageRow(msgspec.Struct, frozen=True):
    """A message as its thread prints it; what it quotes stands apart from its own words."""

    message_id: str
    sender_id: str
    sender: str
    sent_at: str
    language: str
    text: str
    quoted: str
    attachment_ids: tuple[str, ...]


class Person(msgspec.Struct, frozen=True):
    """Somebody in a thread."""

    person_id: str
    name: str


class ThreadText(msgspec.Struct, frozen=True):
    """What `msg_get_thread` returns; the sender id is empty for the user's own messages outside groups."""

    thread_id: str
    channel: str
    counterpart_id: str
    title: str
    participants: list[Person]
    messages: list[MessageRow]
    total: int
    next_page_token: str


class MsgGetThread(Tool):
    """Read a conversation, the oldest message first."""

    thread_id: str = Field(description="Id of the thread.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> ThreadText:
        world = call.world
        thread = world.get(Thread, self.thread_id, "thread_id")
        messages = _messages(world, thread)
        rows, token = fitting(messages, self.page_token, lambda m: _message_row(m, thread, world), MESSAGES_PER_PAGE)
        call.show(thread.id)
        for row in rows:
            call.show(row.message_id)
        people = [Person(person.person_id, person.name) for person in thread.participants]
        return ThreadText(
            thread.id, thread.channel, thread.counterpart_id, thread.title, people, rows, len(messages), token
        )


def _message_row(message: Message, thread: Thread, world: World) -> MessageRow:
    sender = next((p for p in thread.participants if p.address == message.sender.address), None)
    quoted = world.find(message.quotes) if message.quotes else None
    return MessageRow(
        message.id,
        sender.person_id if sender else "",
        sender.name if sender else message.sender.name,
        to_iso(message.sent_at, message.zone),
        message.language,
        body_of(message.body),
        printed(quoted, world) if isinstance(quoted, Message) else "",
        message.attachment_ids,
    )


class MessageSaved(msgspec.Struct, frozen=True):
    """What `msg_save_draft` returns."""

    draft_id: str
    channel: str
    recipient_id: str
    digest: str


class MsgSaveDraft(Tool):
    """Write a message, or a note for the user to read out on the telephone, and keep it. It reaches nobody."""

    effect: ClassVar[Effect] = "draft"

    body: Prose = Field(description="Text, at most 5,000 characters.", max_length=LONGEST_BODY)
    thread_id: str = Field(default="", description="Thread that it belongs to; else give channel and recipient_id.")
    channel: Literal["none", Channel] = Field(
        default="none",
        description="mail, messenger (any chat app), web_form, sms, or call_note: a text for the user's own "
        "eyes to read out on the telephone; none: that of the thread.",
    )
    recipient_id: str = Field(default="", description="Id of the venue, firm or contact; empty: that of the thread.")
    subject: Prose = Field(default="", description="Subject, where the channel has one.", max_length=300)
    attachment_ids: list[str] = Field(
        default=[], description="Ids of attachments, of the user's documents or of pre-order sheets.", max_length=10
    )
    draft_id: str = Field(default="", description="Id of the draft whose whole content it replaces; empty: a new one.")

    def run(self, call: Call) -> MessageSaved:
        world = call.world
        older = find_message_draft(world, self.draft_id) if self.draft_id else None
        channel, recipient_id = self._where(world)
        enclosures(world, tuple(self.attachment_ids))
        draft = world.put(
            MessageDraft(
                older.id if older else world.new_id("drf"),
                self.thread_id,
                channel,
                recipient_id,
                self.subject,
                self.body,
                tuple(self.attachment_ids),
                older.made_by if older else "assistant",
            )
        )
        call.show(draft.id)
        return MessageSaved(draft.id, channel, recipient_id, content_digest(draft))

    def _where(self, world: World) -> tuple[Channel, str]:
        """The channel and the recipient of the draft."""
        if self.thread_id:
            thread = world.get(Thread, self.thread_id, "thread_id")
            if self.channel not in ("none", thread.channel):
                raise ToolError("unknown_channel", field="channel", hint=f"{thread.channel}, or none")
            if self.recipient_id not in ("", thread.counterpart_id):
                raise ToolError("invalid_argument", field="recipient_id", hint="empty, or that of the thread")
            return thread.channel, thread.counterpart_id
        if self.channel == "none" or not self.recipient_id:
            raise ToolError("invalid_argument", field="thread_id", hint="a thread_id, or a channel and a recipient_id")
        address_of(world, self.channel, self.recipient_id)
        return self.channel, self.recipient_id


def address_of(world: World, channel: Channel, recipient_id: str) -> str:
    """Return the address of a venue or contact in a channel; refuse the call with `unknown_channel` if it has none."""
    recipient = world.find(recipient_id)
    known: dict[Channel, str] = {"call_note": ""}
    if isinstance(recipient, Place):
        known |= {reach.channel: reach.address for reach in recipient.reaches}
    elif isinstance(recipient, Contact):
        known |= {"mail": recipient.address}
    else:
        raise ToolError("unknown_id", field="recipient_id", hint="the id of a venue, firm or contact")
    if channel not in known:
        raise ToolError("unknown_channel", field="channel", hint=", ".join(known))
    return known[channel]


def enclosures(world: World, ids: tuple[str, ...]) -> list[Enclosure]:
    """Return what goes with a message; refuse the call with `attachment_not_found`."""
    found = [world.find(id) for id in ids]
    kept = [record for record in found if isinstance(record, Attachment | Paper | Sheet)]
    if len(kept) < len(ids):
        raise ToolError(
            "attachment_not_found", field="attachment_ids", hint="ids of attachments, papers or pre-order sheets"
        )
    return list(kept)


class MessageSent(msgspec.Struct, frozen=True):
    """What `msg_send_draft` returns."""

    message_id: str
    thread_id: str
    channel: str


class MsgSendDraft(Tool):
    """Send a draft from the user's own account in its channel."""

    effect: ClassVar[Effect] = "send"
    idempotent: ClassVar[bool] = True
    latency_s: ClassVar[float] = 1.2
    fee_usd: ClassVar[float] = 0.005

    draft_id: str = Field(description="Id of the draft.")

    def run(self, call: Call) -> MessageSent:
        world = call.world
        draft = find_message_draft(world, self.draft_id)
        if draft.channel == "call_note":
            raise ToolError("cannot_send", field="draft_id", hint="the draft of another channel than call_note")
        thread = world.get(Thread, draft.thread_id) if draft.thread_id else _new_thread(world, draft)
        own: Address = world.settings["mailbox"]
        others = [person for person in thread.participants if person.address != own.address]
        message = world.put(
            Message(
                world.new_id("msg"),
                thread.id,
                "sent" if draft.channel == "mail" else "",
                own,
                tuple(Address(person.address, person.name) for person in others),
                world.now,
                world.zone,
                draft.subject,
                draft.body,
                attachment_ids=draft.attachment_ids,
                channel=draft.channel,
            )
        )
        world.remove(draft)
        _reach(call, draft, thread.counterpart_id, others, message.id)
        call.show(message.id)
        return MessageSent(message.id, thread.id, draft.channel)


def find_message_draft(world: World, id: str) -> MessageDraft:
    """Return the draft with this id; refuse the call with `not_a_draft` if there is none, or none any more."""
    draft = world.find(id)
    if not isinstance(draft, MessageDraft):
        raise ToolError("not_a_draft", field="draft_id", hint="the draft_id of a draft that was not sent")
    return draft


def _new_thread(world: World, draft: MessageDraft) -> Thread:
    recipient = world.find(draft.recipient_id)
    name = recipient.full_name if isinstance(recipient, Place) else world.get(Contact, draft.recipient_id).display_name
    address = address_of(world, draft.channel, draft.recipient_id)
    person = Participant(draft.recipient_id, name, address)
    return world.put(Thread(world.new_id("thr"), draft.channel, draft.recipient_id, draft.subject or name, (person,)))


def _reach(call: Call, draft: MessageDraft, counterpart_id: str, others: list[Participant], message_id: str) -> None:
    """Record whom a message reached: a venue, or everybody else in the thread."""
    world, content = call.world, f"{draft.subject}\n{draft.body}"
    enclosed = enclosures(world, draft.attachment_ids)
    kind = "mail" if draft.channel == "mail" else "message"
    if isinstance(world.find(counterpart_id), Place):
        reach_venue(call, kind, counterpart_id, message_id, subkind=draft.channel, content=content, enclosures=enclosed)
        return
    for person in others:
        contact = world.find(person.person_id)
        known = isinstance(contact, Contact)
        send_out(
            call,
            kind,
            recipient_id=person.person_id,
            relation=contact.relation if known else "",
            jurisdiction=contact.country if known else "",
            subkind=draft.channel,
            subject_id=message_id,
            content=content,
            enclosures=enclosed,
        )
