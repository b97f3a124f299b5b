"""What the user says of a disrupted trip: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.replan.plot import Plot

REQUEST = ("open", "keep", "no_fee", "answer_format")


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, gender: str, draw: Draw, language: str) -> None:
        trip = plot.trip
        dest = points()[trip.rail.end].city if trip.rail else trip.dest_city
        super().__init__(
            "replan",
            gender,
            draw,
            language,
            origin=city_name(trip.origin_city, language),
            dest=city_name(dest, language),
            date=writing.date(plot.arrive_day, language),
        )

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        return self._join(self._piece(kind) for kind in REQUEST)
