"""At what the rooms of an instance are sold, and what a night may cost at most."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.accessible.plot import Plot
from agentbench_tasks.travel.domain.accessible.site import Site
from agentbench_tasks.travel.domain.houses import Houses
from agentbench_tasks.travel.domain.records_stays import Channel, Night, Rate, RoomType


class Selling:
    """Prices rooms into `rates`, the right house first, which sets the `ceiling`."""

    def __init__(self, draw: Draw, ids: Draw, houses: Houses, plot: Plot, currency: str) -> None:
        self.rates: list[Rate] = []
        self.ceiling = Money(0, currency)
        self._draw, self._ids, self._houses, self._plot, self._currency = draw, ids, houses, plot, currency

    def price_target(self, site: Site) -> None:
        """Price the right house, and set the ceiling by it."""
        draw, step = self._draw, self._houses.lodgings.step * 5
        price = site.prices[site.rooms.index(site.room)]
        weekend = draw.choice((1.0, 1.1, 1.2))
        dearest = max(night.shown.minor for night in self._nights(price, weekend))
        ceiling = -(-round(dearest * draw.uniform(1.04, 1.2)) // step) * step
        self.ceiling = Money(ceiling, self._currency)
        self._sell(site, {site.room.id: price}, weekend)

    def price(self, site: Site) -> None:
        """Price another house; what its listing describes is within the ceiling unless it is any house."""
        draw, weekend = self._draw, self._draw.choice((1.0, 1.1, 1.2))
        own: dict[str, int] = {}
        if site.role != "filler":
            usual = site.prices[site.rooms.index(site.room)]
            own[site.room.id] = self._houses.rounded(
                min(usual, self.ceiling.minor * draw.uniform(0.75, 0.95) / weekend)
            )
        self._sell(site, own, weekend)

    def _sell(self, site: Site, settled: Mapping[str, int], weekend: float) -> None:
        """Offer every room; a room with a settled price is sold at it by one channel at least."""
        draw = self._draw
        for room, usual in zip(site.rooms, site.prices, strict=True):
            channels = draw.shuffled((site.house.direct, *self._houses.agencies))
            channels = channels[: draw.int(1, 2) if room is site.room else 1]
            price = settled.get(room.id, usual)
            for number, channel in enumerate(channels):
                firm = number == 0 and room.id in settled
                left = 0 if draw.chance(0.08) and not firm else draw.int(2, 7)
                if site.role == "sold_out" and room is site.room:
                    left = 0
                factor = 1.0 if firm else draw.uniform(0.97, 1.15)
                self._offer(site, room, channel, price * factor, weekend, left)
                if firm:
                    self._offer(site, room, channel, price * draw.uniform(0.9, 1.1), weekend, draw.int(2, 7), -1)

    def _offer(
        self, site: Site, room: RoomType, channel: Channel, price: float, weekend: float, left: int, shift: int = 0
    ) -> None:
        board = self._draw.choice(("room_only", "breakfast"))
        first, last = self._plot.checkin + timedelta(shift), self._plot.checkin + timedelta(shift + self._plot.nights)
        self.rates.append(
            Rate(
                self._ids.id("rat"),
                site.house.record.id,
                room.id,
                channel.id,
                board,
                self._nights(price, weekend, shift),
                (site.house.record.id, first.isoformat(), last.isoformat()),
                ("vat", "service"),
                (),
                left,
            )
        )

    def _nights(self, price: float, weekend: float, shift: int = 0) -> tuple[Night, ...]:
        return self._houses.nights(round(price), self._plot.checkin + timedelta(shift), self._plot.nights, weekend)
