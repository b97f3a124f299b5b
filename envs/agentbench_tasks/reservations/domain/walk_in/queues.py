"""Queues of an evening: how long one waits, as boards of a market put it, and the boards themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.service_time import service_clock
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.market import QueueMix
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.queue import Board, QueueMode

LONGEST = 90
"""Minutes of the longest wait."""
_FEW = 8
_MOST_GROUPS = 14
_LARGEST = (6, 8, 10)
"""Up to how many guests houses seat together."""


class Wait(msgspec.Struct, frozen=True):
    """How long one waits, stated in minutes or to be reckoned from the groups ahead."""

    groups: int
    minutes_per_group: int
    stated: int = -1

    @property
    def minutes(self) -> int:
        """The minutes that one waits."""
        return self.stated if self.stated >= 0 else self.groups * self.minutes_per_group


@cache
def waits(least: int, most: int) -> tuple[Wait, ...]:
    """Return the waits that boards show where a group takes from `least` to `most` minutes."""
    pace = (least + most) // 2
    stated = [Wait(max(1, minutes // pace), pace, minutes) for minutes in range(5, LONGEST + 1, 5)]
    counted = [
        Wait(groups, each)
        for groups in range(1, _MOST_GROUPS)
        for each in range(least, most + 1)
        if groups * each <= LONGEST
    ]
    return (Wait(0, pace), *stated, *counted)


def draw_wait(draw: Draw, mix: QueueMix, fits: Callable[[int], bool]) -> Wait:
    """Draw a wait whose minutes fit; raise NoFit if no board shows one."""
    options = waits(*mix.minutes_per_group)
    # Most often one of a few draws fits, which saves looking at all.
    for _ in range(_FEW):
        wait = draw.choice(options)
        if fits(wait.minutes):
            return wait
    fitting = [wait for wait in options if fits(wait.minutes)]
    if not fitting:
        raise NoFit
    return draw.choice(fitting)


def draw_mode(draw: Draw, mix: QueueMix) -> QueueMode:
    """Draw how a house with a queue keeps it."""
    return draw.weighted({mode: weight for mode, weight in mix.modes.items() if mode != "none"})


def queue_of(
    house: House, draw: Draw, mode: QueueMode, wait: Wait, party: int, *, cutoff: int = -1, accepting: bool = True
) -> Board:
    """Return the board of a house that seats the party; `cutoff` in minutes of the day, -1 for none."""
    seating: tuple[Seating, ...] = ("table", "counter") if draw.chance(0.3) else ("table",)
    return Board(
        house.board.id,
        house.place.id,
        0,
        mode,
        accepting,
        PartyRange(1, draw.choice([most for most in _LARGEST if most >= party])),
        seating,
        "",
        groups_waiting=wait.groups,
        minutes_per_group=wait.minutes_per_group,
        est_wait_min=wait.stated,
        ticket_cutoff=service_clock(cutoff) if cutoff >= 0 else "",
        remote_join=mode == "remote_app" or (mode == "sms_waitlist" and draw.chance(0.5)),
    )


def for_two_at_the_counter(board: Board) -> Board:
    """Return the board of a house that has the counter alone for guests without a booking, two at a time."""
    return msgspec.structs.replace(board, walk_in=PartyRange(1, 2), seating=("counter",))


def without_queue(house: House) -> Board:
    """Return the board of a house that takes bookings alone."""
    return Board(house.board.id, house.place.id, 0, "none", False, PartyRange(1, 2), (), "")
