"""The 600 ids, their contracts, and what happens to a wrong one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import gymnasium as gym
import pytest
from gymnasium.envs.registration import EnvSpec
from showcase import MARKETS, TASK_ID, env_id
from toy import ENV_ID, ShopErrand, installed, toy_env

import agentbench_env as ab
from agentbench_env import registry
from agentbench_env.errors import AgentbenchError, TaskNotBuilt, WrongArgument
from agentbench_env.registry import contract, contracts, is_built, load_task, register_all, split_env_id

ROOT = Path(__file__).parent.parent
IDS = [id for one in contracts().values() for id in one.env_ids]


def test_there_are_a_hundred_contracts_in_six_markets():
    assert len(contracts()) == 100
    assert len(set(IDS)) == 600
    assert all(id in gym.registry for id in IDS)
    assert len({one.number for one in contracts().values()}) == 100
    assert set(Counter(one.domain for one in contracts().values()).values()) == {10}
    assert {one.timeout_s for one in contracts().values()} > {1800.0}


def test_specs_survive_json():
    for id in IDS:
        spec = gym.spec(id)
        again = EnvSpec.from_json(spec.to_json())
        assert (again, again.kwargs) == (spec, spec.kwargs)
        assert spec.entry_point == "agentbench_env.env:AgentbenchEnv"
        assert split_env_id(id) == (spec.kwargs["task"], spec.kwargs["market"])
        assert len(spec.to_json()) < 600


def test_a_spec_makes_the_same_environment():
    env = gym.make(EnvSpec.from_json(gym.make(env_id("JP"), difficulty="hard").spec.to_json()))
    assert env.unwrapped.market.code == "JP"
    assert env.reset(seed=0)[0] == gym.make(env_id("JP"), difficulty="hard").reset(seed=0)[0]
    assert gym.make(f"agentbench_env:{env_id('JP')}").spec.id == env_id("JP")


def test_registering_again_changes_nothing():
    before = dict(gym.registry)
    register_all()
    assert dict(gym.registry) == before


def test_importing_the_package_imports_no_task():
    code = "import sys, agentbench_env; print(*sys.modules)"
    # Without the packages of tests, whose tasks would be loaded to be registered.
    paths = {"PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in (".", "envs", "fixtures"))}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | paths)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "agentbench_env" in loaded
    assert not loaded & {"agentbench_tasks", "agentbench_markets", "pydantic", "msgspec", "faker", "holidays", "typer"}


def test_public_names_are_loaded_when_used():
    assert all(getattr(ab, name) is not None for name in ab.__all__)
    assert ab.Task.__module__ == "agentbench_env.task"
    with pytest.raises(AttributeError, match="no_such_name"):
        ab.no_such_name  # noqa: B018
    assert ab.__version__ == ab.RELEASE


# --- wrong ids


@pytest.mark.parametrize(
    ("id", "near"),
    [
        (f"Agentbench/{TASK_ID}-SX", f"{TASK_ID}-"),
        ("Agentbench/ta-two-leg-itinrary-SG", f"{TASK_ID}-SG"),
        (f"Agentbench/{TASK_ID}", TASK_ID),
        (f"agentbench/{TASK_ID}-SG", "Agentbench"),
    ],
)
def test_a_wrong_id_names_the_nearest_right_one(id, near):
    with pytest.raises(gym.error.UnregisteredEnv, match=rf"Did you mean: `.*{near}"):
        gym.make(id)


def test_wrong_parts_name_the_nearest_right_ones():
    with pytest.raises(WrongArgument, match=f"'ta-two-leg-itinerry'.*'{TASK_ID}'"):
        ab.AgentbenchEnv("ta-two-leg-itinerry", "SG")
    with pytest.raises(AgentbenchError, match=r"'SGP'.*KR, JP, SG.*Did you mean 'SG'"):
        ab.AgentbenchEnv(TASK_ID, "SGP")
    with pytest.raises(WrongArgument, match=f"'{TASK_ID}-SS'.*'{TASK_ID}-S?"):
        split_env_id(f"Agentbench/{TASK_ID}-SS")
    assert split_env_id(f"{TASK_ID}-SG") == (TASK_ID, "SG")


def test_an_unbuilt_contract_says_which_one_it_is(monkeypatch):
    monkeypatch.setattr(registry, "is_built", lambda one: False)
    load_task.cache_clear()
    try:
        with pytest.raises(NotImplementedError, match=rf"03\.01 \({TASK_ID}\).*not built") as caught:
            gym.make(env_id("SG"))
        assert isinstance(caught.value, TaskNotBuilt)
    finally:
        load_task.cache_clear()


def test_every_unbuilt_contract_refuses_to_be_made():
    for one in contracts().values():
        if not is_built(one):
            with pytest.raises(TaskNotBuilt, match=one.number):
                gym.make(one.env_ids[0])


# --- contracts


def test_the_showcase_is_built():
    one = contract(TASK_ID)
    assert is_built(one)
    assert (one.number, one.domain, one.markets) == ("03.01", "ta", MARKETS)
    assert one.module == "agentbench_tasks.travel.two_leg_itinerary"
    assert load_task(TASK_ID) is load_task(TASK_ID)


def test_tasks_of_others_come_by_entry_points():
    env = toy_env("KR")
    assert env.spec.id == ENV_ID.replace("-SG", "-KR")
    assert contract("toy-shop-errand").markets == ("KR", "SG")
    assert json.loads(env.spec.to_json())["kwargs"] == {"task": "toy-shop-errand", "market": "KR"}
    with installed({"toy-for-a-while": ShopErrand}):
        assert "Agentbench/toy-for-a-while-SG" in gym.registry
    assert "Agentbench/toy-for-a-while-SG" not in gym.registry
