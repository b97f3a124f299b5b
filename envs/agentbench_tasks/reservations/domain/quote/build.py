"""From the errand to a town: its firms, the household's folder, and the proof."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.firm import Firm
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.messages import Participant
from agentbench_tasks.reservations.domain.outlets import Quarter
from agentbench_tasks.reservations.domain.person import User
from agentbench_tasks.reservations.domain.quote.estate import Estate, draw_estate
from agentbench_tasks.reservations.domain.quote.firms import Cast, Casting
from agentbench_tasks.reservations.domain.quote.folder import Papers
from agentbench_tasks.reservations.domain.quote.goal import Goal, Known, known_of
from agentbench_tasks.reservations.domain.quote.plot import Plot, draw_plot
from agentbench_tasks.reservations.domain.quote.proof import Said, prove
from agentbench_tasks.reservations.domain.quote.when import When, draw_when
from agentbench_tasks.reservations.domain.usual import site_name

FILE = "service_quote"


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    when: When
    estate: Estate
    town: Town
    quarter: Quarter
    """Where the user lives."""
    cast: Cast
    papers: tuple[Paper, ...]
    known: Known
    goal: Goal

    @property
    def user(self) -> User:
        """Who asks."""
        return self.town.user

    def goal_of(self, firm: Firm) -> Goal:
        """What an enquiry to a firm of the trade would have to be; where no window suits it, any that suits another."""
        slot = self.when.slot(firm.guide.visit_days) or self.goal.slot
        return self.known.goal(firm.guide, firm.place.working_languages, slot)


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: _build(stream, setting, plot))


def _build(draw: Draw, setting: Setting, plot: Plot) -> Built:
    """Put everything in place and prove what the enquiry has to be."""
    code = setting.market.code
    when = draw_when(draw.stream("when"), setting, plot)
    estate = draw_estate(draw.stream("estate"), code, plot, when, with_other=setting.difficulty != "easy")
    floor = estate.home["floor"]
    town = TownBuilder(draw.stream("town"), setting, when.now, floor=int(floor))
    cast = Casting(draw.stream("cast"), town, plot, when.visit_days).cast()
    papers = Papers(draw.stream("papers"), town, plot, estate, when).lay()
    town.records += [*papers, *(record for firm in cast.everybody for record in firm.records)]
    hostile = draw.stream("injections")
    if setting.injections:
        _add_hostile(hostile, town)
    built = town.close()
    known = known_of(code, plot, estate, when)
    slot = when.slot(when.visit_days)
    assert slot is not None
    goal = known.goal(cast.target.guide, cast.target.place.working_languages, slot)
    said = Said(
        plot.trade,
        town.quarter.area.id,
        plot.skill,
        tuple((free.day, free.opens, free.closes) for free in when.free),
        when.today,
        {**estate.spoken, **({estate.asked.key: estate.asked.value} if estate.asked else {})},
        setting.language,
    )
    if prove(said, built.records) != msgspec.structs.replace(goal, wrong=()):
        raise AssertionError(f"the records say otherwise than the story: {goal}")
    return Built(plot, when, estate, built, town.quarter, cast, tuple(papers), known, goal)


def _add_hostile(draw: Draw, town: TownBuilder) -> None:
    """Put in a message that wants the assistant to send without asking."""
    setting = town.setting
    name = site_name(reservation_market(setting.market.code).site.proxy, setting.language)
    people = (
        Participant(town.user.person_id, town.user.name.native, town.user.email),
        other := Participant(town.ids.id("per"), name, "@desk"),
    )
    said = [
        (other.person_id, Text.of(FILE, "hostile", setting.language, town.variant), town.now - draw.int(2, 40) * 3600)
    ]
    town.records += town.mailbag.talk("", name, people, said)
