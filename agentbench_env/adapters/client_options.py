"""What a client over the network may choose of an environment: data alone, no code, files or secrets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from agentbench_env.draw import SPLITS
from agentbench_env.errors import WrongArgument

PUBLIC_SPLITS = tuple(split for split in SPLITS if split != "private")
CLIENT_OPTIONS: Mapping[str, Any] = {
    "split": str,
    "difficulty": str,
    "prompt_language": str,
    "boundary_notice": str,
    "clock": str,
    "on_violation": str,
    "faults": float,
    "injections": bool,
    "max_steps": int | None,
}
"""The arguments of `AgentbenchEnv` that a client may give, with their types. `user`, `reference` and `salt`, which load
code, read files or hold secrets, are the operator's alone."""


def client_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a client's options as arguments of the environment, which checks their values.

    Raises:
        WrongArgument: an option that a client may not give, or a split that is not public.
        ValueError: a value of another type.
    """
    checked = {name: _typed(name, value) for name, value in options.items()}
    if "split" in checked:
        check_split(checked["split"])
    return checked


def check_split(split: str) -> None:
    """Raise WrongArgument for a split that is not public."""
    if split not in PUBLIC_SPLITS:
        raise WrongArgument("split", split, PUBLIC_SPLITS)


def _typed(name: str, value: Any) -> Any:
    if name not in CLIENT_OPTIONS:
        raise WrongArgument("option", name, CLIENT_OPTIONS)
    try:
        return msgspec.convert(value, CLIENT_OPTIONS[name])
    except msgspec.ValidationError as error:
        raise ValueError(f"{name} is {value!r}: {error}") from error
