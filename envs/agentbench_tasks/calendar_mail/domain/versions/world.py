"""From a setting to a case: draw, prove, and put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.opening import brief_of as brief_of_office
from agentbench_tasks.calendar_mail.domain.opening import open_world
from agentbench_tasks.calendar_mail.domain.versions.build import draw_instance
from agentbench_tasks.calendar_mail.domain.versions.case import VersionsCase
from agentbench_tasks.calendar_mail.domain.versions.words import Words


def draw_case(draw: Draw, setting: Setting) -> VersionsCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    office = built.office
    gender, my_date, key = office.user.name.gender, built.plot.has("day_edge"), draw.stream("words")
    words = {language: Words(built.matter, my_date, gender, key, language) for language in setting.languages}
    return VersionsCase(built, open_world(draw, office, (built.folder,)), words)


def brief_of(case: VersionsCase, language: str) -> Brief:
    """The brief in a language."""
    return brief_of_office(case.words[language], case.built.office, language)
