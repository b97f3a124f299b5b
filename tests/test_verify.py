from __future__ import annotations

import json
from typing import Any

import pytest
from recording import found, recorded, replace, with_action, with_step
from toy import ENV_ID

from agentbench_env.rollout import Trajectory
from agentbench_env.rollout.store import Line
from agentbench_env.rollout.trajectory import Step, content_sha256
from agentbench_env.rollout.verify import Trust, verify_line


@pytest.mark.parametrize("kwargs", [{}, {"difficulty": "hard", "split": "test"}, {"faults": 0.3}, {"market": "KR"}])
@pytest.mark.parametrize("policy", ["expert", "random"])
def test_true_records_pass(policy, kwargs):
    for seed in range(3):
        assert found(recorded(policy, seed, **kwargs)) == []


def test_any_changed_byte_is_found():
    line = recorded().line() + b"\n"
    for place in range(0, len(line), 97):
        for change in (line[place] ^ 1, 0x20):
            changed = line[:place] + bytes([change]) + line[place + 1 :]
            if changed != line:
                assert verify_line(Line("e:1", changed)).differences, (place, changed[place - 20 : place + 20])


def swapped(one: Trajectory) -> Trajectory:
    steps = list(one.steps)
    steps[1], steps[2] = steps[2], steps[1]
    return replace(one, steps=tuple(steps))


def another_item(step: Step) -> Any:
    return {**step.action, "arguments": {**step.action["arguments"], "item": "teapots"}}


def another_text(one: Trajectory) -> Trajectory:
    content = one.steps[0].content.replace("5", "6", 1)
    return with_step(one, 0, content=content, content_sha256=content_sha256(content))


def better(one: Trajectory) -> Trajectory:
    assert one.verdict is not None
    clauses = tuple(replace(clause, held=True) for clause in one.verdict.clauses)
    steps = (*one.steps[:-1], replace(one.steps[-1], reward=1.0))
    return replace(
        one,
        verdict=replace(one.verdict, outcome="success", clauses=clauses),
        outcome="success",
        reward=1.0,
        steps=steps,
    )


def another_answer(one: Trajectory) -> Trajectory:
    return replace(one, messages=(*one.messages[:-1], {**one.messages[-1], "content": "{}"}))


