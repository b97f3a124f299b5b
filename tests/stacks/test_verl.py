"""verl makes the tools from the configuration and calls them from its own agent loop."""

from __future__ import annotations

import asyncio
import gc
import json
from types import SimpleNamespace

import pytest

pytest.importorskip("verl", reason="tests/stacks/run.py makes the environment of this stack")
from pyarrow import parquet
from stack_kit import HARD_TEST, HARMLESS, KR, SG, example, expert_calls, hasty_calls, in_shared_form, sample
from verl.experimental.agent_loop.tool_agent_loop import AgentData, ToolAgentLoop
from verl.experimental.agent_loop.tool_parser import FunctionCall
from verl.tools.tool_registry import initialize_tools_from_config

from agentbench_env.adapters import verl as adapter
from agentbench_env.adapters.session import FAULT
from agentbench_env.adapters.toolset import domain_tools
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault, WrongArgument

pytestmark = pytest.mark.stacks


@pytest.fixture(scope="module")
def tools(tmp_path_factory):
    path = tmp_path_factory.mktemp("verl") / "tools.yaml"
    path.write_text(adapter.tool_config("ta"), encoding="utf-8")
    return {tool.name: tool for tool in initialize_tools_from_config(path)}


class Rollout:
    """A rollout of verl's loop without a model: its data, and its way to call tools."""

    def __init__(self, tools, asked, **options):
        env_id, seed, *_ = asked
        (row,) = adapter.rows([asked], **options)
        self.row, self.env_id, self.extra = row, env_id, row["extra_info"]
        self.data = AgentData(row["prompt"], [], [], None, None, {}, f"{env_id}{seed}", self.extra["tools_kwargs"])
        self.loop = SimpleNamespace(
            tools={name: tools[name] for name in self.extra["tool_selection"]},
            max_tool_response_length=100_000,
            tool_response_truncate_side="left",
        )

    async def call(self, name, arguments):
        written = FunctionCall(name=name, arguments=arguments if isinstance(arguments, str) else json.dumps(arguments))
        response, reward, _ = await ToolAgentLoop._call_tool(self.loop, written, self.data.tools_kwargs, self.data)
        return response.text, reward

    async def play(self, calls):
        return [await self.call(*in_shared_form(self.env_id, call)) for call in calls]

    def score(self):
        extra = {**self.extra, **self.data.extra_fields}
        return adapter.compute_score(self.row["data_source"], "", self.row["reward_model"]["ground_truth"], extra)


@pytest.mark.parametrize("domain", ["ta", "rl", "ec"])
def test_schemas_lose_nothing_in_verl(domain, tmp_path):
    (tmp_path / "tools.yaml").write_text(adapter.tool_config(domain), encoding="utf-8")
    made = {tool.name: tool for tool in initialize_tools_from_config(tmp_path / "tools.yaml")}
    for name, function in domain_tools(domain).items():
        read = made[name].tool_schema.function
        assert (read.description, read.parameters.required) == (
            function["description"],
            function["parameters"]["required"],
        )
        for field, told in function["parameters"]["properties"].items():
            kept = read.parameters.properties[field].model_dump(exclude_none=True)
            assert kept == {key: told[key] for key in ("type", "description", "enum") if key in told}


def test_the_expert_succeeds_and_the_hasty_fails(tools):
    for env_id in (SG, KR):
        rollout = Rollout(tools, sample(env_id, 3))
        assert '"name": "task_finish"' in rollout.row["prompt"][0]["content"]
        *before, last = [reward for _, reward in asyncio.run(rollout.play(expert_calls(env_id, 3)))]
        assert (set(before), last, rollout.score()) == ({0.0}, 1.0, 1.0)
        json.dumps(rollout.data.extra_fields)
    hasty = Rollout(tools, sample(SG, 4))
    asyncio.run(hasty.play(hasty_calls(SG, 4)))
    assert hasty.score() == 0.0
    assert Rollout(tools, sample(SG, 5)).score() == 0.0


