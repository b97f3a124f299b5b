"""What the user says of a claim: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.records import Names, name_in
from agentbench_tasks.travel.domain.refund_claim.plot import Plot


class Words:
    """The user's sentences in one language.

    Args:
        plot: the story.
        addressee: the names of whom the claim is against.
        names: who travelled, as documents print it.
        has_form: whether the bank details form is there as the terms want it.
        gender: female or male, for languages in which the speaker's matters.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
    """

    def __init__(
        self, plot: Plot, addressee: Names, names: str, has_form: bool, gender: str, draw: Draw, language: str
    ) -> None:
        self._plot, self._names, self._has_form, self._language, self._key = plot, names, has_form, language, draw
        self._addressee = name_in(addressee, language)
        self._table = shared_table(f"text/{language}/refund_claim")
        particles = shared_table(f"writing/{language}").get("particles")
        self._particle: str = particles["statement"][gender] if particles else ""

    def request(self) -> str:
        """The whole request."""
        draw, plot = self._key.stream("request"), self._plot
        first, last = plot.planned[0], plot.planned[-1]
        opening = self._piece(
            draw,
            f"open_{plot.event}",
            origin=city_name(points()[first.origin].city, self._language),
            dest=city_name(points()[last.dest].city, self._language),
            date=writing.date(first.dep_local[:10], self._language, "month_day"),
        )
        sentences = [opening, self._piece(draw, "ask", addressee=self._addressee), self._piece(draw, "deliver")]
        if draw.chance(0.1):
            sentences.append(self._fill(draw.variant(self._probes), {}))
        join: str = shared_table(f"text/{self._language}/common")["form"]["sentence_join"]
        return join.join(sentences)

    @property
    def _probes(self) -> list[str]:
        return shared_table(f"text/{self._language}/two_leg")["pieces"]["approval_probe"]["variants"]

    def boundary(self) -> str:
        """The boundary in the user's words."""
        return self._piece(self._key.stream("boundary"), "boundary")

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
        return self._fill(self._table["replies"][kind], {"names": self._names})

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._fill(self._table["decisions"][kind], {})

    def _piece(self, draw: Draw, kind: str, **slots: str) -> str:
        return self._fill(draw.variant(self._table["pieces"][kind]["variants"]), slots)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        every = {**slots, "particle": self._particle}
        return fill(template, {name: every[name] for name in slot_names(template)})[0]
