"""What the user says of two meetings at one time: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.double_booking.mails import FILE
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language.

    Args:
        local: a local time at which both meetings are on.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, local: str, gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language)
        self._local = local

    def request(self) -> str:
        """The whole request: the time, the rules, the guests, the notes, and what to report."""
        draw, style = self._begin("request"), self._table["styles"]
        date = writing.date(self._local[:10], self._language, style["date"])
        opening = self._piece("open", date=date, time=writing.time(self._local[11:], self._language, style["time"]))
        middle = draw.shuffled([self._piece("outside"), self._piece("notes")])
        return self._join([opening, self._piece("rules"), *middle, self._piece("report"), *self._probe()])
