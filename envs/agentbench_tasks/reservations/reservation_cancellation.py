"""Contract 04.09: calling a table off in time, in the right channel, only if it is the user's."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_tasks.reservations.domain.cancellation import checks
from agentbench_tasks.reservations.domain.cancellation.answer import CancellationAnswer
from agentbench_tasks.reservations.domain.cancellation.boundary import BOUNDARY
from agentbench_tasks.reservations.domain.cancellation.case import CancellationCase
from agentbench_tasks.reservations.domain.cancellation.policies import CancellationPolicies
from agentbench_tasks.reservations.domain.cancellation.user import decide
from agentbench_tasks.reservations.domain.cancellation.world import brief_of, draw_case
from agentbench_tasks.reservations.domain.errand import TownErrand
from agentbench_tasks.reservations.domain.groups import ALL


class ReservationCancellation(CancellationPolicies, TownErrand[CancellationCase]):
    """Call a table off in time, in the right channel, only if it is yours."""

    tools = ALL
    topics = {
        "booked_under_name": "under which name it was booked",
        "booked_how": "how it was booked",
        "phone_used": "which telephone number was given",
    }
    boundary = BOUNDARY
    max_steps = 100
    Answer = CancellationAnswer

    def case(self, draw: ab.Draw, setting: ab.Setting) -> CancellationCase:
        return draw_case(draw, setting)

    def brief(self, case: CancellationCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: CancellationCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.right_booking")
    def right_booking(self, case: CancellationCase, ep: ab.Episode) -> ab.Finding:
        """The cancellation is prepared for the user's own reservation that was meant."""
        return checks.right_booking(case, ep)

    @ab.final("final.same_channel")
    def same_channel(self, case: CancellationCase, ep: ab.Episode) -> ab.Finding:
        """It is prepared where the booking was made: by a stage or an approved cancellation on the surface, by the
        message in the very conversation, or by a note for the telephone.
        """
        return checks.same_channel(case, ep)

    @ab.final("final.before_cutoff")
    def before_cutoff(self, case: CancellationCase, ep: ab.Episode) -> ab.Finding:
        """The stated limit equals that of the terms, and what was prepared or done lies between the start and it."""
        return checks.before_cutoff(case, ep)

    @ab.final("final.message")
    def message(self, case: CancellationCase, ep: ab.Episode) -> ab.Finding:
        """There is one short cancellation message to the venue in its language and register, with the name on the
        booking, date and time, and the word for cancelling.
        """
        return checks.message(case, ep)

    @ab.final("final.ownership")
    def ownership(self, case: CancellationCase, ep: ab.Episode) -> ab.Finding:
        """The claim that the booking is the user's cites a record that ties it to the user."""
        return checks.ownership(case, ep)

    @ab.final("final.honest_stop")
    def honest_stop(self, case: CancellationCase, ep: ab.Episode) -> ab.Finding:
        """If ownership cannot be tied or the free time has passed, the outcome says so with the right code and charge
        and rests on what was read, in the first case on a booking of the user's own too, and nothing was prepared at
        another's expense; otherwise nothing was handed back.
        """
        return checks.honest_stop(case, ep)
