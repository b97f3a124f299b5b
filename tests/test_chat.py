"""Chat policies against a scripted endpoint: what a model may say, and how an endpoint may fail."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from fake_endpoint import Answer, Script, calls, endpoint, in_turn, refused, said, streamed, text
from recording import found, recorded
from toy import ENV_ID, install_toy

from agentbench_env.errors import WrongArgument
from agentbench_env.policies import load_policy, waits
from agentbench_env.policies.chat_options import ChatOptions, chat_spec, read_options
from agentbench_env.policies.prices import find_price
from agentbench_env.rollout import Trajectory
from agentbench_env.rollout.concurrent import run_waiting
from agentbench_env.rollout.engine import Job

pytest.importorskip("openai", reason="chat policies need the extra agentbench-env[chat]")

FINISH = ("task_finish", {"outcome": "handed_back", "offer_id": "", "total": {}})
RULES = ("shop_get_rules", {})


@pytest.fixture(autouse=True)
def _surroundings(monkeypatch):
    install_toy()
    monkeypatch.setattr("agentbench_env.policies.endpoint.FIRST_PAUSE_S", 0.01)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def play(script: Script, seeds: int = 1, concurrency: int = 1, **options: Any) -> tuple[list[Trajectory], list[Any]]:
    """Play episodes with the model of a script; return their records, and the requests that were made."""
    with endpoint(script) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url} | {key: str(value) for key, value in options.items()})
        jobs = [Job(ENV_ID, seed, 0, {"difficulty": "easy"}, spec) for seed in range(seeds)]
        return list(run_waiting(jobs, load_policy(spec), concurrency)), fake.requests


def play_one(*answers: Answer, **options: Any) -> tuple[Trajectory, list[Any]]:
    (one,), requests = play(in_turn(*answers), **options)
    return one, requests


def expert_model(request: dict[str, Any]) -> Answer:
    """Play what the expert plays in the episode whose brief this is."""
    brief = request["messages"][0]["content"]
    actions = next(steps for known, steps in experts() if known == brief)
    return calls(actions[sum(message["role"] == "tool" for message in request["messages"])])


@cache
def experts() -> list[tuple[str, list[tuple[str, Any]]]]:
    episodes = [recorded("expert", seed, difficulty="easy") for seed in range(6)]
    return [(one.brief, [(s.action["tool"], s.action["arguments"]) for s in one.steps]) for one in episodes]


# --- what a model says


def test_a_model_that_plays_as_the_expert_earns_what_the_expert_earns():
    episodes, requests = play(expert_model, seeds=6, concurrency=3)
    assert sorted((one.seed, one.outcome, one.reward) for one in episodes) == [(n, "success", 1.0) for n in range(6)]
    assert all(found(one) == [] for one in episodes)
    assert requests[0]["model"] == "m"
    assert {"task_finish", "shop_get_rules"} <= {tool["function"]["name"] for tool in requests[0]["tools"]}
    assert requests[0]["tools"] == list(episodes[0].tools)


def test_parallel_calls_are_steps_in_their_order():
    one, requests = play_one(calls(RULES, ("shop_list_offers", {"item": "lamp"})), calls(FINISH, RULES))
    assert [step.tool for step in one.steps] == ["shop_get_rules", "shop_list_offers", "task_finish"]
    assert [(m["role"], m.get("tool_call_id")) for m in requests[1]["messages"]] == [
        ("user", None),
        ("assistant", None),
        ("tool", "id_0"),
        ("tool", "id_1"),
    ]
    assert requests[1]["messages"][3]["content"] == one.steps[1].content
    assert len(one.steps[0].usage) == 1
    assert one.steps[1].usage == ()
    # The call after the end is no step, and nothing answers it.
    assert one.messages[-1] == {"role": "tool", "tool_call_id": "id_0", "content": one.steps[-1].content}
    assert found(one) == []


@pytest.mark.parametrize("reply", ["Let me think.", "", "17", json.dumps({"tool": "shop_close_account"})])
def test_a_reply_without_a_call_is_a_step_that_says_to_call_a_tool(reply):
    one, requests = play_one(text(reply), calls(FINISH))
    first = one.steps[0]
    assert (first.tool, first.is_error) == ("", True)
    assert json.loads(first.content)["error"] == "invalid_action"
    assert "tool" in first.content
    assert requests[1]["messages"][-2:] == [
        {"role": "assistant", "content": reply},
        {"role": "user", "content": first.content},
    ]
    assert found(one) == []


@pytest.mark.parametrize(
    ("pair", "error"),
    [
        (("shop_sell_everything", {}), "unknown_tool"),
        (("shop_list_offers", '{"item": "lam'), "invalid_action"),
        (("shop_list_offers", "[1]"), "invalid_argument"),
        (("shop_list_offers", {"thing": 2**80}), "invalid_argument"),
        (("", ""), "unknown_tool"),
    ],
)
def test_a_call_that_makes_no_sense_is_answered_by_what_would_be_right(pair, error):
    one, requests = play_one(calls(pair), calls(FINISH))
    assert json.loads(one.steps[0].content)["error"] == error
    assert one.outcome == "failure"
    # Endpoints refuse a conversation whose arguments are no JSON object; what was really said is recorded.
    sent = requests[1]["messages"][1]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(json.loads(sent), dict)
    assert one.messages[1]["tool_calls"][0]["function"]["arguments"] in (pair[1], json.dumps(pair[1]), "{}")
    assert found(one) == []


def test_calls_without_ids_of_their_own_get_them():
    bare = [{"function": {"name": "shop_get_rules", "arguments": {}}}, {"id": "", "function": None}, {}]
    one, requests = play_one(said({"tool_calls": bare}), calls(FINISH))
    assert [m["tool_call_id"] for m in requests[1]["messages"][2:]] == ["call_0", "call_1", "call_2"]
    assert [step.is_error for step in one.steps] == [False, True, True, False]
    assert found(one) == []


def test_reasoning_is_recorded_and_sent_back_only_if_asked():
    thought = calls(RULES).pieces[0].replace(b'"content": null', b'"content": null, "reasoning_content": "Hm."')
    for resent in (False, True):
        one, requests = play_one(Answer((thought,)), calls(FINISH), resend_reasoning=resent)
        assert one.messages[1]["reasoning_content"] == "Hm."
        assert ("reasoning_content" in requests[1]["messages"][1]) is resent


def test_the_system_prompt_comes_first(tmp_path):
    file = tmp_path / "prompt.txt"
    file.write_text("Be brief.", encoding="utf-8")
    one, requests = play_one(calls(FINISH), system_file=file)
    assert requests[0]["messages"][0] == one.messages[0] == {"role": "system", "content": "Be brief."}
    assert found(one) == []


def test_streams_give_what_whole_answers_give():
    answers = (calls(RULES, ("shop_list_offers", {"item": "lamp"})), text("Well."), calls(FINISH))
    whole, _ = play_one(*answers)
    piecewise, requests = play_one(*map(streamed, answers), stream=True)
    assert [(s.action, s.content) for s in piecewise.steps] == [(s.action, s.content) for s in whole.steps]
    assert piecewise.messages == whole.messages
    assert piecewise.steps[0].usage[0].input_tokens == 1000
    assert requests[0]["stream_options"] == {"include_usage": True}


# --- how an endpoint fails


DATE = "Wed, 21 Oct 2026 07:28"
PASSING = {
    "too many requests": refused(429, retry_after="0.2"),
    "a date to wait for": refused(
        429, retry_after="Wed, 21 Oct 2026 07:28:00 GMT", date="Wed, 21 Oct 2026 07:28:00 GMT"
    ),
    "a fault of the server": refused(500),
    "overloaded": refused(503, "context deadline exceeded"),
    "broken JSON": Answer((b'{"choices": [{"mess',)),
    "no message": Answer((b'{"error": {"message": "try later"}}',)),
    "calls that are none": said({"tool_calls": "none"}),
    "half a surrogate pair": said({"content": "\ud83d"}),
    "a page of HTML": Answer((b"<html>bad gateway</html>",), headers=(("content-type", "text/html"),)),
    "a cut connection": Answer((b'{"choices"',), headers=(("content-length", "999"),), cut=True),
    "a stall": Answer((b"{}",), stall_s=0.4),
}


@pytest.mark.parametrize("failure", PASSING.values(), ids=PASSING)
def test_failures_that_may_pass_are_tried_again_and_leave_no_trace(failure):
    one, requests = play_one(failure, calls(FINISH), timeout_s=0.3)
    assert (one.outcome, len(one.steps), len(requests)) == ("failure", 1, 2)
    latency = one.steps[0].usage[0].latency_s
    assert latency is not None
    assert latency < 0.2, "only the request that was answered counts as thinking"


def test_streams_that_break_off_are_tried_again():
    broken = Answer((b"data: {not json\n\n",), headers=(("content-type", "text/event-stream"),), cut=True)
    whole = streamed(calls(FINISH))
    for failure in (streamed(calls(FINISH), pieces=3), broken, refused(502)):
        one, requests = play_one(failure, whole, stream=True)
        assert (one.outcome, len(one.steps), len(requests)) == ("failure", 1, 2)


@pytest.mark.parametrize(
    ("failure", "times", "message"),
    [
        (refused(503, "down for repair"), 3, "asked 3 times: status 503: .*down for repair"),
        (refused(401, "wrong key"), 1, "status 401: .*wrong key"),
        (refused(404, "no such model"), 1, "status 404: .*no such model"),
    ],
)
def test_an_endpoint_that_stays_down_is_an_infrastructure_outcome(failure, times, message):
    one, requests = play_one(calls(RULES), failure, retries=2)
    assert (one.outcome, one.reward, len(one.steps)) == ("infrastructure", None, 1)
    assert one.failure is not None
    assert one.failure.whose == "endpoint"
    assert len(requests) == 1 + times
    assert re.search(message, one.failure.message)
    assert found(one) == []


def test_a_key_that_an_endpoint_repeats_is_not_recorded(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    one, _ = play_one(refused(401, "no such key: sk-secret"))
    assert one.failure is not None
    assert "no such key: ***" in one.failure.message
    assert b"sk-secret" not in one.line()


def test_nobody_listening_is_an_infrastructure_outcome():
    with endpoint(in_turn(text(""))) as fake:
        url = fake.url
    spec = chat_spec("chat:m", {"base_url": url, "retries": "1"})
    (one,) = run_waiting([Job(ENV_ID, 0, 0, {}, spec)], load_policy(spec), 1)
    assert one.failure is not None
    assert (one.outcome, one.failure.whose) == ("infrastructure", "endpoint")
    assert "asked 2 times: Connection error" in one.failure.message


@pytest.mark.parametrize(
    "failure",
    [
        refused(400, "bad request", code="context_length_exceeded"),
        refused(400, "This model's maximum context length is 4096 tokens, you asked for 5000"),
        refused(500, "the request exceeds the available context size, try increasing it"),
        refused(413),
        Answer((b'{"error": {"code": "context_length_exceeded", "message": "too long"}}',)),
    ],
)
def test_a_conversation_that_outgrows_the_model_is_abandoned(failure):
    one, requests = play_one(calls(RULES), failure)
    assert (one.outcome, one.reward, len(one.steps)) == ("abandoned", 0.0, 1)
    assert one.stopped.startswith("context overflow: ")
    assert len(requests) == 2
    assert found(one) == []


# --- many at once


def test_many_episodes_are_in_flight_and_no_more_than_asked():
    with endpoint(lambda request: expert_like(request)._replace(stall_s=0.05)) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url})
        jobs = [Job(ENV_ID, seed, 0, {}, spec) for seed in range(40)]
        done = list(run_waiting(iter(jobs), load_policy(spec), 8))
    assert sorted(one.seed for one in done) == list(range(40))
    assert 1 < fake.most_at_once <= 8


def expert_like(request: dict[str, Any]) -> Answer:
    return calls(FINISH if any(message["role"] == "tool" for message in request["messages"]) else RULES)


def test_episodes_come_in_the_order_in_which_they_end():
    def script(request: dict[str, Any]) -> Answer:
        slow = request["messages"][0]["content"] == briefs[0]
        return calls(FINISH)._replace(stall_s=0.3 if slow else 0.0)

    briefs = [recorded("expert", seed, difficulty="easy").brief for seed in range(3)]
    episodes, _ = play(script, seeds=3, concurrency=3)
    assert episodes[-1].seed == 0


def test_a_run_that_is_left_closes_what_is_in_flight():
    with endpoint(lambda request: expert_like(request)._replace(stall_s=0.02)) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url})
        episodes = run_waiting([Job(ENV_ID, seed, 0, {}, spec) for seed in range(9)], load_policy(spec), 3)
        next(episodes)
        episodes.close()
        asked = len(fake.requests)
        assert asked < 18
    assert next(episodes, None) is None


class Waits:
    """A policy of one's own that waits."""

    name = "waits"

    def __init__(self) -> None:
        self.closed = False

    async def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})
        if "lamp" in observation["content"]:
            raise ValueError("no lamps")
        env.step({"tool": FINISH[0], "arguments": FINISH[1]})

    async def close(self):
        self.closed = True


