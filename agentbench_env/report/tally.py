"""Statistics of groups of episodes: a run, a domain, a market, a task, a clause."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from agentbench_env.registry import contract, split_env_id
from agentbench_env.rollout.stats import effective_n, median_of, noise_floor, pass_at, pass_hat, wilson
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
    )


def trials_of(episodes: Iterable[Episode]) -> dict[tuple[str, str, int], tuple[int, int]]:
    """Return (successes, scored trials) of every instance that has a scored one."""
    counts: dict[tuple[str, str, int], tuple[int, int]] = {}
    for one in episodes:
        if one.scored:
            successes, trials = counts.get(one.instance, (0, 0))
            counts[one.instance] = successes + (one.outcome == "success"), trials + 1
    return counts


def group_of(name: str, episodes: Sequence[Episode]) -> Group:
    """Return what a group of episodes came to."""
    scored = [one for one in episodes if one.scored]
    instances = list(trials_of(scored).values())
    successes = sum(count for count, _ in instances)
    rate = successes / len(scored) if scored else None
    n = effective_n(instances)
    low, high = wilson(min(n, (rate or 0.0) * n), n)
    ks = range(1, max((trials for _, trials in instances), default=0) + 1)
    found = Counter(one.outcome for one in episodes)
    return Group(
        name,
        len(episodes),
        len(scored),
        len(instances),
        {outcome: found[outcome] for outcome in OUTCOMES},
        rate,
        low,
        high,
        tuple(pass_at(k, instances) for k in ks),
        tuple(pass_hat(k, instances) for k in ks),
        noise_floor(instances),
        median_of(one.time_s for one in scored),
        median_of(one.cost_usd for one in scored),
        median_of(one.steps for one in scored),
    )


def groups_by(key: Callable[[Episode], str], episodes: Iterable[Episode]) -> list[Group]:
    """Return the groups of episodes that have one key, in the order of their first ones."""
    groups: dict[str, list[Episode]] = defaultdict(list)
    for one in episodes:
        groups[key(one)].append(one)
    return [group_of(name, group) for name, group in groups.items()]


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
