"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.double_booking.build import draw_instance
from agentbench_tasks.calendar_mail.domain.double_booking.case import DoubleBookingCase
from agentbench_tasks.calendar_mail.domain.double_booking.words import Words
from agentbench_tasks.calendar_mail.domain.opening import brief_of as office_brief
from agentbench_tasks.calendar_mail.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> DoubleBookingCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    user, local = built.office.user, to_local(max(built.plan.starts), setting.market.zone)
    words = {language: Words(local, user.name.gender, draw.stream("words"), language) for language in setting.languages}
    return DoubleBookingCase(built, open_world(draw, built.office, ()), words)


def brief_of(case: DoubleBookingCase, language: str) -> Brief:
    """The brief in a language."""
    return office_brief(case.words[language], case.built.office, language)
