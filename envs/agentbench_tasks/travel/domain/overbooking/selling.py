"""At what one house sells its rooms tonight: within the budget or not, with what is needed or cheaper without it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.houses import House, Houses
from agentbench_tasks.travel.domain.overbooking.plot import Miss, Plot
from agentbench_tasks.travel.domain.records_stays import Channel, Night, Rate, RoomType
from agentbench_tasks.travel.domain.stay_bills import MEALS, Board, Guests, bill, shown_price
from agentbench_tasks.travel.domain.stay_offers import boards_of, by_person, priced_outside
from agentbench_tasks.travel.domain.stay_rules import Charges

TRIES = 12
GONE = 0.4
"""How often a room that is not to be had is shown until somebody asks for its quote."""
BEDS = ("double", "twin", "king", "futon", "floor bedding")


class Product(NamedTuple):
    """What is sold: a room with or without meals, through a channel."""

    room: RoomType
    channel: Channel
    board: Board


class Selling:
    """Prices the rooms of one house.

    Args:
        draw: the stream.
        ids: the stream that ids come from.
        plot: the story.
        houses: what draws the houses.
        limit: what the whole stay may cost, in minor units.
        house: the house.
        charges: what it charges.
    """

    def __init__(
        self, draw: Draw, ids: Draw, plot: Plot, houses: Houses, limit: int, house: House, charges: Charges
    ) -> None:
        self._draw, self._ids, self._plot, self._houses, self._limit = draw, ids, plot, houses, limit
        self._house, self._charges, self._guests = house, charges, Guests(plot.adults)

    def rates(self, miss: Miss | Literal[""], lacking: str, tempting: bool, gone: bool) -> tuple[Rate, ...]:
        """Return the rates of a house that misses one thing, or none.

        `lacking` is the need it cannot meet; `gone` says that a missing night shows only when a quote is asked for.
        """
        draw, plot = self._draw, self._plot
        channels = draw.shuffled((self._house.direct, *self._houses.agencies))
        rooms = rooms_for(self._house, plot)
        twins, others = ([room for room in rooms if (room.beds == "twin") == twin] for twin in (True, False))
        wanted = rooms if "twin" not in plot.musts else others if lacking == "twin" else twins
        if not wanted:
            raise NoFit
        room = draw.choice(wanted)
        board: Board = "room_only"
        if lacking != "breakfast" and ("breakfast" in plot.musts or draw.chance(0.5)):
            board = next(board for board in boards_of(self._house) if board != "room_only")
        main = self._priced(Product(room, channels[0], board), miss == "budget", tempting)
        if miss == "night":
            main, chance = self._elsewhen(main, gone), 0.4
        else:
            chance = 0.6
        rates = [main, *self._dear(Product(room, channels[1], board), draw.chance(chance))]
        if miss == "night":
            return tuple(rates)
        cheaper: list[tuple[RoomType, Board]] = []
        if "breakfast" in plot.musts and board != "room_only":
            cheaper.append((room, "room_only"))
        if "twin" in plot.musts and lacking != "twin" and others:
            cheaper.append((others[0], board))
        for number, (other, meal) in enumerate(cheaper):
            nights = [msgspec.structs.replace(night, shown=self._less(night.shown)) for night in main.nights]
            if draw.chance(0.7):
                rates.append(self._rate(Product(other, channels[number % 2], meal), nights))
        return tuple(draw.shuffled(rates))

    def _elsewhen(self, rate: Rate, gone: bool) -> Rate:
        """The room is sold for one night fewer only; or it is on show, and gone when its quote is asked for."""
        if gone or self._draw.chance(GONE):
            return msgspec.structs.replace(rate, rooms_left=1, closes="first_quote")
        if self._plot.nights == 1:
            return msgspec.structs.replace(rate, rooms_left=0)
        house, first, _ = rate.stay
        return msgspec.structs.replace(rate, nights=rate.nights[:-1], stay=(house, first, rate.nights[-1].day))

    def _dear(self, product: Product, wanted: bool) -> tuple[Rate, ...]:
        """The same room elsewhere, beyond the budget."""
        if not wanted:
            return ()
        rate = self._rate(product, self._nights(product.board, self._draw.uniform(1.06, 1.3)))
        return (rate,) if self._total(rate) > self._limit * 1.02 else ()

    def _priced(self, product: Product, dear: bool, tempting: bool) -> Rate:
        """A rate whose full price is within the budget, or over it although the shown price is under it."""
        low, high = (1.03, 1.1) if dear else (0.66, 0.78) if tempting else (0.76, 0.96)
        for _ in range(TRIES):
            rate = self._rate(product, self._nights(product.board, self._draw.uniform(low, high)))
            total = self._total(rate)
            shown = sum(shown_price(night, self._guests) for night in rate.nights)
            if total > self._limit * 1.02 and shown < self._limit * 0.99 if dear else total <= self._limit * 0.98:
                return rate
        raise NoFit

    def _nights(self, board: Board, share: float) -> tuple[Night, ...]:
        """Nights at a shown price that comes to a share of the budget once everything is added."""
        plot, house, rules = self._plot, self._house, self._charges.rules
        basis: Literal["per_person", "per_room"] = "per_person" if by_person(house) else "per_room"
        weekend = self._draw.choice((1.0, 1.1)) if plot.nights > 1 else 1.0
        aim = self._limit * share
        price = aim / plot.nights / (plot.adults if by_person(house) else 1)
        nights: tuple[Night, ...] = ()
        for _ in range(2):
            nights = self._houses.nights(max(1, round(price)), plot.today, plot.nights, weekend, basis)
            price *= aim / bill(rules, nights, self._guests, board, house.record.official_class).total
        return nights

    def _total(self, rate: Rate) -> int:
        level = self._house.record.official_class
        return bill(self._charges.rules, rate.nights, self._guests, rate.board, level).total

    def _less(self, shown: Money) -> Money:
        return Money(self._houses.rounded(shown.minor * self._draw.uniform(0.84, 0.95)), shown.currency)

    def _rate(self, product: Product, nights: Sequence[Night]) -> Rate:
        house = self._house.record.id
        inside, outside = priced_outside(self._charges)
        return Rate(
            self._ids.id("rate"),
            house,
            product.room.id,
            product.channel.id,
            product.board,
            tuple(nights),
            (house, *self._plot.stay),
            (*inside, *MEALS[product.board]),
            outside,
            self._draw.int(1, 5),
        )


def rooms_for(house: House, plot: Plot) -> list[RoomType]:
    """The rooms of a house that the party fits in and whose beds leave no doubt."""
    return [room for room in house.rooms if room.max_guests >= plot.adults and room.beds in BEDS]
