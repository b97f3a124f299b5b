"""What the user says: the question, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.reservations.domain.availability.build import FILE, Built


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        asked, place, landmark = built.asked, built.place, built.town.quarters[0].landmark.name
        latin = language == "en"
        super().__init__(
            FILE,
            built.town.user.gender,
            draw,
            language,
            venue=f"{place.name.latin} {place.branch.latin}" if latin else place.full_name,
            landmark=landmark.latin if latin else landmark.local,
            party=writing.count(asked.party, "person", language),
            date=writing.date(asked.day, language),
            time=writing.time(asked.clock, language),
            first=writing.date(asked.first, language, "month_day"),
            last=writing.date(asked.last, language, "month_day"),
        )

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        sentences = [self._piece(kind) for kind in ("ask", "closed", "last_order")]
        return self._join([*sentences, *self._probe()])
