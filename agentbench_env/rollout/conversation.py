"""The conversation of an episode as OpenAI chat messages: what a policy said, and the results that answer it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from agentbench_env.action import NOT_JSON
from agentbench_env.errors import MessageFault
from agentbench_env.world import canonical

Message = dict[str, Any]
REASONING = ("reasoning_content", "reasoning")
"""What endpoints call a model's reasoning, as text."""


class Conversation:
    """Grows with an episode: the brief, what the policy says, and an answer for every step.

    Each step answers the next call of the assistant's last message, or its text where it called nothing. A step that no
    message announces gets one of its own, with one call named `call_<n>`.

    Args:
        brief: the user's first message.
    """

    def __init__(self, brief: str) -> None:
        self._system: list[Message] = []
        self._rest: list[Message] = [{"role": "user", "content": brief}]
        self._unanswered: deque[Message | None] = deque()
        self._steps = 0

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages, the system's before the brief."""
        return (*self._system, *self._rest)

    def say(self, messages: Iterable[Message]) -> None:
        """Add what the policy reported."""
        for message in messages:
            if message["role"] == "system":
                self._system.append(message)
            else:
                self._rest.append(message)
                # What the assistant said before and nobody answered stays unanswered.
                self._unanswered = deque(message.get("tool_calls") or [None])

    def announce(self, action: Any) -> None:
        """Say what the next step is, in plain values.

        Raises:
            MessageFault: the assistant's message announces another step.
        """
        call = call_of(action)
        if not self._unanswered:
            self.say([_message_of(action, call, self._steps)])
            return
        said = self._unanswered[0]
        announced = None if said is None else (said["function"]["name"], said["function"]["arguments"])
        if (announced is None) != (call is None) or (announced and call and not _same(announced, call)):
            raise MessageFault(
                f"the step is {_say(call)}, but the assistant's message says {_say(announced)}; "
                "step with the calls of a message in their order, each {'tool': name, 'arguments': its text}"
            )

    def answer(self, content: str) -> None:
        """Add the result of the step that was announced."""
        call = self._unanswered.popleft()
        if call is None:
            self._rest.append({"role": "user", "content": content})
        else:
            self._rest.append({"role": "tool", "tool_call_id": call["id"], "content": content})
        self._steps += 1


def said_before_steps(messages: Iterable[Message]) -> list[list[Message]]:
    """Return what the policy said before each step of a recorded conversation, and after the last one."""
    turns: list[list[Message]] = [[]]
    briefed = False
    for message in messages:
        if message.get("role") in ("system", "assistant"):
            turns[-1].append(message)
        elif briefed:
            turns.append([])
        else:
            briefed = True
    return turns


def call_of(action: Any) -> tuple[str, str] | None:
    """Return tool and arguments, as JSON text, of the call that an action makes, None if it makes none."""
    if isinstance(action, str):
        try:
            action = msgspec.json.decode(action)
        except NOT_JSON:
            return None
    tool = action.get("tool") if isinstance(action, Mapping) else None
    if not isinstance(tool, str):
        return None
    arguments = action.get("arguments", {})
    return tool, arguments if isinstance(arguments, str) else canonical(arguments).decode()


def _message_of(action: Any, call: tuple[str, str] | None, number: int) -> Message:
    if call is None:
        return {"role": "assistant", "content": action if isinstance(action, str) else canonical(action).decode()}
    function = {"name": call[0], "arguments": call[1]}
    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _same(one: tuple[str, str], other: tuple[str, str]) -> bool:
    if one[0] != other[0]:
        return False
    try:
        return msgspec.json.decode(one[1]) == msgspec.json.decode(other[1])
    except NOT_JSON:
        return one[1] == other[1]


def _say(call: tuple[str, str] | None) -> str:
    return "no call" if call is None else f"{call[0]} {call[1][:200]}"
