"""How a careful assistant resolves a double booking: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.text.render import zone_words
from agentbench_env.tool import Tool
from agentbench_env.user import ApprovalResult, UserRequestApproval
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent, CalQueryFreeBusy
from agentbench_tasks.calendar_mail.domain.cal_write import CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.double_booking.answer import DoubleBookingAnswer, RuleClaim
from agentbench_tasks.calendar_mail.domain.double_booking.case import DoubleBookingCase
from agentbench_tasks.calendar_mail.domain.double_booking.mails import FILE
from agentbench_tasks.calendar_mail.domain.double_booking.reading import (
    Calendars,
    Rules,
    Seen,
    lower_of,
    read_rules,
    speaks_of_a_deadline,
)
from agentbench_tasks.calendar_mail.domain.event_arguments import Scope
from agentbench_tasks.calendar_mail.domain.letters import letter
from agentbench_tasks.calendar_mail.domain.notices import SendUpdates
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.contacts import Card, ContactsSearch
from agentbench_tasks.commons.days import HolidaysListDays
from agentbench_tasks.commons.drafts import MailCreateDraft, MailSendDraft, MailUpdateDraft
from agentbench_tasks.commons.event_list import CalListEvents, EventRow
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.recurrence import WEEKDAYS
from agentbench_tasks.commons.texts import MomentSlot, Text, body_of
from agentbench_tasks.commons.zones import ClockZoneInfo

MOST_TO = 10
"""How many people a mail can be addressed to; those beyond get a copy."""
AHEAD = timedelta(14)
"""How far ahead days off are read: no three working days take longer."""


class Note(msgspec.Struct, frozen=True):
    """A note before it is a draft: to whom, in whose zone and language, and to whom its greeting speaks."""

    to: tuple[str, ...]
    zone: str
    reader: Person | None
    """None for a note to several colleagues."""


class Moves:
    """Reads what there is to read, moves a meeting, writes notes."""

    def __init__(self, case: DoubleBookingCase, do: Do) -> None:
        self.case, self.do = case, do
        self.user, self.zone = case.built.office.user, case.zone
        self.language = case.built.office.setting.language
        self.days: list[date] = []
        self.calendars = Calendars()
        self.drafts: list[tuple[Note, str]] = []
        self._cards: dict[str, Card] = {}
        self._draw = Draw("notes", case.built.lower.event.id)

    # --- reading

    def look(self) -> tuple[Rules, Seen, Seen]:
        """Read both meetings, the house's rules, the cards of everybody and what is linked."""
        do, said = self.do, to_local(max(self.case.built.plan.starts), self.zone)
        rows = do(CalListEvents(from_at=said[:10], to_at=said[:10])).events
        one, other = (do(CalGetEvent(event_id=row.event_id)) for row in rows if _is_on(row, said))
        head = do(PagesSearch(query=self.user.contact.organisation, kind="house_guide")).pages[0]
        page = do(PagesGet(page_id=head.page_id))
        rules = read_rules(page.sections, self.language)
        self._read_cards()
        seen: list[Seen] = []
        for event in (one, other):
            cards = [self._cards[guest.address] for guest in event.attendees if guest.role != "resource"]
            deadline = event.event_id if speaks_of_a_deadline(event.description, self.language) else ""
            if not deadline:
                deadline = self._linked(event.title, event.description, cards)
            seen.append(Seen(event, tuple(cards), self._cards[event.organizer], deadline))
        return rules, seen[0], seen[1]

    def decide(self) -> tuple[Rules, str, str, Seen, Seen]:
        """Read everything; return the rules, what separates the two with its section, the lower and the upper one."""
        rules, one, other = self.look()
        return rules, *lower_of(rules, one, other)

    def _read_cards(self) -> None:
        token = ""
        while True:
            page = self.do(ContactsSearch(query="", page_token=token))
            self._cards |= {card.emails[0]: card for card in page.contacts}
            token = page.next_page_token
            if not token:
                return

    def _linked(self, title: str, description: str, cards: Sequence[Card]) -> str:
        """Read the mail to which a description refers; return it if it speaks of a date that binds."""
        writer = next((card for card in cards if _is_named(card, description)), None)
        if writer is None:
            return ""
        rows = self.do(MailSearchMessages(query=title, sender=writer.emails[0])).messages
        mail = self.do(MailGetMessage(message_id=rows[0].message_id))
        return mail.message_id if speaks_of_a_deadline(mail.body, writer.languages[0]) else ""

    def free(self, rules: Rules, meeting: Seen) -> str:
        """Read when those who are required can meet; return the first local start to which a meeting can be moved."""
        do, known = self.do, self.calendars
        day = date.fromisoformat(meeting.start.local[:10])
        cards = meeting.required
        for country in dict.fromkeys(card.country for card in cards):
            listed = do(
                HolidaysListDays(country=country, from_date=day.isoformat(), to_date=(day + AHEAD).isoformat())
            ).days
            off = {row.date for row in listed if row.status == "confirmed" and "private" in row.applies_to}
            known.days_off[country] = off
        while len(self.days) < rules.days:
            day += timedelta(1)
            if known.works(self.user.contact.country, day):
                self.days.append(day)
        self._read_offsets(cards)
        self._read_busy(meeting, rules)
        return known.first_start(self.days, self.zone, meeting.minutes, cards)

    def _read_offsets(self, cards: Sequence[Card]) -> None:
        """Read the offset of each zone on each day allowed; its clocks change at most once in between."""
        near = [self.days[0] + timedelta(n) for n in range(-1, (self.days[-1] - self.days[0]).days + 2)]
        for zone in dict.fromkeys(card.zone for card in cards):
            first = last = self.do(ClockZoneInfo(zone=zone, at=near[0].isoformat()))
            change = first.next_change.local_before[:10] or near[-1].isoformat()
            if change < near[-1].isoformat():
                last = self.do(ClockZoneInfo(zone=zone, at=near[-1].isoformat()))
            for day in map(date.isoformat, near):
                self.calendars.learn(zone, day, (first if day < change else last).utc_offset)

    def _read_busy(self, meeting: Seen, rules: Rules) -> None:
        first, last = self.days[0].isoformat(), self.days[-1].isoformat()
        asked = [card.emails[0] for card in meeting.required if card.is_internal]
        asked += [room for room in (meeting.room(rules.only_room),) if room]
        for row in self.do(CalQueryFreeBusy(addresses=asked, from_at=first, to_at=last)).calendars:
            for span in row.busy:
                both = (self.calendars.utc(one.local, self.zone) for one in (span.start, span.end))
                self.calendars.busy.append(tuple(both))  # type: ignore[arg-type]

    # --- the calendar

    def move(
        self,
        meeting: Seen,
        local: str,
        *,
        scope: Scope = "this",
        send_updates: SendUpdates = "none",
        shorter: int = 0,
    ) -> None:
        """Move a meeting; with the scope all, its series goes along to the new weekday."""
        end = to_local(to_instant(local, self.zone) + (meeting.minutes - shorter) * 60, self.zone)
        start, until = Time(local=local, zone=self.zone), Time(local=end, zone=self.zone)
        rrule = ""
        if scope == "all":
            series = self.do(CalGetEvent(event_id=meeting.event.series_id))
            weekday = WEEKDAYS[date.fromisoformat(local[:10]).weekday()]
            rrule = re.sub(r"BYDAY=\w+", f"BYDAY={weekday}", series.rrule)
        self.do(
            CalUpdateEvent(
                event_id=meeting.id, scope=scope, start=start, end=until, rrule=rrule, send_updates=send_updates
            )
        )

    # --- notes

    def notes(self, meeting: Seen) -> list[Note]:
        """Say who gets a note: colleagues here together, everybody else alone."""
        cards = [card for card in meeting.cards if card.emails[0] != self.user.address]
        here = [card for card in cards if card.is_internal and card.zone == self.zone]
        notes = [Note(tuple(card.emails[0] for card in here), self.zone, None)] if here else []
        office = self.case.built.office
        return notes + [
            Note((card.emails[0],), card.zone, office.person(card.emails[0])) for card in cards if card not in here
        ]

    def body(self, meeting: Seen, note: Note, local: str, *, kind: str = "moved") -> str:
        """Write that a meeting is now at another time, in the zone of whoever reads it."""
        language = note.reader.language if note.reader else self.language
        style = _styles(language)

        def moment(at: str) -> MomentSlot:
            return MomentSlot(to_local(to_instant(at, self.zone), note.zone), style["date"], style["time"])

        text = Text.fitting(
            FILE, f"notes.{kind}", language, self._draw.variant((0, 1, 2, 3)),
            title=meeting.event.title, moment=moment(local), old=moment(meeting.start.local),
            zone=zone_words(note.zone, language),
        )  # fmt: skip
        writer = msgspec.structs.replace(self.user, language=language)
        return body_of(letter(self._draw, writer, note.reader, [text]))

    def _mail(self, meeting: Seen, note: Note, local: str, kind: str) -> dict[str, Any]:
        """The fields of a note."""
        body, to = self.body(meeting, note, local, kind=kind), list(note.to)
        return {"to": to[:MOST_TO], "cc": to[MOST_TO:], "subject": meeting.event.title, "body": body}

    def draft(self, meeting: Seen, note: Note, local: str, *, kind: str = "moved") -> None:
        """Save a note as a draft."""
        call = MailCreateDraft(**self._mail(meeting, note, local, kind))
        self.drafts.append((note, self.do(call).draft_id))

    def draft_all(self, meeting: Seen, local: str, *, kind: str = "moved") -> None:
        """Save a note for every other guest."""
        for note in self.notes(meeting):
            self.draft(meeting, note, local, kind=kind)

    def draft_each(self, meeting: Seen, local: str, *, but: int = 0) -> None:
        """Save a note of their own for every other guest, leaving out the last `but`."""
        notes = self.notes(meeting)
        single = [Note((address,), note.zone, note.reader) for note in notes for address in note.to]
        for note in single[: len(single) - but]:
            self.draft(meeting, note, local)

    def ask(self, call: Tool, summary: str) -> ApprovalResult:
        """Ask for leave for a call."""
        arguments = json.dumps(call.model_dump(mode="json"))
        return self.do(UserRequestApproval(tool=call.name, arguments=arguments, summary=summary))

    def send(self, meeting: Seen, local: str, *, most: int = 2) -> None:
        """Ask to send notes, with the old time added once the user misses it; leave as drafts what may not be sent."""
        add_old = False
        for note, draft_id in self.drafts[:most]:
            call = MailSendDraft(draft_id=draft_id)
            if add_old:
                self.add_old_time(meeting, note, draft_id, local)
            answer = self.ask(call, "Send this note.")
            if answer.decision != "granted" and not add_old and self._misses_old_time(answer.reason):
                add_old = True
                self.add_old_time(meeting, note, draft_id, local)
                answer = self.ask(call, "Send this note, which now has the old time as well.")
            if answer.decision != "granted":
                return
            self.do(call)

    def add_old_time(self, meeting: Seen, note: Note, draft_id: str, local: str) -> None:
        """Write a draft anew, with the old time in it."""
        self.do(MailUpdateDraft(draft_id=draft_id, **self._mail(meeting, note, local, "moved_from")))

    def _misses_old_time(self, reason: str) -> bool:
        spoken = (shared_table(f"text/{language}/{FILE}")["decisions"] for language in (self.language, "en"))
        return any(reason.startswith(words["deny_old_time"].partition("{")[0]) for words in spoken)

    # --- the answer

    def sources(self, rule: str, section: str, upper: Seen) -> list[str]:
        """The records that show why a rule separates the two."""
        shown = upper.deadline if rule == "statutory" else upper.id
        return [section, shown]

    def finish(self, moved: Seen, kept: Seen, section: str, sources: Sequence[str]) -> None:
        """Deliver the answer."""
        claim = RuleClaim(value=section, sources=list(sources))
        self.do(DoubleBookingAnswer(moved_event_id=moved.id, kept_event_id=kept.id, rule=claim))

    def solve(self, *, kind: str = "moved") -> None:
        """Do everything."""
        rules, rule, section, lower, upper = self.decide()
        local = self.free(rules, lower)
        self.move(lower, local)
        self.draft_all(lower, local, kind=kind)
        self.send(lower, local)
        self.finish(lower, upper, section, self.sources(rule, section, upper))


def _is_on(row: EventRow, local: str) -> bool:
    """Whether something is on at a local time."""
    if isinstance(row.start, str) or isinstance(row.end, str):
        return False
    return row.start.local <= local < row.end.local


def _is_named(card: Card, text: str) -> bool:
    return any(name and name in text for name in (card.display_name, card.native_name, card.latin_name))


def _styles(language: str) -> dict[str, str]:
    return shared_table(f"text/{language}/{FILE}")["styles"]
