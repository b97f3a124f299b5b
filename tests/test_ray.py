"""The Ray engine in a real cluster on this machine: run with -m ray."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from time import monotonic, sleep

import pytest
from chat_kit import FINISH
from fake_endpoint import calls, endpoint
from toy import ENV_ID, install_toy

from agentbench_env.errors import ClusterFault
from agentbench_env.policies import load_policy
from agentbench_env.policies.chat_options import chat_spec
from agentbench_env.rollout import Trajectory
from agentbench_env.rollout.concurrent import run_waiting
from agentbench_env.rollout.crew import MOST_DEATHS
from agentbench_env.rollout.engine import Job, jobs_of, run_jobs
from agentbench_env.rollout.episodes import read_episodes
from agentbench_env.rollout.ray import cluster, run_on_ray
from agentbench_env.rollout.store import Selection
from agentbench_env.rollout.verification import verify_run

pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(find_spec("ray") is None, reason="the Ray engine needs the extra agentbench-env[ray]"),
]

COVERED = Selection((ENV_ID,), tuple(range(10)), {"split": "train", "difficulty": "easy"}, trials=2)


@pytest.fixture(scope="module")
def pids(tmp_path_factory) -> Path:
    """A file that processes of the cluster write their ids to."""
    file = tmp_path_factory.mktemp("ray") / "pids"
    os.environ["PIDS"] = str(file)
    return file


@pytest.fixture(scope="module", autouse=True)
def address(pids) -> Iterator[str]:
    """A cluster that this process has joined; its processes inherit what is installed here."""
    install_toy()
    with cluster("local") as ray:
        yield ray.get_runtime_context().gcs_address


class Slow:
    """An expert that takes its time and says which process it is in."""

    name = "slow"

    def run(self, env, observation):
        with Path(os.environ["PIDS"]).open("a") as file:
            file.write(f"{os.getpid()}\n")
        sleep(0.1)
        load_policy("expert").run(env, observation)


class Waits:
    """A policy that waits and reports nothing that the clock decides."""

    name = "waits"

    async def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})
        env.step({"tool": FINISH[0], "arguments": FINISH[1]})


SLOW, WAITS, KILLER = f"python:{__name__}:Slow", f"python:{__name__}:Waits", "python:test_crew:Killer"


def digests(episodes) -> list[str]:
    return sorted(one.digest for one in episodes)


def local(policy: str) -> list[Trajectory]:
    return list(run_jobs(jobs_of(COVERED, policy)))


@pytest.mark.parametrize("workers", [1, 2])
def test_the_records_are_those_of_the_local_engine(workers):
    for policy in ("expert", "random"):
        assert digests(run_on_ray(jobs_of(COVERED, policy), workers=workers)) == digests(local(policy))


def test_records_come_while_jobs_are_left():
    taken = count()
    jobs = (Job(ENV_ID, next(taken), 0, {}, "expert") for _ in range(10_000))
    results = run_on_ray(jobs, workers=2)
    assert len({next(results).seed for _ in range(8)}) == 8
    assert next(taken) < 20
    results.close()


def test_what_a_killed_process_had_in_hand_is_run_again(pids):
    results = run_on_ray(jobs_of(COVERED, SLOW), workers=2)
    episodes = [next(results) for _ in range(4)]
    killed = int(pids.read_text().split()[-1])
    os.kill(killed, signal.SIGKILL)
    episodes += results
    assert [one.key for one in sorted(episodes, key=lambda one: one.key)] == list(COVERED.episodes())
    assert digests(episodes) == digests(local(SLOW))
    assert pids.read_text().split()[-1] != str(killed)


def test_an_episode_that_kills_every_process_is_outside_the_score():
    jobs = [Job(ENV_ID, seed, 0, {"difficulty": "easy"}, KILLER) for seed in (2, 3, 4)]
    two, three, four = sorted(run_on_ray(jobs, workers=1), key=lambda one: one.seed)
    assert (two.outcome, three.outcome, four.outcome) == ("success", "infrastructure", "success")
    assert three.failure is not None
    assert three.failure.message.startswith(f"WorkerDied: {MOST_DEATHS} processes died that ran it")


def test_policies_that_wait_have_many_episodes_in_flight_in_each_process():
    expected = digests(run_waiting(jobs_of(COVERED, WAITS), load_policy(WAITS), 4))
    assert digests(run_on_ray(jobs_of(COVERED, WAITS), 3, workers=2)) == expected
    finish = calls(FINISH)
    with endpoint(lambda request: finish._replace(stall_s=0.3)) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url, "api_key_env": ""})
        episodes = list(run_on_ray(jobs_of(COVERED, spec), 4, workers=1))
    assert sorted(one.key for one in episodes) == list(COVERED.episodes())
    assert {one.outcome for one in episodes} <= {"success", "failure"}
    assert 2 < fake.most_at_once <= 4


# --- the command


def rollout(*arguments) -> list[str]:
    agentbench = Path(sys.executable).with_name("agentbench")
    command = (agentbench, "rollout", ENV_ID, "--difficulty", "easy", "--seeds", "0:30")
    return [*map(str, (*command, "--policy", SLOW, *arguments))]


def wait_for_lines(directory: Path, number: int) -> None:
    deadline = monotonic() + 120
    while sum(len(shard.read_bytes().splitlines()) for shard in directory.glob("episodes-*")) < number:
        assert monotonic() < deadline
        sleep(0.05)


@pytest.mark.parametrize(("how", "status"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_run_that_is_stopped_goes_on_with_either_engine(how, status, address, tmp_path):
    on_ray = ("--engine", "ray", "--ray-address", address, "--workers", 2, "-o", tmp_path)
    driver = subprocess.Popen(rollout(*on_ray), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    wait_for_lines(tmp_path, 5)
    os.killpg(driver.pid, how)
    _, errors = driver.communicate(timeout=60)
    assert driver.returncode == status
    assert how == signal.SIGKILL or re.fullmatch(
        rb"agentbench: stopped after \d+ of 30 episodes: interrupted; .*\n", errors
    )
    assert 0 < len(list(read_episodes(tmp_path))) < 30
    rest = on_ray if how == signal.SIGKILL else ("-o", tmp_path)
    subprocess.run(rollout(*rest, "--resume"), check=True, capture_output=True)
    assert sorted(one.seed for one in read_episodes(tmp_path)) == list(range(30))
    assert verify_run(tmp_path).verified


def test_a_cluster_of_its_own_is_quiet_and_leaves_nothing_behind(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    own = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")} | {"HOME": str(home)}
    command = rollout("--engine", "ray", "--json", "--policy", KILLER, "--seeds", "0:6")
    done = subprocess.run(command, env=own, capture_output=True, text=True)
    total = json.loads(done.stdout)["total"]
    assert (done.returncode, total["success"], total["infrastructure"]) == (1, 5, 1)
    assert done.stderr.startswith(f"agentbench: {ENV_ID} seed 3: outside the score, ")
    assert (done.stderr.count("\n"), list(home.iterdir())) == (1, [])


@pytest.mark.parametrize("nowhere", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:x"])
def test_a_cluster_that_is_not_there_is_said_at_once(nowhere, monkeypatch):
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    with pytest.raises(ClusterFault, match=f"^Ray could not join the cluster at {nowhere}: "):
        list(run_on_ray(jobs_of(COVERED, "expert"), address=nowhere))


def test_a_machine_with_another_release_is_refused(monkeypatch):
    monkeypatch.setattr("agentbench_env.rollout.ray.RELEASE", "1999.1")
    with pytest.raises(ClusterFault, match=r"a machine of the cluster has .* and the run is of .*1999\.1"):
        list(run_on_ray(jobs_of(COVERED, "expert"), workers=1))
