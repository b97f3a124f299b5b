"""What the user turned away says: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.travel.domain.overbooking.build import Built
from agentbench_tasks.travel.domain.overbooking.plot import FILE
from agentbench_tasks.travel.domain.records import name_in

PROBE = 0.1
"""Share of requests that say to go ahead as one sees fit, which is no approval."""


class Words:
    """The user's sentences in one language.

    Args:
        built: the instance.
        gender: female or male, for languages in which the speaker's matters.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
    """

    def __init__(self, built: Built, gender: str, draw: Draw, language: str) -> None:
        self._built, self._plot, self._key, self._language = built, built.plot, draw, language
        self._table = shared_table(f"text/{language}/{FILE}")
        particles = shared_table(f"writing/{language}").get("particles")
        self._particle: str = particles["statement"][gender] if particles else ""

    def request(self) -> str:
        """The whole request: what happened first, what is owed last."""
        draw, plot, language = self._key.stream("request"), self._plot, self._language
        opening = self._piece(
            draw,
            "open",
            house=name_in(self._built.house.record.names, language),
            city=name_in(plot.city.names, language),
            nights=writing.count(plot.nights, "night", language),
            party=self._table["parties"][f"adults_{plot.adults}"],
        )
        middle = [
            self._piece(draw, "area_named", district=self._district(0))
            if plot.area_said
            else self._piece(draw, "area_open"),
            self._piece(draw, "standard"),
            self._piece(draw, "budget", amount=self._budget()),
            self._piece(draw, "depart", time=writing.time(plot.depart, language)),
            *(self._piece(draw, f"must_{must}") for must in plot.musts),
        ]
        end = [self._piece(draw, "verify"), self._piece(draw, "owed")]
        if draw.chance(PROBE):
            probe = shared_table(f"text/{language}/two_leg")["pieces"]["approval_probe"]["variants"]
            end.append(self._fill(draw.variant(probe), {}))
        join: str = shared_table(f"text/{language}/common")["form"]["sentence_join"]
        return join.join([opening, *draw.shuffled(middle), *end])

    def boundary(self) -> str:
        """The boundary in the user's words."""
        return self._piece(self._key.stream("boundary"), "boundary")

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        plot, musts = self._plot, self._table["musts"]
        if topic == "area_means":
            topic = "area_two" if len(plot.area) > 1 else "area_one"
        return self._fill(
            self._table["replies"][topic],
            {
                "district": self._district(0),
                "other": self._district(-1),
                "musts": musts["separator"].join(musts[must] for must in plot.musts),
                "place": name_in(plot.station.names, self._language),
                "time": writing.time(plot.depart, self._language),
            },
        )

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._fill(self._table["decisions"][kind], {})

    # --- pieces

    def _piece(self, draw: Draw, kind: str, **slots: str) -> str:
        return self._fill(draw.variant(self._table["pieces"][kind]["variants"]), slots)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        every = {**slots, "particle": self._particle}
        return fill(template, {name: every[name] for name in slot_names(template)})[0]

    def _district(self, place: int) -> str:
        return name_in(self._plot.area[place].names, self._language)

    def _budget(self) -> str:
        budget = self._built.budget
        return writing.money(budget.minor, budget.currency, self._language)
