"""Verification: every record is re-executed from (release, id, seed, arguments, actions) and compared with itself.

Nothing that a record says of its results is believed. The digest finds any changed byte; re-execution finds changes by
somebody who has computed the digest anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import gymnasium as gym
import msgspec

from agentbench_env.action import NOT_JSON
from agentbench_env.env import AgentbenchEnv
from agentbench_env.errors import AgentbenchError, MessageFault
from agentbench_env.registry import NAMESPACE, RELEASE, split_env_id
from agentbench_env.rollout.conversation import said_before_steps
from agentbench_env.rollout.record import UNRECORDED, RecordTrajectory, environment_arguments
from agentbench_env.rollout.redact import redact
from agentbench_env.rollout.store import Line, Run, StoreFault, read_run
from agentbench_env.rollout.trajectory import FORMAT, Key, Result, Trajectory, Usage, content_sha256, read_line
from agentbench_env.world import canonical

MOST_SHOWN = 160
BATCH = 64


class Difference(msgspec.Struct, frozen=True):
    """Where a record is not what it should be: which episode, which step (None: the episode as a whole), what."""

    place: str
    env_id: str
    seed: int | None
    trial: int | None
    step: int | None
    field: str
    recorded: str
    found: str

    def __str__(self) -> str:
        episode = f" {self.env_id} seed {self.seed}" if self.env_id else ""
        episode += f" trial {self.trial}" if self.trial else ""
        step = "" if self.step is None else f" step {self.step}"
        return f"{self.place}{episode}{step}: {self.field}: recorded {self.recorded}, found {self.found}"


class Checked(msgspec.Struct, frozen=True):
    """What verification found of one line."""

    place: str
    trajectory: Trajectory | None
    differences: tuple[Difference, ...]


class Trust(msgspec.Struct, frozen=True):
    """What a record cannot bring itself: the salt of private seeds, and leave to import the user that it names."""

    salt: str = ""
    users: bool = False


NO_TRUST = Trust()


def verify_lines(lines: Iterable[Line], trust: Trust = NO_TRUST, workers: int = 1) -> Iterator[Checked]:
    """Verify stored lines, in their order; reads only as far ahead as the processes need."""
    check = partial(verify_line, trust=trust)
    if workers <= 1:
        yield from map(check, lines)
        return
    rest = iter(lines)
    with ProcessPoolExecutor(workers) as pool:
        while batch := list(islice(rest, BATCH * workers)):
            yield from pool.map(check, batch, chunksize=BATCH // 8)


def verify_line(line: Line, trust: Trust = NO_TRUST) -> Checked:
    """Verify one stored line."""
    raw = line.raw.removesuffix(b"\n")
    try:
        trajectory = read_line(raw)
    except NOT_JSON as error:
        return Checked(
            line.place, None, (Difference(line.place, "", None, None, None, "line", _show(raw), str(error)),)
        )
    check = _Check(line.place, trajectory)
    if trajectory.line() != raw or not line.raw.endswith(b"\n"):
        check.differs("bytes", "a line that is not canonical JSON", "the same values written differently")
    digest = trajectory.seal()
    if digest != trajectory.digest:
        check.differs("digest", trajectory.digest, digest)
    check.run(trust)
    return Checked(line.place, trajectory, tuple(check.found))


def verify_selection(directory: Path, trajectories: Iterable[Result]) -> Iterator[Difference]:
    """Compare what a run's directory holds with what its `run.json` says it covers.

    Yields a difference as soon as the episode is read that shows it; of what was read only the keys are kept.
    """
    place = f"{directory.name}/run.json"
    try:
        run: Run = read_run(directory)
    except StoreFault as error:
        yield Difference(place, "", None, None, None, "run", "a run", str(error))
        return
    held: Counter[Key] = Counter()
    for one in trajectories:
        held[one.key] += 1
        pairs = (("policy", run.policy, one.policy), ("release", run.release, one.release))
        settings = ((f"kwargs.{key}", value, one.kwargs.get(key)) for key, value in run.selection.kwargs.items())
        for field, said, is_ in (*pairs, *settings):
            if said != is_:
                yield Difference(place, *one.key, None, field, _show(said), _show(is_))
    for key in run.selection.episodes():
        number = held.pop(key, 0)
        if number != 1:
            yield Difference(place, *key, None, "episodes", "1", str(number))
    for key, number in held.items():
        yield Difference(place, *key, None, "episodes", "0", str(number))


class _Check:
    """The comparison of one record with its re-execution."""

    def __init__(self, place: str, recorded: Trajectory) -> None:
        self.place, self.recorded = place, recorded
        self.found: list[Difference] = []

    def differs(self, field: str, recorded: object, found: object, step: int | None = None) -> None:
        self.found.append(Difference(self.place, *self.recorded.key, step, field, _show(recorded), _show(found)))

    def run(self, trust: Trust) -> None:
        recorded = self.recorded
        if recorded.format != FORMAT:
            self.differs("format", recorded.format, FORMAT)
        elif recorded.release != RELEASE:
            self.differs("release", recorded.release, f"{RELEASE}, which cannot re-execute another release")
        elif (kwargs := self._kwargs(trust)) is not None:
            # A record may hold anything; whatever it makes the suite raise is a finding about the record.
            try:
                if recorded.redacted is not None and redact(recorded) is not recorded:
                    self.differs("redacted", "without private parts", "texts that redaction removes")
                made = gym.make(recorded.env_id, disable_env_checker=True, **kwargs)
                self._re_execute(RecordTrajectory(made, policy=recorded.policy))
            except MessageFault as error:
                self.differs("messages", f"{len(recorded.messages)} messages", str(error))
            except Exception as error:
                self.differs("steps", len(recorded.steps), f"{type(error).__name__}: {error}")

    def _kwargs(self, trust: Trust) -> dict[str, Any] | None:
        recorded = self.recorded
        try:
            split_env_id(recorded.env_id)
        except AgentbenchError as error:
            self.differs("env_id", recorded.env_id, str(error))
            return None
        if not recorded.env_id.startswith(f"{NAMESPACE}/"):
            self.differs("env_id", recorded.env_id, f"no {NAMESPACE}/ before it")
            return None
        unknown = [key for key in recorded.kwargs if key not in environment_arguments() or key in UNRECORDED]
        if unknown:
            self.differs(f"kwargs.{unknown[0]}", recorded.kwargs[unknown[0]], "no such argument")
            return None
        if recorded.kwargs.get("clock") == "wall":
            self.differs("kwargs.clock", "wall", "real time, which cannot be re-executed")
            return None
        if recorded.kwargs.get("user") is not None and not trust.users:
            self.differs("kwargs.user", recorded.kwargs["user"], "a user of one's own, imported only with leave")
            return None
        private = recorded.kwargs.get("split") == "private"
        return recorded.kwargs | ({"salt": trust.salt} if private else {})

    def _re_execute(self, env: RecordTrajectory) -> None:
        recorded, failed = self.recorded, self.recorded.failure
        if failed is not None and not recorded.brief:
            self._must_fail(env)
            return
        observation, info = env.reset(seed=recorded.seed)
        core: Any = env.unwrapped
        assert isinstance(core, AgentbenchEnv)
        said = iter(said_before_steps(recorded.messages))
        self._compare(None, instance_digest=core.instance_digest, brief=observation["content"])
        for number, step in enumerate(recorded.steps):
            if info["outcome"]:
                self.differs("steps", len(recorded.steps), f"the end of the episode after {number}")
                return
            self._report(core, step.usage, next(said, []))
            try:
                observation, reward, terminated, truncated, info = env.step(step.action)
            except MessageFault as error:
                self.differs("action", step.action, error, number)
                return
            self._compare(
                number,
                tool=observation["tool"],
                content=observation["content"],
                content_sha256=content_sha256(observation["content"]),
                is_error=bool(observation["is_error"]),
                now=observation["now"],
                reward=reward,
                terminated=terminated,
                truncated=truncated,
                elapsed_s=info["time"]["elapsed_s"],
                lineage_head=info["lineage_head"],
            )
            if self.found and self.found[-1].step == number:
                return
        self._report(core, failed.usage if failed is not None else (), next(said, []))
        if failed is not None and failed.whose == "environment":
            self._must_fail(env)
        else:
            self._compare_end(info)
            self._compare_recording(env)

    def _compare_end(self, info: dict[str, Any]) -> None:
        running = "infrastructure" if self.recorded.failure else "abandoned"
        outcome = info["outcome"] or running
        reward = None if outcome == "infrastructure" else float(outcome == "success")
        same = {key: info[key] for key in ("lineage_head", "verdict", "time", "cost")}
        self._compare(None, outcome=outcome, reward=reward, **same)

    def _compare_recording(self, env: RecordTrajectory) -> None:
        """Compare what only the end of an episode shows, as recording it anew gives it."""
        env.abandon()
        assert env.trajectory is not None
        self._compare(None, **{key: getattr(env.trajectory, key) for key in ("tools", "messages", "lineage")})

    def _report(self, core: AgentbenchEnv, usages: Iterable[Usage], messages: Iterable[dict[str, Any]]) -> None:
        for usage in usages:
            core.record_usage(**msgspec.to_builtins(usage))
        for message in messages:
            core.record_message(message)

    def _must_fail(self, env: RecordTrajectory) -> None:
        failed = self.recorded.failure
        assert failed is not None
        try:
            if self.recorded.brief:
                env.step(failed.action)
            else:
                env.reset(seed=self.recorded.seed)
        except MessageFault:
            raise
        except Exception:
            self._compare_recording(env)
            return
        self.differs("failure", failed.message, "no such fault of the environment")

    def _compare(self, step: int | None, **found: Any) -> None:
        recorded = self.recorded if step is None else self.recorded.steps[step]
        for field, value in found.items():
            stored = getattr(recorded, field)
            if canonical(stored) != canonical(value):
                shown, there = _where(stored, value)
                self.differs(field, shown, there, step)


def _where(recorded: Any, found: Any) -> tuple[Any, Any]:
    """Cut long texts down to where they begin to differ."""
    first, second = _text(recorded), _text(found)
    same = next((n for n, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), None)
    if same is None or max(len(first), len(second)) <= MOST_SHOWN:
        return first, second
    start = max(0, same - 20)
    end = start + MOST_SHOWN // 2
    return f"...{first[start:end]}... (from character {start})", f"...{second[start:end]}..."


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str | Exception) else canonical(value).decode()


def _show(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else _text(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
