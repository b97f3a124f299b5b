"""What the desks of houses, venues, claims and portals say, in the user's local language, and how they read times."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from agentbench_env.errors import ToolError
from agentbench_env.market import shared_table
from agentbench_env.text.template import fill
from agentbench_env.world import World
from agentbench_tasks.travel.domain.messages import date_of

MOST_NIGHTS = 30
ChildAges = list[Annotated[int, Field(ge=0, le=17)]]


def desk_message(world: World, kind: str, **slots: str) -> str:
    """Return a desk's sentence of a kind, its slots filled."""
    return fill(shared_table(f"text/{world.language}/travel_desks")["messages"][kind], slots)[0]


def moment_of(text: str, field: str) -> str:
    """Read a local date and time as YYYY-MM-DDTHH:MM; refuse anything else."""
    try:
        moment = datetime.fromisoformat(text) if "T" in text else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is not None or not 2000 <= moment.year < 2100:
        raise ToolError("invalid_argument", field=field, hint="a local date and time, YYYY-MM-DDTHH:MM")
    return moment.isoformat(timespec="minutes")


def stay_dates(checkin_on: str, checkout_on: str) -> tuple[str, str]:
    """Return the first and last day of a stay; refuse a stay without nights or too long a one."""
    first, last = date_of(checkin_on, "checkin_on"), date_of(checkout_on, "checkout_on")
    if not 0 < (date.fromisoformat(last) - date.fromisoformat(first)).days <= MOST_NIGHTS:
        raise ToolError("invalid_argument", field="checkout_on", hint=f"1 to {MOST_NIGHTS} nights after checkin_on")
    return first, last
