"""What the user says of a comparison: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.fare_rules.plot import Plot
from agentbench_tasks.travel.domain.geography import city_name, points
from agentbench_tasks.travel.domain.records import name_in


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, gender: str, draw: Draw, language: str) -> None:
        super().__init__("fare_rules", gender, draw, language)
        self._plot = plot

    def request(self) -> str:
        """The whole request: the trip, which fares, what is asked, and what to deliver."""
        plot = self._plot
        self._begin("request")
        scope = "scope_shortlist" if plot.scope == "shortlist" else f"scope_{'before' if plot.before_noon else 'after'}"
        middle = [self._piece("on_sale"), self._piece(f"ask_{plot.change}")]
        sentences = [
            self._piece("trip_return" if plot.back_on else "trip_one_way"),
            self._piece(scope),
            *self._draw.shuffled(middle),
            self._piece("want"),
            self._piece("mode_compare"),
        ]
        return self._join(sentences)

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        kind = {
            "sectors": f"sectors_{self._plot.change}",
            "shortlist": f"shortlist_{'paper' if self._plot.scope == 'shortlist' else 'rule'}",
        }.get(topic, topic)
        return self._say("replies", kind)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        named = {name: self._slot(name) for name in slot_names(template) if name not in slots and name != "particle"}
        text = super()._fill(template, {**named, **slots})
        return text[0].upper() + text[1:]

    def _slot(self, name: str) -> str:
        plot, language = self._plot, self._language
        match name:
            case "party":
                return self._party()
            case "origin":
                return city_name(points()[plot.route.start].city, language)
            case "dest":
                return city_name(plot.ask.dest, language)
            case "date":
                return writing.date(plot.depart_on, language)
            case "back":
                return writing.date(plot.back_on, language)
            case "days":
                return writing.count(plot.days, "day", language)
            case _:
                join: str = self._table["form"]["list_join"]
                return join.join(f"{name_in(carrier.names, language)} ({carrier.code})" for carrier in plot.carriers)

    def _party(self) -> str:
        party = self._plot.party
        kind = f"party_{('one', 'two')[party.adults - 1]}{'_child' if party.child_ages else ''}"
        template: str = self._table["parties"][kind]
        return fill(template, {"age": str(party.child_ages[0])} if party.child_ages else {})[0]
