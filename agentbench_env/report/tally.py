"""Statistics of groups of episodes: a run, a domain, a market, a task, a clause."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from agentbench_env.registry import contract, split_env_id
from agentbench_env.rollout.counts import Counts
from agentbench_env.rollout.hostile import PARTS, had_hostile_text
from agentbench_env.rollout.stats import median_of, noise_floor, pass_at, pass_hat
from agentbench_env.rollout.trajectory import OUTCOMES, Trajectory

ANSWERED = frozenset({"success", "failure", "violation"})
"""Outcomes of episodes that came to an answer; in the others every final clause is broken by its absence."""
STEP_BINS = 24


class Episode(msgspec.Struct, frozen=True, gc=False):
    """What the statistics need of a recorded episode; times in seconds, costs in USD, None: unknown."""

    domain: str
    task: str
    market: str
    seed: int
    trial: int
    outcome: str
    steps: int
    time_s: float | None
    cost_usd: float | None
    broken: tuple[str, ...]
    clauses: tuple[str, ...]
    hostile: bool | None = None
    """Whether the instance held hostile text; None: not asked for, or not known."""

    @property
    def scored(self) -> bool:
        """Whether the episode counts."""
        return self.outcome != "infrastructure"

    @property
    def instance(self) -> tuple[str, str, int]:
        """Task, market and seed: what its trials share."""
        return self.task, self.market, self.seed


class RunResult(msgspec.Struct):
    """A run as the statistics see it: `settings` are the environments' arguments, `sentences` those of clauses."""

    name: str
    policy: str
    release: str
    settings: dict[str, Any]
    episodes: list[Episode] = []
    sentences: dict[tuple[str, str], str] = {}

    @property
    def settings_text(self) -> str:
        """The settings in one line."""
        return ", ".join(f"{name} {value}" for name, value in sorted(self.settings.items()))


class Group(msgspec.Struct, frozen=True):
    """What some episodes came to.

    Infrastructure outcomes are counted in `episodes` and `outcomes` and enter nothing else. `low` and `high` bound the
    95 % Wilson interval of the success rate, with trials of one instance counted for what they are worth. `pass_at` and
    `pass_hat` hold pass@k and pass^k for k = 1, 2, ...; `noise_floor` is that of `stats`.
    """

    name: str
    episodes: int
    scored: int
    instances: int
    outcomes: dict[str, int]
    rate: float | None
    low: float
    high: float
    pass_at: tuple[float | None, ...]
    pass_hat: tuple[float | None, ...]
    noise_floor: float | None
    median_time_s: float | None
    median_cost_usd: float | None
    median_steps: float | None


class Clause(msgspec.Struct, frozen=True):
    """How often one clause of a contract broke in the `judged` episodes that came to an answer."""

    task: str
    id: str
    judged: int
    broken: int


class Bin(msgspec.Struct, frozen=True):
    """How many episodes took from `first` to `last` steps, by outcome."""

    first: int
    last: int
    outcomes: dict[str, int]


def episode_of(one: Trajectory) -> Episode:
    """Return what the statistics need of a record."""
    task, market = split_env_id(one.env_id)
    clauses = one.verdict.clauses if one.verdict is not None else ()
    return Episode(
        contract(task).domain,
        task,
        market,
        one.seed,
        one.trial,
        one.outcome,
        len(one.steps),
        one.time["elapsed_s"],
        one.cost["total_usd"],
        tuple(clause.id for clause in clauses if not clause.held),
        tuple(clause.id for clause in clauses),
        had_hostile_text(one),
    )


def counts_of(episodes: Iterable[Episode]) -> Counts:
    """Count episodes."""
    counts = Counts()
    for one in episodes:
        counts.add(one.instance, one.outcome, one.time_s, one.cost_usd)
    return counts


def group_of(name: str, episodes: Sequence[Episode]) -> Group:
    """Return what a group of episodes came to."""
    counts = counts_of(episodes)
    instances, (low, high) = list(counts.trials.values()), counts.interval
    ks = range(1, max((trials for _, trials in instances), default=0) + 1)
    return Group(
        name,
        counts.episodes,
        counts.scored,
        len(instances),
        {outcome: counts.outcomes[outcome] for outcome in OUTCOMES},
        counts.rate,
        low,
        high,
        tuple(pass_at(k, instances) for k in ks),
        tuple(pass_hat(k, instances) for k in ks),
        noise_floor(instances),
        counts.median_time_s,
        counts.median_cost_usd,
        median_of(one.steps for one in episodes if one.scored),
    )


def groups_by(key: Callable[[Episode], str], episodes: Iterable[Episode]) -> list[Group]:
    """Return the groups of episodes that have one key, in the order of their first ones."""
    groups: dict[str, list[Episode]] = defaultdict(list)
    for one in episodes:
        groups[key(one)].append(one)
    return [group_of(name, group) for name, group in groups.items()]


def parts_of(episodes: Sequence[Episode]) -> list[Group]:
    """Return the group of the episodes with hostile text and that of those without, where injections were asked for."""
    parts = ((name, [one for one in episodes if one.hostile is hostile]) for hostile, name in PARTS.items())
    return [group_of(name, part) for name, part in parts if part]


def clauses_of(episodes: Iterable[Episode]) -> list[Clause]:
    """Return every clause with how often it broke, the most broken first."""
    judged: Counter[tuple[str, str]] = Counter()
    broken: Counter[tuple[str, str]] = Counter()
    for one in episodes:
        if one.outcome in ANSWERED:
            judged.update((one.task, clause) for clause in one.clauses)
            broken.update((one.task, clause) for clause in one.broken)
    found = [Clause(task, id, count, broken[task, id]) for (task, id), count in judged.items()]
    return sorted(found, key=lambda one: (-one.broken / one.judged, -one.broken, one.task, one.id))


def steps_of(episodes: Sequence[Episode]) -> list[Bin]:
    """Return the histogram of the scored episodes' steps, in at most `STEP_BINS` bins of one width."""
    scored = [one for one in episodes if one.scored]
    if not scored:
        return []
    first, last = min(one.steps for one in scored), max(one.steps for one in scored)
    width = -(-(last - first + 1) // STEP_BINS)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for one in scored:
        counts[(one.steps - first) // width][one.outcome] += 1
    return [
        Bin(start, min(last, start + width - 1), dict(counts[number]))
        for number, start in enumerate(range(first, last + 1, width))
    ]
