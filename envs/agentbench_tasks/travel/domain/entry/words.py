"""What the user says of an entry check: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_env.zones import to_local
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.entry.lines import FILE, country_name
from agentbench_tasks.travel.domain.entry.plot import Plot, Stop
from agentbench_tasks.travel.domain.geography import city_name, points, zone_of

VIA = {"separate": "via_separate", "airside": "via_through", "change": "via_ticket"}
BAG = {"separate": "bag_separate", "airside": "bag_through", "change": "bag_change"}


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        locators: the references of the bookings.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, locators: tuple[str, ...], gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language)
        self._plot, self._locators = plot, locators

    def request(self) -> str:
        """The whole request: the way first, what is wanted last."""
        self._begin("request")
        sentences = [self._route()]
        for passage, places in self._transits().items():
            sentences.append(self._piece(VIA[passage], via=self._listed(places)))
        facts = [self._piece("bookings", locators=", ".join(self._locators)), self._piece("documents")]
        sentences += self._draw.shuffled(facts)
        sentences += [self._piece("ask"), self._piece("how"), *self._probe()]
        return self._join(sentences)

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        plot = self._plot
        if topic == "purpose":
            return self._say("replies", "purpose", purpose=self._table["purposes"][plot.purpose])
        if topic == "second_passport":
            kind = "second_passport_none" if plot.nationality == plot.home.code else "second_passport_card"
            return self._say("replies", kind, home=country_name(plot.home.code, self._language))
        if topic == "bag_recheck":
            said = [self._bag(stop) for stop in plot.stops[:-1]]
            return self._join(said or [self._say("replies", "bag_direct")])
        return self._say("replies", "other")

    def _bag(self, stop: Stop) -> str:
        return self._say("replies", BAG[stop.passage], via=self._city(stop.lands_at))

    def _transits(self) -> dict[str, list[str]]:
        """Where the way is broken, by how."""
        found: dict[str, list[str]] = {}
        for stop in self._plot.stops[:-1]:
            found.setdefault(stop.passage, []).append(stop.lands_at)
        return found

    def _listed(self, points: list[str]) -> str:
        join: str = self._common["form"]["pair_join"]
        return join.join(map(self._city, points))

    def _route(self) -> str:
        plot, first, last = self._plot, self._plot.flights[0], self._plot.stops[-1]
        return self._piece(
            "route",
            origin=self._city(first.start),
            dest=self._city(last.lands_at),
            date=writing.date(to_local(first.departs, zone_of(first.start))[:10], self._language),
            until=writing.date(last.last_day.isoformat(), self._language),
            purpose=self._table["purposes"][plot.purpose],
        )

    def _city(self, point: str) -> str:
        return city_name(points()[point].city, self._language)
