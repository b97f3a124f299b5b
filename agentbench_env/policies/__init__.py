"""Policies: the scripted ones that prove a task, and what drives any policy through an environment."""

from __future__ import annotations

from collections.abc import Awaitable
from importlib import import_module
from inspect import iscoroutinefunction
from typing import TYPE_CHECKING, Any, Protocol

from agentbench_env.errors import WrongArgument

if TYPE_CHECKING:
    import gymnasium as gym

SPECS = (
    "expert",
    "random",
    "shortcut:<name>",
    "script:<name>",
    "replay:<file>",
    "chat:<model>",
    "python:<module>:<attribute>",
)


class Policy(Protocol):
    """Anything that can play an episode.

    `run` may be a coroutine (`async def run`): such a policy waits, for a model say, and plays many episodes at once in
    one process, each by its own call. It may also have `async def close(self)`, awaited when all is played.
    """

    @property
    def name(self) -> str:
        """What results are listed under."""
        ...

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> Awaitable[None] | None:
        """Step an environment to the end of its episode; `observation` is what `reset` just returned."""
        ...


def waits(policy: Policy) -> bool:
    """Whether a policy's `run` is a coroutine."""
    return iscoroutinefunction(policy.run)


def load_policy(spec: str) -> Policy:
    """Return the policy that `spec` names.

    Args:
        spec: `expert`; `random`; `shortcut:NAME`, a general one of `policies.shortcuts`; `script:NAME`, any scripted
            policy of the task at hand; `replay:FILE`, recorded actions; `chat:MODEL`, a model behind an endpoint, see
            `policies.chat`; `python:MODULE:ATTRIBUTE`, a policy of one's own or what makes one.

    Raises:
        WrongArgument: there is no such policy.
        ValueError, OSError, ImportError: the policy cannot be made; the message says what it needs.
    """
    from agentbench_env.policies.random import RandomPolicy
    from agentbench_env.policies.replay import load_replay
    from agentbench_env.policies.scripted import Scripted
    from agentbench_env.policies.shortcuts import SHORTCUTS, Shortcut

    kind, _, rest = spec.partition(":")
    match kind:
        case "expert" if not rest:
            return Scripted("expert")
        case "random" if not rest:
            return RandomPolicy()
        case "shortcut":
            if rest not in SHORTCUTS:
                raise WrongArgument("policy", spec, [f"shortcut:{name}" for name in SHORTCUTS])
            return Shortcut(rest)
        case "script" if rest:
            return Scripted(rest)
        case "replay" if rest:
            return load_replay(rest)
        case "chat" if rest:
            from agentbench_env.policies.chat import Chat

            return Chat(rest)
        case "python" if ":" in rest:
            return _own(rest)
        case _:
            raise WrongArgument("policy", spec, SPECS)


def _own(place: str) -> Policy:
    module, _, attribute = place.partition(":")
    known: dict[str, Any] = vars(import_module(module))
    if attribute not in known:
        public = [name for name in known if not name.startswith("_")]
        raise WrongArgument("policy", f"python:{place}", [f"python:{module}:{name}" for name in public])
    found = known[attribute]
    return found() if isinstance(found, type) or not hasattr(found, "run") else found
