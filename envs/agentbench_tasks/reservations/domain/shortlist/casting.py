"""Which part each house in reach plays: places that qualify, those that only seem to, those that plainly do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.reservations.domain.market import BANDS
from agentbench_tasks.reservations.domain.rooms_page import Noise, PrivateRoom, Seat
from agentbench_tasks.reservations.domain.shortlist.evidence import ATTRIBUTES, Attribute, Room, Seats, Value
from agentbench_tasks.reservations.domain.shortlist.plot import TAGGED_SEATS, Must, Plot, Trap, baited

Where = Literal["", "page", "listing", "both"]
When = Literal["fresh", "earlier", "stale", "before_refit"]
"""Of a visit: within the year; within the year but before a fresh one; longer ago; within the year before a refit."""
PLAIN = (1, 3)
"""How many houses say outright that a must is not met."""
_AGREES, _OLD = 0.3, 0.35
"""How often a guest says the same as the house, and how often there is a word of some earlier year as well."""
_NOISES: tuple[Noise, ...] = ("quiet", "moderate", "loud")
_ROOMS: dict[PrivateRoom, float] = {"none": 3, "partial": 2, "closed_room": 4}
_CHAIRS: tuple[Seat, ...] = ("table", "counter", "sofa", "terrace")
_ASIDE: tuple[Seat, ...] = ("counter", "sunken_floor")
_SEATS: tuple[Seat, ...] = (*_CHAIRS, "floor", "sunken_floor")
_FREE: dict[Where | Literal["review"], float] = {"page": 3, "listing": 2, "review": 3, "both": 1, "": 2}
"""Where a thing of which nothing is demanded is written, "" for nowhere."""


class Told(msgspec.Struct, frozen=True):
    """What guests tell after a visit."""

    when: When
    value: Value


class Cell(msgspec.Struct, frozen=True):
    """What is written about an attribute of a house."""

    value: Value = ""
    """What the house itself says, if it does; a band "" leaves the price as it is."""
    own: Where = ""
    told: tuple[Told, ...] = ()
    tag: Value = ""
    """What the site's tag makes one believe."""
    works: bool = False
    """Whether the house has a room that works keep shut."""
    printed: str = ""
    """The band of the price as it is printed, where charges lift it into the next one."""


Cells = dict[Attribute, Cell]


class Casting(msgspec.Struct, frozen=True):
    """The part of a house; `trap` is "" for one that qualifies or plainly does not."""

    part: Literal["member", "decoy", "plain"]
    cells: Cells
    trap: Trap | Literal[""] = ""


def cast(draw: Draw, plot: Plot) -> list[Casting]:
    """Draw the parts of an instance."""
    members = [_member(draw, plot, number == 0) for number in range(plot.members)]
    for trap in plot.traps:
        _lure(draw, plot, trap, members)
    decoys = [_decoy(draw, plot, trap) for trap in plot.traps if baited(trap, plot.musts)]
    plain = [draw_plain(draw, plot) for _ in range(draw.int(*PLAIN))]
    _contradict(draw, plot.contrary, [*members, *plain])
    return [*members, *decoys, *plain]


# --- parts


def _member(draw: Draw, plot: Plot, is_first: bool) -> Casting:
    cells = _free_cells(draw, plot)
    if is_first:
        # Who reads no reviews, or only what the musts need, must not succeed.
        attribute = _unpriced(plot)[0]
        cells[attribute] = _told(_any_value(draw, attribute))
    for must in plot.musts:
        cells[must.attribute] = _written(draw, must.attribute, _fitting(draw, must))
    return Casting("member", cells)


def draw_plain(draw: Draw, plot: Plot) -> Casting:
    """Draw the part of a house that says outright that a must is not met."""
    cells = _free_cells(draw, plot)
    failing = draw.choice(plot.musts)
    for must in plot.musts:
        fits = must is not failing and draw.chance(0.5)
        value = _fitting(draw, must) if fits else _unfit(draw, must)
        cells[must.attribute] = _said(draw.choice(("listing", "listing", "page")), value)
    return Casting("plain", cells)


