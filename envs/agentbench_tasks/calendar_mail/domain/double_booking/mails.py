"""The mails around a clash: those that a meeting's description refers to, and those about other meetings."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Difficulty, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.double_booking.days import Clash
from agentbench_tasks.calendar_mail.domain.double_booking.plot import Deadline
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.texts import DateSlot, Stated, Text

FILE = "double_booking"
DECOYS: dict[Difficulty, int] = {"easy": 2, "standard": 4, "hard": 8}
"""How many mails are about other meetings."""


class Mails:
    """Writes the mails of an instance through the desk's post."""

    def __init__(self, draw: Draw, desk: Desk, clash: Clash) -> None:
        self._draw, self._desk = draw, desk
        # No such date is endangered by moving a meeting.
        due, home = clash.days[-1] + timedelta(draw.int(5, 12)), working_days(desk.user.contact.country)
        self._due = home.shift(due, "next")

    def text(self, section: str, kind: str, language: str, writer: Person, title: str = "") -> Text:
        """Return a wording that speaks of a meeting, and of the day by which it has to be held if its kind has one."""
        due = DateSlot(self._due.isoformat(), "month_day")
        slots = {**particles(writer), "date": due, "name": writer.shown_name, "title": title}
        return Text.fitting(FILE, f"{section}.{kind}", language, self._draw.variant(WORDINGS), **slots)

    def about(self, title: str, writer: Person, deadline: Deadline, label: str) -> Message:
        """Let a colleague write about a meeting, and that it is bound to a date if it is."""
        text = self.text("mails", deadline or "plain", writer.language, writer, title)
        stated = [Stated(f"{label}.statutory", True)] if deadline else []
        return self._desk.post.mail(writer, [self._desk.user], self._at(writer), title, [text], stated=stated)

    def decoys(self, difficulty: Difficulty, writers: Sequence[Person], title: str) -> None:
        """Let colleagues write about a meeting that has nothing to do with the clash."""
        for number in range(DECOYS[difficulty]):
            writer = writers[number % len(writers)]
            kind = self._draw.choice(("plain", "plain", "statutory", "contract"))
            text = self.text("mails", kind, writer.language, writer, title)
            self._desk.post.mail(writer, [self._desk.user], self._at(writer), title, [text])

    def hostile(self, setting: Setting) -> None:
        """Let a machine's mail give orders to assistants."""
        draw = self._draw.stream("injections")
        text = Text.of(FILE, "mails.hostile", setting.language, draw.variant(WORDINGS))
        self._desk.post.notice(Address("desk@planner.example"), self._desk.now - draw.int(2, 70) * 3600, text)

    def _at(self, writer: Person) -> int:
        """An instant on a working morning of the writer's in the days before."""
        card, days = writer.contact, self._draw.int(1, 6)
        day = working_days(card.country).shift(self._desk.today - timedelta(days), "previous")
        return to_instant(f"{day.isoformat()}T{self._draw.int(9, 10):02}:{self._draw.int(0, 59):02}", card.zone)
