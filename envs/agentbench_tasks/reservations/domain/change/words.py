"""What the user says of a table that is to be changed: the request, the boundary, replies and decisions."""

from __future__ import annotations

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.text import render as writing
from agentbench_env.text.names import Gender
from agentbench_tasks.commons.speech import Speech
from agentbench_tasks.commons.texts import CountSlot, say
from agentbench_tasks.reservations.domain.change.bookings import FILE
from agentbench_tasks.reservations.domain.change.plot import Change, Meal, Pointer


class Told(msgspec.Struct, frozen=True):
    """What the user tells: how they name the booking, and what is to be new."""

    pointer: Pointer
    venue: str
    meal: Meal
    day: str
    change: Change
    party: int
    new_party: int
    new_day: str
    new_clock: str


class Words(Speech):
    """The user's sentences in one language.

    Args:
        told: what they tell.
        gender, draw, language: as in `Speech`.
    """

    def __init__(self, told: Told, gender: Gender, draw: Draw, language: str) -> None:
        self._told = told
        table = shared_table(f"text/{language}/{FILE}")
        style, meals = table["style"], table["meals"]
        slots = {
            "venue": told.venue,
            "meal": meals[told.meal],
            "date": writing.date(told.day, language, style["date"]),
            "party": say(CountSlot(told.party, "person"), language),
            "new_party": say(CountSlot(told.new_party, "person"), language),
            "new_date": writing.date(told.new_day, language, style["date"]),
            "new_time": writing.time(told.new_clock, language, style["time"]),
        }
        super().__init__(FILE, gender, draw, language, **slots)

    def request(self) -> str:
        """The whole request."""
        self._begin("request")
        booking = self._piece(f"booking_{self._told.pointer}")
        pieces = [self._piece(f"open_{self._told.change}", booking=booking)]
        pieces += [self._piece(kind) for kind in ("charge", "route", "cutoff")]
        return self._join([*pieces, *self._probe()])

    def reply(self, topic: str) -> str:
        """The answer to a question."""
        return super().reply(f"{topic}_{self._told.pointer}" if topic == "which_booking" else topic)
