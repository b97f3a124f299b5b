"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.cancellation.build import draw_instance
from agentbench_tasks.calendar_mail.domain.cancellation.case import CancellationCase
from agentbench_tasks.calendar_mail.domain.cancellation.words import Words
from agentbench_tasks.calendar_mail.domain.opening import brief_of as office_brief
from agentbench_tasks.calendar_mail.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> CancellationCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    gender = built.office.user.name.gender
    words = {
        language: Words(built.plot, built.title, gender, draw.stream("words"), language)
        for language in setting.languages
    }
    return CancellationCase(built, open_world(draw, built.office, ()), words)


def brief_of(case: CancellationCase, language: str) -> Brief:
    """The brief in a language."""
    return office_brief(case.words[language], case.built.office, language)
