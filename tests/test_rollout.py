from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from recording import found, recorded, replace, with_step
from toy import ENV_ID, TASK_ID, ShopErrand, install_toy, installed, toy_env
from toy_shop import ShopGetRules

from agentbench_env.calibration import Median, load_medians, read_medians, reference_medians, write_medians
from agentbench_env.errors import EndpointFault, EnvironmentFault, MessageFault
from agentbench_env.policies import load_policy
from agentbench_env.registry import RELEASE
from agentbench_env.rollout import RecordTrajectory, RunWriter, Trajectory
from agentbench_env.rollout.engine import jobs_of, run_episode, run_jobs
from agentbench_env.rollout.record import plain_action
from agentbench_env.rollout.stats import median_of, total_of, wilson
from agentbench_env.rollout.store import Selection, StoreFault, describe_run, read_lines, read_run
from agentbench_env.rollout.summary import Tally
from agentbench_env.rollout.trajectory import content_sha256, read_line
from agentbench_env.rollout.verify import verify_lines, verify_selection
from agentbench_env.world import canonical


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


# --- records


def test_a_record_holds_what_happened():
    one = recorded()
    assert (one.env_id, one.seed, one.policy, one.release) == (ENV_ID, 0, "expert", RELEASE)
    assert one.kwargs == {"split": "train", "difficulty": "standard"}
    assert (one.outcome, one.reward) == ("success", 1.0)
    assert one.verdict is not None
    assert one.verdict.success
    assert one.steps[-1].action["tool"] == "task_finish"
    assert one.steps[-1].terminated
    assert one.lineage_head == one.steps[-1].lineage_head
    assert all(content_sha256(step.content) == step.content_sha256 for step in one.steps)
    assert read_line(one.line()) == one
    assert one.line() == canonical(one)
    assert replace(one, seed=1).line() == canonical(replace(one, seed=1))
    assert one.seal() == one.digest


def test_the_same_episode_gives_the_same_bytes():
    assert recorded(seed=3).line() == recorded(seed=3).line()
    assert recorded(seed=3).line() != recorded(seed=4).line()


def test_an_unseeded_reset_records_the_seed_that_it_chose():
    env = RecordTrajectory(toy_env())
    env.reset(seed=5)
    env.reset()
    env.step("no call")
    env.close()
    assert env.trajectory is not None
    assert env.trajectory.seed != 5
    assert (env.trajectory.outcome, env.trajectory.reward) == ("abandoned", 0.0)
    assert found(env.trajectory) == []


def test_the_sink_gets_every_episode():
    sink: list[Trajectory] = []
    env = RecordTrajectory(toy_env(), sink.append)
    for seed in range(3):
        observation, _ = env.reset(seed=seed)
        load_policy("expert").run(env, observation)
    assert [one.seed for one in sink] == [0, 1, 2]


class Odd:
    pass


@pytest.mark.parametrize(
    "action",
    [
        "plain text",
        b'{"tool": "shop_get_rules"}',
        b"\xff\xfe",
        "\ud800",
        None,
        17,
        float("nan"),
        Odd(),
        {"tool": "shop_list_offers", "arguments": {"item": "\ud800"}},
        {"tool": "shop_list_offers", "arguments": {"item": np.int64(3)}},
        {"tool": "shop_list_offers", "arguments": {3: {1, 2}}},
        {"tool": "shop_save_draft", "arguments": {"offer_id": "x", "count": 2**80}},
        ShopGetRules(),
        {"tool": "shop_get_rules", "usage": {"usd": 0.25, "latency_s": 2.5, "input_tokens": 10}},
    ],
    ids=lambda action: type(action).__name__,
)
def test_whatever_was_done_is_recorded_and_repeats(action):
    env = RecordTrajectory(toy_env())
    env.reset(seed=1)
    env.step(action)
    env.close()
    assert env.trajectory is not None
    assert len(env.trajectory.steps) == 1
    assert found(env.trajectory) == []


def test_recording_does_not_change_numpy_arguments():
    assert plain_action({"arguments": {"count": np.int64(3), "ids": np.array([1, 2])}}) == {
        "arguments": {"count": 3, "ids": [1, 2]}
    }


