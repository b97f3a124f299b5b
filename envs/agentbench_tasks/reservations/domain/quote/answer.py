"""The answer about an enquiry: where it stands, to whom it goes, and what is left open."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from agentbench_env.market import shared_table
from agentbench_env.task import Answer

Key = Literal[
    "unit_type",
    "unit_count",
    "outdoor_count",
    "model",
    "made_year",
    "self_cleaning",
    "service_tier",
    "block_type",
    "access_hole",
    "capacity",
    "ceiling_height",
    "floor",
    "lift",
    "parking",
    "office_hours",
    "access_permit",
    "from_floor",
    "from_lift",
    "to_floor",
    "to_lift",
    "ladder_truck",
    "box_count",
    "large_items",
    "move_date",
    "floor_cover",
    "move_permit",
    "maker",
    "error_code",
    "gas_type",
    "exhaust",
    "mounting",
    "place",
    "items",
    "item_count",
    "item_sizes",
    "dismantling",
    "collection_notice",
]
_NAMES = shared_table("text/en/reservations_guides")["names"]["quote_keys"]
_MEANINGS = "; ".join(f"{key}: {_NAMES[key]}" for key in get_args(Key))


class QuoteAnswer(Answer):
    """Say which enquiry stands ready, for which firm, and what it leaves open. This ends the episode."""

    draft_id: str = Field(description="Id of the draft, or of the message if it was sent.")
    firm: str = Field(description="Id of the firm that it is for.")
    open_points: Annotated[list[Key], Field(max_length=40)] = Field(
        default=[],
        description="What the firm asks for and neither the user's documents nor the user can tell; the message gives "
        f"no value for it, made-up ones included. Empty if there is nothing. {_MEANINGS}.",
    )
