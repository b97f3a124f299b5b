"""What the mail held, drawn as kinds and places: which items got out where, and which only seem to have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_tasks.calendar_mail.domain.misdirected.items import HOUSE_ONLY, Kind
from agentbench_tasks.calendar_mail.domain.misdirected.plot import Plot

Place = Literal["own", "quoted", "attachment"]
LEAST_CLASS, MOST_CLASS = 1, 4
MOST = {"own": 2, "quoted": 3, "attachment": 3}
IN_GOAL = 0.6
"""Share of instances in which the page moves the class of a kind that got out."""
TRIES = 400


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
    able = [kind for kind in kinds if in_house or kind not in HOUSE_ONLY]
    for _ in range(TRIES):
        chosen = draw.sample(able, plot.items)
        places = _places(draw, chosen)
        classes = _classes(draw, chosen)
        if not _bites(classes, places, plot):
            continue
        # A locked file is never given a password by an item that stands beside it.
        rest = [kind for kind in able if kind not in chosen and kind != "login_secret"]
        unquoted, absent, missing = draw.sample(rest, 3)
        return Contents(classes, places, unquoted, absent, missing)
    raise RuntimeError(f"no contents in {TRIES} tries for {draw.key}")


def _places(draw: Draw, chosen: Sequence[Kind]) -> dict[Kind, Place]:
    """At least one kind of the mail's own words, the others anywhere."""
    places: dict[Kind, Place] = {chosen[0]: "own"}
    for kind in chosen[1:]:
        open_places = [place for place, most in MOST.items() if list(places.values()).count(place) < most]  # type: ignore[arg-type]
        weights = {place: 2 if place != "own" else 1 for place in open_places}
        places[kind] = draw.weighted(weights)  # type: ignore[assignment]
    return places


def _classes(draw: Draw, chosen: Sequence[Kind]) -> dict[Kind, int]:
    """The usual classes, some of them one higher or lower."""
    table = shared_table("calendar_mail")["information_classes"]
    classes: dict[Kind, int] = dict(table["kinds"])
    first = [draw.choice(chosen)] if draw.chance(IN_GOAL) else []
    others = draw.shuffled([kind for kind in classes if kind not in first])
    for kind in [*first, *others][: table["drawn"]]:
        steps = [step for step in (-1, 1) if LEAST_CLASS <= classes[kind] + step <= MOST_CLASS]
        classes[kind] += draw.choice(steps)
    return classes


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
