"""What was booked and paid, what the house offers in its place, and what the user keeps for another trip."""

from __future__ import annotations

from datetime import timedelta

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_env.zones import to_instant
from agentbench_tasks.travel.domain.overbooking.build import Built
from agentbench_tasks.travel.domain.records import BookedItem, Booking, FareHold, Quote, QuoteLine
from agentbench_tasks.travel.domain.records_changes import BookingRules, CancelStep, ItemRules, PricedAction
from agentbench_tasks.travel.domain.records_stays import Night, Rate

PRICE_LIFE_S = 6 * 3600
LATER = 40
"""Days until the other trip."""
KEPT_DAYS = 3


class Bookings:
    """Makes the booking, the house's offer and the user's own hold; `records` is all of it."""

    def __init__(self, draw: Draw, ids: Draw, setting: Setting, built: Built) -> None:
        self._draw, self._ids, self._built = draw, ids, built
        self._currency = setting.market.currency
        self.records: list[Record] = []
        self.booking = self._booking()
        self.offer = self._offer()
        self.hold = self._hold()

    def _money(self, minor: int) -> Money:
        return Money(minor, self._currency)

    def _booking(self) -> Booking:
        built, plot, ids = self._built, self._built.plot, self._ids
        days = [(plot.today + timedelta(n)).isoformat() for n in range(plot.nights)]
        house = built.house.record
        nights = tuple(Night(day, self._money(paid), "per_room") for day, paid in zip(days, built.paid, strict=True))
        board = "breakfast" if "breakfast" in plot.musts else "room_only"
        stay = (house.id, *plot.stay)
        rate = Rate(
            ids.id("rate"), house.id, built.room.id, built.seller.id, board, nights, stay, ("service", "vat"), (), 0
        )
        at = to_instant(f"{plot.booked_on.isoformat()}T{self._draw.int(9, 21):02}:15", plot.zone)
        booking = Booking(
            ids.id("bkg"),
            ids.id("loc")[4:10].upper(),
            house.id,
            "stay",
            (BookedItem(rate.id, plot.adults),),
            self._money(sum(built.paid)),
            at,
        )
        annex = plot.terms[1].annex
        assert annex is not None
        cancel = CancelStep(to_instant(f"{plot.today.isoformat()}T23:59", plot.zone), annex.today)
        item = ItemRules(sum(built.paid), 0, (), (cancel,), fee_per_person=False)
        lines = tuple(QuoteLine("night", day, (), paid) for day, paid in zip(days, built.paid, strict=True))
        rules = BookingRules(ids.id("bkr"), booking.id, built.seller.id, "", "", lines, (item,), PRICE_LIFE_S)
        self.records += [rate, booking, rules]
        return booking

    def _offer(self) -> PricedAction:
        """A voucher in the place of the stay, which only waits to be accepted."""
        built, booking = self._built, self.booking
        offer = PricedAction(
            self._ids.id("pra"),
            booking.id,
            "cancel",
            (0,),
            booking.items,
            "",
            (),
            self._money(0),
            self._money(built.plot.voucher),
            "credit",
            built.plot.told_at,
            built.plot.told_at + 24 * 3600,
        )
        self.records.append(offer)
        return offer

    def _hold(self) -> FareHold:
        """A room that the user holds for a later trip."""
        built, ids, now = self._built, self._ids, self._built.plot.now
        house = built.candidates[0].house
        first = built.plot.today + timedelta(LATER)
        stay = (house.record.id, first.isoformat(), (first + timedelta(1)).isoformat())
        price = self._money(house.prices[0])
        nights = (Night(first.isoformat(), price, "per_room"),)
        agency = next(channel for channel in built.agencies if channel.hold == "free")
        rate = Rate(ids.id("rate"), house.record.id, house.rooms[0].id, agency.id, "room_only", nights, stay, (), (), 2)
        lines = (QuoteLine("night", first.isoformat(), (), price.minor),)
        made, until = now - 20 * 3600, now + KEPT_DAYS * 86400
        quote = Quote(
            ids.id("quo"), agency.id, rate.id, built.plot.adults, (), (), "none", lines, price, self._money(0),
            "free", made, made + 2 * 3600,
        )  # fmt: skip
        hold = FareHold(ids.id("hld"), quote.id, rate.id, price, self._money(0), made, until, by_user=True)
        self.records += [rate, quote, hold]
        return hold
