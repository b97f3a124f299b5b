"""An evening as it is laid out: the houses that are full, those that would do, and those with one flaw each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.market import BANDS, reservation_market
from agentbench_tasks.reservations.domain.outlets import WALKABLE
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.walk_in.goal import BEFORE_LAST_ORDER
from agentbench_tasks.reservations.domain.walk_in.houses import Cast
from agentbench_tasks.reservations.domain.walk_in.plot import PLAIN, WANTED, Kind, Plot
from agentbench_tasks.reservations.domain.walk_in.queues import (
    Wait,
    draw_mode,
    draw_wait,
    for_two_at_the_counter,
    queue_of,
    without_queue,
)

WANTED_BEFORE = 3
"""How many full houses the user names."""
SPARE_START = "21:30"
"""The start at which one of them still has a table, far too late."""
MARGIN: dict[Difficulty, int] = {"easy": 15, "standard": 6, "hard": 2}
"""Minutes that lie at least between a seat and the latest that the last order allows, on either side."""
LIST_MARGIN: dict[Difficulty, int] = {"easy": 5, "standard": 3, "hard": 2}
"""Minutes that lie at least between an arrival and the end of the list, on either side."""
GAP: dict[Difficulty, int] = {"easy": 5, "standard": 3, "hard": 2}
"""Minutes between two seats at least."""
REPLACED = 0.3
"""The share of houses whose older page of hours is still there."""
_SOONEST, _LATEST = 8, 60
"""Minutes from the request to the seat at the houses that would do."""
_LAST = 110
"""The same at any house."""
_CERTAIN_WALK = 56
"""Metres as the crow flies that along any streets are walked in a minute."""
_ROUND = 0.3
"""The share of houses within reach to which the way goes round."""
_PARTY_ONLINE = 8


class Stop(msgspec.Struct):
    """A house of the evening with the part it plays, and the minutes that it takes to walk there and to wait."""

    house: House
    kind: Kind
    walk: int
    wait: Wait = Wait(0, 5)

    @property
    def offset(self) -> int:
        """Minutes from the request to the seat."""
        return self.walk + self.wait.minutes


class Evening:
    """Lays out an evening.

    Args:
        build: the town that is being built.
        draw: the stream to draw from.
        plot: the evening.
    """

    def __init__(self, build: TownBuilder, draw: Draw, plot: Plot) -> None:
        self.build, self.draw, self.plot = build, draw, plot
        self.cast = Cast(build, draw, plot)
        self.size: Difficulty = build.setting.difficulty
        self.rules = reservation_market(build.setting.market.code)
        self.full: list[House] = []
        self.stops: list[Stop] = []

    def lay_out(self) -> None:
        """Take the houses, and settle them one after the other; raise NoFit if the quarter has none that fit."""
        self.stops = [self._stop(kind) for kind in self.plot.kinds]
        self.full = [self.cast.house() for _ in range(WANTED_BEFORE)]
        viable = [stop for stop in self.stops if stop.kind == "viable"]
        self._seat(viable)
        if self.plot.tie:
            self._tie(viable)
        seats = sorted(stop.offset for stop in viable)
        third = seats[WANTED - 1] if len(seats) >= WANTED else _LATEST
        active = self.stops[len(viable) : len(viable) + len(self.plot.active)]
        for stop in active:
            stop.wait = self._tempting(stop, third)
        rest = self.stops[len(viable) + len(active) :]
        for number, stop in enumerate(rest):
            # The first is always plain, and early: boards and walks alone never make the list.
            stop.wait = self._later(stop, third) if number else self._tempting(stop, third)
        for stop in self.stops:
            self._settle(stop)
        for stop in active:
            if stop.kind in ("paused_board", "private_event"):
                self.cast.promise_tables(stop.house)
        for number, house in enumerate(self.full):
            self._fill(house, spare=number == 1)

    # --- where the houses are

    def _stop(self, kind: Kind) -> Stop:
        limit, draw, cast = self.plot.limit, self.draw, self.cast
        match kind:
            case "far_bank":
                house = cast.house((0, 400))
                return Stop(house, kind, cast.detour(house, limit + draw.int(2, 5)))
            case "short_queue_far":
                house = cast.house((500, WALKABLE))
                return Stop(house, kind, cast.detour(house, limit + draw.int(1, 3)))
            case "ticket_cutoff":
                house = cast.house((0, limit * _CERTAIN_WALK))
                # The list is still open and closes on the way.
                least = 5 + LIST_MARGIN[self.size]
                walk = cast.walk(house)
                return Stop(house, kind, walk if walk >= least else cast.detour(house, draw.int(least, limit)))
            case _:
                house = cast.house((0, limit * _CERTAIN_WALK))
                walk = cast.walk(house)
                # Way round or not tells nothing of what a house is good for.
                if draw.chance(_ROUND):
                    walk = cast.detour(house, min(walk + draw.int(1, 3), limit))
                return Stop(house, kind, walk)

    # --- how long one waits

    def _seat(self, stops: Sequence[Stop]) -> None:
        """Draw waits so that no two seats are near each other, and all but two are later than any walk."""
        taken: list[int] = []
        for number, stop in enumerate(stops):
            first = _SOONEST if number < WANTED - 1 else self.plot.limit + 8

            def fits(wait: int, walk: int = stop.walk, first: int = first) -> bool:
                apart = all(abs(walk + wait - other) >= GAP[self.size] for other in taken)
                return first <= walk + wait <= _LATEST and apart

            stop.wait = self._wait(fits)
            taken.append(stop.offset)

    def _tie(self, stops: Sequence[Stop]) -> None:
        """Give one house the seat of a better one to which the walk is another; raise NoFit if no wait does it."""
        ranked = sorted(stops, key=lambda stop: stop.offset)
        for better in ranked[: WANTED - 1]:
            for other in ranked:
                if other.walk == better.walk or other.offset <= better.offset:
                    continue
                try:
                    other.wait = self._wait(lambda wait, a=better, b=other: b.walk + wait == a.offset)
                except NoFit:
                    continue
                return
        raise NoFit

    def _tempting(self, stop: Stop, third: int) -> Wait:
        """A wait with which the house would be among the best if its flaw were overlooked."""
        if stop.kind == "private_event":
            return Wait(0, 5)
        first = stop.walk + 5 if stop.kind == "last_order" else stop.walk
        return self._wait(lambda wait: first <= stop.walk + wait <= third - GAP[self.size])

    def _later(self, stop: Stop, third: int) -> Wait:
        """A wait with which a house that looks like a trap would not be among the best; others wait as they may."""
        least = _SOONEST if stop.kind in PLAIN else third + GAP[self.size]
        return self._wait(lambda wait: least <= stop.walk + wait <= _LAST)

    def _wait(self, fits: Callable[[int], bool]) -> Wait:
        return draw_wait(self.draw, self.rules.queues, fits)

    # --- what the houses are like

    def _settle(self, stop: Stop) -> None:
        cast, draw, plot, house, kind = self.cast, self.draw, self.plot, stop.house, stop.kind
        seat = plot.minute + stop.offset
        if kind == "last_order":
            latest = seat + BEFORE_LAST_ORDER - MARGIN[self.size]
            cast.stop_orders_at(house, latest - latest % 15)
        else:
            cast.take_orders_from(house, seat + BEFORE_LAST_ORDER + MARGIN[self.size])
        if kind == "other_band":
            cast.charge(house, draw.choice([band for band in BANDS if band != plot.band]))
        elif kind == "plus_plus_band":
            cast.charge_on_top(house)
        else:
            cast.charge(house, plot.band)
        if kind != "plus_plus_band" and draw.chance(0.35):
            cast.tell_price(house)
        if kind == "implied_need":
            cast.sound_alike(house)
        elif kind != "silent":
            cast.keep_diet(house)
        if kind in ("viable", "silent") and draw.chance(0.3):
            cast.tag(house)
        if kind == "private_event":
            house.announce(self.build.day(-draw.int(2, 12)), plot.today, reasons=("private_event",))
        if draw.chance(REPLACED):
            cast.replace_hours(house)
        self._open_queue(stop)

    def _open_queue(self, stop: Stop) -> None:
        draw, plot, house, kind = self.draw, self.plot, stop.house, stop.kind
        if kind == "bookings_only":
            house.board = without_queue(house)
            return
        mode = "remote_app" if kind == "remote_only" else draw_mode(draw, house.rules.queues)
        cutoff = self._list_closes(stop)
        house.board = queue_of(
            house, draw, mode, stop.wait, plot.party, cutoff=cutoff, accepting=kind != "paused_board"
        )
        if kind == "counter_only":
            house.board = for_two_at_the_counter(house.board)
        house.on_site = kind != "remote_only"

    def _list_closes(self, stop: Stop) -> int:
        """The minute of the day at which the list closes, -1 for none."""
        arrival, margin = self.plot.minute + stop.walk, LIST_MARGIN[self.size]
        if stop.kind == "ticket_cutoff":
            latest = arrival - margin
            return self.draw.int(self.plot.minute // 5 + 1, latest // 5) * 5
        first = -(-(arrival + margin) // 5)
        last_order = service_minutes(stop.house.last_order)
        if stop.kind == "last_order" or first > last_order // 5 or self.draw.chance(0.5):
            return -1
        return self.draw.int(first, min(first + 12, last_order // 5)) * 5

    # --- the houses that are full

    def _fill(self, house: House, spare: bool) -> None:
        """Let every table be taken tonight, at the spare house until long after the party wants to eat."""
        cast, plot = self.cast, self.plot
        cast.take_orders_from(house, service_minutes(SPARE_START))
        cast.charge(house, plot.band)
        wait = self._wait(lambda wait: wait >= 30)
        mode = draw_mode(self.draw, house.rules.queues)
        house.board = queue_of(house, self.draw, mode, wait, plot.party, accepting=False)
        larger = usual.off_the_web(self.draw, house.rules, house.place, "messenger", PartyRange(_PARTY_ONLINE + 1))
        house.take_bookings(Route("instant", "", PartyRange(1, _PARTY_ONLINE)), larger)
        house.window = msgspec.structs.replace(house.window, lead_minutes=60)
        evening = max((rule.hours for rule in house.hours), key=lambda hours: hours.close)
        house.furnishing.settle(plot.today)
        until = SPARE_START if spare else service_clock(service_minutes(evening.close) + 120)
        house.furnishing.take(house.furnishing.tables, plot.today, evening.open, until)
