"""Contract 03.05: what each fare costs when plans change."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_tasks.commons.errand import Errand
from agentbench_tasks.commons.wallet import WalletGetRates, WalletListCards
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import (
    BookingGet,
    BookingHold,
    BookingPurchase,
    BookingQuote,
    BookingReleaseHold,
)
from agentbench_tasks.travel.domain.carriers import (
    AirsearchSearchOffers,
    CarrierGetService,
    CarrierSearchServices,
)
from agentbench_tasks.travel.domain.fare_rules import checks
from agentbench_tasks.travel.domain.fare_rules.answer import FareComparison
from agentbench_tasks.travel.domain.fare_rules.case import FareRuleCase
from agentbench_tasks.travel.domain.fare_rules.policies import FareRulePolicies
from agentbench_tasks.travel.domain.fare_rules.world import brief_of, decide, draw_case
from agentbench_tasks.travel.domain.held import BookingListHolds
from agentbench_tasks.travel.domain.surface import COMMONS, NOTHING_ELSE_TOUCHED


class FareRuleComparison(FareRulePolicies, Errand[FareRuleCase]):
    """What each fare costs you when plans change, so that the cheap one shows its teeth."""

    tools = (
        AirsearchSearchOffers,
        AirportGetInfo,
        CarrierSearchServices,
        CarrierGetService,
        BookingGet,
        BookingQuote,
        BookingHold,
        BookingListHolds,
        BookingReleaseHold,
        BookingPurchase,
        WalletListCards,
        WalletGetRates,
        *COMMONS,
    )
    topics = {
        "when_change": "when the change or cancellation would be asked for",
        "sectors": "which flights the change is about",
        "shortlist": "which fares are meant",
        "credit_ok": "whether travel credit is as good as money",
    }
    boundary = (
        ab.Forbidden("boundary.nothing_held", "No hold was made.", tools=(BookingHold,), effects=("hold",)),
        ab.Forbidden("boundary.nothing_bought", "No purchase, no card, no commitment.", effects=("commit",)),
        NOTHING_ELSE_TOUCHED,
    )
    Answer = FareComparison

    def case(self, draw: ab.Draw, setting: ab.Setting) -> FareRuleCase:
        return draw_case(draw, setting)

    def brief(self, case: FareRuleCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: FareRuleCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.every_candidate")
    def every_candidate(self, case: FareRuleCase, ep: ab.Episode) -> ab.Finding:
        """Exactly the fares in scope are compared, each with the operator's current price for the party."""
        return checks.every_candidate(case, ep)

    @ab.final("final.change_fee")
    def change_fee(self, case: FareRuleCase, ep: ab.Episode) -> ab.Finding:
        """For each fare, the fee for the change asked about at the asked moment, for the party and the sectors asked
        about, or "not allowed".
        """
        return checks.change_fee(case, ep)

    @ab.final("final.refundability")
    def refundability(self, case: FareRuleCase, ep: ab.Episode) -> ab.Finding:
        """For each fare, what comes back on cancellation at the asked moment: share or amount kept, and whether taxes
        return.
        """
        return checks.refundability(case, ep)

    @ab.final("final.baggage")
    def baggage(self, case: FareRuleCase, ep: ab.Episode) -> ab.Finding:
        """For each fare, checked and cabin allowance included in the price."""
        return checks.baggage(case, ep)

    @ab.final("final.no_show")
    def no_show(self, case: FareRuleCase, ep: ab.Episode) -> ab.Finding:
        """For each fare, what happens to the money and to the onward sectors if the passenger does not appear."""
        return checks.no_show(case, ep)

    @ab.final("final.cheapest_seen_as_strictest")
    def cheapest_seen_as_strictest(self, case: FareRuleCase, ep: ab.Episode) -> ab.Finding:
        """The comparison names the cheapest fare and shows it as the most restrictive on these four points."""
        return checks.cheapest_seen_as_strictest(case, ep)
