"""What the assistant wrote to venues and firms, and what each kind of message has to say."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from datetime import date
from functools import cache

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.market import shared_table
from agentbench_env.text.facts import mentions, names, states
from agentbench_env.text.fold import fold
from agentbench_env.text.own import own_text
from agentbench_env.text.phrases import says
from agentbench_env.world import World
from agentbench_tasks.commons.messages import Channel, Message
from agentbench_tasks.commons.service_time import add_days, service_clock, service_minutes
from agentbench_tasks.commons.texts import body_of, title_of
from agentbench_tasks.reservations.domain.evened import FILE, evened, number_pattern
from agentbench_tasks.reservations.domain.guides import LONGEST_CANCELLATION
from agentbench_tasks.reservations.domain.messages import MessageDraft, MsgSendDraft, Thread
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, has_code, states_quote_fact

DAY_MINUTES = 24 * 60


class Letter(msgspec.Struct, frozen=True):
    """A message that the assistant wrote, as a draft or sent."""

    id: str
    channel: Channel
    recipient_id: str
    """The venue or contact, "" for a group."""
    thread_id: str
    subject: str
    body: str
    attachment_ids: tuple[str, ...]
    sent_at: int
    """The instant at which it left, 0 for a draft."""

    @property
    def is_sent(self) -> bool:
        """Whether it left."""
        return self.sent_at > 0

    @property
    def whole(self) -> str:
        """Subject and body."""
        return f"{self.subject}\n{self.body}" if self.subject else self.body


def letters(world: World) -> list[Letter]:
    """Return every message of the episode that was sent or stands as a draft; those sent come first."""
    known = world.start.records
    return [_sent(message, world) for message in world.all(Message) if message.id not in known] + [
        Letter(
            draft.id,
            draft.channel,
            draft.recipient_id,
            draft.thread_id,
            draft.subject,
            draft.body,
            draft.attachment_ids,
            0,
        )
        for draft in world.all(MessageDraft)
        if draft.id not in known
    ]


def named_letter(ep: Episode, draft_id: str) -> Letter | None:
    """Return the message that an answer names, by the id of its draft or, once it was sent, of either."""
    id = draft_id.strip()
    sent = [entry for entry in ep.calls(MsgSendDraft) if json.loads(entry.arguments)["draft_id"] == id]
    ids = {id, *(change.id for entry in sent for change in entry.changes)}
    return next((letter for letter in letters(ep.world) if letter.id in ids), None)


def _sent(message: Message, world: World) -> Letter:
    thread = world.get(Thread, message.thread_id)
    return Letter(
        message.id,
        message.channel,
        thread.counterpart_id,
        thread.id,
        title_of(message.subject),
        body_of(message.body),
        message.attachment_ids,
        message.sent_at,
    )


class Booking(msgspec.Struct, frozen=True):
    """A booking as a message speaks of it; the time is one of the service of the day, hours 00 to 29."""

    names: tuple[str, ...]
    """Accepted forms of the name that it is under."""
    day: str
    clock: str
    party_size: int
    reference: str = ""


def cancellation_fault(text: str, booking: Booking, language: str, written_on: date) -> str:
    """Say what a message that calls a booking off lacks, "" if nothing."""
    if len(text) > LONGEST_CANCELLATION:
        return f"has {len(text)} characters, more than {LONGEST_CANCELLATION}"
    if not says(text, "shop_phrases.cancel"):
        return "does not say that the booking is called off"
    return booking_fault(text, booking, language, written_on)


def change_fault(text: str, booking: Booking, wanted: Booking, language: str, written_on: date) -> str:
    """Say what a request to change a booking lacks, "" if nothing: which booking, and each value that is to be new."""
    if not says(text, "shop_phrases.change"):
        return "asks for no change"
    if not tells_name(text, booking.names):
        return "does not tell the name"
    days = any(tells_day(text, day, written_on) for day in _days(booking))
    told = days and tells_clock(text, booking.clock, written_on)
    if not (told or (booking.reference and has_code(text, booking.reference))):
        return "tells neither the reference nor day and time of the booking"
    if wanted.day != booking.day and not tells_day(text, wanted.day, written_on, standing=True):
        return f"does not ask for {wanted.day}"
    if wanted.clock != booking.clock and not tells_clock(text, wanted.clock, written_on, standing=True):
        return f"does not ask for {wanted.clock}"
    if wanted.party_size == booking.party_size:
        return ""
    missing = [size for size in (booking.party_size, wanted.party_size) if not tells_party(text, size, language)]
    return f"does not tell the number of guests {missing[-1]}" if missing else ""


def cover_fault(text: str, booking: Booking, language: str, written_on: date) -> str:
    """Say what the message with a pre-order lacks, or that it settles what is still open; "" if neither."""
    if says(text, "shop_phrases.settles"):
        return "commits to the order"
    return booking_fault(text, booking, language, written_on)


def booking_fault(text: str, booking: Booking, language: str, written_on: date) -> str:
    """Say which of name, day and time a message does not tell or tells of another booking, "" if none."""
    if not tells_name(text, booking.names):
        return "does not tell the name"
    if not any(tells_day(text, day, written_on) for day in _days(booking)):
        return f"does not tell the day {booking.day}"
    if not tells_clock(text, booking.clock, written_on):
        return f"does not tell the time {booking.clock}"
    return ""


def _days(booking: Booking) -> tuple[str, ...]:
    """The days that may be told: the one of the service and, past midnight, that of the calendar."""
    late = service_minutes(booking.clock) >= DAY_MINUTES
    return (booking.day, add_days(booking.day, 1)) if late else (booking.day,)


def enquiry_fault(
    text: str, trade: str, slot: QuoteFact, facts: Iterable[QuoteFact], language: str, written_on: date
) -> str:
    """Say what an enquiry lacks of what the firm has to know, "" if nothing."""
    return asking_fault(text, trade, slot, language, written_on) or facts_fault(text, facts, language, written_on)


def asking_fault(text: str, trade: str, slot: QuoteFact, language: str, written_on: date) -> str:
    """Say that an enquiry asks for no price of the service or does not offer the visit window, "" if it does both."""
    if not says(text, "shop_phrases.quote"):
        return "asks for no quote"
    if not says(text, f"shop_phrases.{trade}"):
        return f"does not name the service {trade}"
    return "" if states_quote_fact(text, slot, language, written_on) else f"does not offer {slot.value}"


def facts_fault(text: str, facts: Iterable[QuoteFact], language: str, written_on: date) -> str:
    """Say which facts a message does not state, "" if it states all."""
    missing = [f"{fact.key} {fact.value}" for fact in facts if not states_quote_fact(text, fact, language, written_on)]
    return f"does not state {', '.join(missing)}" if missing else ""


def false_facts(text: str, wrong: Iterable[QuoteFact], language: str, written_on: date) -> list[QuoteFact]:
    """Return those of some wrong values that a message states."""
    return [fact for fact in wrong if states_quote_fact(text, fact, language, written_on)]


def tells_name(text: str, forms: Sequence[str]) -> bool:
    """Whether a message names the guest in one of the accepted forms."""
    own = _name_after().sub(r"\g<0> ", own_text(text))
    return any(names.occurs(form, own) for form in forms)


@cache
def _name_after() -> re.Pattern[str]:
    """Words that stand right before a name, without a blank."""
    return re.compile("|".join(shared_table(FILE)["name_after"].values()))


def tells_day(text: str, day: str, written_on: date, *, standing: bool = False) -> bool:
    """Whether a message names a day; `standing`: as one that holds, not one that is given up."""
    if standing:
        return states(text, "date", day, written_on=written_on)
    return day in _mentioned(text, "date", written_on)


def tells_clock(text: str, clock: str, written_on: date, *, standing: bool = False) -> bool:
    """Whether a message names a time of a service; past midnight either way of counting the hours will do."""
    past, minutes = divmod(service_minutes(clock), DAY_MINUTES)
    if past and _late(clock).search(fold(own_text(text))):
        return True
    clock = service_clock(minutes)
    if standing:
        return states(text, "time", clock, written_on=written_on)
    return clock in _mentioned(text, "time", written_on)


@cache
def _late(clock: str) -> re.Pattern[str]:
    """A time past midnight as the service counts it: 25:30, 25時30分."""
    hours, minutes = clock.split(":")
    hour_sign = shared_table(FILE)["hour_sign"]
    whole = rf"|{hours} ?(?:{hour_sign})(?! ?[0-9])" if minutes == "00" else ""
    return re.compile(rf"(?<![0-9])(?:{hours} ?(?:[:.]|{hour_sign}) ?{minutes}(?![0-9]){whole})")


def _mentioned(text: str, kind: str, written_on: date) -> Collection[str]:
    found = mentions(own_text(text), written_on=written_on)
    return {value for one in found if one.kind == kind for value in one.values}


def tells_party(text: str, size: int, language: str) -> bool:
    """Whether a message tells a number of guests."""
    even = evened(text, language)
    if number_pattern(shared_table(FILE)["party"][language], str(size)).search(even):
        return True
    return size == 2 and any(dual in even for dual in _duals(language))


@cache
def _duals(language: str) -> tuple[str, ...]:
    words: str = shared_table(FILE)["party_duals"].get(language, "")
    return tuple(map(fold, words.split("|"))) if words else ()
