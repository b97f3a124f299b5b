"""ART's own models, trajectories and groups, with a scripted endpoint behind its client."""

from __future__ import annotations

import asyncio
import json
from itertools import islice

import pytest

pytest.importorskip("art", reason="tests/stacks/run.py makes the environment of this stack")
import art
from fake_endpoint import calls, endpoint, refused, text
from openai.types.chat.chat_completion import Choice
from pydantic import TypeAdapter
from recording import found
from stack_kit import HARMLESS, SENSELESS, SG, example, expert_calls, sample

from agentbench_env.adapters.art import rollout
from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault, WrongArgument
from agentbench_env.sampling import TaskSampler

pytestmark = pytest.mark.stacks


def model_at(url):
    return art.Model(
        name="learner",
        project="agentbench",
        inference_base_url=url,
        inference_api_key="none",
        inference_model_name="scripted",
    )


def expert_of(*seeds, **options):
    """Answer as the expert does in the instances of these seeds, and by words alone in every other one."""
    briefs = {EpisodeSession(SG, seed, difficulty="easy", **options).brief: expert_calls(SG, seed) for seed in seeds}

    def answer(request):
        turn = sum(one["role"] == "tool" for one in request["messages"])
        known = briefs.get(request["messages"][0]["content"])
        return calls((known[turn]["tool"], known[turn]["arguments"])) if known else text("That is all.")

    return answer


def play(script, *samples, **options):
    async def main(url):
        model = model_at(url)
        return await asyncio.gather(*(rollout(model, one, **options) for one in samples))

    with endpoint(script) as fake:
        return asyncio.run(main(fake.url)), fake.requests


def test_an_episode_is_a_trajectory_as_art_trains_on_it():
    kept = []
    (played, other), requests = play(
        expert_of(3, max_steps=30),
        sample(SG, 3),
        sample(SG, 4, trial=1),
        sink=kept.append,
        max_steps=30,
        request={"temperature": 0.5},
    )
    assert isinstance(played, art.Trajectory)
    assert (played.reward, other.reward) == (1.0, 0.0)
    assert played.metrics.items() >= {"success": True, "violation": False, "calls": len(expert_calls(SG, 3))}.items()
    assert (other.metrics["calls"], other.metadata["outcome"]) == (30, "max_steps")
    assert other.metadata.items() >= sample(SG, 4, trial=1)._asdict().items()
    # Its choices, and they alone, are what is trained on.
    logged = played.for_logging()["messages"]
    assert [one["role"] for one in logged[:3]] == ["user", "assistant", "tool"]
    assert {one["role"] for one in logged if one["trainable"]} == {"assistant"}
    assert sum(isinstance(one, Choice) for one in played.messages_and_choices) == len(expert_calls(SG, 3))
    assert played.tools == EpisodeSession(SG, 3, difficulty="easy").tools
    TypeAdapter(art.Tools).validate_python(played.tools)
    json.dumps(played.for_logging())
    assert {(one["model"], one["temperature"], len(one["tools"])) for one in requests} == {
        ("scripted", 0.5, len(played.tools))
    }
    first = next(one for one in kept if one.seed == 3)
    assert (first.policy, first.outcome, first.kwargs["difficulty"]) == ("learner", "success", "easy")
    assert found(first) == []


def test_what_makes_no_sense_is_answered_by_an_error():
    turns = iter(
        [
            calls(*((one["tool"], one["arguments"]) for one in (*SENSELESS, HARMLESS))),
            calls((HARMLESS["tool"], "{cut")),
            text(""),
        ]
    )
    (played,), _ = play(lambda _: next(turns), sample(SG, 0), max_steps=5)
    answers = [json.loads(one["content"]) for one in played.messages()[1:] if one["role"] != "assistant"]
    assert [one.get("error", "") for one in answers][:3] == ["unknown_tool", "invalid_argument", ""]
    assert all(one["error"].startswith("invalid_a") for one in answers[3:])
    assert len(answers) == played.metrics["calls"] == 5


def test_a_group_is_of_one_instance_and_leaves_out_what_failed(monkeypatch):
    stepped = AgentbenchEnv.step

    def failing(env, action):
        if len(env.lineage) == 1:
            monkeypatch.setattr(AgentbenchEnv, "step", stepped)
            raise EnvironmentFault("secret_goal")
        return stepped(env, action)

    async def main(url):
        sampler = TaskSampler("ta-two-leg-itinerary-SG", difficulties=("easy",), group_size=3)
        model = model_at(url)
        groups = [art.TrajectoryGroup(rollout(model, one, max_steps=2) for one in islice(sampler, 3)) for _ in range(2)]
        return await art.gather_trajectory_groups(groups, pbar_desc=None, max_exceptions=6)

    monkeypatch.setattr(AgentbenchEnv, "step", failing)
    answers = iter([refused(400, "too long")])
    with endpoint(lambda _: next(answers, text("That is all."))) as fake:
        groups = asyncio.run(main(fake.url))
    seeds = [{one.metadata["seed"] for one in group} for group in groups]
    assert [len(one) for one in seeds] == [1, 1]
    assert seeds[0] != seeds[1]
    assert [one.reward for group in groups for one in group] == [0.0] * 4
    left_out = sorted(one.type for group in groups for one in group.exceptions)
    assert len(left_out) == 2
    assert "EnvironmentFault" in left_out[0]
    assert "BadRequestError" in left_out[1]


def test_a_fault_of_the_suite_is_no_trajectory(monkeypatch):
    def failing(*_):
        raise EnvironmentFault("inside")

    monkeypatch.setattr(AgentbenchEnv, "step", failing)
    with pytest.raises(EnvironmentFault):
        play(lambda _: text("That is all."), sample(SG, 0))
    with pytest.raises(WrongArgument, match="dificulty"):
        play(lambda _: text("That is all."), sample(SG, 0), dificulty="hard")


def test_the_example():
    with endpoint(lambda _: text("That is all.")) as fake:
        shown = example("art_groups.py", fake.url, "scripted")
    assert shown.count("rewards [0.0, 0.0, 0.0], 0 left out") == 2
    assert "'easy'): 0.0}" in shown
