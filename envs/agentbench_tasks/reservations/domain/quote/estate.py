"""What the household has: the values of everything that firms of the trade ask, and of what is easily taken for it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from agentbench_env.draw import Draw
from agentbench_tasks.reservations.domain.belongings import draw_fact
from agentbench_tasks.reservations.domain.household import HomeKind
from agentbench_tasks.reservations.domain.quote.keys import (
    COUNTS,
    HOME_KEYS,
    LIST_KEYS,
    MACHINES,
    RULE_KEY,
    SIDES,
    SPOKEN,
    VISIT,
    pool,
)
from agentbench_tasks.reservations.domain.quote.plot import Plot
from agentbench_tasks.reservations.domain.quote.when import When
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact

FLOORS = (2, 9)
"""Floors on which flats lie: addresses of all cities can name them."""
_ALWAYS = ("floor", "lift", "parking")
_OLD_YEARS, _NEW_YEARS = (2010, 2014), (2019, 2023)
_OTHER_HOMES: tuple[HomeKind, ...] = ("previous", "relative")
Values = dict[str, str | int | bool]


class Estate(msgspec.Struct, frozen=True):
    """The drawn household. Values by key; what nobody knows is left out."""

    home: Values
    """What is noted of the user's flat."""
    new: Values
    """What is noted of the flat that is moved to."""
    machine: Values
    """What is to be known of the machine that the firm comes for."""
    things: Values
    """What the list of things says."""
    spoken: Values
    """What the user says."""
    replaced: Values
    """Model and year of the machine that stood there before."""
    earlier: Values
    """Counts as they were before something went."""
    other_kind: HomeKind
    other: Values
    """What is noted of another home."""
    other_machine: Values
    """The machine in the other home."""
    asked: QuoteFact | None
    """What the user knows by heart and no paper has."""

    def facts(self, trade_keys: Iterable[str], rule: str) -> tuple[QuoteFact, ...]:
        """Everything that firms of the trade may ask and somebody knows; `rule` are the building's hours."""
        by_place = {"home": self.home, "new": self.new}
        known: Values = {**self.home, **self.machine, **self.things, **self.spoken, RULE_KEY: rule}
        for key, (place, noted) in SIDES.items():
            if noted in by_place[place]:
                known[key] = by_place[place][noted]
        if self.asked:
            known[self.asked.key] = self.asked.value
        return tuple(QuoteFact(key, known[key]) for key in trade_keys if key in known)


def draw_estate(draw: Draw, code: str, plot: Plot, when: When, *, with_other: bool) -> Estate:
    """Draw what a household has."""
    keys = [key for key in pool(code, plot.trade) if key not in (VISIT, RULE_KEY)]
    home = _home(draw, code, plot.trade, keys)
    machine = draw_machine(draw, code, plot.trade) if plot.trade in MACHINES else {}
    things = {key: _value(draw, code, plot.trade, key) for key in keys if key in LIST_KEYS}
    if "item_count" in things:
        kinds = len(str(things["items"]).split(","))
        things["item_count"] = draw.int(kinds, kinds + 2)
    spoken = {key: _value(draw, code, plot.trade, key) for key in keys if key in SPOKEN and key != "move_date"}
    if "move_date" in keys:
        spoken["move_date"] = when.move_day.isoformat()
    replaced: Values = {}
    if "old_device" in plot.traps:
        machine["made_year"] = draw.int(*_NEW_YEARS)
        replaced = {"model": _other_model(draw, code, plot.trade, machine), "made_year": draw.int(*_OLD_YEARS)}
    earlier = _earlier(draw, plot, machine, things)
    new = _new_home(draw, home) if plot.trade == "small_move" else {}
    other = _other_home(draw, code, plot.trade, keys, home, new) if with_other else {}
    other_machine: Values = {}
    if with_other and machine:
        other_machine = draw_machine(draw, code, plot.trade)
        other_machine["model"] = _other_model(draw, code, plot.trade, machine)
        other_machine["made_year"] = draw.int(*_OLD_YEARS)
    asked = None
    if plot.asked:
        place = machine if plot.asked in machine else home
        asked = QuoteFact(plot.asked, place.pop(plot.asked))
        earlier.pop(plot.asked, None)
    for place in (home, machine, things):
        place.pop(plot.unknown, None)
    if plot.unknown in SIDES:
        new.pop(SIDES[plot.unknown][1], None)
    return Estate(
        home,
        new,
        machine,
        things,
        spoken,
        replaced,
        earlier,
        draw.choice(_OTHER_HOMES),
        other,
        other_machine,
        asked,
    )


def draw_machine(draw: Draw, code: str, trade: str) -> Values:
    """Draw a machine that firms of a trade come for: what they may ask of it, and what its plate prints."""
    left_out = {VISIT, RULE_KEY, *HOME_KEYS, *SPOKEN}
    keys = dict.fromkeys(("maker", "model", "made_year", *pool(code, trade)))
    values = {key: _value(draw, code, trade, key) for key in keys if key not in left_out}
    if "outdoor_count" in values and "unit_count" in values:
        values["outdoor_count"] = min(values["outdoor_count"], values["unit_count"])
        # A window unit has no outdoor unit to be counted.
        while values.get("unit_type") == "window":
            values["unit_type"] = _value(draw, code, trade, "unit_type")
    return values


def _home(draw: Draw, code: str, trade: str, keys: Iterable[str]) -> Values:
    wanted = dict.fromkeys((*_ALWAYS, *(key for key in keys if key in HOME_KEYS)))
    values = {key: _value(draw, code, trade, key) for key in wanted}
    values["floor"] = draw.int(*FLOORS)
    return values


def _new_home(draw: Draw, home: Values) -> Values:
    return {"floor": _other_floor(draw, home["floor"]), "lift": draw.chance(0.5)}


def _other_home(draw: Draw, code: str, trade: str, keys: Iterable[str], home: Values, new: Values) -> Values:
    """Draw another home: whatever is noted of it differs, as far as homes can differ."""
    values = {}
    for key, value in _home(draw, code, trade, keys).items():
        values[key] = (not home[key]) if isinstance(value, bool) else value
    values["floor"] = _other_floor(draw, home["floor"], new.get("floor", 0))
    return values


def _other_floor(draw: Draw, *taken: object) -> int:
    return draw.choice([floor for floor in range(FLOORS[0], FLOORS[1] + 1) if floor not in taken])


def _earlier(draw: Draw, plot: Plot, machine: Values, things: Values) -> Values:
    """The counts before something went, and what then lay there."""
    if "count" not in plot.traps:
        return {}
    key = next(key for key in COUNTS if key in machine or key in things)
    now = machine.get(key) or things[key]
    gone = 1 if key == "unit_count" else draw.int(1, 3) if key == "item_count" else draw.choice((4, 6, 8))
    return {**{other: value for other, value in things.items() if other not in COUNTS}, key: int(now) + gone}


def _other_model(draw: Draw, code: str, trade: str, machine: Values) -> str:
    model = str(machine["model"])
    while model == machine["model"]:
        model = str(_value(draw, code, trade, "model"))
    return model


def _value(draw: Draw, code: str, trade: str, key: str) -> str | int | bool:
    fact = draw_fact(draw, code, trade, key)
    assert fact is not None, key
    return fact.value
