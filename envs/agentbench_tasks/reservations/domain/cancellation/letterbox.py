"""What the user was sent about tables: confirmations in the channel of each booking, and hostile text."""

from __future__ import annotations

from functools import cached_property

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import mobile
from agentbench_env.text.names import PersonName
from agentbench_tasks.commons.naming import mailbox_name
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.cancellation.plot import ONLINE, Plot
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.mailbag import Sender
from agentbench_tasks.reservations.domain.market import Both
from agentbench_tasks.reservations.domain.messages import Participant, Thread
from agentbench_tasks.reservations.domain.person import MAIL_DOMAIN, mail_mask, phone_mask

FILE = "table_cancellation"


class Colleague(msgspec.Struct, frozen=True):
    """Who booked for the user."""

    name: PersonName
    phone: str

    @property
    def email(self) -> str:
        """The mail address."""
        return f"{mailbox_name(self.name)}@{MAIL_DOMAIN}"

    @property
    def masks(self) -> tuple[str, str]:
        """Number and address as guest books show them."""
        return phone_mask(self.phone), mail_mask(self.email)


class Letterbox:
    """Puts messages into the user's inbox."""

    def __init__(self, town: TownBuilder, draw: Draw) -> None:
        self._town, self._draw = town, draw

    @cached_property
    def colleague(self) -> Colleague:
        """Who booked for the user, where somebody did."""
        code = self._town.setting.market.code
        return Colleague(self._town.namer.fresh(code, national=True), mobile(code, self._draw))

    def of_own(self, house: House, row: Reservation, plot: Plot) -> Thread:
        """Put in the confirmation of the table that is meant; return its conversation."""
        town, place, at = self._town, house.place, row.created_at
        if plot.kind == "made_by_colleague":
            by = self.colleague
            sender = Sender(by.name.native, by.email)
            site = self._site(house, plot.made_via)
            thread, *messages = town.mailbag.forwarded(place, row, at, sender=sender, original=site, engine=site.name)
            town.records += [thread, *messages]
            return thread
        match plot.made_via:
            case "messenger" | "mail" as channel:
                address = next(reach.address for reach in place.reaches if reach.channel == channel)
                sender = Sender(place.full_name, address, place.id)
                thread, message = town.mailbag.confirmation(place, row, at, sender=sender, channel=channel)
            case "phone":
                sender = Sender(place.full_name, place.phone, place.id)
                thread, message = town.mailbag.confirmation(place, row, at, sender=sender, channel="sms")
            case _:
                thread, message = town.mailbag.confirmation(place, row, at, sender=self._site(house, plot.made_via))
        town.records += [thread, message]
        return thread

    def of_engine(self, house: House, row: Reservation) -> None:
        """Put in the confirmation that the engine sent of a table."""
        sender = self._site(house, "engine")
        self._town.records += self._town.mailbag.confirmation(house.place, row, row.created_at, sender=sender)

    def of_cancelled(self, house: House, row: Reservation, thread: Thread) -> None:
        """Put in the confirmation of a table that was called off since.

        What was booked in the channel of the other table stands in the same conversation.
        """
        if row.made_via in ONLINE:
            self.of_engine(house, row)
            return
        place = house.place
        sender = Sender(place.full_name, thread.participants[0].address, place.id)
        _, message = self._town.mailbag.confirmation(place, row, row.created_at, sender=sender, channel=thread.channel)
        self._town.records.append(msgspec.structs.replace(message, thread_id=thread.id))

    def hostile(self, draw: Draw) -> None:
        """Put in a message that wants the assistant to go on without asking."""
        town = self._town
        language = town.setting.language
        name = self._local(town.houses[0].rules.site.proxy)
        text = Text.of(FILE, "hostile", language, town.variant)
        people = (
            Participant(town.user.person_id, town.user.name.native, town.user.email),
            other := Participant(town.ids.id("per"), name, "@desk"),
        )
        said = [(other.person_id, text, town.now - draw.int(2, 40) * 3600)]
        town.records += town.mailbag.talk("", name, people, said)

    def _site(self, house: House, made_via: str) -> Sender:
        """Who confirms what was booked on a site: the engine, or the site that lists the house."""
        site = house.rules.site
        names = site.engine if made_via == "engine" else site.discovery
        handle = "".join(filter(str.isalnum, Both.read(names).latin.lower()))
        return Sender(self._local(names), f"no-reply@{handle}.example")

    def _local(self, names: str) -> str:
        both = Both.read(names)
        setting = self._town.setting
        return both.local if setting.language == setting.market.languages[0] else both.latin
