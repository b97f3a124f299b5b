"""How a house's queue works, as its page for guests without a booking and its board tell it."""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec

from agentbench_env.market import shared_table
from agentbench_tasks.commons.texts import CountSlot, LinesSlot, ServiceSlot, Stated, Text
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.queue import Board, QueueMode, queue_key, walk_in_value

FILE = "board_page"
Absent = Literal["cancelled", "skipped", "retake"]
"""What becomes of guests who are away when called: struck off, called again after the next party, at the end again."""
_NUMBERED: tuple[QueueMode, ...] = ("kiosk_number", "remote_app")


class Absence(msgspec.Struct, frozen=True, gc=False):
    """What becomes of guests who are away when called, and after how many minutes."""

    rule: Absent
    minutes: int


def walk_in_title(language: str, variant: int) -> str:
    """Return the title of the page."""
    return shared_table(f"text/{language}/{FILE}")["form"]["title"][variant]


def walk_in_parts(
    board: Board, absence: Absence, language: str, variant: int, app: str = "", on_site: bool = True
) -> tuple[Part, ...]:
    """Return the parts of the page: how to join, which parties, until when, and what becomes of who is away.

    Args:
        board: the house's board, of which the page tells what does not change by the minute.
        absence: what becomes of guests who are away when called.
        language: the language of the page.
        variant: which wording.
        app: the app that gives numbers, for `remote_app`.
        on_site: whether that app's queue can be joined at the door too.
    """
    venue_id = board.venue_id
    joining = Part(
        _section("joining", _joining(board.mode, language, variant, app, on_site), language, variant),
        _joining_facts(board, on_site),
    )
    if board.mode == "none":
        return (joining,)
    parties = (
        Stated(queue_key(venue_id, "walk_in"), walk_in_value(board.walk_in)),
        Stated(queue_key(venue_id, "seating"), ",".join(board.seating), "said.seating"),
    )
    until: tuple[Stated, ...] = ()
    if board.ticket_cutoff:
        until = (Stated(queue_key(venue_id, "ticket_cutoff"), board.ticket_cutoff, "said.until"),)
    return (
        joining,
        Part(
            _section("parties", _parties(board.walk_in, board.seating, language, variant), language, variant), parties
        ),
        Part(_section("cutoff", _cutoff(board.ticket_cutoff, language, variant), language, variant), until),
        Part(_section("absent", _absent(absence, board.mode in _NUMBERED, language, variant), language, variant)),
    )


def write_board(board: Board, language: str, variant: int, app: str = "", on_site: bool = True) -> Board:
    """Return the board with its text: how many wait and how long, how to join, until when."""
    paused = Text.of(FILE, "state.paused", language, variant)
    if board.mode == "none":
        lines = [_joining("none", language, variant, app, on_site)]
    elif not board.accepting:
        lines = [paused]
    else:
        lines = [_state(board, language, variant), _joining(board.mode, language, variant, app, on_site)]
        if board.ticket_cutoff:
            lines.append(_cutoff(board.ticket_cutoff, language, variant))
    text, closed = (
        Text.of(FILE, "board", language, 0, said=LinesSlot(tuple((line,) for line in said)))
        for said in (lines, [paused])
    )
    on_site_fact = (Stated(queue_key(board.venue_id, "on_site"), on_site and board.mode != "none"),)
    return msgspec.structs.replace(board, text=text, closed_text=closed, stated=on_site_fact)


def _joining_facts(board: Board, on_site: bool) -> tuple[Stated, ...]:
    return (
        Stated(queue_key(board.venue_id, "mode"), board.mode),
        Stated(queue_key(board.venue_id, "on_site"), on_site and board.mode != "none"),
    )


@cache
def _section(kind: str, said: Text, language: str, variant: int) -> Text:
    return Text.of(FILE, f"section.{kind}", language, variant, said=said)


@cache
def _joining(mode: QueueMode, language: str, variant: int, app: str, on_site: bool) -> Text:
    if mode != "remote_app":
        return Text.of(FILE, f"joining.{mode}", language, variant)
    return Text.of(FILE, "joining.remote_app" if on_site else "joining.remote_only", language, variant, app=app)


@cache
def _parties(walk_in: PartyRange, seating: tuple[Seating, ...], language: str, variant: int) -> Text:
    table = shared_table(f"text/{language}/{FILE}")
    seats: str = table["form"]["seating_join"].join(table["seating"][seat] for seat in seating)
    ends = {"min": walk_in.min if walk_in.min > 1 else 0, "max": walk_in.max}
    slots = {name: CountSlot(number, "person") for name, number in ends.items() if number}
    kind = "_".join(slots) or "any"
    return Text.of(FILE, f"parties.{kind}", language, variant, seating=seats, **slots)


@cache
def _cutoff(clock: str, language: str, variant: int) -> Text:
    if not clock:
        return Text.of(FILE, "cutoff.none", language, variant)
    style: str = shared_table(f"text/{language}/{FILE}")["form"]["clocks"][variant]
    return Text.of(FILE, "cutoff.at", language, variant, until=ServiceSlot(clock, style))


@cache
def _absent(absence: Absence, numbered: bool, language: str, variant: int) -> Text:
    minutes = CountSlot(absence.minutes, "minute")
    # A list of names gives no number that could be taken anew.
    rule = "rejoin" if absence.rule == "retake" and not numbered else absence.rule
    return Text.of(FILE, f"absent.{rule}", language, variant, minutes=minutes)


def _state(board: Board, language: str, variant: int) -> Text:
    if not board.groups_waiting and not board.wait_min:
        return Text.of(FILE, "state.empty", language, variant)
    counted = board.est_wait_min < 0
    return Text.of(
        FILE,
        "state.counted" if counted else "state.estimated",
        language,
        variant,
        groups=board.groups_waiting,
        minutes=CountSlot(board.minutes_per_group if counted else board.est_wait_min, "minute"),
    )
