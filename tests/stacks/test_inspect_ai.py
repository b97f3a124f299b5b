"""Inspect evaluates a scripted model on the episodes, several at once, and writes its own log."""

from __future__ import annotations

import asyncio
import json
import math

import pytest

pytest.importorskip("inspect_ai", reason="tests/stacks/run.py makes the environment of this stack")
from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from stack_kit import HARMLESS, KR, OPTIONS, SENSELESS, SG, example, expert_calls, hasty_calls

from agentbench_env.adapters.inspect_ai import agentbench
from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault, WrongArgument

pytestmark = pytest.mark.stacks


def model(scripts):
    """A model that writes the next of a brief's messages: a call, or text."""

    def answer(messages, tools, *_):
        assert "task_finish" in {tool.name for tool in tools}
        said = [message for message in messages if message.role == "assistant"]
        now = scripts[messages[0].text][len(said)]
        if isinstance(now, str):
            output = ModelOutput.from_content("mockllm", now)
        else:
            output = ModelOutput.for_tool_call("mockllm", now["tool"], now["arguments"])
        output.usage = ModelUsage(input_tokens=7, output_tokens=2)  # or it loads a tokenizer
        return output

    return get_model("mockllm/model", custom_outputs=answer)


def brief(env_id, seed):
    with EpisodeSession(env_id, seed, **OPTIONS) as session:
        return session.brief


def run(tmp_path, env_ids, seeds, script, **options):
    scripts = {brief(env_id, seed): script(env_id, seed) for env_id in env_ids.split(",") for seed in seeds}
    chosen = {"env_ids": env_ids, "seeds": seeds, **OPTIONS}
    options |= {"model": model(scripts), "log_dir": str(tmp_path), "display": "none"}
    (log,) = evaluate("agentbench_env/agentbench", task_args=chosen, **options)
    return log


def test_the_expert_succeeds_on_several_at_once(tmp_path):
    log = run(tmp_path, f"{SG},{KR}", [0, 1], expert_calls, max_samples=4)
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["mean"].value == 1.0
    assert {sample.id for sample in log.samples} == {
        f"ta-two-leg-itinerary-{one}" for one in ("SG.0", "SG.1", "KR.0", "KR.1")
    }
    for sample in log.samples:
        score = sample.scores["reward"]
        assert (score.value, score.answer, score.explanation) == (1.0, "success", "")
        calls = expert_calls(sample.metadata["env_id"], sample.metadata["seed"])
        assert [message.function for message in sample.messages if message.role == "tool"] == [
            one["tool"] for one in calls
        ]


def test_the_hasty_fails(tmp_path):
    log = run(tmp_path, SG, [0], hasty_calls)
    score = log.samples[0].scores["reward"]
    assert (score.value, score.answer) == (0.0, "failure")
    assert "final." in score.explanation


def test_what_makes_no_sense_is_answered_by_an_error(tmp_path):
    log = run(tmp_path, SG, [0], lambda *key: ["Let me see.", *SENSELESS, *expert_calls(*key)])
    (sample,) = log.samples
    assert json.loads(sample.messages[2].text)["error"] == "invalid_action"
    errors = [json.loads(one.error.message)["error"] for one in sample.messages if one.role == "tool" and one.error]
    assert errors == ["unknown_tool", "invalid_argument"]
    assert sample.scores["reward"].value == 1.0


def test_arguments_that_are_no_json(tmp_path):
    broken = ModelOutput.for_tool_call("mockllm", "wallet_list_cards", {})
    broken.choices[0].message.tool_calls = [ToolCall("1", "wallet_list_cards", {}, parse_error="cut off")]
    broken.usage = ModelUsage()
    answers = iter([broken])
    task = agentbench(SG, [0], **OPTIONS)
    silent = get_model("mockllm/model", custom_outputs=lambda *_: next(answers))
    (log,) = evaluate(task, model=silent, log_dir=str(tmp_path), display="none", message_limit=3)
    assert json.loads(log.samples[0].messages[2].text)["error"] == "invalid_action"


def test_a_limit_of_inspect_abandons_the_episode(tmp_path):
    log = run(tmp_path, SG, [0], lambda *_: [HARMLESS] * 9, message_limit=8)
    (sample,) = log.samples
    assert sample.limit.type == "message"
    assert (sample.scores["reward"].value, sample.scores["reward"].answer) == (0.0, "abandoned")


def test_the_time_limit_of_inspect_abandons_the_episode(tmp_path):
    async def sleep(*_):
        await asyncio.sleep(60)

    asleep = get_model("mockllm/model", custom_outputs=sleep)
    task = agentbench(SG, [0], **OPTIONS)
    (log,) = evaluate(task, model=asleep, log_dir=str(tmp_path), display="none", time_limit=1)
    (sample,) = log.samples
    assert sample.limit.type == "time"
    assert (sample.scores["reward"].value, sample.scores["reward"].answer) == (0.0, "abandoned")


@pytest.mark.parametrize("place", ["reset", "step"])
def test_a_fault_of_the_suite_is_no_score_of_0(tmp_path, monkeypatch, place):
    plain = getattr(AgentbenchEnv, place)

    def failing(env, *arguments, **named):
        if "-KR" in env.spec.id:
            raise EnvironmentFault("secret_goal")
        return plain(env, *arguments, **named)

    scripts = {brief(env_id, 0): expert_calls(env_id, 0) for env_id in (SG, KR)}
    task = agentbench(f"{SG},{KR}", [0], **OPTIONS)
    monkeypatch.setattr(AgentbenchEnv, place, failing)
    options = {"fail_on_error": False, "score_on_error": True}
    (log,) = evaluate(task, model=model(scripts), log_dir=str(tmp_path), display="none", **options)
    solved, failed = sorted(log.samples, key=lambda sample: sample.id, reverse=True)
    assert solved.scores["reward"].value == log.results.scores[0].metrics["mean"].value == 1.0
    assert math.isnan(failed.scores["reward"].value)
    assert failed.scores["reward"].answer == "infrastructure"
    assert "secret_goal" in failed.error.message


def test_what_cannot_be_evaluated_is_said():
    with pytest.raises(WrongArgument, match="ta-two-leg-itinerary-SG"):
        agentbench("ta-two-leg-itinerary-S")


def test_the_example(tmp_path):
    assert "two-leg-itinerary-KR.1 0.0 max_steps" in example("inspect_eval.py", tmp_path)
