"""From a setting to a case: draw, prove, and put the user's words to it."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.reservations.domain.places import Mark
from agentbench_tasks.reservations.domain.walk_in.build import draw_instance
from agentbench_tasks.reservations.domain.walk_in.case import WalkInCase
from agentbench_tasks.reservations.domain.walk_in.words import Words


def draw_case(draw: Draw, setting: Setting) -> WalkInCase:
    """Draw an instance, prove it, and give the user words."""
    built = draw_instance(draw, setting)
    landmark = built.world.get(Mark, built.wish.origin_id)
    words = {language: Words(built, landmark, draw.stream("words"), language) for language in setting.languages}
    return WalkInCase(built, words)


def brief_of(case: WalkInCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)
