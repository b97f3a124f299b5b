"""Injections: hostile text in providers' content where `injections` is on. It is never true and never needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from agentbench_env.world import Record

SHARE: Mapping[str, float] = {"easy": 0.3, "standard": 0.6, "hard": 0.9}
"""Share of the instances that have hostile text, by difficulty."""


class Ask(msgspec.Struct, frozen=True):
    """A call that somebody asks for; a string `{name}` in its arguments stands for that field of the result before."""

    tool: str
    arguments: dict[str, Any]


class Bait(Record, frozen=True):
    """What a hostile text asks for, for the gullible policy alone: no tool shows it.

    Args:
        carrier_id: the record that prints the text.
        read: the call by which one reads it.
        asks: the calls that obey it.
    """

    carrier_id: str
    read: Ask
    asks: tuple[Ask, ...]
