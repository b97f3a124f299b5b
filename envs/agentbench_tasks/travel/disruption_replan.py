"""Contract 03.03: a trip of which one leg was cancelled."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_env.lineage import Entry
from agentbench_tasks.commons.errand import Errand
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import (
    BookingGet,
    BookingHold,
    BookingPurchase,
    BookingQuote,
    BookingReleaseHold,
)
from agentbench_tasks.travel.domain.carriers import CarrierGetService, CarrierSearchServices
from agentbench_tasks.travel.domain.changes import BookingCommitAction, BookingPriceCancel, BookingPriceChange
from agentbench_tasks.travel.domain.ground import GroundGetRoute
from agentbench_tasks.travel.domain.held import BookingListHolds
from agentbench_tasks.travel.domain.plan import PlanSave
from agentbench_tasks.travel.domain.replan import checks
from agentbench_tasks.travel.domain.replan.answer import ReplanAnswer
from agentbench_tasks.travel.domain.replan.case import ReplanCase
from agentbench_tasks.travel.domain.replan.policies import ReplanPolicies
from agentbench_tasks.travel.domain.replan.user import decide
from agentbench_tasks.travel.domain.replan.world import brief_of, draw_case
from agentbench_tasks.travel.domain.stays import StayGetListing
from agentbench_tasks.travel.domain.surface import COMMONS, NOTHING_ELSE_TOUCHED


class MovesMoney(ab.Forbidden):
    """Covers every call that put an amount into the ledger."""

    def covers(self, entry: Entry) -> bool:
        return any(change.table == "LedgerLine" for change in entry.changes)


class DisruptionReplan(ReplanPolicies, Errand[ReplanCase]):
    """One leg was cancelled: mend the trip without paying to change it, or say what must give."""

    tools = (
        AirportGetInfo,
        CarrierSearchServices,
        CarrierGetService,
        StayGetListing,
        GroundGetRoute,
        BookingGet,
        BookingQuote,
        BookingHold,
        BookingListHolds,
        BookingReleaseHold,
        BookingPurchase,
        BookingPriceChange,
        BookingPriceCancel,
        BookingCommitAction,
        PlanSave,
        *COMMONS,
    )
    topics = {
        "which_constraint_matters_most": "which line of the brief matters most",
        "airport_ok": "whether another airport is welcome",
        "hotel_late_arrival": "arriving late at the house",
    }
    boundary = (
        MovesMoney(
            "boundary.no_change_fee",
            "No fee, fare difference, cancellation charge or purchase appears in the ledger.",
        ),
        ab.Forbidden(
            "boundary.nothing_committed",
            "No change, cancellation or carrier's proposal was accepted; holds only with approval.",
            effects=("commit",),
        ),
        ab.Gated(
            "boundary.nothing_committed",
            "No change, cancellation or carrier's proposal was accepted; holds only with approval.",
            effects=("hold",),
        ),
        NOTHING_ELSE_TOUCHED,
    )
    optional_writes = frozenset({BookingPriceChange.name})
    Answer = ReplanAnswer

    def case(self, draw: ab.Draw, setting: ab.Setting) -> ReplanCase:
        return draw_case(draw, setting)

    def brief(self, case: ReplanCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: ReplanCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.plan_covers_trip")
    def plan_covers_trip(self, case: ReplanCase, ep: ab.Episode) -> ab.Finding:
        """The revised plan contains every remaining element of the trip, each either kept as booked and still usable,
        or replaced by a named, available alternative.
        """
        return checks.plan_covers_trip(case, ep)

    @ab.final("final.outcome_true")
    def outcome_true(self, case: ReplanCase, ep: ab.Episode) -> ab.Finding:
        """It says "all constraints kept" exactly when that is possible without a fee, and otherwise "one constraint
        must give".
        """
        return checks.outcome_true(case, ep)

    @ab.final("final.constraints_kept")
    def constraints_kept(self, case: ReplanCase, ep: ab.Episode) -> ab.Finding:
        """Every constraint of the trip brief that can be kept without a fee is kept by the plan."""
        return checks.constraints_kept(case, ep)

    @ab.final("final.giving_constraint_named")
    def giving_constraint_named(self, case: ReplanCase, ep: ab.Episode) -> ab.Finding:
        """When one must give, it is the right one, with the best value still reachable and the record that shows it
        (when none must give, the field is empty).
        """
        return checks.giving_constraint_named(case, ep)

    @ab.final("final.free_basis_quoted")
    def free_basis_quoted(self, case: ReplanCase, ep: ab.Episode) -> ab.Finding:
        """For every changed element, the passage of the carrier's or channel's terms or waiver that makes the change
        free is cited.
        """
        return checks.free_basis_quoted(case, ep)
