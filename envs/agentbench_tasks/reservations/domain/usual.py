"""What houses of a market usually do: how they take bookings, their terms, prices and rooms, drawn from its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain.booking_page import HOUSE, HaveReady, Remark
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.listing_text import (
    SITE_TAGS,
    TablesTonight,
    open_till,
    price_symbol,
    site_tag,
    tables_tonight,
)
from agentbench_tasks.reservations.domain.market import (
    BANDS,
    Band,
    Both,
    Hours,
    MissingPattern,
    PriceRule,
    ReservationMarket,
    Season,
    TermsPattern,
)
from agentbench_tasks.reservations.domain.openings import EVERY_DAY, service_hours
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import Place, SiteSection
from agentbench_tasks.reservations.domain.queue import Board
from agentbench_tasks.reservations.domain.rooms_page import Noise, PrivateRoom, Rooms, Seat
from agentbench_tasks.reservations.domain.surface import (
    BookingWindow,
    ContactSpan,
    Route,
    RouteContact,
    RouteMode,
    Step,
)
from agentbench_tasks.reservations.domain.terms import (
    FREE,
    ChangeRule,
    Charge,
    DepositRule,
    HeadcountRule,
    NoShow,
    Terms,
)
from agentbench_tasks.reservations.domain.venue import ServiceHours

Row = TypeVar("Row", PriceRule, TermsPattern)
ASKED: tuple[HaveReady, ...] = ("name", "party_size", "date", "time", "phone_number")
"""What a guest states in any case."""
REMARKS: tuple[Remark, ...] = ("card_at_till", "points", "news", "lost_property", "late_call")
_ON_ENGINE = 0.7
_ONLY_ALIKE = 0.6
_HINTS: tuple[TablesTonight, ...] = ("some", "few", "none")
_HIDDEN: dict[str, tuple[RouteMode, ...]] = {
    "phone": ("phone",),
    "messenger": ("messenger",),
    "members_introduction_concierge": ("members", "introduction", "concierge"),
    "door": ("in_person",),
}
"""Ways of booking that are not on the web, by their names in the market's mix."""
_NOISES: dict[Noise, float] = {"quiet": 3, "moderate": 4, "loud": 3}
_ROOMS: dict[PrivateRoom, float] = {"none": 5, "partial": 2, "closed_room": 3}
_SEATS: tuple[Seat, ...] = ("counter", "sofa", "terrace", "floor", "sunken_floor")


def contact_of(place: Place, mode: RouteMode, hours: tuple[ContactSpan, ...] = ()) -> RouteContact | None:
    """Return where a way of booking leads; its hours count for the telephone."""
    match mode:
        case "phone":
            return RouteContact("phone", place.phone, hours)
        case "messenger":
            return RouteContact("messenger", next(reach.address for reach in place.reaches if reach.channel == mode))
        case "members":
            return RouteContact("member_site")
        case "introduction":
            return RouteContact("introducer")
        case "concierge":
            return RouteContact("concierge")
        case "in_person":
            return RouteContact("door")
        case "instant" | "request":
            return None


def draw_contact_hours(draw: Draw, market: ReservationMarket) -> tuple[ContactSpan, ...]:
    """Draw when the telephone of a house is answered."""
    opens, closes = draw.choice(market.routes.contact_hours).split("-")
    return (ContactSpan(EVERY_DAY, opens, closes),)


def off_the_web(draw: Draw, market: ReservationMarket, place: Place, mode: RouteMode, party: PartyRange) -> Route:
    """Draw how parties book that the web does not take."""
    hours = draw_contact_hours(draw, market) if mode == "phone" else ()
    return Route(mode, "", party, contact=contact_of(place, mode, hours))


