"""What the user says about a thread and its file: the request, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_tasks.calendar_mail.domain.matters import Matter, noun_of
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language.

    Args:
        matter: what the thread is about.
        my_date: whether the user speaks of their own date.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, matter: Matter, my_date: bool, gender: str, draw: Draw, language: str) -> None:
        super().__init__(
            "latest_file", gender, draw, language, thread=matter.subject, noun=noun_of(matter.key, language)
        )
        self._my_date = my_date

    def request(self) -> str:
        """The whole request: which thread and document, and what to find out."""
        self._begin("request")
        sentences = [self._piece("ask"), self._piece("want")]
        if self._my_date:
            sentences.append(self._piece("my_date"))
        return self._join([*sentences, *self._probe()])
