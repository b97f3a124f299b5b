"""What a player of the user does when asked: acts, each a call like those of the assistant."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from pydantic import Field

from agentbench_env.action import parse_json, read_call, unreadable
from agentbench_env.approval import Decision, Proposal
from agentbench_env.errors import ToolError
from agentbench_env.spaces import ToolCallSpace
from agentbench_env.tool import Effect, Tool
from agentbench_env.user import Question, Script

LONGEST_TEXT = 2000
"""Characters of what the user says at once."""


class UserAct(Tool):
    """Base of the acts: each is a user who says this and nothing else."""

    effect: ClassVar[Effect] = "user"
    latency_s: ClassVar[float] = 0.0
    answers: ClassVar[tuple[type, ...]] = (Proposal,)
    """What it can be an answer to."""

    def decide(self, proposal: Proposal, script: Script) -> Decision:
        """Leave a proposal undecided."""
        return Decision(False, answered=False)

    def reply(self, topic: str, question: str, script: Script) -> str:
        """Leave a question without a reply."""
        return ""


class Grant(UserAct):
    """Allow the proposed call, once, exactly as it stands."""

    reason: str = Field(default="", description="What you say with the yes.", max_length=LONGEST_TEXT)

    def decide(self, proposal: Proposal, script: Script) -> Decision:
        return Decision(True, self.reason)


class Deny(UserAct):
    """Refuse the proposed call."""

    reason: str = Field(description="Why, in a sentence for the assistant.", max_length=LONGEST_TEXT)

    def decide(self, proposal: Proposal, script: Script) -> Decision:
        return Decision(False, self.reason)


class AskForChange(UserAct):
    """Refuse the proposed call as it stands, and say what would be welcome instead."""

    change: str = Field(description="What should be different.", min_length=1, max_length=LONGEST_TEXT)

    def decide(self, proposal: Proposal, script: Script) -> Decision:
        return Decision(False, self.change)


class Say(UserAct):
    """Answer the question in your own words. Words never allow a call."""

    answers: ClassVar[tuple[type, ...]] = (Question,)

    text: str = Field(description="The reply.", max_length=LONGEST_TEXT)

    def reply(self, topic: str, question: str, script: Script) -> str:
        return self.text


class StaySilent(UserAct):
    """Do not answer. A proposal that is not answered is not allowed."""

    answers: ClassVar[tuple[type, ...]] = (Proposal, Question)


ACTS: dict[str, type[UserAct]] = {act.name: act for act in (Grant, Deny, AskForChange, Say, StaySilent)}


class UserActSpace(ToolCallSpace):
    """The acts, as calls `{"tool": "grant", "arguments": {...}}`; `sample` draws any of them, fitting or not."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__("", seed)

    @property
    def tools(self) -> dict[str, type[Tool]]:
        """The acts by name."""
        return dict(ACTS)

    def __repr__(self) -> str:
        return f"UserActSpace({', '.join(ACTS)})"


def read_act(action: Any, asked: Question | Proposal) -> UserAct:
    """Read an action as an act that answers what is asked; refuse it with what would be right."""
    try:
        if isinstance(action, str | bytes):
            action = parse_json(action, "the action")
        act = read_call(action, ACTS)
    except ToolError:
        raise
    except Exception as error:
        raise unreadable(error) from error
    assert isinstance(act, UserAct)
    if not isinstance(asked, act.answers):
        fitting = ", ".join(name for name, one in ACTS.items() if isinstance(asked, one.answers))
        message = f"A {type(asked).__name__.lower()} is not answered by {act.name}."
        raise ToolError("invalid_action", message, "tool", f"one of: {fitting}")
    return act


def shown(asked: Question | Proposal) -> dict[str, Any]:
    """Return what the user sees of what they are asked: a question, or a call with every record that it refers to."""
    if isinstance(asked, Question):
        return {"topic": asked.topic, "question": asked.question}
    records = [{"kind": type(record).__name__, "content": record} for record in asked.referred]
    return {"tool": asked.tool, "arguments": asked.arguments, "summary": asked.summary, "records": records}
