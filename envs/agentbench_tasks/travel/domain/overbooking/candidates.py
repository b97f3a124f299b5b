"""The houses one could move to: each right, or wrong in exactly one way, with its hours, charges, rates and ways."""

from __future__ import annotations

from math import cos, hypot, radians
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.travel.domain.ground_plan.places import clock, minute
from agentbench_tasks.travel.domain.houses import House, Houses
from agentbench_tasks.travel.domain.overbooking.plot import Miss, Plot, Standard
from agentbench_tasks.travel.domain.overbooking.selling import Selling, rooms_for
from agentbench_tasks.travel.domain.records_stays import Hours, Rate, RoomType
from agentbench_tasks.travel.domain.stay_rules import Area, Charges, Law, draw_charges

AMPLE = 45
"""Minutes to spare at a desk that can be reached, whichever way one takes."""
HEADWAY = 10


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

    def candidate(self, miss: Miss | Literal[""], tempting: bool, gone: bool = False) -> Candidate:
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
        selling = Selling(draw, self._ids, plot, self._houses, self._limit, house, charges)
        rates = selling.rates(miss, lacking, tempting, gone)
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


def original_house(draw: Draw, houses: Houses, plot: Plot) -> tuple[House, RoomType]:
    """Draw the house that was booked, and the room."""
    standard: Standard = plot.original
    twin = "twin" in plot.musts
    house = houses.house(standard.kind, plot.district.id, standard.level, rooms=4, room="twin" if twin else "")
    fitting = rooms_for(house, plot)
    return house, draw.choice([room for room in fitting if room.beds == "twin"] if twin else fitting)
