"""Faults: what goes wrong between a policy and the providers where `faults` is above 0. Every fault is announced.

A call may be refused for a while, may get no reply, whether or not it was carried out, or may be answered from a copy
made before the last change. Which call meets what follows from the instance and the number of the step alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from agentbench_env.draw import stable_number
from agentbench_env.errors import NO_RESPONSE, ReplyLost, ToolError
from agentbench_env.tool import Fault, Tool
from agentbench_env.world import Change, World
from agentbench_env.zones import to_iso

if TYPE_CHECKING:
    from agentbench_env.episode import Call

MOST_IN_A_ROW = 3
"""So many calls in a row meet a new fault at most: whoever waits and tries again gets through."""
SILENCE_S = 8.0
"""Simulated seconds after which a call without a reply is given up."""
LONGEST_PAUSE_S = 3
CACHED = '{"cached_at":'
"""How a result begins that was answered from a copy: with the in-world time of the copy."""
ONE = 1_000_000


def may_meet(tool: type[Tool]) -> tuple[Fault, ...]:
    """Return the faults that calls of a tool may meet: what it declares, or what its effect suggests."""
    if tool.faults is not None:
        return tool.faults
    match tool.effect:
        case "user" | "finish":
            return ()
        case "read":
            return ("rate_limited", "temporarily_unavailable", "cached")
        case _:
            return ("rate_limited", "temporarily_unavailable", "request_lost", "reply_lost")


def is_idempotent(tool: type[Tool]) -> bool:
    """Whether a call of a tool may be repeated after a lost reply without being carried out twice."""
    return tool.idempotent or tool.effect in ("read", "draft")


class Unanswered(msgspec.Struct, frozen=True):
    """A call that was carried out and whose reply was lost."""

    result: Any
    shown: dict[str, tuple[str, ...]]
    changes: tuple[Change, ...]

    def stands(self, world: World) -> bool:
        """Whether the outcome is still as the call left it."""
        return all(world.find(change.id) == change.after for change in self.changes)


class Faults:
    """The faults of one episode.

    Args:
        key: the instance's key.
        share: the share of calls that meet a fault, 0 to 1.
    """

    def __init__(self, key: str, share: float) -> None:
        self._key, self._share = key, share
        self._in_a_row = 0
        self._limited_until_ms: dict[str, int] = {}
        self._unanswered: dict[tuple[str, str], Unanswered] = {}

    def copy(self) -> Faults:
        """Return an independent copy."""
        twin = Faults(self._key, self._share)
        twin._in_a_row = self._in_a_row
        twin._limited_until_ms = self._limited_until_ms.copy()
        twin._unanswered = self._unanswered.copy()
        return twin

    def draw(self, tool: type[Tool], index: int, elapsed_ms: int) -> Fault | None:
        """Return what the call of step `index` meets, None for nothing."""
        if not self._share:
            return None
        if elapsed_ms < self._limited_until_ms.get(tool.name, 0):
            return "rate_limited"
        number, kinds = self._number(index), may_meet(tool)
        if not kinds or self._in_a_row == MOST_IN_A_ROW or number % ONE >= self._share * ONE:
            self._in_a_row = 0
            return None
        self._in_a_row += 1
        return kinds[(number >> 64) % len(kinds)]

    def carry_out(self, tool: Tool, call: Call, arguments: str, fault: Fault | None) -> Any:
        """Carry a call out as its provider does under a fault; raise what the policy is told instead of a result."""
        if not self._share:
            return tool.run(call)
        world, index = call.world, len(call.episode.lineage)
        match fault:
            case "rate_limited":
                raise self._limited(tool.name, index, world.elapsed_ms)
            case "temporarily_unavailable":
                raise ToolError("temporarily_unavailable")
            case "cached":
                return _from_copy(tool, call)
            case "request_lost":
                raise ToolError(NO_RESPONSE, hint=_hint(type(tool)))
            case "reply_lost":
                self._once(tool, call, arguments)
                raise ReplyLost(_hint(type(tool)))
            case None:
                result = self._once(tool, call, arguments)
                del self._unanswered[tool.name, arguments]
                return result

    def _once(self, tool: Tool, call: Call, arguments: str) -> Any:
        """Carry a call out, or answer it as the same call before it whose reply was lost; keep what it comes to."""
        lost = self._unanswered.pop((tool.name, arguments), None)
        if lost is not None and is_idempotent(type(tool)) and lost.stands(call.world):
            call.shown = dict(lost.shown)
            call.happened("read")
        else:
            result = tool.run(call)
            lost = Unanswered(result, dict(call.shown), tuple(call.world.journal[call.mark :]))
        self._unanswered[tool.name, arguments] = lost
        return lost.result

    def _limited(self, name: str, index: int, elapsed_ms: int) -> ToolError:
        until = self._limited_until_ms.get(name, 0)
        if until <= elapsed_ms:
            until = elapsed_ms + 1000 * (1 + (self._number(index) >> 128) % LONGEST_PAUSE_S)
            self._limited_until_ms[name] = until
        return ToolError("rate_limited", retry_after_s=-((elapsed_ms - until) // 1000))

    def _number(self, index: int) -> int:
        return stable_number(self._key, "faults", index)


def _hint(tool: type[Tool]) -> str:
    if is_idempotent(tool):
        return "the same call again is safe: it is carried out once"
    return "it may have been carried out: look before you call again"


def _from_copy(tool: Tool, call: Call) -> Any:
    """Answer a read from before the last change, and say so; as things are now where that cannot be."""
    now = call.world
    call.world = _before_the_last_change(call)
    if call.world is now:
        return tool.run(call)
    try:
        result = tool.run(call)
    except ToolError:
        # Whatever an old copy lacks is looked up anew, as a provider's cache does.
        call.world, call.shown = now, {}
        return tool.run(call)
    old, call.world = call.world, now
    now.stamps.update(old.stamps)
    call.cached_at = to_iso(old.now, old.zone)
    call.shown = {id: keys for id, keys in call.shown.items() if old.find(id) == now.find(id)}
    return result


def _before_the_last_change(call: Call) -> World:
    world, lineage = call.world, call.episode.lineage
    for index in reversed(range(len(lineage))):
        entry = lineage[index]
        if entry.changes:
            old = world.copy()
            old.undo(len(world.journal) - len(entry.changes))
            at = lineage[entry.index - 1].at if entry.index else world.start_at
            old.elapsed_ms = 1000 * (at - world.start_at)
            return old
    return world
