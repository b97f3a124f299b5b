"""What the user says about a stay's true cost: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.stay_cost.plot import Story
from agentbench_tasks.travel.domain.stay_papers import FILE


class Words(Speech):
    """The user's sentences in one language.

    Args:
        story: the story.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, story: Story, gender: str, draw: Draw, language: str) -> None:
        super().__init__(FILE, gender, draw, language)
        self._story = story

    def request(self) -> str:
        """The whole request, the opening first."""
        story, language = self._story, self._language
        self._begin("request")
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
        end = self._probe()
        return self._join([opening, *self._draw.shuffled(middle), *end])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        return self._say("replies", topic, party=self._party(), board=self._board())

    def _party(self) -> str:
        parties, guests = self._table["parties"], self._story.guests
        adults: str = parties[f"adults_{guests.adults}"]
        if not guests.child_ages:
            return adults
        age, *other = map(str, guests.child_ages)
        kind = "two_children" if other else "one_child"
        return self._say("parties", kind, adults=adults, age=age, other_age="".join(other))

    def _board(self) -> str:
        return self._table["boards"][self._story.board]
