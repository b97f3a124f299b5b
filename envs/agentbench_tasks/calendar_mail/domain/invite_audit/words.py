"""What the user says about an invitation: the request, the boundary, answers, decisions."""

from __future__ import annotations

from agentbench_env.draw import Draw
from agentbench_tasks.calendar_mail.domain.invite_audit.letters import FILE
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.speech import Speech


class Words(Speech):
    """The user's sentences in one language.

    Args:
        topic: the subject of the invitation, as it stands there.
        organiser: who sent it.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, topic: str, organiser: Person, gender: str, draw: Draw, language: str) -> None:
        super().__init__(
            FILE, gender, draw, language, topic=topic, name=organiser.shown_name, org=organiser.contact.organisation
        )

    def request(self) -> str:
        """The whole request: whose invitation, and what to find out."""
        self._begin("request")
        sentences = [self._piece(kind) for kind in ("ask", "stated", "mistakes", "really")]
        return self._join([*sentences, *self._probe()])
