"""Drawing an instance: the office, tomorrow's events and what is none of them, the threads, and what is right."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.agenda.beats import NEW, OLD, beats_of
from agentbench_tasks.calendar_mail.domain.agenda.decoys import DAY_S, Decoys
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.calendar_mail.domain.agenda.plot import Meeting, Plot, draw_plot
from agentbench_tasks.calendar_mail.domain.agenda.proof import prove
from agentbench_tasks.calendar_mail.domain.agenda.thread import FILE, Thread
from agentbench_tasks.calendar_mail.domain.agenda.tomorrow import TRAVELLING, Other, Tomorrow, draw_now
from agentbench_tasks.calendar_mail.domain.mailbox import SharedFolder
from agentbench_tasks.calendar_mail.domain.office import Desk, Office
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.attempts import first_fit

TEAM = 6


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    office: Office
    zone: str
    """Where the user is now."""
    day: str
    """Tomorrow there."""
    goals: tuple[Goal, ...]
    others: tuple[Other, ...]
    """Events that look like meetings tomorrow and are none; the declined one first."""
    decoys: tuple[str, ...]
    """Ids of threads that no meeting tomorrow came from."""
    folder: SharedFolder


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance: a plot, and then a time and an office into which it fits."""
    topics: list[str] = list(shared_table(f"text/{setting.language}/{FILE}")["topics"])
    plot = draw_plot(draw.stream("plot"), setting, topics)
    return first_fit(draw, lambda attempt: build(attempt, setting, plot))


def build(draw: Draw, setting: Setting, plot: Plot) -> Built:
    """Draw an instance of a plot and prove it; raise NoFit if it does not fit into its time."""
    return _Builder(draw, setting, plot).build()


class _Builder:
    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._setting, self._plot = draw, setting, plot
        home = setting.market.zone
        desk = Desk(draw.stream("office"), setting, draw_now(draw, setting))
        zone = draw.choice([zone for zone in TRAVELLING if zone != home]) if plot.travels else home
        self._desk, self._tomorrow = desk, Tomorrow(draw, desk, zone)
        self._table = shared_table(f"text/{setting.language}/{FILE}")
        self._decoys = Decoys(draw, desk)

    def build(self) -> Built:
        desk, plot, tomorrow = self._desk, self._plot, self._tomorrow
        team = [desk.cast.colleague(languages=(self._setting.language,)) for _ in range(TEAM)]
        weekday = desk.today.isoweekday()
        desk.routine(avoid=tuple((weekday + step - 1) % 7 + 1 for step in (0, 1, 2)))
        goals = [self._meeting(str(number), meeting, team) for number, meeting in enumerate(plot.meetings)]
        tomorrow.alone()
        others = self._others(team)
        if self._setting.injections:
            self._decoys.hostile(team[0])
        office = desk.close()
        folder = self._folder(team)
        prove(office, tomorrow.zone, goals)
        decoys = tuple(self._decoys.threads)
        return Built(plot, office, tomorrow.zone, tomorrow.day, tuple(goals), tuple(others), decoys, folder)

    def _meeting(self, key: str, meeting: Meeting, team: list[Person]) -> Goal:
        draw, desk, tomorrow = self._draw, self._desk, self._tomorrow
        organiser, *guests = draw.sample(team, 3)
        if meeting.has("zone_edge"):
            place, start = tomorrow.edge()
            organiser = desk.cast.posted(place, languages=(self._setting.language,))
        else:
            start = tomorrow.next_start()
        topic: dict[str, str] = self._table["topics"][meeting.topic]
        title = topic["drifted"] if meeting.has("subject_drift") else topic["subject"]
        people = [organiser, *guests]
        event = tomorrow.meeting(draw, title, people, start, moved=meeting.has("moved_instance"))
        thread = Thread(draw, desk, key, topic, people, meeting.questions)
        # Two working days or more are left for mails that have to wait for their writers.
        until = working_days(self._setting.market.code).add_open(desk.today, -draw.int(3, 5))
        last = min(to_instant(f"{until.isoformat()}T12:00", self._setting.market.zone), desk.now - 50 * 3_600)
        beats = beats_of(draw, meeting, organiser, guests, desk.user)
        drifts = meeting.has("subject_drift")
        thread.write(beats, desk.now - draw.int(9, 13) * DAY_S, last, start=start, drifts=drifts)
        if thread.placed is None:
            thread.invite(event)
        else:
            thread.enter(event, thread.placed)
        if meeting.elsewhere:
            subject = self._table["events"]["notes"]
            thread.answer_elsewhere(guests[0], subject, meeting.elsewhere, last, desk.now - DAY_S)
        lookalike = ""
        if meeting.has("same_subject"):
            past = tomorrow.past(title, people, draw.int(66, 69))
            lookalike = self._decoys.earlier(topic, people, past)
        elif meeting.has("subject_drift"):
            lookalike = self._decoys.alike(topic, draw.sample(team, 3))
        document = NEW if meeting.has("old_version_first") else OLD
        return Goal(
            key=key,
            event_id=tomorrow.instance_id(event),
            thread_id=thread.id,
            open=meeting.open,
            sentences=thread.sentences,
            asked_in={kind: mail.id for kind, mail in thread.asked.items()},
            document=thread.content(document),
            files={file.document: file.id for file in thread.files.values()},
            told_by=thread.told[document].id,
            lookalike=lookalike,
        )

    def _others(self, team: list[Person]) -> list[Other]:
        """Other events with people and their threads, and threads about days to come, up to the plot's count."""
        plot, tomorrow, decoys = self._plot, self._tomorrow, self._decoys
        table: dict[str, dict[str, str]] = self._table["others"]
        titles = {kind: row["subject"] for kind, row in table.items()}
        moved, edge = ("moved_instance" in plot.traps), ("zone_edge" in plot.traps)
        others = tomorrow.others(team, titles, moved=moved, edge=edge)
        for other in others:
            if len(decoys.threads) < plot.decoys:
                decoys.about(table[other.kind], other.people, other.event)
        draw = self._draw
        for topic in plot.idle[: max(0, plot.decoys - len(decoys.threads))]:
            row, people = self._table["topics"][topic], draw.sample(team, 3)
            decoys.about(row, people, tomorrow.soon(draw, row["subject"], people))
        return others

    def _folder(self, team: list[Person]) -> SharedFolder:
        name = self._table["events"]["folder"]
        return SharedFolder(self._draw.id("fol"), name, name, tuple(person.address for person in team))
