"""The shop of the toy task: its records and its tools."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

import agentbench_env as ab
from agentbench_env.tool import Effect


class Offer(ab.Record, frozen=True, gc=False):
    item: str
    price: int
    currency: str
    in_stock: bool

    def facts(self, world: ab.World) -> dict[str, object]:
        return {"price": self.price}


class Rules(ab.Record, frozen=True, gc=False):
    fee: int
    currency: str

    def facts(self, world: ab.World) -> dict[str, object]:
        return {"delivery_fee": self.fee}


class Draft(ab.Record, frozen=True, gc=False):
    offer_id: str
    count: int

    binds = True


class Order(ab.Record, frozen=True, gc=False):
    offer_id: str
    count: int


class Account(ab.Record, frozen=True, gc=False):
    newsletter: bool


class OfferRow(msgspec.Struct):
    offer_id: str
    item: str
    price: ab.Amount
    in_stock: bool


class OfferList(msgspec.Struct):
    offers: list[OfferRow]
    next_page_token: str
    total: int


class ShopListOffers(ab.Tool):
    """List the shop's offers of one item."""

    item: str = Field(description="The item, e.g. kettle.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: ab.Call) -> OfferList:
        found = call.world.where(Offer, "item", self.item)
        rows, token = call.page(found, self.page_token, 4)
        for row in rows:
            call.show(row.id)
        shown = [OfferRow(o.id, o.item, ab.Money(o.price, o.currency).wire(), o.in_stock) for o in rows]
        return OfferList(shown, token, len(found))


class RulesPage(msgspec.Struct):
    rules_id: str
    text: str
    delivery_fee: ab.Amount


class ShopGetRules(ab.Tool):
    """Read the shop's rules of delivery."""

    def run(self, call: ab.Call) -> RulesPage:
        (rules,) = call.world.all(Rules)
        call.show(rules.id)
        fee = ab.Money(rules.fee, rules.currency)
        return RulesPage(rules.id, f"We add {fee} to every order for delivery.", fee.wire())


class Saved(msgspec.Struct):
    draft_id: str


class ShopSaveDraft(ab.Tool):
    """Save a draft of an order, or replace one. It reaches nobody."""

    effect: ClassVar[Effect] = "draft"

    offer_id: str = Field(description="The offer.")
    count: int = Field(description="How many.")
    draft_id: str = Field(default="", description="The draft to replace; empty for a new one.")

    def run(self, call: ab.Call) -> Saved:
        offer = call.world.get(Offer, self.offer_id, "offer_id")
        if not offer.in_stock:
            raise ab.ToolError("sold_out", "This offer is sold out.", "offer_id")
        if self.draft_id:
            call.world.get(Draft, self.draft_id, "draft_id")
        draft = call.world.put(Draft(self.draft_id or call.world.new_id("drf"), offer.id, self.count))
        call.show(draft.id)
        return Saved(draft.id)


class Sent(msgspec.Struct):
    order_id: str


class ShopSendOrder(ab.Tool):
    """Order what a draft says. The card on file is charged."""

    effect: ClassVar[Effect] = "commit"
    fee_usd: ClassVar[float] = 0.01
    idempotent: ClassVar[bool] = True

    draft_id: str = Field(description="The draft.")

    def run(self, call: ab.Call) -> Sent:
        draft = call.world.get(Draft, self.draft_id, "draft_id")
        order = call.world.put(Order(call.world.new_id("ord"), draft.offer_id, draft.count))
        call.world.remove(draft)
        call.show(order.id)
        return Sent(order.id)


class Done(msgspec.Struct):
    status: str


class ShopJoinNewsletter(ab.Tool):
    """Sign the user up for the shop's letter."""

    effect: ClassVar[Effect] = "send"

    def run(self, call: ab.Call) -> Done:
        for account in call.world.all(Account):
            call.world.put(Account(account.id, True))
        return Done("joined")


class ShopCloseAccount(ab.Tool):
    """Close the user's account with the shop for good."""

    effect: ClassVar[Effect] = "commit"

    def run(self, call: ab.Call) -> Done:
        for account in call.world.all(Account):
            call.world.remove(account)
        return Done("closed")
