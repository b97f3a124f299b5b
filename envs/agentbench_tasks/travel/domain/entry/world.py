"""From a setting to a case: draw, prove, write the papers, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.entry.build import draw_instance
from agentbench_tasks.travel.domain.entry.case import EntryCase
from agentbench_tasks.travel.domain.entry.papers import EntryPapers, home_city
from agentbench_tasks.travel.domain.entry.words import Words
from agentbench_tasks.travel.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> EntryCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    papers = EntryPapers(draw.stream("papers"), setting, built.plot)
    private = [PrivateString(papers.birth_date, "identity", papers.profile_id)]
    private += [PrivateString(one.number, "travel_document", papers.profile_id) for one in papers.passports]
    world = open_world(
        draw,
        setting,
        built.plot.now,
        [*built.records, *papers.records],
        Address(papers.mailbox, papers.shown_name),
        tuple(private),
    )
    words = {
        language: Words(built.plot, papers.locators, papers.name.gender, draw.stream("words"), language)
        for language in setting.languages
    }
    return EntryCase(built, world, papers.profile_id, papers.passports, papers.application_id, words)


def brief_of(case: EntryCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.profile_id)
    return profile_brief(case.words[language], profile, home_city(case.built.plot, language), language)
