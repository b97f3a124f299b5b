"""SkyRL-gym makes and steps the episodes itself."""

from __future__ import annotations

import pytest

pytest.importorskip("skyrl_gym", reason="tests/stacks/run.py makes the environment of this stack")
import skyrl_gym
from stack_kit import (
    CALLS_ON_TEXT,
    HARD_TEST,
    HARMLESS,
    KR,
    SENSELESS,
    SG,
    example,
    expert_calls,
    hasty_calls,
    sample,
    turn,
)

from agentbench_env.adapters.skyrl_gym import ID, SkyRLEnvironment, register, rows
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import EnvironmentFault, WrongArgument

pytestmark = pytest.mark.stacks
SYSTEM = {"role": "system", "content": "Be brief."}


def begin(row, **options):
    register()
    env = skyrl_gym.make(ID, env_config=options, extras=row)
    return env, env.init(row["prompt"])


def play(env, calls):
    return [env.step(turn(call)) for call in calls]


def test_the_expert_succeeds_and_the_hasty_fails():
    for row in rows(sample(env_id, seed) for env_id in (SG, KR) for seed in (3, 4)):
        env, (prompt, info) = begin({**row, "prompt": [SYSTEM]})
        assert [message["role"] for message in prompt] == ["system", "user"]
        assert '"task_finish"' in prompt[1]["content"]
        assert info["outcome"] == ""
        *before, last = play(env, expert_calls(row["env_id"], row["seed"]))
        assert [(step["reward"], step["done"]) for step in before] == [(0.0, False)] * len(before)
        assert (last["reward"], last["done"], last["metadata"]["outcome"]) == (1.0, True, "success")
        late = env.step(turn(HARMLESS))
        assert (late["reward"], late["done"]) == (0.0, True)
        assert env.get_metrics()["success"] == 1.0
        assert env.get_metrics()["calls"] == len(before) + 1
    env, _ = begin(row)
    (step,) = play(env, hasty_calls(row["env_id"], row["seed"]))
    assert (step["reward"], step["done"]) == (0.0, True)
    assert (
        SkyRLEnvironment.aggregate_metrics([env.get_metrics(), {**env.get_metrics(), "success": 1.0}])["success"] == 0.5
    )


def test_what_makes_no_sense_is_answered_by_an_error():
    (row,) = rows([sample(SG, 0)])
    env, _ = begin(row)
    for text in (*CALLS_ON_TEXT, *map(turn, SENSELESS)):
        step = env.step(text)
        assert '"error":"' in step["observations"][0]["content"], text
        assert (step["reward"], step["done"]) == (0.0, False)
    env.close()
    assert '"error":"episode_over"' in env.step("")["observations"][0]["content"]
    with pytest.raises(WrongArgument, match="hard"):
        begin({**row, "difficulty": "medium"})


def test_a_row_is_the_sample_and_what_it_names_wrongly_is_refused():
    (row,) = rows([HARD_TEST], clock="wall")
    env, _ = begin({**row, "max_turns": 3, **HARD_TEST._asdict()}, difficulty="easy", max_steps=1)
    env.close()
    begun = env._session.trajectory()
    assert begun.seed == HARD_TEST.seed
    wanted = {"difficulty": "hard", "split": "test", "clock": "wall", "max_steps": 1}
    assert begun.kwargs.items() >= wanted.items()
    for wrong, said in (
        ({"dificulty": "hard"}, "Did you mean 'difficulty'"),
        ({"split": "private"}, "train, dev, test"),
    ):
        with pytest.raises(WrongArgument, match=said):
            begin({**row, **wrong})
    with pytest.raises(ValueError, match="no env_id and no seed"):
        begin({"prompt": []})


def test_a_fault_of_the_suite_counts_in_no_metric(monkeypatch):
    (row,) = rows([sample(SG, 0)])
    env, _ = begin(row)
    assert env.get_metrics()["success"] == 0.0

    def failing(*_):
        raise EnvironmentFault("inside")

    monkeypatch.setattr(AgentbenchEnv, "step", failing)
    with pytest.raises(EnvironmentFault):
        env.step(turn(HARMLESS))
    assert SkyRLEnvironment.aggregate_metrics([env.get_metrics(), {"success": 1.0}]) == {"success": 1.0}


def test_episodes_at_once_do_not_mix():
    one, other = rows([sample(SG, 5), sample(SG, 6)])
    (first, (brief, _)), (second, (another, _)) = begin(one), begin(other)
    assert brief != another
    queues = [expert_calls(SG, 5), expert_calls(SG, 6)]
    rewards = {}
    for number in range(max(map(len, queues))):
        for env, queue in zip((first, second), queues, strict=True):
            if number < len(queue):
                rewards[env] = env.step(turn(queue[number]))["reward"]
    assert list(rewards.values()) == [1.0, 1.0]


def test_the_example():
    assert "{'success': 0.0, 'calls': 1.0" in example("skyrl_rows.py")
