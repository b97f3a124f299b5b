"""From a setting to a case: draw, write the papers, prove, put the world together."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.overbooking.build import draw_built
from agentbench_tasks.travel.domain.overbooking.case import OverbookingCase
from agentbench_tasks.travel.domain.overbooking.papers import Papers
from agentbench_tasks.travel.domain.overbooking.proof import prove
from agentbench_tasks.travel.domain.overbooking.words import Words
from agentbench_tasks.travel.domain.records import name_in


def draw_case(draw: Draw, setting: Setting) -> OverbookingCase:
    """Draw until an attempt is proven."""
    return first_fit(draw, lambda attempt: _attempt(draw, attempt, setting))


def _attempt(key: Draw, draw: Draw, setting: Setting) -> OverbookingCase:
    built = draw_built(draw, setting)
    papers = Papers(draw.stream("papers"), setting, built)
    wish = papers.wish
    fits = prove(built, wish, papers.records)
    traveller, bookings = papers.traveller, papers.bookings
    world = open_world(
        draw,
        setting,
        built.plot.now,
        papers.records,
        Address(papers.mailbox, traveller.name.native),
        (PrivateString(traveller.birth_date, "identity", traveller.paper_id),),
        key=key,
    )
    words = {
        language: Words(built, traveller.name.gender, draw.stream("words"), language) for language in setting.languages
    }
    return OverbookingCase(
        built,
        wish,
        fits,
        world,
        traveller,
        papers.card,
        papers.letters.notice.id,
        papers.letters.confirmation.id,
        bookings.booking,
        bookings.offer.id,
        bookings.hold.id,
        papers.pages.governing,
        papers.pages.newer,
        papers.pages.other,
        words,
    )


def brief_of(case: OverbookingCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(case.words[language], profile, name_in(case.built.plot.city.names, language), language)
