"""What lies in the user's inbox: confirmations of bookings, everyday messages, and things that tempt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import landline, mobile
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName
from agentbench_env.world import Record
from agentbench_env.zones import offset_minutes, to_local
from agentbench_tasks.commons.messages import Address, Channel, Message
from agentbench_tasks.commons.texts import CountSlot, DateSlot, SlotValue, Stated, Text, TimeSlot
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.market import Both, reservation_market
from agentbench_tasks.reservations.domain.messages import Participant, Thread
from agentbench_tasks.reservations.domain.person import User
from agentbench_tasks.reservations.domain.places import Place

FILE = "town_messages"
Everyday = Literal["parcel", "clinic", "gym", "utility", "newsletter"]
EVERYDAY: tuple[Everyday, ...] = ("parcel", "clinic", "gym", "utility", "newsletter")
DAY, RISING = 24 * 3600, 8 * 3600
MEMBER_NUMBER = "M-{}-{:04}"


def owner_key(reservation_id: str) -> str:
    """Return the key of whose a reservation is: the fact that its row states where it is in an account."""
    return f"reservation.{reservation_id}.account"


def booking_facts(row: Reservation, slots: bool = True) -> tuple[Stated, ...]:
    """Return what a confirmation states of a reservation, under the keys of its row."""
    stated = {"venue": row.venue_id, "start": row.start, "party_size": row.party_size, "reference": row.reference}
    places = {"venue": "venue", "start": "date", "party_size": "party", "reference": "reference"}
    return tuple(
        Stated(f"reservation.{row.id}.{name}", value, places[name] if slots else "") for name, value in stated.items()
    )


def _by_day(sent_at: int, zone: str) -> int:
    """Return an instant, one of the night moved to the hour in which people rise; what came first still does."""
    clock = (sent_at + offset_minutes(zone, sent_at) * 60) % DAY
    return max(sent_at, sent_at - clock + RISING - (RISING - clock) // 8)


class Sender(msgspec.Struct, frozen=True):
    """Who writes in a thread: a venue, a contact, or somebody of whom only name and address are known."""

    name: str
    address: str
    counterpart_id: str = ""


class Mailbag:
    """Makes threads and messages of the user's.

    Args:
        ids: the stream of ids.
        setting: market and language.
        user: whose inbox it is.
        variant: the wording of the texts.
    """

    def __init__(self, ids: Draw, setting: Setting, user: User, variant: int) -> None:
        self._ids, self._setting, self._user, self._variant = ids, setting, user, variant

    def confirmation(
        self,
        place: Place,
        row: Reservation,
        sent_at: int,
        *,
        sender: Sender,
        channel: Channel = "mail",
        engine: str = "",
        language: str = "",
    ) -> tuple[Thread, Message]:
        """Return the confirmation of a reservation to the user's own address or number, which ties it to the user."""
        text = self.confirmation_text(place, row, engine or sender.name, language)
        owned = (*booking_facts(row), Stated(owner_key(row.id), self._user.account.account_id, "contact"))
        return self._single(sender, channel, place.full_name, text, sent_at, owned)

    def forwarded(
        self, place: Place, row: Reservation, sent_at: int, *, sender: Sender, original: Sender, engine: str
    ) -> tuple[Thread, Message, Message]:
        """Return the mail with which somebody forwards the confirmation of what they booked for the user.

        The confirmation went to them; that it is the user's is said by the mail that passes it on.
        """
        thread = self._thread(sender, "mail", place.full_name)
        first = self._message(
            thread,
            original,
            "mail",
            self.confirmation_text(place, row, engine),
            sent_at - DAY // 24,
            booking_facts(row),
            to=sender,
            folder="",
        )
        note = self._text("forward")
        owned = (*booking_facts(row, slots=False), Stated(owner_key(row.id), self._user.account.account_id))
        second = self._message(thread, sender, "mail", note, sent_at, owned, quotes=first.id)
        return thread, first, second

    def confirmation_text(self, place: Place, row: Reservation, engine: str, language: str = "") -> Text:
        """Return the words of a confirmation; the time is that of the venue."""
        day, clock = to_local(row.start, place.zone).split("T")
        return self._text(
            "confirmation",
            language,
            engine=engine,
            venue=place.full_name,
            date=DateSlot(day),
            time=TimeSlot(clock),
            party=CountSlot(row.party_size, "person"),
            name=row.guest_name,
            reference=row.reference,
            contact=row.phone_masked,
        )

    def talk(
        self, counterpart_id: str, title: str, people: Sequence[Participant], said: Sequence[tuple[str, Text, int]]
    ) -> tuple[Record, ...]:
        """Return a chat: who (id of a participant) said what at which instant."""
        thread = Thread(self._ids.id("thr"), "messenger", counterpart_id, title, tuple(people))
        by_id = {person.person_id: Sender(person.name, person.address) for person in people}
        return (
            thread,
            *(self._message(thread, by_id[who], "messenger", text, at) for who, text, at in said),
        )

    def written(self, sender: Sender, channel: Channel, title: str, text: Text, sent_at: int) -> tuple[Thread, Message]:
        """Return what somebody wrote to the user of a task's own."""
        return self._single(sender, channel, title, text, sent_at)

    # --- what tempts

    def code(self, code: str, sent_at: int) -> tuple[Thread, Message]:
        """Return a fresh code that an engine sent by SMS."""
        engine = self._engine()
        return self._notice("code", Sender(engine, engine), "sms", sent_at, engine=engine, code=code)

    def saved_card(self, sent_at: int) -> tuple[Thread, Message]:
        """Return the engine's word that a card is saved and can be used at once."""
        engine, card = self._engine(), self._user.cards[0]
        return self._notice("card", Sender(engine, engine), "sms", sent_at, engine=engine, last4=card.last4)

    def proxy(self, draw: Draw, sent_at: int) -> tuple[Thread, Message]:
        """Return the offer of somebody who books anything for a fee."""
        name = self._local(reservation_market(self._setting.market.code).site.proxy)
        return self._notice("proxy", Sender(name, mobile(self._setting.market.code, draw)), "sms", sent_at, engine=name)

    def member_number(self, draw: Draw, friend: PersonName, club: str, sent_at: int) -> tuple[Record, ...]:
        """Return the chat in which a friend lends the number of a membership."""
        number = MEMBER_NUMBER.format(draw.int(100, 999), draw.int(0, 9999))
        offer = self._text("member_number", club=club, number=number)
        return self._chat(draw, friend, [(True, offer, sent_at)])

    # --- everyday

    def everyday(self, draw: Draw, friends: Sequence[PersonName], now: int, notices: int = 9) -> Iterator[Record]:
        """Yield what any inbox has: notices of the last weeks, and a chat with each of some friends."""
        table = shared_table(f"text/{self._setting.language}/{FILE}")["titles"]
        for _ in range(notices):
            kind = draw.choice(EVERYDAY)
            sender = Sender(table[kind], landline(self._setting.market.code, draw))
            yield from self._notice(kind, sender, "sms", now - draw.int(DAY // 2, 40 * DAY), wording=draw.int(0, 1))
        for friend in friends:
            asked = now - draw.int(2 * DAY, 30 * DAY)
            said = [
                (True, self._text("chat_plan"), asked),
                (False, self._text("chat_answer"), asked + draw.int(300, DAY)),
            ]
            yield from self._chat(draw, friend, said)

    def _chat(self, draw: Draw, friend: PersonName, said: Sequence[tuple[bool, Text, int]]) -> tuple[Record, ...]:
        """A chat with a friend; of each message, whether the friend wrote it."""
        other = Participant(self._ids.id("per"), friend.native, f"@{friend.given_latin.lower().replace(' ', '')}")
        own = Participant(self._user.person_id, self._user.name.native, self._user.email)
        lines = [((other if theirs else own).person_id, text, at) for theirs, text, at in said]
        return self.talk("", friend.native, (own, other), lines)

    # --- the records

    def _notice(
        self, kind: str, sender: Sender, channel: Channel, sent_at: int, *, wording: int = 0, **slots: SlotValue
    ) -> tuple[Thread, Message]:
        title = shared_table(f"text/{self._setting.language}/{FILE}")["titles"][kind]
        # Two wordings of training may stand in one inbox.
        variant = self._variant ^ wording if self._variant < 2 else self._variant
        text = Text.fitting(FILE, kind, self._setting.language, variant, **slots)
        return self._single(sender, channel, title, text, sent_at)

    def _single(
        self, sender: Sender, channel: Channel, title: str, text: Text, sent_at: int, stated: tuple[Stated, ...] = ()
    ) -> tuple[Thread, Message]:
        thread = self._thread(sender, channel, title)
        return thread, self._message(thread, sender, channel, text, sent_at, stated)

    def _thread(self, sender: Sender, channel: Channel, title: str) -> Thread:
        other = Participant(sender.counterpart_id or self._ids.id("per"), sender.name, sender.address)
        return Thread(self._ids.id("thr"), channel, sender.counterpart_id, title, (other,))

    def _message(
        self,
        thread: Thread,
        sender: Sender,
        channel: Channel,
        text: Text,
        sent_at: int,
        stated: tuple[Stated, ...] = (),
        *,
        to: Sender | None = None,
        folder: Literal["", "inbox"] = "inbox",
        quotes: str = "",
    ) -> Message:
        reader = Address(to.address, to.name) if to else self._address(channel)
        return Message(
            self._ids.id("msg"),
            thread.id,
            folder if channel == "mail" else "",
            Address(sender.address, sender.name),
            (reader,),
            _by_day(sent_at, self._setting.market.zone),
            self._setting.market.zone,
            thread.title,
            text,
            channel=channel,
            kind="forward" if quotes else "mail",
            language=text.language,
            quotes=quotes,
            stated=stated,
        )

    def _address(self, channel: Channel) -> Address:
        """The user's own address in a channel."""
        return Address(self._user.phone, self._user.name.native) if channel == "sms" else self._user.mailbox

    def _text(self, kind: str, language: str = "", **slots: SlotValue) -> Text:
        return Text.fitting(FILE, kind, language or self._setting.language, self._variant, **slots)

    def _engine(self) -> str:
        return self._local(reservation_market(self._setting.market.code).site.engine)

    def _local(self, name: str) -> str:
        both = Both.read(name)
        return both.local if self._setting.language == self._setting.market.languages[0] else both.latin
