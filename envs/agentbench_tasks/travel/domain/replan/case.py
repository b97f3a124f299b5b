"""The case of a disrupted trip, and what the checks read from the plan that was saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.records import Booking, Fare, Plan, PlanItem, Service
from agentbench_tasks.travel.domain.records_ground import RouteTime
from agentbench_tasks.travel.domain.replan.answer import ReplanAnswer
from agentbench_tasks.travel.domain.replan.build import Built
from agentbench_tasks.travel.domain.replan.rules import Way, ways
from agentbench_tasks.travel.domain.replan.words import Words


class ReplanCase(msgspec.Struct, frozen=True):
    """Everything that an instance of the disruption task fixes."""

    built: Built
    start: World
    traveller: Traveller
    card: PaymentMethod
    brief_id: str
    bookings: tuple[Booking, ...]
    """Flights, trains if any, and the stay."""
    proposal_id: str
    waiver_section: str
    exchange_section: str
    words: dict[str, Words]

    @property
    def truth(self) -> str:
        """The right outcome."""
        return "one_gives" if self.built.gives else "preserved"

    @property
    def event_line(self) -> str:
        """The id of the event's line in the brief."""
        return next(line.id for line in self.built.lines if line.kind == "be_at_event_by")

    @property
    def kept(self) -> dict[str, str]:
        """What must stay in the plan whatever else changes: object id -> what it is."""
        built, stay = self.built, self.bookings[-1]
        found = {built.back[0].id: "the flight home", stay.items[0].object_id: "the stay"}
        found |= {train.id: "the train back" for train, _ in built.trains_back}
        return found | {self.event_line: "the event"}

    def is_alternative(self, service: Service) -> bool:
        """Whether a service goes where the cancelled flight went."""
        trip = self.built.plot.trip
        return (
            service.origin in trip.starts
            and service.dest in trip.ends
            and service.id not in (self.built.cancelled[0].id, self.built.back[0].id)
        )

    def is_train(self, service: Service) -> bool:
        """Whether a service goes where the booked train goes."""
        rail = self.built.plot.trip.rail
        return rail is not None and (service.origin, service.dest) == (rail.start, rail.end)


class Chosen:
    """The plan that the answer names, read against the suppliers' records."""

    def __init__(self, case: ReplanCase, ep: Episode) -> None:
        assert isinstance(ep.answer, ReplanAnswer)
        self.case, self.ep, self.answer = case, ep, ep.answer
        plan = ep.world.find(ep.answer.plan_id)
        self.items: Sequence[PlanItem] = plan.items if isinstance(plan, Plan) else ()

    @cached_property
    def services(self) -> list[tuple[PlanItem, Service]]:
        """The items that name a fare or service, with the service."""
        found: list[tuple[PlanItem, Service]] = []
        for item in self.items:
            service = self.service_of(item.object_id)
            if service is not None:
                found.append((item, service))
        return found

    def service_of(self, id: str) -> Service | None:
        """The service that an id names, itself or by one of its fares."""
        record = self.ep.world.find(id)
        if isinstance(record, Fare):
            record = self.ep.world.find(record.service_id)
        return record if isinstance(record, Service) else None

    @property
    def flights(self) -> list[Service]:
        """The services in place of the cancelled flight."""
        return [service for _, service in self.services if self.case.is_alternative(service)]

    @property
    def trains(self) -> list[Service]:
        """The trains that follow it."""
        return [service for _, service in self.services if self.case.is_train(service)]

    @property
    def flight(self) -> Service | None:
        """The one service in place of the cancelled flight, None if there is none or several."""
        return self.flights[0] if len(self.flights) == 1 else None

    @property
    def train(self) -> Service | None:
        """The one train, None if there is none or several."""
        return self.trains[0] if len(self.trains) == 1 else None

    def fares(self, service: Service) -> list[Fare]:
        """The fares of a service that the plan or the answer names, all of them if they name none."""
        named = {item.object_id for item in self.items} | {change.new_object_id for change in self.answer.changes}
        fares = self.ep.world.where(Fare, "service_id", service.id)
        return [fare for fare in fares if fare.id in named] or fares

    def ways(self) -> Iterator[Way]:
        """The ways to go on that the plan leaves open."""
        if self.flight is None:
            return
        rides = {item.object_id for item in self.items if isinstance(self.ep.world.find(item.object_id), RouteTime)}
        for fare in self.fares(self.flight):
            for way in ways(self.flight, fare, self.case.built.ground):
                if way.train is not None and (self.train is None or way.train.id != self.train.id):
                    continue
                if not rides or {way.house_ride.id, way.event_ride.id} & rides:
                    yield way

    def facts(self, way: Way) -> list[Fact]:
        """What the value rests on that a way reaches of the line that gives."""
        line = self.case.built.gives
        assert line is not None
        if line.kind == "bag_kg":
            return [(f"{way.fare.id}.bag_included", way.fare.bag_kg)]
        if line.kind == "same_cabin":
            return [(f"{way.fare.id}.cabin", way.fare.cabin)]
        if line.kind == "transfer_cost_max":
            return [(f"{way.first_ride.id}.fare", str(way.cost))]
        ride = way.house_ride if line.kind == "checkin_by" else way.event_ride
        last = way.train or way.service
        facts: list[Fact] = [(f"{last.id}.arr", last.arrives), (f"{ride.id}.minutes", ride.minutes)]
        return facts if way.train else [*facts, ("brief.buffer_min", self.case.built.plot.buffer_min)]
