"""The blocks of a page of terms: for whom each is, and its rules, drawn in the figures of the market and the house."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.deposits.plot import KINDS, Cut, Form, Kind, Plot, Split, Wanted, any_wanted
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.market import ReservationMarket
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import Route, Step
from agentbench_tasks.reservations.domain.terms import (
    FREE,
    ChangeRule,
    Charge,
    DepositBasis,
    DepositRule,
    HeadcountRule,
    HeadcountStep,
    NoShow,
    Terms,
    Tier,
)

FIRST = 0.08
"""Share of pages on which the block that governs stands first."""
_WEEK = ((1, 2, 3, 4), (5, 6, 7))
_CLOCKS = ("17:00", "18:00", "21:00")
_STEPS: dict[Kind, tuple[Step, ...]] = {"none": (), "hold": ("card_hold",), "charged": ("deposit",)}
_BASES: dict[DepositBasis, float] = {"per_head": 50, "flat": 15, "per_table": 15, "pct_of_course": 20}
_PERCENT: dict[Form, tuple[int, ...]] = {"menu": (30, 50, 80, 100), "total": (20, 30, 40, 50), "deposit": (100,)}


class Cell(msgspec.Struct, frozen=True):
    """For which bookings a block is; the fields are those of `Terms`."""

    party: PartyRange = PartyRange()
    weekdays: tuple[int, ...] = ()
    booked: str = "any"
    room: str = "any"

    @property
    def route(self) -> tuple[PartyRange, tuple[int, ...]]:
        """What of it decides by which route one books."""
        return self.party, self.weekdays


class Figures(msgspec.Struct, frozen=True):
    """In which figures a house writes its terms, in minor units."""

    a_head: tuple[int, ...]
    room_fee: int
    average: int
    late_minutes: tuple[int, ...]

    @classmethod
    def of(cls, market: ReservationMarket, house: House, room_fee: int) -> Figures:
        """The amounts that are usual in the market and not above what one spends, and those of the house."""
        deposits = [row.deposit for row in market.terms if row.deposit.basis == "per_head"]
        usual = sorted({amount for deposit in deposits for amount in deposit.amounts if amount})
        spend = house.dinner.minor if house.dinner else min(offer.menu.price.minor for offer in house.offers)
        a_head = [amount for amount in usual if amount <= spend] or usual[:1]
        late = sorted({minutes for row in market.terms for minutes in row.late_minutes})
        return cls(tuple(a_head), room_fee, house.dinner.minor if house.dinner else 0, tuple(late))


def cells_of(draw: Draw, plot: Plot, weekday: int) -> list[Cell]:
    """Return for whom the blocks are, that of the plot's occasion first: every booking falls into exactly one."""
    own, other = _split(Cell(), plot.splits[0], plot, draw, weekday)
    if plot.blocks == 2:
        return [own, other]
    inner = plot.splits[1]
    own_halves = _split(own, inner, plot, draw, weekday)
    if plot.blocks == 3:
        return [*own_halves, other]
    return [*own_halves, *_split(other, inner, plot, draw, weekday)]


def _split(cell: Cell, by: Split, plot: Plot, draw: Draw, weekday: int) -> tuple[Cell, Cell]:
    """Cut a cell in two, the half of the occasion first."""
    match by:
        case "party":
            least = draw.int(5, 6)
            halves = [{"party": PartyRange(1, least - 1)}, {"party": PartyRange(least)}]
            own = plot.is_large
        case "weekdays":
            halves = [{"weekdays": days} for days in _WEEK]
            own = weekday in _WEEK[1]
        case "booked":
            halves = [{"booked": "seat_only"}, {"booked": "course"}]
            own = plot.with_course
        case "room":
            halves = [{"room": "no_room"}, {"room": "room"}]
            own = plot.with_room
    made = [msgspec.structs.replace(cell, **half) for half in halves]
    return made[own], made[not own]


class Drafter(NamedTuple):
    """Draws the terms of a house."""

    house: House
    figures: Figures
    cells: Sequence[Cell]
    """For whom the blocks are, that of the occasion first."""
    plot: Plot
    difficulty: Difficulty

    def terms(self, draw: Draw) -> list[Terms]:
        """Draw the terms of all blocks, those of the occasion first and as the plot wants them."""
        plot, cells = self.plot, self.cells
        kinds: dict[tuple[PartyRange, tuple[int, ...]], Kind] = {cells[0].route: plot.wanted.kind}
        wanted = [plot.wanted]
        for cell in cells[1:]:
            kind = kinds.setdefault(cell.route, draw.weighted(KINDS))
            wanted.append(any_wanted(draw, kind, self.difficulty, may_be_free=not plot.free))
        return [_terms(draw, self.house, self.figures, cell, one) for cell, one in zip(cells, wanted, strict=True)]


def routes_of(blocks: Sequence[Terms]) -> list[Route]:
    """Return how the parties of the blocks book on the web: with the step that their deposit asks for."""
    steps = {(terms.party, terms.weekdays): _STEPS[terms.deposit.kind] for terms in blocks}
    return [Route("instant", "", party, weekdays, steps=asked) for (party, weekdays), asked in steps.items()]


def in_print(draw: Draw, blocks: Sequence[Terms]) -> list[int]:
    """Return the order in which a page prints blocks: the governing one, block 0, seldom first."""
    rest = draw.shuffled(range(1, len(blocks)))
    place = 0 if draw.chance(FIRST) else draw.int(1, len(rest))
    return [*rest[:place], 0, *rest[place:]]


# --- the rules of a block


