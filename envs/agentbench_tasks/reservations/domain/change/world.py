"""From a setting to a case: draw, prove, and find the user's words."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.reservations.domain.change.build import draw_instance
from agentbench_tasks.reservations.domain.change.case import ChangeCase
from agentbench_tasks.reservations.domain.change.words import Told, Words


def draw_case(draw: Draw, setting: Setting) -> ChangeCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    plot, when = built.plot, built.when
    told = Told(
        plot.pointer,
        built.venue,
        plot.meal,
        when.day,
        plot.change,
        plot.party,
        plot.new_party,
        when.new_day,
        when.new_clock,
    )
    gender = built.town.user.name.gender
    words = {language: Words(told, gender, draw.stream("words"), language) for language in setting.languages}
    return ChangeCase(built, words)


def brief_of(case: ChangeCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)
