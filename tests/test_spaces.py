"""The spaces, as Gymnasium's tools use them."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array
from gymnasium.vector.utils import shared_memory as sm
from gymnasium.wrappers import FilterObservation, FrameStackObservation
from hypothesis import given, settings
from hypothesis import strategies as st
from showcase import MARKETS, TASK_ID, expert_actions, make
from toy import TASK_ID as TOY_ID
from toy import install_toy, toy_env
from toy_shop import ShopGetRules, ShopListOffers, ShopSaveDraft

from agentbench_env.spaces import TextSpace, ToolCallSpace

SCRIPTS = ["", "plain", "안녕하세요", "こんにちは", "您好", "สวัสดี", "مرحبا", "𠮷😀", "\u2028\x00", "\ud800"]


@pytest.fixture(autouse=True)
def _toy():
    install_toy()


# --- texts


@pytest.mark.parametrize("text", SCRIPTS)
def test_text_of_any_script_belongs(text):
    assert text in TextSpace(20)
    assert text * 21 not in TextSpace(20) or text == ""


def test_other_things_are_no_text():
    for value in (None, 3, b"bytes", ["a"], np.array("a")):
        assert value not in TextSpace(20)


def test_text_samples_repeat_and_belong():
    one, two = TextSpace(16_000, seed=3), TextSpace(16_000, seed=3)
    drawn = [one.sample() for _ in range(50)]
    assert drawn == [two.sample() for _ in range(50)]
    assert all(text in one and len(text) <= 32 for text in drawn)
    assert len(set(drawn)) > 40
    assert all(TextSpace(3, seed=n).sample() in TextSpace(3) for n in range(30))


def test_text_spaces_are_equal_by_length():
    assert TextSpace(5) == TextSpace(5, seed=9)
    assert TextSpace(5) != TextSpace(6)
    assert TextSpace(5) != spaces.Text(5)
    assert copy.deepcopy(TextSpace(5)) == TextSpace(5) == pickle.loads(pickle.dumps(TextSpace(5)))
    assert repr(TextSpace(5)) == "TextSpace(5)"
    assert not TextSpace(5).is_np_flattenable


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=24), min_size=3, max_size=3))
def test_shared_memory_gives_back_what_was_written(texts):
    space = TextSpace(24)
    memory = sm.create_shared_memory(space, 3)
    live = sm.read_from_shared_memory(space, memory, 3)
    assert tuple(live) == ("", "", "")
    for number, text in enumerate(texts):
        sm.write_to_shared_memory(space, number, text, memory)
    assert tuple(live) == tuple(texts)
    assert live[1:] == tuple(texts[1:])
    kept = copy.deepcopy(live)
    sm.write_to_shared_memory(space, 0, "other", memory)
    assert kept == tuple(texts)
    assert live[0] == "other"


def test_shared_memory_refuses_what_does_not_fit():
    memory = sm.create_shared_memory(TextSpace(2), 1)
    with pytest.raises(ValueError, match="does not fit"):
        sm.write_to_shared_memory(TextSpace(2), 0, "x" * 9, memory)


def test_texts_are_batched():
    space = TextSpace(9)
    batch = concatenate(space, ["a", "나"], create_empty_array(space, 2))
    assert batch == ("a", "나")
    assert batch in batch_space(space, 2)


# --- calls


@pytest.mark.parametrize("market", MARKETS)
def test_samples_are_valid_calls(market):
    env = make(market, 0)
    env.action_space.seed(0)
    drawn = [env.action_space.sample() for _ in range(300)]
    assert all(env.action_space.contains(action) for action in drawn)
    assert {action["tool"] for action in drawn} == set(env.action_space.tools)
    json.dumps(drawn)


def test_samples_repeat_and_prefer_ids_that_were_shown():
    env, twin = make("SG", 0), make("SG", 0)
    for one in (env, twin):
        for action in expert_actions("SG", 0)[:6]:
            one.step(action)
        one.action_space.seed(11)
    drawn = [env.action_space.sample() for _ in range(200)]
    assert drawn == [twin.action_space.sample() for _ in range(200)]
    shown = set(env.unwrapped._episode.shown)
    ids = [action["arguments"]["page_id"] for action in drawn if action["tool"] == "pages_get"]
    assert ids
    assert set(ids) <= shown


def test_what_is_a_call():
    space = ToolCallSpace(TOY_ID)
    calls = [{"tool": "shop_get_rules"}, {"tool": "shop_get_rules", "arguments": {}}, ShopGetRules()]
    calls.append({"tool": "shop_save_draft", "arguments": {"offer_id": "x", "count": "3"}})
    assert all(call in space for call in calls)
    for other in (
        None,
        "shop_get_rules",
        {},
        {"tool": "shop_rules"},
        {"tool": "shop_get_rules", "arguments": []},
        {"tool": "shop_get_rules", "arguments": {"x": 1}},
        {"tool": "shop_save_draft", "arguments": {"offer_id": "x"}},
        {"tool": ["shop_get_rules"]},
    ):
        assert other not in space
    assert ShopGetRules() not in ToolCallSpace(TASK_ID)


def test_call_spaces_are_equal_by_task():
    assert ToolCallSpace(TOY_ID) == ToolCallSpace(TOY_ID, seed=4)
    assert ToolCallSpace(TOY_ID) != ToolCallSpace(TASK_ID)
    space = pickle.loads(pickle.dumps(ToolCallSpace(TOY_ID)))
    assert space == copy.deepcopy(space) == ToolCallSpace(TOY_ID)
    assert space.tools["shop_list_offers"] is ShopListOffers
    assert TOY_ID in repr(space)
    assert not space.is_np_flattenable


def test_calls_as_json():
    space = ToolCallSpace(TOY_ID)
    calls = [ShopSaveDraft(offer_id="x", count=2), {"tool": "shop_get_rules", "arguments": {}}]
    plain = space.to_jsonable(calls)
    assert plain[0] == {"tool": "shop_save_draft", "arguments": {"offer_id": "x", "count": 2, "draft_id": ""}}
    assert space.from_jsonable(json.loads(json.dumps(plain))) == plain


def test_calls_are_batched():
    space = ToolCallSpace(TOY_ID)
    both = batch_space(space, 2)
    both.seed(0)
    assert all(call in space for call in both.sample())


# --- tools for models


@pytest.mark.parametrize("market", MARKETS)
def test_tools_are_described_for_models(market):
    space = make(market).action_space
    full, flat, mcp = space.openai_tools(), space.openai_tools("flat"), space.mcp_tools()
    assert [tool["function"]["name"] for tool in full] == list(space.tools) == [tool["name"] for tool in mcp]
    for tool, other in zip(full, mcp, strict=True):
        assert tool["type"] == "function"
        assert tool["function"]["parameters"] == other["inputSchema"]
    kinds = {node["type"] for tool in flat for node in tool["function"]["parameters"]["properties"].values()}
    assert kinds <= {"string", "integer", "number", "boolean"}
    json.dumps([full, flat, mcp])


def test_descriptions_name_the_worst_effect():
    space = make("SG").action_space
    texts = {tool["name"]: tool["description"] for tool in space.mcp_tools()}
    for name, tool in space.tools.items():
        assert texts[name].endswith(f"Worst effect: {tool.effect}.")
    assert texts["booking_hold"].endswith("Worst effect: commit.")


def test_flat_arguments_mean_the_same():
    actions = expert_actions("SG", 0)
    flat = [
        {
            "tool": action["tool"],
            "arguments": {
                name: json.dumps(value) if isinstance(value, list | dict) else value
                for name, value in action["arguments"].items()
            },
        }
        for action in actions
    ]
    assert flat != actions
    env, twin = make("SG", 0), make("SG", 0)
    ends = [[one.step(action) for action in given][-1] for one, given in ((env, actions), (twin, flat))]
    assert ends[0] == ends[1]
    assert ends[0][1] == 1.0


# --- observations


def test_observations_belong_and_can_be_stacked_and_filtered():
    env = FrameStackObservation(toy_env(), 2)
    observation, _ = env.reset(seed=0)
    assert observation["content"][1]
    kept = FilterObservation(toy_env(), ["content", "is_error"])
    assert kept.reset(seed=0)[0].keys() == {"content", "is_error"}
    env = make("AE")
    assert env.reset(seed=0)[0] in env.observation_space
    assert all(env.step(action)[0] in env.observation_space for action in expert_actions("AE", 0))
