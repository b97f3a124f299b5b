"""The user's private itinerary board."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.episode import Call
from agentbench_env.tool import Effect, Tool
from agentbench_tasks.travel.domain.records import Plan, PlanItem


class PlanEntry(Part):
    """An item of the plan."""

    kind: Literal["leg", "stay", "visit", "transfer"] = Field(
        description="leg: a journey; stay: nights in a house; visit: a place; transfer: the way between two of them."
    )
    start: str = Field(description="Local time of the start, YYYY-MM-DDTHH:MM.")
    start_zone: str = Field(description="IANA zone of the start.")
    end: str = Field(description="Local time of the end.")
    end_zone: str = Field(description="IANA zone of the end.")
    object_id: str = Field(description="Id of what is planned: a fare, service, room or place.")
    ref_id: str = Field(default="", description="Id of the quote, hold or booking it rests on.")
    price: str = Field(default="", description="Price for the party, a decimal number in major units.")
    currency: str = Field(default="", description="ISO code of the price's currency.")
    from_id: str = Field(default="", description="Where a transfer starts.")
    to_id: str = Field(default="", description="Where a transfer ends.")
    mode: str = Field(default="", description="How a transfer is made.")


class PlanSaved(msgspec.Struct, frozen=True):
    """What `plan_save` returns."""

    plan_id: str
    revision: int
    items: int


class PlanSave(Tool):
    """Save the user's private itinerary. Saving with a plan_id replaces all items of that plan. Nobody else sees it."""

    effect: ClassVar[Effect] = "draft"
    latency_s: ClassVar[float] = 0.5

    title: str = Field(description="Title of the plan.", max_length=200)
    items: list[PlanEntry] = Field(description="All items, in order of time.", max_length=60)
    plan_id: str = Field(default="", description="Id of the plan to replace; empty: a new one.")

    def run(self, call: Call) -> PlanSaved:
        world = call.world
        revision = world.get(Plan, self.plan_id, "plan_id").revision + 1 if self.plan_id else 1
        items = tuple(PlanItem(**item.model_dump()) for item in self.items)
        plan = world.put(Plan(self.plan_id or world.new_id("pln"), self.title, items, revision))
        call.show(plan.id)
        return PlanSaved(plan.id, revision, len(items))
