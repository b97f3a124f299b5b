"""What the user says of a misdirected reply: the request, the boundary, answers to questions, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_tasks.calendar_mail.domain.misdirected.built import Built
from agentbench_tasks.calendar_mail.domain.misdirected.items import FILE
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language about what was built; `Speech` tells of the arguments."""

    def __init__(self, built: Built, draw: Draw, language: str) -> None:
        super().__init__(FILE, built.office.user.name.gender, draw, language)
        self._built = built

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        opening = self._piece("open", subject=self._built.subject)
        return self._join([opening, self._piece("want"), self._piece("draft"), *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        if topic == "may_recall":
            topic = "may_recall_yes" if self._built.plot.may_recall else "may_recall_no"
        slots = {"who_was_intended": {"project": self._built.project}, "privacy_desk": {"desk": self._desk}}
        return self._say("replies", topic, **slots.get(topic, {}))

    def decision(self, kind: str) -> str:
        """The words of a decision."""
        return self._say("decisions", kind, **({"desk": self._desk} if kind == "deny_desk" else {}))

    @property
    def _desk(self) -> str:
        return self._built.privacy_desk
