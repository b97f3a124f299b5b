"""What was booked: flights, trains and the house, under which rules, and the re-routing that the carrier prepared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market
from agentbench_env.money import Money
from agentbench_env.world import Record
from agentbench_tasks.travel.domain.geography import currency_at, fare_step, static_id
from agentbench_tasks.travel.domain.records import BookedItem, Booking, Charge, Fare, QuoteLine, Service
from agentbench_tasks.travel.domain.records_changes import (
    BookingRules,
    CancelStep,
    ChangeStep,
    ItemRules,
    PricedAction,
)
from agentbench_tasks.travel.domain.records_stays import Night, Rate
from agentbench_tasks.travel.domain.replan.build import Built

PRICE_LIFE_S = 6 * 3600


class Bookings:
    """Makes the bookings: `made` are flights, trains if any, and the stay.

    Args:
        draw: the stream for dates of booking.
        ids: the stream that ids come from.
        built: the instance.
        rules_pages: the page with the fare rules of each carrier.
    """

    def __init__(self, draw: Draw, ids: Draw, built: Built, rules_pages: Mapping[str, str]) -> None:
        self._draw, self._ids, self._built, self._rules_pages = draw, ids, built, rules_pages
        self.records: list[Record] = []
        self.made = tuple(self._bookings())
        self.proposal_id = self._proposal()

    def _bookings(self) -> Iterator[Booking]:
        built, plot = self._built, self._built.plot
        air = [built.cancelled, built.back]
        general = plot.now + 30 * 86400
        step = ChangeStep(
            general, 0, (plot.carrier.code,), built.waiver.brands, built.waiver.points, built.waiver.from_date,
            built.waiver.to_date, collects_difference=False,
        )  # fmt: skip
        paid = ChangeStep(general, built.fee, (plot.carrier.code, plot.partner.code))
        yield self._booking(
            static_id("org", plot.carrier.code), "transport", air, ((step, paid), (paid,)), plot.carrier.code
        )
        if built.exchange is not None:
            rail, trains = built.exchange.carrier, built.ground.trains
            booked = next(pair for pair in trains if pair[0].id == built.ground.booked_train)
            free = ChangeStep(
                booked[0].departs, 0, (rail,), built.exchange.brands, built.exchange.points, built.exchange.from_date,
                built.exchange.to_date, collects_difference=False,
            )  # fmt: skip
            items = [booked, *built.trains_back]
            currency = booked[1].base.currency
            fee = Money(currency_at(booked[0].origin)[1] * 5, currency).minor
            other = ChangeStep(general, fee, (rail,))
            rules = ((free, other), *(((other,),) if built.trains_back else ()))
            yield self._booking(static_id("org", rail), "transport", items, rules, rail)
        yield self._stay()

    def _booking(
        self,
        supplier: str,
        kind: str,
        legs: Sequence[tuple[Service, Fare]],
        steps: Sequence[tuple[ChangeStep, ...]],
        carrier: str,
    ) -> Booking:
        size, currency = self._built.plot.party.size, legs[0][1].base.currency
        # The way back is sold together with the way out, in its currency.
        sold = [self._sold_in(currency, fare) for _, fare in legs]
        base = [minor * size for minor, _ in sold]
        taxes = [[msgspec.structs.replace(one, minor=one.minor * size) for one in charges] for _, charges in sold]
        charges = [sum(one.minor for one in leg) for leg in taxes]
        items = tuple(BookedItem(service.id, size) for service, _ in legs)
        fares = tuple(QuoteLine("fare", fare.brand, (), minor) for (_, fare), minor in zip(legs, base, strict=True))
        lines = fares + tuple(QuoteLine("charge", one.code, one.labels, one.minor) for leg in taxes for one in leg)
        opened = max(service.on_sale_from for service, _ in legs)
        booking = Booking(
            self._ids.id("bkg"),
            self._ids.id("loc")[4:10].upper(),
            supplier,
            kind,
            items,
            Money(sum(base) + sum(charges), currency),
            max(self._built.plot.now - self._draw.int(20, 60) * 86400, opened + 3600),
        )
        cancel = CancelStep(self._built.plot.now + 9 * 86400, 100)
        rules = BookingRules(
            self._ids.id("bkr"),
            booking.id,
            supplier,
            self._rules_pages[carrier],
            "",
            lines,
            tuple(
                ItemRules(one, charge, step, (cancel,), follows_charges=False)
                for one, charge, step in zip(base, charges, steps, strict=True)
            ),
            PRICE_LIFE_S,
        )
        self.records += [booking, rules]
        return booking

    def _sold_in(self, currency: str, fare: Fare) -> tuple[int, list[Charge]]:
        """Base and charges of a fare in the currency that the booking is paid in."""
        per = 1.0 if fare.base.currency == currency else self._built.rates.home_per(fare.base.currency)
        charges = [msgspec.structs.replace(one, minor=round(one.minor * per)) for one in fare.charges]
        step = fare_step(currency)
        return round(fare.base.minor * per / step) * step, charges

    def _stay(self) -> Booking:
        built, plot = self._built, self._built.plot
        house = built.house
        first = date.fromisoformat(plot.arrive_day)
        market = load_market(plot.trip.house_market)
        nights = tuple((first + timedelta(n)).isoformat() for n in range(plot.nights))
        price = Money(house.prices[0], market.currency)
        rate = Rate(
            self._ids.id("rate"),
            house.record.id,
            house.rooms[0].id,
            house.direct.id,
            "half_board" if plot.event_day and not built.strict else "room_only",
            tuple(Night(day, price, "per_room") for day in nights),
            (house.record.id, nights[0], (first + timedelta(plot.nights)).isoformat()),
            (),
            (),
            0,
        )
        paid = Money(price.minor * plot.nights, market.currency)
        booking = Booking(
            self._ids.id("bkg"),
            self._ids.id("loc")[4:10].upper(),
            house.record.id,
            "stay",
            (BookedItem(rate.id, plot.party.size),),
            paid,
            plot.now - self._draw.int(20, 60) * 86400,
        )
        item = ItemRules(paid.minor, 0, (), (CancelStep(plot.now + 86400 * 9, 100),), fee_per_person=False)
        lines = tuple(QuoteLine("night", day, (), price.minor) for day in nights)
        rules = BookingRules(self._ids.id("bkr"), booking.id, house.direct.id, "", "", lines, (item,), PRICE_LIFE_S)
        self.records += [rate, booking, rules]
        return booking

    def _proposal(self) -> str:
        built, booking = self._built, self.made[0]
        priced = PricedAction(
            self._ids.id("pra"),
            booking.id,
            "change",
            (0,),
            booking.items[:1],
            built.proposal[1].id,
            (),
            Money(0, booking.paid.currency),
            Money(0, booking.paid.currency),
            "none",
            built.plot.now - 3600,
            built.plot.now + 18 * 3600,
        )
        self.records.append(priced)
        return priced.id
