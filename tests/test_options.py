"""What an environment can be asked for, and what it says to what it cannot."""

from __future__ import annotations

import inspect
import json

import gymnasium as gym
import pytest
from showcase import MARKETS, core, make, solve
from toy import ShopErrand, installed

import agentbench_env as ab
from agentbench_env.errors import PASSING, EnvironmentFault, WrongArgument
from agentbench_env.rollout.record import environment_arguments


@pytest.mark.parametrize("market", MARKETS)
def test_the_boundary_may_be_left_unsaid(market):
    stated, implied = make(market), make(market, boundary_notice="implied")
    one, two = (json.loads(env.reset(seed=0)[0]["content"]) for env in (stated, implied))
    assert one.pop("boundary")
    assert one == two
    assert core(stated).instance_digest == core(implied).instance_digest
    assert solve(implied)["reward"] == 1.0


@pytest.mark.parametrize("market", MARKETS)
def test_the_request_may_be_in_the_users_own_language(market):
    english, local = make(market), make(market, prompt_language="local")
    one, two = (json.loads(env.reset(seed=0)[0]["content"]) for env in (english, local))
    assert one["language"] == "en"
    assert two["language"] in core(local).market.languages
    assert (one["request"] == two["request"]) == (two["language"] == "en")
    assert (one["now"], one["profile"]) == (two["now"], two["profile"])
    assert core(english).instance_digest == core(local).instance_digest
    assert solve(local)["reward"] == 1.0


@pytest.mark.parametrize("market", MARKETS)
def test_the_expert_works_under_faults(market):
    failed = 0
    for seed in range(4):
        env = make(market, seed, faults=0.2)
        assert solve(env)["reward"] == 1.0
        failed += sum(entry.error in PASSING for entry in core(env).lineage)
    assert failed


def test_whoever_tries_again_gets_through_even_where_everything_may_fail():
    env = make("SG", 0, faults=1.0)
    assert solve(env)["reward"] == 1.0
    assert [bool(entry.error) for entry in core(env).lineage][:4] == [True, True, True, False]


@pytest.mark.parametrize(
    ("kwargs", "named"),
    [
        ({"split": "tests"}, "'test'"),
        ({"difficulty": "medium"}, "easy, standard, hard"),
        ({"prompt_language": "loca"}, "'local'"),
        ({"boundary_notice": "implicit"}, "'implied'"),
        ({"clock": "virtuel"}, "'virtual'"),
        ({"on_violation": "terminated"}, "'terminate'"),
        ({"dificulty": "easy"}, "'difficulty'"),
        ({"injection": True}, "'injections'"),
        ({"injections": "yes"}, "False, True"),
        ({"injections": 1}, "False, True"),
    ],
)
def test_wrong_arguments_name_the_nearest_right_one(kwargs, named):
    with pytest.raises(WrongArgument, match=named) as caught:
        make("SG", **kwargs)
    (name, value), text = next(iter(kwargs.items())), str(caught.value)
    assert repr(value) in text or repr(name) in text


@pytest.mark.parametrize(
    "kwargs",
    [
        {"faults": 1.5},
        {"faults": float("nan")},
        {"faults": True},
        {"faults": "0.1"},
        {"max_steps": 0},
        {"max_steps": 2.5},
        {"max_steps": True},
        {"max_steps": "many"},
        {"user": "nowhere"},
    ],
)
def test_arguments_out_of_range_are_refused(kwargs):
    with pytest.raises(ValueError, match=next(iter(kwargs))):
        make("SG", **kwargs)


def test_the_arguments_are_the_documented_ones():
    text = inspect.getdoc(ab.AgentbenchEnv) or ""
    names = [name for name in environment_arguments() if f"\n    {name}: " not in text]
    assert names == []


class NeverDrawn(ShopErrand):
    """A task whose instances cannot be drawn."""

    def case(self, draw, setting):
        return 1 / 0


class Speechless(ShopErrand):
    """A task that has no words for its brief."""

    def brief(self, case, language):
        raise KeyError(language)


class Unjudgeable(ShopErrand):
    """A task whose boundary cannot be judged."""

    boundary = (ab.Gated("boundary.any", "Any.", effects=("send",), allowed=lambda case: case.nothing),)


@pytest.mark.parametrize("task", [NeverDrawn, Speechless])
def test_a_task_that_cannot_begin_is_a_fault_of_the_environment(task):
    with installed({"toy-fault": task}):
        env = gym.make("Agentbench/toy-fault-SG")
        with pytest.raises(EnvironmentFault, match=r"toy-fault-SG .*seed 3.*Error"):
            env.reset(seed=3)


def test_a_boundary_that_fails_is_a_fault_of_the_environment():
    with installed({"toy-unjudgeable": Unjudgeable}):
        env = gym.make("Agentbench/toy-unjudgeable-SG", on_violation="terminate")
        env.reset(seed=0)
        with pytest.raises(EnvironmentFault, match="AttributeError"):
            env.step({"tool": "shop_join_newsletter"})
