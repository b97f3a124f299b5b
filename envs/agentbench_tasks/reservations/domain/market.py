"""What a market fixes for eating out and for firms that come to the home; read from its table `reservations`."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import msgspec

from agentbench_env.errors import WrongArgument
from agentbench_env.market import market_table, shared_table
from agentbench_tasks.reservations.domain.blocking import BlockingStep
from agentbench_tasks.reservations.domain.charges import ChargeMode, Rounding
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.queue import QueueMode
from agentbench_tasks.reservations.domain.terms import DepositBasis, HeadcountStep, NoShow, Tier

Names = dict[str, str]
"""A name or a sentence by language."""
Band = Literal["A", "B", "C", "D", "E"]
BANDS: tuple[Band, ...] = ("A", "B", "C", "D", "E")


class Both(NamedTuple):
    """A name in local and in Latin script."""

    local: str
    latin: str

    @classmethod
    def read(cls, text: str) -> Both:
        """Read "local/Latin", or a name that serves for both."""
        local, _, latin = text.partition("/")
        return cls(local, latin or local)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A fact of the world outside with its standing: V verified, P plausible, M mixed, W the world's own."""

    status: Literal["V", "P", "M", "W"]
    as_of: str
    source: str = ""
    note: str = ""


class Site(Row, frozen=True, kw_only=True):
    """The invented services of a city, each "local/Latin"."""

    discovery: str
    engine: str
    messenger: str
    proxy: str
    """Who books anything for a fee."""


class Fact(Row, frozen=True, kw_only=True):
    """A public figure or rule that guides print; no venue is bound by it."""

    key: str
    value: str
    unit: str
    words: Names
    superseded: bool = False
    """Whether another row has taken its place."""

    def sentence(self, language: str) -> str:
        """What a guide says of it; English where it has no other language."""
        return in_language(self.words, language).replace("{value}", self.value)


class Habit(Row, frozen=True, kw_only=True):
    """How one books, queues or cancels here, as guides tell it."""

    topic: Literal["booking", "queue", "cancel", "drinks"]
    words: Names
    valid_to: str = ""
    """The last day on which it holds for certain, "" for no end."""


class DepositPattern(msgspec.Struct, frozen=True):
    """A deposit with the amounts from which one is drawn."""

    kind: Literal["none", "hold", "charged"]
    basis: DepositBasis
    amounts: tuple[int, ...]
    credited: bool


class MissingPattern(msgspec.Struct, frozen=True):
    """What each missing guest costs, one of `amounts`."""

    basis: Literal["per_head"]
    amounts: tuple[int, ...]


class MovePattern(msgspec.Struct, frozen=True):
    """Until when how many moves are free."""

    until: CutoffRule
    free_moves: int


class TermsPattern(Row, frozen=True, kw_only=True):
    """Terms as venues of the market print them, drawn by `weight`."""

    name: str
    weight: int
    party: PartyRange
    deposit: DepositPattern
    tiers: tuple[Tier, ...]
    no_show: NoShow
    late_minutes: tuple[int, ...]
    headcount: tuple[HeadcountStep, ...] = ()
    missing: MissingPattern | None = None
    change: MovePattern | None = None


class PriceRule(Row, frozen=True, kw_only=True):
    """How a printed price becomes what is paid, drawn by `weight`, with an example in minor units."""

    name: str
    weight: int
    mode: ChargeMode
    rounding: Rounding
    printed: int
    paid: int
    words: Names
    service_pct: int = 0
    fee_pct: int = 0
    tax_pct: int = 0
    licensed: bool = False
    """Whether only hotels and places that serve alcohol reckon so."""


class PriceBands(Row, frozen=True, kw_only=True):
    """The least amount a head of each band from the second on, in minor units."""

    edges: tuple[int, int, int, int]

    def of(self, minor: int) -> Band:
        """Return the band of an amount a head, all charges in it."""
        return BANDS[sum(minor >= edge for edge in self.edges)]


class Hours(NamedTuple):
    """The hours of a service as service times; `last_drinks` "" where none is printed."""

    open: str
    close: str
    last_food: str
    last_drinks: str = ""

    @classmethod
    def read(cls, text: str) -> Hours:
        """Read "17:30-25:00/23:30/24:30"."""
        span, last_food, *drinks = text.split("/")
        opens, closes = span.split("-")
        return cls(opens, closes, last_food, *drinks)


class ServicePatterns(Row, frozen=True, kw_only=True):
    """The hours from which those of a venue are drawn; a venue has lunch and dinner, or one of the others."""

    lunch: tuple[str, ...]
    dinner: tuple[str, ...]
    all_day: tuple[str, ...]
    late: tuple[str, ...]
    food_gap_minutes: tuple[int, int]
    """From the last order of food to closing, at least and at most."""

    def options(self, service: Literal["lunch", "dinner", "all_day", "late"]) -> list[Hours]:
        """Return the hours that a service may have."""
        return [Hours.read(text) for text in getattr(self, service)]


class ClosurePattern(Row, frozen=True, kw_only=True):
    """A rule by which venues close, drawn by `weight`; weekdays are ISO numbers."""

    kind: Literal["weekly", "weekly_shifted", "nth_weekday", "on_holidays", "period"]
    weight: int
    words: Names
    weekdays: tuple[int, ...] = ()
    nth: tuple[int, ...] = ()
    dates: tuple[str, ...] = ()
    from_date: str = ""
    to_date: str = ""
    open_on_holidays: bool = False


class Season(Row, frozen=True, kw_only=True):
    """Hours that stand in place of all others for some weeks; the dates are those that are certain."""

    name: str
    from_date: str
    to_date: str
    hours: str
    words: Names


