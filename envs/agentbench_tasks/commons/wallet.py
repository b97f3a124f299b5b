"""The user's means of payment, what was charged to them, and the exchange rates of the day."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.texts import Stated, body_of
from agentbench_tasks.commons.values import Zoned, read_date, read_days, zoned

PAGE_SIZE = 20
MOST_DAYS = 400
MethodKind = Literal["credit", "debit", "prepaid", "bank_account", "iban", "phone_wallet", "cash", "stored_value"]
RateKind = Literal["official", "card", "wallet", "tt_selling", "tt_buying", "customs", "market"]
EntryMode = Literal[
    "present",
    "online",
    "stored_credential",
    "instalment",
    "transfer",
    "cash",
    "bank_generated",
    "carrier_bill",
    "store",
]
ChargeStatus = Literal["pending", "posted", "reversed", "held", "failed"]


class PaymentMethod(Record, frozen=True, gc=False):
    """A means of payment as its owner sees it; full numbers are never shown."""

    kind: MethodKind
    brand: str
    label: str
    last4: str
    issued_in: str
    currency: str
    holder: str = ""
    expires: str = ""
    in_phone_wallet: bool = False
    status: str = "active"
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


class Charge(Record, frozen=True, gc=False):
    """A line on a card or account."""

    method_id: str
    made_at: int
    zone: str
    amount: Money
    descriptor: str
    """The merchant as the line prints it."""
    posted_on: str = ""
    status: ChargeStatus = "posted"
    original_amount: Money | None = None
    merchant_ref: str = ""
    entry_mode: EntryMode = "online"
    refs: tuple[str, ...] = ()
    stated: tuple[Stated, ...] = ()

    def facts(self, world: World) -> dict[str, object]:
        """What it states."""
        return {fact.key: fact.value for fact in self.stated}


class Rate(Record, frozen=True, gc=False):
    """A row of the table of a day: `unit` units of base are worth `value` of quote."""

    base: str
    quote: str
    unit: int
    value: str
    on_date: str
    published_at: str
    kind: RateKind = "official"

    def facts(self, world: World) -> dict[str, object]:
        """The rate of its day."""
        return {rate_key(self.base, self.quote, self.on_date, self.kind): self.value}


def rate_key(base: str, quote: str, on_date: str, kind: RateKind = "official") -> str:
    """The key of the fact that a rate states; other kinds than the official one are named in it."""
    key = f"rate.{base}.{quote}.{on_date}"
    return key if kind == "official" else f"{key}.{kind}"


class Card(msgspec.Struct, frozen=True):
    """A means of payment as `wallet_list_cards` prints it."""

    method_id: str
    kind: str
    brand: str
    label: str
    last4: str
    issued_in: str
    currency: str
    expires: str
    in_phone_wallet: bool
    status: str


class Cards(msgspec.Struct, frozen=True):
    """What `wallet_list_cards` returns."""

    cards: list[Card]


class WalletListCards(Tool):
    """List the user's cards and other means of payment, without their numbers."""

    latency_s: ClassVar[float] = 0.4

    def run(self, call: Call) -> Cards:
        methods = call.world.all(PaymentMethod)
        for method in methods:
            call.show(method.id)
        return Cards(
            [
                Card(
                    method.id,
                    method.kind,
                    method.brand,
                    method.label,
                    method.last4,
                    method.issued_in,
                    method.currency,
                    method.expires,
                    method.in_phone_wallet,
                    method.status,
                )
                for method in methods
            ]
        )


class ChargeRow(msgspec.Struct, frozen=True):
    """A charge as `wallet_list_charges` prints it; without an original amount, that one is empty."""

    charge_id: str
    method_id: str
    made_at: Zoned
    posted_on: str
    status: str
    amount: Amount
    original_amount: Amount
    descriptor: str
    merchant_ref: str
    entry_mode: str
    refs: tuple[str, ...]


class Charges(msgspec.Struct, frozen=True):
    """What `wallet_list_charges` returns."""

    charges: list[ChargeRow]
    total: int
    next_page_token: str


class WalletListCharges(Tool):
    """List what was charged to the user's cards and accounts, the newest first."""

    latency_s: ClassVar[float] = 0.6
    fee_usd: ClassVar[float] = 0.001

    method_id: str = Field(default="", description="Id of one means of payment; empty for all.")
    from_date: str = Field(description="First day, YYYY-MM-DD.")
    to_date: str = Field(description="Last day, YYYY-MM-DD, at most 400 days from the first.")
    text: str = Field(
        default="", description="Words in the merchant's name or reference; empty for all.", max_length=400
    )
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> Charges:
        world = call.world
        first, last = (day.isoformat() for day in read_days(self.from_date, self.to_date, MOST_DAYS))
        if self.method_id:
            world.get(PaymentMethod, self.method_id, "method_id")
            charges = world.where(Charge, "method_id", self.method_id)
        else:
            charges = world.all(Charge)
        words = fold(self.text).split()
        found = [
            charge
            for charge in charges
            if first <= to_local(charge.made_at, charge.zone)[:10] <= last
            and all(word in fold(f"{charge.descriptor} {charge.merchant_ref}") for word in words)
        ]
        found.sort(key=lambda charge: (-charge.made_at, charge.id))
        rows, token = call.page(found, self.page_token, PAGE_SIZE)
        for charge in rows:
            call.show(charge.id)
        return Charges([_charge_row(charge) for charge in rows], len(found), token)


def _charge_row(charge: Charge) -> ChargeRow:
    return ChargeRow(
        charge.id,
        charge.method_id,
        zoned(charge.made_at, charge.zone),
        charge.posted_on,
        charge.status,
        charge.amount.wire(),
        charge.original_amount.wire() if charge.original_amount else Amount("", ""),
        charge.descriptor,
        charge.merchant_ref,
        charge.entry_mode,
        charge.refs,
    )


class RateRow(msgspec.Struct, frozen=True):
    """A rate as `wallet_get_rates` prints it."""

    rate_id: str
    base: str
    quote: str
    unit: int
    value: str
    kind: str
    published_at: str


class Rates(msgspec.Struct, frozen=True):
    """What `wallet_get_rates` returns."""

    on_date: str
    rates: list[RateRow]
    rounding_note: str


class WalletGetRates(Tool):
    """Read the exchange rates of a day: `unit` units of the base currency are worth `value` of the quote currency."""

    on_date: str = Field(default="", description="The day, YYYY-MM-DD; empty for today.")

    def run(self, call: Call) -> Rates:
        world = call.world
        day = read_date(self.on_date, "on_date").isoformat() if self.on_date else world.today
        rates = world.where(Rate, "on_date", day)
        if not rates:
            raise ToolError("not_published", field="on_date", hint="a day on which a table was published")
        for rate in rates:
            call.show(rate.id)
        rows = [RateRow(r.id, r.base, r.quote, r.unit, r.value, r.kind, r.published_at) for r in rates]
        return Rates(day, rows, body_of(world.settings.get("rounding_note", "")))
