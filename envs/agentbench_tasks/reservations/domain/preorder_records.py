"""The pre-order sheet: who eats what, with prices, kept private until it is submitted."""

from __future__ import annotations

import msgspec

from agentbench_env.money import Money
from agentbench_env.world import canonical
from agentbench_tasks.commons.requests import PreparedRequest


class SheetLine(msgspec.Struct, frozen=True, gc=False):
    """What one person eats. A child that somebody brings stands under that person's id."""

    person_id: str
    child: bool
    menu_id: str
    dish_ids: tuple[str, ...]
    price: Money
    """Printed menu price and supplements, before service and tax."""


class Sheet(PreparedRequest, frozen=True, gc=False, kw_only=True):
    """A pre-order for a reservation; its addressee is the venue."""

    reservation_id: str
    lines: tuple[SheetLine, ...]
    stated_total: Money

    @property
    def data_classes(self) -> tuple[str, ...]:
        """The classes of private data that it holds: none that it is known to."""
        return ()

    @property
    def contents(self) -> str:
        """Everything that a copy of it would give away."""
        return canonical((self.lines, self.stated_total)).decode()
