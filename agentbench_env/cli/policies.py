"""Which policy a command is asked to run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from agentbench_env.cli.output import WrongUse
from agentbench_env.errors import WrongArgument

if TYPE_CHECKING:
    from agentbench_env.policies import Policy

CHAT = "chat:"

PolicySpec = Annotated[
    str,
    typer.Option("--policy", help="expert, random, shortcut:NAME, replay:FILE, chat:MODEL or python:MODULE:ATTRIBUTE."),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(
        "--base-url",
        metavar="URL",
        help="The OpenAI-compatible endpoint of chat:MODEL, e.g. http://localhost:8000/v1.",
        show_default="OPENAI_BASE_URL, or else OpenAI's own",
    ),
]
PolicyOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--policy-option",
        metavar="NAME=VALUE",
        help="An option of chat:MODEL: temperature=0.7, max_tokens=2000, system_file=prompt.txt; may be repeated.",
    ),
]


def policy_spec(policy: str, base_url: str | None, options: Sequence[str] | None) -> str:
    """Return a policy with its options as one text, which is what a run records."""
    given: dict[str, str] = {"base_url": base_url} if base_url else {}
    for option in options or ():
        name, equals, value = option.partition("=")
        if not equals:
            raise WrongUse(f"--policy-option is {option!r}; it must be like {name}=VALUE")
        given[name] = value
    if not given:
        return policy
    if not policy.startswith(CHAT):
        raise WrongUse(f"--base-url and --policy-option belong to chat:MODEL, and the policy is {policy!r}")
    from agentbench_env.policies.chat_options import chat_spec

    return chat_spec(policy, given)


def load(spec: str) -> Policy:
    """Return a policy; one that cannot be made is wrong usage."""
    from agentbench_env.policies import load_policy

    try:
        return load_policy(spec)
    except WrongArgument:
        raise
    except (ImportError, OSError, ValueError) as error:
        raise WrongUse(f"policy {spec!r}: {error}") from error
