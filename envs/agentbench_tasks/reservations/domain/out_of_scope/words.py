"""What the user says of a booking: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.reservations.domain.out_of_scope.aside import FILE
from agentbench_tasks.reservations.domain.out_of_scope.build import Built


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        super().__init__(FILE, built.town.user.gender, draw, language)
        self._built = built

    def request(self) -> str:
        """The whole request: which house, when, and how many."""
        self._begin("request")
        errand, style = self._built.errand, self._table["style"]
        asked = self._piece(
            "ask",
            venue=self._venue(),
            mark=self._mark(),
            date=writing.date(errand.day, self._language, style["date"]),
            time=writing.time(errand.clock, self._language, style["time"]),
            party=writing.count(errand.party, "person", self._language),
        )
        return self._join([asked, *self._probe()])

    def _venue(self) -> str:
        """The house with its branch as it writes itself, behind its Latin name where that is another one."""
        place = self._built.house.place
        latin = f"{place.name.latin} {place.branch.latin}".strip()
        if self._language != "en" or latin == place.full_name:
            return place.full_name
        return f"{latin} / {place.full_name}"

    def _mark(self) -> str:
        names = self._built.house.quarter.landmark.name
        return names.latin if self._language == "en" else names.local
