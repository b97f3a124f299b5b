"""A table that the user has already booked elsewhere, whose guarantee still waits for a card."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import add_days, service_instant
from agentbench_tasks.reservations.domain.booking_records import Deposit, Reservation
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.mailbag import DAY, Sender
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.namesakes import reference
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.usual import site_name

PARTY = 2
AHEAD = (3, 12)
TURN_S = 7_200


def book_elsewhere(draw: Draw, town: TownBuilder, house: House) -> Iterator[Record]:
    """Yield the user's booking at a house that asks for a card, and its confirmation."""
    user = town.user
    most = draw.choice(house.rules.routes.online_max)
    house.take_bookings(Route("instant", "", PartyRange(1, most), steps=("card_hold",)))
    days = (add_days(town.day(0), ahead) for ahead in range(draw.int(*AHEAD), 2 * AHEAD[1]))
    day = next((day for day in days if house.opening.is_open(day)), "")
    if not day:
        raise NoFit
    start = service_instant(day, house.opening.services(day)[-1].open, house.place.zone)
    made = town.now - draw.int(1, 6) * DAY
    row = Reservation(
        house.ids.id("rsv"),
        reference(draw),
        house.place.id,
        "engine",
        user.account.account_id,
        user.booked_name,
        user.account.phone_masked,
        user.account.email_masked,
        PARTY,
        start,
        "any",
        "",
        "confirmed",
        Deposit("none", Money(0, house.place.currency)),
        house.terms[0].id,
        house.page_id("terms"),
        made,
        end=start + TURN_S,
        remaining_steps=("card_hold",),
    )
    yield row
    engine = site_name(reservation_market(town.setting.market.code).site.engine, town.setting.language)
    address = next(reach.address for reach in house.place.reaches if reach.channel == "mail")
    sender = Sender(house.place.full_name, address, house.place.id)
    yield from town.mailbag.confirmation(house.place, row, made, sender=sender, engine=engine)
