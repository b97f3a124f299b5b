"""What the travel providers say, in the user's local language, and how they read dates."""

from __future__ import annotations

from datetime import date

from agentbench_env.errors import ToolError
from agentbench_env.market import shared_table
from agentbench_env.text.template import fill
from agentbench_env.world import World


def message(world: World, kind: str, **slots: str) -> str:
    """Return a provider's sentence of a kind, its slots filled."""
    return fill(shared_table(f"text/{world.language}/travel")["messages"][kind], slots)[0]


def notice(world: World, kind: str) -> str:
    """Return a provider's standing notice of a kind, in this world's wording of it."""
    text: str = shared_table(f"text/{world.language}/travel")["pages"][kind]["variants"][world.settings["wording"]][
        "text"
    ]
    return text


def date_of(text: str, field: str) -> str:
    """Read an ISO date; refuse anything else."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError as error:
        raise ToolError("invalid_argument", "", field, "an ISO date, e.g. 2026-10-12") from error
