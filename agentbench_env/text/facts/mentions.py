"""What a text mentions: a date, a time of day, an amount or an id, and where it stands."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["date", "time", "money", "id"]


class Mention(NamedTuple):
    """A mention of a value in a text.

    `values` are the readings that fit: ISO days, HH:MM in 24 hours (both halves where the words leave the half of the
    day open), a plain decimal with the ISO code of its currency (`12400000 KRW`), or the id. `start` and `end` are its
    span.
    """

    kind: Kind
    values: tuple[str, ...]
    start: int
    end: int
