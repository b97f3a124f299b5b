"""What firms ask before they quote, by where a household keeps the answer."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from agentbench_env.market import shared_table
from agentbench_tasks.reservations.domain.belongings import belongings
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, kind_of

VISIT = "visit_slot"
"""The window in which the firm may come; it is offered, not looked up."""
HOME_KEYS = (
    "floor",
    "lift",
    "parking",
    "ceiling_height",
    "block_type",
    "access_hole",
    "access_permit",
    "ladder_truck",
    "floor_cover",
    "move_permit",
)
"""What is noted of a home."""
LIST_KEYS = ("box_count", "large_items", "items", "item_count", "item_sizes", "dismantling", "collection_notice")
"""What the list of things to be moved or taken away says."""
SPOKEN = ("service_tier", "move_date", "error_code")
"""What the user says in the request."""
RULE_KEY = "office_hours"
"""The hours in which the building lets firms work."""
PLATE = ("maker", "model", "made_year", "capacity")
"""What the rating plate of a machine prints."""
SIDES = {
    "from_floor": ("home", "floor"),
    "from_lift": ("home", "lift"),
    "to_floor": ("new", "floor"),
    "to_lift": ("new", "lift"),
}
"""The keys of a move, by home and what is noted of it."""
COUNTS = ("unit_count", "box_count", "item_count")
MACHINES = ("aircon_clean", "water_heater")
"""Trades that come for a machine."""
OF_MODEL = ("model", "made_year")
ANSWERABLE = ("lift", "parking", "unit_count")
"""What the user knows by heart where the papers do not have it."""
UNKNOWABLE = frozenset(
    {
        *("made_year", "self_cleaning", "outdoor_count", "capacity", "gas_type", "exhaust", "mounting"),
        *("ceiling_height", "access_hole", "floor_cover", "ladder_truck", "access_permit", "move_permit", "to_lift"),
        "item_sizes",
    }
)
"""What may well stand in no paper, and what nobody has in mind either."""
VISITS = frozenset({"weekend_visits", "evening_visits"})
"""Capabilities that are a matter of when a firm comes."""
_YEARS = range(2005, 2026)
_HEIGHTS = range(20, 36)


def pool(code: str, trade: str) -> tuple[str, ...]:
    """Everything that firms of a trade may ask in a market, in the order in which pages have it."""
    return reservation_market(code).home_service(trade).asks


def skills(code: str, trade: str) -> tuple[str, ...]:
    """What not all firms of a trade can do, whenever they come."""
    return tuple(one for one in reservation_market(code).home_service(trade).capabilities if one not in VISITS)


def with_keys(facts: Iterable[QuoteFact], keys: Iterable[str]) -> tuple[QuoteFact, ...]:
    """Those of some facts that have one of these keys."""
    wanted = set(keys)
    return tuple(fact for fact in facts if fact.key in wanted)


def any_value(code: str, trade: str, key: str) -> list[QuoteFact]:
    """Every value that somebody might make up for a key that nobody knows."""
    table = belongings(code)
    values: Iterable[str | int | bool]
    match kind_of(key):
        case "yes_no":
            values = (True, False)
        case "year":
            values = _YEARS
        case "count":
            values = range(1, 21)
        case "choice":
            values = msgspec.convert(shared_table("lexicons/quote_facts")["en"]["choices"][key], dict[str, str])
        case _:
            heights = [f"{tenth / 10:g} metre" for tenth in _HEIGHTS] if key == "ceiling_height" else []
            values = [*table.trades[trade].get(key, ()), *heights]
    return [QuoteFact(key, value) for value in values]
