"""Tool calls written as text, for stacks that give a model's turn as one string: how to ask for them and read them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from agentbench_env.action import parse_json
from agentbench_env.adapters.session import EpisodeSession, without_usage
from agentbench_env.errors import ToolError

_CALL_OR_THOUGHT = re.compile(r"<tool_call>(.*?)(?:</tool_call>|$)|<think>.*", re.DOTALL)
"""A call, or a thought that was cut off before its end, which calls nothing. A call may hold the word `<think>`."""
_ASKED = """\
You act through tools alone; plain text reaches nobody. Each turn, write one call or several in this form:
<tool_call>
{"name": "a_tool", "arguments": {}}
</tool_call>
The tools, as JSON schemas:
"""


def instructions(session: EpisodeSession) -> str:
    """Return what a model must know before its first turn: the form of a call, and the tools."""
    return _ASKED + "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in session.tools)


def calls_in(text: str) -> Iterator[Any]:
    """Yield the calls of a model's turn as actions, a text without any as it is; what it thought aloud is left out."""
    said = text.rpartition("</think>")[2]
    found = [match[1] for match in _CALL_OR_THOUGHT.finditer(said) if match[1] is not None]
    for call in found:
        try:
            read = parse_json(call.strip(), "The call")
        except ToolError:
            read = call
        if isinstance(read, dict):
            read = without_usage(read)
            if "name" in read:
                read["tool"] = read.pop("name")
        yield read
    if not found:
        yield said


def take_turn(session: EpisodeSession, text: str) -> str:
    """Carry out a model's turn and return the results as text; what makes no sense is answered by an error.

    Args:
        session: the episode.
        text: what the model wrote.

    Raises:
        EnvironmentFault: the suite's own code failed; the episode has ended without a reward.
    """
    results: list[str] = []
    for action in calls_in(text):
        result = session.act_now(action)
        results.append(f"<tool_response>\n{result['content']}\n</tool_response>")
        if result["done"]:
            break
    return "\n".join(results)