def draw_routes(draw: Draw, market: ReservationMarket, place: Place) -> list[Route]:
    """Draw how a house takes bookings: on the web up to some party and by another way above it, or never on the web."""
    kind = draw.weighted(market.routes.mix)
    if kind in _HIDDEN:
        return [off_the_web(draw, market, place, draw.choice(_HIDDEN[kind]), PartyRange())]
    most = draw.choice(market.routes.online_max)
    larger = off_the_web(draw, market, place, draw.choice(("phone", "phone", "messenger")), PartyRange(most + 1))
    if kind == "code":
        return [Route("instant", "", PartyRange(1, most), steps=("sms_code",)), larger]
    if kind == "instant":
        return [Route("instant", "", PartyRange(1, most)), larger]
    step: Step = draw.choice(("card_hold", "deposit"))
    split = draw.int(2, most - 1)
    return [
        Route("instant", "", PartyRange(1, split)),
        Route("instant", "", PartyRange(split + 1, most), steps=(step,)),
        larger,
    ]


def draw_window(draw: Draw, market: ReservationMarket) -> BookingWindow:
    """Draw how long ahead a house takes bookings."""
    return BookingWindow(days_ahead=draw.choice(market.routes.window_days), lead_minutes=draw.choice((60, 120)))


def draw_charges(draw: Draw, market: ReservationMarket) -> ChargeRule:
    """Draw what comes on top of a house's prices."""
    return charge_rule(_drawn(draw, market.charges))


def charge_rule(row: PriceRule) -> ChargeRule:
    """Return the rule of a row of the market's table."""
    return ChargeRule(row.service_pct, row.fee_pct, row.tax_pct, row.mode, row.rounding)


