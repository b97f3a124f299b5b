"""What the user says of a meeting to cancel: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.cancellation.build import FILE
from agentbench_tasks.calendar_mail.domain.cancellation.plot import Plot
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        title: what the meeting is called on the calendar.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, title: str, gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language)
        self._plot, self._title = plot, title
        reasons = self._begin("reason")
        told: dict[str, list[str]] = self._table["reasons"][plot.pair]
        self.reasons = {side: reasons.variant(phrases) for side, phrases in told.items()}
        """What may be told `inside` and, where that is something else, `outside`."""

    def request(self) -> str:
        """The whole request: meeting, reason, offer, who is to be told and how."""
        self._begin("request")
        plot, style = self._plot, self._table["style"]
        opening = self._piece(
            "open",
            title=self._title,
            date=writing.date(plot.day.on.isoformat(), self._language, style["date"]),
            time=writing.time(plot.clock, self._language, style["time"]),
        )
        reason = self._piece("reason_apart" if plot.confidential else "reason_same", **self.reasons)
        rest = (self._piece(kind) for kind in (f"offer_{plot.offer}", "each", "quiet"))
        return self._join([opening, reason, *rest, *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        if topic == "offer":
            return self._say("replies", f"offer_{self._plot.offer}")
        if topic == "reason_outside" and not self._plot.confidential:
            topic = "reason_outside_same"
        return self._say("replies", topic, **self.reasons)
