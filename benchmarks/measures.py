"""What is measured in this process: steps, resets, verdicts, episodes and copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from statistics import median
from typing import Any

import gymnasium as gym

from agentbench_env.instance import build_instance
from agentbench_env.policies.expert import Do, EpisodeOver
from agentbench_env.registry import Contract, contracts, is_built
from agentbench_env.world import Start, World
from agentbench_tasks.commons.notes import NotesSave
from agentbench_tasks.travel.domain.carriers import AirsearchSearchOffers
from agentbench_tasks.travel.domain.records import Offer
from benchmarks.floor import CALL, Floor
from benchmarks.timing import Row, Sizes, alternating, time_rows, timed

SHOWCASE = "ta-two-leg-itinerary"
FIRST_SEED = 1_000
CANDIDATES = 20
BYTES = 2_048
PER_EPISODE = 100
"""Searches that fit into one episode's simulated time."""
BIGGER = 10


def chosen(tasks: Sequence[str]) -> list[Contract]:
    """Return the contracts of these tasks, or all that have a task."""
    known = contracts()
    return [known[task] for task in tasks] or [one for one in known.values() if is_built(one)]


def search() -> tuple[str, int, dict[str, Any]]:
    """Return market, seed and call of a flight search whose result is nearest to 2 kB."""
    found: dict[tuple[str, int, tuple[str, str, str]], int] = {}
    market = next(iter(contracts()[SHOWCASE].markets))
    env = gym.make(f"Agentbench/{SHOWCASE}-{market}", max_steps=10_000)
    for seed in range(FIRST_SEED, FIRST_SEED + CANDIDATES):
        env.reset(seed=seed)
        offers = build_instance(SHOWCASE, market, "train", "standard", seed).world.all(Offer)
        for cities in dict.fromkeys(offer.cities for offer in offers):
            found[market, seed, cities] = abs(len(env.step(_search(cities))[0]["content"]) - BYTES)
    best = min(found, key=lambda key: found[key])
    return best[0], best[1], _search(best[2])


def _search(cities: tuple[str, str, str]) -> dict[str, Any]:
    arguments = {"origin": cities[0], "destination": cities[1], "depart_on": cities[2], "adults": 1}
    return {"tool": AirsearchSearchOffers.name, "arguments": arguments}


