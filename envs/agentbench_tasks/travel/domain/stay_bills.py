"""What a stay really costs: the bill of a house's rules for nights as shown, worked out line by line.

A line is rounded half up once, at the minor unit. Pure: no world, no drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

import msgspec

from agentbench_tasks.travel.domain.records_stays import Night

TaxKind = Literal["municipality_fee", "provincial_fee", "tourism_fee", "tourism_dirham", "lodging_tax", "bath_tax"]
FeeKind = Literal["resort_fee", "cleaning_fee", "extra_person", "extra_bed", "heating_fee"]
Unit = Literal["night", "stay", "person_night"]
How = Literal["percent", "by_class", "bands", "bather"]
Board = Literal["room_only", "breakfast", "half_board"]
MEALS: dict[str, tuple[str, ...]] = {
    "room_only": (),
    "breakfast": ("breakfast",),
    "half_board": ("breakfast", "dinner"),
}


class Tax(msgspec.Struct, frozen=True, gc=False):
    """A charge of the place, as the rule of an area has it.

    percent: `percent` of the shown price. by_class: `amounts` a room and night by official class. bands: an amount a
    person and night by the net price of the room alone, the last of `bands` whose first number it reaches. bather:
    `amount` a night for each person of at least `exempt_under` years.
    """

    kind: TaxKind
    how: How
    percent: str = "0"
    amount: int = 0
    amounts: tuple[tuple[int, int], ...] = ()
    bands: tuple[tuple[int, int], ...] = ()
    exempt_under: int = 0
    most_nights: int = 0
    """Nights running after which it is no longer due; 0: never."""
    at_desk: bool = False
    """Whether it is paid in cash on arrival."""


class Fee(msgspec.Struct, frozen=True, gc=False):
    """A compulsory charge of the house. A fee by the person is due for each guest beyond those the price covers.

    `child_amount` holds for guests under `child_under` years. A plus-plus fee takes service charge and VAT on top.
    From `first_day` to `last_day`, ISO dates, if these are given.
    """

    kind: FeeKind
    unit: Unit
    amount: int
    child_amount: int = 0
    child_under: int = 0
    in_cash: bool = False
    plus_plus: bool = False
    first_day: str = ""
    last_day: str = ""

    def applies_on(self, day: str) -> bool:
        """Whether it is due for the night of an ISO date."""
        return not self.first_day or self.first_day <= day <= self.last_day


class HouseRules(msgspec.Struct, frozen=True, gc=False):
    """What a house charges beside the shown price, and what the shown price holds."""

    service: str = "0"
    """Percent of service charge."""
    service_outside: bool = False
    service_on_meals: bool = True
    """Whether an outside service charge is also taken on the meals inside the shown price."""
    vat: str = "0"
    vat_outside: bool = False
    vat_on_fees: bool = False
    """Whether an outside VAT is also taken on the place's percentages, beside price and service charge."""
    taxes: tuple[Tax, ...] = ()
    meals: tuple[tuple[str, int], ...] = ()
    """What a meal counts for inside the shown price, a person and night, in minor units."""
    guests: int = 9
    """Guests that the shown price of a room covers."""
    fees: tuple[Fee, ...] = ()
    deposit: int = 0