def _decoy(draw: Draw, plot: Plot, trap: Trap) -> Casting:
    cells = _free_cells(draw, plot)
    bait = draw.choice(baited(trap, plot.musts))
    for must in plot.musts:
        fitting = _fitting(draw, must)
        cells[must.attribute] = _written(draw, must.attribute, fitting)
        if must == bait:
            cells[must.attribute] = _baited(draw, trap, must, fitting)
    return Casting("decoy", cells, trap)


def _baited(draw: Draw, trap: Trap, must: Must, fitting: Value) -> Cell:
    """What makes a house seem to meet a must."""
    tag = fitting if draw.chance(0.6) else ""
    own: Where = draw.choice(("page", "listing"))
    match trap:
        case "tag_only":
            return Cell(tag=fitting)
        case "stale_only":
            return Cell(told=(Told("stale", fitting),), tag=tag)
        case "pre_refit":
            return Cell(told=(Told("before_refit", fitting),), tag=tag)
        case "listing_vs_review":
            value, works = _unfit(draw, must), must.attribute == "private_room" and draw.chance(0.6)
            return Cell(Room("none") if works else value, own, (Told("fresh", fitting),), tag, works)
        case "plus_plus_band":
            top = BANDS.index(must.wanted[-1])  # type: ignore[arg-type]
            return Cell(BANDS[top + 1], "page", printed=BANDS[top])
        case "partial_room":
            value = Room("partial", must.guests + draw.int(0, 4))
        case "capacity":
            value = Room("closed_room", must.guests - draw.int(1, 3))
        case "tatami":
            value = _seats("floor", *draw.sample(_ASIDE, draw.int(0, 1)))
    if draw.chance(0.4):
        return msgspec.structs.replace(_told(value), tag=tag)
    return Cell(value, own, tag=tag)


def _lure(draw: Draw, plot: Plot, trap: Trap, members: Sequence[Casting]) -> None:
    """Lay a trap at an attribute of a qualifying house of which nothing is demanded, where it can be."""
    member, attribute = draw.choice(members[1:]), draw.choice(_unpriced(plot))
    value = _any_value(draw, attribute)
    match trap:
        case "tag_only":
            cell = Cell(tag=_tagged(draw, attribute))
        case "stale_only":
            cell = Cell(told=(Told("stale", value),))
        case "pre_refit":
            cell = Cell(told=(Told("before_refit", value),))
        case "listing_vs_review":
            other = _other_value(draw, attribute, value)
            cell = Cell(value, draw.choice(("page", "listing")), (Told("fresh", other),))
        case "plus_plus_band" if "price_band" in plot.free:
            low = draw.int(0, len(BANDS) - 2)
            member.cells["price_band"] = Cell(BANDS[low + 1], "page", printed=BANDS[low])
            return
        case _:
            return
    member.cells[attribute] = cell


def _unpriced(plot: Plot) -> list[Attribute]:
    """The attributes of which nothing is demanded and guests tell."""
    return [one for one in plot.free if one != "price_band"]


def _contradict(draw: Draw, count: int, houses: Sequence[Casting]) -> None:
    """Let a guest contradict what holds of some attributes, be it another guest's word or the house's own."""
    attributes: tuple[Attribute, ...] = ("noise", "private_room")
    found: list[tuple[Cells, Attribute]] = [
        (house.cells, attribute)
        for house in houses
        for attribute in attributes
        if house.cells[attribute].own or [one.when for one in house.cells[attribute].told] == ["fresh"]
    ]
    for cells, attribute in draw.sample(found, count):
        cell = cells[attribute]
        holds = cell.value if cell.own else cell.told[0].value
        when: When = "fresh" if cell.own else "earlier"
        told = [one for one in cell.told if one.when != "fresh" or not cell.own]
        other = Told(when, _other_value(draw, attribute, holds))
        cells[attribute] = msgspec.structs.replace(cell, told=(*told, other))


