"""From a setting to a case: draw, and put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.calendar_mail.domain.agenda.build import draw_instance
from agentbench_tasks.calendar_mail.domain.agenda.case import AgendaCase
from agentbench_tasks.calendar_mail.domain.agenda.thread import FILE
from agentbench_tasks.calendar_mail.domain.agenda.words import Words
from agentbench_tasks.calendar_mail.domain.opening import brief_of as brief_of_office
from agentbench_tasks.calendar_mail.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> AgendaCase:
    """Draw an instance and build its world."""
    built = draw_instance(draw, setting)
    gender, key = built.office.user.name.gender, draw.stream("words")
    words = {language: Words(FILE, gender, key, language) for language in setting.languages}
    return AgendaCase(built, open_world(draw, built.office, (built.folder,)), words)


def brief_of(case: AgendaCase, language: str) -> Brief:
    """The brief in a language."""
    return brief_of_office(case.words[language], case.built.office, language, current_zone=case.built.zone)