def test_usage_that_a_policy_reports_is_recorded_and_repeats():
    env = RecordTrajectory(toy_env())
    observation, _ = env.reset(seed=0)
    env.unwrapped.record_usage(input_tokens=900, output_tokens=40, usd=0.1, latency_s=3.0)
    env.unwrapped.record_usage(usd=0.2)
    load_policy("expert").run(env, observation)
    one = env.trajectory
    assert one is not None
    assert [usage.usd for usage in one.steps[0].usage] == [0.1, 0.2, 0.0]
    assert one.steps[0].usage[0].input_tokens == 900
    assert one.cost["inference_usd"] == 0.1 + 0.2
    assert found(one) == []
    assert found(with_step(one, 0, usage=()).sealed())[0] == (0, "now")


def test_only_agentbench_environments_and_plain_arguments_can_be_recorded():
    with pytest.raises(TypeError, match="no Agentbench environment"):
        RecordTrajectory(gym.make("CartPole-v1"))
    with pytest.raises(ValueError, match="module:attribute"):
        RecordTrajectory(toy_env(user=Odd()))


def test_moving_the_environment_past_the_recorder_is_refused():
    env = RecordTrajectory(toy_env())
    env.reset(seed=0)
    env.env.step({"tool": "shop_get_rules"})
    with pytest.raises(RuntimeError, match="past the recorder"):
        env.step({"tool": "shop_get_rules"})


# --- conversations


def said(*calls, **more):
    tool_calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return {"role": "assistant", "content": None, "tool_calls": tool_calls, **more}


def test_a_policy_that_reports_nothing_gets_a_message_for_every_step():
    one = recorded()
    assert one.messages[0] == {"role": "user", "content": one.brief}
    assert [message["role"] for message in one.messages[1:]] == ["assistant", "tool"] * len(one.steps)
    for number, step in enumerate(one.steps):
        call, answer = one.messages[1 + 2 * number : 3 + 2 * number]
        (made,) = call["tool_calls"]
        assert made["id"] == answer["tool_call_id"] == f"call_{number}"
        assert made["function"]["name"] == step.tool
        assert json.loads(made["function"]["arguments"]) == step.action["arguments"]
        assert answer["content"] == step.content
    assert [tool["function"]["name"] for tool in one.tools] == list(toy_env().action_space.tools)
    assert [entry["hash"] for entry in one.lineage] == [step.lineage_head for step in one.steps]


def test_messages_stand_as_the_model_gave_them_and_parallel_calls_are_answered_in_order():
    env = RecordTrajectory(toy_env())
    env.reset(seed=0)
    core = env.unwrapped
    core.record_message({"role": "system", "content": "Be brief."})
    first = said(("shop_get_rules", "{}"), ("no_such_tool", "{"), reasoning="rules first")
    core.record_message(first)
    rules, _, _, _, _ = env.step({"tool": "shop_get_rules", "arguments": "{}"})
    unknown, _, _, _, _ = env.step({"tool": "no_such_tool", "arguments": "{"})
    core.record_message({"role": "assistant", "content": "Shall I go on?"})
    text, _, _, _, _ = env.step("Shall I go on?")
    env.step("I shall.")
    core.record_message(said(("shop_get_rules", "{}")))
    first["tool_calls"].clear()
    env.close()
    one = env.trajectory
    assert one is not None
    assert [message["role"] for message in one.messages] == (
        ["system", "user", "assistant", "tool", "tool", "assistant", "user", "assistant", "user", "assistant"]
    )
    assert one.messages[2] == said(("shop_get_rules", "{}"), ("no_such_tool", "{"), reasoning="rules first")
    answers = [message for message in one.messages if message["role"] == "tool"]
    assert [(answer["tool_call_id"], answer["content"]) for answer in answers] == [
        ("c0", rules["content"]),
        ("c1", unknown["content"]),
    ]
    assert (one.messages[6]["content"], one.messages[7]["content"]) == (text["content"], "I shall.")
    assert text["is_error"]
    assert found(one) == []


def test_a_message_that_announces_another_step_is_refused():
    env = RecordTrajectory(toy_env())
    for action in ({"tool": "shop_list_offers"}, {"tool": "shop_get_rules", "arguments": {"x": 1}}, "text"):
        env.reset(seed=0)
        env.unwrapped.record_message(said(("shop_get_rules", "{}")))
        with pytest.raises(MessageFault, match="the assistant's message says shop_get_rules"):
            env.step(action)
    env.reset(seed=0)
    env.unwrapped.record_message({"role": "assistant", "content": "Well."})
    with pytest.raises(MessageFault, match="says no call"):
        env.step({"tool": "shop_get_rules"})