def draw_dinner(draw: Draw, market: ReservationMarket, bands: Sequence[Band], currency: str) -> Money:
    """Draw what dinner costs a head on average, as it is printed, within one of these bands."""
    band = BANDS.index(draw.choice(bands))
    edges = market.bands.edges
    low = edges[band - 1] if band else edges[0] // 2
    high = edges[band] if band < len(edges) else edges[-1] * 3 // 2
    step = max(1, 10 ** (len(str(low)) - 2))
    return Money((low + draw.int(0, (high - low) * 4 // 5)) // step * step, currency)


def draw_operator(draw: Draw, market: ReservationMarket, language: str) -> str:
    """Draw who runs a house's surface: the engine of the town, or the house itself."""
    return site_name(market.site.engine, language) if draw.chance(_ON_ENGINE) else HOUSE


def site_name(names: str, language: str) -> str:
    """Return the name of an invented service as a page in this language prints it."""
    both = Both.read(names)
    return both.latin if language == "en" else both.local


def season_hours(row: Season) -> ServiceHours:
    """Return the hours that houses keep in a season."""
    return service_hours("dinner", Hours.read(row.hours))


# --- queue and site


def draw_board(draw: Draw, market: ReservationMarket, place: Place, id: str, last_order: str, door: bool) -> Board:
    """Draw how a house keeps its queue, and how it stands; one at whose door one books has a queue."""
    modes = market.queues.modes
    mode = draw.weighted({mode: share for mode, share in modes.items() if mode != "none"} if door else modes)
    if mode == "none":
        return Board(id, place.id, 0, mode, False, PartyRange(1, 2), (), "")
    return Board(
        id,
        place.id,
        0,
        mode,
        draw.chance(0.85),
        PartyRange(1, draw.choice((4, 6, 8))),
        ("table",),
        "",
        groups_waiting=draw.int(0, 9),
        minutes_per_group=draw.int(*market.queues.minutes_per_group),
        ticket_cutoff=service_clock(service_minutes(last_order) - draw.choice((30, 45, 60)))
        if draw.chance(0.5)
        else "",
        remote_join=mode == "remote_app",
    )


def draw_site(
    draw: Draw, market: ReservationMarket, language: str, variant: int, closes: str, printed: Money | None
) -> SiteSection:
    """Draw what the discovery site makes up about a house; it calls none both quiet and lively."""
    tags = draw.sample(SITE_TAGS, draw.int(1, 3))
    return SiteSection(
        tuple(site_tag(tag, language) for tag in tags if tag != "lively" or "quiet" not in tags),
        tables_tonight(draw.choice(_HINTS), language, variant),
        open_till(closes, language, variant),
        draw.int(40, 990),
        price_symbol(market.bands, printed, language) if printed else "",
    )


def draw_alike(draw: Draw, market: ReservationMarket) -> list[str]:
    """Draw the need of which a house that writes about diets only says what sounds like a proof, if there is one."""
    return [draw.choice(market.diets).need] if draw.chance(_ONLY_ALIKE) else []


# --- terms


def draw_pattern(draw: Draw, market: ReservationMarket) -> TermsPattern:
    """Draw the kind of terms that a house has for parties of any size."""
    rows = [row for row in market.terms if row.party.min <= 2] or list(market.terms)
    return _drawn(draw, rows)


def terms_after(
    market: ReservationMarket,
    pattern: TermsPattern,
    draw: Draw,
    id: str,
    place: Place,
    page_id: str,
    route: Route,
    *,
    with_room: bool,
    **more: object,
) -> Terms:
    """Return terms after a pattern for the parties, days and services of a route; a room's fee counts if there is one.

    There is a deposit, or a hold on a card, only where the route asks for one: the page says what the engine does.
    """
    deposit = deposit_of(market, pattern, draw, route.steps)
    tiers, no_show = pattern.tiers, pattern.no_show
    if no_show.charge.base == "course_plus_room" and not with_room:
        no_show = replace(no_show, charge=replace(no_show.charge, base="course"))
    if deposit.kind == "none":
        tiers = tuple(tier for tier in tiers if tier.charge.base != "deposit" or not tier.charge.amount)
        if "deposit" in (no_show.charge.base, no_show.cap):
            no_show = NoShow()
    return Terms(
        id,
        place.id,
        page_id,
        deposit,
        tiers if no_show.charge.amount else (),
        no_show,
        route.party,
        route.weekdays,
        route.services,
        route.dates,
        headcount=_headcount(pattern, draw),
        change=ChangeRule(pattern.change.until, FREE, pattern.change.free_moves) if pattern.change else None,
        late_minutes=draw.choice(pattern.late_minutes),
        **more,  # type: ignore[arg-type]
    )


def deposit_of(market: ReservationMarket, pattern: TermsPattern, draw: Draw, steps: Sequence[Step]) -> DepositRule:
    """Return the deposit that the steps of a route ask for: as the pattern has it, or another one of the market."""
    kind = "hold" if "card_hold" in steps else "charged" if {"deposit", "prepay"} & {*steps} else "none"
    if kind == "none":
        return DepositRule()
    found = [row.deposit for row in (pattern, *market.terms) if row.deposit.kind == kind] or [pattern.deposit]
    basis, amount = found[0].basis, draw.choice(found[0].amounts)
    return DepositRule(kind, basis, amount, credited=kind == "charged" and found[0].credited)


def _headcount(pattern: TermsPattern, draw: Draw) -> HeadcountRule | None:
    missing: MissingPattern | None = pattern.missing
    if not pattern.headcount or missing is None:
        return None
    return HeadcountRule(pattern.headcount, Charge(missing.basis, draw.choice(missing.amounts)))


# --- rooms


def draw_rooms(draw: Draw, place: Place, id: str, page_id: str, seats: Sequence[Seat]) -> Rooms:
    """Draw what a house states of noise, of seats, these among them, and of its private room."""
    room = draw.weighted(_ROOMS)
    return Rooms(
        id,
        place.id,
        page_id,
        draw.weighted(_NOISES) if draw.chance(0.6) else "",
        tuple(dict.fromkeys(("table", *seats, *draw.sample(_SEATS, draw.int(0, 2))))),
        room,
        capacity=draw.int(6, 14) if room != "none" else 0,
    )


def _drawn(draw: Draw, rows: Sequence[Row]) -> Row:
    weights: dict[int, float] = {place: row.weight for place, row in enumerate(rows)}
    return rows[draw.weighted(weights)]
