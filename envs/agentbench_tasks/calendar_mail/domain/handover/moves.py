"""How a careful assistant goes about a handover: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import date, timedelta

from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.user import UserRequestApproval
from agentbench_tasks.calendar_mail.domain.handover.answer import HandoverAnswer
from agentbench_tasks.calendar_mail.domain.handover.case import HandoverCase
from agentbench_tasks.calendar_mail.domain.handover.matters import FILE, Matter
from agentbench_tasks.calendar_mail.domain.handover.words import called, named
from agentbench_tasks.calendar_mail.domain.letters import FILE as LETTERS
from agentbench_tasks.calendar_mail.domain.letters import Tone, cell_of
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetMailbox, MailGetThread
from agentbench_tasks.calendar_mail.domain.mail_write import MailSetAutoreply
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft, MailUpdateDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import Time, When
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.texts import DateSlot, SlotValue, Text, render


class Moves:
    """Finds out when the user is away and what waits, sets the reply, writes the note."""

    def __init__(self, case: HandoverCase, do: Do) -> None:
        self.case, self.built, self.do = case, case.built, do
        self.market = case.built.office.setting.market
        self.language = case.built.office.setting.language

    # --- finding out

    def look_up_leave(self) -> None:
        """Read what the personnel office wrote, the calendar, the house rules and the public holidays."""
        do, plot = self.do, self.built.plot
        title: str = shared_table(f"text/{self.language}/{FILE}")["leave_title"]
        found = do(MailSearchMessages(query=title, folder="inbox")).messages
        do(MailGetMessage(message_id=found[0].message_id))
        first, last = plot.leave.first, plot.absence.back + timedelta(1)
        do(CalListEvents(from_at=first.isoformat(), to_at=last.isoformat()))
        do(PagesSearch(publisher=self.built.office.company.id, query=""))
        for name in ("absence", "limits"):
            do(PagesGet(page_id=self.built.office.pages[name].id))
        do(HolidaysListDays(country=self.market.code, from_date=first.isoformat(), to_date=last.isoformat()))
        do(MailGetMailbox())

    def look_up_matters(self) -> None:
        """Search the references, and read the threads of what waits."""
        self.do(MailSearchMessages(query="["))
        for matter in self.built.awaited:
            self.do(MailGetThread(thread_id=matter.thread_id))
        self.do(ContactsSearch(query=self.built.colleague.address))

    # --- the automatic reply

    def autoreply(self) -> MailSetAutoreply:
        """The setting as it should be."""
        language, absence = self.market.prompt_language, self.built.plot.absence
        inside = self.reply_text("inside", language, absence.back)
        outside = self.reply_text("outside", language, absence.back)
        subject: str = shared_table(f"text/{language}/{FILE}")["reply_subject"]
        return MailSetAutoreply(
            mailbox_id=self.built.office.mailbox.id,
            status="scheduled",
            start=time_of(absence.start),
            end=time_of(absence.end),
            internal_subject=subject,
            internal_body=inside,
            external_subject=subject,
            external_body=outside,
            external_audience="all",
        )

    def reply_text(self, kind: str, language: str, back: date) -> str:
        """The text of an automatic reply, inside or outside, in one of its wordings."""
        offered, tone = self._offered(language, back), _TONES[kind]
        if kind == "outside" and language in _WHOLE_NAMES:
            offered["name"] = named(self.built.colleague, language)
        text = Text.of(
            LETTERS,
            "letter.full",
            language,
            greeting=Text.fitting(LETTERS, f"group_greeting.{kind}", language, 0, **offered),
            text=Text.fitting(FILE, f"reply.{kind}", language, self.case.built.plot.now // 60 % 4, **offered),
            closing=Text.fitting(LETTERS, f"closing.{cell_of(tone, language)}", language, 0, **offered),
        )
        return render(text).body

    def careless_text(self) -> str:
        """A reply as nobody should write it to people outside."""
        language, back = self.market.prompt_language, self.built.plot.absence.back
        return render(Text.fitting(FILE, "reply.careless", language, 0, **self._offered(language, back))).body

    def _offered(self, language: str, back: date) -> dict[str, SlotValue]:
        user = self.built.office.user
        return {
            **self._particles(language),
            "signature": user.name.latin if language == "en" else user.shown_name,
            "name": called(self.built.colleague, language),
            "back": DateSlot(back.isoformat()),
        }

    def _particles(self, language: str) -> dict[str, SlotValue]:
        table = shared_table(f"writing/{language}").get("particles", {})
        gender = self.built.office.user.name.gender
        slots = (("particle", "statement"), ("me", "first_person"))
        return {slot: table[kind][gender] for slot, kind in slots if table}

    # --- the note

    def note(self, items: list[str] | None = None, language: str = "") -> MailCreateDraft:
        """The note as it should be, or with other items."""
        language = language or self.language
        words = shared_table(f"text/{language}/{FILE}")["note"]
        name = called(self.built.colleague, language)
        rows = items if items is not None else [self.item(matter, language=language) for matter in self.built.awaited]
        user = self.built.office.user
        lines = [
            words["intro"].format(name=name),
            "",
            *rows,
            "",
            user.name.latin if language == "en" else user.shown_name,
        ]
        return MailCreateDraft(to=[self.built.colleague.address], subject=words["subject"], body="\n".join(lines))

    def item(self, matter: Matter, owner: Person | None = None, language: str = "") -> str:
        """The line of a matter, with who decides it or somebody else."""
        person = owner or matter.owner or self.built.colleague
        language = language or self.language
        pattern: str = shared_table(f"text/{language}/{FILE}")["note"]["item"]
        return pattern.format(code=matter.code, object=matter.object, owner=named(person, language))

    def ask_and_send(self, draft_id: str) -> str:
        """Ask for leave to send the note, add what the user wants added, and send it where it is granted."""
        note = self.note()
        for _ in range(2):
            call = {"draft_id": draft_id}
            asked = self.do(
                UserRequestApproval(tool=MailSendDraft.name, arguments=json.dumps(call), summary="The handover note.")
            )
            if asked.decision == "granted":
                return self.do(MailSendDraft(draft_id=draft_id)).message_id
            if self.built.cabinet not in asked.reason:
                break
            body = f"{note.body}\n{self.built.cabinet}"
            self.do(MailUpdateDraft(draft_id=draft_id, to=note.to, subject=note.subject, body=body))
        return draft_id

    # --- the whole

    def solve(self) -> None:
        """Do everything, in the usual order."""
        self.look_up_leave()
        self.do(self.autoreply())
        self.look_up_matters()
        draft = self.do(self.note())
        self.do(HandoverAnswer(handover_draft_id=draft.draft_id))

    def try_to_read(self, thread_id: str) -> None:
        """Read a thread page after page, if there is one."""
        token = ""
        with suppress(Refused):
            while True:
                token = self.do(MailGetThread(thread_id=thread_id, page_token=token)).next_page_token
                if not token:
                    return


def time_of(when: When) -> Time:
    """A time as tools take it."""
    return Time(local=when.local, zone=when.zone)


_TONES: dict[str, Tone] = {"inside": "polite", "outside": "formal"}
_WHOLE_NAMES = ("ja", "zh-Hant")
"""Where people outside are told a colleague's whole name, not what colleagues call each other."""
