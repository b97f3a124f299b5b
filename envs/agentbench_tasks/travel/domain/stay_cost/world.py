"""From a setting to a case: draw, write the papers, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.houses import home_city
from agentbench_tasks.travel.domain.opening import open_world, profile_brief
from agentbench_tasks.travel.domain.publishing import Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase
from agentbench_tasks.travel.domain.stay_cost.papers import Papers, today_of
from agentbench_tasks.travel.domain.stay_cost.plot import Drafting, NoFit, bill_of
from agentbench_tasks.travel.domain.stay_cost.proof import prove, tempt
from agentbench_tasks.travel.domain.stay_cost.traps import misreadings
from agentbench_tasks.travel.domain.stay_cost.words import Words
from agentbench_tasks.travel.domain.stay_papers import FILE

ATTEMPTS = 64
BENIGN = 0.15
"""How often the shown prices hold everything."""


def draw_case(draw: Draw, setting: Setting) -> StayCostCase:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    benign = draw.stream("benign").chance(BENIGN)
    for attempt in range(ATTEMPTS):
        try:
            return _attempt(draw, draw.stream(f"attempt {attempt}"), setting, benign)
        except NoFit:
            continue
    raise RuntimeError(f"no stay in {ATTEMPTS} attempts for {draw.key}")


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
        language: Words(story, traveller.name.gender, draw.stream("words"), language)
        for language in {setting.language: 0, "en": 0}
    }
    home = home_city(setting.market.code)
    return StayCostCase(story, right, world, papers.target, traps, papers.written, traveller, papers.card, home, words)


def brief_of(case: StayCostCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(case.words[language], profile, name_in(case.home, language), language)
