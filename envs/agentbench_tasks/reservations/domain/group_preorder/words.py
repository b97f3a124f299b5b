"""What the user says of a pre-order: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.reservations.domain.group_preorder.chat import FILE


class Words(Speech):
    """The user's sentences in one language.

    Args:
        venue: the house with its branch.
        day: the day of the dinner.
        menu: the set that is wanted.
        title: what the conversation of the group is called.
        gender, draw, language: as in `Speech`.
        known: by topic, what the conversation leaves to the user: the kind of answer, and its slots.
    """

    def __init__(
        self,
        venue: str,
        day: str,
        menu: str,
        title: str,
        gender: str,
        draw: Draw,
        language: str,
        known: dict[str, tuple[str, dict[str, str]]],
    ) -> None:
        super().__init__(FILE, gender, draw, language, venue=venue, menu=menu, title=title)
        self._slots["date"] = writing.date(day, language, self._table["style"]["date"])
        self._known = known

    def request(self) -> str:
        """The whole request: dishes for everybody, what they cost, until when, and a message."""
        self._begin("request")
        return self._join([*map(self._piece, ("open", "chat", "price", "draft")), *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question; what the conversation says is to be read there."""
        kind, slots = self._known.get(topic, (topic, {}))
        return self._say("replies", kind, **slots)
