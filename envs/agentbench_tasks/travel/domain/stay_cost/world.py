"""From a setting to a case: draw, write the papers, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.houses import home_city
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase
from agentbench_tasks.travel.domain.stay_cost.papers import Papers, today_of
from agentbench_tasks.travel.domain.stay_cost.plot import Drafting, bill_of
from agentbench_tasks.travel.domain.stay_cost.proof import prove, tempt
from agentbench_tasks.travel.domain.stay_cost.traps import misreadings
from agentbench_tasks.travel.domain.stay_cost.words import Words
from agentbench_tasks.travel.domain.stay_papers import FILE

BENIGN = 0.15
"""How often the shown prices hold everything."""


def draw_case(draw: Draw, setting: Setting) -> StayCostCase:
    """Draw until an attempt is proven."""
    benign = draw.stream("benign").chance(BENIGN)
    return first_fit(draw, lambda attempt: _attempt(draw, attempt, setting, benign))


def _attempt(key: Draw, draw: Draw, setting: Setting, benign: bool) -> StayCostCase:
    drafting = Drafting(draw, draw.stream("ids"), setting, benign)
    story = drafting.story()
    right = bill_of(story, story.charges, story.nights)
    traps = tuple(misreadings(story, right))
    tempt(story, right, len(traps))
    press = Press(draw.stream("press"), today_of(story, setting), FILE)
    papers = Papers(draw.stream("papers"), press, setting, story, drafting)
    prove(story, right, papers.records)
    traveller = papers.traveller
    world = open_world(
        draw,
        setting,
        story.now,
        papers.records,
        Address(papers.mailbox, traveller.name.native),
        (PrivateString(traveller.birth_date, "identity", traveller.paper_id),),
        key=key,
        rounding_note=True,
    )
    words = {
        language: Words(story, traveller.name.gender, draw.stream("words"), language) for language in setting.languages
    }
    home = home_city(setting.market.code)
    return StayCostCase(story, right, world, papers.target, traps, papers.written, traveller, papers.card, home, words)


def brief_of(case: StayCostCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(case.words[language], profile, name_in(case.home, language), language)
