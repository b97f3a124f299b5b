"""How a careful assistant mends a trip: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from datetime import date, timedelta

from agentbench_env.claims import TextClaim
from agentbench_env.policies.expert import Do
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import BookingGet
from agentbench_tasks.travel.domain.carriers import CarrierGetService, CarrierSearchServices
from agentbench_tasks.travel.domain.changes import BookingPriceChange
from agentbench_tasks.travel.domain.geography import static_id
from agentbench_tasks.travel.domain.ground import GroundGetRoute, RouteOption
from agentbench_tasks.travel.domain.plan import PlanEntry, PlanSave
from agentbench_tasks.travel.domain.records import Service
from agentbench_tasks.travel.domain.replan.answer import Change, Gives, ReplanAnswer
from agentbench_tasks.travel.domain.replan.case import ReplanCase
from agentbench_tasks.travel.domain.replan.rules import Line, Way, reached
from agentbench_tasks.travel.domain.stays import StayGetListing


class Moves:
    """Gathers the records by calls and writes the plan and the answer from them, for one way to go on."""

    def __init__(self, case: ReplanCase, do: Do, way: Way | None = None) -> None:
        self.case, self.do, self.built = case, do, case.built
        self.way = way or case.built.right[0]
        self.ride: RouteOption | None = None

    def read_up(self) -> None:
        """Mails, brief, bookings, the waiver, the train's terms and the house's rules."""
        do = self.do
        for row in do(MailSearchMessages()).messages:
            do(MailGetMessage(message_id=row.message_id))
        briefs = do(PapersList(kind="trip_brief")).papers
        do(PapersGet(paper_id=briefs[0].paper_id))
        for booking in self.case.bookings:
            do(BookingGet(locator=booking.locator))
        self.read_terms()
        do(StayGetListing(property_id=self.built.house.record.id, section="house_rules"))

    def read_terms(self) -> None:
        """The waiver in force, and the train's exchange clause."""
        plot = self.built.plot
        hits = self.do(PagesSearch(query="", publisher=static_id("org", plot.carrier.code), kind="waiver"))
        for hit in hits.pages:
            self.do(PagesGet(page_id=hit.page_id))
        if self.case.exchange_section:
            rail = self.built.exchange
            assert rail is not None
            terms = self.do(PagesSearch(query="", publisher=static_id("org", rail.carrier), kind="terms"))
            self.do(PagesGet(page_id=terms.pages[0].page_id))

    def find(self, service: Service) -> None:
        """Page through the carrier's departures of the day to the one wanted, and open it."""
        code, start, end, day = service.route
        token = ""
        while True:
            page = self.do(
                CarrierSearchServices(
                    carrier_code=code, origin=start, destination=end, depart_on=day, adults=1, page_token=token
                )
            )
            if any(row.service_id == service.id for row in page.services):
                break
            token = page.next_page_token
        self.do(CarrierGetService(carrier_code=code, service_id=service.id))

    def look(self) -> None:
        """The flight, the train, the way on the ground."""
        way, ground = self.way, self.built.ground
        self.find(way.service)
        self.do(AirportGetInfo(code=way.service.dest))
        if way.train is not None:
            self.find(way.train)
            start, leaves = ground.station, way.train.arrives
            self.do(AirportGetInfo(code=way.train.dest))
        else:
            start, leaves = ground.airports[way.service.dest], way.service.arrives + ground.buffer_min * 60
        line = self.built.gives
        to_event = line is not None and (
            line.kind == "be_at_event_by" or (line.kind == "transfer_cost_max" and not ground.event_day)
        )
        end = ground.venue if to_event else ground.house
        local = to_local(leaves, ground.zone)
        options = self.do(GroundGetRoute(from_id=start, to_id=end, depart_at=local)).options
        self.ride = next((option for option in options if option.mode == way.first_ride.mode), None)

    def look_home(self) -> None:
        """What stays as booked on the way back."""
        home = [*self.built.trains_back, self.built.back]
        for service, _ in home:
            self.do(CarrierGetService(carrier_code=service.carrier, service_id=service.id))

    def price(self) -> None:
        """See that the change costs nothing."""
        self.do(BookingPriceChange(booking_id=self.case.bookings[0].id, item_index=0, target_id=self.way.fare.id))

    def entries(self) -> list[PlanEntry]:
        """Everything that remains of the trip."""
        case, way, built = self.case, self.way, self.built
        plot, stay = built.plot, case.bookings[-1]
        legs = [(way.service, way.fare.id, "")]
        if way.train is not None:
            kept = way.train.id == built.ground.booked_train
            legs.append((way.train, way.train.id, case.bookings[1].id if kept else ""))
        home = [(train, train.id, case.bookings[1].id) for train, _ in built.trains_back]
        home.append((built.back[0], built.back[0].id, case.bookings[0].id))
        last = (date.fromisoformat(plot.arrive_day) + timedelta(plot.nights)).isoformat()
        event = next(line.limit for line in built.lines if line.kind == "be_at_event_by")
        assert isinstance(event, int)
        zone = plot.zone
        middle = [
            _entry("stay", f"{plot.arrive_day}T15:00", f"{last}T10:00", zone, stay.items[0].object_id, stay.id),
            _entry("visit", to_local(event, zone), to_local(event + 7200, zone), zone, case.event_line),
        ]
        return [*(_leg(*leg) for leg in legs), *middle, *(_leg(*leg) for leg in home)]

    def changes(self) -> list[Change]:
        """What the plan replaces, and by which clause."""
        case, way = self.case, self.way
        found = [
            Change(
                booking_id=case.bookings[0].id,
                item_index=0,
                new_object_id=way.fare.id,
                free_basis=[case.waiver_section],
            )
        ]
        if way.train is not None and way.train.id != self.built.ground.booked_train:
            found.append(
                Change(
                    booking_id=case.bookings[1].id,
                    item_index=0,
                    new_object_id=way.train.id,
                    free_basis=[case.exchange_section],
                )
            )
        return found

    def gives(self) -> Gives:
        """What gives, with the best value and its records."""
        line = self.built.gives
        if line is None:
            return Gives()
        values = reached(self.built.right[0], line, self.built.plot.zone)[1]
        return Gives(constraint=line.id, best_value=TextClaim(value=values[0], sources=self.sources(line)))

    def sources(self, line: Line) -> list[str]:
        """The records of the value."""
        way = self.way
        if line.kind in ("bag_kg", "same_cabin"):
            return [way.fare.id]
        if self.ride is None:
            return []
        if line.kind == "transfer_cost_max":
            return [self.ride.route_id]
        if way.train is not None:
            return [way.train.id, self.ride.route_id]
        return [way.service.id, self.ride.route_id, self.case.brief_id]

    def deliver(self) -> None:
        """Save the plan and answer."""
        plan = self.do(PlanSave(title="Revised trip", items=self.entries()))
        self.do(
            ReplanAnswer(
                outcome="one_gives" if self.built.gives else "preserved",
                plan_id=plan.plan_id,
                gives=self.gives(),
                changes=self.changes(),
            )
        )

    def solve(self) -> None:
        """All of it."""
        self.read_up()
        self.look()
        self.look_home()
        self.price()
        self.deliver()


def _leg(service: Service, object_id: str, ref_id: str) -> PlanEntry:
    return PlanEntry(
        kind="leg",
        start=service.dep_local,
        start_zone=service.dep_zone,
        end=service.arr_local,
        end_zone=service.arr_zone,
        object_id=object_id,
        ref_id=ref_id,
    )


def _entry(kind: str, start: str, end: str, zone: str, object_id: str, ref_id: str = "") -> PlanEntry:
    return PlanEntry(
        kind=kind,  # type: ignore[arg-type]
        start=start,
        start_zone=zone,
        end=end,
        end_zone=zone,
        object_id=object_id,
        ref_id=ref_id,
    )


def fee_fare(case: ReplanCase) -> str:
    """Return a fare to which the flight could be changed for a fee, "" if there is none."""
    built = case.built
    size = built.plot.party.size
    suppliers = (built.plot.carrier.code, built.plot.partner.code)
    found = (
        fare.id
        for service, fare in built.flights
        if fare.seats >= size and service.carrier in suppliers and not built.free(service, fare)
    )
    return next(found, "")
