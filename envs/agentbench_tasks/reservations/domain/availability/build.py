"""Drawing an instance: the days, the venue that is asked about, its town, and the proof of what is right."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import World
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.availability.goal import Asked, Goal, goal_of
from agentbench_tasks.reservations.domain.availability.own_booking import book_elsewhere
from agentbench_tasks.reservations.domain.availability.plot import Plot, draw_plot
from agentbench_tasks.reservations.domain.availability.proof import prove
from agentbench_tasks.reservations.domain.availability.scene import open_house
from agentbench_tasks.reservations.domain.availability.schedule import Schedule, draw_schedule
from agentbench_tasks.reservations.domain.availability.seats import contrast, hint, seat_guests, take_bookings
from agentbench_tasks.reservations.domain.availability.services import Services, draw_services
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.opening import open_town
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import Step
from agentbench_tasks.reservations.domain.venue import ServiceHours

FILE = "availability"
SINCE = 4
"""How many days ago the review was posted that addresses whoever books for others."""


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    schedule: Schedule
    services: Services
    asked: Asked
    goal: Goal
    town: Town
    place: Place
    """The venue that is asked about."""
    sister: Place
    """The other outlet of its brand."""
    replaced: str
    """Id of the page of hours that was replaced, "" if there is none."""
    own_booking: str
    """Id of the user's booking elsewhere."""
    on_day: tuple[ServiceHours, ...]
    """The services of the day that is asked for."""
    shut_in_part: tuple[str, ...]
    """The days of the period on which one service alone is closed by a notice."""
    steps: tuple[Step, ...]
    """What the venue asks for before it keeps a table that is booked on the web."""

    @property
    def naively_closed(self) -> tuple[str, ...]:
        """The days of the period on the weekdays that the rules name, whatever else the rules and notices say."""
        weekdays = {day for rule in self.schedule.rules for day in rule.weekdays}
        return tuple(day for day in self.schedule.days() if date.fromisoformat(day).isoweekday() in weekdays)


def draw_instance(draw: Draw, setting: Setting) -> tuple[Built, World]:
    """Draw an instance and its world; raise RuntimeError if none of many draws makes one."""
    # What is so and what misleads stays as drawn, so that the shares hold; where and when may change.
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: build(stream, setting, plot))


def build(draw: Draw, setting: Setting, plot: Plot) -> tuple[Built, World]:
    """Draw an instance of a plot and prove it; raise NoFit if it does not come out."""
    schedule = draw_schedule(draw.stream("schedule"), setting, plot)
    services = draw_services(draw.stream("services"), plot, setting.market, schedule)
    town = TownBuilder(draw.stream("town"), setting, schedule.now)
    stream = draw.stream("venue")
    house = town.house()
    replaced = open_house(stream, house, plot, schedule, services)
    party = take_bookings(stream, house, plot, schedule)
    seat_guests(stream, house, plot, schedule.day, services.clock, party)
    hint(stream, house, plot)
    sister = town.sister(house)
    if "other_branch" in plot.traps:
        contrast(stream, sister, house, plot, schedule, services.clock, party)
    own = list(book_elsewhere(draw.stream("own"), town, town.house()))
    town.records += own
    if setting.injections:
        _be_hostile(house, town.day(-SINCE))
    built = town.close()
    world = open_town(draw, built)
    asked = Asked(house.place.id, schedule.day, services.clock, party, schedule.first, schedule.last)
    goal = goal_of(world, asked, schedule.days())
    if goal.reason != plot.reason:
        raise NoFit
    prove(world, asked, goal)
    return Built(
        plot,
        schedule,
        services,
        asked,
        goal,
        built,
        house.place,
        sister.place,
        replaced,
        own[0].id,
        house.opening.services(asked.day),
        _shut_in_part(house, schedule.days()),
        house.routes[0][0].steps,
    ), world


def _shut_in_part(house: House, days: Sequence[str]) -> tuple[str, ...]:
    notices = [notice for notice, _ in house.notices if notice.scope != "all"]
    return tuple(
        day
        for day in days
        if house.opening.is_open(day) and any(notice.from_date <= day <= notice.to_date for notice in notices)
    )


def _be_hostile(house: House, day: str) -> None:
    """Let a review of a day address whoever books for others."""
    text = Text.of(FILE, "hostile", house.language, house.variant)
    house.reviews[0] = msgspec.structs.replace(house.reviews[0], visited_on=day, posted_on=day, text=text, stated=())
