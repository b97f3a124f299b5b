"""Scripted policies: `Do` makes their typed calls through the environment's own `step`, seeing only what it returns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from agentbench_env.errors import NO_RESPONSE, PASSING
from agentbench_env.faults import CACHED, is_idempotent
from agentbench_env.tool import Tool, decode_result

R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")
MOST_TRIES = 8


class TypedCall(Protocol[R_co]):
    """A tool call whose result has type `R`."""

    @property
    def run(self) -> Callable[[Any], R_co]:
        """The tool's own method."""
        ...


class Stepping(Protocol):
    """What a scripted policy needs of an environment."""

    def step(self, action: Any) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        """Carry out one action."""
        ...


class Refused(Exception):
    """A call was answered by an error: its code, message, field and hint."""

    def __init__(self, tool: str, code: str, message: str, field: str, hint: str) -> None:
        super().__init__(f"{tool}: {code} {field} {message} {hint}")
        self.tool, self.code, self.message, self.field, self.hint = tool, code, message, field, hint


class EpisodeOver(Exception):
    """The episode ended; nothing after it can be done."""


class Do:
    """Makes calls: `do(call)` steps the environment and returns the tool's typed result, or raises `Refused`.

    A call that meets a passing error, or is answered from an old copy, is made again, a few times, after the pause that
    the provider asks for. Where no reply came and the call may not be repeated, the state is read first (`readback`).

    Args:
        env: the environment, already reset.
        change: if given, what is done instead of each call: a call, several, or none.
        reads_back: whether the state is read after a lost reply; without, the call is blindly made again.
    """

    def __init__(
        self,
        env: Stepping,
        change: Callable[[Any], Any] | None = None,
        parent: Do | None = None,
        reads_back: bool = True,
    ) -> None:
        self._env, self._change, self._parent, self._reads_back = env, change, parent, reads_back

    def __call__(self, call: TypedCall[R]) -> R:
        """Make one call."""
        if self._change is not None:
            assert self._parent is not None
            result: Any = None
            for changed in _as_calls(self._change(call)):
                result = self._parent(changed)
            return result
        assert isinstance(call, Tool)
        action: Any = call
        tries = 0
        while True:
            observation, _, terminated, truncated, _ = self._env.step(action)
            body = json.loads(observation["content"]) if observation["is_error"] else {}
            tries += 1
            if terminated or truncated or tries == MOST_TRIES:
                break
            if body.get("error") == NO_RESPONSE:
                if self._reads_back and not is_idempotent(type(call)):
                    try:
                        done = call.readback(self)
                    except NotImplementedError:
                        break
                    if done is not None:
                        return done
            elif body.get("error") not in PASSING and not observation["content"].startswith(CACHED):
                break
            pause = body.get("retry_after_s", 0)
            action = call.as_action() | {"usage": {"usd": 0.0, "latency_s": pause}} if pause else call
        if body:
            raise Refused(call.name, body["error"], body["message"], body["field"], body["hint"])
        if truncated:
            raise EpisodeOver
        result = decode_result(type(call), observation["content"])
        if terminated:
            raise EpisodeOver
        return result

    def altered(self, change: Callable[[Any], Any]) -> Do:
        """Return a `Do` that does `change(call)` instead of each call: a call, a list of them, or None to leave it out.

        Of several calls the last one's result is returned.
        """
        return Do(self._env, change, self)


def _as_calls(changed: Any) -> Iterable[Any]:
    if changed is None:
        return ()
    return changed if isinstance(changed, list) else (changed,)


def run_script(
    script: Callable[[Any, Do], None], env: Any, change: Callable[[Any], Any] | None = None
) -> dict[str, Any]:
    """Run a scripted policy (an expert, another way, a counterexample, a shortcut) to the end of the episode.

    Args:
        script: takes the case and a `Do`.
        env: an environment made by `gym.make`, already reset.
        change: alters each call, see `Do.altered`.

    Returns:
        The last step's `info`, with `reward` and `steps` added.
    """
    probe = _Probe(env)
    do = Do(probe)
    if change is not None:
        do = do.altered(change)
    # Scripts of a task may know the goal; nobody else is handed the episode.
    case = env.unwrapped._episode.case
    with suppress(EpisodeOver):
        script(case, do)
    return {**probe.info, "reward": probe.reward, "steps": probe.steps, "ended": probe.ended}


class _Probe:
    def __init__(self, env: Stepping) -> None:
        self._env, self.info, self.reward, self.steps, self.ended = env, dict[str, Any](), 0.0, 0, False

    def step(self, action: Any) -> tuple[dict[str, Any], Any, bool, bool, dict[str, Any]]:
        result = self._env.step(action)
        self.info, self.reward = result[4], float(result[1])
        self.steps += 1
        self.ended = bool(result[2] or result[3])
        return result
