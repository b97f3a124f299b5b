"""From a setting to a case: draw, prove, write the papers, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_env.text.fold import fold
from agentbench_env.world import Start, World
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.accessible.build import draw_instance
from agentbench_tasks.travel.domain.accessible.case import AccessibleCase
from agentbench_tasks.travel.domain.accessible.papers import Papers
from agentbench_tasks.travel.domain.accessible.words import Words
from agentbench_tasks.travel.domain.records import name_in

PAGE_SIZE = {"easy": 12, "standard": 8, "hard": 5}


def draw_case(draw: Draw, setting: Setting) -> AccessibleCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    papers = Papers(draw.stream("papers"), setting, built)
    traveller = papers.traveller
    settings = {
        "page_size": PAGE_SIZE[setting.difficulty],
        "wording": draw.stream("wording").variant((0, 1, 2, 3)),
        "mailbox": Address(papers.mailbox, traveller.name.native),
        "private_strings": papers.private,
        "house_replies": {fold(address): reply for address, reply in papers.replies.items()},
    }
    key = "|".join(map(str, draw.key))
    start = Start([*built.records, *papers.records])
    world = World(start, built.plot.now, setting.market.zone, setting.language, key, settings)
    words = {
        language: Words(built.plot, built.wish, traveller.name.gender, draw.stream("words"), language)
        for language in {setting.language: 0, "en": 0}
    }
    return AccessibleCase(built, world, traveller, papers.card, words)


def brief_of(case: AccessibleCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    words = case.words[language]
    return Brief(
        request=words.request(),
        boundary=words.boundary(),
        language=language,
        place=name_in(case.built.plot.home.names, language),
        profile={"paper_id": profile.id, "fields": dict(profile.fields)},
        shown=(profile.id,),
    )
