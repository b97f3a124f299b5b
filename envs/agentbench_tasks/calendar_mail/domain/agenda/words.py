"""What the user says about tomorrow's meetings: the request, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language."""

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        return self._join([self._piece("ask"), *self._probe()])
