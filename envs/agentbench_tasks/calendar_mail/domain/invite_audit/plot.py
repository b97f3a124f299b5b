"""What goes wrong in an invitation: the mistakes drawn for it, who sends it, and what else misleads."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting

Kind = Literal["text_file_conflict", "wrong_season", "wrong_zone", "no_zone", "date_shift", "series_shift"]
Side = Literal["moved", "old_example", "alike"]
Place = Literal["", "GB-ENG", "DE-BE", "US", "AU-NSW"]
"""Where the organiser is; "" where the user is."""
Organiser = Literal["outsider", "posted"]
"""Somebody of another firm, or a colleague (at an office abroad, unless at home)."""
Season = Literal["body", "frozen", "utc"]
"""Where the other season comes in: the abbreviation in the text, the file's time zone, or its UTC time."""
Part = Literal["file", "body"]

KINDS: tuple[Kind, ...] = get_args(Kind)
SIDES: tuple[Side, ...] = get_args(Side)
ABROAD: tuple[Place, ...] = ("GB-ENG", "DE-BE", "US", "AU-NSW")
BENIGN = {"easy": 0.30, "standard": 0.15, "hard": 0.10}
SIDE_COUNT = {"easy": 0, "standard": 1, "hard": 1}
DECOYS = {"easy": (2, 2), "standard": (4, 6), "hard": (8, 10)}
Mistake = tuple[Kind, Part]
PAIRS: tuple[tuple[Mistake, Mistake], ...] = (
    (("wrong_season", "file"), ("date_shift", "body")),
    (("wrong_zone", "file"), ("date_shift", "body")),
    (("wrong_zone", "file"), ("series_shift", "body")),
    (("wrong_zone", "file"), ("wrong_season", "body")),
    (("no_zone", "file"), ("date_shift", "body")),
    (("no_zone", "file"), ("series_shift", "body")),
    (("no_zone", "file"), ("wrong_season", "body")),
    (("text_file_conflict", "file"), ("date_shift", "body")),
    (("text_file_conflict", "file"), ("series_shift", "body")),
)
"""Two mistakes that explain each other in no way: one in the file, one in the text around it."""
HOME = 0.4
"""Share of the invitations that may come from the user's own zone that do."""
SERIES = 0.25
"""Share of the invitations that may be for a series that are."""


class Plot(msgspec.Struct, frozen=True):
    """What is wrong with an invitation, and how it came."""

    mistakes: tuple[Mistake, ...]
    sides: tuple[Side, ...]
    place: Place
    organiser: Organiser
    season: Season
    weeks: int
    """How many weekly instances the meeting has, 1 if it does not repeat."""
    crossing: bool
    """Whether the clocks of the organiser's place change during the series."""
    far: bool
    """Whether the time was agreed in another thread."""
    in_utc: bool
    """Whether the agreement says the time in UTC too."""

    @property
    def kinds(self) -> frozenset[Kind]:
        """The mistakes by kind."""
        return frozenset(kind for kind, _ in self.mistakes)

    def errs(self, part: Part) -> Kind | None:
        """The mistake of a part of the invitation, None if that is right."""
        return next((kind for kind, where in self.mistakes if where == part), None)


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a plot."""
    size = setting.difficulty
    mistakes = () if draw.chance(BENIGN[size]) else _mistakes(draw, size)
    kinds = {kind for kind, _ in mistakes}
    home = kinds <= {"text_file_conflict", "wrong_zone"} and len(mistakes) < 2 and draw.chance(HOME)
    place = "" if home else "US" if "date_shift" in kinds else draw.choice(ABROAD)
    may_repeat = len(mistakes) < 2 and kinds <= {"text_file_conflict", "wrong_zone", "no_zone"}
    series = "series_shift" in kinds or (may_repeat and draw.chance(SERIES))
    return Plot(
        mistakes,
        _sides(draw, size, mistakes, home, series),
        place,
        draw.choice(("outsider", "posted")),
        "body" if ("wrong_season", "body") in mistakes else draw.choice(("frozen", "utc")),
        draw.int(6, 10) if series else 1,
        series and not home and ("series_shift" in kinds or draw.chance(0.6)),
        size == "hard",
        size == "easy" and not series,
    )


def _mistakes(draw: Draw, size: str) -> tuple[Mistake, ...]:
    if size == "hard":
        return draw.choice(PAIRS)
    kind = draw.choice(KINDS)
    match kind:
        case "wrong_zone" | "no_zone":
            return ((kind, "file"),)
        case "date_shift" | "series_shift":
            return ((kind, "body"),)
        case "text_file_conflict" | "wrong_season":
            return ((kind, draw.choice(("file", "body"))),)


def _sides(draw: Draw, size: str, mistakes: tuple[Mistake, ...], home: bool, series: bool) -> tuple[Side, ...]:
    """What else misleads; an invitation without mistakes always looks as if it had one."""
    file_right = all(part == "body" or kind == "text_file_conflict" for kind, part in mistakes)
    if not mistakes:
        return ("alike",)
    fitting: list[Side] = ["moved"]
    if not home and not series:
        fitting.append("old_example")
    if file_right:
        fitting.append("alike")
    return tuple(draw.sample(fitting, SIDE_COUNT[size]))
