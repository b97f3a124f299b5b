"""The story of a stay's true cost: who asks for which room when, what the house charges, and what could mislead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.houses import City, House, Houses, lodgings
from agentbench_tasks.travel.domain.records_stays import Channel, Night, RoomType
from agentbench_tasks.travel.domain.stay_bills import MEALS, Bill, Board, Guests, Tax, bill
from agentbench_tasks.travel.domain.stay_offers import boards_of, by_person
from agentbench_tasks.travel.domain.stay_rules import Area, Charges, Law, draw_charges, law

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
LATEST_STAY = date(2026, 12, 26)
NIGHTS = {"easy": (2, 2), "standard": (2, 4), "hard": (4, 5)}
HOUSES = {"easy": 5, "standard": 7, "hard": 9}
FEE_COUNT = {"easy": (0, 1), "standard": (1, 2), "hard": (1, 3)}
NEARLY = 0.92
"""How much of the way to the next band a planted price may go."""


class Story(msgspec.Struct, frozen=True):
    """Everything that is asked and charged."""

    city: City
    area: Area
    law: Law
    now: int
    first: date
    count: int
    guests: Guests
    board: Board
    board_said: bool
    benign: bool
    house: House
    room: RoomType
    channel: Channel
    nights: tuple[Night, ...]
    charges: Charges
    older: Charges | None
    """What an older tariff of the house says, None if there is none."""
    old_rules: bool
    """Whether older versions of the place's rules are to be found."""
    others: tuple[tuple[House, Charges], ...]

    @property
    def checkout(self) -> date:
        """The day of departure."""
        return self.first + timedelta(self.count)


def bill_of(story: Story, charges: Charges, nights: Sequence[Night], guests: Guests | None = None) -> Bill:
    """The bill of the story's party for nights under some charges."""
    return bill(charges.rules, nights, guests or story.guests, story.board, story.house.record.official_class)


