"""Recorded episodes in the formats of other programs, each written as a stream: one episode in memory at a time.

Every format has a module with `write(episodes, path)`, which returns how many episodes it wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path

from agentbench_env.errors import WrongArgument
from agentbench_env.rollout.trajectory import Trajectory

FORMATS = {
    "chat": "JSON lines of messages and tools, for fine-tuning",
    "parquet": "one Parquet file, for `datasets`, pandas and the like",
    "atif": "a folder of ATIF 1.8 documents, one an episode",
    "minari": "a folder of Minari datasets, one an environment",
}
"""Names of the formats, each with what it writes."""


class ExportFault(ValueError):
    """Episodes cannot be put into the format that was asked for."""


Writer = Callable[[Iterable[Trajectory], Path], int]


def load_writer(name: str) -> Writer:
    """Return what writes a format.

    Raises:
        WrongArgument: there is no such format.
        MissingExtra: the library that the format needs is not installed.
    """
    if name not in FORMATS:
        raise WrongArgument("format", name, FORMATS)
    return import_module(f"agentbench_env.export.{name}").write
