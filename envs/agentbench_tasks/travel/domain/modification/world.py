"""From a setting to a case: draw, write the papers, put the world together, prove it."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.pages import sections_of
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.houses import home_city
from agentbench_tasks.travel.domain.modification.build import deals
from agentbench_tasks.travel.domain.modification.case import ModificationCase
from agentbench_tasks.travel.domain.modification.deal import Deal, costs
from agentbench_tasks.travel.domain.modification.papers import Papers
from agentbench_tasks.travel.domain.modification.proof import proven
from agentbench_tasks.travel.domain.modification.words import Words
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.records import name_in


def draw_case(draw: Draw, setting: Setting) -> ModificationCase:
    """Draw until an instance is proven; raise RuntimeError if none of the attempts is."""
    for deal in deals(draw, setting):
        case = _case(draw, setting, deal)
        if proven(case):
            return case
    raise RuntimeError(f"no booking to move for {draw.key}")


def _case(draw: Draw, setting: Setting, deal: Deal) -> ModificationCase:
    papers = Papers(draw.stream("papers"), setting, deal)
    traveller = papers.traveller
    world = open_world(
        draw,
        setting,
        deal.now,
        papers.records,
        Address(papers.mailbox, traveller.name.native),
        (PrivateString(traveller.birth_date, "identity", traveller.paper_id),),
        rounding_note=True,
        quote_life_s=deal.quote_life_s,
    )
    said = papers.suppliers_own if deal.shape.suppliers and papers.suppliers_own else papers.booking
    newer = papers.newer_page
    return ModificationCase(
        deal,
        costs(deal),
        world,
        papers.booking.id,
        papers.supplier,
        said.locator,
        papers.terms_page,
        frozenset((newer, *(section.id for section in sections_of(world, newer)))) if newer else frozenset(),
        traveller,
        papers.card.id,
        home_city(setting.market.code),
        {language: Words(deal, papers, draw.stream("words"), language) for language in setting.languages},
    )


def brief_of(case: ModificationCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(case.words[language], profile, name_in(case.home, language), language)
