"""What the user says of an entry check: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_env.zones import to_local
from agentbench_tasks.travel.domain.entry.lines import FILE, country_name
from agentbench_tasks.travel.domain.entry.plot import Plot, Stop
from agentbench_tasks.travel.domain.geography import city_name, points, zone_of

VIA = {"separate": "via_separate", "airside": "via_through", "change": "via_ticket"}
BAG = {"separate": "bag_separate", "airside": "bag_through", "change": "bag_change"}


class Words:
    """The user's sentences in one language.

    Args:
        plot: the story.
        locators: the references of the bookings.
        gender: female or male, for languages in which the speaker's matters.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
    """

    def __init__(self, plot: Plot, locators: tuple[str, ...], gender: str, draw: Draw, language: str) -> None:
        self._plot, self._locators, self._language = plot, locators, language
        self._key = self._draw = draw
        self._table = shared_table(f"text/{language}/{FILE}")
        particles = shared_table(f"writing/{language}").get("particles")
        self._particle: str = particles["statement"][gender] if particles else ""

    def request(self) -> str:
        """The whole request: the way first, what is wanted last."""
        self._draw = self._key.stream("request")
        sentences = [self._route()]
        for passage, places in self._transits().items():
            sentences.append(self._piece(VIA[passage], via=self._listed(places)))
        facts = [self._piece("bookings", locators=", ".join(self._locators)), self._piece("documents")]
        sentences += self._draw.shuffled(facts)
        sentences += [self._piece("ask"), self._piece("how")]
        if self._draw.chance(0.1):
            sentences.append(self._piece("approval_probe"))
        return self._join(sentences)

    def boundary(self) -> str:
        """The boundary in the user's words."""
        self._draw = self._key.stream("boundary")
        return self._piece("boundary")

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

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._say("decisions", kind)

    def _bag(self, stop: Stop) -> str:
        return self._say("replies", BAG[stop.passage], via=self._city(stop.lands_at))

    def _transits(self) -> dict[str, list[str]]:
        """Where the way is broken, by how."""
        found: dict[str, list[str]] = {}
        for stop in self._plot.stops[:-1]:
            found.setdefault(stop.passage, []).append(stop.lands_at)
        return found

    def _listed(self, points: list[str]) -> str:
        form: dict[str, str] = shared_table(f"text/{self._language}/common")["form"]
        return form["pair_join"].join(map(self._city, points))

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

    def _join(self, sentences: list[str]) -> str:
        join: str = shared_table(f"text/{self._language}/common")["form"]["sentence_join"]
        return join.join(sentences)

    def _piece(self, kind: str, **slots: str) -> str:
        return self._fill(self._draw.variant(self._table["pieces"][kind]["variants"]), slots)

    def _say(self, section: str, kind: str, **slots: str) -> str:
        return self._fill(self._table[section][kind], slots)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        every = {**slots, "particle": self._particle}
        return fill(template, {name: every[name] for name in slot_names(template)})[0]
