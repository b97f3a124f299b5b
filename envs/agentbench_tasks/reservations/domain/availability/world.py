"""From a setting to a case: draw, prove, and put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.reservations.domain.availability.build import draw_instance
from agentbench_tasks.reservations.domain.availability.case import TableCase
from agentbench_tasks.reservations.domain.availability.words import Words


def draw_case(draw: Draw, setting: Setting) -> TableCase:
    """Draw an instance with its world and the user's words."""
    built, world = draw_instance(draw, setting)
    words = {language: Words(built, draw.stream("words"), language) for language in setting.languages}
    return TableCase(built, world, words)


def brief_of(case: TableCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)
