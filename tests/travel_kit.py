"""An episode in which every tool of the travel domain is mounted."""

from __future__ import annotations

import json
from typing import Any, ClassVar, TypeVar

from travel_worlds import NOW, ZONE

import agentbench_env as ab
from agentbench_env.episode import Episode, Options
from agentbench_env.instance import BriefText
from agentbench_env.policies.expert import TypedCall
from agentbench_env.tool import decode_result
from agentbench_env.world import Record, Start, World
from agentbench_tasks.commons.outbound import Outbound
from agentbench_tasks.travel.domain import airports, booking, carriers, changes, claims, ground, plan, portal, stays
from agentbench_tasks.travel.domain.records import (
    LedgerLine,
)

R = TypeVar("R")
TOOLS = (
    carriers.AirsearchSearchOffers,
    airports.AirportGetInfo,
    carriers.CarrierSearchServices,
    carriers.CarrierGetService,
    booking.BookingQuote,
    booking.BookingHold,
    booking.BookingReleaseHold,
    booking.BookingPurchase,
    booking.BookingGet,
    changes.BookingPriceChange,
    changes.BookingPriceCancel,
    changes.BookingCommitAction,
    stays.StaySearchProperties,
    stays.StayGetListing,
    stays.StayListRates,
    ground.GroundSearchPlaces,
    ground.GroundGetPlace,
    ground.GroundGetRoute,
    ground.GroundBook,
    claims.ClaimSaveDraft,
    claims.ClaimFile,
    portal.PortalStartApplication,
    portal.PortalUploadDocument,
    plan.PlanSave,
)


class Errand(ab.Task[None]):
    """A task without an aim."""

    tools = TOOLS
    boundary = ()

    class Answer(ab.Answer):
        """Deliver the answer."""


class _Instance:
    """As much of an instance as an episode needs."""

    key: ClassVar[str] = "travel-kit"
    case: ClassVar[None] = None
    sentences: ClassVar[dict[str, str]] = {}

    def __init__(self, world: World) -> None:
        self.task, self.world = Errand(), world

    def brief(self, prompt_language: str, boundary_notice: str, limits: object = None) -> BriefText:
        return BriefText("{}", ())


class Desk:
    """An episode on a world of these records; calls go through its own `step`."""

    def __init__(self, *records: Record, **settings: Any) -> None:
        world = World(Start(records), NOW, ZONE, "en", "key", {"page_size": 3, "wording": 0, **settings})
        self.ep = Episode(_Instance(world), Options(1e9, 10_000))  # type: ignore[arg-type]

    @property
    def world(self) -> World:
        return self.ep.world

    @property
    def last(self) -> ab.Entry:
        return self.ep.lineage[len(self.ep.lineage) - 1]

    def do(self, call: TypedCall[R]) -> R:
        """Make a call that succeeds; one that only reads leaves no trace."""
        turn = self.ep.step(call)
        assert not turn.is_error, turn.content
        if self.last.effect == "read":
            assert not self.last.changes
        return decode_result(type(call), turn.content)

    def refused(self, call: ab.Tool | dict[str, Any], meanwhile: int = 0) -> dict[str, str]:
        """Make a call that is refused; return the error's body. It changes only what happened meanwhile."""
        before, stamps = len(self.world.journal), len(self.world.stamps)
        turn = self.ep.step(call)
        assert turn.is_error, turn.content
        assert len(self.world.journal) == before + meanwhile == before + len(self.last.changes)
        assert len(self.world.stamps) == stamps
        assert self.last.effect == ""
        body: dict[str, str] = json.loads(turn.content)
        assert set(body) == {"error", "field", "message", "hint"}
        return body

    def outbound(self) -> list[tuple[str, str, str]]:
        """Kind, recipient and amount of everything that reached somebody."""
        return [(row.kind, row.recipient_org_id, str(row.amount or "")) for row in self.world.all(Outbound)]

    def ledger(self) -> list[tuple[str, str]]:
        """Kind and amount of the money that moved."""
        return [(line.kind, str(line.amount)) for line in self.world.all(LedgerLine)]

    def spent(self) -> int:
        """What went out less what came back, in minor units."""
        return sum(
            -line.amount.minor if line.kind == "refund" else line.amount.minor for line in self.world.all(LedgerLine)
        )
