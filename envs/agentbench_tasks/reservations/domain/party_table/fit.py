"""Whether a venue is what was asked for, by the hidden tables alone."""

from __future__ import annotations

from agentbench_env.world import World
from agentbench_tasks.commons.service_time import service_instant, service_minutes, service_time
from agentbench_tasks.reservations.domain.blocking import BlockingStep, blocking_step
from agentbench_tasks.reservations.domain.diet_page import DietLevel, diet_level
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice, all_in
from agentbench_tasks.reservations.domain.outlets import WALKABLE
from agentbench_tasks.reservations.domain.party_table.plot import LEAVES_TIME, Plot
from agentbench_tasks.reservations.domain.places import Mark, Place, metres_between
from agentbench_tasks.reservations.domain.surface import Route, Surface, route_for
from agentbench_tasks.reservations.domain.venue import effective_service


def is_on_the_day(plot: Plot, start: int, zone: str) -> bool:
    """Whether an instant belongs to the evening that was asked for."""
    return service_time(start, zone).service_date == plot.day


def is_on_time(plot: Plot, start: int, zone: str) -> bool:
    """Whether an instant lies in the window that was asked for."""
    first, last = (service_instant(plot.day, clock, zone) for clock in (plot.earliest, plot.latest))
    return first <= start <= last


def is_near(world: World, landmark_id: str, venue_id: str) -> bool:
    """Whether a venue lies within walking distance of a landmark."""
    place = world.find(venue_id)
    return isinstance(place, Place) and metres_between(place.point, world.get(Mark, landmark_id).point) <= WALKABLE


def is_affordable(world: World, plot: Plot, venue_id: str) -> bool:
    """Whether dinner for the party stays under the ceiling with everything in it."""
    if plot.ceiling is None:
        return True
    stated = world.where(DinnerPrice, "venue_id", venue_id)
    most = plot.ceiling.minor * plot.party
    return bool(stated) and all_in(stated[0].price, stated[0].charges, plot.party).minor <= most


def serves(world: World, plot: Plot, venue_id: str) -> bool:
    """Whether a venue's kitchen serves a party that comes in the window."""
    return isinstance(world.find(venue_id), Place) and any(
        hours.open <= plot.latest
        and plot.earliest <= hours.last_start
        and service_minutes(plot.earliest) <= service_minutes(hours.last_order_food) - LEAVES_TIME
        for hours in effective_service(world, venue_id, plot.day)
    )


def level_at(world: World, plot: Plot, venue_id: str) -> DietLevel:
    """How strongly a venue proves the need for the dinner."""
    return diet_level(world, venue_id, plot.theme.need, plot.day, "dinner", plot.today)


def route_at(world: World, plot: Plot, venue_id: str) -> Route | None:
    """How the party books at a venue."""
    surface = next(iter(world.where(Surface, "venue_id", venue_id)), None)
    start = service_instant(plot.day, plot.earliest, world.zone)
    return route_for(world, surface, plot.party, start) if surface else None


def step_at(world: World, plot: Plot, venue_id: str) -> BlockingStep:
    """What stops the party at a venue."""
    route = route_at(world, plot, venue_id)
    return blocking_step(route) if route else "none"
