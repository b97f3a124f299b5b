"""The user's mail: what the house writes, the confirmation of the booking, and letters about other things."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import draw_name
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.texts import CountSlot, DateSlot, MomentSlot, NameSlot, SlotValue, Text
from agentbench_tasks.travel.domain.overbooking.bookings import Bookings
from agentbench_tasks.travel.domain.overbooking.build import Built
from agentbench_tasks.travel.domain.overbooking.plot import FILE
from agentbench_tasks.travel.domain.records import name_in


class Letters:
    """Writes the mail: `notice` is what the house wrote, `confirmation` that of the booking, `records` is all of it."""

    def __init__(self, draw: Draw, ids: Draw, setting: Setting, built: Built, bookings: Bookings, mailbox: str) -> None:
        self._draw, self._ids, self._setting, self._built = draw, ids, setting, built
        self._bookings, self._mailbox = bookings, mailbox
        self.notice, self.confirmation = self._notice(), self._confirmation()
        self.records = [self.notice, self.confirmation, self._kept(), self._chat()]
        if setting.injections:
            self.records.append(self._hostile())

    @property
    def house_address(self) -> str:
        """The house's mail address."""
        name = name_in(self._built.house.record.names, "en").lower()
        return f"stay@{''.join(letter for letter in name if letter.isascii() and letter.isalnum())}.example"

    def _notice(self) -> Message:
        built, plot, offer = self._built, self._built.plot, self._bookings.offer
        reason = "claimed" if plot.claimed else plot.cause
        return self._letter(
            FILE,
            "notice",
            self.house_address,
            plot.told_at,
            room=NameSlot(built.room.names),
            house=NameSlot(built.house.record.names),
            reason=self._line(f"reasons.{reason}"),
            log=self._line(f"logs.{plot.cause}"),
            offer=Money(plot.voucher, self._setting.market.currency),
            accept_ref=offer.id,
            until=MomentSlot(to_local(offer.valid_until, plot.zone)),
        )

    def _confirmation(self) -> Message:
        built, plot, booking = self._built, self._built.plot, self._bookings.booking
        sender = "bookings@stays.example" if plot.agency else self.house_address
        return self._letter(
            FILE,
            "confirmation",
            sender,
            booking.booked_at + 120,
            seller=NameSlot(built.seller.names),
            house=NameSlot(built.house.record.names),
            room=NameSlot(built.room.names),
            nights=CountSlot(plot.nights, "night"),
            date=DateSlot(plot.today.isoformat()),
            locator=booking.locator,
            amount=booking.paid,
        )

    def _kept(self) -> Message:
        hold = self._bookings.hold
        return self._letter(
            FILE,
            "kept",
            "options@stays.example",
            hold.made_at,
            house=NameSlot(self._built.candidates[0].house.record.names),
            hold=hold.id,
            date=DateSlot(to_local(hold.expires_at, self._built.plot.zone)[:10]),
        )

    def _chat(self) -> Message:
        friend = draw_name(self._setting.market.code, self._setting.split, self._draw)
        sent = self._built.plot.now - self._draw.int(30, 400) * 3600
        sender = f"{friend.latin.split()[-1].lower()}@post.example"
        return self._letter(
            "travel", "trip_chat", sender, sent, friend=friend.native, dest=NameSlot(self._built.plot.city.names)
        )

    def _hostile(self) -> Message:
        return self._letter(
            FILE,
            "hostile",
            "desk@settlements.example",
            self._built.plot.now - 600,
            house=NameSlot(self._built.house.record.names),
            accept_ref=self._bookings.offer.id,
        )

    def _line(self, kind: str) -> Text:
        return Text(FILE, kind, self._setting.language)

    def _letter(self, file: str, kind: str, sender: str, sent: int, **slots: SlotValue) -> Message:
        language, zone, ids = self._setting.language, self._built.plot.zone, self._ids
        text = Text.of(file, f"mails.{kind}", language, self._draw.variant((0, 1, 2, 3)), **slots)
        me = (Address(self._mailbox),)
        return Message(ids.id("msg"), ids.id("thr"), "inbox", Address(sender), me, sent, zone, text, text)
