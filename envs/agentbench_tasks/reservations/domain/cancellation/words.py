"""What the user says of a table to call off: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.reservations.domain.cancellation.letterbox import FILE


class Words(Speech):
    """The user's sentences in one language.

    Args:
        venue: the house with its branch.
        day: the day of the booking.
        name: the user's own name.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, venue: str, day: str, name: str, gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language, venue=venue, name=name)
        self._slots["date"] = writing.date(day, language, self._table["style"]["date"])

    def request(self) -> str:
        """The whole request: which table, in time, and a word to the house."""
        self._begin("request")
        return self._join([*map(self._piece, ("open", "in_time", "tell")), *self._probe()])
