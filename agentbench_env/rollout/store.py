"""Runs on disk: what `run.json` says, and the lines of `episodes-00000.jsonl` and so on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import product
from pathlib import Path
from platform import python_version
from typing import Any, NamedTuple

import msgspec

from agentbench_env.action import NOT_JSON
from agentbench_env.registry import RELEASE
from agentbench_env.rollout.suite_state import SuiteState, suite_state
from agentbench_env.rollout.trajectory import FORMAT, Key
from agentbench_env.world import canonical

RUN_FILE = "run.json"
LIBRARIES = ("gymnasium", "numpy", "pydantic", "msgspec")


class Selection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run covers: each environment with each seed, `trials` times, all with the same arguments."""

    env_ids: tuple[str, ...]
    seeds: tuple[int, ...]
    kwargs: dict[str, Any]
    trials: int = 1

    def __len__(self) -> int:
        return len(self.env_ids) * len(self.seeds) * self.trials

    def episodes(self) -> Iterator[Key]:
        """Yield environment, seed and trial of each episode, in this order."""
        return product(self.env_ids, self.seeds, range(self.trials))


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `run.json` says of a run; to resume it, all but `started` must be the same. `suite` is its git state."""

    format: int
    release: str
    policy: str
    selection: Selection
    versions: dict[str, str]
    suite: SuiteState | None
    started: str

    def differences(self, other: Run) -> list[str]:
        """Name the settings in which another run differs: `policy: expert, now random`."""
        pairs = zip(_settings(self), _settings(other), strict=True)
        return [f"{name}: {_short(mine)}, now {_short(its)}" for (name, mine), (_, its) in pairs if mine != its]


def _settings(run: Run) -> list[tuple[str, Any]]:
    selection = run.selection
    fields = {"environments": selection.env_ids, "seeds": selection.seeds, "trials": selection.trials}
    rest = {"arguments": selection.kwargs, "versions": run.versions, "git state of the suite": run.suite}
    whole = {"format": run.format, "release": run.release, "policy": run.policy}
    return [*whole.items(), *fields.items(), *rest.items()]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else canonical(value).decode()
    return text if len(text) <= 200 else f"{text[:200]}..."


class StoreFault(ValueError):
    """A run's directory cannot be read or is not what was expected."""


class WriteFault(StoreFault):
    """The disk is full or fails; what was written is whole, and the run can be resumed."""


def describe_run(policy: str, selection: Selection) -> Run:
    """Return the description of a run that starts now with the installed libraries."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    return Run(FORMAT, RELEASE, policy, selection, library_versions(), suite_state(), started)


def library_versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that a run depends on."""
    return {"python": python_version()} | {library: version(library) for library in LIBRARIES}


class Line(NamedTuple):
    """One stored line and where it stands: `episodes-00000.jsonl:17`."""

    place: str
    raw: bytes


def read_run(directory: Path) -> Run:
    """Return what a directory's `run.json` says; raise StoreFault if it is missing or no such file."""
    file = directory / RUN_FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=Run)
    except FileNotFoundError as error:
        raise StoreFault(f"{directory} holds no {RUN_FILE}: it is no run") from error
    except NOT_JSON as error:
        raise StoreFault(f"{file} is not what a run wrote: {error}") from error


def shards_of(directory: Path) -> list[Path]:
    """Return a run's files of episodes, in their order."""
    return sorted(directory.glob("episodes-*.jsonl"))


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a run's directory, or of one file of episodes."""
    for shard in shards_of(path) if path.is_dir() else [path]:
        with shard.open("rb") as file:
            for number, raw in enumerate(file, 1):
                yield Line(f"{shard.name}:{number}", raw)


def count_lines(path: Path) -> int:
    """Return how many lines a run's directory or one file of episodes has; raise StoreFault if it has none."""
    if not path.exists():
        raise StoreFault(f"{path} does not exist; name a run's directory or a file of episodes")
    number = sum(1 for _ in read_lines(path))
    if not number:
        raise StoreFault(f"{path} holds no episodes")
    return number
