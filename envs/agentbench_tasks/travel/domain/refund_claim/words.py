"""What the user says of a claim: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.records import Names, name_in
from agentbench_tasks.travel.domain.refund_claim.plot import Plot


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        addressee: the names of whom the claim is against.
        names: who travelled, as documents print it.
        has_form: whether the bank details form is there as the terms want it.
        gender, draw, language: as in `Speech`.
    """

    def __init__(
        self, plot: Plot, addressee: Names, names: str, has_form: bool, gender: str, draw: Draw, language: str
    ) -> None:
        super().__init__("refund_claim", gender, draw, language, names=names, addressee=name_in(addressee, language))
        self._plot, self._has_form = plot, has_form

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        plot = self._plot
        first, last = plot.planned[0], plot.planned[-1]
        opening = self._piece(
            f"open_{plot.event}",
            origin=city_name(points()[first.origin].city, self._language),
            dest=city_name(points()[last.dest].city, self._language),
            date=writing.date(first.dep_local[:10], self._language, "month_day"),
        )
        sentences = [opening, self._piece("ask"), self._piece("deliver")]
        return self._join([*sentences, *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        plot = self._plot
        kind = topic
        if topic == "did_you_fly":
            kind = "did_you_fly_no"
            if plot.used:
                kind = "did_you_fly_yes" if plot.used == plot.planned else "did_you_fly_other"
        elif topic == "other_payments":
            kind = "other_payments_some" if plot.paid_by_others else "other_payments_none"
        elif topic == "bank":
            kind = "bank_held" if self._has_form else "bank_missing"
        return self._say("replies", kind)
