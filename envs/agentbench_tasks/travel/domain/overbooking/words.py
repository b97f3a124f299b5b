"""What the user turned away says: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.overbooking.build import Built
from agentbench_tasks.travel.domain.overbooking.plot import FILE
from agentbench_tasks.travel.domain.records import name_in


class Words(Speech):
    """The user's sentences in one language.

    Args:
        built: the instance.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, built: Built, gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language)
        self._built, self._plot = built, built.plot

    def request(self) -> str:
        """The whole request: what happened first, what is owed last."""
        draw, plot, language = self._begin("request"), self._plot, self._language
        opening = self._piece(
            "open",
            house=name_in(self._built.house.record.names, language),
            city=name_in(plot.city.names, language),
            nights=writing.count(plot.nights, "night", language),
            party=self._table["parties"][f"adults_{plot.adults}"],
        )
        middle = [
            self._piece("area_named", district=self._district(0)) if plot.area_said else self._piece("area_open"),
            self._piece("standard"),
            self._piece("budget", amount=self._budget()),
            self._piece("depart", time=writing.time(plot.depart, language)),
            *(self._piece(f"must_{must}") for must in plot.musts),
        ]
        end = [self._piece("verify"), self._piece("owed"), *self._probe()]
        return self._join([opening, *draw.shuffled(middle), *end])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        plot, musts = self._plot, self._table["musts"]
        if topic == "area_means":
            topic = "area_two" if len(plot.area) > 1 else "area_one"
        return self._say(
            "replies",
            topic,
            district=self._district(0),
            other=self._district(-1),
            musts=musts["separator"].join(musts[must] for must in plot.musts),
            place=name_in(plot.station.names, self._language),
            time=writing.time(plot.depart, self._language),
        )

    # --- pieces

    def _district(self, place: int) -> str:
        return name_in(self._plot.area[place].names, self._language)

    def _budget(self) -> str:
        budget = self._built.budget
        return writing.money(budget.minor, budget.currency, self._language)
