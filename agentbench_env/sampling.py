"""What to train on next: episodes drawn from tasks, difficulties and seeds of one split, the same in every process.

A sampler is an endless iterator of `Sample`s. Its draws depend on its own arguments and on the results that were
reported to it, and on nothing else, and its state is JSON, so that training goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, gcd, inf, log
from typing import Any, NamedTuple

import gymnasium as gym
import msgspec

from agentbench_env.draw import Draw, Split
from agentbench_env.errors import AgentbenchError, WrongArgument
from agentbench_env.registry import NAMESPACE, RELEASE, split_env_id
from agentbench_env.selection import select
from agentbench_env.task import DIFFICULTIES, Difficulty

DRAWN: tuple[Split, ...] = ("train", "dev", "test")
"""The splits that samplers draw from; private seeds belong to those who keep their salt."""
ALL_SEEDS = range(2**31)
"""So many that a training never sees an instance twice but where a group asks for it."""


RANGES = {
    "target": (1e-6, 1 - 1e-6),
    "sharpness": (1e-6, 1e6),
    "explore": (1e-6, 1 - 1e-6),
    "memory": (1.0, 1e9),
    "prior": (1e-9, 1e9),
}
"""What each setting of a curriculum may be. Beyond, weights would be no numbers, or nothing would be explored."""
_SURE = 1 - 2**-53
"""The greatest rate below 1."""


class SamplerFault(AgentbenchError, ValueError):
    """A sampler was asked for what it cannot do: the message says what would be right."""


class Sample(NamedTuple):
    """One episode to be played; `_asdict()` is its JSON form, e.g. a row of a data set."""

    env_id: str
    seed: int
    difficulty: Difficulty
    split: Split
    trial: int
    """Its place in a group of episodes of the same instance, from 0."""

    def make(self, **kwargs: Any) -> gym.Env[dict[str, Any], Any]:
        """Make the environment; `reset(seed=sample.seed)` begins the episode.

        Args:
            kwargs: further arguments of the environment.
        """
        return gym.make(self.env_id, split=self.split, difficulty=self.difficulty, **kwargs)


class Curriculum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prefers the tasks and difficulties whose success rate lies near a target.

    The weight of a rate p is exp(-`sharpness` * KL(target || p)): 1 at the target, nothing at 0 and at 1. With a target
    of 0.5 and a sharpness of 2 it is 4 p (1 - p), the variance of the reward, which is what groups learn from. A rate
    starts at the target, so that whatever is untried is tried, and old results fade.
    """

    target: float = 0.5
    sharpness: float = 4.0
    explore: float = 0.1
    """The share of groups that is drawn evenly, so that what is too hard or mastered today is looked at again."""
    memory: float = 100.0
    """How many of its latest results count for a rate, about."""
    prior: float = 4.0
    """How many results the target itself counts for."""

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if not _is_number(value) or not low <= value <= high:
                raise SamplerFault(f"{name} is {value!r}; it must be a number from {low:g} to {high:g}")

    def weight(self, rate: float) -> float:
        """Return how much a success rate is worth drawing: 1 at the target, less with the distance."""
        return exp(self.log_weight(rate))

    def log_weight(self, rate: float) -> float:
        """Return the weight's logarithm, which is a number of use where the weight itself is too small to be one."""
        if not 0 < rate < 1:
            return -inf
        share = self.target
        won = share * (log(rate) - log(share))
        return self.sharpness * (won + (1 - share) * (log(1 - rate) - log(1 - share)))


class _Cell(msgspec.Struct):
    """An environment at a difficulty: what was drawn of it, and what came back."""

    env_id: str
    difficulty: Difficulty
    drawn: int = 0
    """Groups."""
    results: float = 0.0
    successes: float = 0.0

    def rate(self, curriculum: Curriculum) -> float:
        """The success rate by its latest results, pulled to the target while they are few."""
        prior = curriculum.prior
        rate = (self.successes + prior * curriculum.target) / (self.results + prior)
        # With a prior it is neither 0 nor 1, but may be rounded to one of them.
        return min(max(rate, 1 - _SURE), _SURE)


