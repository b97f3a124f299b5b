"""The classes as TRL reads them: methods and schemas found, tools called and rewards asked for as the trainer does."""

from __future__ import annotations

import inspect
import json
import re

import pytest

pytest.importorskip("trl", reason="tests/stacks/run.py makes the environment of this stack")
from stack_kit import (
    HARD_TEST,
    HARMLESS,
    KR,
    SENSELESS,
    SG,
    example,
    expert_calls,
    hasty_calls,
    in_shared_form,
    sample,
)
from transformers.utils import get_json_schema

from agentbench_env.adapters.toolset import domain_tools
from agentbench_env.adapters.trl import environment_class, rows
from agentbench_env.errors import ResetNeeded, WrongArgument

pytestmark = pytest.mark.stacks
TOLD = ("type", "enum", "description")


def tools_of(environment):
    """Find an instance's tools as the trainer does."""
    names = [name for name, _ in inspect.getmembers(type(environment), predicate=inspect.isfunction)]
    public = [name for name in names if name not in ("reset", "get_reward") and not name.startswith("_")]
    return {getattr(environment, name).__name__: getattr(environment, name) for name in public}


def begin(env_id, seed):
    (row,) = rows([sample(env_id, seed)])
    environment = environment_class(row.pop("environment"))()
    return environment, environment.reset(**row)


def play(environment, env_id, calls):
    tools = tools_of(environment)
    for call in calls:
        name, arguments = in_shared_form(env_id, call)
        tools[name](**arguments)


def reward_of(environment, env_id, calls):
    play(environment, env_id, calls)
    return environment.get_reward()


@pytest.mark.parametrize("domain", ["ta", "rl", "ec"])
def test_schemas_say_what_the_tools_say(domain):
    tools = tools_of(environment_class(domain)())
    assert tools.keys() == domain_tools(domain).keys()
    for name, function in domain_tools(domain).items():
        found, schema = get_json_schema(tools[name])["function"], function["parameters"]
        assert (found["name"], found["description"]) == (name, function["description"])
        assert found["parameters"].get("required", []) == schema["required"]
        for field, told in schema["properties"].items():
            assert found["parameters"]["properties"][field] == {key: told[key] for key in TOLD if key in told}


def test_the_expert_succeeds_and_the_hasty_fails():
    for key in ((SG, 3), (KR, 3)):
        environment, brief = begin(*key)
        assert '"name": "task_finish"' in brief
        assert reward_of(environment, key[0], expert_calls(*key)) == 1.0
    environment, _ = begin(SG, 4)
    assert reward_of(environment, SG, hasty_calls(SG, 4)) == 0.0
    environment.reset(env_id=SG, seed=5, difficulty="easy")
    assert reward_of(environment, SG, [HARMLESS]) == 0.0


def test_what_makes_no_sense_is_answered_by_an_error():
    environment, _ = begin(SG, 0)
    tools = tools_of(environment)
    (_, wrong) = SENSELESS
    assert json.loads(tools[wrong["tool"]](**wrong["arguments"]))["error"] == "invalid_argument"
    for arguments in ({}, {"arguments": "{cut"}, {"arguments": "7"}, {"arguments": 7}, {"outcome": "held"}):
        assert json.loads(tools["task_finish"](**arguments))["error"] in ("invalid_action", "invalid_argument")
    foreign = next(name for name in tools if name not in environment._session._space.tools)
    assert json.loads(tools[foreign]())["error"] == "unknown_tool"
    with pytest.raises(ResetNeeded):
        environment_class("ta")().get_reward()
    with pytest.raises(WrongArgument, match="ec, "):
        environment_class("xy")
    with pytest.raises(WrongArgument, match="of Agentbench/rl-"):
        environment.reset(env_id="Agentbench/rl-party-reservation-SG", seed=0)
    with pytest.raises(ResetNeeded):
        environment.get_reward()


def test_a_row_is_the_sample_and_what_it_names_wrongly_is_refused():
    (row,) = rows([HARD_TEST], max_steps=1)
    environment = environment_class(row["environment"], difficulty="easy", clock="wall")()
    environment.reset(**{**row, **HARD_TEST._asdict()})
    environment.get_reward()
    begun = environment._session.trajectory()
    assert begun.seed == HARD_TEST.seed
    wanted = {"difficulty": "hard", "split": "test", "clock": "wall", "max_steps": 1}
    assert begun.kwargs.items() >= wanted.items()
    with pytest.raises(WrongArgument, match="Did you mean 'difficulty'"):
        environment.reset(**row, dificulty="easy")
    with pytest.raises(ValueError, match="no env_id and no seed"):
        environment.reset(prompt=row["prompt"])


def test_episodes_at_once_do_not_mix():
    (first, brief), (second, another) = begin(SG, 5), begin(SG, 6)
    assert type(first) is type(second)
    assert brief != another
    begun, rest = expert_calls(SG, 5)[:3], expert_calls(SG, 5)[3:]
    play(first, SG, begun)
    assert reward_of(second, SG, expert_calls(SG, 6)) == 1.0
    assert reward_of(first, SG, rest) == 1.0


def test_the_trainer_makes_two_updates(tmp_path):
    shown = example("grpo_trl.py", tmp_path)
    steps = re.findall(r"^step (\d): contract 0.0, letters [\d.]+, gradient norm (.+)$", shown, re.MULTILINE)
    assert [step for step, _ in steps] == ["1", "2"]
    assert all(float(norm) > 0 for _, norm in steps)
    changed, tensors = map(int, re.findall(r"changed in (\d+) of (\d+) tensors", shown)[0])
    assert changed == tensors
