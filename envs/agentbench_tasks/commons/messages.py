"""The one message store, and the mail front over it for reading. Writing and sending: `drafts`."""

from __future__ import annotations

from hashlib import sha256
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_iso, to_local
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import (
    Stated,
    Words,
    body_of,
    folded_body,
    folded_title,
    keys_between,
    title_of,
)
from agentbench_tasks.commons.values import ROW, fitting, read_date, text_page

PAGE_SIZE = 20
SNIPPET = 90
TEXT_SIZE = 6_000
Channel = Literal["mail", "messenger", "web_form", "sms", "call_note"]
Folder = Literal["inbox", "sent", "archive", "trash", "spam"]


class Address(msgspec.Struct, frozen=True, gc=False):
    """A mail address and the name beside it."""

    address: str
    name: str = ""


class Attachment(Record, frozen=True, gc=False, cache_hash=True):
    """A file that came with a message."""

    filename: str
    mime: str
    size: int
    title: str
    text: Words
    locked: bool = False
    """Whether it asks for a password."""
    data_classes: tuple[str, ...] = ()
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}

    @property
    def contents(self) -> str:
        """Everything that a copy of it would give away."""
        return f"{self.filename}\n{self.title}\n{body_of(self.text)}"


class Message(Record, frozen=True, gc=False):
    """A message of any channel. `stated` holds what it states in its own words, never what it quotes."""

    thread_id: str
    folder: Folder
    sender: Address
    to: tuple[Address, ...]
    sent_at: int
    zone: str
    """The sender's zone."""
    subject: Words
    body: Words
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    quoted: Words = ""
    in_reply_to: str = ""
    attachment_ids: tuple[str, ...] = ()
    """Attachments, and papers of the user's own."""
    is_read: bool = True
    channel: Channel = "mail"
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


def enclosed(world: World, ids: tuple[str, ...]) -> list[Attachment | Paper]:
    """Return the attachments and papers with these ids; refuse the call with `attachment_not_found`."""
    found = [world.find(id) for id in ids]
    kept = [record for record in found if isinstance(record, Attachment | Paper)]
    if len(kept) < len(ids):
        raise ToolError("attachment_not_found", field="attachment_ids", hint="ids of attachments or papers")
    return kept


class Head(msgspec.Struct, frozen=True):
    """A message as a search lists it; the snippet carries no fact."""

    message_id: str
    thread_id: str
    folder: str
    sender: Address
    to: tuple[Address, ...]
    sent_at: str
    subject: str
    snippet: str
    filenames: list[str]
    is_read: bool


class Heads(msgspec.Struct, frozen=True):
    """What `mail_search_messages` returns."""

    messages: list[Head]
    total: int
    next_page_token: str


class MailSearchMessages(Tool):
    """Search the user's mail, the newest first. Every word must occur in subject, body, addresses or file names."""

    latency_s: ClassVar[float] = 0.6

    query: str = Field(default="", description="Words; empty for all mail.", max_length=400)
    folder: Literal["any", Folder] = Field(
        default="any", description="inbox, sent, archive, trash or spam; any: all folders but trash and spam."
    )
    sender: str = Field(default="", description="Part of the sender's name or address.")
    recipient: str = Field(default="", description="Part of a recipient's name or address.")
    after_date: str = Field(default="", description="Sent on this day or later, YYYY-MM-DD, in the user's zone.")
    before_date: str = Field(default="", description="Sent on this day or earlier, YYYY-MM-DD, in the user's zone.")
    has_attachment: Literal["any", "yes", "no"] = Field(
        default="any", description="Whether files are attached: yes, no, or any for both."
    )
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> Heads:
        world = call.world
        for field in ("after_date", "before_date"):
            if getattr(self, field):
                read_date(getattr(self, field), field)
        words = fold(self.query).split()
        mails = world.where(Message, "channel", "mail")
        found = [mail for mail in mails if self._admits(mail, world) and _contains(mail, words, world)]
        found.sort(key=lambda mail: (-mail.sent_at, mail.id))
        rows, token = fitting(found, self.page_token, lambda mail: _head(mail, world), PAGE_SIZE)
        for row in rows:
            call.show(row.message_id, ROW)
        return Heads(rows, len(found), token)

    def _admits(self, mail: Message, world: World) -> bool:
        day = to_local(mail.sent_at, world.zone)[:10]
        return (
            (mail.folder == self.folder or (self.folder == "any" and mail.folder not in ("trash", "spam")))
            and (not self.after_date or day >= self.after_date)
            and (not self.before_date or day <= self.before_date)
            and self.has_attachment in ("any", "yes" if mail.attachment_ids else "no")
            and fold(self.sender) in _addresses((mail.sender,))
            and fold(self.recipient) in _addresses((*mail.to, *mail.cc, *mail.bcc))
        )


