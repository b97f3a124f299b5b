"""What the user says of a meeting that has to move: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from datetime import date

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.reschedule.mails import FILE
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language.

    Args:
        title: the meeting as the calendar has it.
        day: the day on which it stands.
        days: the days that it may move to.
        gender, draw, language: as in `Speech`.
    """

    def __init__(
        self, title: str, day: date, days: tuple[date, ...], gender: str, draw: Draw, language: str
    ) -> None:  # fmt: skip
        super().__init__(FILE, gender, draw, language)
        self._title, self._day, self._days = title, day, days

    def request(self) -> str:
        """The whole request: the meeting and the days first, what to deliver last."""
        draw = self._begin("request")
        day = writing.date(self._day, self._language, "month_day")
        opening = self._piece("open", title=self._title, date=day, range=self._range())
        middle = draw.shuffled([self._piece("wrote"), self._piece("hours")])
        return self._join([opening, *middle, self._piece("deliver"), *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        return self._say("replies", topic, range=self._range())

    def _range(self) -> str:
        return writing.date_range(self._days[0], self._days[-1], self._language, "month_day")
