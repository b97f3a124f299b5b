"""The mails and calendar files of an instance: how the time was agreed, the invitation, and others like it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.text.render import zone_words
from agentbench_env.text.template import fill
from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.diary import Guest
from agentbench_tasks.calendar_mail.domain.file_times import known_zone
from agentbench_tasks.calendar_mail.domain.invite_audit.agreement import Agreement, Setup
from agentbench_tasks.calendar_mail.domain.invite_audit.invitation import CalendarFile, Wording, plain_file
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import Plot
from agentbench_tasks.calendar_mail.domain.invites import Invite
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import hours_on
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import MomentSlot, SlotValue, Stated, Text, TimeSlot

FILE = "invite_audit"
FILE_START, AGREED_START, WEEKLY = "invite.file_start", "invite.agreed_start", "invite.weekly"
"""Keys of what the file and the agreeing mail state: instants, and that the meeting is weekly."""
TOPICS = range(16)
OLDEST_S, NEWEST_S = 9 * 86_400, 1_800
"""Between these ages lie the mails of the story."""
_DAY = 86_400


class Told(msgspec.Struct, frozen=True):
    """What an instance's own mails are."""

    topic: str
    anchor: Message
    """The mail that fixes the time."""
    invitation: Message
    invite: Invite
    event: Event
    """What the invitation put on the user's calendar."""


def topic(number: int, language: str) -> str:
    """Return what a meeting is about."""
    found: str = shared_table(f"text/{language}/{FILE}")["topics"][number]
    return found


def moment(local: str, language: str) -> MomentSlot:
    """Return a local time as mails of a language write it."""
    styles = shared_table(f"text/{language}/{FILE}")["styles"]
    return MomentSlot(local, styles["date"], styles["time"])


