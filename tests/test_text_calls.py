"""Tool calls that models write as text."""

from __future__ import annotations

import pytest

from agentbench_env.adapters.text_calls import calls_in

CALL = '<tool_call>{"name": "a_tool", "arguments": {"n": 1}}</tool_call>'
READ = {"tool": "a_tool", "arguments": {"n": 1}}


@pytest.mark.parametrize(
    ("turn", "calls"),
    [
        (CALL, [READ]),
        (f"First.\n{CALL}\nThen.\n{CALL}", [READ, READ]),
        (CALL.removesuffix("</tool_call>"), [READ]),
        (f"<think>{CALL}</think>{CALL}", [READ]),
        (f"{CALL}</think> No.", [" No."]),
        (f"<think>Perhaps {CALL}", [f"<think>Perhaps {CALL}"]),
        (f"Okay. <think>Perhaps {CALL}", [f"Okay. <think>Perhaps {CALL}"]),
        (f"<think>No.</think>{CALL}<think>Or {CALL}", [READ]),
        (f"{CALL}<think>Or <think>{CALL}", [READ]),
        (CALL.replace("1", '"<think>"'), [{"tool": "a_tool", "arguments": {"n": "<think>"}}]),
        ("<tool_call></tool_call>", [""]),
        ('<tool_call>{"name": "a_tool", "arguments": {"n": 1}, "usage": {"usd": 0.0}}</tool_call>', [READ]),
        ('<tool_call>{"tool": "a_tool", "colour": 7, "usage": 1}</tool_call>', [{"tool": "a_tool", "colour": 7}]),
        ("<tool_call>{cut</tool_call>", ["{cut"]),
        ("<tool_call>[1]</tool_call>", [[1]]),
        ("I would book it.", ["I would book it."]),
        ("", [""]),
    ],
)
def test_calls_are_read_and_thoughts_are_left_out(turn, calls):
    assert list(calls_in(turn)) == calls
