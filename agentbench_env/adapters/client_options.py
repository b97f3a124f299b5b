"""What a client over the network, or a row of data, may choose of an environment: data, no code, files or secrets."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import msgspec

from agentbench_env.draw import SPLITS
from agentbench_env.errors import WrongArgument
from agentbench_env.sampling import Sample

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


def sample_columns(sample: Sample, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return a sample as columns of a row of data: `env_id`, `seed`, `difficulty`, `split`, and options for all rows.

    `trial` is no column, so that the rows of a group are equal: by that trainers know them.

    Raises:
        WrongArgument: an option that a client may not give, or a split that is not public.
        ValueError: a value of another type.
    """
    columns = sample._asdict()
    del columns["trial"]
    return {**columns, **client_options({**options, "split": sample.split})}


def asked_episode(row: Mapping[str, Any], own: Container[str] = ()) -> dict[str, Any]:
    """Return what a row of data asks for, as arguments of `EpisodeSession`; `Sample._asdict()` is such a row.

    Args:
        row: `env_id` and `seed`, and options as columns of their own names. `trial` is not looked at.
        own: columns that are the stack's own, not looked at either.

    Raises:
        WrongArgument: a column that is none of these, or a split that is not public.
        ValueError: there is no `env_id` or no `seed`, or a value is of another type.
    """
    if missing := [name for name in ("env_id", "seed") if name not in row]:
        raise ValueError(f"the row has no {' and no '.join(missing)}; `rows` makes rows that have them")
    known = ("env_id", "seed", "trial")
    options = {name: value for name, value in row.items() if name not in known and name not in own}
    return {"env_id": row["env_id"], "seed": row["seed"], **client_options(options)}


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
