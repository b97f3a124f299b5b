"""What the user says of a booking that is only thought of: the request, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.reservations.domain.deposits.build import FILE, Built


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        course, landmark = built.occasion.course, built.town.quarters[0].landmark.name
        super().__init__(
            FILE,
            built.town.user.gender,
            draw,
            language,
            venue=built.place.full_name,
            landmark=landmark.latin if language == "en" else landmark.local,
            guests=writing.count(built.plot.party_size, "person", language),
            course=body_of(course.name) if course else "",
        )
        self._built = built

    def request(self) -> str:
        """The whole request: where, when, how many, what is booked, and what to find out."""
        self._begin("request")
        built, style = self._built, self._table["style"]
        plan = self._piece(
            "plan",
            date=writing.date(built.day, self._language, style["date"]),
            time=writing.time(built.clock, self._language, style["time"]),
        )
        rest = (self._piece(kind) for kind in (*self._booked(), "ask", "own_terms"))
        return self._join([plan, *rest, *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        course, room = self._booked()
        return self._say("replies", {"course": course, "room": room}.get(topic, topic))

    def _booked(self) -> tuple[str, str]:
        """Which pieces tell what is booked: with a set menu or not, in the room or not."""
        plot = self._built.plot
        return "course" if plot.with_course else "seat_only", "room" if plot.with_room else "hall"
