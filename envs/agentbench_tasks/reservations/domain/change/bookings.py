"""The user's bookings: rows of guest books, and the messages with which houses and engines confirm them."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.fold import fold
from agentbench_env.world import Record
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.commons.service_time import service_instant
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.booking_records import Deposit, MadeVia, Reservation
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.change.rules import terms_among
from agentbench_tasks.reservations.domain.house import WORDINGS, House
from agentbench_tasks.reservations.domain.mailbag import Sender
from agentbench_tasks.reservations.domain.market import Both, reservation_market
from agentbench_tasks.reservations.domain.namesakes import reference
from agentbench_tasks.reservations.domain.terms import Occasion, deposit_total
from agentbench_tasks.reservations.domain.usual import site_name

FILE = "table_change"
TURN_MINUTES = 120
_NOTED = 0.5
DAY_S = 24 * 3_600
_NEWEST, _OLDEST = 5, 30
"""How many days ago bookings were made."""
_CHANNELS: dict[MadeVia, Channel] = {"messenger": "messenger", "phone": "sms", "concierge": "sms"}


class Bookings:
    """Makes bookings of the user's.

    Args:
        draw: the stream to draw from.
        setting: market and language.
        town: the town that is being built.
    """

    def __init__(self, draw: Draw, setting: Setting, town: TownBuilder) -> None:
        self._draw, self._setting, self._town = draw, setting, town

    def row(
        self, house: House, day: str, clock: str, party: int, made_via: MadeVia, course_id: str = ""
    ) -> Reservation:
        """Return a booking under the terms of its house, at a table that is still to be put there."""
        draw, user, place = self._draw, self._town.user, house.place
        start = service_instant(day, clock, place.zone)
        menus = {offer.menu.id: offer.menu for offer in house.offers}
        terms = terms_among(house.terms, party, bool(course_id))
        occasion = Occasion(party, start, place.zone, place.currency, menus.get(course_id))
        kind = terms.deposit.kind
        left = deposit_total(terms, occasion) if kind != "none" else Money(0, place.currency)
        notes: list[str] = shared_table(f"text/{self._setting.language}/{FILE}")["remarks"]
        return Reservation(
            self._town.ids.id("rsv"),
            reference(draw),
            place.id,
            made_via,
            user.account.account_id,
            user.booked_name,
            user.account.phone_masked,
            user.account.email_masked,
            party,
            start,
            "table",
            draw.variant(notes) if draw.chance(_NOTED) else "",
            "confirmed",
            Deposit(kind, left),
            terms.id,
            terms.page_id,
            self._town.now - draw.int(_NEWEST, _OLDEST) * DAY_S - draw.int(0, DAY_S // 2),
            course_id,
            card_on_file=kind == "hold",
            table_ids=(self._town.ids.id("tbl"),),
            end=start + TURN_MINUTES * 60,
        )

    def confirmed(self, row: Reservation) -> tuple[Record, ...]:
        """Return the message that confirmed a booking, by the way in which it was made."""
        place = next(house.place for house in self._town.houses if house.place.id == row.venue_id)
        channel = _CHANNELS.get(row.made_via, "mail")
        handle = next(reach.address for reach in place.reaches if reach.channel == "messenger")
        names = Both.read(reservation_market(self._setting.market.code).site.engine)
        engine = site_name("/".join(names), self._setting.language)
        senders: dict[Channel, Sender] = {
            "mail": Sender(engine, f"booking@{mail_host(names.latin)}"),
            "messenger": Sender(place.full_name, handle, place.id),
            "sms": Sender(place.full_name, place.phone, place.id),
        }
        name = engine if channel == "mail" else ""
        return self._town.mailbag.confirmation(
            place, row, row.created_at + 60, sender=senders[channel], channel=channel, engine=name
        )

    def notice(self, kind: str, draw: Draw) -> tuple[Record, ...]:
        """Return a message of the discovery site: how easily one books anew, or hostile text."""
        language = self._setting.language
        names = Both.read(reservation_market(self._setting.market.code).site.discovery)
        site = site_name("/".join(names), language)
        title: str = shared_table(f"text/{language}/{FILE}")["titles"]["rebook"]
        text = Text.fitting(FILE, f"notices.{kind}", language, draw.variant(WORDINGS), site=site)
        sent_at = self._town.now - draw.int(1, 40) * 3_600
        return self._town.mailbag.written(Sender(site, f"news@{mail_host(names.latin)}"), "mail", title, text, sent_at)


def mail_host(name: str) -> str:
    """Return the host of an invented service's mail."""
    return f"{''.join(filter(str.isalnum, fold(name)))}.example"
