"""Agentbench: environments in which a tool-using assistant does real-life errands, judged on what really happened.

Importing the package registers all environments with Gymnasium:

    import gymnasium as gym
    import agentbench_env

    env = gym.make("Agentbench/ta-two-leg-itinerary-SG")
"""

# pyright: reportUnusedImport=false

from importlib import import_module
from typing import TYPE_CHECKING, Any

from agentbench_env.registry import RELEASE, register_all

if TYPE_CHECKING:
    from agentbench_env.approval import Approval, Decision, Proposal
    from agentbench_env.boundary import AtMost, Before, Forbidden, Gated, NothingElse, Only, Policy, ReadOnly, Standing
    from agentbench_env.claims import MoneyClaim, MoneyValue, Part, QuoteText, TextClaim, quote_fault, sources_fault
    from agentbench_env.draw import Draw
    from agentbench_env.env import AgentbenchEnv
    from agentbench_env.episode import Call, Episode
    from agentbench_env.errors import (
        AgentbenchError,
        EnvironmentFault,
        ResetNeeded,
        TaskNotBuilt,
        ToolError,
        WrongArgument,
    )
    from agentbench_env.instance import Instance, build_instance
    from agentbench_env.lineage import Entry, Lineage
    from agentbench_env.market import Market, load_market, market_codes
    from agentbench_env.money import Amount, Money, convert, round_to
    from agentbench_env.policies.expert import Do, Refused
    from agentbench_env.registry import Contract, contracts, is_built, load_task, split_env_id
    from agentbench_env.task import Answer, Brief, Setting, Task, another_way, counterexample, final, shortcut
    from agentbench_env.tool import Tool
    from agentbench_env.user import Reply, RuleUser, Script, User
    from agentbench_env.verdict import ClauseResult, Finding, Verdict
    from agentbench_env.world import Change, Record, Start, World

__version__ = RELEASE

_HOMES = {
    "approval": ("Approval", "Decision", "Proposal"),
    "boundary": ("AtMost", "Before", "Forbidden", "Gated", "NothingElse", "Only", "Policy", "ReadOnly", "Standing"),
    "claims": ("MoneyClaim", "MoneyValue", "Part", "QuoteText", "TextClaim", "quote_fault", "sources_fault"),
    "draw": ("Draw",),
    "env": ("AgentbenchEnv",),
    "episode": ("Call", "Episode"),
    "errors": ("AgentbenchError", "EnvironmentFault", "ResetNeeded", "TaskNotBuilt", "ToolError", "WrongArgument"),
    "instance": ("Instance", "build_instance"),
    "lineage": ("Entry", "Lineage"),
    "market": ("Market", "load_market", "market_codes"),
    "money": ("Amount", "Money", "convert", "round_to"),
    "policies.expert": ("Do", "Refused"),
    "registry": ("Contract", "contracts", "is_built", "load_task", "split_env_id"),
    "task": ("Answer", "Brief", "Setting", "Task", "another_way", "counterexample", "final", "shortcut"),
    "tool": ("Tool",),
    "user": ("Reply", "RuleUser", "Script", "User"),
    "verdict": ("ClauseResult", "Finding", "Verdict"),
    "world": ("Change", "Record", "Start", "World"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["RELEASE", *sorted(_HOME)]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    # Names are loaded when first used, so that registering the environments costs next to nothing.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


register_all()
