"""How a careful assistant prepares moving a booking: the moves that the task's scripted policies are made of."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from agentbench_env.claims import MoneyClaim, MoneyValue, TextClaim
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do, Refused
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.messages import MailGetMessage, MailSearchMessages
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.travel.domain.booking import BookingGet, BookingQuote, BookingView, QuoteView
from agentbench_tasks.travel.domain.carriers import CarrierGetService, CarrierSearchServices
from agentbench_tasks.travel.domain.changes import ActionView, BookingPriceCancel, BookingPriceChange
from agentbench_tasks.travel.domain.modification.answer import (
    ChangeCost,
    ChangeLine,
    Deadline,
    ModificationAnswer,
    Moment,
    RebookCost,
    Route,
)
from agentbench_tasks.travel.domain.modification.case import ModificationCase
from agentbench_tasks.travel.domain.modification.deal import Costs, Stay
from agentbench_tasks.travel.domain.records import Booking, Service
from agentbench_tasks.travel.domain.stays import StayListRates


class Prepared(msgspec.Struct):
    """What the desks answered, and the sections that state the terms."""

    changes: list[ActionView]
    cancel: ActionView
    quotes: list[QuoteView]
    terms: str
    agency: str


class Moves:
    """Gathers the records by calls and writes the answer from them."""

    def __init__(self, case: ModificationCase, do: Do) -> None:
        self.case, self.do, self.deal = case, do, case.deal

    # --- looking

    def read_up(self) -> tuple[str, str]:
        """Read the booking where it is changed, and the terms; return the page of the terms and the agency's."""
        view = self.do(BookingGet(locator=self.case.locator))
        if self.deal.shape.suppliers:
            view = self._order()
        self.do(PagesGet(page_id=view.terms_page_id))
        agency = ""
        if self.deal.agency is not None:
            agency = self.do(PagesSearch(query="", publisher=view.channel_id)).pages[0].page_id
            self.do(PagesGet(page_id=agency))
        return view.terms_page_id, agency

    def _order(self) -> BookingView:
        """Find the agency's order in the mail and open it."""
        for row in self.do(MailSearchMessages()).messages:
            self.do(MailGetMessage(message_id=row.message_id))
        return self.do(BookingGet(locator=self.case.start.get(Booking, self.case.booking_id).locator))

    def look(self) -> None:
        """Find what is sold on the new dates."""
        about = self.deal.about
        if isinstance(about, Stay):
            first, last = about.new
            house = about.house.record.id
            self.do(StayListRates(property_id=house, checkin_on=first, checkout_on=last, adults=self.deal.party))
            return
        for one in self.deal.moved:
            assert isinstance(one.old, Service)
            assert isinstance(one.new, Service)
            self.do(CarrierGetService(carrier_code=one.old.carrier, service_id=one.old.id))
            self._find(one.new)
            self.do(CarrierGetService(carrier_code=one.new.carrier, service_id=one.new.id))

    def _find(self, service: Service) -> None:
        code, start, end, day = service.route
        token = ""
        while True:
            page = self.do(
                CarrierSearchServices(
                    carrier_code=code,
                    origin=start,
                    destination=end,
                    depart_on=day,
                    adults=self.deal.party,
                    page_token=token,
                )
            )
            if any(row.service_id == service.id for row in page.services):
                return
            token = page.next_page_token

    # --- pricing

    def price_changes(self, targets: Sequence[str]) -> list[ActionView]:
        """Price the change of every item that moves; nothing where none is possible."""
        found: list[ActionView] = []
        for one, target in zip(self.deal.moved, targets, strict=True):
            with suppress(Refused):
                found.append(
                    self.do(BookingPriceChange(booking_id=self.case.booking_id, item_index=one.index, target_id=target))
                )
        return found

    def price_cancel(self, indexes: Sequence[int]) -> ActionView:
        """Price the cancellation of items."""
        return self.do(BookingPriceCancel(booking_id=self.case.booking_id, item_indexes=[str(n) for n in indexes]))

    def quote(self, offers: Sequence[str]) -> list[QuoteView]:
        """Get quotes of what would be bought anew."""
        return [self.do(BookingQuote(object_id=id, adults=self.deal.party)) for id in offers]

    def prepare(self) -> Prepared:
        """All of it."""
        terms, agency = self.read_up()
        self.look()
        changes = self.price_changes([one.target.id for one in self.deal.moved])
        cancel = self.price_cancel(self.deal.indexes)
        return Prepared(changes, cancel, self.quote([offer.id for offer in self.deal.offers]), terms, agency)

    # --- answering

    def claim(self, minor: int, sources: Sequence[str]) -> MoneyClaim:
        """An amount with its sources."""
        wire = Money(minor, self.deal.currency).wire()
        return MoneyClaim(value=MoneyValue(amount=wire.amount, currency=wire.currency), sources=list(sources))

    def change(self, costs: Costs, found: Prepared) -> ChangeCost:
        """The cost of changing."""
        actions = [view.priced_action_id for view in found.changes]
        if not actions:
            return ChangeCost(possible=TextClaim(value="no", sources=[found.terms]))
        lines = [
            ChangeLine(kind=kind, amount=self.claim(minor, [found.agency] if kind == "agency" else actions))  # type: ignore[arg-type]
            for kind, minor in costs.lines.items()
        ]
        sources = [*actions, *([found.agency] if "agency" in costs.lines else [])]
        return ChangeCost(
            possible=TextClaim(value="yes", sources=actions), lines=lines, total=self.claim(costs.change, sources)
        )

    def rebook(self, new_price: int, refund: int, found: Prepared) -> RebookCost:
        """The cost of cancelling and booking anew."""
        quotes, cancel = [view.quote_id for view in found.quotes], [found.cancel.priced_action_id]
        return RebookCost(
            new_price=self.claim(new_price, quotes),
            refund=self.claim(refund, cancel),
            net=self.claim(new_price - refund, [*quotes, *cancel]),
        )

    def refs(self, route: Route, found: Prepared) -> list[str]:
        """What stands prepared for a way."""
        if route == "change":
            return [view.priced_action_id for view in found.changes]
        return [found.cancel.priced_action_id, *(view.quote_id for view in found.quotes)]

    def deadline(self, route: Route, found: Prepared) -> Deadline:
        """Until when a way is good for its cost: the first end of its prices and limits."""
        views = found.changes if route == "change" else [found.cancel, *found.quotes]
        ends = [(to_instant(view.valid_until.local, view.valid_until.zone), [_id(view)]) for view in views]
        for one in self.deal.moved:
            limit = one.change_limit if route == "change" else one.cancel_limit
            booked = [one.old.id] if isinstance(one.old, Service) else []
            ends.append((limit, [found.terms, *booked]))
        end, sources = min(ends, key=lambda row: row[0])
        zone = self.deal.zone
        return Deadline(value=Moment(local=to_local(end, zone), zone=zone), sources=sources)

    def answer(self, found: Prepared, route: Route | None = None) -> ModificationAnswer:
        """The right answer, or the one for another way."""
        costs = self.case.costs
        chosen: Route = route or self.deal.shape.winner
        possible = chosen == "rebook" or self.deal.terms.changeable
        return ModificationAnswer(
            change=self.change(costs, found),
            rebook=self.rebook(costs.new_price, costs.refund, found),
            recommended=chosen,
            deadline=self.deadline(chosen, found) if possible else Deadline(),
            prepared_refs=self.refs(chosen, found),
        )

    def solve(self) -> None:
        """Prepare and answer."""
        found = self.prepare()
        self.do(self.answer(found))


def _id(view: ActionView | QuoteView) -> str:
    return view.quote_id if isinstance(view, QuoteView) else view.priced_action_id
