"""One file of episodes, a line each: appended to, and brought back in order after whatever stopped its writer."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path

from agentbench_env.rollout.store import Line, StoreFault, WriteFault, read_lines
from agentbench_env.rollout.trajectory import Result, read_result


class Shard:
    """A file that is only ever appended to, and that ends with a whole line whatever happens.

    Args:
        path: made if it does not exist.

    Raises:
        OSError: it cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._file = FileIO(path, "a")
        self._size = self._file.tell()
        _sync_directory(path.parent)

    def append(self, data: bytes) -> None:
        """Append data and wait until it is on the disk; if that fails or is interrupted, nothing of it stays."""
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except BaseException:
            with suppress(OSError):
                self._file.truncate(self._size)
            raise
        self._size += len(data)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def recover(path: Path, last: bool) -> list[Result]:
    """Cut off a file's line that was not written whole, take out its infrastructure outcomes, and return the rest.

    Args:
        path: a file of episodes.
        last: whether a writer may have been stopped while it wrote this file.

    Raises:
        StoreFault: something else has changed the file.
    """
    found = list(read_results(path, last))
    kept = [result is not None and result.scored for result in found]
    if not all(kept):
        replace_file(path, (line.raw for line, keep in zip(read_lines(path), kept, strict=True) if keep))
    return [result for result in found if result is not None and result.scored]


def read_results(path: Path, last: bool) -> Iterator[Result | None]:
    """Yield what each line says; None for the one that was being written when the `last` file's writer was stopped.

    Raises:
        StoreFault: something else has changed the file.
    """
    fault: StoreFault | None = None
    for line in read_lines(path):
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


def cannot_write(path: Path, error: OSError) -> WriteFault:
    """Return what is raised where episodes cannot be written to a file or directory."""
    reason = error.strerror or str(error)
    return WriteFault(f"{path} cannot be written: {reason}. What it holds is whole: go on with --resume")


def replace_file(path: Path, lines: Iterable[bytes]) -> None:
    """Put a file in place at one go: whenever the process ends, the old or the new one is there, whole."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("wb") as file:
        file.writelines(lines)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    _sync_directory(path.parent)


def _result_of(line: Line) -> Result:
    try:
        if line.raw.endswith(b"\n"):
            return read_result(line.raw)
        reason = "it does not end with a line break"
    except ValueError as error:
        reason = str(error)
    raise StoreFault(f"{line.place} is no record of an episode: {reason}; something else has changed the file")


def _sync_directory(directory: Path) -> None:
    """Make the names of new files last; some systems open no directories."""
    with suppress(OSError):
        place = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(place)
        finally:
            os.close(place)
