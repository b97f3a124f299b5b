"""What proofs report: problems, and how to repeat each with one command."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from agentbench_env.conformance.subject import Subject
from agentbench_env.errors import EnvironmentFault

LONGEST_TRACE = 4000


class Problem(msgspec.Struct, frozen=True):
    """Something that a proof found wrong, at the smallest seed that shows it.

    Args:
        proof: name of the proof.
        env_id: the environment.
        difficulty: its difficulty.
        split: its split.
        seed: the smallest seed that shows the problem.
        message: what is wrong.
        repeat: the shell command that shows it again.
        fault: whether the suite's own code failed.
        seeds: how many of the seeds showed a problem of this proof.
    """

    proof: str
    env_id: str
    difficulty: str
    split: str
    seed: int
    message: str
    repeat: str
    fault: bool = False
    seeds: int = 1

    def __str__(self) -> str:
        place = f"{self.env_id} {self.difficulty} {self.split}"
        return f"{self.proof}: {place}, seed {self.seed} ({self.seeds} in all): {self.message}\n    {self.repeat}"


class Report(msgspec.Struct, frozen=True):
    """Everything that was proved or was not.

    Args:
        problems: what is wrong, in the order of the environments and proofs.
        counts: how many tasks, environments, proofs, checks (proofs times seeds) and problems.
    """

    problems: tuple[Problem, ...]
    counts: dict[str, int]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


class Found(NamedTuple):
    """What a proof saw at a seed."""

    seed: int
    message: str
    fault: bool = False


class Checked(NamedTuple):
    """The outcome of one proof on one environment."""

    checks: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Proof:
    """One thing that must hold of an environment; calling it yields what does not.

    Args:
        name: how the proof is asked for.
        sentence: what it shows.
        look: does it.
        most: how many seeds it takes at most, None for all.
        singly: whether it judges each seed by itself, so that one seed repeats it.
    """

    name: str
    sentence: str
    look: Callable[[Subject, Sequence[int]], Iterator[Found]]
    most: int | None = None
    singly: bool = True

    def __call__(self, subject: Subject, seeds: Sequence[int]) -> Checked:
        """Check an environment on seeds."""
        used = seeds[: self.most]
        try:
            found = list(self.look(subject, used))
        except Exception as error:
            found = [_raised(used[0], error)]
        failing = sorted({one.seed for one in found})
        kept = [one for one in found if not self.singly or one.seed == failing[0]]
        return Checked(len(used), tuple(self._problem(subject, used, one, len(failing)) for one in kept))

    def _problem(self, subject: Subject, seeds: Sequence[int], found: Found, failing: int) -> Problem:
        choice = f"--seed {found.seed}" if self.singly else f"--seeds {_seeds_text(seeds)}"
        where = f"--market {subject.market} --difficulty {subject.difficulty} --split {subject.split}"
        repeat = f"agentbench validate {subject.task_id} {where} {choice} --proof {self.name}"
        kind = (subject.env_id, subject.difficulty, subject.split, found.seed)
        return Problem(self.name, *kind, found.message, repeat, found.fault, failing)


def each_seed(most: int | None = None) -> Callable[[Callable[[Subject, int], Iterator[str]]], Proof]:
    """Make a proof of a function that looks at one seed; its docstring says what it shows."""

    def mark(look: Callable[[Subject, int], Iterator[str]]) -> Proof:
        def over(subject: Subject, seeds: Sequence[int]) -> Iterator[Found]:
            for seed in seeds:
                try:
                    yield from (Found(seed, message) for message in look(subject, seed))
                except Exception as error:
                    yield _raised(seed, error)

        return Proof(look.__name__, _sentence(look), over, most)

    return mark


def over_seeds(look: Callable[[Subject, Sequence[int]], Iterator[Found]]) -> Proof:
    """Make a proof of a function that judges all seeds together."""
    return Proof(look.__name__, _sentence(look), look, singly=False)


def _raised(seed: int, error: Exception) -> Found:
    # Nothing is hidden: what was raised is the problem that is reported, and the other proofs go on.
    trace = "".join(traceback.format_exception(error))[-LONGEST_TRACE:]
    return Found(seed, f"{type(error).__name__} was raised:\n{trace}", isinstance(error, EnvironmentFault))


def _sentence(look: Callable[..., object]) -> str:
    return " ".join((look.__doc__ or "").split())


def _seeds_text(seeds: Sequence[int]) -> str:
    if list(seeds) == list(range(seeds[0], seeds[0] + len(seeds))):
        return f"{seeds[0]}:{seeds[0] + len(seeds)}"
    return ",".join(map(str, seeds))
