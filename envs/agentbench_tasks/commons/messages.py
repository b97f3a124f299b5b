"""The one message store, and the mail front over it for reading. Writing and sending: `drafts`."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.text.fold import fold
from agentbench_env.text.render import forward_header, quote_header
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_iso, to_local
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import (
    Stated,
    Text,
    Words,
    body_of,
    keys_between,
    title_of,
)
from agentbench_tasks.commons.values import ROW, fitting, json_length, read_date, text_page

PAGE_SIZE = 20
SNIPPET = 90
TEXT_SIZE = 6_000
MOST_BODY = 8_000
"""Characters of JSON that a mail's text takes at most; the end of a longer history is left out."""
Channel = Literal["mail", "messenger", "web_form", "sms", "call_note"]
Folder = Literal["inbox", "sent", "archive", "trash", "spam"]
Kind = Literal["mail", "forward", "event_invite", "event_notice", "auto"]


class Address(msgspec.Struct, frozen=True, gc=False):
    """A mail address and the name beside it."""

    address: str
    name: str = ""

    def __str__(self) -> str:
        """The address as headers write it."""
        return f"{self.name} <{self.address}>" if self.name else f"<{self.address}>"


class Attachment(Record, frozen=True, gc=False, cache_hash=True):
    """A file that came with a message."""

    filename: str
    mime: str
    size: int
    title: str
    text: Words
    locked: bool = False
    """Whether it asks for a password."""
    document: str = ""
    """Which document its bytes are, and which version of it; shown to nobody."""
    data_classes: tuple[str, ...] = ()
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}

    @property
    def contents(self) -> str:
        """Everything that a copy of it would give away."""
        return f"{self.filename}\n{self.title}\n{body_of(self.text)}"

    @property
    def content_hash(self) -> str:
        """The hash of its bytes, whatever its name."""
        return _digest(f"{self.mime}\n{self.title}\n{body_of(self.text)}")


class Message(Record, frozen=True, gc=False, cache_hash=True):
    """A message of any channel. `body` and `stated` are its own words, never what it quotes."""

    thread_id: str
    folder: Literal["", Folder]
    """"" for a mail that the user never had or no longer has: others may quote it, and no tool finds it."""
    sender: Address
    to: tuple[Address, ...]
    sent_at: int
    zone: str
    """The sender's zone."""
    subject: Words
    body: Words
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    in_reply_to: str = ""
    attachment_ids: tuple[str, ...] = ()
    """Attachments, and papers of the user's own."""
    is_read: bool = True
    channel: Channel = "mail"
    kind: Kind = "mail"
    language: str = ""
    """The language of the writer's mail program; "" for that of the text, or else the world's."""
    flags: tuple[str, ...] = ()
    quotes: str = ""
    """Id of the message that stands below the own words, with what that one quotes."""
    marked: bool = False
    """Whether the lines that it quotes begin with `> `."""
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


def find_mail(world: World, id: str, field: str = "message_id") -> Message:
    """Return the user's mail with this id; refuse the call with `unknown_id` if there is none."""
    mail = world.get(Message, id, field)
    if mail.channel != "mail" or not mail.folder:
        raise ToolError("unknown_id", field=field, hint="a message_id of mail_search_messages")
    return mail


def printed(mail: Message, world: World) -> str:
    """Return the text as mail programs show it: the own words, and below them what the mail quotes."""
    return _printed(_with_quoted(mail, world), world.language)


def _with_quoted(mail: Message, world: World) -> tuple[Message, ...]:
    """The mail, the one that it quotes, the one that this one quotes, and so on."""
    mails = [mail]
    while mails[-1].quotes:
        quoted = world.find(mails[-1].quotes)
        assert isinstance(quoted, Message), f"{mails[-1].id} quotes {mails[-1].quotes!r}, which is no message"
        mails.append(quoted)
    return tuple(mails)


