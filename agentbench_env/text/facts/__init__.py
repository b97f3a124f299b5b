"""Whether a text states a fact: a date, a time, an amount, a name or an id, in any way that a native would write it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from agentbench_env.text.facts import ids, names
from agentbench_env.text.facts.amounts import amounts
from agentbench_env.text.facts.dates import dates
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.pairing import pairs
from agentbench_env.text.facts.standing import voided
from agentbench_env.text.facts.times import times
from agentbench_env.text.facts.zoned import in_zone
from agentbench_env.text.own import own_text

FactKind = Literal["date", "time", "money", "name", "id"]

__all__ = ["FactKind", "mentions", "states"]


def states(
    text: str,
    kind: FactKind,
    value: str | tuple[str | Decimal, str] | Sequence[str],
    *,
    written_on: dt.date,
    zone: str | None = None,
    local: str = "",
) -> bool:
    """Whether the writer's own words in `text` state the value, and neither deny nor replace nor decline it.

    `value` is an ISO day, HH:MM, an amount (`"12400000 KRW"` or amount and code), the accepted forms of a name, or
    an id. With `zone` the wall time there is asked. `local` is the currency of a figure that names none.
    """
    own = own_text(text)
    if kind == "name":
        forms = [value] if isinstance(value, str) else value
        return any(names.occurs(str(form), own) for form in forms)
    if kind == "id":
        return _states_id(own, str(value))
    found = mentions(own, written_on=written_on, local=local)
    wanted = _amount(value) if kind == "money" else str(value)
    hits = [mention for mention in found if mention.kind == kind and wanted in map(_comparable, mention.values)]
    if zone is not None:
        days = [mention for mention in found if mention.kind == "date"]
        times = [mention for mention in found if mention.kind == "time"]
        day_of = {day: day for day in days} | {pair.time: pair.days[-1] for pair in pairs(own, days, times)}
        # What an abbreviation or a place means is a matter of the day of the event.
        hits = [hit for hit in hits if in_zone(own, hit, times, zone, _first_day(day_of.get(hit), written_on))]
    return any(not voided(own, hit, [other for other in found if other is not hit]) for hit in hits)


def _first_day(day: Mention | None, written_on: dt.date) -> dt.date:
    return dt.date.fromisoformat(day.values[0]) if day is not None else written_on


@lru_cache(maxsize=256)
def mentions(text: str, *, written_on: dt.date, local: str = "") -> tuple[Mention, ...]:
    """Find the dates, times and amounts in `text`, in their order; none lies inside a longer one of another kind."""
    found = [
        *dates(text, written_on),
        *times(text),
        *amounts(text, local),
    ]
    days = {one.start: one.end for one in found if one.kind == "date"}
    found = [_after_day(one, days) for one in found]
    found = [one for one in found if not any(_inside(one, other) for other in found)]
    return tuple(sorted(found, key=lambda mention: (mention.start, mention.end)))


def _after_day(one: Mention, days: dict[int, int]) -> Mention:
    """Leave the day to its own mention where it is told with the part of the day: 今晚七點."""
    day = days.get(one.start, one.end)
    return Mention(one.kind, one.values, day, one.end) if one.kind == "time" and day < one.end else one


def _inside(one: Mention, other: Mention) -> bool:
    longer = other.end - other.start > one.end - one.start
    return longer and other.kind != one.kind and other.start <= one.start and one.end <= other.end


def _states_id(text: str, value: str) -> bool:
    hits = ids.places(text, value)
    others = [
        other for other in ids.ids(text) if not any(other.start < hit.end and hit.start < other.end for hit in hits)
    ]
    # Without another id in its place, a number that is spoken of badly is still given.
    return any(not (others and voided(text, hit, others)) for hit in hits)


def _amount(value: object) -> str:
    amount, code = value.split() if isinstance(value, str) else value  # type: ignore[misc]
    return _comparable(f"{amount} {code}")


def _comparable(value: str) -> str:
    """Write an amount without the zeros that make no difference; other values stay as they are."""
    number, blank, code = value.partition(" ")
    return f"{Decimal(number).normalize():f} {code}" if blank else value
