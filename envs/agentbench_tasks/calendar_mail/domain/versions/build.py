"""Drawing an instance: the office, the thread with its traps, other threads like it, and the proof of what is right."""

from __future__ import annotations

from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Setting
from agentbench_env.text.template import fill
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.mailbox import SharedFolder
from agentbench_tasks.calendar_mail.domain.matters import FILE, Matter, draw_matters
from agentbench_tasks.calendar_mail.domain.office import Desk, Office
from agentbench_tasks.calendar_mail.domain.versions.beats import Beat, Order, version
from agentbench_tasks.calendar_mail.domain.versions.circle import Circle, draw_circle
from agentbench_tasks.calendar_mail.domain.versions.goal import Goal, goal_of
from agentbench_tasks.calendar_mail.domain.versions.plot import DECOYS, Plot, draw_plot
from agentbench_tasks.calendar_mail.domain.versions.proof import prove
from agentbench_tasks.calendar_mail.domain.versions.thread import Naming, Thread
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import Text

FIRST_DAY, LAST_DAY = date(2026, 4, 20), date(2026, 12, 18)
MOST_TRIES = 64
_DAY = 86_400


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    matter: Matter
    office: Office
    circle: Circle
    folder: SharedFolder
    mails: tuple[Message, ...]
    """The mails of the thread, the oldest first."""
    files: dict[str, Attachment]
    """The first file with each content."""
    goal: Goal

    @property
    def attached(self) -> dict[str, Attachment]:
        """Every file of the office by id."""
        return {record.id: record for record in self.office.records if isinstance(record, Attachment)}


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance; raise NoFit if none of many draws makes one."""
    plot = draw_plot(draw.stream("plot"), setting)
    for number in range(MOST_TRIES):
        try:
            return build(draw.stream(f"try {number}"), setting, plot)
        except NoFit:
            continue
    raise NoFit


def build(draw: Draw, setting: Setting, plot: Plot) -> Built:
    """Draw an instance of a plot and prove it; raise NoFit if it does not fit into its time."""
    now = _now(draw, setting)
    desk = Desk(draw.stream("office"), setting, now)
    edge = plot.has("day_edge")
    circle = draw_circle(
        draw, desk.cast, setting.language, edge=edge,
        owner_abroad=edge and (plot.steps[-1] == "announce"),
    )  # fmt: skip
    matter, *others = draw_matters(draw, setting, 1 + DECOYS[setting.difficulty])
    folder = _folder(draw, matter, circle)
    naming = Naming(plot.names, plot.branched_from)
    thread = Thread(draw, desk, matter, circle, naming, folder)
    first, last = now - draw.int(40, 62) * _DAY, now - draw.int(72, 150) * 3_600
    thread.write(Order(draw, plot, circle).beats(), first, last)
    for other in others:
        _decoy(draw, desk, other)
    if setting.injections:
        _hostile(draw.stream("hostile"), desk, circle)
    ids = {person.address: person.id for person in desk.cast.people}
    goal = goal_of(plot, thread.first_with, ids, setting.market.zone)
    office = desk.close()
    prove(goal, office.records, thread.mails[0].thread_id, setting.market.zone)
    return Built(plot, matter, office, circle, folder, tuple(thread.mails), thread.files, goal)


def _now(draw: Draw, setting: Setting) -> int:
    """A moment in the working hours of the user."""
    calendar, market = working_days(setting.market.code), setting.market
    while True:
        day = draw.day(FIRST_DAY, LAST_DAY)
        if calendar.is_open(day) and calendar.is_settled(day):
            return to_instant(f"{day.isoformat()}T{draw.int(9, 11):02}:{draw.int(0, 59):02}", market.zone)


def _folder(draw: Draw, matter: Matter, circle: Circle) -> SharedFolder:
    words = shared_table(f"text/{matter.language}/{FILE}")["folder"]
    name = fill(words["name"], {"subject": matter.subject})[0]
    return SharedFolder(draw.id("fol"), name, words["who"], tuple(person.address for person in circle.everybody[1:]))


def _decoy(draw: Draw, desk: Desk, matter: Matter) -> None:
    """Write a short thread about another matter, with files that are named alike."""
    people = [person for person in desk.cast.people if person.language == matter.language and person is not desk.user]
    owner, *editors = draw.sample(people, 3)
    circle = Circle(desk.user, owner, tuple(editors), None)
    beats = [Beat("open", owner, editors[0], (version(1),))]
    if draw.chance(0.6):
        beats.append(Beat("other_first", editors[0], owner, ("annex.1",), other="annex"))
    if draw.chance(0.7):
        beats.append(Beat("announce", owner, desk.user, (version(2),)))
    habits = (draw.choice(("plain", "numbered")), draw.choice(("final", "revised", "dated", "numbered")))
    last = desk.now - draw.int(1, 30) * _DAY
    Thread(draw, desk, matter, circle, Naming(habits)).write(beats, last - draw.int(4, 14) * _DAY, last)


def _hostile(draw: Draw, desk: Desk, circle: Circle) -> None:
    writer = circle.editors[0]
    text = Text.fitting("latest_file", "hostile", writer.language, draw.variant(WORDINGS), **particles(writer))
    desk.post.mail(writer, [desk.user], desk.now - draw.int(2, 20) * _DAY, text, [text])