class Letters:
    """Writes mails through the desk's post, one story after the other.

    Args:
        draw: the stream to draw from.
        desk: the office.
    """

    def __init__(self, draw: Draw, desk: Desk) -> None:
        self._draw, self._desk = draw, desk
        self._ids = draw.stream("ids")
        self._calendar: list[Record] = []
        self._at = 0
        self._taken: dict[str, set[str]] = {}
        """What each person has other meetings about."""

    def tell(self, plot: Plot, setup: Setup, organiser: Person, file: CalendarFile, words: Wording) -> Told:
        """Write how the time was agreed, and the invitation; raise NoFit if that does not end in time."""
        language, agreed = organiser.language, setup.agreed
        main, aside = (topic(number, language) for number in self._draw.sample(self._draw.pool(TOPICS), 2))
        self._at = self._desk.now - OLDEST_S - self._draw.int(0, _DAY)
        opening = [self._text("open", organiser, topic=main)]
        if setup.example:
            opening.insert(0, self._example(organiser, setup))
        first = self._mail(organiser, main, opening)
        last, about = first, ()
        if plot.far:
            self._answer(first, organiser, "noted")
            last = self._mail(organiser, aside, [self._text("open", organiser, topic=aside)])
            about = (self._text("about", organiser, topic=main),)
        last = self._answer(last, organiser, "ask_time", about)
        if "moved" in plot.sides:
            before = msgspec.structs.replace(agreed, local=self._earlier_choice(agreed))
            last = self._agree(last, organiser, "anchor", before, about, plot, binding=False)
            last = self._answer(last, organiser, "cannot")
        anchor = self._agree(last, organiser, "again" if "moved" in plot.sides else "anchor", agreed, about, plot)
        if self._draw.chance(0.6):
            self._answer(anchor, organiser, "noted")
        invitation = self._invitation(first, organiser, main, words, agreed)
        invite, event = self._entry(invitation, organiser, main, file, stated=True)
        return Told(main, anchor, invitation, invite, event)

    def decoy(self, person: Person, taken: Sequence[str]) -> None:
        """Write about a meeting with somebody else, or about something else; some of it ends in an invitation."""
        zone, language = person.contact.zone, person.language
        known = self._taken.setdefault(person.id, {*taken})
        titles = [title for number in self._draw.pool(TOPICS) if (title := topic(number, language)) not in known]
        title, day = self._draw.choice(titles), self._desk.today + timedelta(self._draw.int(2, 18))
        known.add(title)
        while not working_days(person.contact.country).is_open(day):
            day += timedelta(1)
        wall = f"{day.isoformat()}T{self._draw.int(9, 16):02}:{self._draw.choice(('00', '30'))}"
        agreed = Agreement(zone, wall, 1, 60)
        self._at = self._desk.now - OLDEST_S + self._draw.int(0, 3 * _DAY)
        first = self._mail(person, title, [self._text("open", person, topic=title)])
        last = self._answer(first, person, "ask_time")
        last = self._reply(person, last, [self._agreement("anchor", person, agreed, "")])
        if self._draw.chance(0.5):
            text = self._text("invite_city", person, moment=moment(wall, language), zone=zone_words(zone, language))
            invitation = self._invite(first, person, title, [text])
            self._entry(invitation, person, title, plain_file(agreed))

    def hostile(self, writer: Person) -> None:
        """Write a mail that tells assistants what to do."""
        text = self._text("hostile", writer)
        at = self._desk.now - self._draw.int(2, 12) * _DAY
        self._desk.post.mail(writer, [self._desk.user], at, text, [text])

    @property
    def calendar_records(self) -> tuple[Record, ...]:
        """Every invitation's file and event so far."""
        return tuple(self._calendar)

    # --- what is said

    def _text(self, kind: str, writer: Person, **slots: SlotValue) -> Text:
        variant = self._draw.variant(WORDINGS)
        return Text.fitting(FILE, f"mails.{kind}", writer.language, variant, **particles(writer), **slots)

    def _agreement(self, kind: str, writer: Person, agreed: Agreement, suffix: str) -> Text:
        language = writer.language
        return self._text(
            f"{kind}{suffix}",
            writer,
            moment=moment(agreed.local, language),
            zone=zone_words(agreed.zone, language),
            utc=f"{to_local(agreed.start, 'UTC')[11:]} UTC",
            n=agreed.weeks,
        )

    def _example(self, organiser: Person, setup: Setup) -> Text:
        """Recall an earlier call at the same time of day, with the time that it then was for the user."""
        language, zone = organiser.language, setup.agreed.zone
        here = to_local(setup.example, self._desk.user.contact.zone)
        return self._text(
            "example",
            organiser,
            moment=moment(to_local(setup.example, zone), language),
            zone=zone_words(zone, language),
            clock=TimeSlot(here[11:], moment(here, language).time_style),
        )

    def _earlier_choice(self, agreed: Agreement) -> str:
        """A time of the same day that was agreed first and then given up."""
        hour, half = int(agreed.local[11:13]), agreed.local[13:]
        others = [other for other in range(7, 22) if abs(other - hour) in (2, 3)]
        return f"{agreed.local[:11]}{self._draw.choice(others):02}{half}"

    # --- mails

    def _mail(self, writer: Person, subject: str, sentences: Sequence[SlotValue]) -> Message:
        at = self._next(writer)
        return self._desk.post.mail(writer, [self._desk.user], at, subject, sentences)

    def _reply(
        self, writer: Person, to: Message, sentences: Sequence[SlotValue], stated: Sequence[Stated] = ()
    ) -> Message:
        quotes = to if not to.quotes or self._draw.chance(0.3) else None
        return self._desk.post.mail(
            writer, [self._desk.user], self._next(writer), "", sentences, answers=to, quotes=quotes, stated=stated
        )

    def _answer(self, to: Message, reader: Person, kind: str, about: Sequence[Text] = ()) -> Message:
        """The user answers."""
        user = msgspec.structs.replace(self._desk.user, language=reader.language)
        sentences = [*about, self._text(kind, user)]
        return self._desk.post.mail(user, [reader], self._next(self._desk.user), "", sentences, answers=to, quotes=to)

    def _agree(
        self,
        to: Message,
        organiser: Person,
        kind: str,
        agreed: Agreement,
        about: Sequence[Text],
        plot: Plot,
        *,
        binding: bool = True,
    ) -> Message:
        suffix = "_weekly" if agreed.weeks > 1 else "_utc" if plot.in_utc and kind == "anchor" else ""
        stated = [Stated(AGREED_START, agreed.start)] if binding else []
        if binding and agreed.weeks > 1:
            stated.append(Stated(WEEKLY, True))
        return self._reply(organiser, to, [*about, self._agreement(kind, organiser, agreed, suffix)], stated)

    def _invitation(self, first: Message, organiser: Person, title: str, words: Wording, agreed: Agreement) -> Message:
        language = organiser.language
        kind = "invite_abbr" if words.abbreviation else "invite_weekly" if agreed.weeks > 1 else "invite_city"
        sentences = [
            self._text(
                kind,
                organiser,
                moment=moment(words.local, language),
                zone=zone_words(agreed.zone, language),
                abbr=words.abbreviation,
                n=agreed.weeks,
            )
        ]
        if words.note:
            told = moment(words.noted, language)
            clock = TimeSlot(words.noted[11:], told.time_style)
            sentences.append(self._text(f"note_{words.note}", organiser, moment=told, clock=clock))
        return self._invite(first, organiser, title, sentences)

    def _invite(self, first: Message, organiser: Person, title: str, sentences: Sequence[Text]) -> Message:
        pattern: str = shared_table(f"text/{organiser.language}/{FILE}")["form"]["invitation"]
        subject = fill(pattern, {"topic": title})[0]
        at = self._next(organiser)
        return self._desk.post.mail(
            organiser, [self._desk.user], at, subject, sentences, thread=first.thread_id, kind="event_invite",
            is_read=self._draw.chance(0.5),
        )  # fmt: skip

    # --- calendar

    def _entry(
        self, mail: Message, organiser: Person, title: str, file: CalendarFile, *, stated: bool = False
    ) -> tuple[Invite, Event]:
        """Put an invitation's file beside its mail, and its event on the user's calendar."""
        desk, start = self._desk, file.instants[0]
        here = desk.user.contact.zone
        facts = [Stated(FILE_START, start, "start")] if stated else []
        facts += [Stated(WEEKLY, True)] if stated and file.rrule else []
        invite = Invite(
            id=self._ids.id("inv"),
            message_id=mail.id,
            uid=f"{self._ids.id('uid')[4:]}@calendar.example",
            organizer=organiser.header,
            summary=title,
            start=file.start,
            end=file.end,
            stamped_at=mail.sent_at - 60,
            attendees=(desk.user.header,),
            blocks=file.blocks,
            rrule=file.rrule,
            stated=tuple(msgspec.structs.replace(fact, slot="") for fact in facts),
        )
        zone = "" if file.floating else "UTC" if file.start.utc else known_zone(file.start.tzid) or here
        begins, ends = When(file.start.local), When(file.end.local)
        if zone:
            length = to_instant(file.end.local, "UTC") - to_instant(file.start.local, "UTC")
            begins, ends = (When(to_local(at, zone), zone) for at in (start, start + length))
        calendar = desk.calendar_of(organiser).id if organiser.contact.is_internal else ""
        event = Event(
            id=self._ids.id("evt"),
            ical_uid=invite.uid,
            calendar_id=calendar,
            organizer=organiser.address,
            title=title,
            start=begins,
            end=ends,
            rrule=file.rrule,
            attendees=(Guest(organiser).attendee(), Guest(desk.user, response="needs_action").attendee()),
            created_at=mail.sent_at,
            updated_at=mail.sent_at,
            stated=tuple(facts),
        )
        self._calendar += [invite, event]
        return invite, event

    # --- when

    def _next(self, writer: Person) -> int:
        """The writer's next moment at work after the mail before; raise NoFit if it is not in the past."""
        card, earliest = writer.contact, self._at + 60 * self._draw.int(20, 300)
        day = date.fromisoformat(to_local(earliest, card.zone)[:10])
        for ahead in range(8):
            on = day + timedelta(ahead)
            spans = hours_on(card.working_week, on, card.zone) if working_days(card.country).is_open(on) else []
            for first, last in spans:
                at = max(first + 60 * self._draw.int(3, 40), earliest)
                if at < last:
                    self._at = at
                    if at > self._desk.now - NEWEST_S:
                        raise NoFit
                    return at
        raise NoFit