TAMPERED = {
    "an action alone": (lambda one: with_step(one, 0, action=another_item(one.steps[0])), (0, "action")),
    "action": (lambda one: with_action(one, 0, another_item(one.steps[0])), (0, "content")),
    "observation": (another_text, (0, "content")),
    "observation hash": (lambda one: with_step(one, 1, content_sha256="0" * 64), (1, "content_sha256")),
    "time of a step": (lambda one: with_step(one, 1, elapsed_s=0.0), (1, "elapsed_s")),
    "reward": (lambda one: replace(one, reward=0.0), (None, "reward")),
    "order": (swapped, (1, "action")),
    "a step left out": (lambda one: replace(one, steps=one.steps[1:]), (0, "action")),
    "a step too many": (lambda one: replace(one, steps=(*one.steps, one.steps[0])), (None, "steps")),
    "the last step left out": (lambda one: replace(one, steps=one.steps[:-1]), (None, "outcome")),
    "verdict": (
        lambda one: replace(one, verdict=replace(one.verdict, clauses=one.verdict.clauses[1:])),
        (None, "verdict"),
    ),
    "time": (lambda one: replace(one, time={"elapsed_s": 1.0, "limit_s": 600.0}), (None, "time")),
    "cost": (lambda one: replace(one, cost={**one.cost, "tool_fees_usd": 0.0}), (None, "cost")),
    "seed": (lambda one: replace(one, seed=1), (None, "instance_digest")),
    "difficulty": (lambda one: replace(one, kwargs={**one.kwargs, "difficulty": "hard"}), (None, "instance_digest")),
    "brief": (lambda one: replace(one, brief=one.brief.replace("order", "send")), (None, "brief")),
    "environment": (lambda one: replace(one, env_id="Agentbench/toy-shop-errand-KR"), (None, "instance_digest")),
    "unknown environment": (lambda one: replace(one, env_id="os:Agentbench/toy-shop-errand-SG"), (None, "env_id")),
    "bare environment": (lambda one: replace(one, env_id="toy-shop-errand-SG"), (None, "env_id")),
    "tools": (lambda one: replace(one, tools=one.tools[1:]), (None, "tools")),
    "conversation": (lambda one: replace(one, messages=one.messages[:-1]), (None, "messages")),
    "a result in the conversation": (another_answer, (None, "messages")),
    "a message of somebody else": (
        lambda one: replace(one, messages=({"role": "assistant", "content": 3, "tool_calls": 3}, *one.messages)),
        (None, "messages"),
    ),
    "entries of the lineage": (lambda one: replace(one, lineage=one.lineage[1:]), (None, "lineage")),
    "lineage": (lambda one: replace(one, lineage_head="0" * 64), (None, "lineage_head")),
    "release": (lambda one: replace(one, release="1999.1"), (None, "release")),
    "argument": (lambda one: replace(one, kwargs={**one.kwargs, "salt": "x"}), (None, "kwargs.salt")),
    "impossible argument": (lambda one: replace(one, kwargs={**one.kwargs, "faults": 9}), (None, "steps")),
    "impossible seed": (lambda one: replace(one, seed=-1), (None, "steps")),
    "user": (lambda one: replace(one, kwargs={**one.kwargs, "user": "os:abort"}), (None, "kwargs.user")),
    "clock": (lambda one: replace(one, kwargs={**one.kwargs, "clock": "wall"}), (None, "kwargs.clock")),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_a_forger_who_computes_the_digest_anew_is_found_by_re_execution(name):
    forge, where = TAMPERED[name]
    forged = forge(recorded(seed=0))
    plain, resealed = found(forged), found(forged.sealed())
    assert (None, "digest") in plain
    assert (None, "digest") not in resealed
    assert where in resealed
    assert set(resealed) <= set(plain)


def test_a_failed_episode_cannot_be_turned_into_a_success():
    failed = recorded("random", 0)
    assert failed.reward == 0.0
    assert {field for _, field in found(better(failed).sealed())} == {"reward"}


def test_what_re_execution_cannot_see_is_guarded_by_the_digest():
    assert found(replace(recorded(), policy="somebody else's")) == [(None, "digest")]


def test_an_argument_that_shows_in_no_result_is_found_by_the_lineage():
    one = next(one for one in (recorded(seed=seed) for seed in range(9)) if len(one.steps) > 5)
    number = next(n for n, step in enumerate(one.steps) if step.tool == "user_request_approval")
    action = json.loads(json.dumps(one.steps[number].action))
    action["arguments"]["summary"] = "Send it."
    assert found(with_action(one, number, action).sealed()) == [(number, "lineage_head")]


def test_a_difference_names_its_episode_step_and_values():
    forged = with_step(recorded(), 1, now="2026-01-01T00:00:00+08:00").sealed()
    (difference,) = verify_line(Line("episodes-00000.jsonl:9", forged.line() + b"\n")).differences
    text = str(difference)
    assert text.startswith(
        f"episodes-00000.jsonl:9 {ENV_ID} seed 0 step 1: now: recorded 2026-01-01T00:00:00+08:00, found 2"
    )


DEEP = b'{"brief": "", "steps": [{"action": ' + b"[" * 100_000 + b"\n"


@pytest.mark.parametrize(
    "raw", [b"\n", b"{}\n", b'{"format": 1}\n', b"garbage\n", b"\xff\n", b"[" * 5000 + b"\n", DEEP]
)
def test_what_is_no_record_is_said_to_be_none(raw):
    (difference,) = verify_line(Line("e:1", raw)).differences
    assert difference.field == "line"


def test_a_private_record_holds_no_secret_and_verifies_with_it():
    one = recorded(split="private", salt="kept to ourselves")
    assert b"kept to ourselves" not in one.line()
    assert found(one, Trust(salt="kept to ourselves")) == []
    assert (None, "instance_digest") in found(one, Trust(salt="guessed"))
    assert found(one) == [(None, "steps")]
