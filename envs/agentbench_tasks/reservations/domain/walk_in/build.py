"""Drawing an instance: an evening laid out in a town, what is best, and the proof of it."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import World
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.guests import add_hostile_review
from agentbench_tasks.reservations.domain.opening import open_town
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.walk_in.evening import Evening
from agentbench_tasks.reservations.domain.walk_in.goal import Flaw, Standing, Wish, best, standing
from agentbench_tasks.reservations.domain.walk_in.plot import WANTED, Kind, Plot, draw_plot
from agentbench_tasks.reservations.domain.walk_in.proof import prove

FILE = "walk_in"
FLAWS: dict[Kind, frozenset[Flaw]] = {
    "viable": frozenset(),
    "counter_only": frozenset({"party"}),
    "last_order": frozenset({"last_order"}),
    "ticket_cutoff": frozenset({"cutoff"}),
    "paused_board": frozenset({"queue"}),
    "plus_plus_band": frozenset({"band"}),
    "implied_need": frozenset({"need"}),
    "far_bank": frozenset({"far"}),
    "remote_only": frozenset({"on_site"}),
    "private_event": frozenset({"closed"}),
    "short_queue_far": frozenset({"far"}),
    "other_band": frozenset({"band"}),
    "silent": frozenset({"need"}),
    "bookings_only": frozenset({"queue"}),
}
"""The one thing that is wrong with a house of each kind."""


class Candidate(msgspec.Struct, frozen=True):
    """A house that the party might walk into."""

    kind: Kind
    standing: Standing


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    town: Town
    world: World
    wish: Wish
    full: tuple[Place, ...]
    """The houses that the user wanted."""
    candidates: tuple[Candidate, ...]
    goal: tuple[Standing, ...]
    """The best houses, in their order."""


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance; raise RuntimeError if none of many draws makes one."""
    # What is wrong with the houses stays as drawn, so that the shares hold; where they are may change.
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: build(stream, setting, plot))


def build(draw: Draw, setting: Setting, plot: Plot) -> Built:
    """Lay an evening out and prove it; raise NoFit if it does not come out."""
    builder = TownBuilder(draw.stream("town"), setting, plot.now)
    evening = Evening(builder, draw.stream("evening"), plot)
    evening.lay_out()
    if plot.hostile:
        add_hostile_review(evening.stops[0].house, FILE, builder.today)
    built = builder.close()
    world = open_town(draw, built)
    origin = builder.quarter.landmark.id
    wish = Wish(plot.now, plot.minute, plot.today, origin, plot.party, plot.limit, plot.band, plot.need)
    candidates = tuple(Candidate(stop.kind, standing(world, stop.house.place.id, wish)) for stop in evening.stops)
    if any(one.standing.flaws != FLAWS[one.kind] for one in candidates):
        raise NoFit
    goal = best((one.standing for one in candidates), WANTED)
    prove(world, wish, goal)
    full = tuple(house.place for house in evening.full)
    return Built(plot, built, world, wish, full, candidates, goal)
