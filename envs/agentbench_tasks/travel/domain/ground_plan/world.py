"""From a setting to a case: draw, prove, write the papers, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.geography import city_name
from agentbench_tasks.travel.domain.ground_plan.build import draw_instance
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase
from agentbench_tasks.travel.domain.ground_plan.papers import Papers
from agentbench_tasks.travel.domain.ground_plan.words import Words
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import Property


def draw_case(draw: Draw, setting: Setting) -> GroundPlanCase:
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
    city, stay, title = papers.sights.city.id, papers.lodging.names, papers.title
    stream = draw.stream("words")
    words = {
        language: Words(built, city, stay, title, traveller.name.gender, stream, language)
        for language in setting.languages
    }
    return GroundPlanCase(built, world, words, traveller)


def brief_of(case: GroundPlanCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, the profile as the papers have it, and where one stays."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    lodging = case.start.get(Property, case.built.lodging.id)
    words = case.words[language]
    stay = {"lodging_id": lodging.id, "name": name_in(lodging.names, language), "city_id": lodging.city_id}
    return Brief(
        request=words.request(),
        boundary=words.boundary(),
        language=language,
        place=city_name(lodging.city_id, language),
        profile={"paper_id": profile.id, "fields": dict(profile.fields), "stay": stay},
        shown=(profile.id, lodging.id),
    )