@pytest.mark.parametrize(
    ("message", "hint"),
    [
        ("hello", "role is 'system' or 'assistant'"),
        ({"role": "tool", "content": "{}"}, "role is 'system' or 'assistant'"),
        ({"role": "system"}, "must be text"),
        ({"role": "assistant", "tool_calls": [{"id": "a"}]}, "the arguments as JSON text"),
        ({"role": "assistant", "tool_calls": "all"}, "the arguments as JSON text"),
        ({"role": "assistant", "content": Odd()}, "no JSON form"),
        ({"role": "assistant", "content": "\ud800"}, "no JSON form"),
    ],
)
def test_what_is_no_message_is_refused(message, hint):
    env = toy_env()
    env.reset(seed=0)
    with pytest.raises(MessageFault, match=hint):
        env.unwrapped.record_message(message)
    assert env.unwrapped.messages == ()


def test_a_system_message_belongs_before_the_first_step():
    env = toy_env()
    env.reset(seed=0)
    env.step({"tool": "shop_get_rules"})
    with pytest.raises(MessageFault, match="before the first step"):
        env.unwrapped.record_message({"role": "system", "content": "Too late."})


# --- outcomes outside the score


class Broken(ShopErrand):
    """A task whose user fails."""

    def reply(self, case, topic, ep):
        raise KeyError("no such topic")


class NeverBegins(ShopErrand):
    """A task that cannot be drawn."""

    def case(self, draw, setting):
        raise ZeroDivisionError("nothing to draw")


class Asks:
    name = "asks"

    def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})
        env.step({"tool": "user_ask", "arguments": {"topic": "budget", "question": "?"}})


class Raises:
    name = "raises"

    def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})
        raise ConnectionError("the model does not answer")


class Stops:
    name = "stops"

    def run(self, env, observation):
        pass


def test_a_fault_of_the_environment_is_an_infrastructure_outcome():
    with installed({"toy-broken": Broken}):
        env = RecordTrajectory(gym.make("Agentbench/toy-broken-SG"), policy="asks")
        one = run_episode(Asks(), env, 0)
        assert (one.outcome, one.reward, one.verdict, len(one.steps)) == ("infrastructure", None, None, 1)
        assert one.failure is not None
        assert one.failure.whose == "environment"
        assert "KeyError" in one.failure.message
        assert found(one) == []
        # A record cannot claim a fault that does not happen.
        harmless = replace(one.failure, action={"tool": "shop_get_rules"})
        assert found(replace(one, failure=harmless).sealed()) == [(None, "messages")]
        forged = replace(one, failure=harmless, messages=one.messages[:-1]).sealed()
        assert found(forged) == [(None, "failure")]


def test_an_episode_that_cannot_begin_is_an_infrastructure_outcome():
    with installed({"toy-never-begins": NeverBegins}):
        env = RecordTrajectory(gym.make("Agentbench/toy-never-begins-SG"))
        one = run_episode(Asks(), env, 7)
        assert (one.outcome, one.seed, one.steps) == ("infrastructure", 7, ())
        assert found(one) == []
        with pytest.raises((EnvironmentFault, ZeroDivisionError)):
            env.reset(seed=7)


def test_a_policy_that_fails_is_an_infrastructure_outcome():
    one = run_episode(Raises(), RecordTrajectory(toy_env()), 0)
    assert (one.outcome, one.reward) == ("infrastructure", None)
    assert one.failure is not None
    assert (one.failure.whose, one.failure.message) == ("policy", "ConnectionError: the model does not answer")
    assert found(one) == []


def test_an_endpoint_that_fails_is_not_the_policys_fault():
    class Unheard(Raises):
        def run(self, env, observation):
            raise EndpointFault("503 for the fifth time")

    one = run_episode(Unheard(), RecordTrajectory(toy_env()), 0, trial=2)
    assert one.failure is not None
    assert (one.outcome, one.reward, one.failure.whose) == ("infrastructure", None, "endpoint")
    assert one.key == (ENV_ID, 0, 2)
    assert found(one) == []


