"""Writing a run: one writer, every episode on the disk before the next one, and resumed whenever it was stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from types import TracebackType

import msgspec

from agentbench_env.rollout.lock import DirectoryLock, DirectoryLocked
from agentbench_env.rollout.shard import Shard, cannot_write, read_results, recover, replace_file
from agentbench_env.rollout.store import RUN_FILE, Run, StoreFault, WriteFault, read_run, shards_of
from agentbench_env.rollout.trajectory import Key, Result, Trajectory
from agentbench_env.world import canonical

EPISODES_A_SHARD = 1000
Held = Callable[[Result], object]


class RunWriter:
    """Writes a run into a directory; when `write` returns, the episode is on the disk.

    The files are only ever appended to. Resuming cuts off a line that was not written whole, and takes out the episodes
    with infrastructure outcomes, which are to be run again.

    Args:
        directory: made if it does not exist.
        run: what the run is, see `describe_run`.
        resume: go on with the run that the directory holds, which must be the same but for when it started; a directory
            without a run, or with one that has no episode yet, begins one.
        held: takes what each scored episode came to that the directory already holds.

    Raises:
        StoreFault: the directory holds a run and `resume` is not asked for, or another run than this one, or another
            writer has it.
        WriteFault: the disk is full or fails.
    """

    def __init__(self, directory: str | Path, run: Run, resume: bool = False, held: Held | None = None) -> None:
        self._directory = Path(directory)
        self._held = held
        self._shard: Shard | None = None
        self._number = self._written = 0
        self._spoilt = False
        self._writing = Lock()
        self.done: set[Key] = set()
        """The episodes that the directory held when this writer took it."""
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            self._lock = DirectoryLock(self._directory)
        except DirectoryLocked as error:
            raise StoreFault(f"{directory} has another writer: {error}; wait for it or name another one") from error
        except OSError as error:
            raise cannot_write(self._directory, error) from error
        try:
            # A run that came to no episode, as where the endpoint refused its model, is not in the way of another one.
            if (self._directory / RUN_FILE).exists() and shards_of(self._directory):
                self._go_on(run, resume)
            else:
                self._begin(run)
        except OSError as error:
            self.close()
            raise cannot_write(self._directory, error) from error
        except BaseException:
            self.close()
            raise

    def write(self, trajectory: Trajectory) -> None:
        """Append one episode; several threads may.

        Raises:
            WriteFault: the disk is full or fails; the episode is not stored, those before it are.
        """
        with self._writing:
            if self._spoilt:
                raise WriteFault(f"{self._directory} could not be written before; resume the run with a new writer")
            try:
                self._append(trajectory.line() + b"\n")
            except OSError as error:
                raise cannot_write(self._directory, error) from error

    def close(self) -> None:
        """Close the run and let go of its directory."""
        if self._shard is not None:
            self._shard.close()
        self._lock.release()

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # --- beginning and going on

    def _begin(self, run: Run) -> None:
        if shards := shards_of(self._directory):
            raise StoreFault(f"{self._directory} holds {shards[0].name} but no {RUN_FILE}; name another directory")
        replace_file(self._directory / RUN_FILE, [msgspec.json.format(canonical(run), indent=2), b"\n"])

    def _go_on(self, run: Run, resume: bool) -> None:
        if not resume:
            raise StoreFault(f"{self._directory} already holds a run; name another directory, or resume it (--resume)")
        _check_same(self._directory, run)
        shards = shards_of(self._directory)
        for shard in shards:
            self._recover(shard, shard is shards[-1])
        self._number = int(shards[-1].stem.rpartition("-")[2])
        self._shard = Shard(shards[-1])

    def _recover(self, shard: Path, last: bool) -> None:
        kept = recover(shard, last)
        self._written = len(kept)
        for result in kept:
            self.done.add(result.key)
            if self._held is not None:
                self._held(result)

    # --- appending

    def _append(self, data: bytes) -> None:
        if self._shard is None or self._written >= EPISODES_A_SHARD:
            self._next_shard()
        shard = self._shard
        assert shard is not None
        try:
            shard.append(data)
        except BaseException:
            # Also where the user interrupts.
            self._spoilt = True
            raise
        self._written += 1

    def _next_shard(self) -> None:
        if self._shard is not None:
            self._shard.close()
            self._number += 1
        self._shard = Shard(self._directory / f"episodes-{self._number:05}.jsonl")
        self._written = 0


def stored(directory: Path, run: Run) -> set[Key]:
    """Return the scored episodes that a directory holds, as resuming `run` there would find them.

    Raises:
        StoreFault: it holds another run, or something else has changed it.
    """
    if not shards_of(directory):
        return set()
    _check_same(directory, run)
    shards = shards_of(directory)
    results = (result for shard in shards for result in read_results(shard, shard is shards[-1]))
    return {result.key for result in results if result is not None and result.scored}


def _check_same(directory: Path, run: Run) -> None:
    if different := read_run(directory).differences(run):
        raise StoreFault(f"{directory} holds another run, which this cannot resume: {'; '.join(different)}")
