"""How a careful assistant finds the current file: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from datetime import date

from agentbench_env.policies.expert import Do
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.calendar_mail.domain.versions.answer import (
    CurrentFile,
    DateClaim,
    FileClaim,
    LatestAttachment,
    SenderClaim,
)
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.messages import (
    FileRow,
    FilesReadAttachment,
    MailGetMessage,
    MailSearchMessages,
    MailText,
)


class Moves:
    """Reads the thread and writes the answer from what was read."""

    def __init__(self, case: VersionsCase, do: Do) -> None:
        self.case, self.do = case, do
        self.mails: list[MailText] = []

    def search(self) -> str:
        """Find the thread by its subject; return its id."""
        found = self.do(MailSearchMessages(query=self.case.built.matter.subject, has_attachment="yes"))
        return next(row.thread_id for row in found.messages if row.thread_id == self.case.thread_id)

    def read_thread(self) -> None:
        """Read every page of the thread."""
        thread, token = self.search(), ""
        while True:
            page = self.do(MailGetThread(thread_id=thread, page_token=token))
            self.mails += page.messages
            token = page.next_page_token
            if not token:
                return

    def read_singly(self) -> None:
        """Read the mails of the thread that carry files or speak of them, one after the other."""
        carrying = {mail.id for mail in self.case.built.mails if mail.attachment_ids or mail.stated}
        for mail in self.case.built.mails:
            if mail.id in carrying:
                self.mails.append(self.do(MailGetMessage(message_id=mail.id)))

    def with_content(self, content: str) -> list[tuple[MailText, FileRow]]:
        """The mails with files of a content, the oldest first, by the hash that the mails print."""
        wanted = self.case.built.files[content].content_hash
        return [(mail, file) for mail in self.mails for file in mail.attachments if file.content_hash == wanted]

    def compare(self) -> None:
        """Where one mail brings two versions, read both files."""
        mail, _ = self.with_content(self.case.goal.current)[0]
        if len(mail.attachments) > 1:
            for file in mail.attachments:
                self.do(FilesReadAttachment(attachment_id=file.attachment_id))

    def contact(self, mail: MailText) -> str:
        """Look up the card of a mail's sender; return its id."""
        return self.do(ContactsSearch(query=mail.sender.address)).contacts[0].contact_id

    def claim(self, content: str, place: int = 0, from_place: int = 0) -> CurrentFile:
        """Claim that a content is current, by its file in one mail and the day and sender of one."""
        found = self.with_content(content)
        mail, (_, file) = found[from_place][0], found[place]
        return CurrentFile(
            attachment=FileClaim(value=file.attachment_id, sources=self.supporting(content)),
            filename=file.filename,
            sent_on=DateClaim(value=self.day(mail), sources=[mail.message_id]),
            sender=SenderClaim(value=self.contact(mail), sources=[mail.message_id]),
        )

    def supporting(self, content: str) -> list[str]:
        """The mails that bring a content or say that it counts."""
        first = self.with_content(content)[0][0].message_id
        said = [mail.id for mail in self.case.built.mails if any(f.key == f"version.{content}" for f in mail.stated)]
        return list(dict.fromkeys((first, *said)))

    def day(self, mail: MailText) -> str:
        """The day of a mail in the user's zone."""
        return to_local(_instant(mail.sent_at), self.case.built.office.setting.market.zone)[:10]

    def replaced(self) -> list[str]:
        """One file for each version that was replaced."""
        return [self.with_content(content)[0][1].attachment_id for content in sorted(self.case.goal.replaced)]

    def deliver(self, current: CurrentFile, superseded: list[str]) -> None:
        """End the episode."""
        self.do(LatestAttachment(current=current, superseded=superseded))


def _instant(sent_at: str) -> int:
    """The instant of a time as mails print it, with its offset."""
    local, sign, offset = sent_at[:16], sent_at[-6], sent_at[-5:]
    minutes = int(offset[:2]) * 60 + int(offset[3:])
    return to_instant(local, "UTC") - 60 * (minutes if sign == "+" else -minutes)


def sender_day(mail: MailText) -> str:
    """The day of a mail as its sender's clock had it."""
    return date.fromisoformat(mail.sent_at[:10]).isoformat()
