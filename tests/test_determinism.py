"""The same seed gives the same bytes: in every process, language and time zone, alone and among a thousand others."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from golden_digests import BUILT, FOLDER, everything_seen, file_of, golden
from showcase import MARKETS, TASK_ID, core, episode, make

from agentbench_env.instance import build_instance
from agentbench_env.task import DIFFICULTIES

SURROUNDINGS = [
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LANG": "C", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LANG": "th_TH.UTF-8", "LC_ALL": "th_TH.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/New_York", "LANG": "C", "LC_ALL": "C"},
]
WORKER = "import json; from golden_digests import *; print(json.dumps([everything_seen({0!r}), golden({0!r})]))"


@pytest.mark.parametrize("surroundings", SURROUNDINGS, ids=lambda one: one["TZ"])
def test_surroundings_make_no_difference(surroundings):
    paths = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WORKER.format(TASK_ID)],
        capture_output=True,
        text=True,
        env={**os.environ, **surroundings, **paths},
        check=True,
    )
    assert json.loads(done.stdout) == [everything_seen(TASK_ID), golden(TASK_ID)]


@pytest.mark.parametrize("task_id", BUILT)
def test_golden_digests(task_id):
    """A difference here is a change of instances or verdicts: raise the release, or undo it."""
    assert json.loads(file_of(task_id).read_text()) == golden(task_id), "see golden_digests.py"


def test_every_golden_file_is_of_a_built_contract():
    assert {file.stem for file in FOLDER.glob("*.json")} == set(BUILT)


def test_golden_experts_earn_one():
    for task_id in BUILT:
        marks = json.loads(file_of(task_id).read_text()).values()
        assert {reward for _, _, reward in marks} == {1.0}
        assert len({instance for instance, _, _ in marks}) == len(marks)


@pytest.mark.parametrize("market", MARKETS)
def test_a_change_of_the_key_is_another_instance(market):
    keys = [("train", difficulty, seed) for difficulty in DIFFICULTIES for seed in (0, 1)]
    keys += [("dev", "standard", 0), ("test", "standard", 0)]
    digests = [build_instance(TASK_ID, market, *key).digest for key in keys]
    assert len(set(digests)) == len(keys)
    private = [build_instance(TASK_ID, market, "private", "standard", 0, salt=salt).digest for salt in ("a", "b")]
    assert len({*digests, *private}) == len(keys) + 2


def test_private_seeds_need_a_salt():
    with pytest.raises(ValueError, match="salt"):
        make("SG", 0, split="private")


def test_splits_tell_of_other_people():
    names = [
        {build_instance(TASK_ID, "KR", split, "standard", seed).case.traveller.name.native for seed in range(20)}
        for split in ("train", "dev", "test")
    ]
    assert names[0].isdisjoint(names[1])
    assert names[0].isdisjoint(names[2])
    assert names[1].isdisjoint(names[2])


def test_an_instance_is_never_changed_by_its_episodes():
    env, other = make("TW", 9), make("TW", 9)
    instance = episode(env).instance
    assert episode(other).instance is instance
    before = instance.world.digest()
    saved = env.step({"tool": "plan_save", "arguments": {"title": "A plan", "items": []}})
    assert saved[0]["is_error"] == 0
    assert episode(env).world.digest() != before
    assert (instance.world.digest(), instance.world.journal) == (before, [])
    assert episode(other).world.digest() == before


LIVE, STEPS, SAMPLE = 1000, 4, 40


def begin(number: int) -> Any:
    """Make one of them; many share an instance, and no two do the same in it."""
    env = make(MARKETS[number % len(MARKETS)], number // len(MARKETS) % 10, disable_env_checker=True)
    env.action_space.seed(number)
    return env


def random_step(env: Any) -> Any:
    return None if core(env).verdict else env.step(env.action_space.sample())


def test_a_thousand_live_environments_do_not_touch_each_other():
    envs = [begin(number) for number in range(LIVE)]
    together = [[random_step(env) for env in envs] for _ in range(STEPS)]
    assert len({core(env).instance_digest for env in envs[:60]}) == 60
    for number in range(0, LIVE, LIVE // SAMPLE):
        env = begin(number)
        assert [random_step(env) for _ in range(STEPS)] == [steps[number] for steps in together]
        assert episode(env).world.digest() == episode(envs[number]).world.digest()
