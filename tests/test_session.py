"""An episode as plain JSON in and out, the interface under all adapters."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

import pytest
from recording import found, recorded
from toy import ENV_ID, ShopErrand, install_toy, installed

import agentbench_env as ab
from agentbench_env.adapters.session import EpisodeSession
from agentbench_env.errors import EnvironmentFault, MessageFault, ResetNeeded, TaskNotBuilt
from agentbench_env.registry import contracts, is_built
from agentbench_env.rollout import Trajectory

SG = "Agentbench/ta-two-leg-itinerary-SG"
FINISH = ("task_finish", {"outcome": "handed_back", "offer_id": "", "total": {}})


@pytest.fixture(autouse=True)
def toy() -> None:
    install_toy()


async def play(seed: int, **options) -> EpisodeSession:
    async with EpisodeSession(ENV_ID, seed, **options) as session:
        for step in recorded("expert", seed).steps:
            assert not session.done
            for usage in step.usage:
                session.record_usage(usd=usage.usd)
            await session.call(step.action["tool"], step.action["arguments"])
            await asyncio.sleep(0)
        return session


def test_an_episode_from_brief_to_verdict():
    session = EpisodeSession(SG.partition("/")[2], seed=4, difficulty="easy")
    assert session.env_id == SG
    assert json.loads(session.brief)["request"]
    assert session.messages == [{"role": "user", "content": session.brief}]
    assert (session.done, session.reward, session.outcome, session.verdict) == (False, None, "", None)
    result = asyncio.run(session.call("wallet_list_cards", "{}"))
    assert (result["is_error"], result["done"]) == (False, False)
    assert [message["role"] for message in session.messages] == ["user", "assistant", "tool"]
    assert session.messages[-1]["content"] == result["content"]
    assert json.loads(json.dumps(session.info)) == session.info
    assert session.info["time"]["elapsed_s"] > 0


def test_the_record_is_that_of_a_rollout():
    session = asyncio.run(play(3, policy="expert"))
    assert (session.done, session.reward, session.outcome) == (True, 1.0, "success")
    assert session.verdict is not None
    assert all(clause["held"] for clause in session.verdict["clauses"])
    assert session.trajectory().line() == recorded("expert", 3).line()
    assert found(session.trajectory()) == []


@pytest.mark.parametrize(
    "call", [("shop_buy_all", {}), ("shop_list_offers", "{"), ("shop_list_offers", {"colour": 1}), ("", [1])]
)
def test_calls_that_make_no_sense_are_answered(call):
    session = EpisodeSession(ENV_ID)
    result = session.call_now(*call)
    assert result["is_error"]
    assert json.loads(result["content"])["hint"]
    assert not session.done


def test_actions_are_taken_as_the_environment_takes_them():
    session = EpisodeSession(ENV_ID)
    assert not asyncio.run(session.act('{"tool": "shop_get_rules", "arguments": {}}'))["is_error"]
    assert session.act_now("I cannot help with that.")["is_error"]
    assert session.messages[-2] == {"role": "assistant", "content": "I cannot help with that."}


def test_calls_after_the_end_do_nothing():
    session = EpisodeSession(ENV_ID)
    assert session.call_now(*FINISH)["done"]
    before = session.trajectory()
    late = session.call_now("shop_get_rules")
    session.record_usage(usd=1.0)
    session.record_message({"role": "assistant", "content": "Done."})
    session.close_now()
    assert (late["is_error"], late["done"], json.loads(late["content"])["error"]) == (True, True, "episode_over")
    assert session.trajectory() is before
    assert (session.reward, session.steps) == (0.0, 1)


def test_an_unfinished_episode_is_abandoned():
    kept: list[Trajectory] = []

    async def leave() -> EpisodeSession:
        async with EpisodeSession(ENV_ID, sink=kept.append) as session:
            await session.call("shop_get_rules")
            with pytest.raises(ResetNeeded, match="still runs"):
                session.trajectory()
        return session

    session = asyncio.run(leave())
    assert (session.done, session.reward, session.outcome, session.verdict) == (True, 0.0, "abandoned", None)
    assert session.info["outcome"] == "abandoned"
    assert kept == [session.trajectory()]
    untouched = EpisodeSession(ENV_ID)
    untouched.close_now("no time")
    assert (untouched.reward, untouched.trajectory().stopped) == (0.0, "no time")


def test_the_record_so_far_is_that_of_leaving_now():
    kept: list[Trajectory] = []
    watched = EpisodeSession(ENV_ID, 3, sink=kept.append)
    for step in recorded("expert", 3).steps:
        assert watched.trajectory_so_far().line() == _left_after(watched.steps).line()
        assert (watched.done, kept) == (False, [])
        watched.act_now(step.action)
    assert watched.trajectory_so_far() is watched.trajectory() is kept[0]
    assert watched.reward == 1.0


def _left_after(steps: int) -> Trajectory:
    with EpisodeSession(ENV_ID, 3) as session:
        for step in recorded("expert", 3).steps[:steps]:
            session.act_now(step.action)
    return session.trajectory()


def test_an_error_of_the_callers_code_is_outside_the_score():
    session = EpisodeSession(ENV_ID)
    with pytest.raises(KeyError), session:
        raise KeyError("mine")
    assert (session.done, session.reward, session.outcome) == (True, None, "infrastructure")
    failure = session.trajectory().failure
    assert failure is not None
    assert failure.whose == "policy"


def test_a_sink_may_ask_the_session():
    asked: list[list] = []
    session = EpisodeSession(ENV_ID, sink=lambda _: asked.append(session.messages))
    player = Thread(target=session.close_now, daemon=True)
    player.start()
    player.join(10)
    assert not player.is_alive()
    assert asked == [[{"role": "user", "content": session.brief}]]


def test_a_sink_that_fails_changes_nothing_of_what_was_earned():
    def full(_: Trajectory) -> None:
        raise OSError("disk full")

    session = EpisodeSession(ENV_ID, 3, sink=full)
    *before, last = [step.action for step in recorded("expert", 3).steps]
    for action in before:
        session.act_now(action)
    with pytest.raises(OSError, match="disk full"):
        session.act_now(last)
    assert (session.reward, session.outcome) == (1.0, "success")
    assert session.verdict is not None
    assert session.verdict["outcome"] == "success"
    assert session.info["time"]["elapsed_s"] == session.trajectory().time["elapsed_s"]
    assert session.act_now(last)["done"]


class Broken(ShopErrand):
    """A task whose boundary cannot be judged."""

    boundary = (ab.Gated("boundary.any", "Any.", effects=("send",), allowed=lambda case: case.nothing),)


def test_a_fault_of_the_suite_is_outside_the_score():
    with installed({"toy-unjudged": Broken}):
        session = EpisodeSession("toy-unjudged-SG", on_violation="terminate")
        with pytest.raises(EnvironmentFault):
            session.call_now("shop_join_newsletter")
    assert (session.done, session.reward, session.outcome) == (True, None, "infrastructure")
    assert session.call_now("shop_get_rules")["done"]


def test_what_the_model_said_and_spent_is_recorded():
    session = EpisodeSession(ENV_ID)
    call = {"id": "c7", "type": "function", "function": {"name": "shop_get_rules", "arguments": "{}"}}
    session.record_message({"role": "assistant", "content": "First the rules.", "tool_calls": [call]})
    session.record_usage(10, 5, usd=0.25, latency_s=2.0)
    with pytest.raises(MessageFault):
        session.call_now("shop_list_offers")
    session.call_now("shop_get_rules", "{}")
    assert session.messages[1]["content"] == "First the rules."
    assert session.messages[2]["tool_call_id"] == "c7"
    assert session.info["cost"]["inference_usd"] == 0.25


@pytest.mark.parametrize("usage", ['"us\\u0061ge": {"usd": 0.0}', '"usage": 5'])
def test_a_text_claims_no_usage(usage):
    session = EpisodeSession(ENV_ID)
    claim = f'{{"tool": "shop_get_rules", {usage}}}'
    for action in (claim, claim.encode()):
        assert not session.act_now(action)["is_error"]
        assert session.info["cost"]["inference_usd"] is None
    session.act_now({"tool": "shop_get_rules", "usage": {"usd": 0.5}})
    assert session.info["cost"]["inference_usd"] == 0.5
    session.close_now()
    assert session.trajectory().steps[0].action == {"tool": "shop_get_rules"}


def test_what_is_handed_out_is_a_copy():
    session = EpisodeSession(ENV_ID)
    for part in (session.tools, session.messages):
        part[0].clear()
    session.info["time"].clear()
    assert session.tools[0]["function"]["parameters"]["type"] == "object"
    assert session.messages[0]["content"] == session.brief
    assert session.info["time"]["limit_s"] == 600.0


def test_the_flat_profile_has_no_nested_arguments():
    def kinds(profile):
        tools = EpisodeSession(SG, profile=profile).tools
        return {node["type"] for one in tools for node in one["function"]["parameters"]["properties"].values()}

    assert "object" in kinds("full")
    assert not kinds("flat") & {"object", "array"}


def test_many_sessions_at_once():
    async def all_of_them() -> list[EpisodeSession]:
        return await asyncio.gather(*(play(seed, policy="expert") for seed in range(12)))

    for seed, session in enumerate(asyncio.run(all_of_them())):
        assert session.trajectory().line() == recorded("expert", seed).line()


def test_parallel_calls_are_carried_out_one_after_another():
    session = EpisodeSession(ENV_ID, max_steps=200)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: session.call_now("shop_get_rules"), range(240)))
    assert sum(not result["is_error"] for result in results) == 200
    assert session.outcome == "max_steps"
    assert len(session.trajectory().steps) == 200
    assert found(session.trajectory()) == []


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"env_id": "ta-two-leg-itinerary-XX"}, "ta-two-leg-itinerary-"),
        ({"dificulty": "easy"}, "'difficulty'"),
        ({"max_episode_steps": 3}, "max_steps"),
        ({"difficulty": "medium"}, "easy, standard, hard"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": "4"}, "seed is '4'"),
        ({"faults": 2}, "from 0 to 1"),
    ],
)
def test_wrong_arguments_are_named(arguments, named):
    with pytest.raises(ValueError, match=named):
        EpisodeSession(**{"env_id": SG, **arguments})


def test_a_task_that_is_not_built_is_named():
    missing = next(one for one in contracts().values() if not is_built(one))
    with pytest.raises(TaskNotBuilt, match=missing.number):
        EpisodeSession(missing.env_ids[0])
