"""Errors that name the value, the place and what would be right.

`ToolError` is an answer of the simulated world to a policy; everything else is an answer of the library to its user.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class AgentbenchError(Exception):
    """Base of the errors that this package raises on purpose."""


class WrongArgument(AgentbenchError, ValueError):
    """An argument has a value that it cannot have; the message says which values it can have."""

    def __init__(self, place: str, value: object, options: Iterable[object]) -> None:
        known = [str(option) for option in options]
        near = get_close_matches(str(value), known, n=1)
        shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
        hint = f" Did you mean {near[0]!r}?" if near else ""
        super().__init__(f"{place} is {value!r}; it must be one of: {shown}.{hint}")


class TaskNotBuilt(AgentbenchError, NotImplementedError):
    """The contract is registered but its task has not been built yet."""

    def __init__(self, task_id: str, number: str) -> None:
        super().__init__(
            f"Contract {number} ({task_id}) is registered, but its task is not built in this release. "
            "`agentbench list --built` shows the environments that work."
        )


class EnvironmentFault(AgentbenchError, RuntimeError):
    """The code of a task or tool failed: a bug, never the policy's doing, never a reward of 0."""


class ResetNeeded(AgentbenchError, RuntimeError):
    """`step` was called before `reset` or after the episode had ended."""


class ToolError(Exception):
    """A provider refuses a call: nothing changes and the policy reads the error.

    Args:
        code: lower-case snake word, e.g. `unknown_id`.
        message: what the provider says, in its language.
        field: the argument that is wrong, "" if none is.
        hint: what would be right, "" if the provider does not say.
    """

    def __init__(self, code: str, message: str = "", field: str = "", hint: str = "") -> None:
        super().__init__(code, message, field, hint)
        self.code, self.message, self.field, self.hint = code, message, field, hint