# --- cells


def _free_cells(draw: Draw, plot: Plot) -> Cells:
    free = plot.free
    return {attribute: _free_cell(draw, plot, attribute) for attribute in ATTRIBUTES if attribute in free}


def _free_cell(draw: Draw, plot: Plot, attribute: Attribute) -> Cell:
    if attribute == "price_band":
        silent: tuple[Where, ...] = ("",) if plot.traps else ()
        return _said(draw.choice(("page", "page", "page", "listing", "both", *silent)), "")
    kind, value = draw.weighted(_FREE), _any_value(draw, attribute)
    if not kind:
        return Cell()
    return _with_others(draw, attribute, _told(value) if kind == "review" else _said(kind, value))


def _written(draw: Draw, attribute: Attribute, value: Value) -> Cell:
    """A value that is borne out in some way."""
    if attribute == "price_band":
        return _said(draw.choice(("page", "page", "listing", "both")), value)
    where: Where | Literal["review"] = draw.choice(("page", "page", "listing", "both", "review", "review"))
    return _with_others(draw, attribute, _told(value) if where == "review" else _said(where, value))


def _said(own: Where, value: Value) -> Cell:
    return Cell(value, own)


def _told(value: Value) -> Cell:
    return Cell(told=(Told("fresh", value),))


def _with_others(draw: Draw, attribute: Attribute, cell: Cell) -> Cell:
    """Add a guest who says the same as the house, or a word of some earlier year, which changes nothing."""
    told = list(cell.told)
    if cell.own and draw.chance(_AGREES):
        told.append(Told("fresh", cell.value))
    if draw.chance(_OLD):
        told.append(Told("stale", _any_value(draw, attribute)))
    return msgspec.structs.replace(cell, told=tuple(told))


# --- values


def _any_value(draw: Draw, attribute: Attribute) -> Value:
    match attribute:
        case "noise":
            return draw.choice(_NOISES)
        case "private_room":
            kind = draw.weighted(_ROOMS)
            return Room(kind, draw.int(4, 14) if kind != "none" else 0)
        case "seating":
            return _seats(*draw.sample(_SEATS, draw.int(1, 2)))
        case "price_band":
            return draw.choice(BANDS)


def _other_value(draw: Draw, attribute: Attribute, value: Value) -> Value:
    while True:
        other = _any_value(draw, attribute)
        if other != value:
            return other


def _fitting(draw: Draw, must: Must) -> Value:
    """A value that meets a must."""
    match must.attribute:
        case "private_room":
            return Room("closed_room", must.guests + draw.int(0, 5))
        case "seating":
            seat: Seat = must.wanted[0]  # type: ignore[assignment]
            others: list[Seat] = [one for one in _SEATS if one != seat]
            return _seats(seat, *draw.sample(others, draw.int(0, 1)))
        case _:
            return draw.choice(must.wanted)


def _unfit(draw: Draw, must: Must) -> Value:
    """A value that plainly does not meet a must."""
    match must.attribute:
        case "private_room":
            return draw.choice((Room("none"), Room("none"), Room("partial", draw.int(2, must.guests - 1))))
        case "seating":
            others: list[Seat] = [one for one in _CHAIRS if one != must.wanted[0]]
            return _seats(*draw.sample(others, draw.int(1, 2)))
        case "noise":
            return draw.choice([one for one in _NOISES if one not in must.wanted])
        case "price_band":
            return draw.choice([one for one in BANDS if one not in must.wanted])


def _tagged(draw: Draw, attribute: Attribute) -> Value:
    """A value for which the site has a tag."""
    match attribute:
        case "seating":
            return _seats(draw.choice(TAGGED_SEATS))
        case "private_room":
            return Room("closed_room", 8)
        case _:
            return "quiet"


def _seats(*seats: Seat) -> Seats:
    return tuple(sorted(seats))
