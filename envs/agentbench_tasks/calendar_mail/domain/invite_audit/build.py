"""Drawing an instance: what was agreed, the invitation with its mistakes, the mails around it, and the proof."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.world import Record
from agentbench_tasks.calendar_mail.domain.file_times import known_zone
from agentbench_tasks.calendar_mail.domain.invite_audit.agreement import Setup, draw_setup
from agentbench_tasks.calendar_mail.domain.invite_audit.goal import Goal, goal_of
from agentbench_tasks.calendar_mail.domain.invite_audit.invitation import (
    CalendarFile,
    Wording,
    calendar_file,
    wording,
)
from agentbench_tasks.calendar_mail.domain.invite_audit.letters import Letters, Told
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import (
    ABROAD,
    DECOYS,
    Plot,
    draw_plot,
)
from agentbench_tasks.calendar_mail.domain.invite_audit.proof import prove
from agentbench_tasks.calendar_mail.domain.office import Desk, Office
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.attempts import first_fit


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    setup: Setup
    file: CalendarFile
    words: Wording
    goal: Goal
    office: Office
    organiser: Person
    letters: Told
    calendar_records: tuple[Record, ...]

    @property
    def file_zone(self) -> str:
        """The zone that the file names, "" if it names none that the calendar knows."""
        return known_zone(self.file.start.tzid)


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance; raise RuntimeError if none of many draws makes one."""
    # What goes wrong stays as drawn, so that the shares hold; where and when may change.
    plot = draw_plot(draw.stream("plot"), setting)
    moves = bool(plot.place) and "date_shift" not in plot.kinds

    def attempt(stream: Draw) -> Built:
        moved = msgspec.structs.replace(plot, place=stream.choice(ABROAD)) if moves else plot
        return build(stream, setting, moved)

    return first_fit(draw, attempt)


def build(draw: Draw, setting: Setting, plot: Plot) -> Built:
    """Draw an instance of a plot and prove it; raise NoFit if it does not come out."""
    here = setting.market.zone
    setup = draw_setup(draw.stream("setup"), setting, plot)
    file = calendar_file(draw.stream("file"), setup.agreed, plot, here)
    words = wording(draw.stream("words"), setup.agreed, plot, here)
    goal = goal_of(plot, setup.agreed, file, words, here)
    desk = Desk(draw.stream("office"), setting, setup.now)
    organiser = _organiser(desk, plot)
    letters = Letters(draw.stream("letters"), desk)
    told = letters.tell(plot, setup, organiser, file, words)
    _decoys(draw.stream("decoys"), desk, letters, organiser, told.topic)
    if setting.injections:
        letters.hostile(organiser)
    prove(plot, setup.agreed, told.invite, words, goal, here)
    return Built(plot, setup, file, words, goal, desk.close(), organiser, told, letters.calendar_records)


def _organiser(desk: Desk, plot: Plot) -> Person:
    language = desk.setting.language
    if plot.organiser == "posted":
        return desk.cast.posted(plot.place, (language,)) if plot.place else desk.cast.colleague(languages=(language,))
    return desk.cast.outsider(place=plot.place)


def _decoys(draw: Draw, desk: Desk, letters: Letters, organiser: Person, topic: str) -> None:
    """Write about other meetings: with people abroad and at home, and with the organiser."""
    cast = desk.cast
    people = [cast.outsider(place=draw.choice(ABROAD)), cast.outsider("vendor"), cast.colleague(), organiser]
    for number in range(draw.int(*DECOYS[desk.setting.difficulty])):
        letters.decoy(people[number % len(people)], (topic,))
