"""How an episode begins: the request and the boundary in the user's words, and the profile as the papers have it."""

from __future__ import annotations

from typing import Protocol

from agentbench_env.task import Brief
from agentbench_tasks.commons.papers import Paper


class Wording(Protocol):
    """What a brief needs of a task's words."""

    def request(self) -> str:
        """Say what the user wants."""
        ...

    def boundary(self) -> str:
        """Say what the assistant may and may not do."""
        ...


def profile_brief(words: Wording, profile: Paper, place: str, language: str) -> Brief:
    """Return the brief in a language: the request, the boundary, and the profile as the papers have it."""
    return Brief(
        request=words.request(),
        boundary=words.boundary(),
        language=language,
        place=place,
        profile={"paper_id": profile.id, "fields": dict(profile.fields)},
        shown=(profile.id,),
    )
