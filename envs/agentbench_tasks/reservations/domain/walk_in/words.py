"""What the user says when everything is full: the request, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.commons.texts import CountSlot, TimeSlot, say
from agentbench_tasks.reservations.domain.places import Mark
from agentbench_tasks.reservations.domain.walk_in.build import FILE, Built


class Words(Speech):
    """The user's sentences in one language."""

    def __init__(self, built: Built, landmark: Mark, draw: Draw, language: str) -> None:
        plot = built.plot
        first, second, third = (place.called(language) for place in built.full)
        super().__init__(
            FILE,
            built.town.user.gender,
            draw,
            language,
            first=first,
            second=second,
            third=third,
            time=say(TimeSlot(f"{plot.minute // 60:02}:{plot.minute % 60:02}"), language),
            people=say(CountSlot(plot.party, "person"), language),
            minutes=say(CountSlot(plot.limit, "minute"), language),
            landmark=landmark.name.written(language),
        )
        self._need = plot.need

    def request(self) -> str:
        """The whole request: what is full, who is hungry, and what to find out."""
        self._begin("request")
        sentences = [self._piece(kind) for kind in ("full", "party", f"need_{self._need}", "ask", "queue")]
        return self._join([*sentences, *self._probe()])
