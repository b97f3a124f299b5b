"""How a careful assistant prepares a day: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.agenda.answer import DailyAgendaBrief, MeetingBrief
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.invites import CalReadInvite
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.commons.event_list import CalListEvents, EventRow
from agentbench_tasks.commons.messages import (
    FilesReadAttachment,
    Head,
    MailGetMessage,
    MailSearchMessages,
    MailText,
)


class ThreadText(msgspec.Struct, frozen=True):
    """A thread as it was read."""

    thread_id: str
    subject: str
    mails: list[MailText]


class Found(msgspec.Struct, frozen=True):
    """A meeting of tomorrow and what was found out about it."""

    row: EventRow
    thread: ThreadText
    tied_by: str
    """The mail with the invitation, or with the word of when it is."""
    asks: str
    """The kind of the question that is still open."""
    asked_in: str
    told_by: MailText
    """The mail that last said what to read first, and brought it."""


class Moves:
    """Reads calendar and mail by calls, and writes the brief from what they return."""

    def __init__(self, case: AgendaCase, do: Do) -> None:
        self.case, self.do = case, do
        self.found: list[Found] = []
        self.rows: list[EventRow] = []
        """Every event listed around tomorrow."""
        self._threads: dict[str, ThreadText] = {}

    def read(self, *, backwards: bool = False) -> None:
        """Read the calendar around tomorrow, and then the mail behind each meeting."""
        self.list_events()
        meetings = [row for row in self.rows if self._is_meeting(row)]
        self.found = [self._prepare(row) for row in meetings[:: -1 if backwards else 1]]

    def list_events(self) -> None:
        """List the events from today to the day after tomorrow: days are others elsewhere."""
        day = date.fromisoformat(self.case.built.day)
        first, last = ((day + timedelta(step)).isoformat() for step in (-1, 1))
        token = "first"
        while token:
            page = self.do(CalListEvents(from_at=first, to_at=last, page_token="" if token == "first" else token))
            self.rows += page.events
            token = page.next_page_token

    def is_tomorrow(self, row: EventRow) -> bool:
        """Whether something begins tomorrow where the user is."""
        start = row.start
        if isinstance(start, str):
            return start == self.case.built.day
        return to_local(to_instant(start.local, start.zone), self.case.built.zone)[:10] == self.case.built.day

    def has_others(self, row: EventRow) -> bool:
        """Whether somebody beside the user is a guest."""
        return any(guest != self.case.built.office.user.address for guest in row.guests)

    def _is_meeting(self, row: EventRow) -> bool:
        taking_place = row.status != "cancelled" and row.my_response != "declined"
        return taking_place and self.is_tomorrow(row) and self.has_others(row)

    # --- one meeting

    def _prepare(self, row: EventRow) -> Found:
        heads = self.search(row.title, row.organizer)
        for thread_id in dict.fromkeys(head.thread_id for head in heads):
            thread = self.read_thread(thread_id)
            tied_by = self._tie(row, thread)
            if tied_by:
                kind, asked_in = self._open_question(thread)
                return Found(row, thread, tied_by, kind, asked_in, self._to_read(thread))
        raise AssertionError(f"no thread speaks of {row.event_id}")

    def search(self, query: str, sender: str = "") -> list[Head]:
        """Search the mail, page by page."""
        heads: list[Head] = []
        token = "first"
        while token:
            page = self.do(MailSearchMessages(query=query, sender=sender, page_token="" if token == "first" else token))
            heads += page.messages
            token = page.next_page_token
        return heads

    def read_thread(self, thread_id: str) -> ThreadText:
        """Read a thread to the end, once."""
        if thread_id not in self._threads:
            mails: list[MailText] = []
            subject, token = "", "first"
            while token:
                page = self.do(MailGetThread(thread_id=thread_id, page_token="" if token == "first" else token))
                mails += page.messages
                subject, token = page.subject, page.next_page_token
            self._threads[thread_id] = ThreadText(thread_id, subject, mails)
        return self._threads[thread_id]

    def _tie(self, row: EventRow, thread: ThreadText) -> str:
        """The mail that ties a thread to an event, "" if there is none."""
        assert not isinstance(row.start, str)
        start = to_instant(row.start.local, row.start.zone)
        for mail in thread.mails[::-1]:
            if mail.kind == "event_invite":
                placed = self.do(CalReadInvite(message_id=mail.message_id)).event_id
                if placed == (row.series_id or row.event_id):
                    return mail.message_id
            if mail.sender.address == row.organizer:
                times = [said.value.split() for said in self.case.said(mail.message_id) if said.act == "placed"]
                if any(to_instant(local, zone) == start for local, zone in times):
                    return mail.message_id
        return ""

    def _open_question(self, thread: ThreadText) -> tuple[str, str]:
        """The kind of the question that nobody has answered, and the mail that asks it."""
        asked: dict[str, str] = {}
        key = ""
        for mail in thread.mails:
            for said in self.case.said(mail.message_id):
                if said.act == "asks":
                    asked[said.about], key = mail.message_id, said.key
                elif said.act == "answers":
                    asked.pop(said.about)
        if len(asked) > 1:
            for mail in self._others_about(thread):
                for said in self.case.said(mail.message_id):
                    if said.act == "answers" and said.key == key:
                        asked.pop(said.about)
        [(kind, message_id)] = asked.items()
        return kind, message_id

    def _others_about(self, thread: ThreadText) -> list[MailText]:
        """The mails of other threads that name the subject of one, read one by one."""
        start = thread.mails[0].sent_at[:10]
        heads = self.search(thread.subject)
        outside = [head for head in heads if head.thread_id != thread.thread_id and head.sent_at[:10] >= start]
        return [self.do(MailGetMessage(message_id=head.message_id)) for head in outside]

    def _to_read(self, thread: ThreadText) -> MailText:
        """The mail that last said what to read first; of several editions the last one is opened."""
        said = [mail for mail in thread.mails if any(one.act == "read" for one in self.case.said(mail.message_id))]
        if len(said) > 1:
            self.do(FilesReadAttachment(attachment_id=said[-1].attachments[0].attachment_id))
        return said[-1]

    # --- the answer

    def item(self, found: Found) -> MeetingBrief:
        """What is said about a meeting."""
        quote = self.case.sentence(found.asked_in, found.asks)
        assert any(quote in mail.body for mail in found.thread.mails if mail.message_id == found.asked_in)
        told = found.told_by
        return MeetingBrief(
            event_id=found.row.event_id,
            thread=TextClaim(value=found.thread.thread_id, sources=[found.tied_by]),
            open_question=TextClaim(value=quote, sources=[found.asked_in]),
            read_first=TextClaim(value=told.attachments[0].attachment_id, sources=[told.message_id]),
        )

    def items(self) -> list[MeetingBrief]:
        """What is said about every meeting."""
        return [self.item(found) for found in self.found]

    def deliver(self, items: list[MeetingBrief]) -> None:
        """End the episode."""
        self.do(DailyAgendaBrief(meetings=items))
