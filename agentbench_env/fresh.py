"""New files and folders that are whole or not there: they are written beside their name and then given it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree


@contextmanager
def whole(path: Path) -> Generator[Path]:
    """Yield a name beside `path` to write a file or a folder to; it becomes `path` if all went well, else it goes.

    Raises:
        FileExistsError: `path` exists.
    """
    if path.exists():
        raise FileExistsError(f"{path} exists already; name another place")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    _remove(part)
    try:
        yield part
        part.rename(path)
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    if part.is_dir():
        rmtree(part)
    else:
        part.unlink(missing_ok=True)
