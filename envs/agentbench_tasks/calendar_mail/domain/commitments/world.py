"""From a setting to a case: draw the story, write its mails, prove it, open the world."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.calendar_mail.domain.commitments.case import CommitmentCase, Due
from agentbench_tasks.calendar_mail.domain.commitments.mails import Mails, write_mails
from agentbench_tasks.calendar_mail.domain.commitments.people import cast_people
from agentbench_tasks.calendar_mail.domain.commitments.plot import Lure, Plot, draw_lure, draw_plot
from agentbench_tasks.calendar_mail.domain.commitments.proof import prove
from agentbench_tasks.calendar_mail.domain.commitments.words import Words
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.opening import open_world
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.attempts import first_fit


def draw_case(draw: Draw, setting: Setting) -> CommitmentCase:
    """Draw an instance, prove it, and build its world."""
    lure = draw_lure(draw.stream("lure"), setting)
    return first_fit(draw, lambda attempt: _attempt(attempt, setting, lure))


def _attempt(draw: Draw, setting: Setting, lure: Lure) -> CommitmentCase:
    plot = draw_plot(draw.stream("plot"), setting, lure)
    desk = Desk(draw.stream("office"), setting, plot.now)
    people = cast_people(desk)
    mails = write_mails(draw.stream("mails"), desk, plot, people)
    due = _due(plot, mails, people)
    prove(plot, mails, people, due)
    desk.routine()
    office = desk.close()
    words = {
        language: Words(plot, office.user.name.gender, draw.stream("words"), language) for language in setting.languages
    }
    return CommitmentCase(plot, office, people, mails, due, open_world(draw, office, mails.folders), words)


def _due(plot: Plot, mails: Mails, people: dict[str, Person]) -> dict[str, Due]:
    """Say of each open promise which mails it rests on, from what was planned."""
    due: dict[str, Due] = {}
    for chain in plot.open:
        assert chain.goal is not None
        goal = chain.goal
        said = mails.said[chain.key]
        dates = [(id, iso) for id, iso, _ in said if iso]
        due[chain.key] = Due(
            chain.key,
            people[goal.owner].id,
            goal.deadline,
            tuple(id for id, _, promises in said if promises),
            tuple(id for id, iso in dates if iso == goal.deadline),
            tuple(id for id, iso in dates if iso != goal.deadline),
        )
    return due
