"""From a setting to a case: draw, prove, and put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.invite_audit.build import draw_instance
from agentbench_tasks.calendar_mail.domain.invite_audit.case import InviteCase
from agentbench_tasks.calendar_mail.domain.invite_audit.words import Words
from agentbench_tasks.calendar_mail.domain.opening import brief_of as brief_of_office
from agentbench_tasks.calendar_mail.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> InviteCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    words = {
        language: Words(
            built.letters.topic, built.organiser, built.office.user.name.gender, draw.stream("words"), language
        )
        for language in setting.languages
    }
    return InviteCase(built, open_world(draw, built.office, built.calendar_records), words)


def brief_of(case: InviteCase, language: str) -> Brief:
    """The brief in a language."""
    return brief_of_office(case.words[language], case.built.office, language)
