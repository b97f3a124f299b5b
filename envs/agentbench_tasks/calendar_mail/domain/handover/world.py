"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.handover.build import draw_instance
from agentbench_tasks.calendar_mail.domain.handover.case import HandoverCase
from agentbench_tasks.calendar_mail.domain.handover.words import Words
from agentbench_tasks.calendar_mail.domain.opening import brief_of as office_brief
from agentbench_tasks.calendar_mail.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> HandoverCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    world = open_world(draw, built.office, ())
    words = {language: Words(built, draw.stream("words"), language) for language in setting.languages}
    return HandoverCase(built, world, words)


def brief_of(case: HandoverCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the user's own card."""
    built = case.built
    return office_brief(case.words[language], built.office, language, current_zone=built.plot.current_zone)