def test_a_policy_that_stops_early_earns_nothing():
    one = run_episode(Stops(), RecordTrajectory(toy_env()), 0)
    assert (one.outcome, one.reward, one.steps) == ("abandoned", 0.0, ())
    assert found(one) == []


def summarized(*episodes, medians=None):
    tally = Tally()
    for one in episodes:
        tally.add(one.result)
    return tally.rows(medians or {})


def test_infrastructure_outcomes_enter_no_rate():
    good, bad = recorded(), run_episode(Raises(), RecordTrajectory(toy_env()), 1)
    (row,), total = summarized(good, bad)
    assert (row.episodes, row.scored, row.success, row.infrastructure, row.rate) == (2, 1, 1, 1, 1.0)
    assert total == replace(row, task="all", market="")


# --- runs


def selection(seeds: int, **kwargs: Any) -> Selection:
    return Selection((ENV_ID,), tuple(range(seeds)), {"split": "train", "difficulty": "standard", **kwargs})


def test_trials_are_episodes_of_their_own():
    covered = Selection((ENV_ID,), (4, 7), {"split": "train", "difficulty": "easy"}, trials=2)
    assert len(covered) == 4
    episodes = list(run_jobs(jobs_of(covered, "expert")))
    assert [one.key for one in episodes] == [(ENV_ID, 4, 0), (ENV_ID, 4, 1), (ENV_ID, 7, 0), (ENV_ID, 7, 1)]
    assert episodes[0].steps == episodes[1].steps


class Samples:
    """A policy that draws from the action space as it is given."""

    name = "samples"

    def run(self, env, observation):
        for _ in range(4):
            env.step(env.action_space.sample())


@pytest.mark.parametrize("policy", ["random", "python:test_rollout:Samples"])
def test_each_trial_has_a_stream_of_its_own_wherever_it_is_played(policy):
    covered = Selection((ENV_ID, f"Agentbench/{TASK_ID}-KR"), (4, 7), {"split": "train", "difficulty": "easy"}, 3)
    jobs = list(jobs_of(covered, policy))
    episodes = list(run_jobs(jobs))
    actions = lambda one: json.dumps([step.action for step in one.steps])
    assert len(set(map(actions, episodes))) == 12
    assert list(run_jobs(jobs, workers=2)) == episodes
    assert list(run_jobs(jobs[5:])) == episodes[5:]
    assert [found(one) for one in episodes] == [[]] * 12


def test_processes_give_the_same_records_in_the_same_order():
    jobs = list(jobs_of(selection(6), "random"))
    alone = list(run_jobs(jobs))
    assert [one.seed for one in alone] == list(range(6))
    assert list(run_jobs(jobs, workers=2)) == alone


def test_a_run_is_written_and_read_back(tmp_path):
    run = describe_run("expert", selection(4))
    episodes = list(run_jobs(jobs_of(run.selection, "expert")))
    with RunWriter(tmp_path / "run", run) as writer:
        for one in episodes:
            writer.write(one)
            assert (tmp_path / "run" / "episodes-00000.jsonl").read_bytes().endswith(one.line() + b"\n")
    lines = list(read_lines(tmp_path / "run"))
    assert read_run(tmp_path / "run") == run
    assert [read_line(line.raw) for line in lines] == episodes
    assert [line.place for line in lines][:2] == ["episodes-00000.jsonl:1", "episodes-00000.jsonl:2"]
    assert not any(checked.differences for checked in verify_lines(lines, workers=2))
    assert list(verify_selection(tmp_path / "run", episodes)) == []


def test_dropped_doubled_and_foreign_episodes_are_found(tmp_path):
    run = describe_run("expert", selection(3))
    RunWriter(tmp_path, run).close()
    zero, one, two = run_jobs(jobs_of(run.selection, "expert"))
    by_field = lambda episodes: [(d.seed, d.field) for d in verify_selection(tmp_path, episodes)]
    assert by_field([zero, one, two]) == []
    assert by_field([zero, two]) == [(1, "episodes")]
    assert by_field([zero, one, one, two]) == [(1, "episodes")]
    assert by_field([zero, one, recorded("random", 2)]) == [(2, "policy")]
    assert by_field([zero, one, recorded("expert", 2, difficulty="easy")]) == [(2, "kwargs.difficulty")]


