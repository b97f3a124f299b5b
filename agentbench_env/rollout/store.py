"""Runs on disk: a directory with `run.json` and `episodes-00000.jsonl`, ...: one writer, only ever appended to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from itertools import product
from pathlib import Path
from platform import python_version
from types import TracebackType
from typing import IO, Any, NamedTuple

import msgspec

from agentbench_env.registry import RELEASE
from agentbench_env.rollout.trajectory import FORMAT, Key, Trajectory
from agentbench_env.world import canonical

RUN_FILE = "run.json"
LOCK_FILE = "writer.lock"
EPISODES_A_SHARD = 1000
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
    """What `run.json` says of a run."""

    format: int
    release: str
    policy: str
    selection: Selection
    versions: dict[str, str]
    started: str


class StoreFault(ValueError):
    """A run's directory cannot be read or written."""


def describe_run(policy: str, selection: Selection) -> Run:
    """Return the description of a run that starts now with the installed libraries."""
    versions = {"python": python_version()} | {library: version(library) for library in LIBRARIES}
    return Run(FORMAT, RELEASE, policy, selection, versions, datetime.now(UTC).isoformat(timespec="seconds"))


class RunWriter:
    """Writes a run into a new directory; each episode is flushed when it ends.

    Args:
        directory: made if it does not exist; must hold no run.
        run: what the run is, see `describe_run`.

    Raises:
        StoreFault: the directory holds a run or another writer has it.
    """

    def __init__(self, directory: str | Path, run: Run) -> None:
        self._directory = Path(directory)
        self._directory.mkdir(parents=True, exist_ok=True)
        self._lock = self._directory / LOCK_FILE
        try:
            with self._lock.open("x", encoding="utf-8") as lock:
                lock.write(f"{os.getpid()}\n")
        except FileExistsError as error:
            text = f"{self._lock} exists: another writer has this directory; remove the file if none is running"
            raise StoreFault(text) from error
        self._shard: IO[bytes] | None = None
        self._written = 0
        if (self._directory / RUN_FILE).exists():
            self.close()
            raise StoreFault(f"{self._directory} already holds a run; name another directory")
        (self._directory / RUN_FILE).write_bytes(msgspec.json.format(canonical(run), indent=2) + b"\n")

    def write(self, trajectory: Trajectory) -> None:
        """Append one episode."""
        number, place = divmod(self._written, EPISODES_A_SHARD)
        if place == 0:
            if self._shard is not None:
                self._shard.close()
            self._shard = (self._directory / f"episodes-{number:05}.jsonl").open("xb")
        assert self._shard is not None
        self._shard.write(trajectory.line() + b"\n")
        self._shard.flush()
        self._written += 1

    def close(self) -> None:
        """Close the run and let go of its directory."""
        if self._shard is not None:
            self._shard.close()
        self._lock.unlink(missing_ok=True)

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


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
    except ValueError as error:
        raise StoreFault(f"{file} is not what a run wrote: {error}") from error


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of a run's directory, or of one file of episodes."""
    shards = sorted(path.glob("episodes-*.jsonl")) if path.is_dir() else [path]
    for shard in shards:
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
