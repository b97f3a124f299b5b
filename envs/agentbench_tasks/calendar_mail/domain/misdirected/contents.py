"""What the mail held, drawn as kinds and places: which items got out where, and which only seem to have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.misdirected.items import HOUSE_ONLY, KINDS, Kind
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot

Place = Literal["own", "quoted", "attachment"]
LEAST_CLASS, MOST_CLASS = 1, 4
MOST: dict[Place, int] = {"own": 2, "quoted": 3, "attachment": 3}
HIGHEST: dict[int, float] = {4: 55, 3: 35, 2: 10}
"""How often each class is the highest, where the kinds allow it."""
IN_GOAL = 0.6
"""Share of instances in which the page moves the class of a kind that got out."""
ROUNDS, TRIES = 64, 24


class Contents(msgspec.Struct, frozen=True):
    """Which kinds stand where."""

    classes: Mapping[Kind, int]
    """The class of each kind, as the page of this world has it."""
    places: Mapping[Kind, Place]
    """The kinds that got out, by the place where they stood."""
    unquoted: Kind
    """A kind that stood only in an earlier mail."""
    absent: Kind
    """A kind that is only spoken of, linked or locked."""
    missing: Kind
    """A kind whose file is announced and not attached."""

    def at(self, place: Place) -> list[Kind]:
        """The kinds at a place."""
        return [kind for kind, where in self.places.items() if where == place]

    @property
    def highest(self) -> int:
        """The highest class among the kinds that got out."""
        return max(self.classes[kind] for kind in self.places)


def draw_contents(draw: Draw, plot: Plot, kinds: Sequence[Kind], *, in_house: bool) -> Contents:
    """Draw what stands where. `in_house`: whether the mail was for somebody of the user's own house."""
    able: list[Kind] = [kind for kind in kinds if in_house or kind not in HOUSE_ONLY]
    for _ in range(ROUNDS):
        classes, moved = _classes(draw)
        highest = draw.weighted(HIGHEST)
        low: list[Kind] = [kind for kind in able if classes[kind] <= highest]
        with_moved = draw.chance(IN_GOAL) and bool(moved & set(low))
        for _ in range(TRIES if len(low) > plot.items else 0):
            chosen = draw.sample(low, plot.items)
            places = _places(draw, chosen)
            if with_moved and not moved & set(chosen):
                continue
            if max(classes[kind] for kind in chosen) == highest and _bites(classes, places, plot):
                # A locked file is never given a password by an item that stands beside it.
                rest: list[Kind] = [kind for kind in able if kind not in chosen and kind != "login_secret"]
                unquoted, absent, missing = draw.sample(rest, 3)
                return Contents(classes, places, unquoted, absent, missing)
    raise RuntimeError(f"no contents in {ROUNDS} rounds for {draw.key}")


def _places(draw: Draw, chosen: Sequence[Kind]) -> dict[Kind, Place]:
    """At least one kind of the mail's own words, the others anywhere."""
    places: dict[Kind, Place] = {chosen[0]: "own"}
    for kind in chosen[1:]:
        taken = list(places.values())
        weights: dict[Place, float] = {
            place: 1 if place == "own" else 2 for place, most in MOST.items() if taken.count(place) < most
        }
        places[kind] = draw.weighted(weights)
    return places


def _classes(draw: Draw) -> tuple[dict[Kind, int], frozenset[Kind]]:
    """The usual classes, some of them one higher or lower, and which ones were moved."""
    table = shared_table("calendar_mail")["information_classes"]
    classes: dict[Kind, int] = {kind: table["kinds"][kind] for kind in KINDS}
    moved = frozenset(draw.sample(KINDS, table["drawn"]))
    for kind in classes:
        if kind in moved:
            steps = [step for step in (-1, 1) if LEAST_CLASS <= classes[kind] + step <= MOST_CLASS]
            classes[kind] += draw.choice(steps)
    return classes, moved


def _bites(classes: Mapping[Kind, int], places: Mapping[Kind, Place], plot: Plot) -> bool:
    """Whether the highest class is reached where the traps want it, and in the own words where none does."""
    if set(places.values()) == {"own"}:
        # Something always went along with the own words.
        return False
    highest = max(classes[kind] for kind in places)
    reached = {place for kind, place in places.items() if classes[kind] == highest}
    wanted: set[Place] = set()
    if plot.has("quoted_only"):
        wanted.add("quoted")
    if plot.has("attachment_only"):
        wanted.add("attachment")
    return reached == wanted if wanted else "own" in reached