def test_a_directory_has_one_writer_and_one_run(tmp_path):
    run = describe_run("expert", selection(1))
    with RunWriter(tmp_path, run), pytest.raises(StoreFault, match="another writer"):
        RunWriter(tmp_path, run)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json", "writer.lock"]
    with RunWriter(tmp_path, run) as writer:
        writer.write(recorded("expert", 0))
    with pytest.raises(StoreFault, match="already holds a run"):
        RunWriter(tmp_path, run)


def test_threads_may_write_one_run(tmp_path, monkeypatch):
    monkeypatch.setattr("agentbench_env.rollout.writer.EPISODES_A_SHARD", 3)
    run = describe_run("expert", selection(6))
    played = list(run_jobs(jobs_of(run.selection, "expert")))
    with RunWriter(tmp_path, run) as writer, ThreadPoolExecutor(8) as pool:
        list(pool.map(writer.write, played * 20))
    written = [read_line(line.raw) for line in read_lines(tmp_path)]
    assert Counter(one.seed for one in written) == dict.fromkeys(range(6), 20)
    assert {line.place.partition(":")[2] for line in read_lines(tmp_path)} == {"1", "2", "3"}


def test_long_runs_are_cut_into_shards(tmp_path, monkeypatch):
    monkeypatch.setattr("agentbench_env.rollout.writer.EPISODES_A_SHARD", 2)
    with RunWriter(tmp_path, describe_run("expert", selection(3))) as writer:
        for one in run_jobs(jobs_of(selection(3), "expert")):
            writer.write(one)
    assert [line.place for line in read_lines(tmp_path)] == [
        "episodes-00000.jsonl:1",
        "episodes-00000.jsonl:2",
        "episodes-00001.jsonl:1",
    ]


# --- statistics and reference medians


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    # Closed form at the ends: z^2 / (n + z^2); the others from a published calculator's rounding to four places.
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662), (0, 0, 0.0, 1.0)],
)
def test_wilson(successes, n, low, high):
    assert wilson(successes, n) == pytest.approx((low, high), abs=6e-5)


def test_wilson_refuses_what_cannot_be():
    with pytest.raises(ValueError, match="from 0 to n"):
        wilson(3, 2)


def test_median_and_total():
    assert median_of([3.0, None, 1.0, 2.0]) == 2.0
    assert median_of([None]) is None
    assert total_of([0.5, 0.25]) == 0.75
    assert total_of([0.5, None]) is None
    assert total_of([]) is None


def test_medians_are_written_read_and_divided_by(tmp_path):
    file = tmp_path / "deep" / "medians.toml"
    median = Median(24.0, 9, 10, RELEASE, "2026-05-01", 'the "pilot" \\ 파일럿', "standard", 0.5)
    medians = {TASK_ID: {"SG": median, "KR": replace(median, cost_usd=None)}}
    write_medians(file, medians)
    assert read_medians(file) == medians
    assert load_medians(file)[TASK_ID] == medians[TASK_ID]
    assert load_medians(tmp_path / "none.toml") == load_medians()
    assert reference_medians(TASK_ID, "SG", str(file)) == (24.0, 0.5)
    assert reference_medians(TASK_ID, "SG") == (None, None)

    env = toy_env(reference=str(file))
    observation, info = env.reset(seed=0)
    assert info["normalized"] == {"time": None, "cost": None}
    env.unwrapped.record_usage(usd=0.99)
    load_policy("expert").run(env, observation)
    _, info = env.unwrapped._observation(), env.unwrapped._info()
    assert info["normalized"]["time"] == 24.0 / info["time"]["elapsed_s"]
    assert info["normalized"]["cost"] == 0.5 / info["cost"]["total_usd"]

    row = summarized(recorded(), medians=medians)[0][0]
    assert row.normalized_time == 24.0 / row.median_time_s
    assert row.normalized_cost == 0.5 / row.median_cost_usd


def test_a_file_of_something_else_is_refused(tmp_path):
    file = tmp_path / "other.toml"
    file.write_text("[a.b]\nc = 1\n")
    with pytest.raises(ValueError, match="no file of reference medians"):
        read_medians(file)
