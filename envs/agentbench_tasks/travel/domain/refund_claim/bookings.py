"""The bookings of the user: the one that the claim is about, and a coming one that is none of its business."""

from __future__ import annotations

from datetime import date, timedelta

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.travel.domain.records import BookedItem, Booking, Names, QuoteLine, Service
from agentbench_tasks.travel.domain.records_changes import BookingRules, CancelStep, ItemRules
from agentbench_tasks.travel.domain.refund_claim.market import FLYING
from agentbench_tasks.travel.domain.refund_claim.plot import LegMoney, Plot

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
PRICE_LIFE_S = 3600


class Bookings:
    """`main` is the booking of the journey that went wrong, `coming` a later one."""

    def __init__(self, draw: Draw, ids: Draw, setting: Setting, plot: Plot, org: str) -> None:
        self._draw, self._ids, self._setting, self._plot, self._org = draw, ids, setting, plot, org
        self.records: list[Record] = []
        self.legs = self._legs()
        self.event_leg = next(number for number, money in self.legs.items() if money is plot.leg)
        self.main = self._main()
        self.coming_service = self._next_service()
        self.coming = self._coming()

    def _legs(self) -> dict[int, LegMoney]:
        """The legs of the ticket by number, 1 the first."""
        plot = self._plot
        if plot.other_leg is None:
            return {1: plot.leg}
        return {1: plot.other, 2: plot.leg} if plot.homebound else {1: plot.leg, 2: plot.other}

    def way(self, leg: int) -> str:
        """From where to where a leg goes, by its number."""
        plot = self._plot
        services = plot.planned if self.legs[leg] is plot.leg else (plot.other_leg or plot.planned[0],)
        return f"{services[0].origin}-{services[-1].dest}"

    @property
    def _kind(self) -> str:
        kind = self._plot.carrier.kind
        return "air" if kind in FLYING else kind

    @property
    def party(self) -> int:
        """How many travel."""
        return self._plot.adults + len(self._plot.child_ages)

    def _main(self) -> Booking:
        plot = self._plot
        event = [BookedItem(service.id, self.party, self._status(service)) for service in plot.planned]
        event += [BookedItem(s.id, self.party, "replacement") for s in plot.used if s not in plot.planned]
        other = [BookedItem(plot.other_leg.id, self.party, "used")] if plot.other_leg else []
        items = tuple(other + event if plot.homebound else event + other)
        lines = [
            QuoteLine(kind, str(leg), self._labels(f"{kind}_leg", self.way(leg)), minor)
            for leg, money in self.legs.items()
            for kind, minor in (("fare", money.fare), ("fuel", money.fuel), ("airport", money.airport))
        ]
        id = self._ids.id("bkg")
        paid = Money(sum(line.minor for line in lines), self._setting.market.currency)
        stated = tuple((line_key(id, line.kind, int(line.code)), line.minor) for line in lines)
        booking = Booking(id, self._locator(), self._org, self._kind, items, paid, plot.booked_at, stated=stated)
        past = CancelStep(plot.planned[0].departs, 0)
        rules = ItemRules(0, 0, (), (past,))
        self.records += [booking, self._rules(booking, tuple(lines), (rules,) * len(items))]
        return booking

    def _status(self, service: Service) -> str:
        plot = self._plot
        if plot.logs[0].service is service and plot.logs[0].status == "cancelled":
            return "cancelled"
        if service in plot.used:
            return "used"
        return "missed" if plot.used else "unused"

    def _next_service(self) -> Service:
        """The departure of a coming journey on the same route."""
        plot, draw = self._plot, self._draw
        like = plot.planned[0]
        today = date.fromisoformat(to_local(plot.now, self._setting.market.zone)[:10])
        day = (today + timedelta(draw.int(25, 60))).isoformat()
        departs = to_instant(f"{day}T{draw.int(8, 18):02}:{draw.int(0, 11) * 5:02}", like.dep_zone)
        number = f"{plot.carrier.code} {draw.int(101, 119)}"
        service = Service(
            self._ids.id("svc"),
            like.carrier,
            number,
            like.origin,
            like.dest,
            departs,
            departs + like.minutes * 60,
            like.dep_zone,
            like.arr_zone,
            like.dep_terminal,
            like.arr_terminal,
            like.minutes,
            0,
            0,
            "",
            (like.carrier, like.origin, like.dest, day),
        )
        self.records.append(service)
        return service

    def _coming(self) -> Booking:
        plot, draw, service = self._plot, self._draw, self.coming_service
        paid = plot.leg.total * draw.int(5, 9) // 10 // 100 * 100 or plot.leg.total
        booked_at = plot.now - draw.int(20, 200) * 3600
        items = (BookedItem(service.id, self.party),)
        line = QuoteLine("fare", "1", self._labels("fare_leg", f"{service.origin}-{service.dest}"), paid)
        id = self._ids.id("bkg")
        money = Money(paid, self._setting.market.currency)
        booking = Booking(id, self._locator(), self._org, self._kind, items, money, booked_at)
        rules = ItemRules(paid, 0, (), (CancelStep(service.departs - 86400, draw.choice((30, 50, 70))),))
        self.records += [booking, self._rules(booking, (line,), (rules,))]
        return booking

    def _rules(self, booking: Booking, lines: tuple[QuoteLine, ...], items: tuple[ItemRules, ...]) -> BookingRules:
        return BookingRules(
            self._ids.id("rul"), booking.id, "", "", "", lines, items, PRICE_LIFE_S, self._plot.child_ages
        )

    def _labels(self, kind: str, way: str) -> Names:
        languages = self._setting.languages
        return tuple(
            (language, shared_table(f"text/{language}/refund_claim")["labels"][kind].replace("{way}", way))
            for language in languages
        )

    def _locator(self) -> str:
        return "".join(self._draw.choice(LETTERS) for _ in range(6))


def line_key(booking_id: str, kind: str, leg: int) -> str:
    """Fact key of a line of what was paid."""
    return f"{booking_id}.{kind}.{leg}"


def day_key(service_id: str) -> str:
    """Fact key of the scheduled date of a departure."""
    return f"{service_id}.day"