def test_what_makes_no_sense_is_answered_by_an_error(tools):
    rollout = Rollout(tools, sample(SG, 0))
    wrong = [("carrier_get_service", {"colour": 7}), ("task_finish", {}), ("task_finish", {"arguments": "{cut"})]
    wrong += [("wallet_list_cards", "7"), ("wallet_list_cards", '["a"]'), ("task_finish", "7")]
    for name, arguments in wrong:
        text, reward = asyncio.run(rollout.call(name, arguments))
        assert json.loads(text)["error"].startswith("invalid_a")
        assert reward == 0.0
    assert "Unknown function" in asyncio.run(rollout.call("nonsense", {}))[0]


@pytest.mark.parametrize("place", ["reset", "step"])
def test_a_fault_of_the_suite_tells_the_model_nothing(tools, monkeypatch, caplog, place):
    rollout = Rollout(tools, sample(SG, 0))

    def failing(*_, **__):
        raise EnvironmentFault("secret_goal")

    monkeypatch.setattr(AgentbenchEnv, place, failing)
    assert asyncio.run(rollout.call(HARMLESS["tool"], {})) == (FAULT, 0.0)
    assert rollout.score() == 0.0
    assert "secret_goal" in caplog.text


def test_an_episode_that_could_not_begin_does_not_begin_later(tools, monkeypatch):
    rollout = Rollout(tools, sample(SG, 5))

    def failing(*_, **__):
        raise EnvironmentFault("once")

    with monkeypatch.context() as broken:
        broken.setattr(AgentbenchEnv, "reset", failing)
        assert asyncio.run(rollout.call(HARMLESS["tool"], {})) == (FAULT, 0.0)
    assert set(asyncio.run(rollout.play(expert_calls(SG, 5)))) == {(FAULT, 0.0)}
    assert rollout.score() == 0.0
    assert asyncio.run(Rollout(tools, sample(SG, 5)).call(HARMLESS["tool"], {}))[0] != FAULT


def test_a_row_is_the_sample_and_what_it_names_wrongly_is_refused(tools, caplog):
    rollout = Rollout(tools, HARD_TEST, max_steps=7)
    asyncio.run(rollout.play([HARMLESS]))
    begun = adapter._EPISODES[rollout.data].trajectory_so_far()
    assert begun.seed == HARD_TEST.seed
    assert begun.kwargs.items() >= {"difficulty": "hard", "split": "test", "max_steps": 7}.items()
    with pytest.raises(WrongArgument, match="Did you mean 'difficulty'"):
        adapter.rows([HARD_TEST], dificulty="easy")
    other = Rollout(tools, HARD_TEST)
    other.data.tools_kwargs = json.loads(json.dumps(other.data.tools_kwargs).replace("difficulty", "user"))
    assert asyncio.run(other.call(HARMLESS["tool"], {})) == (FAULT, 0.0)
    assert "option is 'user'" in caplog.text


def test_episodes_at_once_do_not_mix_and_are_let_go(tools):
    first, second = Rollout(tools, sample(SG, 5)), Rollout(tools, sample(SG, 6))

    asyncio.run(play_both(first, second))
    assert (first.score(), second.score()) == (1.0, 1.0)
    held = len(adapter._EPISODES)
    del first, second
    gc.collect()
    assert len(adapter._EPISODES) == held - 2


async def play_both(first, second):
    await asyncio.gather(first.play(expert_calls(SG, 5)), second.play(expert_calls(SG, 6)))
    await asyncio.gather(*(first.call(HARMLESS["tool"], {}) for _ in range(3)))


def test_the_example(tmp_path):
    assert "tools.yaml train.parquet" in example("verl_files.py", tmp_path)
    (first, *_) = parquet.read_table(tmp_path / "train.parquet").to_pylist()
    named = json.loads(first["extra_info"]["tools_kwargs"]["task_finish"]["create_kwargs"]["episode"])
    assert (named["difficulty"], named["split"]) == ("easy", "train")
