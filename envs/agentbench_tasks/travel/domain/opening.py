"""How an episode of travel opens: the world at its beginning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.world import Record, Start, World
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.outbound import PrivateString

PAGE_SIZE = {"easy": 12, "standard": 8, "hard": 5}


def open_world(
    draw: Draw,
    setting: Setting,
    now: int,
    records: Iterable[Record],
    mailbox: Address,
    private: tuple[PrivateString, ...],
    *,
    key: Draw | None = None,
    rounding_note: bool = False,
    **more: Any,
) -> World:
    """Return the world of an instance at `now`, in seconds since 1970 (UTC).

    `draw` chooses the wording. `key` names the world where `draw` is an attempt of it. `rounding_note`: the banks and
    sites of this task print how they round. `more`: further settings of the task's own.
    """
    wording = draw.stream("wording").variant((0, 1, 2, 3))
    settings = {
        "page_size": PAGE_SIZE[setting.difficulty],
        "wording": wording,
        "mailbox": mailbox,
        "private_strings": private,
        **more,
    }
    if rounding_note:
        settings["rounding_note"] = shared_table(f"text/{setting.language}/travel")["rounding_note"]["variants"][
            wording
        ]
    name = "|".join(map(str, (key or draw).key))
    return World(Start(records), now, setting.market.zone, setting.language, name, settings)
