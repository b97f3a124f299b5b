"""How a careful assistant moves a meeting of three: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.policies.expert import Do
from agentbench_env.text.render import zone_words
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent, CalQueryFreeBusy
from agentbench_tasks.calendar_mail.domain.cal_write import CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.event_arguments import Guest
from agentbench_tasks.calendar_mail.domain.letters import Tone, letter
from agentbench_tasks.calendar_mail.domain.mail_read import MailGetThread
from agentbench_tasks.calendar_mail.domain.notices import SendUpdates
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.reschedule.answer import RescheduleAnswer
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.calendar_mail.domain.reschedule.mails import FILE, moment, topic, writing
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Window
from agentbench_tasks.calendar_mail.domain.reschedule.reading import Reading
from agentbench_tasks.commons.contacts import ContactsSearch
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft, MailUpdateDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.messages import MailSearchMessages
from agentbench_tasks.commons.texts import DurationSlot, SlotValue, Text, body_of
from agentbench_tasks.commons.zones import ClockZoneInfo


class Moves:
    """Reads what there is to read, moves the event, writes and sends the replies."""

    def __init__(self, case: RescheduleCase, do: Do) -> None:
        self.case, self.do = case, do
        self.plan, self.user = case.plan, case.built.office.user
        self.zone = self.user.contact.zone
        self.event_id = case.built.event.id
        self.sent: list[str] = []
        self._draw = Draw("replies", case.built.event.id)

    # --- reading

    def read(self) -> str:
        """Read everything that counts; return the local start at which all three can meet."""
        do, plan, days = self.do, self.plan, self.plan.target.days
        old = plan.old_day.isoformat()
        do(CalListEvents(from_at=old, to_at=old))
        do(CalGetEvent(event_id=self.event_id))
        people = [self.user, *self.case.built.pair]
        cards = [do(ContactsSearch(query=person.address)).contacts[0] for person in people]
        zones = dict.fromkeys(card.zone for card in cards)
        at = days[0].isoformat()
        found = Reading({zone: do(ClockZoneInfo(zone=zone, at=at)).utc_offset for zone in zones})
        found.cards = cards
        for country in dict.fromkeys(card.country for card in cards):
            listed = do(HolidaysListDays(country=country, from_date=at, to_date=days[-1].isoformat())).days
            off = {row.date for row in listed if row.status == "confirmed" and "private" in row.applies_to}
            found.days_off[country] = off
        for person in self.case.built.pair:
            offered = self._windows(person)
            if not person.contact.is_internal:
                found.offers[person.address] = offered
        self._calendars(found)
        return found.first_start(days, self.zone, plan.minutes)

    def _windows(self, person: Person) -> list[Window]:
        """Read somebody's mails in the meeting's threads; return the windows that they still offer."""
        built, windows, read = self.case.built, list[Window](), set[str]()
        heads = self.do(MailSearchMessages(sender=person.address)).messages
        for thread in dict.fromkeys(head.thread_id for head in heads if head.thread_id in built.threads):
            token = ""
            while True:
                page = self.do(MailGetThread(thread_id=thread, page_token=token))
                read.update(mail.message_id for mail in page.messages)
                token = page.next_page_token
                if not token:
                    break
        for mail, (who, offered) in built.said.items():
            if mail in read and built.others[who] is person:
                windows += offered
        gone = self.plan.withdrawn
        if gone and built.taken_back in read and built.others[gone[0]] is person:
            windows.remove(gone[1])
        return windows

    def _calendars(self, found: Reading) -> None:
        days = self.plan.target.days
        first, last = days[0].isoformat(), days[-1].isoformat()
        self.do(CalListEvents(from_at=first, to_at=last))
        addresses = [self.user.address, *(one.address for one in self.case.built.pair if one.contact.is_internal)]
        for row in self.do(CalQueryFreeBusy(addresses=addresses, from_at=first, to_at=last)).calendars:
            for span in row.busy:
                found.busy.append((found.utc(span.start.local, self.zone), found.utc(span.end.local, self.zone)))

    # --- the event

    def times(self, local: str, minutes: int = 0, zone: str | None = None) -> tuple[Time, Time]:
        """Return start and end of the meeting, in the user's zone if no other is given."""
        start = to_instant(local, self.zone)
        end = to_local(start + (minutes or self.plan.minutes) * 60, self.zone)
        zone = self.zone if zone is None else zone
        return Time(local=local, zone=zone), Time(local=end, zone=zone)

    def move(
        self,
        local: str,
        *,
        minutes: int = 0,
        zone: str | None = None,
        attendees: Sequence[Guest] = (),
        send_updates: SendUpdates = "none",
    ) -> None:
        """Move the event without telling its guests."""
        start, end = self.times(local, minutes, zone)
        guests, event = list(attendees), self.event_id
        self.do(CalUpdateEvent(event_id=event, start=start, end=end, attendees=guests, send_updates=send_updates))

    # --- the replies

    def letter(
        self,
        person: Person,
        local: str,
        *,
        language: str = "",
        tone: Tone = "formal",
        kind: str = "moved",
        zone: str = "",
    ) -> str:
        """Write to somebody that the meeting has moved, in their zone, with what the user wants said."""
        language, zone = language or person.language, zone or person.contact.zone
        writer = writing(self.user, language)
        slots: dict[str, SlotValue] = {
            "title": topic(self.case.built.title, language),
            "moment": moment(to_instant(local, self.zone), zone, language),
            "zone": zone_words(zone, language),
            "duration": DurationSlot(self.plan.minutes),
        }
        if kind == "casual":
            person = msgspec.structs.replace(person, contact=msgspec.structs.replace(person.contact, relation="friend"))
        return body_of(letter(self._draw, writer, person, [self._answer(kind, language, **slots)], tone))

    def _answer(self, kind: str, language: str, **slots: SlotValue) -> Text:
        return Text.fitting(FILE, f"answers.{kind}", language, self._draw.variant((0, 1, 2, 3)), **slots)

    def with_wishes(self, person: Person, body: str, language: str = "") -> str:
        """Add what this user wants in a reply, before the closing."""
        wish = self.plan.cast.change
        if wish == "none" or (wish == "sorry" and person.contact.relation != "client"):
            return body
        line = body_of(self._answer(wish, language or person.language, code=self.case.built.code))
        head, _, closing = body.rpartition("\n\n")
        return f"{head}\n{line}\n\n{closing}"

    def draft(self, person: Person, body: str) -> str:
        """Save a reply to somebody as a draft."""
        return self.do(self._writing(person, body)).draft_id

    def _writing(self, person: Person, body: str) -> MailCreateDraft:
        mail = self.answered(person)
        subject = f"Re: {topic(self.case.built.title, person.language)}"
        return MailCreateDraft(to=[person.address], subject=subject, body=body, in_reply_to=mail)

    def answered(self, person: Person) -> str:
        """The mail in which somebody said what suits them."""
        built = self.case.built
        return next(mail for mail, (who, _) in built.said.items() if built.others[who] is person)

    def ask(self, draft_id: str) -> bool:
        """Ask for leave to send a draft."""
        asked = UserRequestApproval(
            tool=MailSendDraft.name, arguments=json.dumps({"draft_id": draft_id}), summary="Send this reply."
        )
        return self.do(asked).decision == "granted"

    def send(self, draft_id: str, person: Person, body: str, language: str = "") -> None:
        """Ask for leave to send a draft, with what the user misses added where it is refused, and send it."""
        if not self.ask(draft_id):
            whole = self.with_wishes(person, body, language)
            writes = self._writing(person, whole).model_dump()
            self.do(MailUpdateDraft(draft_id=draft_id, **writes))
            self.ask(draft_id)
        self.sent.append(self.do(MailSendDraft(draft_id=draft_id)).message_id)

    def reply(self, person: Person, body: str, language: str = "") -> None:
        """Draft a reply and send it."""
        self.send(self.draft(person, body), person, body, language)

    def reply_to_both(self, local: str) -> None:
        """Draft both replies, then send them one by one."""
        bodies = [(person, self.letter(person, local)) for person in self.case.built.pair]
        drafts = [(self.draft(person, body), person, body) for person, body in bodies]
        for draft in drafts:
            self.send(*draft)

    def finish(self) -> None:
        """Deliver the answer."""
        self.do(RescheduleAnswer(event_id=self.event_id, reply_message_ids=self.sent))
