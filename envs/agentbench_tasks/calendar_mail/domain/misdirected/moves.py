"""How a careful assistant goes about a misdirected reply: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from contextlib import suppress

import msgspec

from agentbench_env.claims import TextClaim
from agentbench_env.draw import Draw
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.text.own import own_text
from agentbench_env.tool import Tool
from agentbench_env.user import UserRequestApproval
from agentbench_tasks.calendar_mail.domain.letters import letter
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetDelivery, MailGetMailbox, MailGetThread
from agentbench_tasks.calendar_mail.domain.misdirected.answer import (
    ClassClaim,
    DisclosedItem,
    MisdirectedAnswer,
    OptionClaim,
    ReadStateClaim,
    RecallPart,
    WrongRecipient,
)
from agentbench_tasks.calendar_mail.domain.misdirected.case import MisdirectedCase
from agentbench_tasks.calendar_mail.domain.misdirected.items import FILE, WORDINGS
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.recall import MailRecallMessage
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft, MailUpdateDraft
from agentbench_tasks.commons.messages import FilesReadAttachment, MailGetMessage, MailSearchMessages, MailText
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.texts import SlotValue, Text, body_of, title_of

_ADDRESS = re.compile(r"[a-z0-9.]+@[a-z0-9.-]+[a-z]")


class Moves:
    """Looks into the mail, writes the corrections, and answers from what was read."""

    def __init__(self, case: MisdirectedCase, do: Do) -> None:
        self.case, self.built, self.do = case, case.built, do
        self._draw = Draw("corrections", case.goal.message_id, split=case.built.office.setting.split)
        self.mail: MailText

    # --- reading

    def look(self, unopened: Collection[str] = ()) -> None:
        """Read the mail, where it went, the threads around it, its files but for some, the cards and the pages."""
        do, built = self.do, self.built
        heads = do(MailSearchMessages(query=built.subject, folder="sent")).messages
        self.mail = do(MailGetMessage(message_id=heads[0].message_id))
        self.deliveries = {
            row.recipient: row for row in do(MailGetDelivery(message_id=self.mail.message_id)).deliveries
        }
        threads = [self.mail.thread_id]
        if built.request.thread_id != self.mail.thread_id:
            found = do(MailSearchMessages(query=built.project, sender=built.intended.address)).messages
            threads.append(found[0].thread_id)
        for thread in threads:
            do(MailGetThread(thread_id=thread))
        for file in self.mail.attachments:
            if file.attachment_id not in unopened:
                with suppress(Refused):
                    do(FilesReadAttachment(attachment_id=file.attachment_id))
        for person in (built.intended, *built.wrong):
            do(ContactsSearch(query=person.address))
        self.rules()

    def rules(self) -> None:
        """Read the page of classes and the help of the mail system that the mailbox is on."""
        do = self.do
        mailbox = do(MailGetMailbox(mailbox_id=self.built.office.mailbox.id)).mailboxes[0]
        pages = do(PagesSearch(query=title_of(self.built.classes_page.page.title), kind="privacy")).pages
        classes = do(PagesGet(page_id=pages[0].page_id))
        pages = do(PagesSearch(query=mailbox.mail_system, kind="help")).pages
        help_page = do(PagesGet(page_id=pages[0].page_id))
        self.class_section = classes.sections[1].section_id
        self.rule_section = help_page.sections[0].section_id

    # --- writing

    def correct(self, person: Person, *, extra: Sequence[SlotValue] = (), desk: str = "") -> MailCreateDraft:
        """Word the correction to a wrong recipient."""
        sentences = [self._note("note.error", person.language), *extra]
        if desk:
            sentences.append(self._note("note.desk", person.language, desk=desk))
        return MailCreateDraft(to=[person.address], subject=self.mail.subject, body=self.worded(person, sentences))

    def resend(self) -> MailCreateDraft:
        """Word the mail to the intended person: the reply once more, with its files."""
        return MailCreateDraft(
            to=[self.built.intended.address],
            subject=title_of(self.built.request.subject),
            body=own_text(self.mail.body),
            in_reply_to=self.built.request.id,
            attachment_ids=[file.attachment_id for file in self.mail.attachments],
        )

    def again(self) -> str:
        """The reply in a letter of its own: the sentences between greeting and closing, after an apology."""
        intended, own = self.built.intended, own_text(self.mail.body)
        first = self.built.facts[0].value
        said = next(part for part in own.split("\n\n") if first in part)
        return self.worded(intended, [self._note("note.again", intended.language), said])

    def worded(self, person: Person, sentences: Sequence[SlotValue]) -> str:
        """A letter of the user's to somebody, in that person's language."""
        writer = msgspec.structs.replace(self.built.office.user, language=person.language)
        return body_of(letter(self._draw, writer, person, sentences, "formal"))

    def _note(self, kind: str, language: str, **slots: SlotValue) -> Text:
        return Text.of(FILE, kind, language, self._draw.variant(WORDINGS), **slots)

    def write(self) -> None:
        """Draft every correction, ask for leave to send each, and send what was granted."""
        for person in self.built.wrong:
            note = self.correct(person)
            draft = self.do(note).draft_id
            reason = self.send(draft)
            found = _ADDRESS.search(reason)
            if found:
                again = self.correct(person, desk=found[0])
                self.do(MailUpdateDraft(draft_id=draft, to=again.to, subject=again.subject, body=again.body))
                self.send(draft)
        self.send(self.do(self.resend()).draft_id)

    def send(self, draft_id: str) -> str:
        """Ask for leave to send a draft and do so if it is granted; return why it was not."""
        call = MailSendDraft(draft_id=draft_id)
        reason = self.ask_leave(call)
        if reason is None:
            self.do(call)
        return reason or ""

    def ask_leave(self, call: Tool) -> str | None:
        """Ask for leave; return None if it is granted, else why not."""
        arguments = json.dumps(call.canonical_arguments())
        reply = self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary="As you asked."))
        return None if reply.decision == "granted" else reply.reason

    def ask_recall(self) -> None:
        """Ask for leave to recall the mail and do so if it is granted."""
        call = MailRecallMessage(message_id=self.mail.message_id)
        if self.ask_leave(call) is None:
            with suppress(Refused):
                self.do(call)

    # --- answering

    def answer(self) -> MisdirectedAnswer:
        """The answer from what was read."""
        goal, mail = self.case.goal, self.mail
        wrong = [
            WrongRecipient(
                address=TextClaim(value=address, sources=[mail.message_id]),
                read_state=ReadStateClaim(
                    value=self.deliveries[address].read_state,  # type: ignore[arg-type]
                    sources=[self.deliveries[address].delivery_id],
                ),
            )
            for address in goal.wrong
        ]
        return MisdirectedAnswer(
            message_id=mail.message_id,
            wrong_recipients=wrong,
            intended=TextClaim(value=goal.intended, sources=[self.built.request.id]),
            disclosed=self.disclosed(),
            information_class=ClassClaim(value=goal.information_class, sources=[self.class_section]),
            recall=RecallPart(
                option=OptionClaim(
                    value="available" if goal.available else "unavailable",
                    sources=[self.rule_section, *(self.deliveries[address].delivery_id for address in goal.wrong)],
                ),
                reason=sorted(goal.reasons)[0],
            ),
        )

    def disclosed(self) -> list[DisclosedItem]:
        """The kinds that got out, each with its place."""
        files = {
            fact.key.split(".")[1]: file.id
            for file in self.built.files
            for fact in file.stated
        }  # fmt: skip
        return [
            DisclosedItem(item=kind, where=place, sources=[files.get(kind, self.mail.message_id)])
            for kind, place in self.case.goal.items.items()
        ]

    def finish(self) -> None:
        """Deliver the answer."""
        self.do(self.answer())
