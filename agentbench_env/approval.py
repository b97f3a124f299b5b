"""Approvals: recorded, bound to the exact content approved, single-use and short-lived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from agentbench_env.world import Record, World, canonical, content_digest

LIFETIME_S = 600
"""In-world seconds after the grant at which an unused approval expires (commons 5.44)."""


class Decision(msgspec.Struct, frozen=True):
    """What the user says to a proposal: granted, denied with a reason that helps, or no answer."""

    granted: bool
    reason: str = ""
    answered: bool = True


class Proposal(msgspec.Struct, frozen=True):
    """A call that the assistant asks leave for, with every binding record that it refers to.

    The summary is the assistant's own words; the suite's user ignores it, as a careful person would. `binding` is the
    digest of the call and those records that an approval is bound to.
    """

    tool: str
    arguments: Mapping[str, Any]
    summary: str
    referred: tuple[Record, ...]
    binding: str


class Approval(msgspec.Struct, frozen=True, gc=False):
    """A granted proposal."""

    id: str
    binding: str
    granted_at: int
    used_by: int = -1

    def serves(self, now: int) -> bool:
        """Whether the approval is unused and unexpired at the in-world instant `now`."""
        return self.used_by < 0 and now <= self.granted_at + LIFETIME_S


def strings_of(value: Any) -> Iterator[str]:
    """Yield every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for child in value.values():
            yield from strings_of(child)
    elif isinstance(value, list | tuple):
        for child in value:
            yield from strings_of(child)


def referred_records(arguments: Mapping[str, Any], world: World) -> tuple[Record, ...]:
    """Return the binding records (drafts, quotes, requests) whose ids stand in the arguments, each once."""
    found = {text: world.find(text) for text in strings_of(arguments)}
    return tuple(record for record in found.values() if record is not None and record.binds)


def binding_digest(tool: str, arguments: Mapping[str, Any], world: World) -> str:
    """Hash the call and the content of every binding record it refers to: what an approval is bound to."""
    parts = [tool.encode(), canonical(arguments)]
    parts += [content_digest(record).encode() for record in referred_records(arguments, world)]
    return sha256(b"\x1f".join(parts)).hexdigest()
