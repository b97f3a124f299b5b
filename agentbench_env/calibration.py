"""Reference medians: what pilot runs took and cost, by contract and market; normalised time and cost divide by them."""

from __future__ import annotations

import json
import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec


class Median(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a pilot took: median seconds and USD of its successful episodes, and how it was found."""

    time_s: float
    n: int
    episodes: int
    release: str
    date: str
    policy: str
    difficulty: str
    cost_usd: float | None = None


Medians: TypeAlias = dict[str, dict[str, Median]]
"""Contract id -> market code -> median."""


class Reference(NamedTuple):
    """The medians that an environment divides by; None where none is registered."""

    time_s: float | None
    cost_usd: float | None


def load_medians(file: str | Path | None = None) -> Medians:
    """Return the suite's registered medians, those of `file` before them. A file that does not exist holds none."""
    own = tomllib.loads((files("agentbench_env") / "calibration.toml").read_text(encoding="utf-8"))
    found = msgspec.convert(own, Medians)
    if file is not None and Path(file).is_file():
        for task, markets in read_medians(Path(file)).items():
            found[task] = found.get(task, {}) | markets
    return found


def read_medians(file: Path) -> Medians:
    """Return the medians of one file; raise ValueError if it holds something else."""
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Medians)
    except ValueError as error:
        raise ValueError(f"{file} is no file of reference medians: {error}") from error


@lru_cache(maxsize=8)
def _cached(file: str | None) -> Medians:
    return load_medians(file)


def reference_medians(task: str, market: str, file: str | None = None) -> Reference:
    """Return the registered medians of a contract in a market."""
    median = _cached(file).get(task, {}).get(market)
    return Reference(None, None) if median is None else Reference(median.time_s, median.cost_usd)


def write_medians(file: Path, medians: Medians) -> None:
    """Write medians as TOML, by contract and market."""
    lines = ["# Reference medians, registered by `agentbench calibrate`."]
    for task, markets in sorted(medians.items()):
        for market, median in sorted(markets.items()):
            lines += ["", f"[{json.dumps(task)}.{json.dumps(market)}]"]
            fields: dict[str, object] = msgspec.to_builtins(median)
            # JSON's texts and numbers are also TOML's.
            lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items()]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
