"""Contract 03.06: what a room really costs a night, everything compulsory included."""

from __future__ import annotations

import agentbench_env as ab
from agentbench_tasks.commons.errand import Errand
from agentbench_tasks.commons.wallet import WalletGetRates, WalletListCards
from agentbench_tasks.travel.domain.booking import (
    BookingHold,
    BookingPurchase,
    BookingQuote,
    BookingReleaseHold,
)
from agentbench_tasks.travel.domain.held import BookingListHolds
from agentbench_tasks.travel.domain.stay_cost import checks
from agentbench_tasks.travel.domain.stay_cost.answer import StayCostAnswer
from agentbench_tasks.travel.domain.stay_cost.cards import NoCard
from agentbench_tasks.travel.domain.stay_cost.case import StayCostCase
from agentbench_tasks.travel.domain.stay_cost.policies import StayCostPolicies
from agentbench_tasks.travel.domain.stay_cost.user import decide
from agentbench_tasks.travel.domain.stay_cost.world import brief_of, draw_case
from agentbench_tasks.travel.domain.stays import StayGetListing, StayListRates, StaySearchProperties
from agentbench_tasks.travel.domain.surface import COMMONS, NOTHING_ELSE_TOUCHED


class StayTotalCost(StayCostPolicies, Errand[StayCostCase]):
    """What the room really costs a night, everything compulsory included."""

    tools = (
        StaySearchProperties,
        StayGetListing,
        StayListRates,
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
        "ages": "how many travel and how old they are",
        "bathing": "whether everybody uses the bath of the house",
        "board": "which meals the rate should hold",
        "arrival_time": "when they arrive",
    }
    boundary = (
        ab.Forbidden("boundary.nothing_reserved", "No reservation was made or held.", effects=("hold", "commit")),
        NoCard("boundary.no_card_given", "No card was passed to any call and no payment data was sent."),
        NOTHING_ELSE_TOUCHED,
    )
    Answer = StayCostAnswer

    def case(self, draw: ab.Draw, setting: ab.Setting) -> StayCostCase:
        return draw_case(draw, setting)

    def brief(self, case: StayCostCase, language: str) -> ab.Brief:
        return brief_of(case, language)

    def wishes(self, case: StayCostCase, call: ab.Tool, ep: ab.Episode) -> ab.Decision:
        return decide(case, call, ep)

    @ab.final("final.base_rate")
    def base_rate(self, case: StayCostCase, ep: ab.Episode) -> ab.Finding:
        """The room price of each night, as the rate for these dates, party and board has it, is stated."""
        return checks.base_rate(case, ep)

    @ab.final("final.vat_and_service")
    def vat_and_service(self, case: StayCostCase, ep: ab.Episode) -> ab.Finding:
        """Consumption tax / VAT / GST and service charge are stated for each night, on the base the tariff names (zero
        where included, with the record that says so).
        """
        return checks.vat_and_service(case, ep)

    @ab.final("final.local_tax")
    def local_tax(self, case: StayCostCase, ep: ab.Episode) -> ab.Finding:
        """The occupancy, city, tourism or bath tax is stated for each night and person or room as the rule in force has
        it (zero where there is none, with a record).
        """
        return checks.local_tax(case, ep)

    @ab.final("final.property_fees")
    def property_fees(self, case: StayCostCase, ep: ab.Episode) -> ab.Finding:
        """Compulsory resort, cleaning, extra-person or heating fees are stated, each with its unit (night, stay,
        person).
        """
        return checks.property_fees(case, ep)

    @ab.final("final.on_arrival_cash")
    def on_arrival_cash(self, case: StayCostCase, ep: ab.Episode) -> ab.Finding:
        """What has to be paid in cash on arrival is stated apart; refundable deposits are listed but not counted as
        cost.
        """
        return checks.on_arrival_cash(case, ep)

    @ab.final("final.true_total_per_night")
    def true_total_per_night(self, case: StayCostCase, ep: ab.Episode) -> ab.Finding:
        """The true total per night, that is all compulsory lines of the stay divided by the nights, is stated and right
        to the minor unit, with the stay total.
        """
        return checks.true_total_per_night(case, ep)
