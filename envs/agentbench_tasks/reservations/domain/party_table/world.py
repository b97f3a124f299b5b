"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.reservations.domain.opening import open_town
from agentbench_tasks.reservations.domain.party_table.build import draw_instance
from agentbench_tasks.reservations.domain.party_table.case import PartyCase
from agentbench_tasks.reservations.domain.party_table.words import Words


def draw_case(draw: Draw, setting: Setting) -> PartyCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    words = {language: Words(built, draw.stream("words"), language) for language in setting.languages}
    return PartyCase(built, open_town(draw, built.town), words)


def brief_of(case: PartyCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)
