"""Policies: the scripted ones that prove a task, and what drives any policy through an environment."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from agentbench_env.errors import WrongArgument

if TYPE_CHECKING:
    import gymnasium as gym

SPECS = ("expert", "random", "shortcut:<name>", "script:<name>", "replay:<file>", "python:<module>:<attribute>")


class Policy(Protocol):
    """Anything that can play an episode."""

    @property
    def name(self) -> str:
        """What results are listed under."""
        ...

    def run(self, env: gym.Env[dict[str, Any], Any], observation: dict[str, Any]) -> None:
        """Step an environment to the end of its episode; `observation` is what `reset` just returned."""
        ...


def load_policy(spec: str) -> Policy:
    """Return the policy that `spec` names.

    Args:
        spec: `expert`; `random`; `shortcut:NAME`, a general one of `policies.shortcuts`; `script:NAME`, any scripted
            policy of the task at hand; `replay:FILE`, recorded actions; `python:MODULE:ATTRIBUTE`, a policy of one's
            own or what makes one.

    Raises:
        WrongArgument: there is no such policy.
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
