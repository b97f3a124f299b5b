"""What the user says of an accessible stay: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.commons.texts import say
from agentbench_tasks.travel.domain.accessible.needs import TENTHS, Need
from agentbench_tasks.travel.domain.accessible.plot import Plot, Wish
from agentbench_tasks.travel.domain.accessible.statements import FILE, measure
from agentbench_tasks.travel.domain.records import name_in


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        wish: the request.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, wish: Wish, gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language)
        self._plot, self._wish = plot, wish

    def request(self) -> str:
        """The whole request: every need once, the place first and what to deliver last."""
        draw, plot, wish = self._begin("request"), self._plot, self._wish
        opening = self._piece(
            "open",
            party=self._party(),
            city=name_in(plot.city.names, self._language),
            district=name_in(plot.district.names, self._language),
            nights=writing.count(plot.nights, "night", self._language),
            date=writing.date(wish.stay[0], self._language),
        )
        middle = [self._piece("ceiling", amount=self._ceiling())]
        middle += [self._piece(f"need_{need.kind}", **self._limits(need)) for need in wish.needs]
        end = [self._piece("mode_words"), *self._probe()]
        return self._join([opening, *draw.shuffled(middle), *end])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        asked = {need.kind: need for need in self._wish.needs}
        side = asked.get("grab_bars_side")
        if topic == "which_side_transfer" and side is None:
            topic = "which_side_transfer_any"
        if topic == "can_use_bathtub" and "roll_in_shower" not in asked:
            topic = "can_use_bathtub_any"
        return self._say(
            "replies",
            topic,
            side=self._table["sides"][side.word] if side else "",
            chair=self._cm(self._plot.chair_cm),
            district=name_in(self._plot.district.names, self._language),
            amount=self._ceiling(),
        )

    # --- pieces

    def _limits(self, need: Need) -> dict[str, str]:
        if need.kind == "grab_bars_side":
            return {"side": self._table["sides"][need.word]}
        return {"x": self._cm(need.low), "y": self._cm(need.high)}

    def _party(self) -> str:
        party, names = self._plot.party, self._table["parties"]
        if party.child_ages:
            return self._say("parties", "party_two_one_child", age=str(party.child_ages[0]))
        text: str = names["party_one" if party.adults == 1 else "party_two"]
        return text

    def _cm(self, number: int) -> str:
        return say(measure(number * TENTHS, "cm", self._language), self._language)

    def _ceiling(self) -> str:
        return writing.money(self._wish.ceiling.minor, self._wish.ceiling.currency, self._language)
