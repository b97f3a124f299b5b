"""Writing episodes into one file instead of a run's directory: a line each, as `agentbench verify` reads them."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from types import TracebackType

from agentbench_env.rollout.lock import DirectoryLock, DirectoryLocked
from agentbench_env.rollout.shard import Shard, cannot_write, read_results, recover
from agentbench_env.rollout.store import Run, StoreFault
from agentbench_env.rollout.trajectory import FORMAT, Key, Result, Trajectory

SUFFIXES = (".json", ".jsonl")
"""By which a name is one of a file of episodes."""


class EpisodeFile:
    """Writes episodes into one file; when `write` returns, the episode is on the disk.

    Resuming cuts off a line that was not written whole, and takes out the episodes with infrastructure outcomes, which
    are to be run again.

    Args:
        path: the file; its folder is made if it does not exist.
        run: what the episodes are, see `describe_run`. It is not written down: each episode says its own part.
        resume: go on with the file, whose episodes must all be of `run`.

    Raises:
        StoreFault: the file exists and `resume` is not asked for, or holds what is not of this run, or is no file, or
            another writer has it.
        WriteFault: the disk is full or fails.
    """

    def __init__(self, path: Path, run: Run, resume: bool = False) -> None:
        self._path, self._writing = path, Lock()
        self._shard: Shard | None = None
        self.done: set[Key] = set()
        """The episodes that the file held when this writer took it."""
        if path.is_dir():
            raise StoreFault(f"{path} is a directory, and its name is one of a file of episodes; name another one")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = DirectoryLock(path.parent, f".{path.name}.lock")
        except DirectoryLocked as error:
            raise StoreFault(f"{path} has another writer: {error}; wait for it or name another one") from error
        except OSError as error:
            raise cannot_write(self._path, error) from error
        try:
            if path.exists():
                self._go_on(run, resume)
            self._shard = Shard(path)
        except OSError as error:
            self.close()
            raise cannot_write(self._path, error) from error
        except BaseException:
            self.close()
            raise

    def write(self, trajectory: Trajectory) -> None:
        """Append one episode; several threads may.

        Raises:
            WriteFault: the disk is full or fails; the episode is not stored, those before it are.
        """
        assert self._shard is not None
        with self._writing:
            try:
                self._shard.append(trajectory.line() + b"\n")
            except OSError as error:
                raise cannot_write(self._path, error) from error

    def close(self) -> None:
        """Close the file and let go of it."""
        if self._shard is not None:
            self._shard.close()
        self._lock.release()

    def __enter__(self) -> EpisodeFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _go_on(self, run: Run, resume: bool) -> None:
        if not resume:
            raise StoreFault(f"{self._path} exists already; name another file, or go on with it (--resume)")
        keys = set(run.selection.episodes())
        found = [result for result in read_results(self._path, last=True) if result is not None]
        if not found and self._path.stat().st_size:
            raise StoreFault(f"{self._path} holds no whole episode; name another file, or remove it")
        # Nothing is changed of a file that is not this run's.
        for result in found:
            if why := _other(result, run) or (
                "" if result.key in keys else "the episode is none of those to be played"
            ):
                place = f"{result.env_id} seed {result.seed} trial {result.trial}"
                raise StoreFault(f"{self._path} holds {place}, which is not of this run: {why}; name another file")
        self.done.update(result.key for result in recover(self._path, last=True))


def _other(result: Result, run: Run) -> str:
    """Say in what an episode differs from those of a run, "" if in nothing."""
    own = {name: result.kwargs.get(name) for name in run.selection.kwargs}
    pairs = (
        ("format", result.format, FORMAT),
        ("release", result.release, run.release),
        ("policy", result.policy, run.policy),
        ("arguments", own, run.selection.kwargs),
    )
    return "; ".join(f"{name}: {its}, now {ours}" for name, its, ours in pairs if its != ours)
