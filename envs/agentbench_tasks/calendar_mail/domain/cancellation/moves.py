"""How a careful assistant goes about a cancellation: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent, EventText
from agentbench_tasks.calendar_mail.domain.cal_write import CalDeleteEvent
from agentbench_tasks.calendar_mail.domain.cancellation.answer import CancellationAnswer
from agentbench_tasks.calendar_mail.domain.cancellation.build import FILE
from agentbench_tasks.calendar_mail.domain.cancellation.case import CancellationCase
from agentbench_tasks.calendar_mail.domain.event_arguments import Scope
from agentbench_tasks.calendar_mail.domain.notices import SendUpdates
from agentbench_tasks.commons.contacts import Card, ContactsSearch
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.pages import PagesGet, PagesSearch

MOST_SENT = 3
"""How many notes the expert asks to send; the rest stay as drafts, which the user may send."""


class Note(msgspec.Struct, frozen=True):
    """A note as it is written, before it is a draft."""

    reader: Card
    to: list[str]
    subject: str
    body: str


class Moves:
    """Finds the meeting and its guests, writes the notes, and has the meeting removed."""

    def __init__(self, case: CancellationCase, do: Do) -> None:
        self.case, self.do = case, do
        self.plot, self.home = case.built.plot, case.user.zone
        self.event: EventText | None = None
        self.cards: list[Card] = []
        self.drafts: dict[str, str] = {}
        """By address, the id of the draft, or of the message once it is sent."""

    # --- reading

    def find(self) -> str:
        """Look the meeting up on its day; return the id of the event or instance."""
        day = self.plot.day.on.isoformat()
        rows = self.do(CalListEvents(from_at=day, to_at=day)).events
        row = next(row for row in rows if row.title == self.case.built.title)
        self.event = self.do(CalGetEvent(event_id=row.event_id))
        return row.event_id

    def meet(self) -> None:
        """Read the cards of everybody invited, from the whole address book."""
        assert self.event is not None
        found, token = list[Card](), ""
        while True:
            page = self.do(ContactsSearch(query="", page_token=token))
            found += page.contacts
            token = page.next_page_token
            if not token:
                break
        by_address = {address: card for card in found for address in card.emails}
        invited = [guest for guest in self.event.attendees if guest.role != "resource"]
        self.cards = [by_address[guest.address] for guest in invited if guest.address != self.case.user.address]

    def read_guide(self) -> None:
        """Read how letters are written here."""
        heads = self.do(PagesSearch(query=self.case.user.organisation, kind="correspondence_guide"))
        self.do(PagesGet(page_id=heads.pages[0].page_id))

    def offered(self) -> str:
        """The local time to offer by the user's rule, from the lists of days off; "" if none is to be offered."""
        day = self.plot.day.on + timedelta(7)
        if self.plot.offer == "none":
            return ""
        if self.plot.offer == "common":
            countries = dict.fromkeys([self.case.user.country, *(card.country for card in self.cards)])
            closed = {off for country in countries for off in self._days_off(country, day)}
            while day in closed or day.isoweekday() > 5:
                day += timedelta(1)
        return f"{day.isoformat()}T{self.plot.clock}"

    def _days_off(self, country: str, first: date) -> list[date]:
        last = first + timedelta(14)
        rows = self.do(HolidaysListDays(country=country, from_date=first.isoformat(), to_date=last.isoformat())).days
        return [
            date.fromisoformat(row.date) for row in rows if row.status == "confirmed" and "private" in row.applies_to
        ]

    # --- writing

    def note(
        self, card: Card, offered: str, *, wording: int = 0, register: str = "", side: str = "", form: int = 0
    ) -> Note:
        """A note to somebody in their language and a register due to them."""
        language = card.languages[0]
        register = register or card.register_due[0]
        table = shared_table(f"text/{language}/{FILE}")
        offer = table["offers"][register]["given" if offered else "none"]
        meeting = table["meeting"]["named" if language == self.language else "unnamed"]
        writer = self.case.user
        slots = {
            **self._particles(language),
            "name": card.address_forms[form],
            "meeting": self._fill(meeting, {"title": self.case.built.title}),
            "when": self.when(f"{self.plot.day.on.isoformat()}T{self.plot.clock}", card, language),
            "reason": self.reason(card, side),
            "signature": writer.native_name if language == self.language != "en" else writer.latin_name,
        }
        slots["offer"] = self._fill(offer, {**slots, "when": self.when(offered, card, language) if offered else ""})
        body = self._fill(table["notices"][register]["variants"][wording], slots)
        return Note(card, [card.emails[0]], self.case.built.title, body)

    def reason(self, card: Card, side: str = "") -> str:
        """The reason in the reader's language, in the wording for inside or outside."""
        reasons = shared_table(f"text/{card.languages[0]}/{FILE}")["reasons"][self.plot.pair]
        side = side or ("inside" if card.is_internal or "outside" not in reasons else "outside")
        return reasons[side][0]

    def when(self, local: str, card: Card, language: str) -> str:
        """A local time at home as a reader of another zone is told it."""
        style = shared_table(f"text/{language}/{FILE}")["style"]
        there = to_local(to_instant(local, self.home), card.zone)
        told = writing.date_time(there, language, style["date"], style["time"])
        if there == local:
            return told
        return self._fill(style["zoned"], {"when": told, "zone": writing.zone_words(card.zone, language)})

    @property
    def language(self) -> str:
        """The user's own language, in which the meeting has its title."""
        return self.case.built.office.setting.language

    def _particles(self, language: str) -> dict[str, str]:
        table = shared_table(f"writing/{language}").get("particles", {})
        gender = self.case.built.office.user.name.gender
        return {"particle": table["statement"][gender], "ask": table["question"][gender]} if table else {}

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        return fill(template, {name: slots[name] for name in slot_names(template)})[0]

    def draft(self, notes: Sequence[Note]) -> None:
        """Keep notes as drafts."""
        for note in notes:
            saved = self.do(MailCreateDraft(to=note.to, subject=note.subject, body=note.body))
            self.drafts[note.to[0]] = saved.draft_id

    # --- acting

    def ask(self, call: Any, summary: str) -> bool:
        """Ask for leave for a call; return whether it was granted."""
        arguments = json.dumps(call.model_dump(mode="json"))
        return self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary=summary)).decision == "granted"

    def remove(self, event_id: str, scope: Scope = "this", send_updates: SendUpdates = "none") -> None:
        """Have the meeting deleted with the user's leave."""
        call = CalDeleteEvent(event_id=event_id, scope=scope, send_updates=send_updates)
        if self.ask(call, "Delete the meeting; nobody is mailed by the calendar."):
            self.do(call)

    def send(self, most: int = MOST_SENT, *, heed: bool = True) -> None:
        """Ask to send one note after the other until the user says not yet; `heed`: and leave the others alone then."""
        written = [card for card in self.cards if card.emails[0] in self.drafts]
        inside = sorted(written, key=lambda card: not card.is_internal)
        for card in inside[:most]:
            call = MailSendDraft(draft_id=self.drafts[card.emails[0]])
            granted = self.ask(call, f"Send the note to {card.display_name}.")
            if heed and not granted:
                return
            self.drafts[card.emails[0]] = self.do(call).message_id

    def finish(self, event_id: str) -> None:
        """Deliver the answer."""
        self.do(CancellationAnswer(event_id=event_id, notice_ids=list(self.drafts.values())))

    def solve(
        self,
        write: Callable[[Moves, Card, str], Note | None] | None = None,
        *,
        scope: Scope = "this",
        send_updates: SendUpdates = "none",
    ) -> None:
        """Do everything; `write` writes the notes otherwise."""
        event_id = self.find()
        self.meet()
        self.read_guide()
        offered = self.offered()
        notes = [(write or Moves.note)(self, card, offered) for card in self.cards]
        self.draft([note for note in notes if note is not None])
        self.remove(event_id, scope, send_updates)
        self.send()
        self.finish(event_id)
