"""Drawing an instance: the schedule that works first, then exceptions and misfits around it, then the proof."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.travel.domain.ground_plan import misfits
from agentbench_tasks.travel.domain.ground_plan.layout import SLOT_STEP, Appointment, Day, Layout, up
from agentbench_tasks.travel.domain.ground_plan.places import Closings, Guide, Opening, Spot, clock
from agentbench_tasks.travel.domain.ground_plan.plot import BOAT_CHANCE, SLOT_CHANCE, Plot, draw_plot
from agentbench_tasks.travel.domain.ground_plan.proof import prove
from agentbench_tasks.travel.domain.ground_plan.rush import refuse_luck
from agentbench_tasks.travel.domain.ground_plan.ways import Node, Ways
from agentbench_tasks.travel.domain.records_ground import PlaceDay, RouteTime, Slot
from agentbench_tasks.travel.domain.records_stays import Hours

FEWEST_MINUTES = 120
"""A place admits visitors for at least so long."""
AROUND = 1
"""Days before and after the trip for which hours are announced too."""
Reason = Literal["closed", "sold_out", "no_service", "no_room"]


class Once(msgspec.Struct, frozen=True):
    """A closing that is none of the weekly ones."""

    first: date
    last: date
    why: Literal["maintenance", "private"]


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    lodging: Node
    nodes: dict[str, Node]
    """Every place with ways, the appointments' included."""
    wishes: tuple[str, ...]
    """The places of the list, in its order."""
    misfits: dict[str, Reason]
    appointments: tuple[Appointment, ...]
    schedule: tuple[Day, ...]
    closings: Closings
    once: dict[str, Once]
    place_days: tuple[PlaceDay, ...]
    routes: tuple[RouteTime, ...]
    ways: Ways
    extras: tuple[Node, ...]
    """Places that nobody asked for and that no way leads to but the map's."""
    traps: tuple[str, ...]


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven."""
    return first_fit(draw, lambda attempt: Build(attempt, setting).finish())


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting) -> None:
        self._setting, self._draw = setting, draw.stream("days")
        self.plot = draw_plot(draw.stream("plot"), setting)
        self._guide = Guide(draw.stream("places"), setting.market)
        self._ids = draw.stream("ids")
        self._ways = Ways(draw.stream("ways"), self._guide.sights)
        days = self.plot.days
        self._closings = Closings(setting.market, days[0], days[-1])
        self.once: dict[str, Once] = {}
        self.reasons: dict[str, Reason] = {}

    def finish(self) -> Built:
        """Lay the days, add what does not fit, and prove both."""
        guide, plot, draw = self._guide, self.plot, self._draw
        lodging = self._node("prp", guide.special("house", Opening(0, 1440, 1440), 0))
        visits = [self._node("plc", spot) for spot in self._spots(plot.wishes - plot.misfits)]
        kinds = draw.sample(("lunch", "workshop"), plot.appointments)
        fixed = [(self._appointment(kind), kind) for kind in kinds]
        layout = Layout(draw, plot, self._ways, lodging, self._closings)
        layout.lay(visits, fixed)
        if not all(day.stops for day in layout.days):
            raise NoFit
        tightened = self._tighten(visits, layout.days)
        self._close_once(visits, layout.days)
        outside = self._misfits(lodging)
        annexes = [self._node("plc", guide.annex(draw.choice(visits).spot))] if draw.chance(0.75) else []
        nodes = [lodging, *visits, *(node for node, _ in fixed), *outside, *annexes]
        extras = [self._node("plc", guide.invented()) for _ in range(draw.int(1, 2))]
        by_id = {node.id: node for node in nodes}
        place_days = [day for node in (*nodes[1:], *extras) for day in self._days(node, layout.days)]
        routes = self._ways.records(nodes, lodging, self._ids)
        wishes = draw.shuffled([*visits, *outside])
        built = Built(
            plot,
            lodging,
            by_id,
            tuple(node.id for node in wishes),
            self.reasons,
            tuple(layout.appointments),
            tuple(layout.days),
            self._closings,
            self.once,
            tuple(place_days),
            tuple(routes),
            self._ways,
            tuple(extras),
            self._traps(visits, tightened, bool(annexes)),
        )
        refuse_luck(built, prove(built))
        return built

    def _node(self, prefix: str, spot: Spot) -> Node:
        return self._ways.node(self._ids.id(prefix), spot)

    def _spots(self, count: int) -> list[Spot]:
        guide, draw, difficulty = self._guide, self._draw, self._setting.difficulty
        spots = guide.real(min(len(guide.sights.real), (count + 1) // 2))
        if draw.chance(BOAT_CHANCE[difficulty]):
            spots.append(misfits.island(guide, draw))
        while len(spots) < count:
            spots.append(guide.invented())
        slots = [number for number, spot in enumerate(spots) if not spot.real and spot.mode == "transit"]
        if slots and draw.chance(SLOT_CHANCE[difficulty]):
            chosen = draw.choice(slots)
            spots[chosen] = msgspec.structs.replace(spots[chosen], slots=True)
        return spots

    def _appointment(self, kind: str) -> Node:
        hours = Opening(600, 1320, 1290)
        name, dwell = ("restaurant", (60, 75)) if kind == "lunch" else ("workshop", (75, 90))
        return self._node("plc", self._guide.special(name, hours, self._draw.choice(dwell)))

    def _tighten(self, visits: Sequence[Node], days: Sequence[Day]) -> bool:
        """Let some places end their admission soon after their visit is planned to begin."""
        starts = {stop.node: stop for day in days for stop in day.stops}
        done = False
        for node in visits:
            stop, hours = starts[node.id], node.spot.hours
            last = up(stop.start, 15) + self._draw.choice((0, 15, 30))
            early = hours.opens + FEWEST_MINUTES <= last < hours.last
            if early and not node.spot.real and not node.spot.slots and self._draw.chance(0.5):
                closes = min(hours.closes, up(max(stop.end, last + 30), 15))
                hours = msgspec.structs.replace(hours, last=last, closes=closes)
                if hours.rest[1] >= closes:
                    hours = msgspec.structs.replace(hours, rest=(0, 0))
                node.spot = msgspec.structs.replace(node.spot, hours=hours)
                done = True
        return done

    def _close_once(self, visits: Sequence[Node], days: Sequence[Day]) -> None:
        """Close some places on another day of the trip than theirs."""
        planned = {stop.node: number for number, day in enumerate(days) for stop in day.stops}
        for node in visits:
            others = [
                day
                for number, day in enumerate(self.plot.days)
                if number != planned[node.id] and not self._closings.is_closed(node.spot, day)
            ]
            if others and self._draw.chance(0.35):
                day = self._draw.choice(others)
                self.once[node.id] = Once(day, day, self._draw.choice(("maintenance", "private")))

    def _misfits(self, lodging: Node) -> list[Node]:
        draw, plot = self._draw, self.plot
        reasons: Sequence[Reason] = ("closed", "sold_out", "no_service", "no_room", "no_room", "no_room")
        found: list[Node] = []
        for reason in draw.sample(reasons, plot.misfits):
            node = self._node("plc", misfits.spot(reason, self._guide, draw, plot))
            if reason == "closed":
                before, after = draw.int(1, 6), draw.int(1, 20)
                self.once[node.id] = Once(
                    plot.days[0] - timedelta(before), plot.days[-1] + timedelta(after), "maintenance"
                )
            elif reason == "no_room":
                misfits.squeeze(node, lodging, self._ways, draw, plot)
            self.reasons[node.id] = reason
            found.append(node)
        return found

    # --- days of places

    def _days(self, node: Node, schedule: Sequence[Day]) -> list[PlaceDay]:
        first, last = self.plot.days[0] - timedelta(AROUND), self.plot.days[-1] + timedelta(AROUND)
        days = [first + timedelta(number) for number in range((last - first).days + 1)]
        return [self._place_day(node, day, schedule) for day in days]

    def _place_day(self, node: Node, day: date, schedule: Sequence[Day]) -> PlaceDay:
        id, key = self._ids.id("pld"), (node.id, day.isoformat())
        once, spot = self.once.get(node.id), node.spot
        reason = once.why if once and once.first <= day <= once.last else ""
        reason = "weekly" if self._closings.is_closed(spot, day) else reason
        if reason:
            return PlaceDay(id, key, "", "", "", (), reason)
        hours = spot.opening(day)
        begins, ends = hours.rest
        rest = (Hours(clock(begins), clock(ends)),) if ends > hours.opens else ()
        slots = self._slots(node, day, hours, schedule) if spot.slots else ()
        return PlaceDay(id, key, clock(hours.opens), clock(hours.closes), clock(hours.last), rest, "", slots)

    def _slots(self, node: Node, day: date, hours: Opening, schedule: Sequence[Day]) -> tuple[Slot, ...]:
        draw, party = self._draw, self.plot.party
        planned = {
            stop.start
            for number, one in enumerate(schedule)
            for stop in one.stops
            if stop.node == node.id and self.plot.days[number] == day
        }
        sold_out = self.reasons.get(node.id) == "sold_out"
        slots: list[Slot] = []
        for at in range(hours.opens, hours.last + 1, SLOT_STEP):
            if hours.rest[0] < at + node.spot.dwell and at < hours.rest[1]:
                continue
            short = draw.int(0, party - 1) if draw.chance(0.4) else 0
            free = party + draw.int(0, 6)
            left = short if sold_out or draw.chance(0.6) else free
            slots.append(Slot(clock(at), free if at in planned else left))
        return tuple(slots)

    def _traps(self, visits: Sequence[Node], tightened: bool, annex: bool) -> tuple[str, ...]:
        days, closings = self.plot.days, self._closings
        spots = [node.spot for node in visits]
        found = {
            "shifted_closing": any(closings.is_shifted(spot, day) for spot in spots for day in days),
            "open_on_holiday": any(
                day.isoweekday() in spot.closed and not closings.is_closed(spot, day) for spot in spots for day in days
            ),
            "last_admission": tightened,
            "last_service": any(spot.mode != "transit" for spot in spots),
            "lunch_break": any(spot.hours.rest[1] for spot in spots),
            "friday_prayer": any(spot.friday and day.isoweekday() == 5 for spot in spots for day in days),
            "slots": any(spot.slots for spot in spots),
            "same_name_branch": annex,
        }
        return tuple(name for name, there in found.items() if there)
