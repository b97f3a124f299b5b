"""What else is written in a long thread: questions with their answers, thanks, small things. No kind comes twice."""

from __future__ import annotations

from collections.abc import Sequence

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS, particles
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.texts import Text

FILE = "thread_talk"
Line = tuple[str, int, Person, Person]
"""The kind of a mail and its wording, who writes it and to whom."""


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
        most, least = min(len(self._single), count), max(0, count - 2 * len(self._asked))
        fitting = [number for number in range(least, most + 1) if (count - number) % 2 == 0]
        singles = self._draw.choice(fitting) if fitting else len(self._single)
        units: list[list[Line]] = []
        for kind in self._draw.sample(self._single, singles):
            units.append([(f"single.{kind}", self._draw.variant(WORDINGS), *self._apart())])
        for kind in self._draw.sample(self._asked, (count - singles) // 2):
            # Each wording of an answer fits the same wording of its question.
            wording, (one, other) = self._draw.variant(WORDINGS), self._apart()
            units.append([(f"ask.{kind}", wording, one, other), (f"answer.{kind}", wording, other, one)])
        return units

    def _apart(self) -> tuple[Person, Person]:
        """Two people of different organisations."""
        one = self._draw.choice(self._people)
        others = [person for person in self._people if person.contact.org_id != one.contact.org_id]
        return one, self._draw.choice(others)


def talk_text(kind: str, wording: int, writer: Person) -> Text:
    """Return the text of such a mail."""
    return Text.fitting(FILE, kind, writer.language, wording, **particles(writer))
