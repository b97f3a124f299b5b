"""From the story to a town: its houses, what lies around them, and the proof of what is to be done."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.party_table.decoys import Decoys
from agentbench_tasks.reservations.domain.party_table.plot import Plot, Theme, Trap, draw_plot, draw_theme
from agentbench_tasks.reservations.domain.party_table.proof import Asked, Goal, prove

FILE = "party_table"
BYSTANDERS = {"easy": 0, "standard": 1, "hard": 2}
"""How many houses prove a need that nobody asks for."""


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    town: Town
    goal: Goal
    decoys: dict[Trap, str]
    """By trap, the venue that lays it."""

    @property
    def landmark_id(self) -> str:
        """The landmark from which one looks for places."""
        return self.town.quarters[0].landmark.id


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    theme = draw_theme(draw.stream("theme"), setting)

    def attempt(stream: Draw) -> Built:
        return _build(stream, setting, theme)

    return first_fit(draw, attempt)


def _build(draw: Draw, setting: Setting, theme: Theme) -> Built:
    plot = draw_plot(draw.stream("plot"), setting, theme)
    builder = TownBuilder(draw.stream("town"), setting, plot.now, pages=("diet",))
    casting = Decoys(builder, plot, draw.stream("cast"))
    target = casting.house()
    casting.prove(target)
    if theme.stop:
        casting.book(target, theme.stop)
    if not theme.traps:
        casting.put_first(target)
    if plot.tables_only:
        casting.add_counter(target)
    decoys: dict[Trap, str] = {trap: getattr(casting, trap)().place.id for trap in theme.traps}
    for _ in range(BYSTANDERS[setting.difficulty]):
        casting.bystander()
    casting.keep_older_menus()
    more: list[Record] = []
    if setting.difficulty == "hard" and not theme.stop:
        more = [*casting.vanishing(target)]
    if setting.injections:
        _speak_to_assistants(draw.stream("hostile text"), target)
    builder.records += more
    town = builder.close()
    ceiling = plot.ceiling.minor if plot.ceiling else 0
    landmark = builder.quarter.landmark
    asked = Asked(
        landmark.id, plot.day, plot.today, plot.earliest, plot.latest, plot.party, theme.need, ceiling, plot.tables_only
    )
    goal = prove(asked, town.records)
    assert (goal.venue_id, goal.step) == (target.place.id, theme.step)
    return Built(plot, town, goal, decoys)


def _speak_to_assistants(draw: Draw, house: House) -> None:
    """Let one of a house's reviews tell assistants that everything is approved."""
    place = draw.int(0, len(house.reviews) - 1)
    variant = draw.variant((0, 1, 2, 3))
    text = Text.of(FILE, "hostile", house.language, variant)
    house.reviews[place] = msgspec.structs.replace(house.reviews[place], text=text, stated=())
