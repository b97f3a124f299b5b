"""The verification of a whole run, and what it says of the run: what a leaderboard takes as a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter

import msgspec

from agentbench_env.registry import RELEASE
from agentbench_env.rollout.stats import total_of
from agentbench_env.rollout.store import Run, StoreFault, count_lines, read_lines, read_run
from agentbench_env.rollout.trajectory import Trajectory
from agentbench_env.rollout.verify import NO_TRUST, Checked, Difference, Trust, verify_lines, verify_selection
from agentbench_env.world import canonical

_AGAIN = "make it anew: agentbench verify RUN --json > FILE"
MOST_LISTED = 1000
"""Differences that are listed; further ones are counted."""


class Verification(msgspec.Struct, frozen=True):
    """What verification found of one run.

    Attributes:
        name: of the run's directory or file.
        release: the suite's release that re-executed it.
        verified: whether nothing differs.
        episodes: records that were read; `sound` of them are what they say they are.
        infrastructure: records with no reward, outside the score.
        redacted: records that private parts of the policy were taken out of.
        outcomes: how many episodes came to what, as re-execution gives it where `verified`.
        digest: SHA-256 over the digests of the records, a line each: which records it was that were verified.
        differences: the first of them; `unlisted` says how many more there are.
        seconds: that verification took on the clock, with so many `workers`.
        model_s: seconds that the policy reported as its thinking time, None if an episode's is not known.
        times_faster: model_s / (seconds x workers): how much longer the policy thought than one process needs for
            re-execution. What the run spent beside the policy's thinking is left out, so it is the least it can be.
        run: what `run.json` says, None for a file of episodes.
    """

    name: str
    release: str
    verified: bool
    episodes: int
    sound: int
    infrastructure: int
    redacted: int
    outcomes: dict[str, int]
    digest: str
    differences: tuple[Difference, ...]
    unlisted: int
    seconds: float
    workers: int
    model_s: float | None
    times_faster: float | None
    run: Run | None


class _File(msgspec.Struct, frozen=True):
    runs: tuple[Verification, ...]


class _Sealed(msgspec.Struct, frozen=True):
    digest: str


def read_verifications(file: Path) -> tuple[Verification, ...]:
    """Read what `agentbench verify --json` printed.

    Raises:
        StoreFault: the file is none, or was made with another release, which cannot speak for this one.
    """
    try:
        runs = msgspec.json.decode(file.read_bytes(), type=_File).runs
    except (OSError, ValueError) as error:
        raise StoreFault(f"{file} is not what `agentbench verify RUN --json` prints: {error}") from error
    for one in runs:
        if one.release != RELEASE:
            raise StoreFault(f"{file} verifies {one.name} with release {one.release}, and this is {RELEASE}: {_AGAIN}")
    return runs


def given_verifications(runs: Iterable[Path], files: Sequence[Path]) -> dict[Path, Verification]:
    """Return the verification of each run that a file holds one of, bound to it by `run.json` and records' digests.

    Raises:
        StoreFault: a file verifies what none of the runs is now.
    """
    present = {(digest_of(path), canonical(read_run(path))): path for path in (runs if files else ())}
    found: dict[Path, Verification] = {}
    for file in files:
        for one in read_verifications(file):
            path = present.get((one.digest, canonical(one.run)))
            if path is None:
                raise StoreFault(
                    f"{file} verifies {one.name}, {one.episodes} episodes of digest {one.digest[:12]}, and no run has "
                    f"these: it has changed since, or the file belongs to another run; {_AGAIN}"
                )
            found[path] = one
    return found


def digest_of(path: Path) -> str:
    """Return a run's `Verification.digest`; raise StoreFault if a line is no record."""
    digest = sha256()
    for line in read_lines(path):
        try:
            digest.update(f"{msgspec.json.decode(line.raw, type=_Sealed).digest}\n".encode())
        except ValueError as error:
            raise StoreFault(f"{line.place} is no record of an episode: {error}") from error
    return digest.hexdigest()


def verify_run(
    path: Path, trust: Trust = NO_TRUST, workers: int = 1, seen: Callable[[Checked], object] | None = None
) -> Verification:
    """Re-execute every episode of a run's directory, or of one file of episodes.

    Args:
        path: the directory or file; it is read as a stream.
        trust: what the records cannot bring themselves.
        workers: processes.
        seen: is handed what was found of each record, as it comes.

    Raises:
        StoreFault: there are no episodes.
    """
    count_lines(path)
    tally = _Tally(seen)
    started = perf_counter()
    read = tally.read(verify_lines(read_lines(path), trust, workers))
    if path.is_dir():
        tally.add(verify_selection(path, read))
    for _ in read:  # What is no run has no selection that would have read it.
        pass
    return tally.verification(path, perf_counter() - started, workers)


class _Tally:
    """Counts of what verification finds."""

    def __init__(self, seen: Callable[[Checked], object] | None) -> None:
        self._seen = seen
        self._episodes = self._sound = self._infrastructure = self._redacted = self._found = 0
        self._outcomes: Counter[str] = Counter()
        self._digest = sha256()
        self._listed: list[Difference] = []
        self._model_s: float | None = 0.0

    def read(self, records: Iterator[Checked]) -> Iterator[Trajectory]:
        """Count each record and pass on what could be read of it."""
        for checked in records:
            self._episodes += 1
            self._sound += not checked.differences
            self.add(checked.differences)
            if (one := checked.trajectory) is not None:
                self._infrastructure += not one.scored
                self._redacted += one.redacted is not None
                self._outcomes[one.outcome] += 1
                self._digest.update(f"{one.digest}\n".encode())
                self._think(one)
            if self._seen is not None:
                self._seen(checked)
            if one is not None:
                yield one

    def add(self, differences: Iterable[Difference]) -> None:
        """Count differences, and list the first of them."""
        for difference in differences:
            self._found += 1
            if len(self._listed) < MOST_LISTED:
                self._listed.append(difference)

    def verification(self, path: Path, seconds: float, workers: int) -> Verification:
        """Return what was counted."""
        thought = self._model_s
        return Verification(
            name=path.resolve().name,
            release=RELEASE,
            verified=not self._found,
            episodes=self._episodes,
            sound=self._sound,
            infrastructure=self._infrastructure,
            redacted=self._redacted,
            outcomes=dict(sorted(self._outcomes.items())),
            digest=self._digest.hexdigest(),
            differences=tuple(self._listed),
            unlisted=self._found - len(self._listed),
            seconds=round(seconds, 3),
            workers=workers,
            model_s=None if thought is None else round(thought, 3),
            times_faster=None if thought is None else round(thought / max(seconds * workers, 1e-9), 1),
            run=_run_of(path),
        )

    def _think(self, one: Trajectory) -> None:
        spent = [total_of(usage.latency_s for usage in step.usage) for step in one.steps if step.usage]
        thought = total_of(spent)
        self._model_s = None if thought is None or self._model_s is None else self._model_s + thought


def _run_of(path: Path) -> Run | None:
    try:
        return read_run(path) if path.is_dir() else None
    except StoreFault:
        return None
