"""Recorded actions are played again as they were, whatever their texts hold."""

from __future__ import annotations

import json

import pytest
from showcase import core, make

from agentbench_env.policies.replay import Replay, load_replay

BREAKS = ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\r", "\n"]


@pytest.mark.parametrize("mark", BREAKS, ids=lambda mark: f"{ord(mark):x}")
def test_any_line_break_may_stand_in_an_action(mark, tmp_path):
    env = make("SG", 0)
    action = {"tool": "user_ask", "arguments": {"topic": "other", "question": f"One{mark}two?"}}
    env.step(action)
    file = tmp_path / "episodes.jsonl"
    line = {"brief": core(env).lineage.content(-1), "steps": [{"action": action}]}
    with file.open("w", encoding="utf-8", newline="") as out:
        out.write(json.dumps(line, ensure_ascii=False) + "\n\n")
    twin = make("SG")
    load_replay(file).run(twin, twin.reset(seed=0)[0])
    assert core(twin).lineage.head == core(env).lineage.head


def test_what_a_replay_costs_is_not_known():
    env = make("SG")
    Replay({"": [{"tool": "papers_list"}]}).run(env, env.reset(seed=0)[0])
    assert core(env)._info()["cost"]["inference_usd"] is None
