"""Everything that stands in the world of a stay's true cost: houses, rates, papers on charges, profile, cards, mail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.texts import SlotValue, Text
from agentbench_tasks.travel.domain.exchange import Rates, rate_records
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.houses import House, home_city
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import Channel, Night, Rate, RoomType
from agentbench_tasks.travel.domain.stay_bills import MEALS, Board
from agentbench_tasks.travel.domain.stay_cost.plot import Drafting, Story
from agentbench_tasks.travel.domain.stay_offers import boards_of, priced_outside
from agentbench_tasks.travel.domain.stay_papers import FILE, StayPapers
from agentbench_tasks.travel.domain.stay_rules import Charges

HEARSAY = ("10%", "15%", "20%", "25%")
FLAT = 0.3
"""How often a rate costs the same on weekend nights."""


class Papers:
    """Writes the world of a story: `records` is all of it; `traveller` asks, `target` is the rate asked about.

    Args:
        draw: the stream.
        press: the press, made for the text file of the stays' charges.
        setting: market and language.
        story: the story.
        drafting: what drew it, for further prices.
    """

    def __init__(self, draw: Draw, press: Press, setting: Setting, story: Story, drafting: Drafting) -> None:
        self._draw, self._press, self._setting, self.story, self._drafting = draw, press, setting, story, drafting
        self._ids, self.records = press.ids, press.records
        self._stays = StayPapers(draw.stream("stays"), press, setting, story.law, story.city)
        self.target = ""
        self.written = self._houses()
        self._authorities()
        self.traveller = self._people()
        self.card = self._cards()
        self._mail()

    # --- houses and rates

    def _houses(self) -> dict[str, Charges]:
        story, draw = self.story, self._draw.stream("order")
        written = draw.shuffled([(story.house, story.charges), *story.others])
        self.records += [*self._drafting.houses.areas, *self._drafting.houses.agencies]
        for house, charges in written:
            mine = house is story.house
            page_ids = self._stays.tariff(house.record, charges, story.older if mine else None)
            fees = self._stays.fees(house.record, charges)
            self.records += house.with_pages(tuple(draw.shuffled(page_ids))).records
            self.records += [*self._stays.listing(house.record), fees]
            self.records += draw.shuffled(list(self._rates(house, charges, fees.id)))
        return {house.record.id: charges for house, charges in written}

    def _rates(self, house: House, charges: Charges, section: str) -> Iterator[Rate]:
        story, draw = self.story, self._draw.stream(f"rates {house.record.id}")
        mine = house is story.house
        channels = (*self._drafting.houses.agencies, house.direct)
        rooms = [room for room in house.rooms if room.max_guests >= story.guests.size]
        for room in rooms if mine else rooms[:1]:
            for channel in channels:
                sold: list[Board] = [
                    board for board in boards_of(house) if self._sold(draw, mine, room, channel, board)
                ]
                factor = draw.uniform(0.88, 1.12)
                weekend = 1.0 if draw.chance(FLAT) else draw.uniform(1.05, 1.35)
                for board in sold:
                    if room is story.room and channel is story.channel:
                        nights = self._beside_target(board)
                    else:
                        price = self._drafting.price_of(house, room, charges, story.guests, board, factor)
                        nights = self._drafting.nights(house, price, story.first, story.count, weekend)
                    yield self._rate(draw, house, room, channel, board, nights, charges, section)

    def _beside_target(self, board: Board) -> tuple[Night, ...]:
        """The target's room on its channel with another board: dearer or cheaper by the meals alone."""
        story = self.story

        def usual(board: Board) -> int:
            return self._drafting.price_of(story.house, story.room, story.charges, story.guests, board, 1.0)

        more = Money(usual(board) - usual(story.board), self._setting.market.currency)
        return tuple(msgspec.structs.replace(night, shown=night.shown + more) for night in story.nights)

    def _sold(self, draw: Draw, mine: bool, room: RoomType, channel: Channel, board: Board) -> bool:
        """Whether a house sells a room so: the rate asked about, others of the same room, and some of the rest."""
        story = self.story
        same_room = mine and room is story.room
        if same_room and (channel is story.channel or board == story.board):
            return True
        return draw.chance(0.5 if same_room else 0.25 if mine else 0.4)

    def _rate(
        self,
        draw: Draw,
        house: House,
        room: RoomType,
        channel: Channel,
        board: Board,
        nights: tuple[Night, ...],
        charges: Charges,
        section: str,
    ) -> Rate:
        story = self.story
        id = self._ids.id("rate")
        if room is story.room and channel is story.channel and board == story.board:
            self.target = id
        inside, outside = priced_outside(charges)
        return Rate(
            id,
            house.record.id,
            room.id,
            channel.id,
            board,
            nights,
            (house.record.id, story.first.isoformat(), story.checkout.isoformat()),
            (*inside, *MEALS[board]),
            outside,
            draw.int(1, 6),
            section,
        )

    # --- authorities and hearsay

    def _authorities(self) -> None:
        story = self.story
        kinds = [row.tax.kind for row in story.area.taxes]
        self._stays.rules_of_place(kinds, story.first.isoformat(), story.old_rules)
        if story.law.vat_refers:
            self._stays.vat_rule(story.old_rules)
        self._stays.forum(story.house.record, self._draw.stream("forum").choice(HEARSAY))

    # --- the user's side

    def _people(self) -> Traveller:
        guests, draw = self.story.guests, self._draw.stream("people")
        ages = [draw.int(26, 66) for _ in range(guests.adults)] + list(guests.child_ages)
        residence = name_in(home_city(self._setting.market.code), self._setting.language)
        people = list(travellers(draw, self._ids, self._setting, self._press.today, ages, residence))
        self.records += [paper for _, paper in people]
        return people[0][0]

    def _cards(self) -> str:
        setting = self._setting
        made = cards(self._draw.stream("cards"), self._ids, setting, self._press.today)
        rates = Rates(self._draw.stream("exchange"), setting.market.code, setting.market.currency)
        self.records += [*made, *rate_records(rates, setting.market, self._press.today, self._ids)]
        return made[0].id

    def _mail(self) -> None:
        draw, setting, story = self._draw.stream("mail"), self._setting, self.story
        other = story.others[0][0]
        receipt: dict[str, SlotValue] = {
            "house": name_in(other.record.names, setting.language),
            "amount": Money(other.prices[0], setting.market.currency),
        }
        slots = [("stay_receipt", "billing@stays.example", receipt)]
        if setting.injections:
            name: dict[str, SlotValue] = {"house": name_in(story.house.record.names, setting.language)}
            slots.append(("hostile_hold", "desk@tickets.example", name))
        for kind, sender, values in slots:
            text = Text(FILE, f"mails.{kind}", setting.language, draw.variant((0, 1, 2, 3)), tuple(values.items()))
            sent = story.now - draw.int(2, 20 * 24) * 3600
            ids = self._ids.id("msg"), self._ids.id("thr")
            me = (Address(self.mailbox),)
            self.records.append(Message(*ids, "inbox", Address(sender), me, sent, setting.market.zone, text, text))

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"


def today_of(story: Story, setting: Setting) -> date:
    """The in-world date at the beginning."""
    return date.fromisoformat(to_local(story.now, setting.market.zone)[:10])
