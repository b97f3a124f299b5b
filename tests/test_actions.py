"""Any action whatever is a step: nothing is raised, and one that makes no sense changes nothing."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from showcase import MARKETS, TASK_ID, core, episode, make, state
from toy import toy_env

from agentbench_env.action import LONGEST_ACTION, MOST_USAGE
from agentbench_env.registry import load_task
from agentbench_env.user import UserAsk

SHARE = 10_000 // len(MARKETS) + 1
TOOLS = make("SG").action_space.tools
INFO = {"time", "cost", "normalized", "lineage_head", "outcome", "verdict"}


def nested(make_one: Any, depth: int) -> Any:
    value: Any = None
    for _ in range(depth):
        value = make_one(value)
    return value


class Unfriendly:
    def __repr__(self):
        raise RuntimeError("no text")


class UnfriendlyDict(dict):
    def get(self, *args):
        raise RuntimeError("no values")


class Text(str):
    pass


CYCLE: dict[str, Any] = {}
CYCLE["tool"] = CYCLE
ASK = {"topic": "other", "question": "?"}


def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
    return {"tool": tool, "arguments": arguments}


NO_CALLS: dict[str, Any] = {
    "nothing": None,
    "true": True,
    "nan": float("nan"),
    "a huge number": 10**5000,
    "text": "I would rather talk.",
    "no text at all": "",
    "10 MB of text": "x" * 10_000_000,
    "10 MB of bytes": b"\xff" * 10_000_000,
    "10 MB in an argument": call("user_ask", topic="other", question="x" * 10_000_000),
    "bytes": b'{"tool": ',
    "a byte order mark": '\ufeff{"tool": "papers_list"}',
    "a lone surrogate": "\ud800",
    "a surrogate as a tool": {"tool": "\ud800"},
    "a surrogate as a key": {"tool": "papers_list", "\ud800": 1},
    "a surrogate in an argument": call("user_ask", topic="other", question="\ud800"),
    "a surrogate in a proposal": call("user_request_approval", tool="booking_hold", arguments={"a": "\ud800"}),
    "an object": object(),
    "an unfriendly object": Unfriendly(),
    "an unfriendly dict": UnfriendlyDict(tool="papers_list"),
    "an unfriendly tool": {"tool": Unfriendly()},
    "an unfriendly key": {Unfriendly(): 1, "tool": "papers_list"},
    "an unfriendly argument": call("user_ask", topic="other", question=Unfriendly()),
    "an unfriendly proposal": call(
        "user_request_approval", tool="booking_hold", arguments={"a": Unfriendly()}, summary="x"
    ),
    "a class": dict,
    "a function": len,
    "an array": np.arange(3),
    "a list": [call("papers_list")],
    "deep lists": nested(lambda inner: [inner], 50_000),
    "deep objects": nested(lambda inner: {"tool": inner}, 5000),
    "deep text": "[" * 100_000,
    "deep arguments": call("plan_save", title="x", items=nested(lambda inner: [inner], 5000)),
    "deep arguments as text": call("plan_save", title="x", items="[" * 100_000),
    "a deep proposal": call(
        "user_request_approval", tool="booking_hold", arguments=nested(lambda a: {"a": a}, 5000), summary="x"
    ),
    "a cycle": CYCLE,
    "a cycle in an argument": call("plan_save", title="x", items=[CYCLE]),
    "a huge argument": call("booking_quote", object_id="x", adults=10**5000),
    "a long number as text": call("booking_quote", object_id="x", adults="9" * 5000),
    "an infinite argument": call("booking_quote", object_id="x", adults=float("inf")),
    "an infinity in text": '{"tool": "booking_quote", "arguments": {"object_id": "x", "adults": 1e999}}',
    "no tool": {"arguments": {}},
    "an unknown tool": call("papers_lst"),
    "an extra key": {"tool": "papers_list", "args": {}},
    "arguments that are none": {"tool": "papers_list", "arguments": None},
    "arguments that are a list": {"tool": "papers_list", "arguments": []},
    "arguments that are no JSON": {"tool": "papers_list", "arguments": "{"},
    "arguments named by numbers": {"tool": "papers_list", "arguments": {1: 2}},
    "a missing argument": call("user_ask", topic="other"),
    "an extra argument": call("user_ask", **ASK, urgent=True),
    "an unknown option": call("user_ask", topic="weather", question="?"),
}


@pytest.mark.parametrize("market", MARKETS)
def test_random_calls_never_raise(market):
    env = make(market, 0)
    space, planned = env.action_space, load_task(TASK_ID).planned_refusals
    space.seed(1)
    errors = 0
    for _ in range(SHARE):
        action = space.sample()
        assert space.contains(action)
        before = state(env)
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space
        assert info.keys() == INFO
        assert reward == 0
        if observation["is_error"] and core(env).lineage[-1].error not in planned:
            errors += 1
            assert state(env) == before
        if terminated or truncated:
            env.reset()
    assert 0 < errors < SHARE


def malformed(draw: random.Random, action: dict[str, Any]) -> Any:
    """Spoil a call that fits the schemas."""
    tool, arguments = action["tool"], dict(action["arguments"])
    fields = list(TOOLS[tool].model_fields)
    required = [name for name in fields if TOOLS[tool].model_fields[name].is_required()]
    kind = draw.randrange(10)
    if kind == 0 and required:
        del arguments[draw.choice(required)]
        return {"tool": tool, "arguments": arguments}
    if kind == 1 and fields:
        return {"tool": tool, "arguments": arguments | {draw.choice(fields): {"no": "such thing"}}}
    if kind == 2:
        return {"tool": tool, "arguments": arguments | {"reason": "because"}}
    if kind == 3:
        return json.dumps(action)[: -draw.randint(1, 9)]
    if kind == 4:
        return {"tool": f"{tool[1:]}", "arguments": arguments}
    if kind == 5:
        return action | {draw.choice(("args", "id", "type")): tool}
    if kind == 6:
        return action | {"usage": {draw.choice(("usd", "latency_s")): draw.choice((-1, "1", True, [], 1e300))}}
    if kind == 7:
        return {"tool": tool, "arguments": list(arguments.values())}
    if kind == 8:
        return [action]
    return f"{tool}({', '.join(arguments)})"


@pytest.mark.parametrize("market", MARKETS)
def test_malformed_actions_change_nothing(market):
    env, draw = make(market, 1, max_steps=10_000), random.Random(7)
    env.action_space.seed(7)
    for action in ("papers_list", "wallet_list_cards"):
        env.step({"tool": action})
    digest, before = episode(env).world.digest(), state(env)
    for number in range(SHARE):
        action = malformed(draw, env.action_space.sample())
        observation, _, terminated, truncated, _ = env.step(action)
        assert (observation["is_error"], terminated, truncated) == (1, False, False), action
        assert state(env) == before
        if number % 100 == 0:
            assert episode(env).world.digest() == digest
    assert episode(env).world.digest() == digest
    assert core(env).lineage.verify()


@pytest.mark.parametrize("action", NO_CALLS.values(), ids=NO_CALLS.keys())
def test_no_call_is_a_step_that_says_what_would_be_right(action):
    env = make("KR", 2)
    before, digest = state(env), episode(env).world.digest()
    observation, reward, terminated, truncated, info = env.step(action)
    body = json.loads(observation["content"])
    assert observation in env.observation_space
    assert (observation["is_error"], observation["step"], reward) == (1, 1, 0.0)
    assert not terminated
    assert not truncated
    assert body.keys() == {"error", "field", "message", "hint"}
    assert body["message"]
    assert body["hint"] or body["field"]
    assert info.keys() == INFO
    assert (state(env), episode(env).world.digest()) == (before, digest)
    assert core(env).lineage.verify()
    assert env.step(call("papers_list"))[0]["is_error"] == 0


@pytest.mark.parametrize(
    ("action", "field", "hint"),
    [
        (call("booking_quote", adults=1), "object_id", "Id of the fare or rate"),
        (call("booking_quote", object_id="x", adults="two"), "adults", "Number of adults"),
        (call("booking_quote", object_id="x", adults=1, bags=[{"kg": 23}]), "bags.0.pieces", "Number of bags"),
        (call("booking_quote", object_id="x", adults=1, seats=1), "seats", "object_id, adults"),
        (call("user_ask", topic="weather", question="?"), "topic", "flexibility_dates"),
        (call("papers_list", **{"x" * 20_000: 1}), "x" * 40, "arguments of papers_list"),
        (call("papers_lst"), "tool", "papers_list"),
        ({"tool": "papers_list", "usage": {"usd": "x"}}, "usage", "latency_s"),
    ],
)
def test_a_refusal_names_the_field_and_what_would_be_right(action, field, hint):
    env = make("SG", 0)
    observation, *_ = env.step(action)
    assert env.observation_space.contains(observation)
    body = json.loads(observation["content"])
    assert body["field"] == field
    assert hint in body["hint"]


@pytest.mark.parametrize(
    "action",
    [
        {"tool": "user_ask", "arguments": ASK},
        '{"tool": "user_ask", "arguments": {"topic": "other", "question": "?"}}',
        Text('{"tool": "user_ask", "arguments": {"topic": "other", "question": "?"}}'),
        b'{"arguments": {"question": "?", "topic": "other"}, "tool": "user_ask"}',
        {"tool": "user_ask", "arguments": '{"topic": "other", "question": "?"}'},
        {"tool": np.str_("user_ask"), "arguments": ASK},
        TOOLS["user_ask"](**ASK),
        UserAsk(**ASK),
    ],
    ids=["object", "text", "text of a kind", "bytes", "text inside", "numpy", "typed", "typed elsewhere"],
)
def test_one_call_in_all_its_forms(action):
    env, twin = make("SG", 3), make("SG", 3)
    assert env.step(action)[0] == twin.step(call("user_ask", **ASK))[0]
    assert core(env).lineage.head == core(twin).lineage.head


# --- usage


@pytest.mark.parametrize("form", [lambda action: action, json.dumps, lambda action: json.dumps(action).encode()])
def test_usage_in_an_action_counts(form):
    env = make("SG", 0)
    info = env.step(form({"tool": "papers_list", "usage": {"usd": 0.25, "latency_s": 2, "input_tokens": 900}}))[4]
    assert info["cost"]["inference_usd"] == 0.25
    assert info["time"]["elapsed_s"] == 2 + TOOLS["papers_list"].latency_s
    assert core(env).usage == ({"usd": 0.25, "latency_s": 2, "input_tokens": 900},)
    assert env.step({"tool": "no_such", "usage": {"usd": 0.5}})[4]["cost"]["inference_usd"] == 0.75


BAD_USAGE = [
    "x",
    [1],
    {"usd": "x"},
    {"usd": True},
    {"usd": -0.1},
    {"usd": float("nan")},
    {"usd": float("inf")},
    {"usd": 10**400},
    {"usd": MOST_USAGE * 2},
    {"latency_s": "1"},
    {"latency_s": -1},
    {"latency_s": 1e300},
    {"input_tokens": 1.5},
    {"output_tokens": True},
    {"dollars": 1},
    {"usd": 0.5, "latency_s": "x"},
]


@pytest.mark.parametrize("usage", BAD_USAGE, ids=repr)
def test_a_bad_usage_is_a_refusal_and_counts_nothing(usage):
    env = make("SG", 0)
    before = state(env)
    observation, _, _, _, info = env.step({"tool": "papers_list", "usage": usage})
    body = json.loads(observation["content"])
    assert (body["error"], body["field"]) == ("invalid_action", "usage")
    assert state(env) == before
    assert core(env).usage == ()
    assert info["cost"] == {"inference_usd": None, "tool_fees_usd": 0.0, "total_usd": None}
    assert info["time"]["elapsed_s"] == 0
    if isinstance(usage, dict) and "dollars" not in usage:
        with pytest.raises(ValueError, match=f"is no (whole )?number from 0 to {MOST_USAGE}"):
            core(env).record_usage(**usage)
        assert core(env).usage == ()


def test_an_action_may_be_long_but_not_too_long():
    env, blank = make("SG", 0), '{"tool": "papers_list"}'
    assert env.step(blank.ljust(LONGEST_ACTION))[0]["is_error"] == 0
    assert str(LONGEST_ACTION) in env.step(blank.ljust(LONGEST_ACTION + 1))[0]["content"]


# --- anything at all

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), ANY_TEXT, st.just(10**400), st.binary())
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4), max_leaves=6
)
FIELDS = sorted({name for tool in TOOLS.values() for name in tool.model_fields})
ARGUMENTS = st.one_of(VALUES, st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5))
CALLS = st.fixed_dictionaries(
    {"tool": st.sampled_from([*TOOLS, ""]) | VALUES, "arguments": ARGUMENTS},
    optional={"usage": VALUES, "extra": VALUES},
)


def as_text(value: Any) -> Any:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        return value


ANYTHING = st.one_of(VALUES, CALLS, CALLS.map(as_text), VALUES.map(as_text))


def step_safely(env: Any, action: Any) -> None:
    env.reset(seed=5)
    before, digest = state(env), episode(env).world.digest()
    observation = env.step(action)[0]
    assert observation in env.observation_space
    observation["content"].encode()
    if observation["is_error"]:
        assert (state(env), episode(env).world.digest()) == (before, digest)


@settings(max_examples=250, deadline=None)
@given(ANYTHING)
def test_anything_is_a_step_in_the_showcase(action):
    step_safely(SHOWCASE, action)


@settings(max_examples=150, deadline=None)
@given(ANYTHING | st.fixed_dictionaries({"tool": st.just("shop_save_draft"), "arguments": ARGUMENTS}))
def test_anything_is_a_step_in_the_toy(action):
    step_safely(TOY, action)


SHOWCASE, TOY = make("TH"), toy_env()


def valid_call(data: st.DataObject, seed: int) -> dict[str, Any]:
    """Draw a call that fits the schemas, its texts strange ones."""
    SHOWCASE.reset(seed=5)
    SHOWCASE.action_space.seed(seed)
    action = SHOWCASE.action_space.sample()
    texts = ANY_TEXT | st.sampled_from(["9999-12-31", "0001-01-01T00:00", "1e400", "-1", "٣", "p8", "\u2028"])
    arguments = {
        name: data.draw(texts) if isinstance(value, str) and data.draw(st.booleans()) else value
        for name, value in action["arguments"].items()
    }
    return {"tool": action["tool"], "arguments": arguments}


@settings(max_examples=250, deadline=None)
@given(st.data(), st.integers(0, 2**32 - 1))
def test_strange_words_in_valid_calls_are_steps(data, seed):
    step_safely(SHOWCASE, valid_call(data, seed))
