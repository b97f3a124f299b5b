"""What a task is: the code of one contract, written in one file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, overload

import msgspec
from pydantic import Field, create_model

from agentbench_env.approval import Decision, Proposal
from agentbench_env.boundary import Policy
from agentbench_env.draw import Draw, Split
from agentbench_env.market import Market
from agentbench_env.tool import Effect, Tool
from agentbench_env.user import Reply, UserAsk, UserRequestApproval
from agentbench_env.verdict import Finding
from agentbench_env.world import World

if TYPE_CHECKING:
    from agentbench_env.episode import Call, Episode
    from agentbench_env.policies.expert import Do

Difficulty = Literal["easy", "standard", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "standard", "hard")
C = TypeVar("C")
F = TypeVar("F", bound=Callable[..., Any])


class Setting(msgspec.Struct, frozen=True):
    """What an instance is drawn for."""

    market: Market
    split: Split
    difficulty: Difficulty
    language: str
    """The user's own language, in which the world's providers speak to them."""
    injections: bool = False
    """Whether this instance has hostile text in its providers' content."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that a prompt may be in: the user's own and English."""
        return tuple(dict.fromkeys((self.language, "en")))


class Brief(msgspec.Struct, frozen=True):
    """What the assistant is told first.

    Args:
        request: the request in the user's own words.
        boundary: one or two sentences in the user's words on what is free, what needs a yes, and what must never be.
        language: language code of the request.
        place: the user's place as a person names it.
        profile: the user's profile as the papers have it.
        shown: ids of the records that the brief prints.
    """

    request: str
    boundary: str
    language: str
    place: str
    profile: dict[str, Any]
    shown: tuple[str, ...] = ()


class Delivered(msgspec.Struct, frozen=True):
    """What `task_finish` returns."""

    status: str


class Answer(Tool):
    """Deliver the answer. This ends the episode."""

    name: ClassVar[str] = "task_finish"
    effect: ClassVar[Effect] = "finish"
    latency_s: ClassVar[float] = 0.0

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Keep the name, whatever a task calls its class."""
        cls.name = Answer.name
        super().__pydantic_init_subclass__(**kwargs)

    def run(self, call: Call) -> Delivered:
        call.episode.deliver(self)
        return Delivered("delivered")


def final(clause: str) -> Callable[[F], F]:
    """Mark a method as the check of one final-state clause; its docstring is the clause's sentence."""
    return _marker("_final", clause)


def another_way(method: F) -> F:
    """Mark a scripted policy as another right way to solve the task."""
    method._another_way = True  # type: ignore[attr-defined]
    return method


def counterexample(*clauses: str, applies: Callable[[Any], bool] | None = None) -> Callable[[F], F]:
    """Mark a scripted policy that breaks exactly `clauses`; `applies(case)` says on which instances it can."""

    def mark(method: F) -> F:
        method._counterexample = (clauses, applies or _always)  # type: ignore[attr-defined]
        return method

    return mark


@overload
def shortcut(method: F) -> F: ...
@overload
def shortcut(*, ceiling: float) -> Callable[[F], F]: ...
def shortcut(method: F | None = None, *, ceiling: float = 0.01) -> F | Callable[[F], F]:
    """Mark a scripted policy that guesses; over many seeds it may succeed in a share `ceiling` of the episodes."""

    def mark(method: F) -> F:
        method._shortcut = ceiling  # type: ignore[attr-defined]
        return method

    return mark if method is None else mark(method)


def _always(case: Any) -> bool:
    return True


def _marker(attribute: str, value: str) -> Callable[[F], F]:
    def mark(method: F) -> F:
        if not (method.__doc__ or "").strip():
            raise TypeError(f"{method.__name__} needs a docstring: it is the sentence of {value}")
        setattr(method, attribute, value)
        return method

    return mark