class NoticePattern(msgspec.Struct, frozen=True):
    """Why a venue closes out of turn, drawn by `weight`."""

    reason: Literal["repair", "private_event", "holiday", "staff", "stock"]
    weight: int
    words: Names


class Diet(Row, frozen=True, kw_only=True):
    """A strict need: words that prove it where the owner uses them, and words that only look like it."""

    need: str
    proof: dict[str, tuple[str, ...]]
    alike: dict[str, tuple[str, ...]]


class Certifier(Row, frozen=True, kw_only=True):
    """A real body that certifies; the shape of its numbers is one that is never issued."""

    short: str
    scheme: str
    names: Names
    number: str
    lax: bool = False
    """Whether its mark asks less than the certificate that guests mean."""


class MonthOpening(msgspec.Struct, frozen=True):
    """The day and hour at which a month's bookings open all at once, so many months ahead."""

    day: int
    at: str
    months_ahead: int


class RouteMix(Row, frozen=True, kw_only=True):
    """How venues take bookings, in percent, up to which party online, and when their contact answers."""

    mix: dict[str, float]
    online_max: tuple[int, ...]
    contact_hours: tuple[str, ...]
    window_days: tuple[int, ...]
    """How many days ahead bookings open."""
    month_opening: MonthOpening | None = None
    """How some venues open their book instead."""


class BlockingMix(Row, frozen=True, kw_only=True):
    """How often what stops a booking that only its guest can make is of each kind, in percent by blocking step."""

    mix: dict[BlockingStep, float]


class QueueMix(Row, frozen=True, kw_only=True):
    """How venues keep a queue, in percent, and how fast it moves."""

    modes: dict[QueueMode, float]
    minutes_per_group: tuple[int, int]


class HomeService(Row, frozen=True, kw_only=True):
    """What firms of a trade ask before they quote, and what some of them can do."""

    trade: str
    asks: tuple[str, ...]
    capabilities: tuple[str, ...]


class FirmLanguages(Row, frozen=True, kw_only=True):
    """In which languages firms of a market work: each in all those of one option."""

    options: tuple[tuple[str, ...], ...]


class Spans(msgspec.Struct, frozen=True):
    """The same hours on some weekdays."""

    weekdays: tuple[int, ...]
    hours: tuple[str, ...]


class BuildingRule(Row, frozen=True, kw_only=True):
    """When work may be done in a building, and how many days before it must be announced."""

    spans: Spans
    notice_days: int
    saturday: tuple[str, ...] = ()


class QuoteTax(Row, frozen=True, kw_only=True):
    """How firms speak of the tax in a quote."""

    pct: int
    quotes: tuple[Literal["excluded", "included"], ...]
    words: dict[str, Names]


class BookedNames(Row, frozen=True, kw_only=True):
    """Names that many guests share, how a name stands in a guest book, and which forms of it a message may give."""

    alike: tuple[str, ...]
    forms: tuple[str, ...]
    accepted: tuple[str, ...]
    titles: dict[str, str] = {}
    """By gender the title "local/Latin", where guest books write one."""


class ReservationMarket(msgspec.Struct, frozen=True):
    """The table `reservations` of a market. Amounts are minor units, rates whole percents."""

    site: Site
    yardsticks: tuple[Fact, ...]
    terms: tuple[TermsPattern, ...]
    charges: tuple[PriceRule, ...]
    bands: PriceBands
    hours: ServicePatterns
    closures: tuple[ClosurePattern, ...]
    notices: tuple[NoticePattern, ...]
    diets: tuple[Diet, ...]
    certifiers: tuple[Certifier, ...]
    allergen_rules: tuple[Fact, ...]
    routes: RouteMix
    blocking: BlockingMix
    queues: QueueMix
    habits: tuple[Habit, ...]
    home_services: tuple[HomeService, ...]
    building: BuildingRule
    vat: QuoteTax
    booked_names: BookedNames
    seasons: tuple[Season, ...] = ()
    firm_languages: FirmLanguages | None = None
    """None where all firms work in the language of the market alone."""

    def diet(self, need: str) -> Diet:
        """Return the words of a need; raise for one that nobody has in this market."""
        found = {row.need: row for row in self.diets}
        if need not in found:
            raise WrongArgument("need", need, list(found))
        return found[need]

    def home_service(self, trade: str) -> HomeService:
        """Return what firms of a trade ask."""
        found = {row.trade: row for row in self.home_services}
        if trade not in found:
            raise WrongArgument("trade", trade, list(found))
        return found[trade]


class ReservationCodes(msgspec.Struct, frozen=True):
    """The shared table `reservations`: the codes that rows of all markets use."""

    needs: tuple[str, ...]
    allergens: tuple[str, ...]
    animal: tuple[str, ...]
    courses: tuple[str, ...]
    diets: tuple[str, ...]
    trades: tuple[str, ...]
    capabilities: tuple[str, ...]
    quote_keys: tuple[str, ...]
    routes: tuple[str, ...]
    queues: tuple[str, ...]


@cache
def reservation_market(code: str) -> ReservationMarket:
    """Return what a market fixes for eating out and for firms that come to the home."""
    return msgspec.convert(market_table(code, "reservations"), ReservationMarket)


@cache
def reservation_codes() -> ReservationCodes:
    """Return the codes that rows of all markets use."""
    return msgspec.convert(shared_table("reservations"), ReservationCodes)


def in_language(names: Names, language: str) -> str:
    """Return the form in a language, the English one where there is no other."""
    return names.get(language) or names["en"]
