"""Drawing an instance: the limits of the brief, the flights around them, the traps, and the proof of what is right."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import currency_at, points, static_id
from agentbench_tasks.travel.domain.houses import House, Houses
from agentbench_tasks.travel.domain.inventory import Inventory
from agentbench_tasks.travel.domain.records import Fare, Service
from agentbench_tasks.travel.domain.records_ground import RouteTime
from agentbench_tasks.travel.domain.records_stays import Area
from agentbench_tasks.travel.domain.replan.alternatives import (
    BAG_KG,
    Sky,
    clock_of,
    day_after,
    link_minutes,
    on_day,
    ride_rows,
    timetable,
)
from agentbench_tasks.travel.domain.replan.flights import Flights
from agentbench_tasks.travel.domain.replan.plot import Giver, Plot, draw_giver, draw_plot
from agentbench_tasks.travel.domain.replan.rules import Ground, Line, Waiver, Way, broken, reached, ways

MARGIN_S = 5 * 60
"""No way reaches a limit within less than this."""
HALF_HOUR = 1800
FEE_USD = (30, 50, 80)


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    inventory: Inventory
    rates: Rates
    house: House
    areas: tuple[Area, ...]
    ground: Ground
    lines: tuple[Line, ...]
    latest: int
    """The last instant at which the house lets anyone in on the first night."""
    by_clock: str
    """Until when the house checks in without ado."""
    strict: bool
    """Whether the house lets nobody in after `by_clock`."""
    cancelled: tuple[Service, Fare]
    back: tuple[Service, Fare]
    trains_back: tuple[tuple[Service, Fare], ...]
    """The booked train of the return, if there is one."""
    waiver: Waiver
    old_waiver: Waiver | None
    exchange: Waiver | None
    fee: int
    """What a change outside the waiver costs each person, in minor units."""
    flights: tuple[tuple[Service, Fare], ...]
    right: tuple[Way, ...]
    """The ways that keep every line, or, when one gives, those that reach the best value of it."""
    gives: Line | None
    proposal: tuple[Service, Fare]
    traps: frozenset[str]

    def free(self, service: Service, fare: Fare) -> bool:
        """Whether the cancelled flight can be changed to a fare without paying."""
        return self.waiver.admits(service, fare)

    def broken(self, way: Way) -> frozenset[str]:
        """The ids of the lines that a way breaks."""
        return broken(way, self.lines, self.latest)


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven."""
    giver = draw_giver(draw.stream("giver"))
    return first_fit(draw, lambda attempt: Build(attempt, setting, giver).finish())


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting, giver: Giver) -> None:
        market = setting.market
        self.setting, self.draw = setting, draw.stream("alternatives")
        self.plot = plot = draw_plot(draw.stream("plot"), setting, giver)
        self.rates = Rates(draw.stream("rates"), market.code, market.currency)
        self.inventory = Inventory(draw.stream("inventory"), market.code, self.rates, plot.party, (), "none")
        self.sky = Sky(self.inventory, plot, draw.stream("fares"))
        story = draw.stream("story")
        self.story = story
        where = load_market(plot.trip.house_market)
        houses = Houses(draw.stream("house"), draw.stream("house ids"), where, plot.trip.house_city)
        self.house, self.areas = houses.house(), houses.areas
        self.day = plot.arrive_day
        self.cancelled = self._booked(plot.departs)
        self.ground = self._ground(draw.stream("ground"))
        self.flights: list[tuple[Service, Fare]] = []
        self.traps: set[str] = set()
        self.latest = 0
        self.lines: tuple[Line, ...] = ()

    # --- what was booked

    def _booked(self, departs: int) -> tuple[Service, Fare]:
        plot = self.plot
        service = self.sky.flight(plot.carrier, plot.route, departs)
        fare = self.sky.fare(plot.carrier, plot.route, service, plot.cabin, BAG_KG, 0)
        closed = msgspec.structs.replace(fare, open=False)
        option = next(option for option in self.inventory.options if option.fare.id == fare.id)
        self.inventory.put(option, msgspec.structs.replace(option, fare=closed))
        return service, closed

    def _back(self) -> tuple[tuple[Service, Fare], tuple[tuple[Service, Fare], ...]]:
        """The flight home, and the train before it."""
        plot, draw = self.plot, self.story
        home = next(
            (r for s in (plot.route.start,) if (r := self.sky.route(plot.route.end, s, plot.carrier.code))), None
        )
        if home is None:
            raise NoFit
        day = day_after(self.day, plot.nights)
        departs = on_day(day, f"{draw.int(16, 20)}:{draw.int(0, 11) * 5:02}", plot.zone)
        service = self.sky.flight(plot.carrier, home, departs)
        fare = self.sky.fare(plot.carrier, home, service, plot.cabin, BAG_KG, draw.int(2, 7))
        rail = plot.trip.rail
        if rail is None or self.setting.difficulty != "hard":
            return (service, fare), ()
        back = msgspec.structs.replace(rail, start=rail.end, end=rail.start)
        trains = timetable(self.sky, back, day, draw.stream("trains back"))
        early = [pair for pair in trains if pair[0].arrives < departs - 4 * 3600]
        if not early:
            raise NoFit
        return (service, fare), (early[-1],)

    def _ground(self, draw: Draw) -> Ground:
        plot, trip = self.plot, self.plot.trip
        venue, house = static_id("plc", trip.id, *draw.choice(trip.venues)[0]), self.house.record.id
        airports = {code: points()[code].id for code in trip.ends}
        extra = {code: 0 if code == plot.route.end else draw.int(8, 12) * 5 for code in trip.ends}
        lands = self.cancelled[0].arrives
        trains: list[tuple[Service, Fare]] = []
        links: dict[str, int] = {}
        booked = station = ""
        if trip.rail:
            station = points()[trip.rail.start].id
            station_end = points()[trip.rail.end].id
            links = {code: link_minutes(code, trip.rail.start) for code in trip.ends}
            trains = timetable(self.sky, trip.rail, self.day, draw)
            later = [t for t, _ in trains if t.departs >= lands + (links[plot.route.end] + 10) * 60]
            if len(later) < 3:
                raise NoFit
            booked = later[0].id
            station = station_end
        leaves = lands + plot.buffer_min * 60 if not trip.rail else self._train(trains, booked).arrives
        last = "23:40"
        if plot.giver == "transfer_cost_max":
            last = clock_of(-(-leaves // 600) * 600 + draw.int(6, 12) * 600, plot.zone)
        rides: dict[tuple[str, str, str, str], RouteTime] = {}
        starts = [(station, 0)] if station else [(airports[code], extra[code]) for code in trip.ends]
        offset = draw.int(-2, 2) * 5
        for start, more in starts:
            transit, taxi = trip.minutes[0] + more, trip.minutes[1] + more * 2 // 3
            for end, shift in ((house, 0), (venue, offset)):
                minutes = (max(15, transit + shift), max(10, taxi + shift))
                rides |= ride_rows(draw, self.rates, plot, start, end, minutes, last)
        for start, end in ((house, venue), (venue, house)):
            rides |= ride_rows(draw, self.rates, plot, start, end, (25, 15), "23:40")
        return Ground(
            rides, plot.zone, on_day(self.day, "00:00", plot.zone), house, venue, airports, links, station,
            tuple(trains), booked, plot.buffer_min,
            plot.event_day, plot.party.size,
        )  # fmt: skip

    def _train(self, trains: list[tuple[Service, Fare]], id: str) -> Service:
        return next(train for train, _ in trains if train.id == id)

    # --- the limits

    def _best(self, service: Service, fare: Fare, mode: str = "") -> Way:
        """The way that is at the house first."""
        found = [way for way in ways(service, fare, self.ground) if mode in ("", way.first_ride.mode)]
        if not found:
            raise NoFit
        return min(found, key=lambda way: way.house_at)

    def _limits(self) -> None:
        """Draw the limits of the lines around what the cancelled flight would have reached."""
        plot, draw, zone = self.plot, self.story, self.plot.zone
        booked = self._best(*self.cancelled, mode="transit")
        by = -(-(booked.house_at + draw.int(4, 9) * 900) // HALF_HOUR) * HALF_HOUR
        self.strict = plot.giver not in ("", "checkin_by", "be_at_event_by") or (not plot.giver and draw.chance(0.3))
        if plot.giver == "transfer_cost_max":
            last = on_day(
                self.day, next(ride.last for ride in self.ground.rides.values() if ride.mode == "transit"), zone
            )
            by = -(-(last + plot.trip.minutes[1] * 60 + draw.int(3, 6) * 900) // HALF_HOUR) * HALF_HOUR
        if by < on_day(self.day, "16:30", zone):
            raise NoFit
        if not plot.event_day:
            by = on_day(self.day, "22:00", zone)
        latest = by if self.strict else by + draw.int(3, 5) * HALF_HOUR
        if to_local(latest, zone)[:10] != self.day or latest > on_day(self.day, "23:30", zone):
            raise NoFit
        self.by, self.latest = by, latest
        if plot.event_day:
            event = on_day(day_after(self.day), f"{draw.int(9, 11)}:{draw.choice((0, 30)):02}", zone)
        else:
            event = -(-(booked.event_at + draw.int(3, 7) * 900) // HALF_HOUR) * HALF_HOUR
            if event > latest - 2 * 3600:
                raise NoFit
        self.event = event
        transit, taxi = (
            max(ride.fare.minor for ride in self.ground.rides.values() if ride.mode == mode)
            for mode in ("transit", "taxi")
        )
        _, step = currency_at(plot.route.end)
        cost = round((transit + (taxi - transit) * draw.uniform(0.15, 0.45)) / step) * step
        limits: dict[str, int | str] = {
            "be_at_event_by": event,
            "checkin_by": by,
            "same_cabin": plot.cabin,
            "same_day": self.cancelled[0].dep_local[:10],
            "transfer_cost_max": cost,
            "bag_kg": draw.choice((20, BAG_KG)),
        }
        letter = draw.choice("ABCDEFGHKLMNPRTUVW")
        first = draw.int(1, 4)
        self.lines = tuple(
            Line(f"{letter}{first + place}", kind, limits.get(kind, 0)) for place, kind in enumerate(plot.kinds)
        )

    # --- the flights

    def finish(self) -> Built:
        """Put the flights and traps in, and prove what is right."""
        self._limits()
        plot = self.plot
        back, trains_back = self._back()
        self.waiver, old = self._waivers()
        flights = Flights(
            plot,
            self.draw,
            self.sky,
            self.ground,
            self.lines,
            self.latest,
            self.cancelled,
            self.waiver,
            self.setting.difficulty,
            self.traps,
        )
        flights.put(old is not None)
        self.flights, self.proposal = flights.flights, flights.proposal
        return self._prove(back, trains_back, old)

    def _line(self, kind: str) -> Line | None:
        return next((line for line in self.lines if line.kind == kind), None)

    def _waivers(self) -> tuple[Waiver, Waiver | None]:
        plot, draw = self.plot, self.story
        day = self.cancelled[0].dep_local[:10]
        middle = dict(plot.carrier.brands).get("standard") or plot.carrier.brands[-1][1]
        names = tuple(dict.fromkeys((self.cancelled[1].brand, middle)))
        wide = tuple(code for code in (*plot.trip.starts, *plot.trip.ends))
        main = (plot.route.start, plot.route.end)
        last = day_after(day, draw.int(1, 3))
        updated = self.setting.difficulty == "hard" or (self.setting.difficulty == "standard" and draw.chance(0.5))
        if updated:
            self.traps.add("updated_notice")
            old = Waiver(plot.carrier.code, wide, names, day_after(day, -1), day_after(last, 3))
            return Waiver(plot.carrier.code, main, names, day_after(day, -1), last), old
        points = wide if draw.chance(0.5) else main
        return Waiver(plot.carrier.code, points, names, day_after(day, -1), last), None

    # --- the proof

    def _ways(self) -> Iterator[Way]:
        for service, fare in self.flights:
            if fare.open and fare.seats >= self.plot.party.size and self.waiver.admits(service, fare):
                yield from ways(service, fare, self.ground)

    def _prove(
        self, back: tuple[Service, Fare], trains_back: tuple[tuple[Service, Fare], ...], old: Waiver | None
    ) -> Built:
        """Enumerate every free way on its own terms and see that the outcome is the one that was meant."""
        plot = self.plot
        judged = [(way, broken(way, self.lines, self.latest)) for way in self._ways()]
        for way, _ in judged:
            for line in self.lines:
                if line.kind in ("be_at_event_by", "checkin_by", "keep_stay"):
                    at = way.event_at if line.kind == "be_at_event_by" else way.house_at
                    limit = self.latest if line.kind == "keep_stay" else line.limit
                    assert isinstance(limit, int)
                    if abs(at - limit) < MARGIN_S:
                        raise NoFit
        whole = [way for way, fails in judged if not fails]
        gives: Line | None = None
        if plot.giver:
            gives = self._line(plot.giver)
            assert gives is not None
            if {next(iter(fails), "") for _, fails in judged if len(fails) < 2} != {gives.id}:
                raise NoFit
            alone = [way for way, fails in judged if fails == frozenset({gives.id})]
            best = min(reached(way, gives, plot.zone)[0] for way in alone)
            whole = [way for way in alone if reached(way, gives, plot.zone)[0] == best]
        if not 1 <= len({way.service.id for way in whole}) <= 3:
            raise NoFit
        if not plot.giver and any(way.service.id == self._first_landing().id for way in whole):
            raise NoFit
        if not any(ways(*self.proposal, self.ground)):
            raise NoFit
        currency, step = currency_at(plot.route.start)
        exchange = None
        if plot.trip.rail:
            rail, brand = plot.trip.rail, self.ground.trains[0][1].brand
            exchange = Waiver(rail.carrier, (rail.start, rail.end), (brand,), self.day, self.day)
        return Built(
            plot,
            self.inventory,
            self.rates,
            self.house,
            self.areas,
            self.ground,
            self.lines,
            self.latest,
            clock_of(self.by, plot.zone),
            self.strict,
            self.cancelled,
            back,
            trains_back,
            self.waiver,
            old,
            exchange,
            self.rates.from_usd(self.story.choice(FEE_USD), currency, step),
            tuple(self.flights),
            tuple(whole),
            gives,
            self.proposal,
            frozenset(self.traps),
        )

    def _first_landing(self) -> Service:
        mine = [
            service
            for service, fare in self.flights
            if fare.seats >= self.plot.party.size and self.waiver.admits(service, fare)
        ]
        return min(mine, key=lambda service: service.arrives)
