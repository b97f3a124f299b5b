"""From the story to a town: the house with its sets, the table, who eats what, what they wrote, and the proof."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import mobile
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.booking_records import Deposit, Reservation
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.group_preorder.card import Card, lay_card, leave_older_page
from agentbench_tasks.reservations.domain.group_preorder.chat import FILE, Chat, older_deadline
from agentbench_tasks.reservations.domain.group_preorder.guests import Table, seat
from agentbench_tasks.reservations.domain.group_preorder.market import habits_of
from agentbench_tasks.reservations.domain.group_preorder.moments import (
    Evening,
    draw_evening,
    draw_limit,
    draw_now,
    keep_hours,
)
from agentbench_tasks.reservations.domain.group_preorder.plot import Plot, draw_plot
from agentbench_tasks.reservations.domain.group_preorder.proof import prove
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.mailbag import Sender
from agentbench_tasks.reservations.domain.market import Both, reservation_market
from agentbench_tasks.reservations.domain.messages import Participant
from agentbench_tasks.reservations.domain.namesakes import Seat, namesakes, reference
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.person import User
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import Route
from agentbench_tasks.reservations.domain.usual import contact_of, site_name

WITHIN = (0, 900)
"""Metres from the landmark at which the house lies."""
TURN_MINUTES = 150
DAY = 24 * 3600
NAMESAKES = {"easy": 1, "standard": 1, "hard": 2}
"""How many guests of the user's name sit in the house that evening."""
_OTHER_HOURS = (-60, -30, 30, 60)


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    town: Town
    place: Place
    own: Reservation
    """The user's reservation."""
    evening: Evening
    card: Card
    table: Table
    title: str
    """What the conversation is called."""
    older_deadline: int
    """Until when dishes would have been ordered by the page that was replaced."""

    @property
    def user(self) -> User:
        """Who asks."""
        return self.town.user


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: Build(stream, setting, plot).finish())


class Build:
    """One attempt."""

    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._setting, self._plot = draw, setting, plot
        self._habits = habits_of(setting.market.code)
        self._now = draw_now(draw.stream("when"), setting)
        self._town = TownBuilder(draw.stream("town"), setting, self._now)
        self._rows = draw.stream("rows")

    def finish(self) -> Built:
        """Put everything in place and prove what is to be ordered."""
        town, plot, draw = self._town, self._plot, self._draw.stream("house")
        row = draw.choice(self._habits.cards)
        house = town.house(cuisine=row.cuisine, metres=WITHIN)
        town.sister(house)
        limit = draw_limit(draw, self._habits, plot)
        keep_hours(draw, house, plot)
        evening = draw_evening(draw, house, limit, plot, self._now)
        card = lay_card(draw, house, row, plot, limit.rule, limit.shifted)
        people = self._people()
        table = seat(self._draw.stream("table"), plot, card, self._habits.diets, people, house.language)
        if plot.older_menu:
            leave_older_page(draw, house, card, *table.changed_since)
        self._take_bookings(house)
        own = self._own(house, evening)
        town.records += [own, *self._strangers(house, own), *self._confirmation(house, own)]
        chat = Chat(town, self._draw.stream("chat"), card, table)
        once = older_deadline(card, evening, house.place.zone)
        chat.write(self._participants(people), evening, plot, once)
        hostile = self._draw.stream("injections")
        if self._setting.injections:
            town.records += self._hostile(hostile)
        built = town.close()
        prove(house.place.id, card.menu.id, own, table, evening.deadline, built.records)
        return Built(plot, built, house.place, own, evening, card, table, chat.title, once)

    def _people(self) -> list[tuple[str, PersonName]]:
        """Id and name of everybody in the conversation, the user first."""
        town = self._town
        code = self._setting.market.code
        friends = [(town.ids.id("per"), town.namer.fresh(code, national=True)) for _ in range(self._plot.people - 1)]
        people = [(town.user.person_id, town.user.name), *friends]
        if len({name.native for _, name in people}) < len(people):
            raise NoFit
        return people

    def _participants(self, people: list[tuple[str, PersonName]]) -> list[Participant]:
        user = self._town.user
        handles = [
            f"@{name.given_latin.lower().replace(' ', '')}{number}" for number, (_, name) in enumerate(people, 11)
        ]
        found = [
            Participant(person_id, name.native, handle)
            for (person_id, name), handle in zip(people, handles, strict=True)
        ]
        return [Participant(user.person_id, user.name.native, user.email), *found[1:]]

    def _take_bookings(self, house: House) -> None:
        """Let a house take parties like the user's on the web."""
        house.operator = site_name(house.rules.site.engine, house.language)
        most = self._plot.people + 2
        house.take_bookings(
            Route("instant", "", PartyRange(1, most)),
            Route("phone", "", PartyRange(most + 1), contact=contact_of(house.place, "phone")),
        )

    def _own(self, house: House, evening: Evening) -> Reservation:
        """The user's table for everybody in the conversation, as they were when it was booked."""
        town, plot, place = self._town, self._plot, house.place
        terms = next(one for one in house.terms if one.party.holds(plot.people))
        house.furnishing.settle(evening.day)
        large = house.furnishing.add(plot.people // 2, plot.people + 2)
        account = town.user.account
        return Reservation(
            town.ids.id("rsv"),
            reference(self._rows),
            place.id,
            "engine",
            account.account_id,
            town.user.booked_name,
            account.phone_masked,
            account.email_masked,
            plot.people,
            evening.start,
            "any",
            "",
            "confirmed",
            Deposit("none", Money(0, place.currency)),
            terms.id,
            terms.page_id,
            self._now - self._rows.int(5, 15) * DAY - self._rows.int(0, 90) * 60,
            table_ids=(large.id,),
            end=evening.start + TURN_MINUTES * 60,
        )

    def _strangers(self, house: House, own: Reservation) -> list[Reservation]:
        """Guests of the user's name that evening, at other hours."""
        town, rows = self._town, self._rows
        seats = [
            Seat(house.place.id, own.start + rows.choice(_OTHER_HOURS) * 60, TURN_MINUTES, rows.int(2, own.party_size))
            for _ in range(NAMESAKES[self._setting.difficulty])
        ]
        terms = own.terms_id, own.terms_page_id
        return list(namesakes(rows, town.ids, self._setting, town.namer, own, town.user.name, seats, terms))

    def _hostile(self, draw: Draw) -> tuple[Record, ...]:
        """A message of a service that wants the assistant to go on without asking."""
        town = self._town
        name = site_name(reservation_market(self._setting.market.code).site.proxy, self._setting.language)
        text = Text.of(FILE, "hostile", self._setting.language, town.variant)
        sender = Sender(name, mobile(self._setting.market.code, draw))
        return town.mailbag.written(sender, "sms", name, text, town.now - draw.int(2, 40) * 3600)

    def _confirmation(self, house: House, own: Reservation) -> tuple[Record, ...]:
        """What the engine sent when the table was taken."""
        names = house.rules.site.engine
        handle = "".join(filter(str.isalnum, Both.read(names).latin.lower()))
        sender = Sender(site_name(names, house.language), f"no-reply@{handle}.example")
        return self._town.mailbag.confirmation(house.place, own, own.created_at, sender=sender)
