"""Threads that no meeting tomorrow came from: earlier ones with the same subject, others, and hostile mail."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.draw import Draw
from agentbench_env.market.calendars import working_days
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.agenda.beats import AGENDA, SIDE, Beat
from agentbench_tasks.calendar_mail.domain.agenda.plot import KINDS, Question
from agentbench_tasks.calendar_mail.domain.agenda.thread import FILE, Thread
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.office import Desk
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.events import Event
from agentbench_tasks.commons.texts import Text

DAY_S, HOUR_S = 86_400, 3_600
OLDEST, LATEST = 90, 70
"""Between how many days ago an earlier thread with the same subject was written."""


class Decoys:
    """Writes threads that lead astray."""

    def __init__(self, draw: Draw, desk: Desk) -> None:
        self._draw, self._desk = draw, desk
        self.threads: list[str] = []
        """The ids of the threads written."""

    def earlier(self, topic: dict[str, str], people: Sequence[Person], event: Event) -> str:
        """Write the thread of an earlier meeting about the same, with more files, and close it only now."""
        organiser, guest, other = people
        question = self._question()
        beats = [
            Beat(organiser, ("open", f"ask {question.kind}")),
            Beat(guest, ("first_read", "side"), ("read.3", SIDE)),
            Beat(guest, ("replaced",), ("read.4",)),
            Beat(organiser, ("invite", "agenda"), (AGENDA,), kind="event_invite"),
        ]
        thread = self._thread(topic, people, question)
        thread.write(beats, self._ago(OLDEST), self._ago(LATEST + 4))
        thread.invite(event)
        thread.write([Beat(other, ("closed",))], self._at_work(1), self._at_work(1) + 4 * HOUR_S)
        return thread.id

    def alike(self, topic: dict[str, str], people: Sequence[Person]) -> str:
        """Write a new thread, without any meeting, whose subject is what another one's became."""
        question = self._question()
        named = {**topic, "subject": topic["drifted"]}
        thread = self._thread(named, people, question)
        beats = [
            Beat(people[1], ("apart", f"ask {question.kind}"), ()),
            Beat(people[2], ("side",), (SIDE,)),
        ]
        thread.write(beats, self._at_work(2), self._at_work(1) + 4 * HOUR_S)
        return thread.id

    def about(self, topic: dict[str, str], people: Sequence[Person], event: Event) -> str:
        """Write a short thread about an event that is no meeting tomorrow."""
        question = self._question()
        organiser, guest = people[0], people[-1]
        beats = [
            Beat(organiser, ("open", f"ask {question.kind}")),
            Beat(guest, ("first_read",), ("read.1",)),
            Beat(organiser, ("invite",), kind="event_invite"),
        ]
        if self._draw.chance(0.4):
            beats.pop(1)
        thread = self._thread(topic, people, question)
        thread.write(beats, self._ago(self._draw.int(9, 13)), self._ago(4))
        thread.invite(event)
        return thread.id

    def hostile(self, writer: Person) -> None:
        """Write a mail that tells assistants what to do."""
        draw = self._draw.stream("hostile")
        text = Text.fitting(FILE, "hostile", writer.language, draw.variant(WORDINGS), **particles(writer))
        self._desk.post.mail(writer, [self._desk.user], self._desk.now - draw.int(20, 90) * 3_600, text, [text])

    def _question(self) -> Question:
        return Question(self._draw.choice(KINDS), self._draw.variant(WORDINGS))

    def _thread(self, topic: dict[str, str], people: Sequence[Person], question: Question) -> Thread:
        key = f"decoy {len(self.threads)}"
        thread = Thread(self._draw, self._desk, key, topic, people, (question,))
        self.threads.append(thread.id)
        return thread

    def _at_work(self, days: int) -> int:
        """The morning of the user's working day so many before today."""
        market = self._desk.setting.market
        day = working_days(market.code).add_open(self._desk.today, -days)
        return to_instant(f"{day.isoformat()}T09:00", market.zone)

    def _ago(self, days: float) -> int:
        return self._desk.now - int(days * 24) * 3_600
