"""What the user says about a stay's true cost: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.template import fill, slot_names
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.stay_cost.plot import Story
from agentbench_tasks.travel.domain.stay_papers import FILE


class Words:
    """The user's sentences in one language.

    Args:
        story: the story.
        gender: female or male, for languages in which the speaker's matters.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
    """

    def __init__(self, story: Story, gender: str, draw: Draw, language: str) -> None:
        self._story, self._language = story, language
        self._key = self._draw = draw
        self._table = shared_table(f"text/{language}/{FILE}")
        particles = shared_table(f"writing/{language}").get("particles")
        self._particle: str = particles["statement"][gender] if particles else ""

    def request(self) -> str:
        """The whole request, the opening first."""
        story, language = self._story, self._language
        self._draw = self._key.stream("request")
        opening = self._piece(
            "open",
            house=name_in(story.house.record.names, language),
            city=name_in(story.city.names, language),
            room=name_in(story.room.names, language),
            party=self._party(),
            nights=writing.count(story.count, "night", language),
            checkin=writing.date(story.first.isoformat(), language),
        )
        direct = story.channel.kind == "direct"
        middle = [
            self._piece("channel_direct") if direct else self._piece("channel", channel=story.channel.names[0][1]),
            self._piece("scope"),
            self._piece("cash"),
            self._piece("purpose"),
        ]
        if story.board_said:
            middle.append(self._piece("board", board=self._board()))
        end = [self._piece("approval_probe")] if self._draw.chance(0.1) else []
        join: str = shared_table(f"text/{language}/common")["form"]["sentence_join"]
        return join.join([opening, *self._draw.shuffled(middle), *end])

    def boundary(self) -> str:
        """The boundary in the user's words."""
        self._draw = self._key.stream("boundary")
        return self._piece("boundary")

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        return self._fill(self._table["replies"][topic], {"party": self._party(), "board": self._board()})

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._fill(self._table["decisions"][kind], {})

    def _piece(self, kind: str, **slots: str) -> str:
        return self._fill(self._draw.variant(self._table["pieces"][kind]["variants"]), slots)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        every = {**slots, "particle": self._particle}
        return fill(template, {name: every[name] for name in slot_names(template)})[0]

    def _party(self) -> str:
        parties, guests = self._table["parties"], self._story.guests
        adults: str = parties[f"adults_{guests.adults}"]
        if not guests.child_ages:
            return adults
        age, *other = map(str, guests.child_ages)
        kind = "two_children" if other else "one_child"
        return self._fill(parties[kind], {"adults": adults, "age": age, "other_age": "".join(other)})

    def _board(self) -> str:
        return self._table["boards"][self._story.board]
