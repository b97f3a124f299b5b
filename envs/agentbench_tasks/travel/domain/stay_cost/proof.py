"""The proof of a stay's bill: what the papers in force state is enough to work it out, and traps are set.

It reads the facts of the written records and reckons in decimals, apart from the bill engine.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.stay_bills import Bill
from agentbench_tasks.travel.domain.stay_cost.plot import Story
from agentbench_tasks.travel.domain.stay_reckoning import Stay, reckon, stated_facts

FEWEST_TRAPS = 2


def tempt(story: Story, right: Bill, traps: int) -> None:
    """Raise NoFit unless more is due than what is shown and enough traps are set; benign stays need neither."""
    shown = sum(night.base for night in right.nights)
    if not story.benign and (traps < FEWEST_TRAPS or right.total == shown):
        raise NoFit


def prove(story: Story, right: Bill, records: Iterable[Record]) -> None:
    """Raise NoFit unless the papers in force lead to the bill."""
    told = stated_facts(records, story.first.isoformat())
    house = story.house.record
    stay = Stay(house, story.area.id, story.charges.rules, story.nights, story.board, story.guests)
    if (*reckon(stay, told), int(told[stay.key("deposit")])) != (right.total, right.cash, right.deposit):
        raise NoFit
