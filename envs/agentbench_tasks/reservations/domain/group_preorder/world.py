"""From a setting to a case: draw, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.group_preorder.build import Built, draw_instance
from agentbench_tasks.reservations.domain.group_preorder.case import PreorderCase
from agentbench_tasks.reservations.domain.group_preorder.words import Words
from agentbench_tasks.reservations.domain.opening import open_town


def draw_case(draw: Draw, setting: Setting) -> PreorderCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    known = _known(built)
    words = {
        language: Words(
            built.place.full_name,
            built.evening.day,
            body_of(built.card.menu.name),
            built.title,
            built.user.gender,
            draw.stream("words"),
            language,
            known,
        )
        for language in setting.languages
    }
    return PreorderCase(built, open_town(draw, built.town), words)


def brief_of(case: PreorderCase, language: str) -> Brief:
    """The brief in a language."""
    town = case.built.town
    return profile_brief(case.words[language], town.user.profile, town.city(language), language)


def _known(built: Built) -> dict[str, tuple[str, dict[str, str]]]:
    """What only the user knows, with names as the conversation has them: how severe an allergy is, how old a child."""
    known: dict[str, tuple[str, dict[str, str]]] = {}
    for guest in built.table.guests:
        who = guest.name.native
        if guest.person_id == built.table.severe_id:
            kind = "severe" if guest.needs[0].severe else "not_severe"
            known["severity_of_x"] = (kind, {"who": who})
        if guest.child and not guest.child.told:
            known["kid_age"] = ("age", {"who": who, "age": str(guest.child.age)})
    return known
