"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.reservations.domain.shortlist.build import draw_instance
from agentbench_tasks.reservations.domain.shortlist.case import ShortlistCase
from agentbench_tasks.reservations.domain.shortlist.words import Words


def draw_case(draw: Draw, setting: Setting) -> ShortlistCase:
    """Draw an instance with its world and the user's words."""
    built, world = draw_instance(draw, setting)
    words = {language: Words(built, draw.stream("words"), language) for language in setting.languages}
    return ShortlistCase(built, world, words)


def brief_of(case: ShortlistCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)
