"""Writing a run: one writer, every episode on the disk before the next one, and resumed whenever it was stopped."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from threading import Lock
from types import TracebackType

import msgspec

from agentbench_env.rollout.lock import DirectoryLock, DirectoryLocked
from agentbench_env.rollout.store import RUN_FILE, Line, Run, StoreFault, WriteFault, read_lines, read_run, shards_of
from agentbench_env.rollout.trajectory import Key, Result, Trajectory, read_result
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
        self._file: FileIO | None = None
        self._shard = self._written = self._size = 0
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
            raise self._fault(error) from error
        try:
            # A run that came to no episode, as where the endpoint refused its model, is not in the way of another one.
            if (self._directory / RUN_FILE).exists() and shards_of(self._directory):
                self._go_on(run, resume)
            else:
                self._begin(run)
        except OSError as error:
            self.close()
            raise self._fault(error) from error
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
                raise self._fault(error) from error

    def close(self) -> None:
        """Close the run and let go of its directory."""
        if self._file is not None:
            self._file.close()
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
        _replace(self._directory / RUN_FILE, [msgspec.json.format(canonical(run), indent=2), b"\n"])

    def _go_on(self, run: Run, resume: bool) -> None:
        if not resume:
            raise StoreFault(f"{self._directory} already holds a run; name another directory, or resume it (--resume)")
        _check_same(self._directory, run)
        shards = shards_of(self._directory)
        for shard in shards:
            self._recover(shard, shard is shards[-1])
        self._shard = int(shards[-1].stem.rpartition("-")[2])
        self._open(shards[-1])

    def _recover(self, shard: Path, last: bool) -> None:
        """Keep a shard's scored episodes, all of them whole."""
        kept: list[bool] = []
        for result in _read_shard(shard, last):
            kept.append(result is not None and result.scored)
            if result is not None and result.scored:
                self.done.add(result.key)
                if self._held is not None:
                    self._held(result)
        self._written = sum(kept)
        if self._written < len(kept):
            _replace(shard, (line.raw for line, keep in zip(read_lines(shard), kept, strict=True) if keep))

    # --- appending

    def _append(self, data: bytes) -> None:
        if self._file is None or self._written >= EPISODES_A_SHARD:
            self._next_shard()
        file = self._file
        assert file is not None
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except BaseException:
            # Also where the user interrupts: the file ends with a whole line.
            self._spoilt = True
            with suppress(OSError):
                file.truncate(self._size)
            raise
        self._size += len(data)
        self._written += 1

    def _next_shard(self) -> None:
        if self._file is not None:
            self._file.close()
            self._shard += 1
        self._open(self._directory / f"episodes-{self._shard:05}.jsonl")
        self._written = 0

    def _open(self, shard: Path) -> None:
        self._file = FileIO(shard, "a")
        self._size = self._file.tell()
        _sync_directory(self._directory)

    def _fault(self, error: OSError) -> WriteFault:
        reason = error.strerror or str(error)
        return WriteFault(f"{self._directory} cannot be written: {reason}. What it holds is whole: go on with --resume")


def stored(directory: Path, run: Run) -> set[Key]:
    """Return the scored episodes that a directory holds, as resuming `run` there would find them.

    Raises:
        StoreFault: it holds another run, or something else has changed it.
    """
    if not shards_of(directory):
        return set()
    _check_same(directory, run)
    shards = shards_of(directory)
    results = (result for shard in shards for result in _read_shard(shard, shard is shards[-1]))
    return {result.key for result in results if result is not None and result.scored}


def _check_same(directory: Path, run: Run) -> None:
    if different := read_run(directory).differences(run):
        raise StoreFault(f"{directory} holds another run, which this cannot resume: {'; '.join(different)}")


def _read_shard(shard: Path, last: bool) -> Iterator[Result | None]:
    """Yield what each line says; None for the one that was being written when the last shard's writer was stopped."""
    fault: StoreFault | None = None
    for line in read_lines(shard):
        if fault is not None:
            raise fault
        try:
            yield _result_of(line)
        except StoreFault as error:
            fault = error
    if fault is not None:
        if not last:
            raise fault
        yield None


def _result_of(line: Line) -> Result:
    try:
        if line.raw.endswith(b"\n"):
            return read_result(line.raw)
        reason = "it does not end with a line break"
    except ValueError as error:
        reason = str(error)
    raise StoreFault(f"{line.place} is no record of an episode: {reason}; something else has changed the file")


def _replace(path: Path, lines: Iterable[bytes]) -> None:
    """Put a file in place at one go: whenever the process ends, the old or the new one is there, whole."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("wb") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _sync_directory(path.parent)


def _sync_directory(directory: Path) -> None:
    """Make the names of new files last; some systems open no directories."""
    with suppress(OSError):
        place = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
