"""Workers that are killed in mid-run."""

from __future__ import annotations

import os
import signal
from collections import Counter
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from threading import Timer

import pytest
from commandline import run
from recording import found
from toy import ENV_ID, install_toy

from agentbench_env.policies import load_policy
from agentbench_env.rollout.crew import MOST_DEATHS, share_out
from agentbench_env.rollout.engine import jobs_of, run_jobs
from agentbench_env.rollout.episodes import read_episodes
from agentbench_env.rollout.store import Selection

SEEDS = 12
KILLERS = (3, 8)
COVERED = Selection((ENV_ID,), tuple(range(SEEDS)), {"split": "train", "difficulty": "easy"})


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


class Killer:
    """An expert whose process is killed at two seeds: once each if a folder is named to remember it in, else always."""

    name = "killer"

    def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})
        seed, folder = env.unwrapped.instance_seed, os.environ.get("KILLED")
        if seed in KILLERS and not (folder and (Path(folder) / str(seed)).exists()):
            if folder:
                (Path(folder) / str(seed)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        load_policy("expert").run(env, observation)


def played(workers: int = 2):
    return list(run_jobs(jobs_of(COVERED, f"python:{__name__}:Killer"), workers))


def test_what_a_killed_process_left_is_run_again(monkeypatch, tmp_path):
    for seed in KILLERS:
        (tmp_path / str(seed)).touch()
    monkeypatch.setenv("KILLED", str(tmp_path))
    undisturbed = played(workers=1)
    for seed in KILLERS:
        (tmp_path / str(seed)).unlink()
    assert played() == undisturbed
    assert {path.name for path in tmp_path.iterdir()} == set(map(str, KILLERS))


def test_an_episode_that_kills_every_process_is_outside_the_score(tmp_path):
    rollout = ("rollout", ENV_ID, "--policy", f"python:{__name__}:Killer", "--difficulty", "easy", "--workers", 2)
    result = run(*rollout, "--seeds", f"0:{SEEDS}", "-o", tmp_path / "run", status=1)
    episodes = list(read_episodes(tmp_path / "run"))
    assert [one.seed for one in episodes] == list(range(SEEDS))
    assert [one.seed for one in episodes if not one.scored] == list(KILLERS)
    assert {one.outcome for one in episodes} == {"success", "infrastructure"}
    assert [found(one) for one in episodes] == [[]] * SEEDS
    said = f"the policy's code failed: WorkerDied: {MOST_DEATHS} processes died that ran it"
    assert f"{ENV_ID} seed 3: outside the score, {said}" in result.stderr
    run("verify", tmp_path / "run")


# --- whose death it is


class Death(Exception):
    pass


class Fragile:
    """A worker that soon does its jobs, or is killed by one of them and lets go of all that it has in hand."""

    deaths = (Death,)

    def __init__(self, room: int, fatal: set[int], starts: Counter[int]) -> None:
        self.room, self._fatal, self._starts = room, fatal, starts
        self._hand: dict[int, Future[int]] = {}

    def start(self, job: int) -> Future[int]:
        self._starts[job] += 1
        future = self._hand[job] = Future()
        assert len(self._hand) <= self.room
        Timer(0.01 if job in self._fatal else 0.03, self._end, (job,)).start()
        return future

    def _end(self, job: int) -> None:
        if job in self._fatal:
            for future in self._hand.values():
                future.set_exception(Death(f"killed by {job}"))
            self._hand.clear()
        elif job in self._hand:
            self._hand.pop(job).set_result(job)

    def close(self) -> None:
        self._hand.clear()


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("room", [1, 2, 5])
def test_only_who_kills_is_given_up(room, in_order):
    fatal, starts = {4, 5, 17}, Counter[int]()
    gone = lambda job, death: -job if str(death) == f"killed by {job}" else 1000
    results = list(share_out(range(20), lambda: Fragile(room, fatal, starts), 2, gone, in_order))
    expected = [-job if job in fatal else job for job in range(20)]
    assert (results if in_order else sorted(results, key=abs)) == expected
    assert all(MOST_DEATHS <= starts[job] <= MOST_DEATHS + 2 for job in fatal)
    assert sum(starts.values()) <= 20 + 3 * len(fatal) + 2 * len(fatal) * room


def test_jobs_are_taken_as_results_are():
    taken = count()
    results = share_out((next(taken) for _ in range(1000)), lambda: Fragile(3, set(), Counter()), 2, min, True)
    assert [next(results) for _ in range(10)] == list(range(10))
    assert next(taken) <= 10 + 2 * 3
    results.close()


def test_what_a_job_raises_ends_the_run():
    class Refuses(Fragile):
        def start(self, job: int) -> Future[int]:
            future = Future[int]()
            future.set_exception(LookupError("no such environment"))
            return future

    with pytest.raises(LookupError, match="no such environment"):
        list(share_out(range(3), lambda: Refuses(1, set(), Counter()), 2, min, True))