class _State(msgspec.Struct, forbid_unknown_fields=True):
    """Everything that the next draws depend on."""

    release: str
    split: Split
    seeds: tuple[int, int, int]
    group_size: int
    seed: int
    curriculum: Curriculum | None
    cells: list[_Cell]
    groups: int = 0
    """Groups that were begun."""
    group: tuple[int, int] | None = None
    """Cell and instance seed of the group that is being yielded."""
    trial: int = 0
    """Of the next sample."""

    def __post_init__(self) -> None:
        """Refuse what no sampler can draw from, whether it was asked for or is read back."""
        if self.split not in DRAWN:
            raise WrongArgument("split", self.split, DRAWN)
        seeds = range(*self.seeds)
        if not seeds or min(seeds[0], seeds[-1]) < 0:
            raise SamplerFault(f"seeds is {seeds!r}; it must hold whole numbers from 0, e.g. range(200)")
        if type(self.group_size) is not int or self.group_size < 1:
            raise SamplerFault(f"group_size is {self.group_size!r}; it must be a whole number from 1")
        keys = {(cell.env_id, cell.difficulty) for cell in self.cells}
        if not keys or len(keys) < len(self.cells):
            raise SamplerFault("cells must be at least one, each environment once at each difficulty")
        for cell in self.cells:
            if cell.drawn < 0 or not 0 <= cell.successes <= cell.results < inf:
                raise SamplerFault(f"{cell} counts what cannot be: groups below 0, or successes without their results")
        if self.groups < 0 or (self.group is None) != (self.trial == 0) or self.trial not in range(self.group_size):
            raise SamplerFault(f"trial {self.trial} of group {self.group} is none of {self.groups} groups begun")
        if self.group is not None and (self.group[0] not in range(len(self.cells)) or self.group[1] not in seeds):
            raise SamplerFault(f"group {self.group} names a cell or a seed that there is not")


