"""Errors that name the value, the place and what would be right.

`ToolError` is an answer of the simulated world to a policy; everything else is an answer of the library to its user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentbench_env.world import World

PASSING = ("rate_limited", "temporarily_unavailable")
"""Codes of tool errors that pass: nothing was done, and the same call may work the next time."""
NO_RESPONSE = "no_response"
"""Code of the tool error of a call that got no reply: it may have been carried out."""


class AgentbenchError(Exception):
    """Base of the errors that this package raises on purpose."""


class WrongArgument(AgentbenchError, ValueError):
    """An argument has a value that it cannot have; the message says which values it can have."""

    def __init__(self, place: str, value: object, options: Iterable[object]) -> None:
        known = [str(option) for option in options]
        self._made_of = (place, value, known)
        near = get_close_matches(str(value), known, n=1)
        shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"{place} is {value!r}; it must be one of: {shown}.{hint}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._made_of


class NothingSelected(AgentbenchError, ValueError):
    """Ids, domains and markets that name no environment; the message says where to look."""


class TaskNotBuilt(AgentbenchError, NotImplementedError):
    """The contract is registered but its task has not been built yet."""

    def __init__(self, task_id: str, number: str) -> None:
        self._made_of = (task_id, number)
        super().__init__(
            f"Contract {number} ({task_id}) is registered, but its task is not built in this release. "
            "`agentbench list --built` shows the environments that work."
        )

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), self._made_of


class EnvironmentFault(AgentbenchError, RuntimeError):
    """The code of a task or tool failed: a bug, never the policy's doing, never a reward of 0."""


class EndpointFault(AgentbenchError, ConnectionError):
    """The model's endpoint did not answer, or not with an answer: raised by policies, never a reward of 0."""


class EndpointRefused(EndpointFault):
    """The model's endpoint refuses this key, model or address and would refuse every episode: the run ends at once."""


class MessageFault(AgentbenchError, ValueError):
    """A message that a policy reports is no chat message, or announces another step than the one that was made."""


class ResetNeeded(AgentbenchError, RuntimeError):
    """`step` was called before `reset` or after the episode had ended."""


class ClusterFault(AgentbenchError, RuntimeError):
    """There is no Ray cluster to run episodes in, or it cannot run them."""


class PolicyStopped(AgentbenchError, RuntimeError):
    """A policy cannot go on, e.g. because the conversation outgrew its model: an abandoned episode, reward 0."""


class ToolError(Exception):
    """A provider refuses a call: nothing changes and the policy reads the error.

    Args:
        code: lower-case snake word, e.g. `unknown_id`.
        message: what the provider says, in its language.
        field: the argument that is wrong, "" if none is.
        hint: what would be right, "" if the provider does not say.
        meanwhile: what happened in the world at that moment and not by the call, e.g. that somebody else bought the
            last seat; it stays when the call is undone.
        retry_after_s: in-world seconds after which the call may be made again, 0 if the provider does not say.
    """

    def __init__(
        self,
        code: str,
        message: str = "",
        field: str = "",
        hint: str = "",
        meanwhile: Callable[[World], object] | None = None,
        retry_after_s: int = 0,
    ) -> None:
        super().__init__(code, message, field, hint)
        self.code, self.message, self.field, self.hint, self.meanwhile = code, message, field, hint, meanwhile
        self.retry_after_s = retry_after_s


class ReplyLost(ToolError):
    """The provider did what it was asked and its reply was lost: what changed stays, and the policy cannot tell."""

    def __init__(self, hint: str) -> None:
        super().__init__(NO_RESPONSE, hint=hint)
