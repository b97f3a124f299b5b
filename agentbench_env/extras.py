"""Optional libraries: imported when they are first needed, with an error that says how to get them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from agentbench_env.errors import AgentbenchError


class MissingExtra(AgentbenchError, ImportError):
    """An optional library is not installed; the message says which extra brings it."""


def need(module: str, extra: str) -> Any:
    """Return an optional module.

    Args:
        module: its import path, e.g. `pyarrow.parquet`.
        extra: the extra of this distribution that installs it.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        text = f"{module} cannot be imported ({error}); pip install 'agentbench-env[{extra}]' installs it"
        raise MissingExtra(text) from error
