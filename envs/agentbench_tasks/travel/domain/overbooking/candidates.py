"""The houses one could move to: each right, or wrong in exactly one way, with its hours, charges, rates and ways."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, radians
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.ground_plan.places import clock, minute
from agentbench_tasks.travel.domain.houses import House, Houses
from agentbench_tasks.travel.domain.overbooking.plot import Miss, NoFit, Plot, Standard
from agentbench_tasks.travel.domain.records_stays import Channel, Hours, Night, Rate, RoomType
from agentbench_tasks.travel.domain.stay_bills import MEALS, Board, Guests, bill, shown_price
from agentbench_tasks.travel.domain.stay_offers import boards_of, by_person, priced_outside
from agentbench_tasks.travel.domain.stay_rules import Area, Charges, Law, draw_charges

AMPLE = 45
"""Minutes to spare at a desk that can be reached, whichever way one takes."""
HEADWAY = 10
TRIES = 12
GONE = 0.4
"""How often a room that is not to be had is shown until somebody asks for its quote."""
BEDS = ("double", "twin", "king", "futon", "floor bedding")


class Ride(msgspec.Struct, frozen=True, gc=False):
    """Minutes from the station, by taxi and by city trains and buses."""

    taxi: int
    transit: int


class Candidate(msgspec.Struct, frozen=True):
    """A house with what is true of it; `miss` is what is wrong with it, "" if nothing is."""

    house: House
    miss: Miss | Literal[""]
    charges: Charges
    ride: Ride
    step_free: bool
    pets: bool
    score: int
    """Tenths of what guests give it."""
    rates: tuple[Rate, ...]


class Candidates:
    """Draws candidates.

    Args:
        draw: the stream.
        ids: the stream that ids come from.
        plot: the story.
        houses: what draws the houses.
        law: the market's rules.
        area: the area whose rules hold in the city.
        budget: what a night may cost on average, in minor units.
    """

    def __init__(self, draw: Draw, ids: Draw, plot: Plot, houses: Houses, law: Law, area: Area, budget: int) -> None:
        self._draw, self._ids, self._plot, self._houses = draw, ids, plot, houses
        self._law, self._area, self._limit = law, area, budget * plot.nights
        self._guests = Guests(plot.adults)

    def candidate(self, miss: Miss | Literal[""], tempting: bool) -> Candidate:
        """Draw a house that misses one thing, or none; a tempting one is near, cheap and praised."""
        draw, plot = self._draw, self._plot
        standard = draw.choice(plot.worse if miss == "class" else plot.better)
        same = [one for one in plot.better if one == plot.original]
        if miss != "class" and same and draw.chance(0.7):
            standard = plot.original
        places = [one for one in plot.city.districts if (one not in plot.area) == (miss == "area")]
        twin = "twin" in plot.musts
        house = self._houses.house(
            standard.kind, draw.choice(places).id, standard.level, rooms=4, room="twin" if twin else ""
        )
        lacking = draw.choice(plot.musts) if miss == "must" else ""
        ride = self._ride(house, tempting)
        house = self._open(house, ride, reached=miss != "desk")
        charges = draw_charges(
            draw,
            self._law,
            self._area,
            house.record,
            plot.today,
            outside=True if miss == "budget" else None,
            fees=draw.sample([span.kind for span in self._law.fees], draw.int(0, 1)),
            optional=1,
        )
        rates = self._rates(house, charges, miss, lacking, tempting)
        needs = plot.musts
        return Candidate(
            house,
            miss,
            charges,
            ride,
            lacking != "step_free" if "step_free" in needs else draw.chance(0.5),
            lacking != "pets" if "pets" in needs else draw.chance(0.4),
            draw.int(88, 96) if tempting else draw.int(66, 87),
            rates,
        )

    # --- place and hours

    def _ride(self, house: House, tempting: bool) -> Ride:
        """The way from the station, longer for houses that are farther."""
        draw, station = self._draw, self._plot.station
        north = (float(house.record.lat) - float(station.lat)) * 111
        east = (float(house.record.lon) - float(station.lon)) * 111 * cos(radians(float(station.lat)))
        km = min(14.0, hypot(north, east)) * (0.5 if tempting else 1.0)
        spare = draw.int(0, 3) if tempting else draw.int(3, 12)
        return Ride(round(5 + km * 1.4) + spare, round(10 + km * 2.0) + spare)

    def _open(self, house: House, ride: Ride, reached: bool) -> House:
        """Give a house hours at which one arrives with ample time, or else after the desk has closed."""
        draw, leaves = self._draw, minute(self._plot.depart)
        record = house.record
        if reached:
            latest = leaves + ride.transit + HEADWAY + AMPLE
            desk, checkin = record.desk, record.checkin
            if min(minute(desk.closes), minute(checkin.closes)) < latest:
                closes = min(24 * 60, -(-(latest + draw.int(0, 60)) // 30) * 30)
                desk, checkin = Hours("08:00", clock(closes)), Hours(checkin.opens, clock(closes))
        else:
            closes = (leaves + ride.taxi - draw.int(10, 50)) // 10 * 10
            desk, checkin = Hours("08:00", clock(closes)), Hours(min(record.checkin.opens, "15:00"), clock(closes))
        return msgspec.structs.replace(house, record=msgspec.structs.replace(record, desk=desk, checkin=checkin))

    # --- rates

    def _rates(
        self, house: House, charges: Charges, miss: Miss | Literal[""], lacking: str, tempting: bool
    ) -> tuple[Rate, ...]:
        draw, plot = self._draw, self._plot
        channels = draw.shuffled((house.direct, *self._houses.agencies))
        rooms = [room for room in house.rooms if room.max_guests >= plot.adults and room.beds in BEDS]
        twins = [room for room in rooms if room.beds == "twin"]
        others = [room for room in rooms if room.beds != "twin"]
        wanted = rooms
        if "twin" in plot.musts:
            wanted = others if lacking == "twin" else twins
        if not wanted:
            raise NoFit
        room = draw.choice(wanted)
        needs_breakfast = "breakfast" in plot.musts
        meals: list[Board] = [board for board in boards_of(house) if board != "room_only"]
        board: Board = "room_only"
        if lacking != "breakfast" and (needs_breakfast or draw.chance(0.5)):
            board = meals[0]
        main = self._priced(house, room, channels[0], board, charges, miss == "budget", tempting)
        if miss == "night":
            return (*self._elsewhen(main), *self._dear(house, room, channels[1], board, charges, draw.chance(0.4)))
        rates = [main, *self._dear(house, room, channels[1], board, charges, draw.chance(0.6))]
        cheaper: list[tuple[RoomType, Board]] = []
        if needs_breakfast and board != "room_only":
            cheaper.append((room, "room_only"))
        if "twin" in plot.musts and lacking != "twin" and others:
            cheaper.append((others[0], board))
        for number, (other, meal) in enumerate(cheaper):
            nights = tuple(
                msgspec.structs.replace(night, shown=self._part(night.shown, draw.uniform(0.84, 0.95)))
                for night in main.nights
            )
            if draw.chance(0.7):
                rates.append(self._rate(house, other, channels[number % 2], meal, nights, charges))
        return tuple(draw.shuffled(rates))

    def _elsewhen(self, rate: Rate) -> tuple[Rate, ...]:
        """The room is sold for one night fewer only; or it is on show, and gone when its quote is asked for."""
        draw, plot = self._draw, self._plot
        if draw.chance(GONE):
            return (msgspec.structs.replace(rate, rooms_left=1, closes="first_quote"),)
        if plot.nights == 1:
            return (msgspec.structs.replace(rate, rooms_left=0),)
        house, first, _ = rate.stay
        return (msgspec.structs.replace(rate, nights=rate.nights[:-1], stay=(house, first, rate.nights[-1].day)),)

    def _dear(
        self, house: House, room: RoomType, channel: Channel, board: Board, charges: Charges, wanted: bool
    ) -> tuple[Rate, ...]:
        """The same room elsewhere, beyond the budget."""
        if not wanted:
            return ()
        nights = self._nights(house, board, room, charges, self._draw.uniform(1.06, 1.3))
        rate = self._rate(house, room, channel, board, nights, charges)
        return (rate,) if self._total(house, rate, charges) > self._limit * 1.02 else ()

    def _priced(
        self, house: House, room: RoomType, channel: Channel, board: Board, charges: Charges, dear: bool, tempting: bool
    ) -> Rate:
        """A rate whose full price is within the budget, or over it although the shown price is under it."""
        low, high = (1.03, 1.1) if dear else (0.66, 0.78) if tempting else (0.76, 0.96)
        for _ in range(TRIES):
            nights = self._nights(house, board, room, charges, self._draw.uniform(low, high))
            rate = self._rate(house, room, channel, board, nights, charges)
            total = self._total(house, rate, charges)
            shown = sum(shown_price(night, self._guests) for night in nights)
            if total > self._limit * 1.02 and shown < self._limit * 0.99 if dear else total <= self._limit * 0.98:
                return rate
        raise NoFit

    def _nights(self, house: House, board: Board, room: RoomType, charges: Charges, share: float) -> tuple[Night, ...]:
        """Nights at a shown price that comes to a share of the budget once everything is added."""
        plot, houses = self._plot, self._houses
        basis: Literal["per_person", "per_room"] = "per_person" if by_person(house) else "per_room"
        weekend = self._draw.choice((1.0, 1.1)) if plot.nights > 1 else 1.0
        aim = self._limit * share
        price = aim / plot.nights / (plot.adults if by_person(house) else 1)
        nights: tuple[Night, ...] = ()
        for _ in range(2):
            nights = houses.nights(max(1, round(price)), plot.today, plot.nights, weekend, basis)
            price *= aim / bill(charges.rules, nights, self._guests, board, house.record.official_class).total
        return nights

    def _total(self, house: House, rate: Rate, charges: Charges) -> int:
        return bill(charges.rules, rate.nights, self._guests, rate.board, house.record.official_class).total

    def _part(self, shown: Money, share: float) -> Money:
        return Money(self._houses.rounded(shown.minor * share), shown.currency)

    def _rate(
        self, house: House, room: RoomType, channel: Channel, board: Board, nights: Sequence[Night], charges: Charges
    ) -> Rate:
        inside, outside = priced_outside(charges)
        return Rate(
            self._ids.id("rate"),
            house.record.id,
            room.id,
            channel.id,
            board,
            tuple(nights),
            (house.record.id, *self._plot.stay),
            (*inside, *MEALS[board]),
            outside,
            self._draw.int(1, 5),
        )


def original_house(draw: Draw, houses: Houses, plot: Plot) -> tuple[House, RoomType]:
    """Draw the house that was booked, and the room."""
    standard: Standard = plot.original
    twin = "twin" in plot.musts
    house = houses.house(standard.kind, plot.district.id, standard.level, rooms=4, room="twin" if twin else "")
    fitting = [room for room in house.rooms if room.max_guests >= plot.adults and room.beds in BEDS]
    return house, draw.choice([room for room in fitting if room.beds == "twin"] if twin else fitting)
