"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.opening import brief_of as office_brief
from agentbench_tasks.calendar_mail.domain.opening import open_world
from agentbench_tasks.calendar_mail.domain.reschedule.build import draw_instance
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.calendar_mail.domain.reschedule.words import Words


def draw_case(draw: Draw, setting: Setting) -> RescheduleCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    plan, user = built.plan, built.office.user
    words = {
        language: Words(
            str(built.event.title), plan.old_day, plan.target.days, user.name.gender, draw.stream("words"), language
        )
        for language in setting.languages
    }
    return RescheduleCase(built, open_world(draw, built.office, ()), words)


def brief_of(case: RescheduleCase, language: str) -> Brief:
    """The brief in a language."""
    return office_brief(case.words[language], case.built.office, language)
