"""Drawing a booking of a stay that is to be moved."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import load_market
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.change_prices import Target
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.houses import Houses
from agentbench_tasks.travel.domain.modification import market as facts
from agentbench_tasks.travel.domain.modification.deal import MARGIN, Deal, Moved, Stay, StayTerms
from agentbench_tasks.travel.domain.modification.limits import HOUR, Horizon
from agentbench_tasks.travel.domain.modification.plot import Shape
from agentbench_tasks.travel.domain.rates import rate_lines
from agentbench_tasks.travel.domain.records_changes import CancelStep, ChangeStep, ItemRules
from agentbench_tasks.travel.domain.records_stays import Channel, Rate, RoomType
from agentbench_tasks.travel.domain.stay_bills import MEALS, Board
from agentbench_tasks.travel.domain.stay_offers import boards_of

CHANGE_DAYS = (1, 2, 3, 4, 5, 7)
FARTHEST_ARRIVAL = 14
FEES_USD = (0, 5, 10, 15, 25)
KEPT = {"rebook": (0, 30), "change": (10, 100), "blocked": (0, 90), "credit": (0, 30)}
HIGHEST_ROOMS = 6
MEAL_SHARE = 0.12
"""How much of a room's price a meal adds, about."""


class Lodging:
    """One attempt at a booking of a stay."""

    def __init__(self, draw: Draw, setting: Setting, shape: Shape) -> None:
        self._draw, self._setting, self._shape = draw, setting, shape
        code, city = draw.choice(facts.places(setting.market.code))
        self._where = load_market(code)
        self._ids = draw.stream("ids")
        self._houses = Houses(draw.stream("houses"), self._ids, self._where, city)
        self._money = Rates(draw.stream("rates"), code, self._where.currency)
        self._party = draw.int(1, 2)
        self._house = self._houses.house()
        self._room = draw.choice([room for room in self._house.rooms if room.max_guests >= self._party])
        boards = boards_of(self._house)
        self._board: Board = draw.choice([board for board in boards if MEALS[board]])
        self._others = tuple(self._houses.house() for _ in range(draw.int(3, 5)))
        self._rates: list[Rate] = []

    def deal(self) -> Deal:
        """Draw it; raise NoFit where the draws do not fit together."""
        draw, shape, zone = self._draw, self._shape, self._where.zone
        horizon = Horizon.drawn(draw, self._setting, None)
        schedule = draw.choice(facts.schedules(self._where.code))
        arrival, change_days = self._arrival(horizon, schedule)
        nights = draw.int(1, 3)
        channels = self._channels()
        mine = draw.choice(channels[:-1]) if shape.agency else channels[-1]
        price = self._price(self._room, self._board)
        weekend = draw.uniform(1.0, 1.25)
        old = self._rate(mine, self._room, self._board, arrival, nights, price, weekend, rooms=0)
        fee = self._usd(draw.choice(FEES_USD[1:] if shape.fate == "rebook" else FEES_USD))
        terms = StayTerms(fee, change_days, schedule, shape.fate != "blocked", shape.fate == "credit")
        row = schedule.row_of(arrival)
        rules = self._rules(terms, row.bands, arrival, old, horizon.now)
        first = arrival + timedelta(draw.int(5, 21))
        moved = self._moved(rules, old, mine, channels, first, nights, price, weekend)
        prices, quotes = horizon.lives(draw, shape, [moved])
        channels = [msgspec.structs.replace(channel, quote_hours=quotes // HOUR) for channel in channels]
        agency = next(one for one in channels if one.id == mine.id) if shape.agency else None
        newer = None
        if shape.older:
            newer = StayTerms(
                fee + self._usd(draw.choice((6, 12))),
                draw.choice([n for n in CHANGE_DAYS if n != change_days]),
                schedule,
            )
        last = first + timedelta(nights)
        return Deal(
            shape, horizon.now, self._party, self._where.currency, zone,
            Stay(
                self._where.code, self._houses.city.names, msgspec.structs.replace(self._house, direct=channels[-1]),
                self._others, self._houses.areas, tuple(channels[:-1]), self._room, self._board, old,
                (first.isoformat(), last.isoformat()), tuple(draw.stream("order").shuffled(self._rates)),
            ),
            (rules,), (moved,), terms, newer, agency,
            self._usd(draw.uniform(*facts.agency_usd(self._setting.market.code))) if agency else 0,
            horizon.now - draw.int(25 * 24, 120 * 24) * HOUR - draw.int(0, 59) * 60,
            to_local(horizon.now - draw.int(8, 20) * 24 * HOUR, zone)[:10],
            prices, quotes,
        )  # fmt: skip

    def _usd(self, usd: float) -> int:
        step = facts.fee_step(self._where.code)
        return self._money.from_usd(usd, self._where.currency, step) if usd else 0

    def _limit(self, arrival: date, days: int) -> int:
        """The end of a day before arrival, in the zone of the house."""
        return to_instant(f"{(arrival - timedelta(days)).isoformat()}T23:59", self._where.zone)

    def _arrival(self, horizon: Horizon, schedule: facts.Schedule) -> tuple[date, int]:
        """Draw an arrival at which what is kept now fits the fate, and until how many days before one may change."""
        low, high = KEPT[self._shape.fate]
        today, found = horizon.day(self._where.zone), list[tuple[date, int]]()
        for ahead in range(1, FARTHEST_ARRIVAL):
            arrival = today + timedelta(ahead)
            days, kept = next(
                band for band in schedule.row_of(arrival).bands if self._limit(arrival, band[0]) >= horizon.now
            )
            if low <= kept <= high and horizon.holds(self._limit(arrival, days)):
                found += [(arrival, days) for days in CHANGE_DAYS if horizon.holds(self._limit(arrival, days))]
        if not found:
            raise NoFit
        return self._draw.choice(found)

    # --- what is sold

    def _channels(self) -> list[Channel]:
        """The agencies in a drawn order, and the house itself."""
        return [*self._draw.shuffled(self._houses.agencies), self._house.direct]

    def _price(self, room: RoomType, board: Board) -> float:
        usual = self._house.prices[self._house.rooms.index(room)]
        return usual * (1 + MEAL_SHARE * len(MEALS[board]))

    def _rate(
        self,
        channel: Channel,
        room: RoomType,
        board: Board,
        first: date,
        count: int,
        price: float,
        weekend: float,
        rooms: int = -1,
    ) -> Rate:
        """Put a rate on sale."""
        nights = self._houses.nights(self._houses.rounded(price), first, count, weekend)
        dates = (first.isoformat(), (first + timedelta(count)).isoformat())
        left = self._draw.int(2, HIGHEST_ROOMS) if rooms < 0 else rooms
        included = ("service", "vat", *MEALS[board])
        rate = Rate(
            self._ids.id("rate"), self._house.record.id, room.id, channel.id, board, nights,
            (self._house.record.id, *dates), included, (), left,
        )  # fmt: skip
        self._rates.append(rate)
        return rate

    def _moved(
        self,
        rules: ItemRules,
        old: Rate,
        mine: Channel,
        channels: Sequence[Channel],
        first: date,
        count: int,
        price: float,
        weekend: float,
    ) -> Moved:
        """Sell the new dates everywhere, and those a day later where it was booked and where it is cheapest."""
        draw, shape = self._draw, self._shape
        level = draw.uniform(0.72, 0.98) if shape.falls else draw.uniform(1.0, 1.3)
        others = [channel for channel in channels if channel is not mine]
        best = draw.choice(others) if shape.winner == "rebook" and draw.chance(0.7) else mine
        factors = {channel.id: draw.uniform(1.06, 1.2) for channel in channels}
        factors[best.id] = 1.0
        sold: dict[str, Rate] = {}
        for channel in channels:
            for room in self._house.rooms:
                for board in boards_of(self._house):
                    same = room is self._room and board == self._board
                    if not same and not draw.chance(0.6):
                        continue
                    base = price if same else self._price(room, board) * draw.uniform(0.92, 1.04)
                    rate = self._rate(channel, room, board, first, count, base * level * factors[channel.id], weekend)
                    if same:
                        sold[channel.id] = rate
        near = [
            self._rate(
                channel,
                self._room,
                self._board,
                first + timedelta(1),
                count,
                price * level * factors[channel.id],
                weekend,
            )
            for channel in dict.fromkeys((mine, best))
        ]
        target, offer = sold[mine.id], min(sold.values(), key=_total)
        if any(_total(rate) * (1 - MARGIN) < _total(offer) for rate in sold.values() if rate is not offer):
            raise NoFit
        return Moved(
            0, rules, target, offer, (near[0], near[-1]),
            Target(target.property_id, target.board, target.stay[1], (), _total(target), 0, self._where.currency),
            _total(offer), rules.change[0].until if rules.change else 0, rules.cancel[0].until, old, target,
        )  # fmt: skip

    def _rules(
        self, terms: StayTerms, bands: Sequence[tuple[int, int]], arrival: date, old: Rate, now: int
    ) -> ItemRules:
        steps = [CancelStep(self._limit(arrival, days), kept) for days, kept in bands]
        change = ChangeStep(self._limit(arrival, terms.change_days), terms.change_fee, (old.property_id,))
        return ItemRules(
            _total(old), 0, (change,) if terms.changeable else (), tuple(s for s in steps if s.until >= now), False
        )


def _total(rate: Rate) -> int:
    total: Money = rate_lines(rate, 1)[1]
    return total.minor