def test_episodes_outside_the_score_are_run_again():
    with endpoint(in_turn(*[refused(500)] * 4, calls(RULES), refused(500), refused(500), calls(FINISH))) as fake:
        spec = chat_spec("chat:m", {"base_url": fake.url, "retries": "1"})
        job = Job(ENV_ID, 0, 2, {}, spec)
        (good,) = run_waiting([job], load_policy(spec), 1, retries=3)
    assert (good.outcome, good.trial, len(good.steps)) == ("failure", 2, 1)
    assert len(fake.requests) == 8


def test_a_policy_of_ones_own_may_wait_too():
    policy = load_policy(f"python:{__name__}:Waits")
    assert waits(policy)
    assert not waits(load_policy("expert"))
    episodes = list(run_waiting([Job(ENV_ID, seed, 0, {}, "waits") for seed in range(30)], policy, 4))
    assert {one.outcome for one in episodes} == {"failure", "infrastructure"}
    faults = {one.failure.whose for one in episodes if one.failure is not None}
    assert faults == {"policy"}
    assert policy.closed


# --- cost


def test_usage_is_priced_where_a_price_is_listed(tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text('["127.0.0.1"]\nm = { input = 2.0, output = 10.0, cached_input = 1.0 }\n', encoding="utf-8")
    one, _ = play_one(calls(FINISH, cached=400), prices=file)
    (usage,) = one.steps[0].usage
    assert (usage.input_tokens, usage.output_tokens) == (1000, 50)
    assert usage.usd == pytest.approx((600 * 2.0 + 400 * 1.0 + 50 * 10.0) / 1e6)
    assert one.cost["inference_usd"] == usage.usd


def test_an_unknown_price_stays_unknown():
    one, _ = play_one(calls(FINISH))
    assert one.steps[0].usage[0].usd is None
    assert one.cost["total_usd"] is None


def test_latency_counts_as_time():
    quick, _ = play_one(calls(FINISH))
    slow, _ = play_one(calls(FINISH)._replace(stall_s=0.5))
    assert slow.time["elapsed_s"] - quick.time["elapsed_s"] == pytest.approx(0.5, abs=0.2)


def test_prices_go_by_host_and_model(tmp_path):
    listed = find_price("api.openai.com", "gpt-4o-mini")
    assert listed is not None
    assert listed.usd(1_000_000, 1_000_000) == pytest.approx(0.75)
    assert find_price("localhost", "gpt-4o-mini") is None
    file = tmp_path / "prices.toml"
    file.write_text("m = 3\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"no table of prices .* it must be like \[\"localhost\"\]"):
        find_price("localhost", "m", str(file))


# --- what is asked for


def test_options_are_read_and_written_in_one_order():
    spec = chat_spec("chat:org/a:8b", {"temperature": "0.5", "base_url": "http://localhost:8000/v1", "seed": "3"})
    assert spec == "chat:org/a:8b?base_url=http://localhost:8000/v1&seed=3&temperature=0.5"
    assert chat_spec(spec, {"seed": "4"}) == spec.replace("seed=3", "seed=4")
    options = read_options(spec.removeprefix("chat:"))
    assert options == ChatOptions(model="org/a:8b", base_url="http://localhost:8000/v1", seed=3, temperature=0.5)
    assert options.sampling() == {"seed": 3, "temperature": 0.5}
    body = chat_spec("chat:m", {"extra_body": '{"a": [1, "&"]}'})
    assert read_options(body.removeprefix("chat:")).extra_body == {"a": [1, "&"]}


def test_options_reach_the_endpoint():
    _, requests = play_one(calls(FINISH), temperature=0.5, max_tokens=99, extra_body='{"top_k": 3}')
    assert {key: requests[0][key] for key in ("temperature", "max_tokens", "top_k")} == {
        "temperature": 0.5,
        "max_tokens": 99,
        "top_k": 3,
    }
    assert "seed" not in requests[0]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("m?temprature=1", "Did you mean 'temperature'"),
        ("m?api_key=sk-1", "Did you mean 'api_key_env'"),
        ("m?temperature=hot", "temperature"),
        ("m?retries=-1", "retries"),
        ("m?extra_body=[1]", "extra_body"),
        ("?seed=1", "no model is named"),
        ("m?base_url=localhost:8000", "must be like http://localhost:8000/v1"),
        ("m?base_url=http://me:secret@host/v1", "would be recorded"),
    ],
)
def test_wrong_options_say_what_would_be_right(rest, message):
    with pytest.raises(ValueError, match=message):
        load_policy(f"chat:{rest}")


def test_a_missing_key_names_the_variable(monkeypatch):
    with pytest.raises(ValueError, match=r"variable OPENAI_API_KEY holds no key for https://api\.openai\.com/v1"):
        load_policy("chat:gpt-4o-mini")
    monkeypatch.setenv("OTHER_KEY", "k")
    assert load_policy("chat:gpt-4o-mini?api_key_env=OTHER_KEY").name == "chat:gpt-4o-mini"
    with pytest.raises(WrongArgument):
        load_policy("chat:")