class Guests(msgspec.Struct, frozen=True, gc=False):
    """Who stays."""

    adults: int
    child_ages: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many they are."""
        return self.adults + len(self.child_ages)


class NightBill(msgspec.Struct, frozen=True, gc=False):
    """The lines of one night, for the whole party, in minor units; VAT and service as they come on top."""

    day: str
    base: int
    service: int
    vat: int
    taxes: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """Everything that is charged for the night."""
        return self.base + self.service + self.vat + sum(amount for _, amount in self.taxes)


class Bill(msgspec.Struct, frozen=True, gc=False):
    """The whole bill; fees are summed over the stay, with their unit."""

    nights: tuple[NightBill, ...]
    fees: tuple[tuple[str, str, int], ...]
    cash: int
    """What of it is paid in cash on arrival."""
    deposit: int

    @property
    def total(self) -> int:
        """What the stay costs."""
        return sum(night.total for night in self.nights) + sum(amount for _, _, amount in self.fees)

    @property
    def per_night(self) -> int:
        """The total spread evenly over the nights, rounded half up."""
        return rounded(Fraction(self.total, len(self.nights)))


def bill(rules: HouseRules, nights: Sequence[Night], guests: Guests, board: str, official_class: int) -> Bill:
    """Work out what a party pays in a house for nights as shown."""
    lines = tuple(_night(rules, night, place, guests, board, official_class) for place, night in enumerate(nights))
    fees = [(fee, _fee(rules, fee, nights, guests)) for fee in rules.fees]
    desk = {tax.kind for tax in rules.taxes if tax.at_desk}
    cash = sum(amount for line in lines for kind, amount in line.taxes if kind in desk)
    cash += sum(amount for fee, amount in fees if fee.in_cash)
    return Bill(lines, tuple((fee.kind, fee.unit, amount) for fee, amount in fees if amount), cash, rules.deposit)


def shown_price(night: Night, guests: Guests) -> int:
    """The price of a night as shown, for the whole party."""
    return night.shown.minor * (guests.size if night.basis == "per_person" else 1)


def _night(rules: HouseRules, night: Night, place: int, guests: Guests, board: str, official_class: int) -> NightBill:
    base = shown_price(night, guests)
    meals = sum(amount for meal, amount in rules.meals if meal in MEALS[board]) * guests.size
    served = base if rules.service_on_meals else base - meals
    service = share(served, rules.service) if rules.service_outside else 0
    stay = _Stay(base, base - meals + service, place, guests, official_class)
    taxes = [(tax.kind, _tax(rules, tax, stay)) for tax in rules.taxes]
    extra = sum(amount for tax, (_, amount) in zip(rules.taxes, taxes, strict=True) if tax.how == "percent")
    vat = share(base + service + (extra if rules.vat_on_fees else 0), rules.vat) if rules.vat_outside else 0
    return NightBill(night.day, base, service, vat, tuple((kind, amount) for kind, amount in taxes if amount))


class _Stay(NamedTuple):
    """What the charges of a place go by: `room` is the price of the room alone with service charge, VAT in it."""

    base: int
    room: int
    place: int
    guests: Guests
    official_class: int


def _tax(rules: HouseRules, tax: Tax, stay: _Stay) -> int:
    guests = stay.guests
    if tax.most_nights and stay.place >= tax.most_nights:
        return 0
    if tax.how == "percent":
        return share(stay.base, tax.percent)
    if tax.how == "by_class":
        return dict(tax.amounts).get(stay.official_class, 0)
    if tax.how == "bather":
        return tax.amount * (guests.adults + sum(age >= tax.exempt_under for age in guests.child_ages))
    net = Fraction(stay.room) / (1 + percent(rules.vat)) / guests.size
    return max(((start, amount) for start, amount in tax.bands if start <= net), default=(0, 0))[1] * guests.size


def _fee(rules: HouseRules, fee: Fee, nights: Sequence[Night], guests: Guests) -> int:
    payers = extra_guests(rules, guests) if fee.unit == "person_night" else [None]
    times = 1 if fee.unit == "stay" else sum(fee.applies_on(night.day) for night in nights)
    return times * sum(fee_for_one(rules, fee, age) for age in payers)


def fee_for_one(rules: HouseRules, fee: Fee, age: int | None) -> int:
    """What a fee comes to once, for a guest of this age (None: an adult), with what comes on top of it."""
    amount = fee.child_amount if age is not None and age < fee.child_under else fee.amount
    if not fee.plus_plus:
        return amount
    factor = (1 + percent(rules.service)) * (1 + percent(rules.vat))
    return rounded(amount * factor)


def extra_guests(rules: HouseRules, guests: Guests) -> list[int | None]:
    """The ages of the guests beyond those that the price covers, None for adults; children come last."""
    everybody: list[int | None] = [*[None] * guests.adults, *guests.child_ages]
    return everybody[rules.guests :]


@lru_cache(maxsize=256)
def percent(text: str) -> Fraction:
    """Read a percentage as a fraction of one."""
    return Fraction(Decimal(text)) / 100


def share(amount: int, text: str) -> int:
    """A percentage of an amount, rounded half up."""
    part = percent(text)
    return (2 * amount * part.numerator + part.denominator) // (2 * part.denominator)


def rounded(value: Fraction) -> int:
    """Round half up to a whole number of minor units."""
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
