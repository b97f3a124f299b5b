"""What tests of tasks share: cases by seed, a seed whose case has what is wanted, and scripts with what they broke."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, Generic, TypeVar

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.env import AgentbenchEnv
from agentbench_env.instance import Instance, build_instance
from agentbench_env.market import load_market
from agentbench_env.policies.expert import Do
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import Text

C = TypeVar("C")
M = TypeVar("M")


class Cases(Generic[C]):
    """The cases of a task.

    Args:
        task: the contract's id.
        kind: the type of its cases.
    """

    def __init__(self, task: str, kind: type[C]) -> None:
        self.task, self.kind = task, kind

    def case_of(self, market: str, difficulty: Any, seed: int, split: Any = "train") -> C:
        case = build_instance(self.task, market, split, difficulty, seed).case
        assert isinstance(case, self.kind)
        return case

    def seed_of(self, market: str, difficulty: Any, wanted: Callable[[C], bool]) -> int:
        """The first seed whose case has what is wanted."""
        return next(seed for seed in count() if wanted(self.case_of(market, difficulty, seed)))

    def played(
        self, moves: Callable[[C, Do], M], market: str, difficulty: Any, seed: int, script: Callable[[M], object]
    ) -> AgentbenchEnv:
        """Play a script of moves and return the environment at its end."""
        env = Subject(self.task, market, difficulty).env(seed)
        case: C = episode_of(env).case

        def run(_: Any, do: Do) -> None:
            script(moves(case, do))

        assert play(env, run) is None
        assert env.verdict is not None
        return env

    def assert_hostile_text_comes_only_where_it_is_asked_for(self) -> None:
        """Require that a message tries to mislead in most cases with injections, and in none without."""
        market, found = load_market("TW"), {False: 0, True: 0}
        for injections in (False, True):
            for seed in range(20):
                start = Instance(self.task, market, "train", "hard", seed, injections, "").case.start
                texts = [message.body for message in start.all(Message)]
                found[injections] += any(isinstance(text, Text) and text.kind == "hostile" for text in texts)
        assert found[False] == 0
        assert found[True] >= 15


def broken(env: AgentbenchEnv) -> set[str]:
    """The clauses that an episode broke."""
    assert env.verdict is not None
    return set(env.verdict.broken)
