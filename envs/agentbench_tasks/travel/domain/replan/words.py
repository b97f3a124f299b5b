"""What the user says of a disrupted trip: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.replan.plot import Plot

REQUEST = ("open", "keep", "no_fee", "answer_format")


class Words:
    """The user's sentences in one language.

    Args:
        plot: the story.
        gender: female or male, for languages in which the speaker's matters.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
    """

    def __init__(self, plot: Plot, gender: str, draw: Draw, language: str) -> None:
        self._key, self._language = draw, language
        self._table = shared_table(f"text/{language}/replan")
        particles = shared_table(f"writing/{language}").get("particles")
        trip = plot.trip
        dest = points()[trip.rail.end].city if trip.rail else trip.dest_city
        self._slots = {
            "origin": city_name(trip.origin_city, language),
            "dest": city_name(dest, language),
            "date": writing.date(plot.arrive_day, language),
            "particle": particles["statement"][gender] if particles else "",
        }

    def request(self) -> str:
        """The whole request."""
        draw = self._key.stream("request")
        join: str = shared_table(f"text/{self._language}/common")["form"]["sentence_join"]
        return join.join(self._piece(kind, draw) for kind in REQUEST)

    def boundary(self) -> str:
        """The boundary in the user's words."""
        return self._piece("boundary", self._key.stream("boundary"))

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        return self._fill(self._table["replies"][topic])

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._fill(self._table["decisions"][kind])

    def _piece(self, kind: str, draw: Draw) -> str:
        return self._fill(draw.variant(self._table["pieces"][kind]["variants"]))

    def _fill(self, template: str) -> str:
        return fill(template, {name: self._slots[name] for name in slot_names(template)})[0]
