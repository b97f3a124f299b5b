"""What the user says of an audit: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_env.text import render as writing
from agentbench_tasks.calendar_mail.domain.commitments.plot import FILE, Plot
from agentbench_tasks.commons.speech import Speech

RULES = ("rule_agreed", "rule_condition", "rule_handed", "rule_closed", "rule_moved", "rule_undated", "rule_both")


class Words(Speech):
    """The user's sentences in one language.

    Args:
        plot: the story.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, plot: Plot, gender: str, draw: Draw, language: str) -> None:
        day = writing.date(plot.since, language)
        super().__init__(FILE, gender, draw, language, project=plot.projects[0], date=day)

    def request(self) -> str:
        """The whole request: which mail, what to list, and what counts."""
        self._begin("request")
        first = [self._piece("scope"), self._piece("want")]
        return self._join([*first, self._rules(), self._piece("done")])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        if topic == "counting_rules":
            self._begin("rules")
            return self._join([self._rules(), super().reply("other")])
        return super().reply(topic)

    def _rules(self) -> str:
        return self._join(self._piece(rule) for rule in RULES)
