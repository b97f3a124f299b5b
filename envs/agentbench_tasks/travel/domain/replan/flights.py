"""The flights that remain after a cancellation: right ones and traps, each put where it keeps or breaks lines."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.geography import zone_of
from agentbench_tasks.travel.domain.records import Fare, Service
from agentbench_tasks.travel.domain.replan.alternatives import BAG_KG, Sky, clock_of, on_day
from agentbench_tasks.travel.domain.replan.plot import Plot
from agentbench_tasks.travel.domain.replan.rules import Ground, Line, Waiver, broken, ways

GRID_S = 900
APART_S = 900
"""Two own flights land at least this far from each other."""
SMALL_BAG_KG = 15
Flight = tuple[Service, Fare]


class Flights:
    """Puts flights where they are wanted.

    Args:
        plot: the story.
        draw: the stream for times, seats and kinds of trap.
        sky: makes departures and fares.
        ground: what lies behind the flight.
        lines: the brief's constraints.
        latest: the last instant at which the house lets anyone in.
        cancelled: the flight that was cancelled.
        waiver: the clause under which changes are free.
        difficulty: easy, standard or hard.
        traps: names of the traps, added to.
    """

    def __init__(
        self,
        plot: Plot,
        draw: Draw,
        sky: Sky,
        ground: Ground,
        lines: tuple[Line, ...],
        latest: int,
        cancelled: Flight,
        waiver: Waiver,
        difficulty: str,
        traps: set[str],
    ) -> None:
        self._plot, self._draw, self._sky, self._ground = plot, draw, sky, ground
        self._lines, self._latest, self._cancelled, self._waiver = lines, latest, cancelled, waiver
        self._difficulty, self.traps, self._day = difficulty, traps, plot.arrive_day
        self.flights: list[Flight] = []
        self.grid: dict[int, frozenset[str]] = {}
        self.proposal = cancelled

    def put(self, narrowed: bool) -> None:
        """Put all of them; with `narrowed` also one that only the replaced waiver covered."""
        plot, draw = self._plot, self._draw
        self._landings()
        fitting = self._slots(frozenset())
        if plot.giver:
            self._givers(fitting)
        elif fitting:
            for lands in draw.sample(fitting, draw.int(1, 2)):
                self._own(lands)
            self._early(min(service.arrives for service, _ in self.flights))
        else:
            raise NoFit
        self._decoys(fitting, narrowed)

    def _landings(self) -> None:
        """Which landings of the own carrier break which lines, on a grid of quarters of an hour."""
        plot = self._plot
        start = max(on_day(self._day, "06:00", plot.zone), plot.now + plot.route.minutes * 60 + 4 * 3600)
        stop = on_day(self._day, "24:30", plot.zone)
        service, fare = self._cancelled
        near = self._draw.int(0, 2) * 300
        for lands in range(-(-start // GRID_S) * GRID_S + near, stop, GRID_S):
            departs = lands - plot.route.minutes * 60
            if abs(lands - service.arrives) < 1500 or not self._decent(departs):
                continue
            local = to_local(departs, service.dep_zone)
            moved = msgspec.structs.replace(
                service, departs=departs, arrives=lands, route=(*service.route[:3], local[:10])
            )
            sets = [broken(way, self._lines, self._latest) for way in ways(moved, fare, self._ground, 1)]
            if sets:
                self.grid[lands] = min(sets, key=len)

    def _decent(self, departs: int) -> bool:
        return (
            self._plot.route.minutes >= 300 or "05:40" <= clock_of(departs, zone_of(self._plot.route.start)) <= "23:00"
        )

    def _slots(self, fails: frozenset[str]) -> list[int]:
        return [lands for lands, found in self.grid.items() if found == fails]

    def _own(self, lands: int, kg: int = BAG_KG, cabin: str = "", seats: int = -1) -> Flight:
        """Add a flight of the cancelled one's carrier under the waiver."""
        plot = self._plot
        for service, _ in self.flights:
            if abs(service.arrives - lands) < APART_S:
                raise NoFit
        service = self._sky.flight(plot.carrier, plot.route, lands - plot.route.minutes * 60)
        many = self._draw.int(plot.party.size, 9) if seats < 0 else seats
        fare = self._sky.fare(plot.carrier, plot.route, service, cabin or plot.cabin, kg, many)
        self.flights.append((service, fare))
        return service, fare

    def _early(self, before: int) -> None:
        """Add a flight that lands before any right one and takes no such bag."""
        slots = [lands for lands in self.grid if lands <= before - 1200]
        if not slots:
            raise NoFit
        self._own(self._draw.choice(slots), SMALL_BAG_KG)
        self.traps.add("small_bag")

    def _givers(self, fitting: list[int]) -> None:
        plot, draw = self._plot, self._draw
        line = next(line for line in self._lines if line.kind == plot.giver)
        if plot.giver in ("bag_kg", "same_cabin"):
            if not fitting:
                raise NoFit
            for lands in draw.sample(fitting, draw.int(1, 2)):
                if plot.giver == "bag_kg":
                    self._own(lands, SMALL_BAG_KG)
                else:
                    self._own(lands, cabin="economy")
            return
        slots = self._slots(frozenset({line.id}))
        if not slots:
            raise NoFit
        for lands in draw.sample(slots, draw.int(1, 3)):
            self._own(lands)

    def _decoys(self, fitting: list[int], narrowed: bool) -> None:
        """Add the traps: what cannot be had, costs a fee, comes too late, or is offered by mail."""
        plot, draw = self._plot, self._draw
        worse = [lands for lands, found in self.grid.items() if len(found) > 1 or (found and not plot.giver)]
        if not worse:
            raise NoFit
        self.proposal = self._own(draw.choice(worse))
        self.traps.add("auto_reroute")
        rest = [lands for lands in fitting if all(abs(lands - s.arrives) >= APART_S for s, _ in self.flights)]
        if rest:
            self._own(draw.choice(rest), seats=0 if draw.chance(0.6) else plot.party.size - 1)
            self.traps.add("sold_out_good")
        for own, lands in enumerate(draw.sample(rest, 2)):
            self._fee(lands, bool(own))
        late = [lands for lands in worse if to_local(lands, plot.zone)[:10] != self._day or lands > self._latest]
        free = [lands for lands in late if all(abs(lands - s.arrives) >= APART_S for s, _ in self.flights)]
        if free:
            self._own(draw.choice(free))
            self.traps.add("midnight_shift")
        if self._difficulty != "easy":
            self._next_morning()
        self._other_airport(fitting if narrowed else worse)

    def _fee(self, lands: int, own: bool) -> None:
        """Add a flight that keeps all for a fee: another carrier's, or an own fare that the waiver leaves out."""
        plot = self._plot
        carrier = plot.carrier if own else plot.partner
        others = [name for name, label in carrier.brands if label not in self._waiver.brands]
        if own and not others:
            return
        departs = lands - plot.route.minutes * 60 + self._draw.int(-1, 1) * 300
        service = self._sky.flight(carrier, plot.route, departs)
        seats = self._draw.int(plot.party.size, 9)
        brand = self._draw.choice(others) if own else ""
        cabin = "economy" if own else plot.cabin
        fare = self._sky.fare(carrier, plot.route, service, cabin, BAG_KG, seats, brand)
        self.flights.append((service, fare))
        self.traps.add("good_but_fee")

    def _next_morning(self) -> None:
        plot = self._plot
        lands = self._cancelled[0].arrives + 86400 - self._draw.int(6, 18) * 600
        if self._decent(lands - plot.route.minutes * 60):
            service = self._sky.flight(plot.carrier, plot.route, lands - plot.route.minutes * 60)
            fare = self._sky.fare(plot.carrier, plot.route, service, plot.cabin, BAG_KG, self._draw.int(3, 9))
            self.flights.append((service, fare))

    def _other_airport(self, slots: list[int]) -> None:
        """Add a flight from or to another airport of a city: the waiver leaves it out, or the way on is longer."""
        plot, draw = self._plot, self._draw
        pairs = [(start, end) for start in plot.trip.starts for end in plot.trip.ends]
        found = [
            route
            for start, end in pairs
            if (start, end) != (plot.route.start, plot.route.end)
            and (route := self._sky.route(start, end, plot.carrier.code))
        ]
        if not found or not slots:
            return
        route = draw.choice(found)
        service = self._sky.flight(plot.carrier, route, draw.choice(slots) - route.minutes * 60 + 300)
        fare = self._sky.fare(plot.carrier, route, service, plot.cabin, BAG_KG, draw.int(plot.party.size, 9))
        self.flights.append((service, fare))
        self.traps.add("other_airport")