class Task(Generic[C]):
    """One contract: how an instance is drawn, what must hold, a solution, and near misses.

    The class docstring is the contract's title. `C` is the type of the case: everything that an instance fixes, the
    goal included.
    """

    tools: ClassVar[tuple[type[Tool], ...]]
    """The tools of the domain and the commons that are mounted, the dangerous ones included."""
    boundary: ClassVar[tuple[Policy, ...]]
    topics: ClassVar[dict[str, str]] = {}
    """What the user can be asked about: topic -> what it means."""
    Answer: ClassVar[type[Answer]]
    max_steps: ClassVar[int] = 150
    """The larger of 60 and five times what the expert needs."""
    planned_refusals: ClassVar[frozenset[str]] = frozenset()
    """Codes of errors that the world plans for whoever does everything right, e.g. a fare gone at the hold."""
    optional_writes: ClassVar[frozenset[str]] = frozenset()
    """Names of tools that change something and may still be left out by a right solution."""

    finals: ClassVar[dict[str, Callable[..., Finding]]]
    other_ways: ClassVar[dict[str, Callable[..., None]]]
    counterexamples: ClassVar[dict[str, tuple[Callable[..., None], tuple[str, ...], Callable[[Any], bool]]]]
    shortcuts: ClassVar[dict[str, tuple[Callable[..., None], float]]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        methods = {name: value for base in reversed(cls.__mro__) for name, value in vars(base).items()}
        cls.finals = {m._final: m for m in methods.values() if hasattr(m, "_final")}
        cls.other_ways = {name: m for name, m in methods.items() if hasattr(m, "_another_way")}
        cls.counterexamples = {
            name: (m, *m._counterexample) for name, m in methods.items() if hasattr(m, "_counterexample")
        }
        cls.shortcuts = {name: (m, m._shortcut) for name, m in methods.items() if hasattr(m, "_shortcut")}

    def case(self, draw: Draw, setting: Setting) -> C:
        """Draw everything that the instance fixes and prove that its right outcome is unique."""
        raise NotImplementedError

    def world(self, case: C) -> World:
        """Return the world at the beginning."""
        raise NotImplementedError

    def injected(self, case: C, world: World, draw: Draw) -> World:
        """Return the world of an instance with hostile text, with what the text asks for (`injections.Bait`)."""
        return world

    def brief(self, case: C, language: str) -> Brief:
        """Say in `language` what the assistant is told."""
        raise NotImplementedError

    def wishes(self, case: C, call: Tool, ep: Episode) -> Decision:
        """Decide as this user would on a proposed call."""
        raise NotImplementedError

    def reply(self, case: C, topic: str, ep: Episode) -> Reply:
        """Answer as this user would to a question about `topic`."""
        raise NotImplementedError

    def expert(self, case: C, do: Do) -> None:
        """Solve the instance through the tools alone."""
        raise NotImplementedError


class TaskScript:
    """The task's own user in one episode (see `user.Script`)."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    @property
    def brief(self) -> str:
        """The brief as the assistant reads it."""
        return self._episode.lineage.content(-1)

    def decide(self, proposal: Proposal) -> Decision:
        """Decide by the task's wishes."""
        episode = self._episode
        call = episode.read_call({"tool": proposal.tool, "arguments": dict(proposal.arguments)})
        return episode.task.wishes(episode.case, call, episode)

    def reply(self, topic: str, question: str) -> Reply:
        """Answer by the task's rules."""
        return self._episode.task.reply(self._episode.case, topic, self._episode)


@cache
def mounted_tools(task: type[Task[Any]]) -> dict[str, type[Tool]]:
    """Return every tool of a task by name: its own, the user's two and `task_finish`."""
    topics = {**task.topics, "other": "anything else"}
    meanings = "; ".join(f"{topic}: {meaning}" for topic, meaning in topics.items())
    topic: Any = (Literal[tuple(topics)], Field(description=f"What the question is about. {meanings}."))
    ask = create_model("UserAsk", __base__=UserAsk, __doc__=UserAsk.__doc__, topic=topic)
    tools: Sequence[type[Tool]] = (*task.tools, ask, UserRequestApproval, task.Answer)
    by_name = {tool.name: tool for tool in tools}
    if len(by_name) != len(tools):
        raise TypeError(f"{task.__name__} mounts two tools of one name")
    return by_name


@cache
def clause_sentences(task: type[Task[Any]]) -> dict[str, str]:
    """Return the contract's clauses, final ones first: id -> sentence."""
    sentences = {clause: " ".join((check.__doc__ or "").split()) for clause, check in task.finals.items()}
    return sentences | {policy.clause: policy.sentence for policy in task.boundary}