@lru_cache(maxsize=4096)
def _printed(mails: tuple[Message, ...], language: str) -> str:
    """The text of the first of some mails that quote each other; the language is for plain texts without any."""
    mail, own = mails[0], body_of(mails[0].body)
    if len(mails) == 1:
        return own
    quoted, history = mails[1], _printed(mails[1:], language)
    program = mail.language or (mail.body.language if isinstance(mail.body, Text) else language)
    sent = to_local(quoted.sent_at, mail.zone)
    if mail.kind == "forward":
        to = ", ".join(map(str, quoted.to))
        header = forward_header(sent, str(quoted.sender), to, title_of(quoted.subject), program) + "\n"
    else:
        header = quote_header(sent, str(quoted.sender), program)
    if mail.marked:
        history = "\n".join(f"> {line}".rstrip() for line in history.split("\n"))
    below = f"{header}\n{history}"
    return f"{own}\n\n{below}" if own else below


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
        if mail.folder != self.folder and (self.folder != "any" or mail.folder in ("", "trash", "spam")):
            return False
        if self.after_date or self.before_date:
            day = to_local(mail.sent_at, world.zone)[:10]
            if day < self.after_date or (self.before_date and day > self.before_date):
                return False
        return (
            self.has_attachment in ("any", "yes" if mail.attachment_ids else "no")
            and (not self.sender or fold(self.sender) in _folded_people((mail.sender,)))
            and (not self.recipient or fold(self.recipient) in _folded_people((*mail.to, *mail.cc, *mail.bcc)))
        )


def _contains(mail: Message, words: list[str], world: World) -> bool:
    if not words:
        return True
    text = _searched(_with_quoted(mail, world), tuple(_filenames(mail, world)), world.language)
    return all(word in text for word in words)


@lru_cache(maxsize=4096)
def _searched(mails: tuple[Message, ...], filenames: tuple[str, ...], language: str) -> str:
    """All that a search looks through, folded."""
    mail = mails[0]
    people = _folded_people((mail.sender, *mail.to, *mail.cc, *mail.bcc))
    return "\n".join((people, *map(fold, (title_of(mail.subject), _printed(mails, language), *filenames))))


@lru_cache(maxsize=8192)
def _folded_people(people: tuple[Address, ...]) -> str:
    return "\n".join(fold(f"{person.name} {person.address}") for person in people)


def _filenames(mail: Message, world: World) -> list[str]:
    return [_filename(record) for record in enclosed(world, mail.attachment_ids)]


def _filename(record: Attachment | Paper) -> str:
    return f"{record.title}.pdf" if isinstance(record, Paper) else record.filename


def _head(mail: Message, world: World) -> Head:
    return Head(
        mail.id,
        mail.thread_id,
        mail.folder,
        mail.sender,
        mail.to,
        to_iso(mail.sent_at, mail.zone),
        title_of(mail.subject),
        " ".join(printed(mail, world).split())[:SNIPPET],
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
    """A mail in full, as `mail_get_message` returns it; the body holds what it quotes too."""

    message_id: str
    thread_id: str
    in_reply_to: str
    folder: str
    kind: str
    sender: Address
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    bcc: tuple[Address, ...]
    sent_at: str
    subject: str
    body: str
    attachments: list[FileRow]
    is_read: bool
    flags: tuple[str, ...]


class MailGetMessage(Tool):
    """Read one mail in full. Reading it leaves it as unread as it was."""

    latency_s: ClassVar[float] = 0.3

    message_id: str = Field(description="Id of the message.")

    def run(self, call: Call) -> MailText:
        mail = find_mail(call.world, self.message_id)
        call.show(mail.id)
        return in_full(mail, call.world)


def in_full(mail: Message, world: World) -> MailText:
    """Return a mail as tools print it in full."""
    return MailText(
        mail.id,
        mail.thread_id,
        mail.in_reply_to,
        mail.folder,
        mail.kind,
        mail.sender,
        mail.to,
        mail.cc,
        mail.bcc,
        to_iso(mail.sent_at, mail.zone),
        title_of(mail.subject),
        _clipped(printed(mail, world)),
        [_file(record) for record in enclosed(world, mail.attachment_ids)],
        mail.is_read,
        mail.flags,
    )


def _clipped(text: str) -> str:
    if json_length(text) <= MOST_BODY:
        return text
    sizes = list(accumulate(2 if sign in '"\\\n\t' else 1 for sign in text))
    return f"{text[: bisect_right(sizes, MOST_BODY)]}\n[…]"


def _file(record: Attachment | Paper) -> FileRow:
    if isinstance(record, Paper):
        contents = record.contents
        return FileRow(record.id, _filename(record), "application/pdf", len(contents.encode()), _digest(contents))
    return FileRow(record.id, record.filename, record.mime, record.size, record.content_hash)


def _digest(contents: str) -> str:
    return sha256(contents.encode()).hexdigest()[:16]


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
