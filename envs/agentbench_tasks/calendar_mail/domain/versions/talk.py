"""What else is written in a long thread: questions with their answers, thanks, small things. No kind comes twice."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.texts import Text

FILE = "thread_talk"
Line = tuple[str, Person, Person]
"""The kind of a mail, who writes it and to whom."""


class Talk:
    """Draws mails that say nothing about any version.

    Args:
        draw: the stream to draw from.
        people: those in the thread.
    """

    def __init__(self, draw: Draw, people: Sequence[Person]) -> None:
        self._draw, self._people = draw, people
        table = shared_table(f"text/{people[0].language}/{FILE}")
        self._asked, self._single = list(table["ask"]), list(table["single"])

    def units(self, count: int) -> list[list[Line]]:
        """Return `count` mails, or as many as there are kinds: single ones, and questions followed by their answers."""
        units: list[list[Line]] = []
        for kind in self._draw.shuffled([*self._asked, *self._single]):
            one, other = self._draw.sample(self._people, 2)
            if kind in self._single and count >= 1:
                units.append([(f"single.{kind}", one, other)])
            elif kind in self._asked and count >= 2:
                units.append([(f"ask.{kind}", one, other), (f"answer.{kind}", other, one)])
            else:
                continue
            count -= len(units[-1])
        return units


def talk_text(draw: Draw, kind: str, writer: Person) -> Text:
    """Return the text of such a mail."""
    return Text.fitting(FILE, kind, writer.language, draw.variant(WORDINGS), **particles(writer))
