"""An instance: what one (release, task, market, split, difficulty, seed) produces, the same bytes everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from agentbench_env.draw import SPLITS, Draw, Split
from agentbench_env.errors import EnvironmentFault, WrongArgument
from agentbench_env.injections import SHARE
from agentbench_env.market import Market, load_market
from agentbench_env.registry import RELEASE, load_task
from agentbench_env.task import DIFFICULTIES, Brief, Difficulty, Setting, Task, clause_sentences
from agentbench_env.world import World
from agentbench_env.zones import to_local

T = TypeVar("T")
CACHED_INSTANCES = 64
"""Instances kept for environments that run the same seed, as groups of rollouts do."""


class BriefText(msgspec.Struct, frozen=True):
    """The brief as the first observation shows it, and the ids of the records it prints."""

    text: str
    shown: tuple[str, ...]


def key_draw(task_id: str, market: str, split: Split, difficulty: Difficulty, seed: int, salt: str = "") -> Draw:
    """Return the draw that all of an instance follows from."""
    return Draw(RELEASE, task_id, market, split, difficulty, seed, *([salt] if salt else []), split=split)


def is_hostile(draw: Draw, difficulty: Difficulty) -> bool:
    """Whether the instance of a `key_draw` holds hostile text where injections are on."""
    return draw.stream("hostile share").chance(SHARE[difficulty])


class Instance:
    """A drawn instance: its task, case (the goal included) and the world at the beginning, which nobody changes."""

    def __init__(
        self,
        task_id: str,
        market: Market,
        split: Split,
        difficulty: Difficulty,
        seed: int,
        injections: bool = False,
        salt: str = "",
    ) -> None:
        self.task_id, self.seed = task_id, seed
        self.task: Task[Any] = load_task(task_id)
        draw = key_draw(task_id, market.code, split, difficulty, seed, salt)
        self.key = sha256("\x1f".join(map(str, draw.key)).encode()).hexdigest()
        language = draw.stream("language").choice(market.prompt_languages)
        hostile = injections and is_hostile(draw, difficulty)
        self.setting = setting = Setting(market, split, difficulty, language, hostile)
        self.case: Any = self._drawn(lambda: self.task.case(draw, setting))
        self.world: World = self._drawn(lambda: self.task.world(self.case))
        if hostile:
            plain = self.world
            self.world = self._drawn(lambda: self.task.injected(self.case, plain, draw.stream("injected")))
        self.sentences = clause_sentences(type(self.task))

    def __repr__(self) -> str:
        s = self.setting
        return f"{self.task_id}-{s.market.code} (split {s.split}, {s.difficulty}, seed {self.seed})"

    def brief(self, prompt_language: str, boundary_notice: str, limits: Mapping[str, float] | None = None) -> BriefText:
        """Return the first observation's text: the request, the boundary, the limits, time and place, the profile."""
        language = self.setting.language if prompt_language == "local" else "en"
        brief: Brief = self._drawn(lambda: self.task.brief(self.case, language))
        body = {
            "request": brief.request,
            **({"boundary": brief.boundary} if boundary_notice == "stated" else {}),
            **({"limits": limits} if limits else {}),
            "now": {"local": to_local(self.world.now, self.world.zone), "zone": self.world.zone},
            "place": brief.place,
            "language": brief.language,
            "profile": brief.profile,
        }
        return BriefText(msgspec.json.encode(body).decode(), brief.shown)

    def _drawn(self, draw: Callable[[], T]) -> T:
        try:
            return draw()
        except Exception as error:
            raise EnvironmentFault(f"{self} cannot be drawn: {error!r}") from error

    @cached_property
    def digest(self) -> str:
        """SHA-256 over the world at the beginning and the brief."""
        brief = self.brief("local", "stated").text
        return sha256(f"{self.world.digest()}{self.world.now}{brief}".encode()).hexdigest()


@lru_cache(maxsize=CACHED_INSTANCES)
def build_instance(
    task_id: str, market: str, split: Split, difficulty: Difficulty, seed: int, injections: bool = False, salt: str = ""
) -> Instance:
    """Return the instance of a key; raise WrongArgument for a value that a part of the key cannot have."""
    if split not in SPLITS:
        raise WrongArgument("split", split, SPLITS)
    if difficulty not in DIFFICULTIES:
        raise WrongArgument("difficulty", difficulty, DIFFICULTIES)
    if split == "private" and not salt:
        raise ValueError("split 'private' needs a salt: its seeds must not be guessable")
    return Instance(task_id, load_market(market), split, difficulty, seed, injections, salt)
