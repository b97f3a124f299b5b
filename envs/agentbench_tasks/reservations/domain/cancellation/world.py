"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.reservations.domain.cancellation.build import draw_instance
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.cancellation.words import Words
from agentbench_tasks.reservations.domain.opening import open_town


def draw_case(draw: Draw, setting: Setting) -> CancellationCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    name = built.user.name
    words = {
        language: Words(
            built.place.full_name,
            built.day,
            name.latin if language == "en" else name.native,
            name.gender,
            draw.stream("words"),
            language,
        )
        for language in setting.languages
    }
    return CancellationCase(built, open_town(draw, built.town), words)


def brief_of(case: CancellationCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)
