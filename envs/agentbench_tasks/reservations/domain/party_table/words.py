"""What the user says of the dinner: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.reservations.domain.outlets import WALKABLE
from agentbench_tasks.reservations.domain.party_table.build import FILE, Built


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        plot, names = built.plot, built.town.quarters[0].landmark.name
        super().__init__(
            FILE,
            built.town.user.gender,
            draw,
            language,
            landmark=names.latin if language == "en" else names.local,
            metres=str(WALKABLE),
            ceiling=writing.money(plot.ceiling.minor, plot.ceiling.currency, language) if plot.ceiling else "",
        )
        style = self._table["style"]
        self._slots |= {
            "party": writing.count(plot.party, "person", language),
            "number": str(plot.party),
            "date": writing.date(plot.day, language, style["date"]),
            "earliest": writing.time(plot.earliest, language, style["time"]),
            "latest": writing.time(plot.latest, language, style["time"]),
        }
        self._plot = plot

    def request(self) -> str:
        """The whole request: who, when and where, the need, the price, the seats, and what to do."""
        self._begin("request")
        plot = self._plot
        kinds = ["open", f"need_{plot.theme.need}"]
        kinds += ["ceiling"] if plot.ceiling else []
        kinds += ["tables"] if plot.tables_only else []
        pieces = [self._piece(kind) for kind in (*kinds, "hold", "otherwise")]
        return self._join([*pieces, *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        if topic == "need_strength":
            return self._say("replies", f"strength_{self._plot.theme.level}")
        if topic == "budget" and not self._plot.ceiling:
            topic = "budget_none"
        return self._say("replies", topic)
