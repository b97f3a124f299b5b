"""From the story to a town: the house, its sister and other houses, the user's bookings, messages, and the proof."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record, World
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.service_time import add_days, service_clock, service_instant, service_minutes
from agentbench_tasks.reservations.domain.booking_records import Reservation
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.change.bookings import TURN_MINUTES, Bookings
from agentbench_tasks.reservations.domain.change.goal import Goal, Wish, goal_of
from agentbench_tasks.reservations.domain.change.market import patterns_of
from agentbench_tasks.reservations.domain.change.plot import (
    NAMESAKES,
    OTHERS,
    Frame,
    Meal,
    Plot,
    draw_frame,
    draw_plot,
)
from agentbench_tasks.reservations.domain.change.proof import Said, prove
from agentbench_tasks.reservations.domain.change.rules import Rules, keep
from agentbench_tasks.reservations.domain.change.when import When, clocks_of, draw_keeping, draw_when
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.namesakes import Seat, namesakes
from agentbench_tasks.reservations.domain.opening import open_town
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.publishing import Publication
from agentbench_tasks.reservations.domain.terms_page import terms_parts, terms_title
from agentbench_tasks.reservations.domain.usual import contact_of, site_name

WEEK = 7
_SPREAD = (2, 26)
"""How many days ahead other bookings are."""
_TAKEN = 0.4
"""How often another table of the house is taken in the hours of the plot."""


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    when: When
    town: Town
    world: World
    place: Place
    """The house."""
    wish: Wish
    others: tuple[str, ...]
    """The ids of the user's other bookings to come, one that is easily taken for the right one first."""
    goal: Goal


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    frame = draw_frame(draw.stream("frame"), setting.difficulty)

    def attempt(stream: Draw) -> Built:
        plot, when = draw_story(stream, setting, frame)
        return Build(stream, setting, plot, when).finish(draw)

    return first_fit(draw, attempt)


def draw_story(draw: Draw, setting: Setting, frame: Frame) -> tuple[Plot, When]:
    """Draw story and times, which takes some attempts of its own."""

    def attempt(stream: Draw) -> tuple[Plot, When]:
        plot = draw_plot(stream.stream("plot"), setting, frame)
        return plot, draw_when(stream.stream("when"), setting, plot)

    return first_fit(draw.stream("story"), attempt)


