"""What the errand is: the job, what the firm wants to know, what misleads, what nobody knows."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.quote.keys import (
    ANSWERABLE,
    COUNTS,
    HOME_KEYS,
    OF_MODEL,
    SIDES,
    UNKNOWABLE,
    VISIT,
    pool,
    skills,
)

Trap = Literal["old_device", "count", "other_home", "building_hours", "two_languages", "unknown_item", "form_only"]
TRADES: dict[str, float] = {"aircon_clean": 40, "small_move": 25, "water_heater": 20, "bulky_removal": 15}
"""What the firm is to come for, in a hundred instances."""
TRAPS: dict[Trap, float] = {
    "old_device": 2,
    "count": 2,
    "other_home": 2,
    "building_hours": 2,
    "two_languages": 1.5,
    "form_only": 1.5,
}
"""How often each trap is drawn against the others that can be laid; `unknown_item` is one of those of every hard
instance that has any."""
TRAP_COUNT: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
KEY_COUNT: dict[Difficulty, int] = {"easy": 6, "standard": 8, "hard": 9}
"""How many things a firm wants to know, if its trade has as many."""
SENDS = 0.2
"""The share of users who let the enquiry be sent."""
ASKED = 0.3
"""How often something that the user knows by heart stands in no paper, where the firm asks for it."""
_USUAL_CHANNELS: tuple[Channel, ...] = ("mail", "messenger")


class Plot(msgspec.Struct, frozen=True):
    """The drawn errand."""

    trade: str
    skill: str
    """What the firm must be able to do."""
    traps: frozenset[Trap]
    keys: tuple[str, ...]
    """What the right firm wants to know."""
    unknown: str
    """The key of which nobody knows the value, "" for none."""
    asked: str
    """The key of which the user alone knows the value, "" for none."""
    channel: Channel
    languages: tuple[str, ...]
    """In which the right firm works."""
    sends: bool
    """Whether the user lets the enquiry be sent."""


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw an errand."""
    code, difficulty = setting.market.code, setting.difficulty
    trade = draw.weighted(TRADES)
    traps = _traps(draw, setting, trade)
    unknown = draw.choice([key for key in pool(code, trade) if key in UNKNOWABLE]) if "unknown_item" in traps else ""
    keys = draw_keys(draw, code, trade, difficulty, _needed(draw, pool(code, trade), traps, unknown))
    spare = [key for key in keys if key in ANSWERABLE and not (key == "unit_count" and "count" in traps)]
    return Plot(
        trade,
        draw.choice(skills(code, trade)),
        traps,
        keys,
        unknown,
        draw.choice(spare) if spare and draw.chance(ASKED) else "",
        "web_form" if "form_only" in traps else draw.choice(_USUAL_CHANNELS),
        draw.choice(languages(setting, foreign="two_languages" in traps)),
        draw.chance(SENDS),
    )


def languages(setting: Setting, *, foreign: bool) -> list[tuple[str, ...]]:
    """The languages in which a firm may work: among them the user's own or, of a `foreign` one, not."""
    row = reservation_market(setting.market.code).firm_languages
    options = row.options if row else ((setting.language,),)
    return [option for option in options if (setting.language in option) is not foreign]


def draw_keys(draw: Draw, code: str, trade: str, difficulty: Difficulty, needed: frozenset[str]) -> tuple[str, ...]:
    """Draw what a firm wants to know, these keys among it, in the order in which pages have it."""
    every = pool(code, trade)
    chosen = {VISIT, *needed}
    rest = [key for key in draw.shuffled(every) if key not in chosen]
    chosen.update(rest[: max(0, KEY_COUNT[difficulty] - len(chosen))])
    return tuple(key for key in every if key in chosen)


def _needed(draw: Draw, every: tuple[str, ...], traps: frozenset[Trap], unknown: str) -> frozenset[str]:
    """The keys without which a trap would not bite."""
    needed = {unknown} if unknown else set[str]()
    if "old_device" in traps:
        # Of a machine whose year nobody knows the model still tells the old one from the new.
        needed.update(key for key in every if key in OF_MODEL)
    if "count" in traps:
        needed.update(key for key in every if key in COUNTS)
    if "other_home" in traps:
        needed.update(draw.sample([key for key in every if _is_of_home(key)], 2))
    return frozenset(needed)


def _is_of_home(key: str) -> bool:
    return key in HOME_KEYS or SIDES.get(key, ("", ""))[0] == "home"


def _traps(draw: Draw, setting: Setting, trade: str) -> frozenset[Trap]:
    """Draw what makes an instance hard; nothing does in a benign one."""
    difficulty = setting.difficulty
    if draw.chance(BENIGN[difficulty]):
        return frozenset()
    traps: list[Trap] = ["unknown_item"] if difficulty == "hard" else []
    left: dict[Trap, float] = {trap: weight for trap, weight in TRAPS.items() if _can_be_laid(trap, setting, trade)}
    while len(traps) < TRAP_COUNT[difficulty]:
        traps.append(draw.weighted(left))
        del left[traps[-1]]
    return frozenset(traps)


def _can_be_laid(trap: Trap, setting: Setting, trade: str) -> bool:
    every = pool(setting.market.code, trade)
    match trap:
        case "old_device":
            return "model" in every
        case "count":
            return any(key in COUNTS for key in every)
        case "other_home":
            return setting.difficulty != "easy"
        case "two_languages":
            return bool(languages(setting, foreign=True))
        case _:
            return True
