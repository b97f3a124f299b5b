"""The tools of a whole domain, for stacks that fix their tools before they know the task."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from logging import getLogger
from typing import Any

from agentbench_env.adapters.session import FAULT, EpisodeSession
from agentbench_env.errors import EnvironmentFault, WrongArgument
from agentbench_env.registry import contract, contracts, is_built, split_env_id, third_party_contracts
from agentbench_env.spaces import ToolCallSpace

ARGUMENTS = "arguments"
_log = getLogger(__name__)


@cache
def domain_tools(domain: str) -> Mapping[str, dict[str, Any]]:
    """Return the functions of a domain, as OpenAI's schemas without nested arguments, by name.

    A tool whose arguments depend on the task, as those of `task_finish` do, takes them all as one JSON text,
    `arguments`; `task_schemas` says what stands in it. Not every task has every tool of its domain.

    Args:
        domain: the prefix of its contracts' ids, e.g. `ta`.

    Raises:
        WrongArgument: no contract of such a domain is built.
    """
    built = [one for one in (contracts() | third_party_contracts()).values() if is_built(one)]
    forms: dict[str, list[dict[str, Any]]] = {}
    for one in built:
        if one.domain == domain:
            for tool in ToolCallSpace(one.id).openai_tools("flat"):
                seen = forms.setdefault(tool["function"]["name"], [])
                if tool["function"] not in seen:
                    seen.append(tool["function"])
    if not forms:
        raise WrongArgument("domain", domain, sorted({one.domain for one in built}))
    return {name: found[0] if len(found) == 1 else _by_task(name) for name, found in forms.items()}


def _by_task(name: str) -> dict[str, Any]:
    what = {"type": "string", "description": f"All arguments as JSON text; the request says what {name} takes."}
    parameters = {"type": "object", "properties": {ARGUMENTS: what}, "required": [ARGUMENTS]}
    return {"name": name, "description": f"{name}, whose arguments depend on the request.", "parameters": parameters}


def domain_of(env_id: str) -> str:
    """Return the domain of an environment; raise WrongArgument for an unknown id."""
    return contract(split_env_id(env_id)[0]).domain


def task_brief(session: EpisodeSession) -> str:
    """Return the user's brief, and the schemas of the tools whose arguments are this task's own."""
    shared = domain_tools(domain_of(session.env_id))
    functions = [tool["function"] for tool in session.tools]
    own = [json.dumps(one, ensure_ascii=False) for one in functions if takes_text(shared[one["name"]])]
    said = f"These tools take `{ARGUMENTS}`, the JSON text of what their schemas here say:"
    return "\n".join((session.brief, "", said, *own))


def takes_text(function: Mapping[str, Any]) -> bool:
    """Whether a function of `domain_tools` takes all its arguments as one JSON text."""
    return ARGUMENTS in function["parameters"]["properties"]


def call_shared(session: EpisodeSession, name: str, arguments: dict[str, Any] | str | None) -> str:
    """Call a tool by its form in `domain_tools` and return the result; what makes no sense is answered by an error.

    Args:
        session: the episode.
        name: a tool of its domain.
        arguments: what the model gave as arguments: an object, or anything else, which is answered by an error.

    Where the suite's own code failed, the result is `FAULT` and the episode has ended without a reward.
    """
    shared = domain_tools(domain_of(session.env_id))[name]
    if isinstance(arguments, dict) and takes_text(shared):
        arguments = arguments.get(ARGUMENTS, arguments)
    try:
        return session.call_now(name, arguments)["content"]
    except EnvironmentFault:
        # Raised, it would reach the model: TRL and verl show it the text of every error.
        _log.exception("a call of %s failed", name)
        return FAULT
