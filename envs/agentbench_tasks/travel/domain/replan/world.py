"""From a setting to a case: draw, prove, write the papers, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.geography import city_name
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.replan.build import draw_instance
from agentbench_tasks.travel.domain.replan.case import ReplanCase
from agentbench_tasks.travel.domain.replan.papers import Papers
from agentbench_tasks.travel.domain.replan.words import Words


def draw_case(draw: Draw, setting: Setting) -> ReplanCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    papers = Papers(draw.stream("papers"), setting, built)
    traveller = papers.traveller
    world = open_world(
        draw,
        setting,
        built.plot.now,
        papers.records,
        Address(papers.mailbox, traveller.name.native),
        (PrivateString(traveller.birth_date, "identity", traveller.paper_id),),
    )
    words = {
        language: Words(built.plot, traveller.name.gender, draw.stream("words"), language)
        for language in setting.languages
    }
    return ReplanCase(
        built,
        world,
        traveller,
        papers.card,
        papers.brief.id,
        papers.bookings,
        papers.proposal_id,
        papers.waiver_section,
        papers.exchange_section,
        words,
    )


def brief_of(case: ReplanCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(case.words[language], profile, city_name(case.built.plot.trip.origin_city, language), language)
