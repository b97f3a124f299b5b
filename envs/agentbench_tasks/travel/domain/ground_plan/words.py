"""What the user says of a ground plan: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.geography import city_name
from agentbench_tasks.travel.domain.ground_plan.build import Built
from agentbench_tasks.travel.domain.ground_plan.places import clock
from agentbench_tasks.travel.domain.records import Names, name_in

FILE = "ground_plan"


class Words(Speech):
    """The user's sentences in one language.

    Args:
        built: the instance.
        city: code of the city.
        lodging: names of the lodging.
        title: title of the list among the user's papers.
        gender, draw, language: as in `Speech`.
    """

    def __init__(
        self, built: Built, city: str, lodging: Names, title: str, gender: str, draw: Draw, language: str
    ) -> None:
        super().__init__(FILE, gender, draw, language)
        self._built, self._city, self._lodging, self._title = built, city, lodging, title

    def request(self) -> str:
        """The whole request: where and when first, what to deliver last."""
        plot, language = self._built.plot, self._language
        self._begin("request")
        opening = self._piece(
            "open",
            people=writing.count(plot.party, "person", language),
            city=city_name(self._city, language),
            dates=writing.date_range(plot.days[0], plot.days[-1], language),
            lodging=name_in(self._lodging, language),
        )
        if plot.on_paper:
            places = self._piece("list_paper", title=self._title)
        else:
            places = self._piece("list_inline", places=self._list())
        middle = [
            self._piece("frame", leave=self._time(plot.leave), back=self._time(plot.back)),
            self._piece("margin", minutes=writing.count(plot.margin, "minute", language)),
            self._piece("means"),
            *(self._appointment(number) for number in range(len(self._built.appointments))),
        ]
        end = [self._piece("misfit"), self._piece("answer_format")]
        return self._join([opening, places, *self._draw.shuffled(middle), *end])

    def _list(self) -> str:
        items = [
            self._say(
                "lists",
                "wish",
                place=name_in(spot.names, self._language),
                duration=writing.count(spot.dwell, "minute", self._language),
            )
            for spot in (self._built.nodes[id].spot for id in self._built.wishes)
        ]
        join: str = self._table["form"]["item_join"]
        return join.join(items)

    def _appointment(self, number: int) -> str:
        fixed = self._built.appointments[number]
        return self._piece(
            f"fixed_{fixed.kind}",
            date=writing.date(self._built.plot.days[fixed.day], self._language),
            start=self._time(fixed.start),
            end=self._time(fixed.end),
            place=name_in(self._built.nodes[fixed.node].spot.names, self._language),
        )

    # --- pieces

    def _time(self, minutes: int) -> str:
        return writing.time(clock(minutes), self._language)
