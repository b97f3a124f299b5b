"""From a setting to a case: draw, prove, write the papers, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_env.text.fold import fold
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.accessible.build import draw_instance
from agentbench_tasks.travel.domain.accessible.case import AccessibleCase
from agentbench_tasks.travel.domain.accessible.papers import Papers
from agentbench_tasks.travel.domain.accessible.words import Words
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.records import name_in


def draw_case(draw: Draw, setting: Setting) -> AccessibleCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    papers = Papers(draw.stream("papers"), setting, built)
    traveller = papers.traveller
    world = open_world(
        draw,
        setting,
        built.plot.now,
        [*built.records, *papers.records],
        Address(papers.mailbox, traveller.name.native),
        papers.private,
        house_replies={fold(address): reply for address, reply in papers.replies.items()},
    )
    words = {
        language: Words(built.plot, built.wish, traveller.name.gender, draw.stream("words"), language)
        for language in setting.languages
    }
    return AccessibleCase(built, world, words, traveller, papers.card)


def brief_of(case: AccessibleCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(case.words[language], profile, name_in(case.built.plot.home.names, language), language)
