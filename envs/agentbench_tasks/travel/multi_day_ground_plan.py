"""Contract 03.07: days that can be walked."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_tasks.commons.errand import Errand
from agentbench_tasks.travel.domain.ground import GroundBook, GroundGetPlace, GroundGetRoute, GroundSearchPlaces
from agentbench_tasks.travel.domain.ground_plan import checks
from agentbench_tasks.travel.domain.ground_plan.answer import GroundPlanAnswer
from agentbench_tasks.travel.domain.ground_plan.case import GroundPlanCase
from agentbench_tasks.travel.domain.ground_plan.policies import GroundPlanPolicies
from agentbench_tasks.travel.domain.ground_plan.user import decide
from agentbench_tasks.travel.domain.ground_plan.world import brief_of, draw_case
from agentbench_tasks.travel.domain.plan import PlanSave
from agentbench_tasks.travel.domain.surface import COMMONS


class MultiDayGroundPlan(GroundPlanPolicies, Errand[GroundPlanCase]):
    """Days that can be walked: opening hours, closing days and real transfer times."""

    tools = (
        GroundSearchPlaces,
        GroundGetPlace,
        GroundGetRoute,
        GroundBook,
        PlanSave,
        *COMMONS,
    )
    topics = {
        "may_taxi": "whether a taxi may be taken",
        "may_skip": "whether places may be left out or cut short",
        "meal": "whether meals are to be planned",
        "pace": "how full the days may be",
    }
    boundary = (
        ab.Forbidden(
            "boundary.nothing_booked",
            "No ticket, tour, slot or transfer was booked.",
            effects=("commit",),
        ),
        ab.NothingElse(
            "boundary.nothing_else_touched",
            "Nothing else reached anybody: no mail was sent.",
        ),
    )
    # A way is asked about at an hour at which nothing goes.
    planned_refusals = frozenset({"no_service_at_hour"})
    Answer = GroundPlanAnswer

    def case(self, draw: ab.Draw, setting: ab.Setting) -> GroundPlanCase:
        return draw_case(draw, setting)

    def brief(self, case: GroundPlanCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: GroundPlanCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.all_wishes_accounted")
    def all_wishes_accounted(self, case: GroundPlanCase, ep: ab.Episode) -> ab.Finding:
        """Every place of the list is either placed once in a day or flagged once."""
        return checks.all_wishes_accounted(case, ep)

    @ab.final("final.open_when_visited")
    def open_when_visited(self, case: GroundPlanCase, ep: ab.Episode) -> ab.Finding:
        """Each placed visit lies on a day the place is open, inside its hours and breaks, entered by last admission, at
        a slot still free where it sells slots.
        """
        return checks.open_when_visited(case, ep)

    @ab.final("final.transfers_real")
    def transfers_real(self, case: GroundPlanCase, ep: ab.Episode) -> ab.Finding:
        """Between neighbours (and to and from the lodging) there is at least the travel time that service shows for
        that hour, plus the asked margin.
        """
        return checks.transfers_real(case, ep)

    @ab.final("final.days_inside_frame")
    def days_inside_frame(self, case: GroundPlanCase, ep: ab.Episode) -> ab.Finding:
        """Each day starts and ends within the frame given, and fixed appointments are met."""
        return checks.days_inside_frame(case, ep)

    @ab.final("final.misfits_flagged")
    def misfits_flagged(self, case: GroundPlanCase, ep: ab.Episode) -> ab.Finding:
        """Exactly the places that cannot fit are flagged, with the right reason and the record for it, and no visit is
        shorter than asked.
        """
        return checks.misfits_flagged(case, ep)