def _addresses(people: tuple[Address, ...]) -> str:
    return fold("\n".join(f"{person.name} {person.address}" for person in people))


def _contains(mail: Message, words: list[str], world: World) -> bool:
    if not words:
        return True
    everybody = (mail.sender, *mail.to, *mail.cc, *mail.bcc)
    parts = (
        folded_title(mail.subject),
        folded_body(mail.body),
        folded_body(mail.quoted),
        _addresses(everybody),
        fold("\n".join(_filenames(mail, world))),
    )
    return all(any(word in part for part in parts) for word in words)


def _filenames(mail: Message, world: World) -> list[str]:
    return [_file(record).filename for record in enclosed(world, mail.attachment_ids)]


def _head(mail: Message, world: World) -> Head:
    return Head(
        mail.id,
        mail.thread_id,
        mail.folder,
        mail.sender,
        mail.to,
        to_iso(mail.sent_at, mail.zone),
        title_of(mail.subject),
        " ".join(body_of(mail.body).split())[:SNIPPET],
        _filenames(mail, world),
        mail.is_read,
    )


class FileRow(msgspec.Struct, frozen=True):
    """An attachment as its message lists it."""

    attachment_id: str
    filename: str
    mime: str
    size: int
    content_hash: str


class MailText(msgspec.Struct, frozen=True):
    """What `mail_get_message` returns."""

    message_id: str
    thread_id: str
    in_reply_to: str
    folder: str
    sender: Address
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    sent_at: str
    subject: str
    body: str
    quoted: str
    attachments: list[FileRow]
    is_read: bool


class MailGetMessage(Tool):
    """Read one mail in full. Reading it leaves it as unread as it was."""

    latency_s: ClassVar[float] = 0.3

    message_id: str = Field(description="Id of the message.")

    def run(self, call: Call) -> MailText:
        world = call.world
        mail = world.get(Message, self.message_id, "message_id")
        if mail.channel != "mail":
            raise ToolError("unknown_id", field="message_id", hint="a message_id of mail_search_messages")
        call.show(mail.id)
        return MailText(
            mail.id,
            mail.thread_id,
            mail.in_reply_to,
            mail.folder,
            mail.sender,
            mail.to,
            mail.cc,
            to_iso(mail.sent_at, mail.zone),
            title_of(mail.subject),
            body_of(mail.body),
            body_of(mail.quoted),
            [_file(record) for record in enclosed(world, mail.attachment_ids)],
            mail.is_read,
        )


def _file(record: Attachment | Paper) -> FileRow:
    contents = record.contents.encode()
    digest = sha256(contents).hexdigest()[:16]
    if isinstance(record, Paper):
        return FileRow(record.id, f"{record.title}.pdf", "application/pdf", len(contents), digest)
    return FileRow(record.id, record.filename, record.mime, record.size, digest)


class FileText(msgspec.Struct, frozen=True):
    """What `files_read_attachment` returns."""

    attachment_id: str
    title: str
    text: str
    next_page_token: str


class FilesReadAttachment(Tool):
    """Read the text of an attached file. A long one comes in several results."""

    latency_s: ClassVar[float] = 0.9

    attachment_id: str = Field(description="Id of the attachment.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> FileText:
        file = call.world.get(Attachment, self.attachment_id, "attachment_id")
        if file.locked:
            raise ToolError("password_required", field="attachment_id")
        text = body_of(file.text)
        start, end, token = text_page(text, self.page_token, TEXT_SIZE)
        call.show(file.id, *(keys_between(file.text, file.stated, start, end) or (ROW,)))
        return FileText(file.id, file.title, text[start:end], token)
