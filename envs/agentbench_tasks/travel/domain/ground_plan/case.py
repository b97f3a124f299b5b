"""The case of a ground plan, and the plan as it was saved, read against the records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_env.zones import UnknownZone, to_instant, to_local
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.travel.domain.ground import band_at, wait_at
from agentbench_tasks.travel.domain.ground_plan.answer import GroundPlanAnswer
from agentbench_tasks.travel.domain.ground_plan.build import Built
from agentbench_tasks.travel.domain.ground_plan.places import minute
from agentbench_tasks.travel.domain.ground_plan.words import Words
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.records import Plan, PlanItem
from agentbench_tasks.travel.domain.records_ground import PlaceDay, RouteTime


class GroundPlanCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the ground plan fixes."""

    traveller: Traveller


class Timed(msgspec.Struct, frozen=True):
    """An item of the plan with its local day and minutes; an end after midnight lies beyond 24 hours."""

    item: PlanItem
    day: str
    start: int
    end: int

    @property
    def id(self) -> str:
        """The place that is visited."""
        return self.item.object_id

    @property
    def when(self) -> str:
        """The times as the plan has them."""
        return f"{self.item.start} to {self.item.end[11:]}"


class Hop(msgspec.Struct, frozen=True):
    """Two neighbours of a day, and the transfer between them; `before` and `after` are None at the lodging."""

    day: str
    before: Timed | None
    after: Timed | None
    transfer: Timed | None


class Saved:
    """The plan that the answer names."""

    def __init__(self, case: GroundPlanCase, ep: Episode) -> None:
        self._case, self._ep = case, ep
        answer = ep.answer
        assert isinstance(answer, GroundPlanAnswer)
        plan = ep.world.find(answer.plan_id)
        self.items: Sequence[PlanItem] = plan.items if isinstance(plan, Plan) else ()
        self.answer = answer

    @cached_property
    def timed(self) -> list[Timed]:
        """The visits and transfers whose times can be read, in order of time."""
        zone = self._ep.world.zone
        found = [_timed(item, zone) for item in self.items if item.kind in ("visit", "transfer")]
        return sorted((one for one in found if one is not None), key=lambda one: (one.day, one.start, one.end))

    @property
    def unreadable(self) -> list[PlanItem]:
        """The visits and transfers whose times cannot be read."""
        read = {id(one.item) for one in self.timed}
        return [item for item in self.items if item.kind in ("visit", "transfer") and id(item) not in read]

    @property
    def visits(self) -> list[Timed]:
        """The visits, appointments included."""
        return [one for one in self.timed if one.item.kind == "visit"]

    def visits_of(self, place: str) -> list[Timed]:
        """The visits of one place."""
        return [one for one in self.visits if one.id == place]

    @cached_property
    def by_day(self) -> Mapping[str, list[Timed]]:
        """Everything by local day."""
        found: dict[str, list[Timed]] = {}
        for one in self.timed:
            found.setdefault(one.day, []).append(one)
        return found

    @cached_property
    def hops(self) -> list[Hop]:
        """Every pair of neighbours, the lodging at both ends of a day."""
        lodging, found = self._case.built.lodging.id, list[Hop]()
        for day, items in self.by_day.items():
            visits = [one for one in items if one.item.kind == "visit"]
            transfers = [one for one in items if one.item.kind == "transfer"]
            for before, after in zip([None, *visits], [*visits, None], strict=True):
                if before is None and after is None:
                    continue
                ends = (before.id if before else lodging, after.id if after else lodging)
                earliest = before.end if before else 0
                fitting = [
                    one
                    for one in transfers
                    if (one.item.from_id, one.item.to_id) == ends and (after is None or one.start <= after.start)
                ]
                chosen = next((one for one in fitting if one.start >= earliest), fitting[-1] if fitting else None)
                found.append(Hop(day, before, after, chosen))
        return found

    def needed(self, hop: Hop) -> int:
        """Minutes that a hop's transfer takes with the margin, -1 if nothing of its kind goes at its hour."""
        assert hop.transfer is not None
        item, at = hop.transfer.item, hop.transfer.start
        at = at if at >= 240 else at + 1440
        rows = self._ep.world.where(RouteTime, "pair", (item.from_id, item.to_id))
        mode = item.mode.strip().lower()
        for row in rows:
            if row.mode == mode and row.mode != "taxi" and row.band == band_at(at):
                wait = wait_at(row, at)
                if wait >= 0:
                    return wait + row.minutes + self._case.built.plot.margin
        return -1


def _timed(item: PlanItem, zone: str) -> Timed | None:
    try:
        start = to_local(to_instant(item.start, item.start_zone), zone)
        end = to_local(to_instant(item.end, item.end_zone), zone)
        nights = (date.fromisoformat(end[:10]) - date.fromisoformat(start[:10])).days
    except (UnknownZone, ValueError):
        return None
    return Timed(item, start[:10], minute(start[11:]), minute(end[11:]) + 1440 * nights)


def day_of(world: World, place: str, day: str) -> PlaceDay | None:
    """Return a place's day, None if it has announced none."""
    return next(iter(world.where(PlaceDay, "key", (place, day))), None)


def obstacles(case: GroundPlanCase, world: World, place: str, reason: str) -> Sequence[Fact]:
    """The facts of which each shows, by itself, what keeps a place out."""
    days = [day_of(world, place, day.isoformat()) for day in case.built.plot.days]
    rows = [row for row in days if row is not None]
    routes = [row for row in world.all(RouteTime) if place in row.pair and row.mode != "taxi"]
    if reason == "closed":
        return [(f"{place}.{row.key[1]}.opens", "closed") for row in rows if not row.opens]
    opened = [row for row in rows if row.opens]
    if reason == "sold_out":
        keys = [f"{place}.{row.key[1]}.slots_left" for row in opened]
        return [(key, row.facts(world)[key]) for key, row in zip(keys, opened, strict=True)]
    if reason == "no_service":
        return [(last_back_key(place), row.last) for row in routes[:1]] + [(f"{r.id}.last", r.last) for r in routes]
    hours = [(f"{place}.{row.key[1]}.opens", row.opens) for row in opened]
    return [*hours, *((f"{row.id}.minutes", row.minutes) for row in routes)]


def last_back_key(place: str) -> str:
    """The key of the fact that a notice states about the last departure from a place."""
    return f"{place}.last_back"
