"""One writer for a directory: a lock that the system lets go of when the process ends, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

LOCK_FILE = "writer.lock"
_held: set[Path] = set()


class DirectoryLocked(Exception):
    """Another writer has the directory; the message says which process."""


class DirectoryLock:
    """Holds a directory until `release`, or until this process ends. The file stays and means nothing by itself.

    Args:
        directory: an existing directory.
        name: of the file that stands for what is held, where that is less than the whole directory.

    Raises:
        DirectoryLocked: another process holds it, or another writer of this process.
    """

    def __init__(self, directory: Path, name: str = LOCK_FILE) -> None:
        self._path = (directory / name).resolve()
        if self._path in _held:
            raise DirectoryLocked("this process")
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _lock(self._file)
        except OSError as error:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip()
            os.close(self._file)
            raise DirectoryLocked(f"process {holder}" if holder else "another process") from error
        _held.add(self._path)
        # Only a help for people; a full disk must not stand in the way of reading what is there.
        with suppress(OSError):
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{os.getpid()}\n".encode("ascii"))

    def release(self) -> None:
        """Let go of the directory; doing so again changes nothing."""
        if self._path in _held:
            _held.discard(self._path)
            os.close(self._file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        # Far behind the text, which others could not read otherwise.
        os.lseek(file, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(file: int) -> None:
        # Unlike flock's, this lock is not inherited by worker processes, which may outlive a killed parent.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
