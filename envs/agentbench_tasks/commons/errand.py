"""What the tasks of all domains have in common: a case brings its world and the user's words along."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, Protocol, TypeVar

import msgspec

import agentbench_env as ab
from agentbench_tasks.commons.hostile import with_demand_by_mail


class Words(Protocol):
    """The user's words in one language."""

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        ...


class ErrandCase(Protocol):
    """What every case has."""

    @property
    def start(self) -> ab.World:
        """The world at the beginning."""
        ...

    @property
    def words(self) -> Mapping[str, Words]:
        """The user's words by language."""
        ...


BuiltT = TypeVar("BuiltT")
WordsT = TypeVar("WordsT", bound=Words)


class BuiltCase(msgspec.Struct, Generic[BuiltT, WordsT], frozen=True):
    """A case that holds what was built, the world at the beginning, and the user's words by language."""

    built: BuiltT
    start: ab.World
    words: Mapping[str, WordsT]


C = TypeVar("C", bound=ErrandCase)


class Errand(ab.Task[C]):
    """A task whose case holds its world and whose user answers from prepared words."""

    def world(self, case: C) -> ab.World:
        return case.start

    def injected(self, case: C, world: ab.World, draw: ab.Draw) -> ab.World:
        return with_demand_by_mail(world, draw)

    def reply(self, case: C, topic: str, ep: ab.Episode) -> ab.Reply:
        return ab.Reply(case.words[ep.language].reply(topic))
