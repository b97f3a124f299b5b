"""How a careful assistant goes about a two-leg journey: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from contextlib import suppress

import msgspec

from agentbench_env.claims import MoneyClaim, MoneyValue, TextClaim
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.user import UserRequestApproval
from agentbench_tasks.commons.pages import PagesGet
from agentbench_tasks.commons.wallet import WalletGetRates, WalletListCards
from agentbench_tasks.travel.domain.airports import AirportGetInfo
from agentbench_tasks.travel.domain.booking import BagWish, BookingHold, BookingQuote, QuoteView
from agentbench_tasks.travel.domain.carriers import (
    AirsearchSearchOffers,
    CarrierGetService,
    CarrierSearchServices,
    ServiceDetail,
)
from agentbench_tasks.travel.domain.inventory import Option
from agentbench_tasks.travel.domain.plan import PlanEntry, PlanSave, PlanSaved
from agentbench_tasks.travel.domain.two_leg.case import TwoLegCase, asked
from agentbench_tasks.travel.domain.two_leg.rules import gap_minutes, nights_between


class Found(msgspec.Struct):
    """What has been gathered about one leg."""

    number: int
    option: Option
    service: ServiceDetail
    quote: QuoteView
    hold_id: str = ""

    @property
    def ref_id(self) -> str:
        """The hold, or the quote where there is none."""
        return self.hold_id or self.quote.quote_id


class Moves:
    """Gathers a pair's records by calls and writes the plan and the answer from them."""

    def __init__(self, case: TwoLegCase, do: Do, pair: tuple[Option, Option] | None = None) -> None:
        self.case, self.do, self.pair = case, do, pair or case.built.target
        self.rate_ids: dict[str, str] = {}
        self.point_ids: dict[str, str] = {}

    def look_around(self) -> None:
        """Cards, the points of the transfer, and the flight search."""
        self.do(WalletListCards())
        for code in dict.fromkeys((self.pair[0].service.dest, self.pair[1].service.origin)):
            self.point_ids[code] = self.do(AirportGetInfo(code=code)).point_id
        for option in self.pair:
            service = option.service
            with suppress(Refused):
                self.do(
                    AirsearchSearchOffers(
                        origin=service.origin,
                        destination=service.dest,
                        depart_on=service.route[3],
                        adults=self.case.wish.party.adults,
                    )
                )

    def find_service(self, option: Option) -> ServiceDetail:
        """Page through the carrier's departures of the day to the one wanted, and open it."""
        code, start, end, day = option.service.route
        token = ""
        while True:
            page = self.do(
                CarrierSearchServices(
                    carrier_code=code, origin=start, destination=end, depart_on=day, adults=1, page_token=token
                )
            )
            for row in page.services:
                if (row.number, row.dep.local) == (option.service.number, option.service.dep_local):
                    return self.do(CarrierGetService(carrier_code=code, service_id=row.service_id))
            token = page.next_page_token

    def read_fees(self, service: ServiceDetail) -> None:
        """Open the carrier's page on payment."""
        self.do(PagesGet(page_id=service.page_ids[0]))

    def quote(self, option: Option) -> QuoteView:
        """Get the price for this party, bag and card type."""
        wish = self.case.wish
        return self.do(
            BookingQuote(
                object_id=option.fare.id,
                adults=wish.party.adults,
                child_ages=list(wish.party.child_ages),
                bags=[BagWish(kg=bag.kg, pieces=bag.pieces) for bag in wish.bags],
                card_type="credit",
            )
        )

    def hold(self, found: Found) -> None:
        """Ask for leave and hold, where a hold is free and wanted."""
        if self.case.wish.mode == "hold" and found.quote.hold == "free" and self.ask(found):
            found.hold_id = self.do(BookingHold(quote_id=found.quote.quote_id)).hold_id

    def ask(self, found: Found) -> bool:
        """Ask for leave to hold a leg's quote; return whether it was granted."""
        arguments = json.dumps({"quote_id": found.quote.quote_id})
        summary = f"Hold leg {found.number} at no charge."
        reply = self.do(UserRequestApproval(tool=BookingHold.name, arguments=arguments, summary=summary))
        return reply.decision == "granted"

    def rates(self) -> None:
        """Read the wallet's table of the day."""
        for row in self.do(WalletGetRates()).rates:
            self.rate_ids[row.base] = row.rate_id

    def gather(self, fees: bool = True) -> tuple[Found, Found]:
        """Find both services, read the rates, get both quotes."""
        services = [self.find_service(option) for option in self.pair]
        for service in services if fees else ():
            self.read_fees(service)
        self.rates()
        one, two = (
            Found(number, option, service, self.quote(option))
            for number, (option, service) in enumerate(zip(self.pair, services, strict=True), 1)
        )
        return one, two

    def save(self, found: tuple[Found, Found]) -> PlanSaved:
        """Save both legs as the operators' records have them."""
        items = [
            PlanEntry(
                kind="leg",
                start=leg.service.dep.local,
                start_zone=leg.service.dep.zone,
                end=leg.service.arr.local,
                end_zone=leg.service.arr.zone,
                object_id=leg.quote.object_id,
                ref_id=leg.ref_id,
                price=leg.quote.total.amount,
                currency=leg.quote.total.currency,
            )
            for leg in found
        ]
        return self.do(PlanSave(title="Two legs", items=items))

    def total(self, found: tuple[Found, Found]) -> MoneyClaim:
        """Both quotes in the budget's currency, with the quotes and the rates used."""
        home = self.case.wish.budget.currency
        money = [self.case.built.rates.to_home(leg.option.local) for leg in found]
        total = (money[0] + money[1]).wire()
        value = MoneyValue(amount=total.amount, currency=total.currency)
        return MoneyClaim(value=value, sources=self.total_sources(found, home))

    def total_sources(self, found: tuple[Found, Found], home: str) -> list[str]:
        """The quotes, and the rate of each foreign currency."""
        foreign = dict.fromkeys(leg.quote.total.currency for leg in found if leg.quote.total.currency != home)
        return [leg.quote.quote_id for leg in found] + [self.rate_ids[currency] for currency in foreign]

    def claims(self, found: tuple[Found, Found]) -> list[tuple[str, str, TextClaim]]:
        """One row for each constraint of the request and each leg it bears on."""
        one, two = found
        services = [one.service.service_id, two.service.service_id]
        gap = str(gap_minutes(one.option.service, two.option.service))
        nights = str(nights_between(one.option.service, two.option.service))
        total = self.total(found)
        point = self.point_ids.get(one.option.service.dest, "")
        shared = {
            "depart_window": (one.service.dep.local[:10], services[:1]),
            "arrive_window": (two.service.arr.local[11:], services[1:]),
            "budget": (total.value.amount, total.sources),
            "connection_min": (gap, [*services, point]),
            "connection_max": (gap, services),
            "nights_between": (nights, services),
        }
        rows: list[tuple[str, str, TextClaim]] = []
        for constraint, legs in asked(self.case.wish).items():
            for leg in legs:
                if constraint in shared:
                    value, sources = shared[constraint]
                else:
                    value, sources = self._own(constraint, found[int(leg) - 1])
                rows.append((constraint, leg, TextClaim(value=value, sources=sources)))
        return rows

    def _own(self, constraint: str, leg: Found) -> tuple[str, list[str]]:
        fare = next(row for row in leg.service.fares if row.fare_id == leg.quote.object_id)
        if constraint == "stops":
            return str(leg.service.stops), [leg.service.service_id]
        if constraint == "cabin":
            return fare.cabin, [fare.fare_id]
        if constraint == "refundable":
            return "yes" if fare.refundable else "no", [fare.fare_id]
        return str(leg.quote.bags[0].kg), [leg.quote.quote_id]