class Drafting:
    """One attempt at a story.

    Args:
        draw: the stream; parts have streams of their own.
        ids: the stream that ids come from.
        setting: market and difficulty.
        benign: whether the shown prices hold everything.
    """

    def __init__(self, draw: Draw, ids: Draw, setting: Setting, benign: bool) -> None:
        self._benign = benign
        self._setting, self._law = setting, law(setting.market.code)
        self._plot, self._charging, self._pricing = (draw.stream(name) for name in ("plot", "charges", "prices"))
        self.city = self._plot.choice(tuple(lodgings(setting.market.code).cities.values()))
        self.houses = Houses(draw.stream("houses"), ids, setting.market, self.city.id)
        self._others = draw.stream("others")

    def story(self) -> Story:
        """Draw the story; raise NoFit where the draws do not fit together."""
        plot, difficulty = self._plot, self._setting.difficulty
        benign = self._benign
        start = plot.day(FIRST_DAY, LAST_DAY)
        now = to_instant(f"{start}T{plot.int(8, 20):02}:{plot.int(0, 11) * 5:02}", self._setting.market.zone)
        count = plot.int(*NIGHTS[difficulty])
        first = self._first_night(start, count)
        guests = self._guests()
        house = self.houses.house(rooms=4)
        fitting = [room for room in house.rooms if room.max_guests >= guests.size]
        if not fitting:
            raise NoFit
        room = plot.choice(fitting)
        area = self._law.areas[self.city.area]
        charges = self._charges(house, area, first, benign)
        board = self._board(house)
        channel = house.direct if plot.chance(0.3) else plot.choice(self.houses.agencies)
        older = self._older(charges) if not benign and plot.chance(0.35) else None
        weekend = 1.0 if (benign and plot.chance(0.5)) or plot.chance(0.2) else self._pricing.uniform(1.12, 1.35)
        price = self._price(house, room, charges, guests, board)
        nights = self.nights(house, price, first, count, weekend)
        others = [self._other(area, first) for _ in range(HOUSES[difficulty])]
        said = len(boards_of(house)) == 1 or difficulty != "hard" or plot.chance(0.7)
        return Story(
            self.city, area, self._law, now, first, count, guests, board, said, benign,
            house, room, channel, nights, charges, older, plot.chance(0.7), tuple(others),
        )  # fmt: skip

    def nights(self, house: House, price: int, first: date, count: int, weekend: float) -> tuple[Night, ...]:
        """Nights at a price as the house shows it."""
        basis: Literal["per_person", "per_room"] = "per_person" if by_person(house) else "per_room"
        return self.houses.nights(price, first, count, weekend, basis)

    def price_of(self, house: House, room: RoomType, charges: Charges, guests: Guests, board: str, rate: float) -> int:
        """The shown price of a room with its meals, about `rate` times the usual one, as the house shows it."""
        usual = house.prices[house.rooms.index(room)] * rate
        meals = sum(amount for meal, amount in charges.rules.meals if meal in MEALS[board])
        if by_person(house):
            return self.houses.rounded(usual / 2 + meals)
        extra = meals * guests.size if meals else usual * 0.08 * len(MEALS[board])
        return self.houses.rounded(usual + extra)

    def _first_night(self, start: date, count: int) -> date:
        """Draw a first night so that the stay has both weekend nights and others."""
        weekend = self.houses.lodgings.weekend_nights
        latest = min(start + timedelta(70), LATEST_STAY - timedelta(count))
        days = [start + timedelta(n) for n in range(6, (latest - start).days + 1)]
        mixed = [day for day in days if len({(day + timedelta(n)).isoweekday() in weekend for n in range(count)}) == 2]
        if not mixed:
            raise NoFit
        return self._plot.choice(mixed)

    def _guests(self) -> Guests:
        plot, difficulty = self._plot, self._setting.difficulty
        if difficulty == "easy":
            return Guests(plot.int(1, 3))
        if difficulty == "standard" and plot.chance(0.55):
            return Guests(plot.int(1, 4))
        children = 2 if difficulty == "hard" and plot.chance(0.6) else 1
        limits = [age for span in self._law.fees for age in span.child] or [12]
        ages = {max(1, plot.choice(limits) + plot.int(-1, 1)) for _ in range(children)}
        while len(ages) < children:
            ages.add(min(ages) + 2)
        return Guests(2, tuple(sorted(ages, reverse=True)))

    def _charges(self, house: House, area: Area, first: date, benign: bool) -> Charges:
        draw, kind = self._charging, house.record.kind
        spans = [span.kind for span in self._law.fees if kind in (span.houses or (kind,))]
        fees = draw.sample(spans, draw.int(*FEE_COUNT[self._setting.difficulty]))
        deposit = not benign and draw.chance(0.6)
        return draw_charges(draw, self._law, area, house.record, first, fees=fees, deposit=deposit, all_inside=benign)

    def _board(self, house: House) -> Board:
        boards = boards_of(house)
        return self._plot.choice(boards if self._setting.difficulty == "hard" else boards[:2])

    def _older(self, charges: Charges) -> Charges | None:
        """Draw an older version of the house's tariff: other fees, another deposit."""
        rules, draw = charges.rules, self._charging
        fees = tuple(
            msgspec.structs.replace(fee, amount=round(fee.amount * 0.5), child_amount=round(fee.child_amount * 0.5))
            for fee in rules.fees
        )
        deposits = [amount for amount in self._law.deposits if amount != rules.deposit]
        deposit = draw.choice(deposits) if rules.deposit and deposits else rules.deposit
        older = msgspec.structs.replace(rules, fees=fees, deposit=deposit)
        return msgspec.structs.replace(charges, rules=older) if older != rules else None

    def _price(self, house: House, room: RoomType, charges: Charges, guests: Guests, board: str) -> int:
        """Draw the shown price; where a tax goes by bands, often one whose band the shown price would miss."""
        price = self.price_of(house, room, charges, guests, board, self._pricing.uniform(0.94, 1.06))
        bands = next((tax for tax in charges.rules.taxes if tax.how == "bands"), None)
        if bands is None or self._pricing.chance(0.3):
            return price
        size = 1 if by_person(house) else guests.size
        meals = sum(amount for meal, amount in charges.rules.meals if meal in MEALS[board])
        edge = _nearest_edge(bands, price / size)
        span = edge * (1 - 1 / float(1 + Fraction(charges.rules.vat) / 100)) + meals
        return self.houses.rounded((edge + span * self._pricing.uniform(1 - NEARLY, NEARLY)) * size)

    def _other(self, area: Area, first: date) -> tuple[House, Charges]:
        house = self.houses.house(rooms=2)
        return house, draw_charges(self._others, self._law, area, house.record, first, optional=1)


def _nearest_edge(tax: Tax, price: float) -> int:
    edges = [start for start, _ in tax.bands if start]
    return min(edges, key=lambda edge: abs(edge - price))
