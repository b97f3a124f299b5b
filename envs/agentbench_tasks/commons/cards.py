"""The cards that a user has: of two invented schemes, never with a full number."""

from __future__ import annotations

from datetime import date

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_tasks.commons.wallet import PaymentMethod


def cards(draw: Draw, ids: Draw, setting: Setting, today: date) -> list[PaymentMethod]:
    """Return a credit and a debit card of two schemes, in a drawn order."""
    market = setting.market
    brands = draw.shuffled(shared_table("cards")["brands"])
    kinds = draw.shuffled((("credit", brands[0]), ("debit", brands[1])))
    return [
        PaymentMethod(
            ids.id("pm"),
            kind,  # type: ignore[arg-type]
            brand,
            f"{brand} {kind}",
            f"{draw.int(0, 9999):04}",
            market.code,
            market.currency,
            expires=f"{today.year + draw.int(1, 4)}-{draw.int(1, 12):02}",
        )
        for kind, brand in kinds
    ]