def steps(sizes: Sizes) -> list[Row]:
    """The step of a read tool, made by `gym.make` and bare, in a larger world, and late in a long episode."""
    market, seed, call = search()
    made, bare, larger = (gym.make(f"Agentbench/{SHOWCASE}-{market}") for _ in range(3))
    bare, floor, records = bare.unwrapped, Floor(seed), _more_records(market, seed, call)
    columns: list[list[int]] = [[], [], [], []]
    for _ in range(max(1, sizes.steps // PER_EPISODE)):
        for env in (made, bare, larger):
            env.reset(seed=seed)
        _place_in(records, larger)
        works = [partial(floor.step, CALL), *(partial(env.step, call) for env in (made, bare, larger))]
        for column, samples in zip(columns, alternating(works, PER_EPISODE), strict=True):
            column += samples
    content = made.step(call)[0]["content"]
    assert larger.step(call)[0]["content"] == content == bare.step(call)[0]["content"]
    base, with_wrappers, without, in_larger = columns
    early, late = _early_and_late(market, seed, call, sizes.long)
    group, over = "step, read tool", median(in_larger) / median(with_wrappers)
    return [
        Row(group, "size of the result", len(content.encode()) / 1000, "kB"),
        *time_rows(f"{group}, gym.make", with_wrappers, "us", 45, 250, base, 3),
        *time_rows(f"{group}, bare", without, "us", 45, 250, base, 3),
        *time_rows(f"{group}: the floor", base, "us"),
        Row(f"{group}, {BIGGER} x the records", "median over the usual", over, "x", 1.2),
        Row(f"{group}, step {sizes.long:,}", "median over step 10", late / early, "x", 1.2),
    ]


def _more_records(market: str, seed: int, call: dict[str, Any]) -> Start:
    """Return the records of an instance with those of others, without offers that the call would also find."""
    asked = tuple(call["arguments"][key] for key in ("origin", "destination", "depart_on"))
    own = build_instance(SHOWCASE, market, "train", "standard", seed).world.start.records
    records = dict(own)
    for other in count(seed + 1):
        if len(records) >= BIGGER * len(own):
            break
        for record in build_instance(SHOWCASE, market, "train", "standard", other).world.start.records.values():
            if not (isinstance(record, Offer) and record.cities == asked):
                records.setdefault(record.id, record)
    return Start(records.values())


def _place_in(records: Start, env: Any) -> None:
    """Put the episode that has just begun into a world of other records."""
    episode = env.unwrapped._episode
    world: World = episode.world
    episode.world = World(records, world.start_at, world.zone, world.language, world.key, world.settings)


def _early_and_late(market: str, seed: int, call: dict[str, Any], length: int) -> tuple[float, float]:
    """Return the median time of a search early and late in an episode in which every other step writes."""
    # With the virtual clock an episode of this length would run out of its simulated time.
    env = gym.make(f"Agentbench/{SHOWCASE}-{market}", max_steps=2 * length, clock="wall")
    spent = {"usage": {"input_tokens": 900, "output_tokens": 40, "usd": 0.001}}
    note = NotesSave(kind="report", title="n", language="en", body="b").as_action() | spent
    times: list[tuple[float, float]] = []
    for _ in range(3):
        env.reset(seed=seed)
        samples: list[int] = []
        for _ in range(length // 2):
            samples.append(timed(env.step, call))
            assert not env.step(note)[0]["is_error"]
        width = length // 20
        times.append((median(samples[5 : 5 + width]), median(samples[-width:])))
    return min(early for early, _ in times), min(late for _, late in times)


def _environments(task: Contract, sizes: Sizes) -> Iterator[tuple[str, Any, range]]:
    """Yield market, a warm environment and the seeds to take, one market after the other."""
    for env_id, market in zip(task.env_ids, task.markets, strict=True):
        env = gym.make(env_id)
        for seed in range(FIRST_SEED - 3, FIRST_SEED):
            env.reset(seed=seed)
            _solve(env)
        yield market, env, range(FIRST_SEED, FIRST_SEED + sizes.seeds)


def _solve(env: Any) -> None:
    """Let the task's expert finish the episode."""
    episode = env.unwrapped._episode
    with suppress(EpisodeOver):
        episode.task.expert(episode.case, Do(env))


def episodes(sizes: Sizes) -> list[Row]:
    """For every task, in all its markets: reset to a new seed, the expert's whole episode, and the verdict."""
    rows: list[Row] = []
    for task in chosen(sizes.tasks):
        resets: dict[str, list[int]] = {}
        whole: list[int] = []
        verdicts: list[int] = []
        floor_resets: list[int] = []
        floor_whole: list[int] = []
        calls = 0
        for market, env, seeds in _environments(task, sizes):
            for seed in seeds:
                build_instance.cache_clear()
                reset = timed(env.reset, seed=seed)
                whole.append(reset + timed(_solve, env))
                resets.setdefault(market, []).append(reset)
                episode = env.unwrapped._episode
                assert episode.verdict.success
                calls = len(episode.lineage)
                verdicts.append(timed(episode._judge, ""))
                floor_resets.append(timed(Floor, seed))
                floor_whole.append(timed(_floor_episode, seed, calls))
        everywhere = [sample for samples in resets.values() for sample in samples]
        slowest = max(median(samples) for samples in resets.values()) / 1e6
        rows += [
            *time_rows(f"reset to a new seed, {task.id}", everywhere, "ms", 3, 15, floor_resets),
            Row(f"reset to a new seed, {task.id}", "slowest market's median", slowest, "ms"),
            *time_rows(f"expert's episode on a new seed, {task.id}", whole, "ms", 6, None, floor_whole),
            *time_rows(f"verdict, {task.id}", verdicts, "us", 300),
        ]
    return rows


def _floor_episode(seed: int, calls: int) -> None:
    floor = Floor(seed)
    for _ in range(calls):
        floor.step(CALL)


def copies(sizes: Sizes) -> list[Row]:
    """Snapshot, restore and fork at the end of an expert's episode, but for the answer."""
    market = next(iter(contracts()[SHOWCASE].markets))
    env = gym.make(f"Agentbench/{SHOWCASE}-{market}")
    env.reset(seed=FIRST_SEED)
    _solve(_Unfinished(env))
    bare: Any = env.unwrapped
    state = bare.snapshot()
    floor = Floor(FIRST_SEED)
    for _ in range(len(bare.lineage)):
        floor.step(CALL)
    works = [floor.snapshot, bare.snapshot, partial(bare.restore, state), bare.fork]
    base, snapshot, restore, fork = alternating(works, sizes.copies)
    return [
        *time_rows("snapshot", snapshot, "us", 10, None, base),
        *time_rows("restore", restore, "us", 20),
        *time_rows("fork", fork, "us", 60),
    ]


class _Unfinished:
    """Steps an environment up to its answer."""

    def __init__(self, env: Any) -> None:
        self._env = env

    @property
    def unwrapped(self) -> Any:
        return self._env.unwrapped

    def step(self, action: Any) -> Any:
        if action.effect == "finish":
            raise EpisodeOver
        return self._env.step(action)
