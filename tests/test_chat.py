"""What a model may say, and what it costs."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from chat_kit import FINISH, RULES, play, play_one, prepare
from fake_endpoint import Answer, calls, said, streamed, text
from recording import found, recorded

from agentbench_env.export.chat import row
from agentbench_env.policies.prices import find_price


@pytest.fixture(autouse=True)
def _prepared(monkeypatch):
    prepare(monkeypatch)


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
    # The call after the end is no step, and nothing answers it: the record keeps it, an export does not.
    assert len(one.messages[-2]["tool_calls"]) == 2
    exported = row(one)["messages"]
    assert [len(message.get("tool_calls", ())) for message in exported if message["role"] == "assistant"] == [2, 1]
    assert sum(message["role"] == "tool" for message in exported) == 3
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
    one, requests = play_one(said({"role": "model", "tool_calls": bare}), calls(FINISH))
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
    thought = [one.steps[0].usage[0].latency_s for one in (quick, slow)]
    assert thought[1] >= 0.5
    assert slow.time["elapsed_s"] - quick.time["elapsed_s"] == pytest.approx(thought[1] - thought[0], abs=0.002)


def test_prices_go_by_host_and_model(tmp_path):
    listed = find_price("api.openai.com", "gpt-4o-mini")
    assert listed is not None
    assert listed.usd(1_000_000, 1_000_000) == pytest.approx(0.75)
    assert find_price("localhost", "gpt-4o-mini") is None
    file = tmp_path / "prices.toml"
    file.write_text("m = 3\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"no table of prices .* it must be like \[\"localhost\"\]"):
        find_price("localhost", "m", str(file))