class TaskSampler(Iterator[Sample]):
    """Draws episodes without end: `for sample in sampler`, `next(sampler)` or `itertools.islice(sampler, 64)`.

    Without a curriculum every environment at every difficulty comes once, in a drawn order, before any comes again.
    Each goes through the seeds in an order of its own and repeats none before it has been through them all.

    Args:
        ids: tasks or environments, also with `*` and `?`; everything that is built if nothing is named here or next.
        domains: only these, by prefix or package.
        markets: only these, by code.
        difficulties: which to draw from.
        split: `train`, `dev` or `test`: the only one whose instances are yielded. Instances of different splits share
            neither key nor pools, whatever their seeds.
        seeds: the instances' seeds, e.g. `range(200)` for a fixed set to evaluate on.
        group_size: how often each instance is yielded in a row.
        seed: of the draws themselves.
        curriculum: what `report` moves the draws to; None: reports are refused, draws are even.

    Raises:
        WrongArgument: an id, domain, market, difficulty or split that does not exist.
        TaskNotBuilt: a contract that is named but not built.
        SamplerFault: no seeds, or a group of no size.
    """

    def __init__(
        self,
        ids: str | Sequence[str] | None = None,
        *,
        domains: Sequence[str] = (),
        markets: Sequence[str] = (),
        difficulties: Sequence[Difficulty] = ("standard",),
        split: Split = "train",
        seeds: range = ALL_SEEDS,
        group_size: int = 1,
        seed: int = 0,
        curriculum: Curriculum | None = None,
    ) -> None:
        for difficulty in difficulties:
            if difficulty not in DIFFICULTIES:
                raise WrongArgument("difficulty", difficulty, DIFFICULTIES)
        if not difficulties:
            raise SamplerFault(f"difficulties is empty; it must name some of: {', '.join(DIFFICULTIES)}")
        named = [ids] if isinstance(ids, str) else ids
        env_ids = select(named or (None if domains or markets else ["*"]), domains, markets)
        cells = [_Cell(env_id, difficulty) for env_id in env_ids for difficulty in dict.fromkeys(difficulties)]
        bounds = seeds.start, seeds.stop, seeds.step
        self._adopt(_State(RELEASE, split, bounds, group_size, seed, curriculum, cells))

    def __iter__(self) -> TaskSampler:
        return self

    def __next__(self) -> Sample:
        state = self._state
        if state.group is None:
            state.group = self._begin_group()
        place, seed = state.group
        cell = state.cells[place]
        sample = Sample(cell.env_id, seed, cell.difficulty, state.split, state.trial)
        state.trial = (state.trial + 1) % state.group_size
        if not state.trial:
            state.group = None
        return sample

    def report(self, sample: Sample, reward: float) -> None:
        """Tell the result of an episode, in any order and at any time; what is never told counts for nothing.

        Args:
            sample: what was played.
            reward: of the episode, 0 to 1. Faults of code or of an endpoint are no results: leave them out.

        Raises:
            SamplerFault: the sampler has no curriculum, never yields such a sample, or the reward is none.
        """
        curriculum = self._state.curriculum
        if curriculum is None:
            raise SamplerFault(
                "this sampler draws evenly; TaskSampler(..., curriculum=Curriculum()) learns from reports"
            )
        key = sample.env_id, sample.difficulty
        if key not in self._places or sample.split != self._state.split:
            raise SamplerFault(f"{sample} is none of this sampler's ({self._state.split}, {len(self._places)} cells)")
        if not 0 <= reward <= 1:
            raise SamplerFault(f"reward is {reward!r}; it must be from 0 to 1")
        cell = self._state.cells[self._places[key]]
        kept = 1 - 1 / curriculum.memory
        cell.results = kept * cell.results + 1
        cell.successes = kept * cell.successes + reward

    def rates(self) -> dict[tuple[str, Difficulty], float | None]:
        """Return the success rate of every environment and difficulty by its latest results, None without any."""
        return {
            (cell.env_id, cell.difficulty): cell.successes / cell.results if cell.results else None
            for cell in self._state.cells
        }

    def weights(self) -> dict[tuple[str, Difficulty], float]:
        """Return the probability with which the next group is of an environment and difficulty; without a curriculum,
        that over a whole round."""
        cells, curriculum = self._state.cells, self._state.curriculum
        if curriculum is None:
            return {(cell.env_id, cell.difficulty): 1 / len(cells) for cell in cells}
        logs = [curriculum.log_weight(cell.rate(curriculum)) for cell in cells]
        # Beside the greatest, so that however small they all are, one is 1.
        wanted = [exp(one - max(logs)) for one in logs]
        total, even = sum(wanted), curriculum.explore / len(cells)
        return {
            (cell.env_id, cell.difficulty): even + (1 - curriculum.explore) * want / total
            for cell, want in zip(cells, wanted, strict=True)
        }

    def state(self) -> dict[str, Any]:
        """Return all that the next draws depend on, as JSON values."""
        return msgspec.to_builtins(self._state)

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> TaskSampler:
        """Return a sampler that goes on where another one stood.

        Raises:
            SamplerFault: the state is none, or one that no sampler can be in, or of another release, whose seeds give
                other instances.
            WrongArgument: an environment that does not exist.
            TaskNotBuilt: one that is not built.
        """
        try:
            kept = msgspec.convert(state, _State)
        except msgspec.ValidationError as error:
            raise SamplerFault(f"this is no state of a sampler: {error}") from error
        if kept.release != RELEASE:
            raise SamplerFault(
                f"the state is of release {kept.release}, and this is {RELEASE}: its seeds give other instances here; "
                "begin a new sampler"
            )
        for cell in kept.cells:
            split_env_id(cell.env_id)
        select([cell.env_id for cell in kept.cells], (), ())
        sampler = cls.__new__(cls)
        sampler._adopt(kept)
        return sampler

    def _adopt(self, state: _State) -> None:
        self._state = state
        self._places = {(cell.env_id, cell.difficulty): place for place, cell in enumerate(state.cells)}

    def _begin_group(self) -> tuple[int, int]:
        state = self._state
        place = self._next_cell()
        cell = state.cells[place]
        seeds = range(*state.seeds)
        walk = _walk(
            len(seeds), str(state.seed), cell.env_id.removeprefix(f"{NAMESPACE}/"), cell.difficulty, state.split
        )
        seed = seeds[walk.place(cell.drawn)]
        cell.drawn += 1
        state.groups += 1
        return place, seed

    def _next_cell(self) -> int:
        state = self._state
        count = len(state.cells)
        if state.curriculum is None:
            round, place = divmod(state.groups, count)
            return _order(count, state.seed, round)[place]
        draw = Draw("sampler", state.seed, state.groups)
        return self._places[draw.weighted(self.weights())]


class _Walk(NamedTuple):
    """An order of the numbers below `size`, by steps of one length around a circle: it needs no memory."""

    size: int
    first: int
    step: int

    def place(self, number: int) -> int:
        """Return the number-th, counted on after a whole round."""
        return (self.first + number * self.step) % self.size


@lru_cache(maxsize=4096)
def _walk(count: int, *key: str) -> _Walk:
    draw = Draw("sampler", "seeds", *key)
    step = draw.int(1, count)
    while gcd(step, count) > 1:
        step = draw.int(1, count)
    return _Walk(count, draw.int(0, count - 1), step)


@lru_cache(maxsize=64)
def _order(count: int, seed: int, round: int) -> list[int]:
    return Draw("sampler", "order", seed, round).shuffled(range(count))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
