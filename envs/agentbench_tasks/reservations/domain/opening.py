"""How an episode of reservations opens: the world at its beginning."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentbench_env.draw import Draw
from agentbench_env.world import Record, Start, World
from agentbench_tasks.reservations.domain.build_town import Town


def open_town(draw: Draw, town: Town, records: Iterable[Record] = (), **more: Any) -> World:
    """Return the world of a town with a task's own records; `more`: further settings of the task's own.

    `draw` names the world: ids made in an episode derive from it.
    """
    setting = town.setting
    name = "|".join(map(str, draw.key))
    start = Start((*town.records, *records))
    return World(start, town.now, setting.market.zone, setting.language, name, {**town.user.settings, **more})