def _terms(draw: Draw, house: House, figures: Figures, cell: Cell, wanted: Wanted) -> Terms:
    fee = 0 if cell.room == "no_room" else figures.room_fee
    deposit = _deposit(draw, figures, cell, wanted)
    no_show = _no_show(draw, house, figures, wanted, deposit, fee)
    returned = wanted.kind == "charged" and wanted.form != "deposit" and draw.chance(0.45)
    if returned:
        deposit = msgspec.structs.replace(deposit, surplus_returned=True)
        no_show = msgspec.structs.replace(no_show, offset="deposit_counts")
    of_total = wanted.form == "total" or no_show.cap == "pct"
    terms = Terms(
        house.ids.id("trm"),
        house.place.id,
        house.page_id("terms"),
        deposit,
        _tiers(draw, wanted.cut, no_show),
        no_show,
        cell.party,
        cell.weekdays,
        booked=cell.booked,  # type: ignore[arg-type]
        room=cell.room,  # type: ignore[arg-type]
        room_fee=fee,
        # A bill with charges: whether they come on the fee must be said.
        room_fee_served=not of_total or house.charges.mode == "final",
        average_spend=0 if cell.booked == "course" else figures.average,
        charges=house.charges,
    )
    return terms if wanted.form == "none" else _with_details(draw, figures, terms)


def _with_details(draw: Draw, figures: Figures, terms: Terms) -> Terms:
    """Add what terms say besides: of fewer guests, of other times, of lateness."""
    day_before = CutoffRule("days_before_at", 1, "17:00")
    missing = Charge("per_head", draw.choice(figures.a_head))
    return msgspec.structs.replace(
        terms,
        headcount=HeadcountRule((HeadcountStep(1, day_before),), missing) if draw.chance(0.3) else None,
        change=ChangeRule(CutoffRule("hours_before", 24), FREE, 1) if draw.chance(0.3) else None,
        late_minutes=draw.choice(figures.late_minutes),
    )


def _deposit(draw: Draw, figures: Figures, cell: Cell, wanted: Wanted) -> DepositRule:
    if wanted.kind == "none":
        return DepositRule()
    if wanted.card_only:
        return DepositRule("hold", credited=False)
    bases: dict[DepositBasis, float] = dict(_BASES)
    if cell.booked != "course":
        del bases["pct_of_course"]
    basis: DepositBasis = "per_head" if wanted.per_head else draw.weighted(bases)
    amount = draw.choice(figures.a_head)
    if basis == "pct_of_course":
        amount = draw.choice((20, 30, 50))
    elif basis != "per_head":
        amount *= draw.int(3, 6)
    credited = wanted.kind == "charged" and draw.chance(0.85)
    return DepositRule(wanted.kind, basis, amount, credited)


def _no_show(draw: Draw, house: House, figures: Figures, wanted: Wanted, deposit: DepositRule, room_fee: int) -> NoShow:
    charge = _charge(draw, house, figures, wanted.form, room_fee)
    if wanted.form == "deposit":
        return NoShow(charge, "deposit")
    if wanted.form == "total" and deposit.amount and draw.chance(0.25):
        return NoShow(charge, "deposit")
    in_addition = deposit.kind == "charged" and draw.chance(0.5)
    if wanted.form == "per_head" and draw.chance(0.2):
        return NoShow(charge, "pct", 50, "in_addition" if in_addition else "deposit_counts")
    return NoShow(charge, offset="in_addition" if in_addition else "deposit_counts")


def _charge(draw: Draw, house: House, figures: Figures, form: Form, room_fee: int) -> Charge:
    if form == "none":
        return FREE
    if form == "per_head":
        return Charge("per_head", draw.choice(figures.a_head) * draw.int(1, 2))
    percent = draw.choice(_PERCENT[form])
    if form != "menu":
        return Charge("pct", percent, form)  # type: ignore[arg-type]
    with_room = bool(room_fee) and draw.chance(0.5)
    added = house.charges.mode != "final" and draw.chance(0.5)
    return Charge("pct", percent, "course_plus_room" if with_room else "course", added)


def _tiers(draw: Draw, cut: Cut, no_show: NoShow) -> tuple[Tier, ...]:
    """Free cancelling until the cut-off and, now and then, half the charge until a later one."""
    if cut in ("never", "always"):
        return ()
    rule = _rule(draw, cut)
    later = _later(rule) if draw.chance(0.5) else None
    if later is None:
        return (Tier(rule),)
    half = msgspec.structs.replace(no_show.charge, amount=no_show.charge.amount // 2)
    return Tier(rule), Tier(later, half, keeps_deposit=no_show.offset == "in_addition")


def _rule(draw: Draw, cut: Cut) -> CutoffRule:
    match cut:
        case "same_day":
            return CutoffRule("hours_before", draw.choice((6, 8, 12)))
        case "hours":
            return CutoffRule("hours_before", draw.choice((24, 48, 72)))
        case "day_start":
            return CutoffRule("day_start", draw.int(0, 3))
        case "business":
            return CutoffRule("business_days_before_at", draw.int(2, 5), draw.choice(_CLOCKS))
        case _:
            return CutoffRule("days_before_at", draw.int(1, 4), draw.choice(_CLOCKS))


def _later(rule: CutoffRule) -> CutoffRule | None:
    """Return a later cut-off of the same kind, None if there is none."""
    if rule.kind == "hours_before":
        return CutoffRule(rule.kind, rule.n // 2) if rule.n >= 24 else None
    least = 0 if rule.kind == "day_start" else 1
    return CutoffRule(rule.kind, rule.n - 1, rule.at) if rule.n > least else None
