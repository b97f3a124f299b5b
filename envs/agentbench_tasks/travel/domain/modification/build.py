"""From a setting to a deal: a shape is drawn once, attempts at it until one is as the shape wants it."""

from __future__ import annotations

from collections.abc import Iterator

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.modification.deal import MARGIN, Deal, costs
from agentbench_tasks.travel.domain.modification.lodging import Lodging
from agentbench_tasks.travel.domain.modification.plot import draw_shape
from agentbench_tasks.travel.domain.modification.transport import Transport

ATTEMPTS = 512


def deals(draw: Draw, setting: Setting) -> Iterator[Deal]:
    """Yield attempts that fit, all of one shape."""
    shape = draw_shape(draw.stream("shape"), setting)
    kind = Lodging if shape.kind == "stay" else Transport
    for attempt in range(ATTEMPTS):
        try:
            deal = kind(draw.stream(f"attempt {attempt}"), setting, shape).deal()
        except NoFit:
            continue
        if fits(deal):
            yield deal


def fits(deal: Deal) -> bool:
    """Whether the way that the shape wants is the cheaper one by enough, and a credit would turn that."""
    found, fate = costs(deal), deal.shape.fate
    least = MARGIN * sum(deal.items[index].base + deal.items[index].charges for index in deal.indexes)
    if fate == "blocked":
        return found.refund > 0
    if fate == "rebook":
        return found.rebook <= found.change - least
    flips = fate != "credit" or found.new_price - found.back <= found.change - least
    return found.change <= found.rebook - least and flips
