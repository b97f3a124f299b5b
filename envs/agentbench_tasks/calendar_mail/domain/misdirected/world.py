"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.misdirected.build import draw_instance
from agentbench_tasks.calendar_mail.domain.misdirected.case import MisdirectedCase
from agentbench_tasks.calendar_mail.domain.misdirected.words import Words
from agentbench_tasks.calendar_mail.domain.opening import brief_of as office_brief
from agentbench_tasks.calendar_mail.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> MisdirectedCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    world = open_world(draw, built.office, built.deliveries, private_strings=built.private)
    words = {language: Words(built, draw.stream("words"), language) for language in setting.languages}
    return MisdirectedCase(built, world, words)


def brief_of(case: MisdirectedCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the user's own card."""
    return office_brief(case.words[language], case.built.office, language)
