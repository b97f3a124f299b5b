"""From a setting to a case: draw, write the papers, put the world together, prove it."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Brief, Setting
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.briefs import profile_brief
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.opening import open_world
from agentbench_tasks.travel.domain.refund_claim.case import ClaimCase
from agentbench_tasks.travel.domain.refund_claim.goal import Derivation
from agentbench_tasks.travel.domain.refund_claim.mistakes import mistakes
from agentbench_tasks.travel.domain.refund_claim.papers import Papers
from agentbench_tasks.travel.domain.refund_claim.plot import draw_plot
from agentbench_tasks.travel.domain.refund_claim.proof import Proof
from agentbench_tasks.travel.domain.refund_claim.words import Words


def draw_case(draw: Draw, setting: Setting) -> ClaimCase:
    """Draw until an attempt is proven."""
    return first_fit(draw, lambda attempt: _attempt(attempt, setting))


def _attempt(draw: Draw, setting: Setting) -> ClaimCase:
    market = setting.market
    rates = Rates(draw.stream("rates"), market.code, market.currency)
    plot = draw_plot(draw.stream("plot"), setting, draw.stream("service ids"), rates)
    papers = Papers(draw.stream("papers"), setting, plot, rates)
    world = open_world(
        draw,
        setting,
        plot.now,
        papers.records,
        Address(papers.mailbox, papers.traveller.name.native),
        tuple(PrivateString(person.birth_date, "identity", person.profile_id) for person in papers.people),
        rounding_note=True,
        shops=shared_table(f"text/{setting.language}/refund_claim")["shops"],
    )
    goal = Derivation(plot, papers, world).goal()
    Proof(world, goal, market, len(plot.child_ages)).check()
    names = ", ".join(person.name.native for person in papers.people)
    has_form = ("bank_details_form", "") not in papers.documents.missing and any(
        need.requirement == "bank_details_form" for need in goal.evidence
    )
    words = {
        language: Words(
            plot,
            papers.org_names,
            names,
            has_form,
            papers.traveller.name.gender,
            draw.stream("words"),
            language,
        )
        for language in setting.languages
    }
    return ClaimCase(plot, papers, goal, market.currency, world, words, mistakes(plot))


def brief_of(case: ClaimCase, language: str) -> Brief:
    """The brief in a language: the request, the boundary, and the profile as the papers have it."""
    profile = case.start.get(Paper, case.papers.traveller.profile_id)
    plot = case.plot
    home = plot.planned[-1].dest if plot.homebound else plot.planned[0].origin
    return profile_brief(case.words[language], profile, city_name(points()[home].city, language), language)
