"""Filling mailboxes: threads of mails between people, with what each mail states in its own words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.text.render import subject_prefixes
from agentbench_env.world import Record
from agentbench_tasks.calendar_mail.domain.letters import Tone, letter
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.messages import Address, Attachment, Folder, Kind, Message
from agentbench_tasks.commons.texts import SlotValue, Stated, Text, Words, title_of


class Post:
    """Writes mails into `records`.

    Args:
        draw: the stream for wordings and ids.
        user: the owner of the mailbox. Mails that neither came from nor went to the user can only be quoted.
    """

    def __init__(self, draw: Draw, user: Person) -> None:
        self._draw, self._user = draw, user
        self._to_user = (user.header,)
        self.records: list[Record] = []
        self._subjects: dict[str, Words] = {}

    def thread(self) -> str:
        """Return the id of a new thread."""
        return self._draw.id("thr")

    def file(self, filename: str, title: str, text: Words, *, document: str = "", **more: object) -> Attachment:
        """Return a file that a mail can carry; `document` names its content where the world must know it."""
        suffix = filename.rpartition(".")[2]
        size = 18_000 + 7 * self._draw.int(0, 30_000)
        record = Attachment(
            self._draw.id("att"), filename, _MIMES.get(suffix, "application/pdf"), size, title, text, document=document
        )
        return msgspec.structs.replace(record, **more) if more else record

    def again(self, file: Attachment, **more: object) -> Attachment:
        """Return the same content attached once more, under another name if one is given."""
        return msgspec.structs.replace(file, id=self._draw.id("att"), **more)

    def mail(
        self,
        writer: Person,
        readers: Sequence[Person],
        at: int,
        subject: Words,
        sentences: Sequence[SlotValue],
        *,
        cc: Sequence[Person] = (),
        thread: str = "",
        answers: Message | None = None,
        quotes: Message | None = None,
        kind: Kind = "mail",
        attachments: Sequence[Attachment] = (),
        stated: Sequence[Stated] = (),
        tone: Tone | None = None,
        folder: Folder | Literal[""] | None = None,
        is_read: bool = True,
        body: Words | None = None,
    ) -> Message:
        """Write a mail at an instant.

        Args:
            writer: who writes; the mail is in their language and carries the time of their zone.
            readers: who it goes to; the first one is greeted.
            at: the instant.
            subject: the subject of a new thread; a reply takes its thread's when this is "".
            sentences: what stands between greeting and closing.
            cc: who gets a copy.
            thread: the thread it belongs to; that of the answered mail, or a new one.
            answers: the mail that it answers.
            quotes: the mail whose text stands below its own.
            kind: mail, forward, invitation, notice or automatic mail.
            attachments: the files it carries; they are recorded with it.
            stated: the facts that it states in its own words.
            tone: greeting and closing, if not the usual ones between the two.
            folder: where it lies, if not where it would arrive.
            is_read: whether the user has read it.
            body: the whole text, for mail that is no letter.
        """
        thread = thread or (answers.thread_id if answers else self.thread())
        root = subject or self._subjects[thread]
        self._subjects.setdefault(thread, root)
        self.records += attachments
        to, copied = (tuple([reader.header for reader in some]) for some in (readers, cc))
        message = Message(
            self._draw.id("msg"),
            thread,
            folder if folder is not None else self._folder(writer.header, (*to, *copied)),
            writer.header,
            to,
            at,
            writer.contact.zone,
            self._prefixed(root, writer, answers, kind),
            body if body is not None else letter(self._draw, writer, readers[0], sentences, tone),
            copied,
            in_reply_to=answers.id if answers else "",
            attachment_ids=tuple([file.id for file in attachments]),
            is_read=is_read,
            stated=tuple(stated),
            kind=kind,
            language=writer.language,
            quotes=quotes.id if quotes else "",
            marked=self._draw.chance(0.5),
        )
        self.records.append(message)
        return message

    def notice(self, sender: Address, at: int, text: Text, *, subject: Words = "") -> Message:
        """Add an automatic mail to the user; its wording has its subject where none is given."""
        message = Message(
            self._draw.id("msg"),
            self.thread(),
            "inbox",
            sender,
            self._to_user,
            at,
            self._user.contact.zone,
            subject or text,
            text,
            is_read=self._draw.chance(0.7),
            kind="auto",
        )
        self.records.append(message)
        return message

    def _folder(self, writer: Address, readers: Sequence[Address]) -> Folder | Literal[""]:
        user = self._user.address
        if writer.address == user:
            return "sent"
        return "inbox" if user in [reader.address for reader in readers] else ""

    def _prefixed(self, root: Words, writer: Person, answers: Message | None, kind: Kind) -> Words:
        if answers is None and kind != "forward":
            return root
        prefix = "forward" if kind == "forward" else "reply"
        return f"{subject_prefixes(prefix, writer.language)[0]} {title_of(root)}"


_MIMES = {
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}
