"""The simulated user: what it is asked, how it decides, and how a user of one's own is put in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol

import msgspec
from pydantic import BeforeValidator, Field

from agentbench_env.approval import LIFETIME_S, Decision, Proposal
from agentbench_env.errors import ToolError
from agentbench_env.tool import Effect, Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_iso

if TYPE_CHECKING:
    from agentbench_env.episode import Call


class Question(msgspec.Struct, frozen=True):
    """What the assistant asks the user with `user_ask`."""

    topic: str
    question: str


class Reply(msgspec.Struct, frozen=True):
    """What the user answers to a question, and the facts that the answer states."""

    text: str
    facts: tuple[tuple[str, Any], ...] = ()


class Script(Protocol):
    """How the task's own user would act in this episode; a user of one's own may fall back on it."""

    @property
    def brief(self) -> str:
        """The brief that the assistant was given, as JSON text."""
        ...

    def decide(self, proposal: Proposal) -> Decision:
        """Decide by the task's wishes."""
        ...

    def reply(self, topic: str, question: str) -> Reply:
        """Answer by the task's rules."""
        ...


class User(Protocol):
    """A simulated person: rule-based by default, or any object with these two methods (`user=` of an environment)."""

    def decide(self, proposal: Proposal, script: Script) -> Decision:
        """Grant or deny one proposed call."""
        ...

    def reply(self, topic: str, question: str, script: Script) -> str:
        """Answer one question."""
        ...


class RuleUser:
    """The default: decides and answers by the rules of the task, the same way every time."""

    def decide(self, proposal: Proposal, script: Script) -> Decision:
        """Decide by the task's wishes."""
        return script.decide(proposal)

    def reply(self, topic: str, question: str, script: Script) -> str:
        """Answer by the task's rules."""
        return script.reply(topic, question).text


class AskingTool(Tool):
    """Base of the tools that ask the user: such a call waits after `asks`, and `run` completes it with the answer."""

    effect: ClassVar[Effect] = "user"

    def asks(self, call: Call) -> Question | Proposal:
        """Return what the user is asked; raise `ToolError` to refuse the call before they are."""
        raise NotImplementedError


class UserAnswer(Record, frozen=True, gc=False):
    """The record of a user's reply; it can be cited for the facts it states."""

    topic: str
    text: str
    stated: tuple[tuple[str, Any], ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """The facts of the reply."""
        return dict(self.stated)


class AskResult(msgspec.Struct, frozen=True):
    """What `user_ask` returns."""

    answer_id: str
    topic: str
    text: str


class UserAsk(AskingTool):
    """Ask the user one question. The reply is never an approval."""

    name: ClassVar[str] = "user_ask"
    latency_s: ClassVar[float] = 15.0

    topic: str = Field(description="What the question is about.")
    question: str = Field(description="The question, in the user's language.", max_length=2000)

    def asks(self, call: Call) -> Question:
        return Question(self.topic, self.question)

    def run(self, call: Call) -> AskResult:
        script, user = call.episode.script, call.user
        assert user is not None
        default = script.reply(self.topic, self.question)
        text = user.reply(self.topic, self.question, script)
        id = call.world.stamp_id("ans", self.topic, self.question, call.world.now)
        facts = default.facts if text == default.text else ()
        call.world.stamp(UserAnswer(id, self.topic, text, facts))
        call.show(id)
        return AskResult(id, self.topic, text)


class ApprovalResult(msgspec.Struct, frozen=True):
    """What `user_request_approval` returns."""

    decision: str
    approval_id: str
    reason: str
    expires_at: str


def _as_json_text(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("no JSON object") from error


class UserRequestApproval(AskingTool):
    """Ask the user's leave for one exact call, before making it.

    A granted approval serves for one call with exactly these arguments, while every draft, quote or request it refers
    to stays as it is, and for a limited time.
    """

    name: ClassVar[str] = "user_request_approval"
    latency_s: ClassVar[float] = 10.0

    tool: str = Field(description="Name of the tool you want to call.")
    arguments: Annotated[str, BeforeValidator(_as_json_text)] = Field(
        description="The exact arguments of that call, a JSON object as text."
    )
    summary: str = Field(description="What the call does, in a sentence for the user.", max_length=2000)

    def asks(self, call: Call) -> Proposal:
        episode = call.episode
        if self.tool not in episode.tools:
            raise ToolError("unknown_tool", field="tool", hint=f"one of: {', '.join(episode.tools)}")
        try:
            wanted = episode.read_call({"tool": self.tool, "arguments": self.arguments})
        except ToolError as error:
            field = f"arguments.{error.field}" if error.field else "arguments"
            raise ToolError("bad_arguments", error.message, field, error.hint) from error
        return episode.proposal(wanted, self.summary)

    def run(self, call: Call) -> ApprovalResult:
        proposal, user = call.asked, call.user
        assert isinstance(proposal, Proposal)
        assert user is not None
        decision = user.decide(proposal, call.episode.script)
        if not decision.answered:
            return ApprovalResult("no_answer", "", "", "")
        if not decision.granted:
            return ApprovalResult("denied", "", decision.reason, "")
        approval = call.episode.grant(proposal)
        expires = to_iso(approval.granted_at + LIFETIME_S, call.world.zone)
        return ApprovalResult("granted", approval.id, decision.reason, expires)
