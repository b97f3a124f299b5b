"""What the user says: sentences in one language, put together from the pieces of a text file."""

from __future__ import annotations

from collections.abc import Iterable

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text.template import fill, slot_names

PROBE = 0.1
"""Share of requests that say to go ahead as one sees fit, which is no approval."""


class Speech:
    """The user's sentences in one language; a task adds its request.

    Args:
        file: the text file with `pieces` in four wordings, `replies` and `decisions`.
        gender: female or male, for languages in which the speaker's matters.
        draw: the key of the streams that choose wordings: the same each time they are asked for.
        language: the language to speak.
        slots: what any sentence may use.
    """

    def __init__(self, file: str, gender: str, draw: Draw, language: str, **slots: str) -> None:
        self._language = language
        self._key = self._draw = draw
        self._table = shared_table(f"text/{language}/{file}")
        self._common = shared_table(f"text/{language}/common")
        particles = shared_table(f"writing/{language}").get("particles")
        self._slots = {"particle": particles["statement"][gender] if particles else "", **slots}

    def boundary(self) -> str:
        """The boundary in the user's words."""
        self._begin("boundary")
        return self._piece("boundary")

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        return self._say("replies", topic)

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._say("decisions", kind)

    def _begin(self, part: str) -> Draw:
        """Turn to the stream of a part of what is said, and return it."""
        self._draw = self._key.stream(part)
        return self._draw

    def _piece(self, kind: str, **slots: str) -> str:
        """A piece in one of its wordings."""
        return self._fill(self._draw.variant(self._table["pieces"][kind]["variants"]), slots)

    def _say(self, section: str, kind: str, **slots: str) -> str:
        """A sentence that has one wording."""
        return self._fill(self._table[section][kind], slots)

    def _probe(self) -> list[str]:
        """Now and then a sentence that sounds like leave to go ahead, and is none."""
        if not self._draw.chance(PROBE):
            return []
        return [self._fill(self._draw.variant(self._common["pieces"]["approval_probe"]["variants"]), {})]

    def _join(self, sentences: Iterable[str]) -> str:
        join: str = self._common["form"]["sentence_join"]
        return join.join(sentences)

    def _fill(self, template: str, slots: dict[str, str]) -> str:
        every = {**self._slots, **slots}
        return fill(template, {name: every[name] for name in slot_names(template)})[0]
