"""GEM makes, wraps and batches the episodes itself."""

from __future__ import annotations

import pytest

pytest.importorskip("gem", reason="tests/stacks/run.py makes the environment of this stack")
import gem
from stack_kit import CALLS_ON_TEXT, HARMLESS, KR, OPTIONS, SENSELESS, SG, example, expert_calls, hasty_calls, turn

from agentbench_env.adapters.gem import register_all
from agentbench_env.errors import ResetNeeded, WrongArgument

pytestmark = pytest.mark.stacks


def name(env_id: str) -> str:
    return env_id.replace("Agentbench/", "agentbench:")


@pytest.fixture(autouse=True)
def _registered():
    register_all()
    register_all()


def play(env, calls):
    return [env.step(turn(call)) for call in calls]


def test_the_expert_succeeds_and_the_hasty_fails():
    env = gem.make(name(SG), seed=3, **OPTIONS)
    text, info = env.reset()
    assert "<tool_call>" in text
    assert '"task_finish"' in text
    assert info["outcome"] == ""
    *before, last = play(env, expert_calls(SG, 3))
    assert [step[1:4] for step in before] == [(0.0, False, False)] * len(before)
    assert last[1:4] == (1.0, True, False)
    assert last[4]["outcome"] == "success"
    assert env.step(turn(HARMLESS))[1:4] == (0.0, True, False)
    env.reset(seed=4)
    ((_, reward, terminated, truncated, info),) = play(env, hasty_calls(SG, 4))
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, True, False, "failure")


def test_a_turn_may_hold_several_calls_and_thoughts_hold_none():
    env = gem.make(name(KR), **OPTIONS)
    env.reset(seed=1)
    calls = "\n".join(map(turn, expert_calls(KR, 1)))
    _, reward, terminated, *_ = env.step(f"<think>Finish? {turn(hasty_calls(KR, 1)[0])}</think>{calls}")
    assert (reward, terminated) == (1.0, True)


def test_what_makes_no_sense_is_answered_by_an_error():
    env = gem.make(name(SG), max_steps=20, **OPTIONS)
    with pytest.raises(ResetNeeded):
        env.step(turn(HARMLESS))
    env.reset(seed=0)
    env.close()
    late, *_, info = env.step(turn(HARMLESS))
    assert ("episode_over" in late, info["outcome"]) == (True, "abandoned")
    env.reset(seed=0)
    for text in (*CALLS_ON_TEXT, *map(turn, SENSELESS)):
        result, reward, terminated, _, _ = env.step(text)
        assert '"error":"' in result, text
        assert (reward, terminated) == (0.0, False)
    for _ in range(20):
        _, reward, terminated, truncated, info = env.step("")
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, True, "max_steps")
    with pytest.raises(WrongArgument, match="hard"):
        gem.make(name(SG), difficulty="medium").reset()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="seed is -1"):
        env.reset(seed=-1)
    with pytest.raises(ResetNeeded):
        env.step(turn(HARMLESS))


@pytest.mark.parametrize("async_mode", [False, True])
def test_episodes_in_a_batch_do_not_mix(async_mode):
    batch = gem.make_vec([name(SG), name(KR)], seed=5, async_mode=async_mode, **OPTIONS)
    texts, _ = batch.reset()
    assert texts[0] != texts[1]
    queues = [expert_calls(SG, 5), expert_calls(KR, 6)]
    rewards = [0.0, 0.0]
    for number in range(min(map(len, queues))):
        _, now, ended, *_ = batch.step([turn(queue[number]) for queue in queues])
        rewards = [before + float(one) for before, one in zip(rewards, now, strict=True)]
    shorter = min((0, 1), key=lambda place: len(queues[place]))
    assert rewards[shorter] == 1.0
    assert ended[shorter]


def test_the_example():
    assert "truncated [True, True]" in example("gem_loop.py")