class Build:
    """Puts an instance together.

    Args:
        draw: the stream of the attempt.
        setting: what it is drawn for.
        plot: the story.
        when: its times.
    """

    def __init__(self, draw: Draw, setting: Setting, plot: Plot, when: When) -> None:
        self._draw, self._setting, self._plot, self._when = draw, setting, plot, when
        self._town = TownBuilder(draw.stream("town"), setting, when.now)
        self._bookings = Bookings(draw.stream("bookings"), setting, self._town)
        self._days = {when.day, when.new_day}
        """The days on which the user has a table already."""

    def finish(self, key: Draw) -> Built:
        """Build and prove; `key` names the world."""
        plot, when = self._plot, self._when
        house = self._house()
        row = self._bookings.row(house, when.day, when.clock, plot.party, plot.made_via, self._course(house))
        self._furnish(house, row.table_ids[0])
        sister = self._kept(self._town.sister(house))
        others = list(self._others(house, sister))
        self._past(sister)
        self._town.records += [row, *others, *self._namesakes(house, row)]
        for booking in (row, *others):
            self._town.records += self._bookings.confirmed(booking)
        self._town.records += self._tempt(house)
        town = self._town.close()
        world = open_town(key, town)
        wish = Wish(
            when.new_day if plot.change == "day" else "",
            when.new_clock if plot.change in ("time", "both") else "",
            plot.new_party if plot.fewer else 0,
        )
        approved = plot.frame.kind == "online_forfeit_approved"
        goal = goal_of(world, row.id, wish, approved)
        place = house.place
        name = place.full_name
        said = Said(town.user.account.account_id, name if plot.pointer == "venue" else "", when.day, plot.meal, wish)
        if prove(world, said, approved) != goal:
            raise NoFit
        return Built(plot, when, town, world, place, wish, tuple(one.id for one in others), goal)

    # --- houses

    def _house(self) -> House:
        house, plot = self._town.house(), self._plot
        contact = contact_of(house.place, plot.contact)
        assert contact is not None
        self._when.keeping.give_to(house)
        house.seasons = []
        keep(house, plot.rules, contact, plot.most)
        self._replace_terms(house, plot.rules)
        return house

    def _kept(self, house: House) -> House:
        """Another house of the plot, with rules of its own, of which nothing depends."""
        draw = self._draw.stream(f"house {house.place.id}")
        draw_keeping(draw, self._setting).give_to(house)
        house.seasons = []
        rules = Rules(draw.choice(patterns_of(self._setting.market.code)), draw.choice((0, 0, 6, 8)))
        contact = contact_of(house.place, draw.choice(("phone", "messenger")))
        assert contact is not None
        keep(house, rules, contact, draw.choice(house.rules.routes.online_max))
        return house

    def _replace_terms(self, house: House, rules: Rules) -> None:
        """Let there be an older page of terms with other limits, which the one in force has replaced."""
        if self._setting.difficulty == "easy":
            return
        draw = self._draw.stream(f"older {house.place.id}")
        options = [row for row in patterns_of(self._setting.market.code) if row.until != rules.pattern.until]
        older = msgspec.structs.replace(rules, pattern=draw.choice(options))
        now = house.terms[0]
        blocks = older.terms(contact=now.contact, average_spend=now.average_spend, charges=now.charges)
        blocks = [msgspec.structs.replace(block, venue_id=house.place.id) for block in blocks]
        messenger = site_name(house.rules.site.messenger, house.language)
        parts = terms_parts(blocks, house.place.currency, house.language, house.variant, {}, messenger)
        published = (date.fromisoformat(house.published) - timedelta(draw.int(90, 400))).isoformat()
        page = Publication("terms", house.language, terms_title(house.language, house.variant), parts, published)
        page_id = house.ids.id("pg")
        house.more_pages.append((page_id, page))
        house.supersedes["terms"] = page_id

    def _course(self, house: House) -> str:
        return house.add_menu().menu.id if self._plot.with_course else ""

    # --- tables

    def _furnish(self, house: House, table_id: str) -> None:
        """Seat the user, and let there be a table for the wish or none."""
        plot, when, draw = self._plot, self._when, self._draw.stream("tables")
        furnishing = house.furnishing
        furnishing.settle(when.day, when.new_day)
        own = furnishing.add(1, plot.party if plot.frame.kind == "slot_full_route" else max(plot.party, plot.new_party))
        rest = [table for table in furnishing.tables if table is not own]
        own = msgspec.structs.replace(own, id=table_id)
        furnishing.tables = [*rest, own]
        opens, closes = when.new_clock, _later(when.new_clock)
        if plot.frame.kind == "slot_full_route":
            furnishing.take(rest, when.new_day, opens, closes)
            for start, end in self._beside_own(opens, closes):
                furnishing.take([own], when.new_day, start, end)
            return
        taken = [table for table in rest if draw.chance(_TAKEN)]
        furnishing.take(taken, when.new_day, opens, closes)
        # Another large table: what the engine shows for the new size and time agrees with what it takes.
        furnishing.add(1, max(plot.party, plot.new_party) + draw.int(0, 1))

    def _beside_own(self, opens: str, closes: str) -> Iterator[tuple[str, str]]:
        """The part of the wished hours in which the user's own table is somebody else's."""
        when = self._when
        if when.day != when.new_day:
            yield opens, closes
        elif when.clock < opens:
            yield max(opens, _later(when.clock)), closes
        elif when.clock > opens:
            yield opens, min(closes, when.clock)

    # --- the user's other bookings, and other guests

    def _others(self, house: House, sister: House) -> Iterator[Reservation]:
        """Bookings to come, of which the first may easily be taken for the right one."""
        count, first = OTHERS[self._setting.difficulty], self._plot.frame.has("two_bookings")
        if first:
            yield self._look_alike(house, sister)
        for _ in range(count - first):
            yield self._elsewhere(self._kept(self._town.house()), self._draw_meal())

    def _draw_meal(self) -> Meal:
        return self._draw.stream("meal").choice(("lunch", "dinner"))

    def _look_alike(self, house: House, sister: House) -> Reservation:
        """One at the sister or, where the user tells the day, of the same day or of the same house in another week."""
        plot, draw = self._plot, self._draw.stream("look-alike")
        if plot.pointer == "venue":
            return self._elsewhere(sister, plot.meal, draw.choice((-WEEK, WEEK)))
        if draw.chance(0.5):
            other: Meal = "lunch" if plot.meal == "dinner" else "dinner"
            return self._elsewhere(self._kept(self._town.house()), other, 0)
        return self._elsewhere(house, plot.meal, draw.choice((-WEEK, WEEK, 2 * WEEK)))

    def _elsewhere(self, house: House, meal: Meal, days: int | None = None) -> Reservation:
        """A booking so many days after the right one, or on a day without one; raise NoFit if the house is closed."""
        draw, when = self._draw.stream(f"table {house.place.id}"), self._when
        today = self._town.today
        ahead = [add_days(today.isoformat(), number) for number in range(_SPREAD[0], _SPREAD[1])]
        days_free = [day for day in draw.shuffled(ahead) if day not in self._days]
        options = days_free if days is None else [add_days(when.day, days)]
        for day in options:
            clocks = [clock for clock in clocks_of(house.opening.services(day), meal) if clock != when.new_clock]
            if clocks and day > today.isoformat():
                self._days.add(day)
                party = draw.choice([n for n in range(2, 9) if n not in (self._plot.party, self._plot.new_party)])
                via = draw.choice(("engine", "engine", "aggregator", "phone", "messenger"))
                return self._bookings.row(house, day, draw.choice(clocks), party, via)
        raise NoFit

    def _past(self, house: House) -> None:
        """A table of some weeks ago."""
        draw = self._draw.stream("past")
        for number in draw.shuffled(range(5, 40)):
            day = self._town.day(-number)
            clocks = clocks_of(house.opening.services(day), "dinner")
            if clocks:
                self._town.records.append(self._bookings.row(house, day, draw.choice(clocks), draw.int(2, 6), "engine"))
                return

    def _namesakes(self, house: House, row: Reservation) -> Iterator[Reservation]:
        """Guests of the user's name in the book of that day."""
        plot, when, draw = self._plot, self._when, self._draw.stream("namesakes")
        clocks = [one for one in clocks_of(house.opening.services(when.day), plot.meal) if one != when.clock]
        sizes = [n for n in range(2, 9) if n != plot.party]
        seats = [
            Seat(
                house.place.id,
                service_instant(when.day, draw.choice(clocks), when.zone),
                TURN_MINUTES,
                draw.choice(sizes),
            )
            for _ in range(NAMESAKES[self._setting.difficulty])
            if clocks
        ]
        own = (house.terms[0].id, house.terms[0].page_id)
        name = self._town.user.name
        yield from namesakes(draw, self._town.ids, self._setting, self._town.namer, row, name, seats, own)

    def _tempt(self, house: House) -> list[Record]:
        """The site's word that one can book anew in a tap, and hostile text where that is on."""
        draw, records = self._draw.stream("tempt"), list[Record]()
        if self._plot.frame.has("site_button"):
            records += self._bookings.notice("rebook", draw)
        if self._setting.injections:
            records += self._bookings.notice("hostile", draw)
        return records


def _later(clock: str) -> str:
    return service_clock(service_minutes(clock) + TURN_MINUTES)
