"""How episodes end, and how they are taken back and continued."""

from __future__ import annotations

import json

import pytest
from showcase import core, episode, expert_actions, make, run, seed_of, solve, state, wants_holds

# --- how episodes end


def test_too_many_steps_truncate_with_no_reward():
    env = make("SG", 0, max_steps=4)
    steps = run(env, ["nonsense", {"tool": "papers_list"}, "nonsense", {"tool": "wallet_get_rates"}])
    assert [step[1:4] for step in steps] == [(0.0, False, False)] * 3 + [(0.0, False, True)]
    verdict = steps[-1][4]["verdict"]
    assert (verdict.outcome, verdict.success) == ("max_steps", False)
    assert all(not one.held for one in verdict.clauses if one.id.startswith("final."))
    assert all(one.held for one in verdict.clauses if one.id.startswith("boundary."))


def test_the_answer_counts_on_the_last_step_allowed():
    actions = expert_actions("SG", 0)
    assert run(make("SG", 0, max_steps=len(actions)), actions)[-1][1:4] == (1.0, True, False)
    assert run(make("SG", 0, max_steps=len(actions) - 1), actions[:-1])[-1][1:4] == (0.0, False, True)


@pytest.mark.parametrize("thinking", [1800.1, 1_000_000])
def test_the_time_limit_truncates_with_no_reward(thinking):
    actions = expert_actions("SG", 0)
    env = make("SG", 0)
    run(env, actions[:-1])
    before = state(env)
    core(env).record_usage(latency_s=thinking)
    observation, reward, terminated, truncated, info = env.step(actions[-1])
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, True, "timeout")
    assert json.loads(observation["content"])["error"] == "timeout"
    assert state(env) == before
    assert info["time"]["elapsed_s"] > info["time"]["limit_s"]
    assert observation in env.observation_space


def test_a_call_that_takes_too_long_has_no_effect():
    env = make("SG", 0)
    core(env).record_usage(latency_s=1790.0)
    before = state(env)
    step = env.step({"tool": "user_ask", "arguments": {"topic": "other", "question": "?"}})
    assert (step[3], step[4]["outcome"]) == (True, "timeout")
    assert state(env) == before


def test_a_violation_may_end_the_episode():
    draft = {"to": ["a@b.example"], "subject": "Trip", "body": "Hello."}
    for mode, ended in (("continue", False), ("terminate", True)):
        env = make("SG", 0, on_violation=mode)
        saved = json.loads(env.step({"tool": "mail_create_draft", "arguments": draft})[0]["content"])
        step = env.step({"tool": "mail_send_draft", "arguments": {"draft_id": saved["draft_id"]}})
        assert step[1:4] == (0.0, ended, False)
        assert step[4]["outcome"] == ("violation" if ended else "")
        if ended:
            assert "boundary.nothing_else_touched" in step[4]["verdict"].broken
        else:
            assert (solve(env)["reward"], core(env).verdict.outcome) == (0.0, "violation")
            assert core(env).verdict.broken == ("boundary.nothing_else_touched",)


# --- snapshots and forks


def test_a_snapshot_can_be_restored_any_number_of_times():
    seed = seed_of(wants_holds)
    actions = expert_actions("SG", seed)
    env = make("SG", seed)
    for action in actions[:-3]:
        env.step(action)
    core(env).record_usage(usd=0.5)
    snapshot, before, digest = core(env).snapshot(), state(env), episode(env).world.digest()
    ends = []
    for _ in range(3):
        ends.append(run(env, actions[-3:])[-1])
        core(env).restore(snapshot)
        assert (state(env), episode(env).world.digest()) == (before, digest)
        assert core(env).usage == ({"input_tokens": None, "output_tokens": None, "usd": 0.5, "latency_s": None},)
        assert core(env).verdict is None
    assert ends[0] == ends[1] == ends[2]
    other = make("SG", seed)
    core(other).restore(snapshot)
    assert run(other, actions[-3:])[-1] == ends[0]


def test_a_snapshot_is_of_one_instance():
    env = make("SG", 0)
    snapshot = core(env).snapshot()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="another instance"):
        core(env).restore(snapshot)
    env.reset(seed=0)
    core(env).restore(snapshot)


def test_forks_share_nothing_that_changes():
    seed = seed_of(wants_holds)
    actions = expert_actions("SG", seed)
    env = make("SG", seed)
    run(env, actions[:8])
    before, digest = state(env), episode(env).world.digest()
    twins = [core(env).fork() for _ in range(3)]
    rest = run(twins[0], actions[8:])
    run(twins[1], [{"tool": "notes_save", "arguments": {}}, "nonsense"])
    assert (state(env), episode(env).world.digest()) == (before, digest)
    assert run(env, actions[8:]) == rest
    assert run(twins[2], actions[8:]) == rest
    assert rest[-1][1] == 1.0
    assert twins[1].verdict is None
