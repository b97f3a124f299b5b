"""How a careful assistant goes about an audit: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from agentbench_env.policies.expert import Do
from agentbench_tasks.calendar_mail.domain.commitments.answer import Commitment, CommitmentList
from agentbench_tasks.calendar_mail.domain.commitments.case import CommitmentCase, Due
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.messages import Head, MailSearchMessages, MailText


class Moves:
    """Reads the project's mail by calls and writes the list from it."""

    def __init__(self, case: CommitmentCase, do: Do) -> None:
        self.case, self.do = case, do
        self.heads: list[Head] = []
        self.mails: dict[str, MailText] = {}

    def search(self, query: str = "", after: str = "") -> list[Head]:
        """Go through all pages of a search."""
        heads: list[Head] = []
        token = "first"
        while token:
            page = self.do(
                MailSearchMessages(query=query, after_date=after, page_token="" if token == "first" else token)
            )
            heads += page.messages
            token = page.next_page_token
        return heads

    def read_project(self) -> None:
        """Find the project's mail since the day, and read each of its threads to the end."""
        plot = self.case.plot
        self.heads = self.search(plot.projects[0], plot.since.isoformat())
        for thread in dict.fromkeys(head.thread_id for head in self.heads if head.sender.name):
            self.read_thread(thread)

    def read_thread(self, thread_id: str) -> None:
        """Read a thread to the end."""
        token = "first"
        while token:
            page = self.do(MailGetThread(thread_id=thread_id, page_token="" if token == "first" else token))
            self.mails |= {mail.message_id: mail for mail in page.messages}
            token = page.next_page_token

    def look_people_up(self) -> None:
        """Find the cards of those who owe something, and the days off where working days were counted."""
        case = self.case
        addresses = {person.id: person.address for person in case.people.values()}
        for owner in dict.fromkeys(due.owner for due in case.due.values()):
            if owner != case.office.user.id:
                self.do(ContactsSearch(query=addresses[owner]))
        if any(beat.term.form == "working" for chain in case.plot.open for beat in chain.beats):
            first, country = case.plot.since.isoformat(), case.office.user.contact.country
            self.do(HolidaysListDays(country=country, from_date=first, to_date="2026-12-31"))

    def item(self, due: Due) -> Commitment:
        """An open promise as the answer has it."""
        source = due.promised_in[-1]
        further = [] if source in due.carriers else [due.carriers[-1]]
        assert {source, *further} <= self.mails.keys()
        return Commitment(owner=due.owner, deadline=due.deadline, promise_source=source, sources=further)

    def items(self) -> list[Commitment]:
        """All open promises."""
        return [self.item(due) for due in self.case.due.values()]

    def deliver(self, items: list[Commitment]) -> None:
        """Finish with a list."""
        self.do(CommitmentList(commitments=items))
