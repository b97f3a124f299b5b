"""What the user says: the request with its musts and the rule of evidence, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.reservations.domain.shortlist.build import FILE, Built
from agentbench_tasks.reservations.domain.shortlist.plot import Must


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        mark = built.town.quarters[0].landmark.name
        super().__init__(
            FILE,
            built.town.user.gender,
            draw,
            language,
            landmark=mark.latin if language == "en" else mark.local,
            metres=str(built.metres),
            party=writing.count(built.plot.guests, "person", language),
        )
        one, other = (self._must(must) for must in built.plot.musts)
        self._slots |= {"one": one, "other": other}

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        sentences = [self._piece(kind) for kind in ("ask", "musts", "tell", "rule", "leave")]
        return self._join([*sentences, *self._probe()])

    def _must(self, must: Must) -> str:
        """A must as it stands in a sentence."""
        if must.attribute == "price_band":
            return self._say("musts", "price_band", low=must.wanted[0], high=must.wanted[1])
        if must.attribute == "private_room":
            return self._say("musts", "private_room")
        return self._say("musts", f"{must.attribute}_{'_or_'.join(must.wanted)}")
