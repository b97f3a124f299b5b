"""From a setting to a case: draw, prove, write the papers, put the world together."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.draw import Draw
from agentbench_env.episode import Episode
from agentbench_env.task import Brief, Setting
from agentbench_env.tool import Tool
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.booking import BookingHold, BookingPurchase
from agentbench_tasks.travel.domain.fare_rules.build import draw_instance
from agentbench_tasks.travel.domain.fare_rules.case import FareRuleCase
from agentbench_tasks.travel.domain.fare_rules.papers import Papers
from agentbench_tasks.travel.domain.fare_rules.words import Words
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.opening import open_world


def draw_case(draw: Draw, setting: Setting) -> FareRuleCase:
    """Draw an instance, prove it, and build its world."""
    built = draw_instance(draw, setting)
    papers = Papers(draw.stream("papers"), setting, built)
    world = open_world(
        draw,
        setting,
        built.plot.now,
        papers.records,
        Address(papers.mailbox, papers.traveller.name.native),
        (PrivateString(papers.traveller.birth_date, "identity", papers.traveller.paper_id),),
        rounding_note=True,
    )
    gender = papers.traveller.name.gender
    words = {language: Words(built.plot, gender, draw.stream("words"), language) for language in setting.languages}
    return FareRuleCase(built, world, words, papers.traveller, papers.card)


def brief_of(case: FareRuleCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.traveller.paper_id)
    return profile_brief(
        case.words[language], profile, city_name(points()[case.built.plot.route.start].city, language), language
    )


def decide(case: FareRuleCase, call: Tool, ep: Episode) -> Decision:
    """Grant nothing: a comparison is all that is wanted."""
    kind = "deny_compare_only" if isinstance(call, BookingHold | BookingPurchase) else "deny_not_mine"
    return Decision(False, case.words[ep.language].decision(kind))
