"""Whole runs verified, and records without the private texts of their policy."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from commandline import data, run
from recording import found, recorded, replace, write_run
from toy import ENV_ID, install_toy, toy_env

from agentbench_env.errors import PolicyStopped
from agentbench_env.registry import RELEASE
from agentbench_env.rollout import RecordTrajectory, RunWriter, Trajectory
from agentbench_env.rollout.engine import run_episode
from agentbench_env.rollout.redact import MARK, public_policy, redact
from agentbench_env.rollout.store import Selection, describe_run
from agentbench_env.rollout.verification import MOST_LISTED, Verification, verify_run

PROMPT = "You are a careful assistant of the Nine Lanterns team."
THOUGHT = "The user wants a kettle, so I list kettles."


class Thinks:
    """Looks around in words, in a call and in nonsense, and thinks for two seconds each time."""

    name = "thinks"

    def run(self, env, observation):
        core: Any = env.unwrapped
        core.record_message({"role": "system", "content": PROMPT})
        calls = [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "shop_list_offers", "arguments": '{"item": "kettle"}'},
                "extra_content": {"signature": THOUGHT},
            }
        ]
        told = {"role": "assistant", "content": THOUGHT, "reasoning_content": THOUGHT, "tool_calls": calls}
        core.record_message(told)
        core.record_usage(input_tokens=300, output_tokens=40, usd=0.001, latency_s=2.0)
        env.step({"tool": "shop_list_offers", "arguments": {"item": "kettle"}})
        core.record_message({"role": "assistant", "content": "Shall I?", "reasoning": THOUGHT})
        core.record_usage(latency_s=2.0)
        env.step("Shall I?")
        core.record_message({"role": "assistant", "content": f"<think>{THOUGHT}</think>Shall I?"})
        core.record_usage(latency_s=2.0)
        env.step("Shall I?")


class Breaks(Thinks):
    """The same, and then its endpoint says more than it should."""

    def run(self, env, observation):
        super().run(env, observation)
        raise ConnectionError(f"no answer to {PROMPT}")


class Stops(Thinks):
    """The same, and then its model can take no more."""

    def run(self, env, observation):
        super().run(env, observation)
        raise PolicyStopped(f"too long: {PROMPT}")


def thinking(seed: int = 0, policy: Any = None) -> Trajectory:
    return run_episode(policy or Thinks(), RecordTrajectory(toy_env(), policy="thinks"), seed)


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


# --- whole runs


def test_a_verification_says_what_a_leaderboard_needs(tmp_path):
    folder = write_run(tmp_path / "run", "thinks", [thinking(seed) for seed in range(3)])
    shown = data("verify", folder)
    assert shown["verified"] is True
    (one,) = (msgspec.convert(each, Verification) for each in shown["runs"])
    assert (one.name, one.release, one.episodes, one.sound, one.outcomes) == ("run", RELEASE, 3, 3, {"abandoned": 3})
    assert one.run is not None
    assert (one.run.policy, one.run.selection.seeds) == ("thinks", (0, 1, 2))
    assert one.model_s == 18.0
    # The seconds are told to the millisecond.
    assert one.times_faster == pytest.approx(18 / one.seconds, rel=0.0006 / one.seconds + 0.001)
    assert one.times_faster > 50
    assert "thought for 18.0 s" in run("verify", folder).stdout
    other = write_run(tmp_path / "other", "thinks", [thinking(seed) for seed in range(2, 5)])
    assert verify_run(other).digest != one.digest
    assert verify_run(folder, workers=2).digest == one.digest


def test_thinking_time_that_is_not_known_is_not_guessed(tmp_path):
    found = verify_run(write_run(tmp_path / "run", "expert", [recorded(seed=seed) for seed in range(2)]))
    assert (found.verified, found.model_s, found.times_faster) == (True, None, None)


def test_differences_are_listed_and_counted(tmp_path):
    forged = replace(thinking(), reward=1.0).sealed()
    file = tmp_path / "many.jsonl"
    file.write_bytes((forged.line() + b"\n") + b"{}\n" * (MOST_LISTED + 1))
    verification = verify_run(file)
    assert (verification.verified, verification.episodes, verification.sound) == (False, MOST_LISTED + 2, 0)
    assert len(verification.differences) == MOST_LISTED
    assert verification.unlisted == 2
    assert verification.differences[0].field == "reward"
    assert "2 more differences" in run("verify", file, status=1).stdout


def test_what_is_no_run_is_read_all_the_same(tmp_path):
    folder = write_run(tmp_path / "run", "thinks", [thinking(0), thinking(1)])
    (folder / "run.json").unlink()
    verification = verify_run(folder)
    assert (verification.episodes, verification.sound, verification.verified) == (2, 2, False)
    assert [one.field for one in verification.differences] == ["run"]
    assert verification.run is None


def test_a_conversation_that_tells_of_another_call_is_found():
    one = recorded()
    told = json.loads(json.dumps(one.messages[1]).replace("shop_list_offers", "shop_get_rules"))
    assert found(replace(one, messages=(one.messages[0], told, *one.messages[2:])).sealed()) == [(0, "action")]


def test_every_trial_that_was_asked_for_is_missed(tmp_path):
    chosen = Selection((ENV_ID,), (0,), {"split": "train", "difficulty": "standard"}, trials=2)
    with RunWriter(tmp_path / "run", describe_run("expert", chosen)) as writer:
        writer.write(recorded())
        writer.write(replace(recorded(), trial=7).sealed())
    shown = [str(one) for one in verify_run(tmp_path / "run").differences]
    assert shown == [
        f"run/run.json {ENV_ID} seed 0 trial 1: episodes: recorded 1, found 0",
        f"run/run.json {ENV_ID} seed 0 trial 7: episodes: recorded 0, found 1",
    ]


# --- redaction


def test_a_redacted_record_holds_no_private_text_and_verifies():
    whole = thinking()
    short = redact(whole)
    assert found(whole) == found(short) == []
    for text in (PROMPT, THOUGHT):
        assert text.encode() in whole.line()
        assert text.encode() not in short.line()
    assert [message["content"] for message in short.messages if message["role"] == "system"] == [MARK]
    said = [message for message in short.messages if message["role"] == "assistant"]
    assert [message["content"] for message in said] == [None, "Shall I?", MARK]
    assert said[0]["tool_calls"][0]["function"] == whole.messages[2]["tool_calls"][0]["function"]
    assert short.steps == whole.steps
    assert (short.reward, short.cost, short.lineage_head) == (whole.reward, whole.cost, whole.lineage_head)


def test_a_redacted_record_says_what_was_removed_and_from_what():
    whole = thinking()
    short = redact(whole)
    assert short.redacted is not None
    assert short.redacted.of == whole.digest != short.digest
    assert short.redacted.removed == (
        *("assistant.content", "assistant.reasoning", "assistant.reasoning_content", "assistant.tool_calls"),
        "system",
    )
    assert redact(short) is short
    nothing = redact(recorded()).redacted
    assert nothing is not None
    assert nothing.removed == ()
    lie = replace(whole, redacted=short.redacted).sealed()
    assert found(lie) == [(None, "redacted")]


def test_the_message_of_a_failure_that_is_not_the_suites_is_removed():
    whole = thinking(policy=Breaks())
    short = redact(whole)
    assert whole.failure is not None
    assert PROMPT in whole.failure.message
    assert PROMPT.encode() not in short.line()
    assert short.failure is not None
    assert (short.failure.whose, short.failure.message) == ("policy", MARK)
    assert found(short) == []


def test_why_a_policy_stopped_is_removed():
    whole = thinking(policy=Stops())
    short = redact(whole)
    assert (whole.outcome, PROMPT in whole.stopped) == ("abandoned", True)
    assert short.redacted is not None
    assert (short.stopped, "stopped" in short.redacted.removed) == (MARK, True)
    assert found(short) == []


def test_the_command_writes_a_submission_that_verifies(tmp_path):
    folder = write_run(tmp_path / "run", "thinks", [thinking(seed) for seed in range(3)])
    submission = tmp_path / "submission"
    assert f"3 redacted episodes written to {submission}" in run("verify", folder, "--redact", submission).stdout
    assert not any(PROMPT.encode() in file.read_bytes() for file in submission.iterdir())
    (shown,) = data("verify", submission)["runs"]
    assert (shown["verified"], shown["redacted"], shown["episodes"]) == (True, 3, 3)
    assert "exists already" in run("verify", folder, "--redact", submission, status=2).stderr
    assert "one run's directory" in run("verify", folder, folder, "--redact", tmp_path / "x", status=2).stderr


@pytest.mark.parametrize(
    ("policy", "public"),
    [
        (
            "chat:org/m-1?api_key_env=KEY_OF_ANN&base_url=http://ann.example/v1&system_file=/home/ann/p&temperature=0.5",
            "chat:org/m-1?temperature=0.5",
        ),
        ("chat:m?base_url=http://10.0.0.7:8000/v1", "chat:m"),
        ("chat:/home/ann/m.gguf?top_p=0.9", "chat:m.gguf?top_p=0.9"),
        (r"chat:C:\\ann\\m.gguf", "chat:m.gguf"),
        ("replay:/home/ann/e.jsonl", "replay:e.jsonl"),
        ("python:ann.agents:Careful", "python:Careful"),
        ("shortcut:first", "shortcut:first"),
        ("expert", "expert"),
    ],
)
def test_a_policys_name_loses_what_tells_of_its_owner(tmp_path, policy, public):
    assert public_policy(policy) == public == public_policy(public)
    folder = write_run(tmp_path / "run", policy, [thinking()])
    run("verify", folder, "--redact", tmp_path / "submission")
    written = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "submission").iterdir())
    assert not re.search(r"KEY_OF_ANN|ann\.|/ann|\\ann|10\.0\.0\.7", written)
    run("verify", tmp_path / "submission")


def test_what_does_not_verify_is_not_redacted(tmp_path):
    forged = replace(thinking(), reward=1.0).sealed()
    folder = write_run(tmp_path / "run", "thinks", [forged])
    run("verify", folder, "--redact", tmp_path / "submission", status=1)
    assert not (tmp_path / "submission").exists()
